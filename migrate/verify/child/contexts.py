"""The members of a StreamingContext under the harness; those of `compat.streaming` are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from migrate.verify.child.dstreams import Streams, last_output
from migrate.verify.child.patching import Member, replace_for_programs
from migrate.verify.child.session import Session, Unsupported

Original = Callable[..., Any]


class Contexts:
    """Replaces the members of one class of contexts.

    Args:
        session: the run.
        owner: the class.
        text_stream: makes a stream of a context from a queue of RDDs of text.
        set_clock: gives the manual clock of a context to its `Streams`.
        has_outputs: whether a context has any; without one, starting must fail in spite of the sentinel.
    """

    def __init__(
        self,
        session: Session,
        owner: Any,
        text_stream: Callable[[Any, list[Any]], Any],
        set_clock: Callable[[Streams, Any], None],
        has_outputs: Callable[[Any], bool],
    ) -> None:
        self._session = session
        self._owner = owner
        self._text_stream = text_stream
        self._set_clock = set_clock
        self._has_outputs = has_outputs
        self._streams: dict[int, Streams] = {}
        names = ("start", "stop", "queueStream", "awaitTerminationOrTimeout")
        self._originals = {name: getattr(owner, name) for name in names}

    def take_over(self) -> None:
        """Put the members in their places."""
        members: dict[str, Member] = {
            "__init__": self._init,
            "checkpoint": self._checkpoint,
            "socketTextStream": self._socket,
            "textFileStream": self._files,
            "binaryRecordsStream": self._binary,
            "queueStream": self._queue,
            "start": self._start,
            "awaitTermination": self._wait,
            "awaitTerminationOrTimeout": self._wait_or_timeout,
            "stop": self._stop,
        }
        for name, member in members.items():
            replace_for_programs(self._owner, name, member)
        original, session = self._owner.getOrCreate, self._session

        def get_or_create(checkpointPath: str, setupFunc: Callable[[], Any], **how: Any) -> Any:  # noqa: N803
            return original(session.checkpoint(checkpointPath), setupFunc, **how)

        self._owner.getOrCreate = staticmethod(get_or_create)

    def _init(self, original: Original, context: Any, *args: Any, **kwargs: Any) -> None:
        original(context, *args, **kwargs)
        streams = self._streams[id(context)] = Streams(self._session, context, self._originals)
        self._set_clock(streams, context)

    def _checkpoint(self, original: Original, context: Any, directory: str) -> None:
        original(context, self._session.checkpoint(directory))

    # --- sources --------------------------------------------------------------------------------------------

    def _socket(self, original: Original, context: Any, hostname: str, port: int, *_: Any, **__: Any) -> Any:
        number = self._session.source("socket", f"{hostname}:{port}")
        return self._text_stream(context, self._streams[id(context)].text_queue(number))

    def _files(self, original: Original, context: Any, directory: str) -> Any:
        return original(context, self._streams[id(context)].watch(directory))

    def _binary(self, *_: Any, **__: Any) -> Any:
        raise Unsupported("verify cannot supply the batches of binaryRecordsStream")

    def _queue(
        self,
        original: Original,
        context: Any,
        rdds: Any,
        oneAtATime: bool = True,  # noqa: N803 - Spark's name
        default: Any = None,
    ) -> Any:
        streams = self._streams[id(context)]
        # One batch more than there are RDDs: what an exhausted queue gives counts, too.
        streams.batches = max(streams.batches, (len(rdds) if oneAtATime else 1) + 1)
        return original(context, rdds, oneAtATime, default)

    # --- life -----------------------------------------------------------------------------------------------

    def _start(self, original: Original, context: Any) -> None:
        if self._has_outputs(context):
            sentinel = self._originals["queueStream"](context, [context.sparkContext.emptyRDD()])
            sentinel.foreachRDD(last_output)
        original(context)
        self._streams[id(context)].started()

    def _wait(self, original: Original, context: Any, timeout: float | None = None) -> None:
        self._session.on_wait()
        if timeout is None:
            self._session.end()

    def _wait_or_timeout(self, original: Original, context: Any, timeout: float) -> Any:
        self._session.on_wait()
        return original(context, 0)

    def _stop(
        self,
        original: Original,
        context: Any,
        stopSparkContext: bool = True,  # noqa: N803 - Spark's name
        stopGraceFully: bool = False,  # noqa: N803 - Spark's name
    ) -> None:
        self._session.on_wait()
        # Nothing is pending; a graceful stop would wait for a tick of the clock that never comes.
        original(context, stopSparkContext, False)
