"""A query on a data source, and what its batches had."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery

from tests.statements import wait_until


class Seen:
    """A query, and the rows of its batches."""

    def __init__(self, stream: DataFrame, checkpoint: Path | None = None, fail_on: Any = None) -> None:
        self.batches: list[list[tuple[Any, ...]]] = []
        self._fail_on = fail_on
        writer = stream.writeStream.trigger(processingTime="100 milliseconds").foreachBatch(self._see)
        if checkpoint is not None:
            writer = writer.option("checkpointLocation", str(checkpoint))
        self.query: StreamingQuery = writer.start()

    def _see(self, batch: DataFrame, batch_id: int) -> None:
        rows = [tuple(row) for row in batch.collect()]
        if self._fail_on is not None and any(self._fail_on in row for row in rows):
            raise ValueError("a row for which the batch fails")
        self.batches.append(rows)

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        return [row for batch in self.batches for row in batch]

    def wait_for(self, count: int) -> list[tuple[Any, ...]]:
        def came() -> bool:
            if (failure := self.query.exception()) is not None:
                raise failure
            return len(self.rows) >= count

        wait_until(came, f"{count} rows")
        return self.rows
