"""RDDs whose elements are pickled in lists, which is what PySpark takes most of them for."""

from __future__ import annotations

from typing import Any

from pyspark.rdd import RDD
from pyspark.serializers import (
    AutoBatchedSerializer,
    BatchedSerializer,
    CloudPickleSerializer,
    CPickleSerializer,
    PickleSerializer,
)


def pickled(rdd: RDD[Any]) -> RDD[Any]:
    """The RDD where it is one, else one of the same elements: of lines of text, or of what `zip` gives."""
    serializer = rdd._jrdd_deserializer
    batched = type(serializer) in (BatchedSerializer, AutoBatchedSerializer)
    if batched and isinstance(serializer.serializer, (PickleSerializer, CloudPickleSerializer)):
        return rdd
    return rdd._reserialize(AutoBatchedSerializer(CPickleSerializer()))
