"""Where Spark itself is asked to write: only within the working directory's copy. And in which order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.rdd import RDD
from pyspark.sql import DataFrameWriter

from migrate.verify.child import frames, rdds
from migrate.verify.child.options import FILE_FORMATS, format_of, keep_options
from migrate.verify.child.patching import replace, replace_for_programs
from migrate.verify.child.session import Session

Original = Callable[..., Any]


def check_targets(session: Session) -> None:
    """Refuse writes elsewhere, and to what is no file; note what was sorted."""

    def from_rdd(original: Original, self: Any, path: str, *args: Any, **kwargs: Any) -> Any:
        session.check_target(path)
        if rdds.sort_of(self) is not None:
            session.note_sort(path, rdds.whole(self).ties)
        return original(self, path, *args, **kwargs)

    def to_path(original: Original, self: Any, path: str, *args: Any, **kwargs: Any) -> Any:
        session.check_target(path)
        session.note_sort(path, frames.ties_of(self._df))
        return original(self, path, *args, **kwargs)

    def save(
        original: Original,
        self: Any,
        path: str | None = None,
        format: str | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        name = format_of(self, format)
        if name not in (*FILE_FORMATS, "noop"):
            session.refuse(f"writing to {name}")
        if path is not None:
            session.check_target(path)
            session.note_sort(path, frames.ties_of(self._df))
        return original(self, path, format, *args, **kwargs)

    def option(key: str, value: Any) -> Any:
        if key == "path":
            session.check_target(str(value))
        return value

    def jdbc(original: Original, self: Any, url: str, *args: Any, **kwargs: Any) -> Any:
        session.refuse(f"writing to {url}")
        return original(self, url, *args, **kwargs)

    for name in ("saveAsTextFile", "saveAsPickleFile", "saveAsSequenceFile", "saveAsNewAPIHadoopFile"):
        # DStream.saveAsTextFiles calls these, too.
        replace(RDD, name, from_rdd)
    for name in FILE_FORMATS:
        if hasattr(DataFrameWriter, name):
            replace_for_programs(DataFrameWriter, name, to_path)
    keep_options(DataFrameWriter, option)
    replace_for_programs(DataFrameWriter, "save", save)
    replace_for_programs(DataFrameWriter, "jdbc", jdbc)
