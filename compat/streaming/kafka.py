"""`pyspark.streaming.kafka` as PySpark 2.4 had it last, on the Kafka of today.

Needs Spark's connector on the class path: ``--packages org.apache.spark:spark-sql-kafka-0-10_...``; where it
is missing, the error has the whole line. The names in `kafkaParams` are those of Kafka 0.8 or of today's
consumer, so what a cluster asks for (``security.protocol``, ``sasl.jaas.config``...) can be given as well."""

from __future__ import annotations

import uuid
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pyspark.sql import SparkSession
from pyspark.storagelevel import StorageLevel

from compat import graph
from compat.kafka import reading
from compat.kafka.brokers import Brokers
from compat.kafka.messages import Decoder, KafkaMessageAndMetadata
from compat.kafka.offsets import Broker, OffsetRange, TopicAndPartition
from compat.kafka.parameters import BOOTSTRAP, commits, from_earliest, setting, settings
from compat.kafka.places import Place, Span
from compat.kafka.planning import limit
from compat.kafka.reading import KafkaRDD as KafkaRDD
from compat.utf8 import utf8_decoder

if TYPE_CHECKING:
    from pyspark import SparkContext

    from compat.streaming.context import StreamingContext
    from compat.streaming.dstream import DStream

__all__ = [
    "Broker",
    "KafkaMessageAndMetadata",
    "KafkaUtils",
    "OffsetRange",
    "TopicAndPartition",
    "utf8_decoder",
]


