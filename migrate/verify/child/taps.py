"""Notes the types of the elements of every stream and RDD that a program's own call makes.

A pass-through function behind the call sees the elements where they are computed, in Python workers; it
writes down what each partition held, into a file of its own. A partition that is computed again replaces
its file, so that no element counts twice.
"""

from __future__ import annotations

import ast
import itertools
import json
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from migrate.facts.names import names_of_calls
from migrate.facts.seen import Seen
from migrate.knowledge.rdd import METHODS, SAME_ELEMENTS, Result
from migrate.knowledge.streaming import STREAM, Gives
from migrate.verify.child.patching import replace_for_programs
from migrate.verify.child.session import Session

OPERATORS = sorted(
    {
        *(name for name, gives in STREAM.items() if gives is Gives.STREAM),
        *(name for name, method in METHODS.items() if method.gives is Result.RDD),
    }
    - SAME_ELEMENTS
)
"""Operators of streams and RDDs whose elements may be of another type than those that they read."""
_numbers = itertools.count()
_sessions: list[Session] = []
"""The session under way, for functions that are pickled into a checkpoint and must not hold it themselves."""


def tap_pyspark(session: Session) -> None:
    """Tap RDDs, and the streams of `pyspark.streaming`."""
    from pyspark.rdd import RDD
    from pyspark.streaming import DStream, StreamingContext

    session.spec.seen.mkdir()
    _sessions.append(session)
    calls = _Calls(Path(session.spec.work), Path(session.spec.program))
    for operator in OPERATORS:
        if hasattr(RDD, operator):
            replace_for_programs(RDD, operator, partial(_call, calls, operator, RDD, _tap_rdd))
    tap(session, DStream, StreamingContext)


def tap(session: Session, stream: Any, context: Any) -> None:
    """Tap the streams of one class."""
    calls = _Calls(Path(session.spec.work), Path(session.spec.program))
    for operator in OPERATORS:
        if hasattr(stream, operator):
            replace_for_programs(stream, operator, partial(_call, calls, operator, stream, _tap_stream))
    replace_for_programs(context, "queueStream", partial(_call, calls, "queueStream", stream, _tap_stream))


def _call(
    calls: _Calls,
    operator: str,
    owner: Any,
    tapped: Callable[[Any, tuple[str, str]], Any],
    original: Callable[..., Any],
    *args: Any,
    **kwargs: Any,
) -> Any:
    fact = calls.name(sys._getframe(2), operator)
    result = original(*args, **kwargs)
    return tapped(result, fact) if fact is not None and isinstance(result, owner) else result


def _tap_stream(stream: Any, fact: tuple[str, str]) -> Any:
    number = next(_numbers)

    def tapped(when: Any, rdd: Any) -> Any:
        from migrate.verify.child import taps

        # DStreams make the RDD of a batch anew for each stream that reads it: the time tells that it is one
        return rdd if rdd is None else taps._tap_rdd(rdd, fact, f"{number:06}-{when:%Y%m%d%H%M%S%f}")

    return stream.transform(tapped)


def _tap_rdd(rdd: Any, fact: tuple[str, str], name: str = "") -> Any:
    spec = _sessions[-1].spec
    look = partial(_look, str(spec.seen), spec.examples, name or f"{next(_numbers):06}", fact)
    return rdd.mapPartitionsWithIndex(look, True)


def _look(
    directory: str,
    examples: bool,
    name: str,
    fact: tuple[str, str],
    split: int,
    elements: Iterable[Any],
) -> Iterator[Any]:
    seen = Seen(examples=examples)
    try:
        for element in elements:
            seen.add(element)
            yield element
    finally:
        if seen.count:
            _write(Path(directory, f"{name}-{split:06}-{seen.count:012}.json"), seen, fact)


def _write(path: Path, seen: Seen, fact: tuple[str, str]) -> None:
    half = path.with_suffix(f".{uuid.uuid4().hex}")
    half.write_text(json.dumps({"fact": fact, "seen": seen.document()}), encoding="ascii")
    half.rename(path)


class _Calls:
    """The names of the program's calls, by the places from which they are made.

    Args:
        work: the copy of the working directory.
        program: the program, which may lie elsewhere.
    """

    def __init__(self, work: Path, program: Path) -> None:
        self._work = work.resolve()
        self._program = program.resolve()
        self._trees: dict[str, dict[ast.Call, str]] = {}

    def name(self, frame: Any, operator: str) -> tuple[str, str] | None:
        """The file and the name of what the call at a frame makes; None if it is not the program's."""
        path = Path(frame.f_code.co_filename).resolve()
        if path.is_relative_to(self._work):
            file = path.relative_to(self._work).as_posix()
        elif path == self._program:
            file = path.name
        else:
            return None
        if file not in self._trees:
            self._trees[file] = names_of_calls(ast.parse(path.read_bytes()))
        found = [call for call in self._trees[file] if _is_at(call, frame, operator)]
        return (file, self._trees[file][found[0]]) if len(found) == 1 else None


def _is_at(call: ast.Call, frame: Any, operator: str) -> bool:
    """Whether a frame is at a call; before Python 3.11 only lines are known, which may hold several."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr != operator:
        return False
    if sys.version_info < (3, 11):
        return bool(call.lineno <= frame.f_lineno <= (call.end_lineno or call.lineno))
    places = list(frame.f_code.co_positions())
    _, end_line, _, end_column = places[frame.f_lasti // 2]
    return bool((call.end_lineno, call.end_col_offset) == (end_line, end_column))
