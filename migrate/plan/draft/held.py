"""What the driver holds of a window whose elements are put together to one number: a value for each batch."""

from __future__ import annotations

from migrate.columns import Scalar
from migrate.frozen import dataclass
from migrate.plan.new_code.code import Chain


@dataclass(frozen=True)
class Held:
    """The values of a window, and how they are put together."""

    added: Chain
    """The value of a batch: ``batch.count()``."""
    word: str
    """A word for it: ``count``."""
    together: str = "sum"
    """The builtin that puts the values together."""
    may_be_none: bool = False
    """Whether the value of a batch without elements is None, and not the 0 of a sum."""
    keeps: bool = False
    """Whether there is a value of 0 once all elements have gone, as DStream has with an inverse."""
    always: bool = False
    """Whether there is one for each window, without elements too."""
    gaps: bool = False
    """Whether some batches may be in no window, as it is not known to be as long as its slide."""
    by_next: bool = False
    """Whether the operator that reads the window puts the values together: ``lines.window(30).count()``."""
    column: Scalar | None = None
    """The column that holds what they give, for other readers than prints."""
