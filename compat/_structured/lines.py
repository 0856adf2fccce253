"""Lines of text on their way to the Python workers of an RDD: many at a time, as Arrow record batches.

Spark core hands a worker one text after the other, each of which Python reads by itself. Executors do not
have `compat`: this module is pickled by value with each task (see `frame`), so it imports nothing but pyarrow
and pyspark, and holds no state."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pyspark.serializers import BatchedSerializer, FramedSerializer


def texts(data: Any) -> list[str]:
    """The texts of a record batch with one column, serialized as `Dataset.toArrowBatchRdd` does it."""
    columns = pa.schema([pa.field("value", pa.string())])
    lines: list[str] = pa.ipc.read_record_batch(pa.py_buffer(data), columns).column(0).to_pylist()
    return lines


class RecordBatches(FramedSerializer):
    """Reads record batches; nothing is ever written so."""

    def loads(self, obj: Any) -> list[str]:
        """See `texts`."""
        return texts(obj)


def deserializer() -> BatchedSerializer:
    """For RDDs of record batches, whose elements are the texts: one equals another, and no other does."""
    return BatchedSerializer(RecordBatches(), BatchedSerializer.UNKNOWN_BATCH_SIZE)
