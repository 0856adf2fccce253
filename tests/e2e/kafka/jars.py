"""Spark's Kafka connector and a broker, as jars: fetched once, by the Ivy that PySpark carries."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import pyspark

SECONDS = 600


class Versions(NamedTuple):
    """What fits together: a repository may lag behind, and what the connector asks for may not be there."""

    scala: str
    connector: str
    token_provider: str
    clients: str
    pool: str


FITTING = {
    "3.5": Versions("2.12", "3.5.7", "3.5.7", "3.4.1", "2.11.1"),
    "4.0": Versions("2.13", "4.0.0", "4.0.0", "3.9.1", "2.12.0"),
    "4.3": Versions("2.13", "4.2.0", "4.0.0", "3.9.1", "2.12.0"),
}
"""By the minor version of PySpark."""

IVY = """<ivy-module version="2.0">
  <info organisation="dstream-migrate" module="kafka"/>
  <configurations><conf name="connector"/><conf name="broker"/></configurations>
  <dependencies>
    <dependency org="org.apache.spark" name="spark-sql-kafka-0-10_{0.scala}" rev="{0.connector}"
        conf="connector->default" transitive="false"/>
    <dependency org="org.apache.spark" name="spark-token-provider-kafka-0-10_{0.scala}"
        rev="{0.token_provider}" conf="connector->default" transitive="false"/>
    <dependency org="org.apache.kafka" name="kafka-clients" rev="{0.clients}" conf="connector->default"
        transitive="false"/>
    <dependency org="org.apache.commons" name="commons-pool2" rev="{0.pool}" conf="connector->default"
        transitive="false"/>
    <dependency org="org.apache.kafka" name="kafka_2.13" rev="4.1.1" conf="broker->default"/>
  </dependencies>
</ivy-module>
"""


class UnreachableError(Exception):
    """The jars could not be fetched."""


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
    versions = FITTING.get(".".join(pyspark.__version__.split(".")[:2]))
    if versions is None:
        raise UnreachableError(f"no connector is known to fit PySpark {pyspark.__version__}")
    ivy = IVY.format(versions)
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dstream-migrate"
    place = base / f"kafka-{versions.connector}-{hashlib.sha256(ivy.encode()).hexdigest()[:8]}"
    if not place.exists():
        _fetch(ivy, place)
    return Jars(place / "connector", place / "broker")


def _fetch(ivy: str, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as work:
        path = Path(work) / "ivy.xml"
        path.write_text(ivy)
        [program] = (Path(pyspark.__file__).parent / "jars").glob("ivy-*.jar")
        pattern = f"{work}/jars/[conf]/[artifact]-[revision].[ext]"
        asked = ["-ivy", path, "-cache", f"{work}/cache", "-types", "jar", "bundle", "-retrieve", pattern]
        try:
            done = subprocess.run(
                ["java", "-jar", program, *asked],
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UnreachableError(str(error)) from error
        found = Path(work) / "jars"
        if done.returncode or not (found / "broker").exists() or not (found / "connector").exists():
            raise UnreachableError((done.stdout + done.stderr)[-2000:])
        if not place.exists():
            shutil.move(found, place)
