"""The time of native programs: each batch begins in the next interval, however fast or slow the batches are.

A program that reckons its batch time from ``datetime.now()``, or in its batch function from ``time.time()``,
gives the batches those that DStream gives them. Elsewhere ``time.time()`` is the real one: a program may wait
until some seconds have passed.
"""

from __future__ import annotations

import contextlib
import datetime
import importlib
import inspect
import re
import sys
import time
from collections.abc import Callable
from types import CodeType
from typing import Any

from pyspark.cloudpickle import CloudPickler

_UNITS = {"millisecond": 0.001, "second": 1.0, "minute": 60.0, "hour": 3600.0}
_INTERVAL = re.compile(rf"\s*(\d+(?:\.\d+)?)\s*({'|'.join(_UNITS)})s?\s*")
_LITTLE = 0.001
"""How long after its batch time a batch begins, in seconds."""


def seconds_of(interval: object) -> float | None:
    """The seconds of a trigger's interval, ``"5 seconds"``; None for what is no such text."""
    match = _INTERVAL.fullmatch(interval) if isinstance(interval, str) else None
    return float(match[1]) * _UNITS[match[2]] if match else None


class Clock:
    """A clock that goes with the real one, and from the first batch on stops at the end of each interval."""

    def __init__(self, real: Callable[[], float] = time.time) -> None:
        """A clock beside the real one, whose seconds since the epoch are given."""
        self._real = real
        self._asked_by: set[CodeType] = set()
        """The code of batch functions."""
        self.interval: float | None = None
        """The seconds between two batches; None until a trigger says so."""
        self._began: tuple[float, float] | None = None
        """When the current batch began, on this clock and on the real one."""

    def now(self) -> float:
        """The time in seconds since the epoch."""
        if self._began is None or not self.interval:
            return self._real()
        began, real = self._began
        return began + min(self._real() - real, self.interval - 2 * _LITTLE)

    def begin_batch(self) -> float:
        """Move to the beginning of the next interval, and return the time."""
        if self.interval:
            began = (self.now() // self.interval + 1) * self.interval + _LITTLE
            self._began = (began, self._real())
        return self.now()

    def tell(self, batch_function: Callable[..., Any]) -> None:
        """Tell a batch function the time, where it asks `time.time` itself."""
        code = getattr(inspect.unwrap(batch_function), "__code__", None)
        if code is not None:
            self._asked_by.add(code)

    def _time(self) -> float:
        return self.now() if sys._getframe(1).f_code in self._asked_by else self._real()

    def take_over(self) -> None:
        """Put what asks this clock in the places of `datetime.datetime` and `time.time`."""
        for library in ("pandas", "pyarrow"):  # they are built on the real class when they are imported
            with contextlib.suppress(ImportError):
                importlib.import_module(library)
        _send_by_name(datetime.datetime)
        datetime.datetime = _asking(self)  # type: ignore[misc]
        time.time = self._time


def _send_by_name(real: type) -> None:
    """Have PySpark send the real class by its name, as code holds it that was imported before.

    Types are checked against it in ``createDataFrame(rdd, schema)``, and its name finds the other class here.
    """
    pickling: Any = importlib.import_module(CloudPickler.__module__)  # another one in PySpark 3.5
    known = pickling._class_reduce

    def reduced(kind: type) -> Any:
        return (getattr, (datetime, real.__name__)) if kind is real else known(kind)

    pickling._class_reduce = reduced


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
