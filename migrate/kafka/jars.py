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
import shutil
import subprocess
import tempfile
from dataclasses import asdict, dataclass, fields, replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from migrate.errors import EnvironmentProblemError
from migrate.java import java

LOCAL, CHOSEN, SETTINGS = (
    f"DSTREAM_MIGRATE_{name}" for name in ("KAFKA_JARS", "KAFKA_VERSIONS", "IVY_SETTINGS")
)
_TIMEOUT = 600.0


class UnreachableError(EnvironmentProblemError):
    """The jars are not here and cannot be fetched."""


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
    place = _cache() / f"{scala}-{'-'.join(asdict(chosen).values())}"
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


def _cache() -> Path:
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "dstream-migrate" / "kafka"


def _fetch(versions: Versions, scala: str, place: Path) -> None:
    """Resolve and copy; the place is there as a whole or not at all."""
    place.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=".fetching-", dir=place.parent))
    try:
        module = work / "ivy.xml"
        module.write_text(_module(versions, scala), encoding="utf-8")
        settings = os.environ.get(SETTINGS)
        command = [java(), "-jar", str(_ivy()), "-ivy", str(module), "-cache", str(work / "cache")]
        command += ["-settings", settings] if settings else []
        pattern = f"{work}/jars/[conf]/[artifact]-[revision].[ext]"
        command += ["-types", "jar", "bundle", "-warn", "-retrieve", pattern]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT, check=False)
        except subprocess.TimeoutExpired:
            raise UnreachableError(
                f"Ivy got no answer in {_TIMEOUT:.0f} s; {SETTINGS} names others"
            ) from None
        if done.returncode or not (work / "jars" / "connector").is_dir():
            said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()][-8:]
            raise UnreachableError(
                "Spark's connector for Kafka and a broker could not be fetched; "
                f"{CHOSEN}, {SETTINGS} and {LOCAL} say which and from where. Ivy says:\n" + "\n".join(said)
            )
        if not place.exists():
            (work / "jars").rename(place)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _ivy() -> Path:
    spec = find_spec("pyspark")
    found = sorted(Path(spec.origin).parent.glob("jars/ivy-*.jar")) if spec and spec.origin else []
    if not found:
        raise UnreachableError(f"this PySpark carries no Ivy: put the jars into a directory, {LOCAL}")
    return found[-1]


def _module(versions: Versions, scala: str) -> str:
    spark = "org.apache.spark"
    wanted = [
        (spark, f"spark-sql-kafka-0-10_{scala}", versions.connector),
        (spark, f"spark-token-provider-kafka-0-10_{scala}", versions.token),
        ("org.apache.kafka", "kafka-clients", versions.clients),
        ("org.apache.commons", "commons-pool2", versions.pool),
    ]
    rows = [
        f'<dependency org="{org}" name="{name}" rev="{rev}" conf="connector-&gt;default" transitive="false"/>'
        for org, name, rev in wanted
    ]
    rows.append(
        f'<dependency org="org.apache.kafka" name="kafka_2.13" rev="{versions.broker}" '
        'conf="broker-&gt;default"/>'
    )
    return (
        '<ivy-module version="2.0"><info organisation="dstream-migrate" module="kafka"/>'
        '<configurations><conf name="connector"/><conf name="broker"/></configurations>'
        f"<dependencies>{''.join(rows)}</dependencies></ivy-module>"
    )
