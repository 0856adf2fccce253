"""Native programs: streaming queries, whose sources become directories that the harness fills.

A socket becomes a directory of text files, one per batch, with the empty batch first that the real source
starts with; a watched directory stays one. An interval without data brings a socket no micro-batch.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark.sql.streaming.query import StreamingQuery, StreamingQueryManager
from pyspark.sql.streaming.readwriter import DataStreamReader, DataStreamWriter

from migrate.verify.child import frames
from migrate.verify.child.dstreams import put_file
from migrate.verify.child.patching import replace_for_programs
from migrate.verify.child.session import Session, Unsupported, wait_until

_FILE_FORMATS = ("text", "csv", "json", "parquet", "orc", "xml")
_FORMAT, _OPTIONS = "_verify_format", "_verify_options"


class Queries:
    """The streaming queries of a native program. See `session.Engine`."""

    batches = 0

    def __init__(self, session: Session) -> None:
        self._session = session
        self._queries: list[Any] = []
        self._directories: list[tuple[int, Path, bool]] = []
        self._start = time.time()
        self._open = threading.Event()
        self._turn = threading.Lock()
        self.runs: dict[int, int] = {}
        """Micro-batches so far by the number of the batch function."""

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

    def batch_function(self, function: Callable[[Any, int], None]) -> Callable[[Any, int], None]:
        """`function`, with what it prints attributed to its micro-batch; it waits for the first batch."""
        number = len(self.runs)
        self.runs[number] = 0

        def run(frame: Any, batch_id: int) -> None:
            self._open.wait()
            with self._turn:
                begin = self._session.recorder.position()
                self.runs[number] += 1
                try:
                    function(frame, batch_id)
                finally:
                    self._session.recorder.ran(number, begin)

        return run

    def started(self, query: Any) -> None:
        """A query runs; from now on batches can be fed."""
        self._queries.append(query)
        self._session.engine = self

    # --- running --------------------------------------------------------------------------------------------

    def clock(self, index: int) -> float:
        """Now: native code knows no batch time."""
        return time.time()

    def feed(self, index: int, lines: list[str]) -> None:
        """Put a file into each directory and wait until every query has taken it."""
        self._session.recorder.event("native", index=index)
        before = dict(self.runs)
        fed = False
        for number, directory, is_socket in self._directories:
            content = self._session.lines_for(number, index)
            if content or (index == 0) == is_socket:
                put_file(directory, index, content, None)
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
        for query in self._queries:
            if query.isActive:
                _stop(query)
        self._raise_failure()


_process_all = StreamingQuery.processAllAvailable
_stop = StreamingQuery.stop


def drive_queries(session: Session) -> None:
    """Take over the readers, writers and queries of Structured Streaming."""
    queries = Queries(session)
    _take_over_readers(queries)
    _take_over_writers(session, queries)
    _take_over_waits(session)


def _note_options(owner: Any, change: Callable[[str, Any], Any]) -> None:
    """Keep a reader's or writer's format and options where `load` and `start` can see them."""

    def note_format(original: Callable[..., Any]) -> Callable[..., Any]:
        def format(self: Any, source: str) -> Any:
            setattr(self, _FORMAT, source)
            return original(self, source)

        return format

    def note_option(original: Callable[..., Any]) -> Callable[..., Any]:
        def option(self: Any, key: str, value: Any) -> Any:
            value = change(key, value)
            self.__dict__.setdefault(_OPTIONS, {})[key.lower()] = value
            return original(self, key, value)

        return option

    def note_options(original: Callable[..., Any]) -> Callable[..., Any]:
        def options(self: Any, **values: Any) -> Any:
            values = {key: change(key, value) for key, value in values.items()}
            self.__dict__.setdefault(_OPTIONS, {}).update((key.lower(), v) for key, v in values.items())
            return original(self, **values)

        return options

    replace_for_programs(owner, "format", note_format)
    replace_for_programs(owner, "option", note_option)
    replace_for_programs(owner, "options", note_options)


def _take_over_readers(queries: Queries) -> None:
    plain_format, plain_option = DataStreamReader.format, DataStreamReader.option

    def load(original: Callable[..., Any]) -> Callable[..., Any]:
        def load(
            self: Any, path: str | None = None, format: str | None = None, *args: Any, **kwargs: Any
        ) -> Any:
            name = format or getattr(self, _FORMAT, "parquet")
            options = {**getattr(self, _OPTIONS, {}), **{key.lower(): v for key, v in kwargs.items()}}
            if name == "socket":
                directory = queries.watch("socket", f"{options.get('host')}:{options.get('port')}")
                reader = plain_option(plain_format(self._spark.readStream, "text"), "maxFilesPerTrigger", 1)
                return _with_timestamp(original(reader, str(directory)), options)
            if name not in _FILE_FORMATS:
                raise Unsupported(f"verify cannot supply the source {name!r}")
            watched = queries.watch("files in", str(path or options.get("path")))
            return original(self, str(watched), format, *args, **kwargs)

        return load

    def files(original: Callable[..., Any]) -> Callable[..., Any]:
        def read(self: Any, path: str, *args: Any, **kwargs: Any) -> Any:
            return original(self, str(queries.watch("files in", path)), *args, **kwargs)

        return read

    def table(original: Callable[..., Any]) -> Callable[..., Any]:
        def table(self: Any, tableName: str) -> Any:  # noqa: N803 - Spark's name
            raise Unsupported(f"verify cannot supply the streaming table {tableName!r}")

        return table

    _note_options(DataStreamReader, lambda key, value: value)
    replace_for_programs(DataStreamReader, "load", load)
    replace_for_programs(DataStreamReader, "table", table)
    for name in _FILE_FORMATS:
        if hasattr(DataStreamReader, name):
            replace_for_programs(DataStreamReader, name, files)


def _with_timestamp(frame: Any, options: dict[str, Any]) -> Any:
    if str(options.get("includetimestamp", "false")).lower() != "true":
        return frame
    from pyspark.sql import functions

    return frame.withColumn("timestamp", functions.current_timestamp())


def _take_over_writers(session: Session, queries: Queries) -> None:
    plain_each = DataStreamWriter.foreachBatch

    def target(key: str, value: Any) -> Any:
        if key.lower() == "checkpointlocation":
            return session.checkpoint(str(value))
        if key.lower() == "path":
            session.check_target(str(value))
        return value

    def foreach_batch(original: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, func: original(self, queries.batch_function(func))

    def trigger(original: Callable[..., Any]) -> Callable[..., Any]:
        # Batches come when the harness feeds them, and are taken at once.
        return lambda self, **_: original(self, processingTime="0 seconds")

    def start(original: Callable[..., Any]) -> Callable[..., Any]:
        def start(
            self: Any, path: str | None = None, format: str | None = None, *args: Any, **kwargs: Any
        ) -> Any:
            if path is not None:
                session.check_target(path)
            if "checkpointLocation" in kwargs:
                kwargs["checkpointLocation"] = session.checkpoint(kwargs["checkpointLocation"])
            _own_checkpoints(session, self._spark)
            if (format or getattr(self, _FORMAT, None)) == "console":
                show = _console(session, getattr(self, _OPTIONS, {}))
                query = original(plain_each(self, queries.batch_function(show)), path, None, *args, **kwargs)
            else:
                query = original(self, path, format, *args, **kwargs)
            queries.started(query)
            return query

        return start

    def to_table(original: Callable[..., Any]) -> Callable[..., Any]:
        def to_table(self: Any, *args: Any, **kwargs: Any) -> Any:
            query = original(self, *args, **kwargs)
            queries.started(query)
            return query

        return to_table

    _note_options(DataStreamWriter, target)
    replace_for_programs(DataStreamWriter, "foreachBatch", foreach_batch)
    replace_for_programs(DataStreamWriter, "trigger", trigger)
    replace_for_programs(DataStreamWriter, "start", start)
    replace_for_programs(DataStreamWriter, "toTable", to_table)


def _own_checkpoints(session: Session, spark: Any) -> None:
    key = "spark.sql.streaming.checkpointLocation"
    configured = spark.conf.get(key, None)
    if configured and not configured.startswith(session.spec.private):
        spark.conf.set(key, session.checkpoint(configured))


def _console(session: Session, options: dict[str, Any]) -> Callable[[Any, int], None]:
    truncate = str(options.get("truncate", "true")).lower()
    number = int(truncate) if truncate.isdigit() else (20 if truncate == "true" else 0)

    def show(frame: Any, batch_id: int) -> None:
        frames.show(session, frame, int(options.get("numrows", 20)), number)

    return show


def _take_over_waits(session: Session) -> None:
    def wait(original: Callable[..., Any]) -> Callable[..., Any]:
        def wait(self: Any, timeout: int | None = None) -> Any:
            session.on_wait()
            if timeout is not None:
                return original(self, 1)
            session.end()
            return None

        return wait

    def stop(original: Callable[..., Any]) -> Callable[..., Any]:
        def stop(self: Any) -> None:
            session.on_wait()
            original(self)

        return stop

    def process(original: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self: session.on_wait()

    replace_for_programs(StreamingQuery, "awaitTermination", wait)
    replace_for_programs(StreamingQuery, "stop", stop)
    replace_for_programs(StreamingQuery, "processAllAvailable", process)
    replace_for_programs(StreamingQueryManager, "awaitAnyTermination", wait)
