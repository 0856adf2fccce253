"""`pyspark.streaming` with its names, signatures and results, on the engine that is chosen (see `compat`)."""

from compat.streaming.context import StreamingContext
from compat.streaming.dstream import DStream
from compat.streaming.listener import StreamingListener

__all__ = ["DStream", "StreamingContext", "StreamingListener"]
