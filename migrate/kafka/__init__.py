"""A Kafka of our own, for `verify` and `demo`: the jars, a broker, and a slice of somebody's topic."""

from migrate.kafka.broker import Broker, broker
from migrate.kafka.ivy import UnreachableError
from migrate.kafka.jars import Jars, jars

__all__ = ["Broker", "Jars", "UnreachableError", "broker", "jars"]
