"""The lag of native Structured Streaming queries, where those who watch consumer groups look for it.

A query that reads Kafka commits no offsets: they are in its checkpoint. So the lag of its group is not to be
seen with Kafka's tools, as that of a receiver was. One line before the query starts mends that:

    spark.streams.addListener(CommitOffsets(spark, "page-counts", {"bootstrap.servers": "kafka:9092"}))
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pyspark.sql.streaming.listener import StreamingQueryListener

from compat.kafka.brokers import Brokers
from compat.kafka.groups import Commits
from compat.kafka.parameters import BOOTSTRAP, settings
from compat.kafka.places import Place, by_topic, lowest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.listener import (
        QueryIdleEvent,
        QueryProgressEvent,
        QueryStartedEvent,
        QueryTerminatedEvent,
        StreamingQueryProgress,
    )

_KAFKA = ("KafkaV1[", "KafkaV2[")
"""How Spark's Kafka sources describe themselves: ``KafkaSource`` and ``KafkaMicroBatchStream``."""


class CommitOffsets(StreamingQueryListener):
    """Commits to a consumer group how far queries have come, after each of their micro-batches.

    No query depends on it: where Kafka does not take the offsets, that is logged, and a query that is started
    again goes on where its checkpoint says. After a crash the group may be a micro-batch behind.

    Args:
        spark: the session; its class path has Spark's Kafka connector.
        group: the consumer group. Nothing else should read in it: consumers that Kafka assigns partitions to
            keep it for themselves, and another program's offsets would be written over.
        params: ``bootstrap.servers``, and what else a client must say to be let in, by the names of Kafka's
            consumer, without ``kafka.`` in front.
        query: the name of the one query to follow (`DataStreamWriter.queryName`); else all of the session
            whose sources are in this Kafka.

    Raises:
        ValueError: `params` does not say where the brokers are.
        RuntimeError: there is no connector, or the address cannot be used.
    """

    def __init__(
        self, spark: SparkSession, group: str, params: Mapping[str, Any], *, query: str | None = None
    ) -> None:
        client = settings(params)
        if BOOTSTRAP not in client:
            raise ValueError(f"params must have {BOOTSTRAP}: the brokers, host:port,host:port")
        self._query = query
        self._brokers = Brokers(spark.sparkContext, client)
        self._commits = Commits(group, self._brokers)

    def onQueryStarted(self, event: QueryStartedEvent) -> None:
        """Nothing was read yet."""

    def onQueryProgress(self, event: QueryProgressEvent) -> None:
        """A micro-batch is done: all before its end offsets is."""
        if self._query is None or event.progress.name == self._query:
            self._commits.commit(ends(event.progress))

    def onQueryIdle(self, event: QueryIdleEvent) -> None:
        """Nothing new."""

    def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:
        """What was done is committed."""

    def close(self) -> None:
        """Let go of the connections, when the listener was removed."""
        self._brokers.close()


def ends(progress: StreamingQueryProgress) -> dict[Place, int]:
    """The next offset of each partition that a query has read of; of one that two sources read, the lower."""
    kafka = (source for source in progress.sources if source.description.startswith(_KAFKA))
    return lowest(by_topic(json.loads(source.endOffset) or {}) for source in kafka)
