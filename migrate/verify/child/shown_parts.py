"""Sorts and limits of streaming DataFrames, done to each batch instead, all of whose rows are noted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from migrate.verify.child.patching import replace_for_programs
from migrate.verify.child.plans import ClassicDataFrame

_MADE = "_verify_made"
_METHODS = ("limit", "orderBy", "sort")


def keep_whole_frames() -> None:
    """Note of what every streaming DataFrame is sorted or a part."""
    for name in _METHODS:
        replace_for_programs(ClassicDataFrame, name, _note)


def _note(original: Callable[..., Any], self: Any, *args: Any, **kwargs: Any) -> Any:
    made = original(self, *args, **kwargs)
    if self.isStreaming:
        made.__dict__[_MADE] = (self, lambda frame: original(frame, *args, **kwargs))
    return made


def whole_frame(frame: Any) -> tuple[Any, Callable[[Any], Any]]:
    """The streaming DataFrame without its last sorts and limits, and what does these to a batch."""
    whole, made = frame.__dict__.get(_MADE, (None, None))
    if whole is None:
        return frame, lambda batch: batch
    first, before = whole_frame(whole)
    return first, partial(_in_turn, before, made)


def _in_turn(first: Callable[[Any], Any], second: Callable[[Any], Any], batch: Any) -> Any:
    return second(first(batch))
