"""Messages as DataFrames and RDDs, a partition for each span of offsets.

They are read by the connector's ``KafkaSourceRDD``, on which its ``spark.read.format("kafka")`` stands as
well. That one asks Kafka for offsets which are known here, drops empty partitions, and opens new connections
for each read; the RDD does what it is told, and keeps its consumers from batch to batch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pyspark import cloudpickle
from pyspark.rdd import RDD, PipelinedRDD
from pyspark.serializers import BatchedSerializer, CPickleSerializer, NoOpSerializer, PairDeserializer
from pyspark.sql import DataFrame

from compat.credentials import all_resolved
from compat.kafka import messages, offsets
from compat.kafka.connector import connected
from compat.kafka.offsets import OffsetRange

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    from compat.kafka.messages import Decoder
    from compat.kafka.places import Span

# Executors do not have `compat`.
for module in (messages, offsets):
    cloudpickle.register_pickle_by_value(module)

_ALL_FETCHED = "100000"
"""The connector throws away what was fetched beyond one poll, and Kafka's default is 500 records."""
_AT_ONCE = "10"
"""Milliseconds that Kafka keeps a fetch for which there is nothing. A consumer sends its next fetch ahead,
and what the connector asks on the same connection, for the range of offsets, waits behind it: half a second
for each partition by Kafka's default. Nothing that is not there is ever read."""
_BYTES = "org.apache.kafka.common.serialization.ByteArrayDeserializer"


def frame(
    session: SparkSession, settings: Mapping[str, str], identity: str, spans: Iterable[Span]
) -> DataFrame:
    """The connector's columns, a partition for each span.

    Args:
        session: whose DataFrame it is.
        settings: a consumer's.
        identity: executors keep the consumers of one identity for its next batch.
        spans: what is read.
    """
    context: Any = session.sparkContext
    jvm = connected(context)
    kafka = jvm.org.apache.spark.sql.kafka010
    ranges = jvm.java.util.ArrayList()
    for span in spans:
        place = jvm.org.apache.kafka.common.TopicPartition(span.topic, span.partition)
        ranges.add(kafka.KafkaOffsetRange(place, span.first, span.until, jvm.scala.Option.empty()))
    consumer = jvm.java.util.HashMap()
    for name, value in consumer_settings(settings, identity).items():
        consumer.put(name, value)
    timeout = jvm.org.apache.spark.network.util.JavaUtils.timeStringAsMs(
        context.getConf().get("spark.network.timeout", "120s")
    )
    records = kafka.KafkaSourceRDD(
        context._jsc.sc(),
        consumer,
        jvm.org.apache.spark.api.python.PythonUtils.toSeq(ranges),
        timeout,
        True,
    )
    row = jvm.java.lang.Class.forName("org.apache.spark.sql.catalyst.InternalRow")
    rows = records.map(
        kafka.KafkaRecordToRowConverter().toInternalRowWithoutHeaders(),
        jvm.scala.reflect.ClassManifestFactory.fromClass(row),
    )
    schema = kafka.KafkaRecordToRowConverter.kafkaSchema(False)
    java = session._jsparkSession.internalCreateDataFrame(rows, schema, False)
    return DataFrame(java, session)


def consumer_settings(settings: Mapping[str, str], identity: str) -> dict[str, str]:
    """What an executor's consumer is made with: the user's settings, and what the connector itself adds."""
    unless_set = {"max.poll.records": _ALL_FETCHED, "fetch.max.wait.ms": _AT_ONCE}
    own = {
        "key.deserializer": _BYTES,
        "value.deserializer": _BYTES,
        "auto.offset.reset": "none",
        "group.id": f"{identity}-executor",
        "enable.auto.commit": "false",
    }
    return {**unless_set, **all_resolved(settings), **own}


class KafkaRDD(RDD[Any]):  # type: ignore[misc]
    """Messages of Kafka, and which ones."""

    def __init__(self, jrdd: Any, ctx: SparkContext, jrdd_deserializer: Any, spans: Iterable[Span]) -> None:
        super().__init__(jrdd, ctx, jrdd_deserializer)
        self._spans = tuple(spans)

    def offsetRanges(self) -> list[OffsetRange]:
        """The offsets of each partition, in the partitions' order."""
        return [OffsetRange(*span) for span in self._spans]


class _Elements(PipelinedRDD[Any, Any], KafkaRDD):  # type: ignore[misc]
    """A KafkaRDD whose decoders are fused with what comes after them."""

    def __init__(self, raw: RDD[Any], function: Any, spans: Iterable[Span]) -> None:
        PipelinedRDD.__init__(self, raw, lambda _, rows: function(rows))
        self._spans = tuple(spans)


def rdd(
    session: SparkSession,
    settings: Mapping[str, str],
    identity: str,
    spans: Sequence[Span],
    decoders: tuple[Decoder | None, Decoder | None],
    handler: Any,
) -> KafkaRDD:
    """The elements of a stream, a partition for each span; `decoders` and `handler` are those of a
    program."""
    read = frame(session, settings, identity, spans)
    context = session.sparkContext
    if handler is not None:
        java: Any = read.select(*messages.WHOLE)._jdf
        rows: RDD[Any] = RDD(java.javaToPython(), context, BatchedSerializer(CPickleSerializer()))
        return _Elements(rows, messages.handler(handler, *decoders), spans)
    encoders = connected(context).org.apache.spark.sql.Encoders
    both = encoders.tuple(encoders.BINARY(), encoders.BINARY())
    typed = getattr(read.select(*messages.PAIR)._jdf, "as")(both)
    pairs: RDD[Any] = RDD(typed.javaRDD(), context, PairDeserializer(NoOpSerializer(), NoOpSerializer()))
    return _Elements(pairs, messages.decoder(*decoders), spans)
