"""Spark's Kafka connector and a broker, as jars: those that `verify` fetches."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from migrate.kafka import UnreachableError, jars

__all__ = ["Jars", "UnreachableError", "fetched"]


class Jars(NamedTuple):
    """Where the jars are."""

    connector: Path
    broker: Path

    def submit(self) -> str:
        """The jars of the connector, as ``--jars`` takes them."""
        return ",".join(map(str, sorted(self.connector.glob("*.jar"))))


def fetched() -> Jars:
    """The jars for the PySpark that is installed, from the user's cache directory.

    Raises:
        UnreachableError: they are not there, and no repository has them.
    """
    found = jars()
    return Jars(found.connector[0].parent, found.broker[0].parent)
