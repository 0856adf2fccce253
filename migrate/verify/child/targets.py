"""Where Spark itself is asked to write: only within the working directory's copy. And in which order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.rdd import RDD
from pyspark.sql import DataFrameWriter

from migrate.verify.child import frames, rdds
from migrate.verify.child.patching import replace, replace_for_programs
from migrate.verify.child.session import Session

_FILE_FORMATS = ("parquet", "csv", "json", "text", "orc", "xml", "binaryfile", "avro", "noop")
_FORMAT = "_verify_format"


def check_targets(session: Session) -> None:
    """Refuse writes elsewhere, and to what is no file."""

    def from_rdd(original: Callable[..., Any]) -> Callable[..., Any]:
        def write(self: Any, path: str, *args: Any, **kwargs: Any) -> Any:
            session.check_target(path)
            if rdds.sort_of(self) is not None:
                session.note_sort(path, rdds.whole(self).ties)
            return original(self, path, *args, **kwargs)

        return write

    def to_path(original: Callable[..., Any]) -> Callable[..., Any]:
        def write(self: Any, path: str, *args: Any, **kwargs: Any) -> Any:
            session.check_target(path)
            session.note_sort(path, frames.ties_of(self._df))
            return original(self, path, *args, **kwargs)

        return write

    def to_format(original: Callable[..., Any]) -> Callable[..., Any]:
        def format(self: Any, source: str) -> Any:
            setattr(self, _FORMAT, source)
            return original(self, source)

        return format

    def save(original: Callable[..., Any]) -> Callable[..., Any]:
        def save(
            self: Any, path: str | None = None, format: str | None = None, *args: Any, **kwargs: Any
        ) -> Any:
            name = format or getattr(self, _FORMAT, "parquet")
            if name not in _FILE_FORMATS:
                session.refuse(f"writing to {name}")
            if path is not None:
                session.check_target(path)
                session.note_sort(path, frames.ties_of(self._df))
            return original(self, path, format, *args, **kwargs)

        return save

    def option(original: Callable[..., Any]) -> Callable[..., Any]:
        def option(self: Any, key: str, value: Any) -> Any:
            if key.lower() == "path":
                session.check_target(str(value))
            return original(self, key, value)

        return option

    def jdbc(original: Callable[..., Any]) -> Callable[..., Any]:
        def jdbc(self: Any, url: str, *args: Any, **kwargs: Any) -> Any:
            session.refuse(f"writing to {url}")
            return original(self, url, *args, **kwargs)

        return jdbc

    for name in ("saveAsTextFile", "saveAsPickleFile", "saveAsSequenceFile", "saveAsNewAPIHadoopFile"):
        # DStream.saveAsTextFiles calls these, too.
        replace(RDD, name, from_rdd)
    for name in _FILE_FORMATS:
        if hasattr(DataFrameWriter, name):
            replace_for_programs(DataFrameWriter, name, to_path)
    for name, wrapper in {"save": save, "format": to_format, "option": option, "jdbc": jdbc}.items():
        replace_for_programs(DataFrameWriter, name, wrapper)
