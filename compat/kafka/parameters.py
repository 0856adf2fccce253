"""The `kafkaParams` of the Kafka 0.8 API as settings of today's consumer.

The old names are those of Kafka 0.8's ``ConsumerConfig``, the new ones those of
https://kafka.apache.org/documentation/#consumerconfigs. What is neither is passed on as it is, so that every
setting of today's consumer, security among them, can be given."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark import SparkContext

BOOTSTRAP = "bootstrap.servers"
_OFFSET_RESET = "auto.offset.reset"
_AUTO_COMMIT = ("auto.commit.enable", "enable.auto.commit")

RENAMED = {
    "metadata.broker.list": BOOTSTRAP,
    "fetch.message.max.bytes": "max.partition.fetch.bytes",
    "fetch.wait.max.ms": "fetch.max.wait.ms",
    "socket.receive.buffer.bytes": "receive.buffer.bytes",
    "socket.timeout.ms": "request.timeout.ms",
    "refresh.leader.backoff.ms": "retry.backoff.ms",
}
WITHOUT_MEANING = {
    "auto.commit.interval.ms",
    "consumer.id",
    "consumer.timeout.ms",
    "dual.commit.enabled",
    "exclude.internal.topics",
    "num.consumer.fetchers",
    "offsets.channel.backoff.ms",
    "offsets.channel.socket.timeout.ms",
    "offsets.commit.max.retries",
    "offsets.storage",
    "partition.assignment.strategy",
    "queued.max.message.chunks",
    "rebalance.backoff.ms",
    "rebalance.max.retries",
    "serializer.class",
    "key.serializer.class",
    "key.deserializer",
    "value.deserializer",
    "zookeeper.connect",
    "zookeeper.connection.timeout.ms",
    "zookeeper.session.timeout.ms",
    "zookeeper.sync.time.ms",
}
"""What neither today's consumer nor a Spark stream has a use for; bytes become values by the decoders."""


def settings(kafka_params: Mapping[str, Any]) -> dict[str, str]:
    """The settings of a consumer, without what says where a stream begins and what it commits.

    Warns, once and by name, of what has no meaning any more.

    Raises:
        ValueError: an old and a new name of one setting have different values.
    """
    found: dict[str, str] = {}
    useless = sorted(name for name in kafka_params if name in WITHOUT_MEANING)
    if useless:
        warnings.warn(
            f"kafkaParams: {', '.join(useless)} {'has' if len(useless) == 1 else 'have'} no meaning for"
            " today's Kafka clients",
            RuntimeWarning,
            stacklevel=4,
        )
    for name, value in kafka_params.items():
        if name in WITHOUT_MEANING or name in (_OFFSET_RESET, "group.id", *_AUTO_COMMIT):
            continue
        new, text = RENAMED.get(name, name), as_text(value)
        if found.setdefault(new, text) != text:
            raise ValueError(f"kafkaParams: {name} and {new} are one setting and have different values")
    return found


def as_text(value: Any) -> str:
    """A setting's value as Kafka reads it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def from_earliest(kafka_params: Mapping[str, Any]) -> bool:
    """Whether a stream without offsets of its own begins with the oldest message: Kafka 0.8's ``smallest``.

    Warns of today's ``earliest``, which says the same now and did not in Spark 2.4.

    Raises:
        ValueError: ``auto.offset.reset`` is none of Kafka's words.
    """
    asked = str(kafka_params.get(_OFFSET_RESET, "largest")).lower()
    if asked not in ("smallest", "earliest", "largest", "latest"):
        raise ValueError(f"kafkaParams: {_OFFSET_RESET} must be smallest or largest, not {asked}")
    if asked == "earliest":
        warnings.warn(
            f"kafkaParams: {_OFFSET_RESET}=earliest begins with the oldest message. Spark 2.4 knew smallest"
            " alone and began with the next one: a program that relied on that needs largest",
            RuntimeWarning,
            stacklevel=3,
        )
    return asked in ("smallest", "earliest")


def commits(kafka_params: Mapping[str, Any]) -> bool:
    """Whether a receiver commits what it has read, as it does unless ``auto.commit.enable`` is false."""
    return all(as_text(kafka_params.get(name, "true")).lower() != "false" for name in _AUTO_COMMIT)


def setting(spark_context: SparkContext, name: str) -> str | None:
    """A setting of this package: ``COMPAT_KAFKA_<NAME>`` of the environment, or
    ``spark.compat.kafka.<name>``.

    Args:
        spark_context: whose SparkConf is asked.
        name: in Spark's spelling, like ``commitGroup``.
    """
    variable = "COMPAT_KAFKA_" + re.sub("(?<=[a-z])(?=[A-Z])", "_", name).upper()
    return os.environ.get(variable) or spark_context.getConf().get(f"spark.compat.kafka.{name}") or None
