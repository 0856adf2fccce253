"""What emitted code does where Python fails, and where no column holds what Python gives: the one switch."""

from __future__ import annotations

import enum


class Guards(enum.Enum):
    """How much of a column's own failing is written out."""

    STRICT = "strict"
    """What fails in Python fails, in any mode of any Spark; ``--strict``."""
    STRICT_IN_ANSI = "strict in ANSI mode"
    """What fails in Python fails: by itself, if ANSI mode, which is on, has it fail."""
    ANSI = "ansi"
    """Spark's ANSI mode, which is on, fails by itself where a column would hold another value."""
    SHORT = "short"
    """What fails in Python may give anything; only what Python gives another value for is guarded."""

    @property
    def fail_as_python_does(self) -> bool:
        """Whether code fails for certain where Python does."""
        return self in (Guards.STRICT, Guards.STRICT_IN_ANSI)

    @property
    def left_to_spark(self) -> bool:
        """Whether Spark fails by itself on ints beyond 64 bits and on casts of what is no number."""
        return self in (Guards.ANSI, Guards.STRICT_IN_ANSI)
