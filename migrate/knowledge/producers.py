"""Clients that send messages to Kafka, and the options of Spark's sink that their settings become."""

from __future__ import annotations

CLIENTS = frozenset({"confluent_kafka", "kafka", "pykafka"})
"""The packages of such clients."""
KAFKA_PYTHON = frozenset({"kafka.KafkaProducer", "kafka.producer.KafkaProducer"})
CONFLUENT = frozenset({"confluent_kafka.Producer"})
WITH_HOSTS = frozenset(
    {"pykafka.KafkaClient", "pykafka.client.KafkaClient", "kafka.KafkaClient", "kafka.SimpleClient"}
    | {"kafka.client.KafkaClient", "kafka.client.SimpleClient"}
)
"""Classes whose first parameter is ``hosts``, the brokers: that of pykafka, and kafka-python's first ones."""
SENDS = {"send": KAFKA_PYTHON, "produce": CONFLUENT}
"""The methods that send a message, with the classes that have them."""
WAITS = frozenset({"flush", "poll", "close"})
"""Methods of a producer that see to it that messages are sent, as the sink does."""
PARAMETERS = ("topic", "value", "key")
"""The first parameters of these methods; of the others a message has none of its own in a DataFrame."""
SERVERS = frozenset({"bootstrap_servers", "bootstrap.servers", "metadata.broker.list"})
SERIALIZERS = {"value_serializer": "value", "key_serializer": "key"}
WITHOUT_EFFECT = frozenset({"client_id", "client.id", "api_version", "retries"})
"""Settings that no message shows."""
AS_OPTIONS = {
    "acks": "acks",
    "compression_type": "compression.type",
    "linger_ms": "linger.ms",
    "batch_size": "batch.size",
    "max_request_size": "max.request.size",
    "security_protocol": "security.protocol",
    "sasl_mechanism": "sasl.mechanism",
}
"""Settings of kafka-python with those of Kafka's own producer; confluent_kafka names them as that does."""