class KafkaUtils:
    """Streams and RDDs of Kafka's messages.

    In the values of `kafkaParams`, ``${env:NAME}`` stands for a variable of the driver's environment and
    ``${spark.name}`` for a setting, so that no checkpoint holds a password.
    """

    @staticmethod
    def createStream(
        ssc: StreamingContext,
        zkQuorum: str,
        groupId: str,
        topics: dict[str, int],
        kafkaParams: dict[str, Any] | None = None,
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
        keyDecoder: Decoder = utf8_decoder,
        valueDecoder: Decoder = utf8_decoder,
    ) -> DStream[Any]:
        """Pairs of key and value of the messages of `topics`, from where the consumer group stands.

        There is no ZooKeeper to ask any more: the brokers are ``bootstrap.servers`` of `kafkaParams`, else of
        the environment's ``COMPAT_KAFKA_BOOTSTRAP``, else of the setting
        ``spark.compat.kafka.bootstrap``. The stream begins at the offsets that `groupId` has committed
        in Kafka; partitions without one at ``auto.offset.reset``, by default the end. There is no receiver:
        batches are read from Kafka, again after a crash, and none is lost. After each batch its offsets are
        committed, unless ``auto.commit.enable`` is false. Streams of one program with one group share the
        partitions; other programs with that group read all messages, too. A batch has a partition for each
        Kafka partition with messages. `storageLevel`, and the numbers of threads in `topics`, change nothing.

        Raises:
            TypeError: `topics` is no dict, or a decoder no function.
            ValueError: nobody says where the brokers are; ``auto.offset.reset`` is no word of Kafka's.
            RuntimeError: there is no connector, or Kafka does not answer.
        """
        if not isinstance(topics, dict):
            raise TypeError("topics should be dict")
        params = {} if kafkaParams is None else kafkaParams
        common = _common(ssc, tuple(topics), params, keyDecoder, valueDecoder)
        with Brokers(ssc.sparkContext, common["settings"]) as brokers:
            places = _places(brokers.partitions(common["topics"]))
            standing = brokers.committed(groupId, places)
            ends = brokers.earliest(places), brokers.latest(places)
        fallback = ends[0] if from_earliest(params) else ends[1]
        start = {
            place: standing[place]
            if place in standing and ends[0][place] <= standing[place] <= ends[1][place]
            else fallback[place]
            for place in places
        }
        rate = float(ssc.sparkContext.getConf().get("spark.streaming.receiver.maxRate", "0"))
        return ssc._add_stream(
            graph.KafkaReceiverStream(
                **common,
                start=_start(start),
                follows=True,
                limit=limit(rate / max(1, len(places)), ssc._interval_ms),
                group=groupId if commits(params) else None,
                group_key=(common["settings"][BOOTSTRAP], groupId),
            )
        )

    @staticmethod
    def createDirectStream(
        ssc: StreamingContext,
        topics: list[str],
        kafkaParams: dict[str, Any],
        fromOffsets: Mapping[TopicAndPartition, int] | None = None,
        keyDecoder: Decoder = utf8_decoder,
        valueDecoder: Decoder = utf8_decoder,
        messageHandler: Callable[[KafkaMessageAndMetadata], Any] | None = None,
        *,
        commitGroup: str | None = None,
    ) -> DStream[Any]:
        """Pairs of key and value of the messages of `topics`, a partition for each Kafka partition.

        Where the stream begins is decided now, at `fromOffsets` or ``auto.offset.reset``: ``smallest``, else
        the end. ``rdd.offsetRanges()`` is there in `transform` and `foreachRDD` on this very stream. Batches
        are limited by ``spark.streaming.kafka.maxRatePerPartition``, in messages per second. Partitions that
        a topic gains later are read from their first message, unless `fromOffsets` left some of the topic
        out.

        Messages that are gone before a batch got them, because they have expired, fail one batch, whose error
        names them; the next goes on with those that are there.

        Engine ``rdd``: listeners are told of no records.

        Args:
            ssc: the context.
            topics: their names.
            kafkaParams: ``metadata.broker.list`` or ``bootstrap.servers``, and what else a consumer is told.
            fromOffsets: the first offset of each partition; partitions that are not named are not read.
            keyDecoder: makes of a key's bytes, or None, what the stream has.
            valueDecoder: the same for values; None is a tombstone.
            messageHandler: makes the elements of `KafkaMessageAndMetadata`.
            commitGroup: the consumer group to which offsets are committed after each batch, for those who
                watch its lag; else ``COMPAT_KAFKA_COMMIT_GROUP``, else the setting
                ``spark.compat.kafka.commitGroup``, else none. The stream never begins there.

        Raises:
            TypeError: `topics` is no list, `kafkaParams` no dict, or a decoder no function.
            ValueError: nobody says where the brokers are; `fromOffsets` names other topics or a negative
                offset; ``auto.offset.reset`` is no word of Kafka's.
            RuntimeError: there is no connector, no such topic or partition, or Kafka does not answer.
        """
        if not isinstance(topics, list):
            raise TypeError("topics should be list")
        _check_params(kafkaParams)
        if messageHandler is not None and not callable(messageHandler):
            raise TypeError(f"messageHandler should be a function, not {messageHandler!r}")
        common = _common(ssc, tuple(topics), kafkaParams, keyDecoder, valueDecoder)
        given = {Place(place._topic, place._partition): n for place, n in (fromOffsets or {}).items()}
        _check_offsets(given, topics)
        sc = ssc.sparkContext
        with Brokers(sc, common["settings"]) as brokers:
            places = _there(brokers, common["topics"])
            _check_there(given, places, brokers)
            if not given:
                ask = brokers.earliest if from_earliest(kafkaParams) else brokers.latest
                start = ask(places)
        left_out = [place for place in places if place not in (given or start)]
        if left_out:
            warnings.warn(
                f"fromOffsets does not name {'; '.join(map(str, left_out))}: nothing is read of it",
                RuntimeWarning,
                stacklevel=2,
            )
        rate = sc.getConf().get("spark.streaming.kafka.maxRatePerPartition", "0")
        return ssc._add_stream(
            graph.KafkaDirectStream(
                **common,
                start=_start(given or start),
                follows=not left_out,
                limit=limit(float(rate), ssc._interval_ms),
                group=commitGroup or setting(sc, "commitGroup"),
                message_handler=messageHandler,
            )
        )

    @staticmethod
    def createRDD(
        sc: SparkContext,
        kafkaParams: dict[str, Any],
        offsetRanges: list[OffsetRange],
        leaders: Mapping[TopicAndPartition, Broker] | None = None,
        keyDecoder: Decoder = utf8_decoder,
        valueDecoder: Decoder = utf8_decoder,
        messageHandler: Callable[[KafkaMessageAndMetadata], Any] | None = None,
    ) -> KafkaRDD:
        """The messages of those offsets, a partition for each range; it has `offsetRanges()`.

        `leaders` are not needed: clients find them by themselves.

        Raises:
            TypeError: `kafkaParams` is no dict, `offsetRanges` no list, or a decoder no function.
            ValueError: nobody says where the brokers are.
            RuntimeError: there is no connector, Kafka does not answer, or does not have these offsets.
        """
        _check_params(kafkaParams)
        if not isinstance(offsetRanges, list):
            raise TypeError("offsetRanges should be list")
        decoders = _decoders(keyDecoder, valueDecoder)
        consumer = _settings(sc, kafkaParams)
        spans = [Span(r.topic, r.partition, r.fromOffset, r.untilOffset) for r in offsetRanges]
        with Brokers(sc, consumer) as brokers:
            places = _there(brokers, tuple(dict.fromkeys(span.topic for span in spans)))
            _check_there((span.place for span in spans), places, brokers)
            first, last = (ask([span.place for span in spans]) for ask in (brokers.earliest, brokers.latest))
        absent = [s for s in spans if not first[s.place] <= s.first <= s.until <= last[s.place]]
        if absent:
            raise RuntimeError(f"Offsets not available on leader: {', '.join(map(_range, absent))}")
        session = SparkSession.builder.getOrCreate()
        return reading.rdd(session, consumer, _identity(), spans, decoders, messageHandler)


