"""Notes the types of the elements of every stream and RDD that a program's own call makes.

A pass-through function behind the call sees the elements where they are computed, in Python workers; it
writes down what each partition held, into a file of its own. A partition that is computed again replaces
its file, so that no element counts twice.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from migrate.facts.seen import Seen
from migrate.knowledge.rdd import METHODS, SAME_ELEMENTS, Result
from migrate.knowledge.streaming import STREAM, Gives
from migrate.verify.child.calls import Calls
from migrate.verify.child.patching import replace_for_programs
from migrate.verify.child.session import Session
from migrate.verify.child.written import write

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
    calls = Calls(Path(session.spec.work), Path(session.spec.program))
    for operator in OPERATORS:
        if hasattr(RDD, operator):
            replace_for_programs(RDD, operator, partial(_call, calls, operator, RDD, _tap_rdd))
    tap(session, DStream, StreamingContext)


def tap(session: Session, stream: Any, context: Any) -> None:
    """Tap the streams of one class."""
    calls = Calls(Path(session.spec.work), Path(session.spec.program))
    for operator in OPERATORS:
        if hasattr(stream, operator):
            replace_for_programs(stream, operator, partial(_call, calls, operator, stream, _tap_stream))
    replace_for_programs(context, "queueStream", partial(_call, calls, "queueStream", stream, _tap_stream))


def _call(
    calls: Calls,
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
            write(Path(directory, f"{name}-{split:06}-{seen.count:012}.json"), seen, fact)
