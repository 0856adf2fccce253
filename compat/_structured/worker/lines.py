"""Lines of text on their way to the Python workers of an RDD: many at a time, as Arrow record batches.

Spark core hands a worker one text after the other, each of which Python reads by itself. Executors do not
have `compat`: this module is pickled by value with each task (see `frame`), so it imports nothing but
pyarrow, pyspark and `compat.utf8`, and holds no state."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pyspark.serializers import BatchedSerializer, FramedSerializer

from compat import utf8


def texts(data: Any) -> list[str]:
    """The texts of a record batch with one column, serialized as `Dataset.toArrowBatchRdd` does it."""
    columns = pa.schema([pa.field("value", pa.string())])
    return texts_of(pa.ipc.read_record_batch(pa.py_buffer(data), columns).column(0))


def texts_of(column: Any) -> list[str]:
    """The texts of a column. Some may be no UTF-8: Spark's text source does not look at the bytes."""
    try:
        lines: list[str] = column.to_pylist()
    except UnicodeDecodeError:
        return [utf8.decoded(line) for line in column.cast(pa.binary()).to_pylist()]
    return lines


class RecordBatches(FramedSerializer):
    """Reads record batches; nothing is ever written so."""

    def loads(self, obj: Any) -> list[str]:
        """See `texts`."""
        return texts(obj)


def deserializer() -> BatchedSerializer:
    """For RDDs of record batches, whose elements are the texts: one equals another, and no other does."""
    return BatchedSerializer(RecordBatches(), BatchedSerializer.UNKNOWN_BATCH_SIZE)
