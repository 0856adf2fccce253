"""Fetches Spark's connector and a broker with the Ivy that PySpark carries, once for each version.

Which versions fit which Spark is not what their numbers say: package repositories lag behind Spark, and the
connector's parts behind each other. `VERSIONS` has what was seen to work; the environment has the last word:

- ``DSTREAM_MIGRATE_KAFKA_JARS``: a directory with the jars in ``connector`` and ``broker``, so that nothing
  is fetched;
- ``DSTREAM_MIGRATE_KAFKA_VERSIONS``: ``connector=4.2.0 token=4.0.0 clients=3.9.1 pool=2.12.0 broker=4.1.1``,
  or some of them;
- ``DSTREAM_MIGRATE_IVY_SETTINGS``: an ``ivysettings.xml`` that names other repositories.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, fields, replace
from importlib.metadata import version
from pathlib import Path

from migrate.errors import EnvironmentProblemError
from migrate.kafka.ivy import Dependency, UnreachableError, cache, retrieve

LOCAL, CHOSEN = (f"DSTREAM_MIGRATE_{name}" for name in ("KAFKA_JARS", "KAFKA_VERSIONS"))


@dataclass(frozen=True)
class Versions:
    """Releases that fit each other."""

    connector: str
    token: str
    """Of the connector's token provider."""
    clients: str
    pool: str = "2.12.0"
    broker: str = "4.1.1"


VERSIONS = {
    "3.5": Versions("3.5.7", "3.5.7", "3.4.1", pool="2.11.1"),
    "4.0": Versions("4.0.0", "4.0.0", "3.9.1"),
    "4.3": Versions("4.2.0", "4.0.0", "3.9.1"),
}
"""By the minor version of Spark; others take the connector of their own version."""


@dataclass(frozen=True)
class Jars:
    """Jars on disk."""

    connector: tuple[Path, ...]
    broker: tuple[Path, ...]

    @property
    def submit(self) -> str:
        """Those of the connector, as ``--jars`` and ``spark.jars`` take them."""
        return ",".join(map(str, self.connector))


def jars() -> Jars:
    """The jars for the PySpark that is installed, from the cache if they are there.

    Raises:
        UnreachableError: they cannot be fetched.
    """
    given = os.environ.get(LOCAL)
    if given:
        return _in(Path(given).expanduser())
    spark = version("pyspark")
    chosen = _chosen(VERSIONS.get(_minor(spark), Versions(spark, spark, "3.9.1")))
    scala = "2.12" if spark.startswith("3.") else "2.13"
    place = cache() / "kafka" / f"{scala}-{'-'.join(asdict(chosen).values())}"
    if not place.is_dir():
        _fetch(chosen, scala, place)
    return _in(place)


def _in(place: Path) -> Jars:
    found = Jars(*(tuple(sorted((place / name).glob("*.jar"))) for name in ("connector", "broker")))
    if not found.connector or not found.broker:
        raise UnreachableError(f"there are no jars in {place}/connector and {place}/broker")
    return found


def _minor(spark: str) -> str:
    return ".".join(spark.split(".")[:2])


def _chosen(versions: Versions) -> Versions:
    """`versions` with those of the environment."""
    known = {field.name for field in fields(Versions)}
    given = dict(part.partition("=")[::2] for part in os.environ.get(CHOSEN, "").split())
    if not given.keys() <= known or not all(given.values()):
        raise EnvironmentProblemError(f"{CHOSEN} takes name=version for each of {', '.join(sorted(known))}")
    return replace(versions, **given)


def _fetch(versions: Versions, scala: str, place: Path) -> None:
    try:
        retrieve(_dependencies(versions, scala), place)
    except UnreachableError as error:
        raise UnreachableError(
            f"Spark's connector for Kafka and a broker could not be fetched; {CHOSEN} and {LOCAL} say which"
            f" and from where. {error}"
        ) from error


def _dependencies(versions: Versions, scala: str) -> list[Dependency]:
    spark = "org.apache.spark"
    return [
        Dependency("connector", spark, f"spark-sql-kafka-0-10_{scala}", versions.connector, transitive=False),
        Dependency(
            "connector", spark, f"spark-token-provider-kafka-0-10_{scala}", versions.token, transitive=False
        ),
        Dependency("connector", "org.apache.kafka", "kafka-clients", versions.clients, transitive=False),
        Dependency("connector", "org.apache.commons", "commons-pool2", versions.pool, transitive=False),
        Dependency("broker", "org.apache.kafka", "kafka_2.13", versions.broker),
    ]
