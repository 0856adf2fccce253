"""The parameters of Kafka's consumer, as its documentation lists them (New Consumer Configs)."""

from __future__ import annotations

_PREFIXES = ("sasl.", "security.", "ssl.")
_NAMES = frozenset(
    {
        *("allow.auto.create.topics", "auto.include.jmx.reporter", "auto.offset.reset", "bootstrap.servers"),
        *("check.crcs", "client.dns.lookup", "client.id", "client.rack", "connections.max.idle.ms"),
        *("default.api.timeout.ms", "enable.auto.commit", "enable.metrics.push", "exclude.internal.topics"),
        *("fetch.max.bytes", "fetch.max.wait.ms", "fetch.min.bytes", "group.id", "group.instance.id"),
        *("group.protocol", "group.remote.assignor", "heartbeat.interval.ms", "interceptor.classes"),
        *("isolation.level", "key.deserializer", "max.partition.fetch.bytes", "max.poll.interval.ms"),
        *("max.poll.records", "metadata.max.age.ms", "metadata.recovery.rebootstrap.trigger.ms"),
        *("metadata.recovery.strategy", "metric.reporters", "metrics.num.samples"),
        *("metrics.recording.level", "metrics.sample.window.ms", "partition.assignment.strategy"),
        *("receive.buffer.bytes", "reconnect.backoff.max.ms", "reconnect.backoff.ms", "request.timeout.ms"),
        *("retry.backoff.max.ms", "retry.backoff.ms", "send.buffer.bytes", "session.timeout.ms"),
        *("share.acknowledgement.mode", "socket.connection.setup.timeout.max.ms"),
        *("socket.connection.setup.timeout.ms", "value.deserializer"),
    }
)


def is_of_consumer(name: str) -> bool:
    """Whether Kafka's consumer has a parameter of that name; it only warns of others.

    >>> is_of_consumer("brokers")
    False
    """
    return name in _NAMES or name.startswith(_PREFIXES)
