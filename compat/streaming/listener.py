"""The class that listeners derive from: PySpark's, so that both engines can call them."""

from pyspark.streaming.listener import StreamingListener

__all__ = ["StreamingListener"]
