"""The time of native programs: each batch begins in an interval of its own, however fast the batches come.

A program that reckons its batch time from ``datetime.now()`` gives no two batches the same one then.
"""

from __future__ import annotations

import contextlib
import datetime
import importlib
import re
import time
from typing import Any

_UNITS = {"millisecond": 0.001, "second": 1.0, "minute": 60.0, "hour": 3600.0}
_INTERVAL = re.compile(rf"\s*(\d+(?:\.\d+)?)\s*({'|'.join(_UNITS)})s?\s*")
_LITTLE = 0.001
"""How long after its batch time a batch begins, in seconds."""


def seconds_of(interval: object) -> float | None:
    """The seconds of a trigger's interval, ``"5 seconds"``; None for what is no such text."""
    match = _INTERVAL.fullmatch(interval) if isinstance(interval, str) else None
    return float(match[1]) * _UNITS[match[2]] if match else None


class Clock:
    """A clock that may be moved ahead of the real one."""

    def __init__(self) -> None:
        self.interval: float | None = None
        """The seconds between two batches; None until a trigger says so."""
        self._ahead = 0.0

    def now(self) -> float:
        """The time in seconds since the epoch."""
        return time.time() + self._ahead

    def begin_batch(self) -> float:
        """Move to the beginning of the next interval, and return the time."""
        if self.interval:
            now = self.now()
            self._ahead += (now // self.interval + 1) * self.interval + _LITTLE - now
        return self.now()

    def take_over(self) -> None:
        """Put a class in the place of `datetime.datetime` that asks this clock for the time."""
        for library in ("pandas", "pyarrow"):  # they are built on the real class when they are imported
            with contextlib.suppress(ImportError):
                importlib.import_module(library)
        datetime.datetime = _asking(self)  # type: ignore[misc]


def _asking(clock: Clock) -> Any:
    """`datetime.datetime` with the time of a clock; what it makes are objects of the real class."""
    real: Any = datetime.datetime

    class Meta(type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, real)

        def __subclasscheck__(cls, other: type) -> bool:
            return issubclass(other, real)

    class Asking(real, metaclass=Meta):  # type: ignore[misc]
        def __new__(cls, *args: Any, **kwargs: Any) -> Any:
            return real.__new__(real if cls is Asking else cls, *args, **kwargs)

        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return real.fromtimestamp(clock.now(), tz)

        @classmethod
        def today(cls) -> Any:
            return cls.now()

        @classmethod
        def utcnow(cls) -> Any:
            return cls.now(datetime.timezone.utc).replace(tzinfo=None)

    # pickled by its name, which is the real class where it is read
    Asking.__name__ = Asking.__qualname__ = "datetime"
    Asking.__module__ = "datetime"
    return Asking
