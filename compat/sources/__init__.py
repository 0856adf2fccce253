"""Data sources of Structured Streaming, from Spark 4 on, for what Spark's receivers of DStreams received.

from compat.sources import MqttSource

spark.dataSource.register(MqttSource)
messages = spark.readStream.format("mqtt").options(broker="tcp://host:1883", topic="doors/#").load()
"""

from typing import TYPE_CHECKING, Any

from compat.sources.mqtt import MqttSource

if TYPE_CHECKING:
    from compat.sources.flume import FlumeSource

__all__ = ["FlumeSource", "MqttSource"]


def __getattr__(name: str) -> Any:
    """`FlumeSource`, which needs avro where it is imported."""
    if name == "FlumeSource":
        from compat.sources.flume import FlumeSource

        return FlumeSource
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
