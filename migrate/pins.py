"""The version of PySpark that a project pins: in a lock file, else in what it requires."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from configparser import ConfigParser
from configparser import Error as ConfigParserError
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from migrate.knowledge.spark_version import RELEASES, SparkVersion, installed, release
from migrate.read.scan import project_root

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NAMES = frozenset({"pyspark", "pyspark-client", "pyspark-connect"})
OLD = ("1.6.3", "2.4.8", "3.0.3", "3.4.4")
"""Versions of the programs that are migrated: who allows one says nothing of the version that they go to."""
PATCHES = 20


def pinned_or_installed(start: Path) -> SparkVersion:
    """Return the version of Spark that code below `start` is for: the one pinned there, else the installed.

    The directories from `start` to the root of its project are asked. A pin from before PySpark 3.5 is that
    of the old program.
    """
    root = project_root(start) or start
    for directory in (start, *start.parents):
        for file, specifiers in _pins(directory):
            found = _lowest(specifiers)
            if found is not None:
                version = SparkVersion.parse(found, f"pinned in {file.name}")
                return replace(version, before=_release(specifiers))
            if not specifiers.contains(installed().text):
                origin = f"{installed().origin}; {specifiers} in {file.name} is the old program's"
                return replace(installed(), origin=origin, before=_release(specifiers))
        if directory == root:
            break
    return installed()


def _lowest(specifiers: SpecifierSet) -> str | None:
    """Return the oldest version, from PySpark 3.5 on, that is allowed; None where nothing is said of it."""
    if any(specifiers.contains(old) for old in OLD) and specifiers.contains(installed().text):
        return None
    for one in specifiers:
        if one.operator in ("==", "===") and not one.version.endswith(".*"):
            return one.version if _supported(one.version) else None
    versions = (f"{release}.{patch}" for release in RELEASES for patch in range(PATCHES))
    return next((version for version in versions if specifiers.contains(version)), None)


def _release(specifiers: SpecifierSet) -> tuple[int, int] | None:
    """The release that is required, if it is a certain one."""
    exact = [one.version for one in specifiers if one.operator in ("==", "===", "~=")]
    return release(exact[0]) if exact and re.match(r"\d+\.\d", exact[0]) else None


def _supported(version: str) -> bool:
    try:
        SparkVersion.parse(version)
    except ValueError:
        return False
    return True


def _pins(directory: Path) -> Iterator[tuple[Path, SpecifierSet]]:
    """Yield the files of a directory that say which PySpark it needs, and what they say: lock files first."""
    for pattern, read in _READERS.items():
        for file in sorted(directory.glob(pattern)):
            try:
                said = [specifiers for specifiers in read(file) if specifiers is not None]
            except (OSError, ValueError, LookupError, TypeError, AttributeError, ConfigParserError):
                continue  # it is none of ours: whoever reads it for what it is will tell
            if said:
                yield file, said[0]


def _toml(file: Path) -> dict[str, Any]:
    values: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    return values


def _locked(file: Path) -> Iterator[SpecifierSet | None]:
    for package in _toml(file).get("package", ()):
        if _is_pyspark(package["name"]):
            yield SpecifierSet(f"=={package['version']}")


def _locked_by_pipenv(file: Path) -> Iterator[SpecifierSet | None]:
    return _of_tables(json.loads(file.read_text(encoding="utf-8")), "default", "develop")


def _pipfile(file: Path) -> Iterator[SpecifierSet | None]:
    return _of_tables(_toml(file), "packages", "dev-packages")


def _requirements(file: Path) -> Iterator[SpecifierSet | None]:
    return map(_required, file.read_text(encoding="utf-8").splitlines())


def _pyproject(file: Path) -> Iterator[SpecifierSet | None]:
    values = _toml(file)
    project = values.get("project", {})
    groups = [
        *project.get("optional-dependencies", {}).values(),
        *values.get("dependency-groups", {}).values(),
    ]
    for line in chain(project.get("dependencies", ()), *groups):
        if isinstance(line, str):
            yield _required(line)
    poetry = values.get("tool", {}).get("poetry", {})
    for tables in (poetry, *poetry.get("group", {}).values()):
        yield from _of_tables(tables, "dependencies", "dev-dependencies")


def _setup_cfg(file: Path) -> Iterator[SpecifierSet | None]:
    parser = ConfigParser(interpolation=None)
    parser.read_string(file.read_text(encoding="utf-8"))
    texts = [parser.get("options", "install_requires", fallback="")]
    if parser.has_section("options.extras_require"):
        texts += [text for _, text in parser.items("options.extras_require")]
    return map(_required, "\n".join(texts).splitlines())


_READERS: Mapping[str, Callable[[Path], Iterator[SpecifierSet | None]]] = {
    "uv.lock": _locked,
    "poetry.lock": _locked,
    "pdm.lock": _locked,
    "Pipfile.lock": _locked_by_pipenv,
    "requirements*.txt": _requirements,
    "requirements/*.txt": _requirements,
    "Pipfile": _pipfile,
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
}
"""Where versions are looked for, the most exact first."""


def _required(line: str) -> SpecifierSet | None:
    """Read a line of requirements: ``pyspark[sql]==3.5.1 ; python_version > "3.8"  # comment``."""
    text = re.split(r"\s#|\s--|\\$", line.strip())[0].strip()
    try:
        requirement = Requirement(text)
    except InvalidRequirement:
        return None
    return requirement.specifier if _is_pyspark(requirement.name) and requirement.specifier else None


def _of_tables(tables: Mapping[str, Any], *names: str) -> Iterator[SpecifierSet | None]:
    """Read tables from names to versions, as Poetry and Pipenv have them: ``pyspark = "^3.5"``."""
    for name in names:
        for package, wanted in tables.get(name, {}).items():
            version = wanted.get("version", "*") if isinstance(wanted, Mapping) else wanted
            if _is_pyspark(package) and version != "*":
                yield _specifiers(version)


def _specifiers(text: str) -> SpecifierSet | None:
    """Read a version as Poetry writes it: ``^3.5``, ``~4.0``, ``3.5.1``, or as everybody does."""
    caret = re.fullmatch(r"\^((\d+)[\d.]*)", text)
    tilde = re.fullmatch(r"~((\d+)(?:\.(\d+))?[\d.]*)", text)
    if caret:
        text = f">={caret[1]},<{int(caret[2]) + 1}"
    elif tilde:
        major, minor = tilde[2], tilde[3]
        text = f">={tilde[1]},<{f'{major}.{int(minor) + 1}' if minor else int(major) + 1}"
    elif text[:1].isdigit():
        text = f"=={text}"
    try:
        return SpecifierSet(text)
    except InvalidSpecifier:
        return None


def _is_pyspark(name: str) -> bool:
    return re.sub(r"[-_.]+", "-", name).lower() in NAMES
