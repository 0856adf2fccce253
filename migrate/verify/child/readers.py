"""Streaming sources of native programs: each becomes a directory that the harness feeds.

The rate source per micro-batch, which only wakes a query, has a file in each batch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyspark.sql.streaming.readwriter import DataStreamReader

from migrate.verify.child.options import FILE_FORMATS, format_of, keep_options, options_of
from migrate.verify.child.patching import replace_for_programs
from migrate.verify.child.queries import Queries
from migrate.verify.child.session import Unsupported

Original = Callable[..., Any]
_plain_format, _plain_option = DataStreamReader.format, DataStreamReader.option


class Readers:
    """Replaces the members of `DataStreamReader`."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    def take_over(self) -> None:
        """Put the members in their places."""
        keep_options(DataStreamReader, lambda key, value: value)
        replace_for_programs(DataStreamReader, "load", self._load)
        replace_for_programs(DataStreamReader, "table", self._table)
        for name in FILE_FORMATS:
            if hasattr(DataStreamReader, name):
                replace_for_programs(DataStreamReader, name, self._files)

    def _load(
        self,
        original: Original,
        reader: Any,
        path: str | None = None,
        format: str | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        name, options = format_of(reader, format), options_of(reader, kwargs)
        if name == "socket":
            return self._socket(original, reader, options)
        if name == "rate-micro-batch":
            return original(self._one_file_at_a_time(reader), str(self._queries.ticks()))
        if name not in FILE_FORMATS:
            raise Unsupported(f"verify cannot supply the source {name!r}")
        watched = self._queries.watch("files in", str(path or options.get("path")))
        return original(reader, str(watched), format, *args, **kwargs)

    def _socket(self, original: Original, reader: Any, options: dict[str, Any]) -> Any:
        directory = self._queries.watch("socket", f"{options.get('host')}:{options.get('port')}")
        frame = original(self._one_file_at_a_time(reader), str(directory))
        if str(options.get("includetimestamp", "false")).lower() != "true":
            return frame
        from pyspark.sql import functions

        return frame.withColumn("timestamp", functions.current_timestamp())

    def _one_file_at_a_time(self, reader: Any) -> Any:
        return _plain_option(_plain_format(reader._spark.readStream, "text"), "maxFilesPerTrigger", 1)

    def _files(self, original: Original, reader: Any, path: str, *args: Any, **kwargs: Any) -> Any:
        return original(reader, str(self._queries.watch("files in", path)), *args, **kwargs)

    def _table(self, original: Original, reader: Any, tableName: str) -> Any:  # noqa: N803 - Spark's name
        raise Unsupported(f"verify cannot supply the streaming table {tableName!r}")
