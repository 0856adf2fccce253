"""The one streaming query of a program, whose source is a heartbeat."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from compat.directory import LocalDirectory

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from compat._structured.intake import Intake
    from compat._structured.session import Session
    from compat.directory import Directory

ABANDON_AFTER_SECONDS = 10.0
"""How long `stop` waits for a callback that does not return."""


class Query:
    """A ``foreachBatch`` that is called in every batch interval, with or without data.

    Args:
        session: the engine's.
        intake: the program's streaming DataFrames, which are united with the heartbeat.
        checkpoint: where the query keeps its own checkpoint; None: where Spark pleases.
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
        query = session.for_query(settings_of_program=bool(intake.feeds))
        beats = _heartbeat(query, interval_ms)
        data = intake.united(beats) if intake.feeds else beats
        writer = data.writeStream.trigger(processingTime=f"{trigger_ms} milliseconds")
        if checkpoint is not None:
            writer = writer.option("checkpointLocation", checkpoint.path("query"))
        session.quick_logs(query, checkpoint is None or isinstance(checkpoint, LocalDirectory))
        self._query: Any = writer.foreachBatch(micro_batch).start()

    def wait(self) -> None:
        """Wait for its end; raises what it ended with."""
        self._query.awaitTermination()

    def cancel_jobs(self) -> None:
        """Cancel the jobs of the micro-batch that runs."""
        self._spark_context.cancelJobGroup(self._query.runId)

    def stop(self) -> None:
        """End it."""
        # A callback that does not return would hold up Spark's stop for ever.
        stopping = threading.Thread(target=self._stop, name="stop query", daemon=True)
        stopping.start()
        stopping.join(ABANDON_AFTER_SECONDS)

    def _stop(self) -> None:
        with contextlib.suppress(Exception):
            self._query.stop()


def _heartbeat(spark: SparkSession, interval_ms: int) -> DataFrame:
    return (
        spark.readStream.format("rate-micro-batch")
        .option("rowsPerBatch", 1)
        .option("numPartitions", 1)
        .option("startTimestamp", 0)
        .option("advanceMillisPerBatch", interval_ms)
        .load()
    )
