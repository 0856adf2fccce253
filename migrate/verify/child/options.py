"""The format and the options of readers and writers, kept where their last call can see them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from migrate.verify.child.patching import replace_for_programs

_FORMAT, _OPTIONS = "_verify_format", "_verify_options"
FILE_FORMATS = ("parquet", "csv", "json", "text", "orc", "xml")


def keep_options(owner: Any, change: Callable[[str, Any], Any]) -> None:
    """Note every `format`, `option` and `options`; `change(key, value)` may check an option or replace it."""

    def note_format(original: Callable[..., Any], self: Any, source: str) -> Any:
        setattr(self, _FORMAT, source)
        return original(self, source)

    def note_option(original: Callable[..., Any], self: Any, key: str, value: Any) -> Any:
        value = change(key.lower(), value)
        self.__dict__.setdefault(_OPTIONS, {})[key.lower()] = value
        return original(self, key, value)

    def note_options(original: Callable[..., Any], self: Any, **values: Any) -> Any:
        values = {key: change(key.lower(), value) for key, value in values.items()}
        self.__dict__.setdefault(_OPTIONS, {}).update((key.lower(), value) for key, value in values.items())
        return original(self, **values)

    replace_for_programs(owner, "format", note_format)
    replace_for_programs(owner, "option", note_option)
    replace_for_programs(owner, "options", note_options)


def format_of(owner: Any, given: str | None = None) -> str:
    """The format that was asked for, Spark's default if none was."""
    return given or str(getattr(owner, _FORMAT, "parquet"))


def options_of(owner: Any, given: dict[str, Any] | None = None) -> dict[str, Any]:
    """The options so far, by their names in lower case."""
    return {**getattr(owner, _OPTIONS, {}), **{key.lower(): value for key, value in (given or {}).items()}}
