"""The class that listeners derive from; `StreamingContext.addStreamingListener` says what works instead."""

from pyspark.streaming.listener import StreamingListener

__all__ = ["StreamingListener"]
