"""Native programs: streaming queries, whose sources become directories that the harness fills.

A socket becomes a directory of text files, one per batch, with the empty batch first that the real source
starts with; a watched directory stays one. An interval without data brings a socket no micro-batch; a source
that only wakes the query brings one in every interval, and beside other sources the one that it starts with.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark.sql.streaming.query import StreamingQuery, StreamingQueryManager

from migrate.verify.child.cadence import batches_in
from migrate.verify.child.dstreams import put_file
from migrate.verify.child.patching import replace_for_programs
from migrate.verify.child.session import Session, wait_until
from migrate.verify.child.topics import Gate

_process_all = StreamingQuery.processAllAvailable
_stop = StreamingQuery.stop
_status = StreamingQuery.__dict__["status"].fget


class Queries:
    """The streaming queries of a native program. See `session.Engine`."""

    batches = 0

    def __init__(self, session: Session) -> None:
        self._session = session
        self._queries: list[Any] = []
        self._directories: list[tuple[int, Path, bool]] = []
        self._ticks: Path | None = None
        self._start = time.time()
        self._open = threading.Event()
        self._turn = threading.Lock()
        self.runs: dict[int, int] = {}
        """Micro-batches so far by the number of the batch function."""
        self.reads_kafka = False
        self._gate = Gate()
        self._done: dict[int, int] = {}
        """Micro-batches whose batch function has ended."""
        self._primed: int | None = None
        self._batches_in: int | None = None
        """How many batches a micro-batch has the rows of; None until a query is started."""

    # --- building -------------------------------------------------------------------------------------------

    def watch(self, kind: str, address: str) -> Path:
        """The directory that feeds a source."""
        number = self._session.source(kind, address)
        is_socket = kind == "socket"
        path = (
            Path(self._session.spec.private, "sockets", str(number))
            if is_socket
            else self._session.watched(address)
        )
        path.mkdir(parents=True, exist_ok=True)
        if (number, path, is_socket) not in self._directories:
            self._directories.append((number, path, is_socket))
        return path

    def ticks(self) -> Path:
        """The directory that feeds a source which has a row for each interval and no input of its own."""
        if self._ticks is None:
            self._ticks = Path(self._session.spec.private, "ticks")
            self._ticks.mkdir(parents=True)
        return self._ticks

    def batch_function(self, function: Callable[[Any, int], None]) -> Callable[[Any, int], None]:
        """`function`, with what it prints attributed to its micro-batch; it waits for the first batch."""
        number = len(self.runs)
        self.runs[number] = self._done[number] = 0

        def run(frame: Any, batch_id: int) -> None:
            self._open.wait()
            with self._turn:
                begin = self._session.recorder.position()
                self.runs[number] += 1
                try:
                    function(frame, batch_id)
                finally:
                    self._session.recorder.ran(number, begin)
                    self._done[number] += 1
            if self._is_held:
                self._gate.wait(self._done[number])

        return run

    @property
    def _beats(self) -> bool:
        """Whether a source beside others wakes the query in each interval."""
        return self._ticks is not None and (bool(self._directories) or self.reads_kafka)

    @property
    def _is_held(self) -> bool:
        """Whether queries wait until all of a batch is there, which has several parts."""
        return self.reads_kafka or self._beats or len(self._directories) > 1

    def prime(self) -> None:
        """Supply the first batch before a query that is held afterwards looks for it.

        One that is woken in each interval has a micro-batch without input before that.
        """
        if self._batches_in is None:
            self._batches_in = batches_in(self._session.clock.interval, self._session.spec)
        if not self._is_held or self._primed is not None:
            return
        self._primed = -1
        if self._beats:
            self._tick(0)
            self._gate.fed()
            return
        ends = filter(self._ends, range(len(self._session.spec.batches)))
        first = next(filter(self._brings, ends), None)
        if first is not None:
            self._primed = first
            self._supply(first)

    def started(self, query: Any) -> None:
        """A query runs; from now on batches can be fed."""
        self._queries.append(query)
        self._session.engine = self

    def let_go(self) -> None:
        """Hold no query any more."""
        self._gate.open()

    # --- running --------------------------------------------------------------------------------------------

    def _ends(self, index: int) -> bool:
        """Whether a micro-batch ends with a batch."""
        return (index + 1) % (self._batches_in or 1) == 0

    def _of(self, index: int) -> range:
        """The batches whose rows the micro-batch has that ends with one."""
        return range(index + 1 - (self._batches_in or 1), index + 1)

    def clock(self, index: int) -> float:
        """The batch begins: native code has no other batch time than what it makes of this moment."""
        clock = self._session.clock
        return clock.begin_batch() if self._ends(index) else clock.now()

    def begin(self) -> None:
        """Let the micro-batch go by that a query which is woken in each interval starts with.

        It has an interval of its own, and the first batch the next one.
        """
        if self._beats:
            self._session.clock.begin_batch()
            self._open.set()
            self._wait_for(dict.fromkeys(self._done, 0))

    def feed(self, index: int, lines: list[str]) -> None:
        """Put a file into each directory and wait until every query has taken it."""
        self._session.recorder.event("native", index=index)
        if not self._ends(index):
            return
        if self._is_held:
            self._feed_held(index)
            return
        before = dict(self.runs)
        fed = self._put(index)
        if self._ticks is not None:
            self._tick(index)
            fed = True
        self._open.set()
        self._settle()
        if fed:
            wait_until(
                lambda: self.is_over() or all(self.runs[number] > before[number] for number in before),
                self._session.spec.timeout,
                "a micro-batch",
            )
            self._settle()

    def _put(self, index: int) -> bool:
        """Put what a micro-batch has into the directories; whether there was something to put."""
        fed = False
        for number, directory, is_socket in self._directories:
            content = [line for one in self._of(index) for line in self._session.lines_for(number, one)]
            if content or (0 in self._of(index)) == is_socket:
                put_file(directory, index, content, None)
                fed = True
        return fed

    def _tick(self, index: int) -> None:
        assert self._ticks is not None
        put_file(self._ticks, index, ["tick"], None)

    def _brings(self, index: int) -> bool:
        """Whether a batch brings a micro-batch: by input, a tick, or as the one that sockets start with."""
        starts = 0 in self._of(index) and any(is_socket for _, _, is_socket in self._directories)
        return self._beats or starts or bool(self._with_rows(index))

    def _with_rows(self, index: int) -> list[int]:
        """The batches of a micro-batch that have rows."""
        batches = self._session.spec.batches
        return [one for one in self._of(index) if one < len(batches) and batches[one]]

    def _supply(self, index: int) -> None:
        """Put all parts of a batch where the queries find them."""
        for one in self._with_rows(index) if self.reads_kafka else ():
            assert self._session.topics is not None
            self._session.topics.feed(one)
        self._put(index)
        if self._beats:
            self._tick(index + 1)
        self._gate.fed()

    def _feed_held(self, index: int) -> None:
        """Input for a micro-batch, which ends with it: queries wait at the gate until all is there."""
        before = dict(self._done)
        self._open.set()
        if not self._brings(index):
            return
        if index != self._primed:
            self._supply(index)
        self._wait_for(before)

    def _wait_for(self, before: dict[int, int]) -> None:
        """Wait until each query is done with one more micro-batch."""
        wait_until(
            lambda: self.is_over() or all(self._done[number] > before[number] for number in before),
            self._session.spec.timeout,
            "a micro-batch",
        )

    def _settle(self) -> None:
        errors: list[BaseException] = []

        def settle() -> None:
            try:
                for query in self._queries:
                    if query.isActive:
                        _process_all(query)
            except BaseException as error:
                errors.append(error)

        worker = threading.Thread(target=settle, daemon=True)
        worker.start()
        worker.join(self._session.spec.timeout)
        if worker.is_alive():
            raise TimeoutError(f"a micro-batch took more than {self._session.spec.timeout:g} s")
        self._raise_failure()
        if errors:
            raise errors[0]

    def _raise_failure(self) -> None:
        for query in self._queries:
            error = query.exception()
            if error is not None:
                raise error

    def is_over(self) -> bool:
        """Whether the program stopped all its queries."""
        self._raise_failure()
        return not any(query.isActive for query in self._queries)

    def close(self) -> None:
        """Stop what runs."""
        self.let_go()
        for query in self._queries:
            if query.isActive:
                _stop(query)
        self._raise_failure()


def drive_queries(session: Session) -> None:
    """Take over the readers, writers and queries of Structured Streaming."""
    from migrate.verify.child.readers import Readers
    from migrate.verify.child.writers import Writers

    queries = Queries(session)
    Readers(queries, session.topics).take_over()
    Writers(session, queries).take_over()

    def wait(original: Callable[..., Any], self: Any, timeout: int | None = None) -> Any:
        session.on_wait()
        if timeout is not None:
            return original(self, 1)
        session.end()
        return None

    def stop(original: Callable[..., Any], self: Any) -> None:
        session.on_wait()
        queries.let_go()
        original(self)

    def process_all(original: Callable[..., Any], self: Any) -> None:
        session.on_wait()

    def status(self: Any) -> Any:
        if session.is_over and not session.driving:  # a program stops gracefully
            queries.let_go()
            limit = session.spec.timeout
            wait_until(lambda: not _status(self)["isTriggerActive"], limit, "the last micro-batch")
        return _status(self)

    setattr(StreamingQuery, "status", property(status))  # noqa: B010 - mypy knows of no other property
    replace_for_programs(StreamingQuery, "awaitTermination", wait)
    replace_for_programs(StreamingQuery, "stop", stop)
    replace_for_programs(StreamingQuery, "processAllAvailable", process_all)
    replace_for_programs(StreamingQueryManager, "awaitAnyTermination", wait)
