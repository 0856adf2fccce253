"""Streaming writers of native programs: triggers, checkpoints, and what the batch functions print."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.sql.streaming.readwriter import DataStreamWriter

from migrate.verify.child import frames
from migrate.verify.child.clock import seconds_of
from migrate.verify.child.options import format_of, keep_options, options_of
from migrate.verify.child.patching import Member, replace_for_programs
from migrate.verify.child.queries import Queries
from migrate.verify.child.session import Session, Unsupported
from migrate.verify.child.shown_parts import keep_whole_frames, whole_frame

Original = Callable[..., Any]
_CHECKPOINTS = "spark.sql.streaming.checkpointLocation"
_MODE = "_verify_mode"
_plain_each = DataStreamWriter.foreachBatch
_plain_option = DataStreamWriter.option


class Writers:
    """Replaces the members of `DataStreamWriter`."""

    def __init__(self, session: Session, queries: Queries) -> None:
        self._session = session
        self._queries = queries

    def take_over(self) -> None:
        """Put the members in their places."""
        keep_options(DataStreamWriter, self._option)
        keep_whole_frames()
        members: dict[str, Member] = {
            "foreachBatch": self._each,
            "foreach": self._foreach,
            "outputMode": self._output_mode,
            "trigger": self._trigger,
            "start": self._start,
            "toTable": self._to_table,
        }
        for name, member in members.items():
            replace_for_programs(DataStreamWriter, name, member)

    def _option(self, key: str, value: Any) -> Any:
        if key == "checkpointlocation":
            return self._session.checkpoint(str(value))
        if key == "path":
            self._session.check_target(str(value))
        return value

    def _each(self, original: Original, writer: Any, func: Callable[[Any, int], None]) -> Any:
        self._session.clock.tell(func)
        return original(writer, self._queries.batch_function(func))

    def _foreach(self, original: Original, writer: Any, f: Any) -> Any:
        """A sink that calls a function for each row; a batch function does where batches are told apart."""
        if not (self._queries.reads_kafka and callable(f)):
            return original(writer, f)
        return self._each(_plain_each, writer, lambda frame, batch_id: frame.foreach(f))

    def _output_mode(self, original: Original, writer: Any, outputMode: str) -> Any:  # noqa: N803
        setattr(writer, _MODE, outputMode)
        return original(writer, outputMode)

    def _trigger(self, original: Original, writer: Any, **given: Any) -> Any:
        self._session.clock.interval = seconds_of(given.get("processingTime"))
        # Batches come when the harness feeds them, and are taken at once.
        return original(writer, processingTime="0 seconds")

    def _start(
        self,
        original: Original,
        writer: Any,
        path: str | None = None,
        format: str | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        if path is not None:
            self._session.check_target(path)
        kwargs = {key: self._option(key.lower(), value) for key, value in kwargs.items()}
        self._own_checkpoints(writer._spark)
        if self._queries.reads_kafka and not self._queries.runs and format_of(writer, format) != "console":
            raise Unsupported("verify cannot tell the batches of a query on Kafka without foreachBatch")
        self._queries.prime()
        if format_of(writer, format) == "console":
            frame, part = whole_frame(writer._df)
            show = self._queries.batch_function(self._console(options_of(writer, kwargs), part))
            query = original(_plain_each(_writer_of(frame, writer), show), path, None, *args, **kwargs)
        else:
            query = original(writer, path, format, *args, **kwargs)
        self._queries.started(query)
        return query

    def _to_table(self, original: Original, writer: Any, *args: Any, **kwargs: Any) -> Any:
        self._own_checkpoints(writer._spark)
        query = original(writer, *args, **{key: self._option(key.lower(), v) for key, v in kwargs.items()})
        self._queries.started(query)
        return query

    def _own_checkpoints(self, spark: Any) -> None:
        configured = spark.conf.get(_CHECKPOINTS, None)
        if configured and not configured.startswith(self._session.spec.private):
            spark.conf.set(_CHECKPOINTS, self._session.checkpoint(configured))

    def _console(self, options: dict[str, Any], part: Callable[[Any], Any]) -> Callable[[Any, int], None]:
        """The console sink as a batch function, so that its rows are noted.

        Args:
            options: those of the writer.
            part: what is shown of a batch: its first rows, or all of it.
        """
        truncate = str(options.get("truncate", "true")).lower()
        number = int(truncate) if truncate.isdigit() else (20 if truncate == "true" else 0)
        session, rows = self._session, int(options.get("numrows", 20))
        return lambda frame, batch_id: frames.show(session, part(frame), rows, number)


def _writer_of(frame: Any, writer: Any) -> Any:
    """A writer of another DataFrame, in the mode and with the options of one."""
    if frame is writer._df:
        return writer
    made = frame.writeStream.trigger(processingTime="0 seconds")
    if hasattr(writer, _MODE):
        made = made.outputMode(getattr(writer, _MODE))
    for key, value in options_of(writer).items():
        made = _plain_option(made, key, value)
    return made