def _common(
    ssc: StreamingContext, topics: tuple[str, ...], params: Mapping[str, Any], key: Decoder, value: Decoder
) -> dict[str, Any]:
    """What both kinds of streams have."""
    sc = ssc.sparkContext
    if not topics:
        raise ValueError("topics are missing")
    if sc.getConf().get("spark.streaming.backpressure.enabled", "false") == "true":
        warnings.warn(
            "spark.streaming.backpressure.enabled has no effect on Kafka; a limit that has is"
            " spark.streaming.kafka.maxRatePerPartition",
            RuntimeWarning,
            stacklevel=3,
        )
    key_decoder, value_decoder = _decoders(key, value)
    return {
        "interval_ms": ssc._interval_ms,
        "topics": tuple(dict.fromkeys(topics)),
        "settings": _settings(sc, params),
        "key_decoder": key_decoder,
        "value_decoder": value_decoder,
        "fail_on_data_loss": (setting(sc, "failOnDataLoss") or "true").lower() != "false",
        "identity": _identity(),
    }


def _settings(sc: SparkContext, params: Mapping[str, Any]) -> dict[str, str]:
    found = settings(params)
    brokers = found.get(BOOTSTRAP) or setting(sc, "bootstrap")
    if brokers is None:
        raise ValueError(
            "nobody says where the Kafka brokers are: give bootstrap.servers in kafkaParams, or set"
            " COMPAT_KAFKA_BOOTSTRAP, or spark.compat.kafka.bootstrap, to host:port,host:port"
        )
    return {**found, BOOTSTRAP: brokers}


def _decoders(key: Decoder, value: Decoder) -> tuple[Decoder | None, Decoder | None]:
    """The decoders; None stands for `utf8_decoder`, which workers have a quicker way for."""
    for name, decoder in (("keyDecoder", key), ("valueDecoder", value)):
        if not callable(decoder):
            raise TypeError(f"{name} should be a function, not {decoder!r}")
    return None if key is utf8_decoder else key, None if value is utf8_decoder else value


def _check_params(params: object) -> None:
    if not isinstance(params, dict):
        raise TypeError("kafkaParams should be dict")


def _check_offsets(given: Mapping[Place, int], topics: list[str]) -> None:
    named = {place.topic for place in given}
    if given and named != set(topics):
        raise ValueError(f"the topics {sorted(topics)} are not those of fromOffsets, {sorted(named)}")
    negative = [place for place, offset in given.items() if offset < 0]
    if negative:
        raise ValueError(f"fromOffsets: the offset of {negative[0]} is negative")


def _there(brokers: Brokers, topics: tuple[str, ...]) -> list[Place]:
    there = brokers.partitions(topics)
    absent = [topic for topic in topics if topic not in there]
    if absent:
        raise RuntimeError(f"there is no topic {', '.join(absent)} at {brokers.address}")
    return _places(there)


def _check_there(asked: Any, places: list[Place], brokers: Brokers) -> None:
    absent = [place for place in asked if place not in places]
    if absent:
        raise RuntimeError(f"there is no {absent[0]} at {brokers.address}")


def _places(there: Mapping[str, int]) -> list[Place]:
    return [Place(topic, number) for topic, count in there.items() for number in range(count)]


def _start(offsets: Mapping[Place, int]) -> tuple[tuple[str, int, int], ...]:
    return tuple((*place, offset) for place, offset in offsets.items())


def _range(span: Span) -> str:
    return str(OffsetRange(*span))


def _identity() -> str:
    return f"compat-{uuid.uuid4()}"
