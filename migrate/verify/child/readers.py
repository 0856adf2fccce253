"""Streaming sources of native programs: each becomes a directory that the harness feeds.

The rate source per micro-batch, which only wakes a query, has a file in each batch.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pyspark.sql.streaming.readwriter import DataStreamReader

from migrate.verify.child.options import FILE_FORMATS, format_of, keep_options, options_of
from migrate.verify.child.patching import replace_for_programs
from migrate.verify.child.queries import Queries
from migrate.verify.child.session import Unsupported
from migrate.verify.child.topics import Topics, parsed_offsets

Original = Callable[..., Any]
_ELSEWHERE = (
    *("kafka.bootstrap.servers", "kafka.security.", "kafka.sasl.", "kafka.ssl.", "kafka.group.id"),
    *("maxoffsetspertrigger", "minoffsetspertrigger", "maxtriggerdelay"),
)
"""Options of a cluster that is not ours, and limits: a batch ends where the harness says."""
_plain_format, _plain_option = DataStreamReader.format, DataStreamReader.option


class Readers:
    """Replaces the members of `DataStreamReader`."""

    def __init__(self, queries: Queries, topics: Topics | None) -> None:
        self._queries = queries
        self._topics = topics

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
        if name == "kafka" and self._topics is not None:
            return self._kafka(self._topics, original, reader, options)
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

    def _kafka(self, topics: Topics, original: Original, reader: Any, options: dict[str, Any]) -> Any:
        """The same source at the run's broker, on the run's topics."""
        given = {key: value for key, value in options.items() if not key.startswith(_ELSEWHERE)}
        start = str(given.pop("startingoffsets", "latest"))
        offsets = parsed_offsets(start) if start.startswith("{") else None
        names = _topics_of(given)
        topics.use(names, offsets)
        if start == "latest":
            topics.add_stale(names)
        begin = topics.ends(names)
        if start == "earliest":
            begin = {name: dict.fromkeys(places, 0) for name, places in begin.items()}
        if offsets is not None:
            begin = {topics.name(name): {str(p): n for p, n in of.items()} for name, of in offsets.items()}
        made = _plain_format(reader._spark.readStream, "kafka")
        if "assign" in given:
            assigned = json.loads(str(given.pop("assign")))
            given["assign"] = json.dumps({topics.name(name): places for name, places in assigned.items()})
            begin = {
                name: {str(p): begin[name][str(p)] for p in places}
                for name, places in json.loads(given["assign"]).items()
            }
        else:
            given["subscribe"] = ",".join(map(topics.name, names))
        given |= {"kafka.bootstrap.servers": topics.address, "startingOffsets": json.dumps(begin)}
        for key, value in given.items():
            made = _plain_option(made, key, value)
        self._queries.reads_kafka = True
        return original(made)

    def _one_file_at_a_time(self, reader: Any) -> Any:
        return _plain_option(_plain_format(reader._spark.readStream, "text"), "maxFilesPerTrigger", 1)

    def _files(self, original: Original, reader: Any, path: str, *args: Any, **kwargs: Any) -> Any:
        return original(reader, str(self._queries.watch("files in", path)), *args, **kwargs)

    def _table(self, original: Original, reader: Any, tableName: str) -> Any:  # noqa: N803 - Spark's name
        raise Unsupported(f"verify cannot supply the streaming table {tableName!r}")


def _topics_of(options: dict[str, Any]) -> list[str]:
    """The topics that a source reads, by its options."""
    if "assign" in options:
        return list(json.loads(str(options["assign"])))
    if "subscribe" in options:
        return [name.strip() for name in str(options["subscribe"]).split(",")]
    raise Unsupported("verify cannot supply topics by a pattern")
