"""Programs on `compat.streaming`: taken over when they import it, on whichever engine they run."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

from migrate.verify.child import rdds
from migrate.verify.child.contexts import Contexts
from migrate.verify.child.dstreams import Streams, print_batch
from migrate.verify.child.patching import replace as put_in_place
from migrate.verify.child.session import Session
from migrate.verify.child.streams_of_kafka import drive_kafka
from migrate.verify.child.taps import tap

_MODULE, _KAFKA = "compat.streaming", "compat.streaming.kafka"
_frame_sorts: dict[int, tuple[Any, rdds.Sort]] = {}
"""The sorts of the Structured engine's frames by the identity of each, which is kept alive with it."""


def drive_when_imported(session: Session) -> None:
    """Take over `compat.streaming` as soon as it is imported: a program may have a `compat` of its own."""
    sys.meta_path.insert(0, _Finder(session))


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, session: Session) -> None:
        self._session = session

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The module as usual, with the takeover after it."""
        if name not in (_MODULE, _KAFKA):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path, self._session)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, session: Session) -> None:
        super().__init__(name, path)
        self._session = session

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, then put the harness's members in their places."""
        super().exec_module(module)
        if module.__name__ == _KAFKA:
            drive_kafka(self._session, module)
        elif hasattr(module, "StreamingContext"):
            drive_compat(self._session, module)


def drive_compat(session: Session, module: Any) -> None:
    """Take over the module `compat.streaming`."""

    def text_stream(context: Any, queue: list[Any]) -> Any:
        return context.queueStream(queue, True, context.sparkContext.emptyRDD())

    def set_clock(streams: Streams, context: Any) -> None:
        streams.set_clock(context._engine.advance_clock, context._interval_ms / 1000)

    def has_outputs(context: Any) -> bool:
        return bool(context._engine.graph.outputs)

    def save(original: Callable[..., Any], self: Any, prefix: str, suffix: str | None = None) -> None:
        session.check_target(prefix)  # the engine writes within the JVM
        original(self, prefix, suffix)

    Contexts(session, module.StreamingContext, text_stream, set_clock, has_outputs).take_over()
    put_in_place(module.DStream, "saveAsTextFiles", save)
    _structured_engine()
    if session.spec.learns:
        tap(session, module.DStream, module.StreamingContext)


def _structured_engine() -> None:
    """Sorts must survive the way through the engine's frames, and `pprint` is noted, not printed."""
    from compat import graph
    from compat._structured import engine  # noqa: F401 - it registers the outputs
    from compat._structured.batches.frame import Frame
    from compat._structured.batches.registry import OUTPUTS
    from compat._structured.life.session import Session as EngineSession

    put_in_place(EngineSession, "from_rdd", _from_rdd)
    put_in_place(EngineSession, "to_rdd", _to_rdd)
    put_in_place(Frame, "then", _then)
    put_in_place(Frame, "indexed", _indexed)
    put_in_place(Frame, "persisted", _persisted)
    OUTPUTS[graph.PPrint] = _pprint


def _pprint(node: Any, run: Any, time: int, frame: Any) -> Callable[[], None]:
    rdd = run.session.to_rdd(frame)
    return lambda: print_batch(rdd, node.num)


def _from_rdd(original: Callable[..., Any], self: Any, rdd: Any) -> Any:
    frame, sort = original(self, rdd), rdds.sort_of(rdd)
    return frame if sort is None else _sorted(frame, replace(sort, through_engine=True))


def _to_rdd(original: Callable[..., Any], self: Any, frame: Any) -> Any:
    rdd = original(self, frame)
    if id(frame) in _frame_sorts:
        rdds.set_sort(rdd, _frame_sorts[id(frame)][1])
    return rdd


def _then(original: Callable[..., Any], self: Any, name: str, argument: Any = None, **how: Any) -> Any:
    from compat._structured.worker.stages import STEPS

    function = STEPS[name]
    return _derived(
        original(self, name, argument, **how), self, lambda _, elements: function(argument, elements)
    )


def _indexed(original: Callable[..., Any], self: Any, function: Callable[..., Any], **how: Any) -> Any:
    return _derived(original(self, function, **how), self, function)


def _persisted(original: Callable[..., Any], self: Any, level: Any) -> Any:
    return _derived(original(self, level), self)


def _derived(frame: Any, parent: Any, *functions: Callable[..., Any]) -> Any:
    if id(parent) not in _frame_sorts:
        return frame
    sort = _frame_sorts[id(parent)][1]
    return _sorted(frame, replace(sort, functions=(*sort.functions, *functions)))


def _sorted(frame: Any, sort: rdds.Sort) -> Any:
    if frame.parts:
        _frame_sorts[id(frame)] = (frame, sort)
    return frame
