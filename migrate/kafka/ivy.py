"""Jars from package repositories, by the Ivy that PySpark carries, kept in the user's cache directory."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from migrate.errors import EnvironmentProblemError
from migrate.java import java

SETTINGS = "DSTREAM_MIGRATE_IVY_SETTINGS"
_TIMEOUT = 600.0


class UnreachableError(EnvironmentProblemError):
    """The jars are not here and cannot be fetched."""


@dataclass(frozen=True)
class Dependency:
    """A module of a repository, and the folder to put it in.

    Args:
        folder: the folder.
        org: its organisation, Maven's group.
        name: its name.
        revision: its version.
        transitive: whether what it depends on is put there, too.
    """

    folder: str
    org: str
    name: str
    revision: str
    transitive: bool = True


def cache() -> Path:
    """Where jars are kept."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "dstream-migrate"


def retrieve(wanted: Iterable[Dependency], place: Path) -> None:
    """Resolve and copy into folders of `place`, which is there as a whole or not at all.

    Raises:
        UnreachableError: no repository has them.
    """
    wanted = list(wanted)
    place.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=".fetching-", dir=place.parent))
    try:
        module = work / "ivy.xml"
        module.write_text(_module(wanted), encoding="utf-8")
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
        if done.returncode or not all((work / "jars" / each.folder).is_dir() for each in wanted):
            said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()][-8:]
            raise UnreachableError(f"{SETTINGS} names other repositories. Ivy says:\n" + "\n".join(said))
        if not place.exists():
            (work / "jars").rename(place)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _ivy() -> Path:
    spec = find_spec("pyspark")
    found = sorted(Path(spec.origin).parent.glob("jars/ivy-*.jar")) if spec and spec.origin else []
    if not found:
        raise UnreachableError("this PySpark carries no Ivy, which fetches jars")
    return found[-1]


def _module(wanted: list[Dependency]) -> str:
    folders = "".join(f'<conf name="{name}"/>' for name in dict.fromkeys(each.folder for each in wanted))
    rows = [
        f'<dependency org="{each.org}" name="{each.name}" rev="{each.revision}" '
        f'conf="{each.folder}-&gt;default" transitive="{str(each.transitive).lower()}"/>'
        for each in wanted
    ]
    return (
        '<ivy-module version="2.0"><info organisation="dstream-migrate" module="jars"/>'
        f"<configurations>{folders}</configurations>"
        f"<dependencies>{''.join(rows)}</dependencies></ivy-module>"
    )
