"""Settings from ``[tool.dstream-migrate]`` of the nearest ``pyproject.toml``, named as the options are."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from migrate.errors import EnvironmentProblemError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TABLE = "dstream-migrate"
KINDS: dict[str, str] = {
    "target": "a string",
    "unsafe": "true or false",
    "select": "a list of strings",
    "ignore": "a list of strings",
    "fail-on": "a list of strings",
    "pprint": "a string",
    "event-time": "a string",
    "watermark": "a string",
    "batch-time": "a string",
    "bootstrap-servers": "a string",
    "changed-keys": "true or false",
    "skip-empty-batches": "true or false",
    "trigger": "a string",
    "kinesis": "a string",
    "json-schema": "a list of strings",
    "facts": "a string",
    "learnt": "true or false",
    "spark": "a string",
    "strict": "true or false",
    "assume-compat": "true or false",
}


class ConfigError(EnvironmentProblemError):
    """The table has a setting that there is not, or a value of the wrong kind."""


def settings(start: Path) -> dict[str, Any]:
    """The settings that hold for `start`, by the name of the option; none without a table.

    The nearest ``pyproject.toml`` decides, also if it has no such table.

    Raises:
        ConfigError: the file is not TOML, or the table is wrong.
    """
    start = start.absolute()
    for directory in (start, *start.parents):
        file = directory / "pyproject.toml"
        if file.is_file():
            return _read(file)
    return {}


def _read(file: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {}).get(TABLE, {})
    except (OSError, ValueError) as error:
        raise ConfigError(f"{file}: {error}") from None
    if not isinstance(table, Mapping):
        raise ConfigError(f"{file}: [tool.{TABLE}] is not a table")
    return {name: _checked(file, name, value) for name, value in table.items()}


def _checked(file: Path, name: str, value: Any) -> Any:
    kind = KINDS.get(name)
    if kind is None:
        known = ", ".join(sorted(KINDS))
        raise ConfigError(f"{file}: [tool.{TABLE}] has no setting {name!r}; there are {known}")
    if _kind(value) != kind:
        raise ConfigError(f"{file}: [tool.{TABLE}] {name} must be {kind}")
    return value


def _kind(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "a list of strings"
    return None
