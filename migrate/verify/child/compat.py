"""Programs on `compat.streaming`: taken over when they import it, on whichever engine they run."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

from migrate.verify.child import dstreams, rdds
from migrate.verify.child.patching import replace as put_in_place
from migrate.verify.child.session import Session

_MODULE = "compat.streaming"
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
        if name != _MODULE:
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
        if hasattr(module, "StreamingContext"):
            drive_compat(self._session, module)


def drive_compat(session: Session, module: Any) -> None:
    """Take over the module `compat.streaming`."""

    def text_stream(context: Any, queue: list[Any]) -> Any:
        return context.queueStream(queue, True, context.sparkContext.emptyRDD())

    def set_clock(streams: dstreams.Streams, context: Any) -> None:
        streams.set_clock(context._engine.advance_clock, context._interval_ms / 1000)

    def save(original: Callable[..., Any]) -> Callable[..., Any]:
        def saveAsTextFiles(self: Any, prefix: str, suffix: str | None = None) -> None:  # noqa: N802
            session.check_target(prefix)  # the engine writes within the JVM
            original(self, prefix, suffix)

        return saveAsTextFiles

    dstreams.take_over(session, module.StreamingContext, text_stream, set_clock)
    put_in_place(module.DStream, "saveAsTextFiles", save)
    _structured_engine()


def _structured_engine() -> None:
    """Sorts must survive the way through the engine's frames, and `pprint` is noted, not printed."""
    from compat import graph
    from compat._structured import engine  # noqa: F401 - it registers the outputs
    from compat._structured.frame import Frame
    from compat._structured.registry import OUTPUTS
    from compat._structured.session import Session as EngineSession
    from compat._structured.worker import STEPS

    def step(name: str, argument: Any) -> Callable[[int, Any], Any]:
        function = STEPS[name]
        return lambda split, elements: function(argument, elements)

    def from_rdd(original: Callable[..., Any]) -> Callable[..., Any]:
        def from_rdd(self: Any, rdd: Any) -> Any:
            frame = original(self, rdd)
            sort = rdds.sort_of(rdd)
            return frame if sort is None else _sorted(frame, replace(sort, through_engine=True))

        return from_rdd

    def to_rdd(original: Callable[..., Any]) -> Callable[..., Any]:
        def to_rdd(self: Any, frame: Any) -> Any:
            rdd = original(self, frame)
            if id(frame) in _frame_sorts:
                rdds.set_sort(rdd, _frame_sorts[id(frame)][1])
            return rdd

        return to_rdd

    def derived(function_of: Callable[..., Any]) -> Callable[..., Any]:
        def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
            def derive(self: Any, *args: Any, **kwargs: Any) -> Any:
                frame = original(self, *args, **kwargs)
                if id(self) not in _frame_sorts:
                    return frame
                sort = _frame_sorts[id(self)][1]
                return _sorted(frame, replace(sort, functions=(*sort.functions, *function_of(*args))))

            return derive

        return wrap

    def pprint(node: Any, run: Any, time: int, frame: Any) -> Callable[[], None]:
        rdd = run.session.to_rdd(frame)
        return lambda: dstreams.print_batch(rdd, node.num)

    put_in_place(EngineSession, "from_rdd", from_rdd)
    put_in_place(EngineSession, "to_rdd", to_rdd)
    put_in_place(Frame, "then", derived(lambda name, argument=None: (step(name, argument),)))
    put_in_place(Frame, "indexed", derived(lambda function: (function,)))
    put_in_place(Frame, "persisted", derived(lambda level: ()))
    OUTPUTS[graph.PPrint] = pprint


def _sorted(frame: Any, sort: rdds.Sort) -> Any:
    if frame.parts:
        _frame_sorts[id(frame)] = (frame, sort)
    return frame
