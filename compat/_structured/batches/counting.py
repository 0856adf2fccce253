"""Counts by key, ``map(lambda key: (key, 1)).reduceByKey(add)``, without a call of Python for each pair.

Functions are told by their bytecode, which has to be that of a lambda below, whatever the arguments are
called. Such a function reads nothing but its arguments and cannot do anything else, so what it gives is known
without calling it. ``COMPAT_COMPILE=off`` has it called."""

from __future__ import annotations

import dis
import functools
import operator
import os
from collections.abc import Callable
from dataclasses import replace
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_VARARGS, CO_VARKEYWORDS
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from compat._structured.batches.frame import LINES, Frame, Part

Out = tuple[str, Any]
"""What happens to pairs on the way to their partitions: a name in `merge.COMBINES`, and its settings."""


class Shape(NamedTuple):
    """What a function does, without the names of its arguments."""

    arguments: int
    instructions: tuple[tuple[str, Any], ...]
    constants: tuple[tuple[type, Any], ...]
    """With their types: a True is no 1."""


_OTHER_CALLS = CO_VARARGS | CO_VARKEYWORDS | CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR


def counted(frame: Frame, function: Callable[[Any, Any], Any]) -> tuple[Frame, Out]:
    """What `reduceByKey(function)` of the frame has to shuffle, and how that is combined on the way.

    Where the pairs are keys with a 1 and the function adds, it is the keys, to be counted; where these are
    the parts of lines of text, it is how often each is in some lines.
    """
    parts = _keys(frame) if _compiles() and adds(function) else None
    if parts is None:
        return frame, ("reduce", function)
    words = [_words(part) for part in parts]
    if None in words:
        return Frame(parts), ("count", None)
    return Frame(tuple(part for part in words if part)), ("reduce", function)


def _compiles() -> bool:
    return os.environ.get("COMPAT_COMPILE") != "off"


def _keys(frame: Frame) -> tuple[Part, ...] | None:
    """The parts without their last step, if it makes pairs with a 1 in all of them."""
    ends = [part.steps[-1] if part.steps else ("", None) for part in frame.parts]
    if not all(name == "map" and pairs_with_one(function) for name, function in ends):
        return None
    return tuple(replace(part, steps=part.steps[:-1]) for part in frame.parts)


def _words(part: Part) -> Part | None:
    """The part as one that is read in counts, if its elements are those of split lines."""
    if part.reader != LINES or len(part.steps) != 1:
        return None
    ((name, function),) = part.steps
    found = separator(function) if name == "flat_map" else None
    return None if found is None else replace(part, reader=("words", found), steps=())


def pairs_with_one(function: Any) -> bool:
    """Whether it is ``lambda key: (key, 1)``."""
    return _shape(function) == _PAIR


def adds(function: Any) -> bool:
    """Whether it is ``operator.add`` or ``lambda a, b: a + b``."""
    return function is operator.add or _shape(function) in _SUMS


def separator(function: Any) -> str | None:
    """The text in ``lambda line: line.split(" ")``; None for any other function."""
    shape = _shape(function)
    if shape is None or shape._replace(constants=()) != _SPLIT._replace(constants=()):
        return None
    kind, text = shape.constants[0]
    return text if kind is str and text else None


def _shape(function: Any) -> Shape | None:
    """The shape of a function; None if it has defaults or captures names."""
    if type(function) is not FunctionType:
        return None
    code = function.__code__
    if function.__defaults__ or code.co_kwonlyargcount or code.co_freevars or code.co_flags & _OTHER_CALLS:
        return None
    return _shape_of(code)


@functools.lru_cache(maxsize=1024)
def _shape_of(code: CodeType) -> Shape:
    instructions, constants = [], []
    for one in dis.get_instructions(code):
        argument: Any = one.arg
        if one.opcode in dis.hasconst:
            argument = None
            constants.append((type(one.argval), one.argval))
        elif one.opcode in dis.hasname:
            argument = one.argval
        instructions.append((one.opname, argument))
    return Shape(code.co_argcount, tuple(instructions), tuple(constants))


def _known(function: Callable[..., Any]) -> Shape:
    shape = _shape(function)
    assert shape is not None
    return shape


_PAIR = _known(lambda key: (key, 1))
_SUMS = (_known(lambda a, b: a + b), _known(lambda a, b: b + a))
_SPLIT = _known(lambda line: line.split(" "))
