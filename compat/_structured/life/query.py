"""The one streaming query of a program, whose source is a heartbeat."""

from __future__ import annotations

import contextlib
import logging
import shutil
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compat._structured.life.running import InterruptedBatchError
from compat.directory import LocalDirectory

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from compat._structured.inputs.intake import Intake
    from compat._structured.life.session import Session
    from compat.directory import Directory

ABANDON_AFTER_SECONDS = 10.0
"""How long `stop` waits for a callback that does not return."""


class Query:
    """A ``foreachBatch`` that is called in every batch interval, with or without data.

    Args:
        session: the engine's.
        intake: the program's streaming DataFrames, which are united with the heartbeat.
        checkpoint: where the query keeps its own checkpoint, if it has more than the heartbeat.
        interval_ms: the batch interval.
        trigger_ms: how far apart micro-batches are; 0: one follows the other.
        micro_batch: the function for ``foreachBatch``.
    """

    def __init__(
        self,
        session: Session,
        intake: Intake,
        checkpoint: Directory | None,
        interval_ms: int,
        trigger_ms: int,
        micro_batch: Callable[[DataFrame, int], None],
    ) -> None:
        self._spark_context = session.spark_context
        self._micro_batch = micro_batch
        self._temporary: Path | None = None
        query = session.for_query(settings_of_program=bool(intake.feeds))
        beats = _heartbeat(query, interval_ms)
        data = intake.united(beats) if intake.feeds else beats
        writer = data.writeStream.trigger(processingTime=f"{trigger_ms} milliseconds")
        if checkpoint is None or not intake.feeds:
            # A heartbeat needs not go on where it was.
            self._temporary = _temporary(session)
            checkpoint = LocalDirectory(self._temporary.as_uri(), self._temporary)
        writer = writer.option("checkpointLocation", checkpoint.path("query"))
        session.quick_logs(query, isinstance(checkpoint, LocalDirectory))
        self._query: Any = None
        self._query = writer.foreachBatch(self._called).start()

    def _called(self, data: DataFrame, batch_id: int) -> None:
        try:
            self._micro_batch(data, batch_id)
        except InterruptedBatchError:
            if self._query is None:
                raise
            # Ends in an InterruptedException, by which Spark knows that the query was stopped.
            self._query.stop()
            raise

    def wait(self) -> None:
        """Wait for the end of the query; raises the error that it ended with."""
        try:
            self._query.awaitTermination()
        finally:
            if self._temporary is not None:
                shutil.rmtree(self._temporary, ignore_errors=True)

    def cancel_jobs(self) -> None:
        """Cancel the jobs of the micro-batch that runs."""
        self._spark_context.cancelJobGroup(self._query.runId)

    def stop(self) -> None:
        """End the query."""
        # A callback that does not return would hold up Spark's stop for ever.
        stopping = threading.Thread(target=self._stop, name="stop query", daemon=True)
        stopping.start()
        stopping.join(ABANDON_AFTER_SECONDS)

    def _stop(self) -> None:
        with contextlib.suppress(Exception):
            self._query.stop()


def _temporary(session: Session) -> Path:
    """A directory that the JVM removes when it ends, also where the driver was killed: it ends after that."""
    jvm: Any = session.spark_context._jvm
    made = jvm.org.apache.spark.util.Utils.createTempDir(tempfile.gettempdir(), "compat-query")
    return Path(made.getPath())


def _no_stop(record: logging.LogRecord) -> bool:
    """Whether py4j tells of an exception that is not the end of a run which was stopped."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error and error.__context__, InterruptedBatchError)


logging.getLogger("py4j.clientserver").addFilter(_no_stop)


def _heartbeat(spark: SparkSession, interval_ms: int) -> DataFrame:
    return (
        spark.readStream.format("rate-micro-batch")
        .option("rowsPerBatch", 1)
        .option("numPartitions", 1)
        .option("startTimestamp", 0)
        .option("advanceMillisPerBatch", interval_ms)
        .load()
    )
