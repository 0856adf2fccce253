"""Data sources of Structured Streaming, from Spark 4 on, for what Spark's receivers of DStreams received.

from compat.sources import MqttSource

spark.dataSource.register(MqttSource)
messages = spark.readStream.format("mqtt").options(broker="tcp://host:1883", topic="doors/#").load()
"""

from compat.sources.mqtt import MqttSource

__all__ = ["MqttSource"]
