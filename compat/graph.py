"""What a streaming program asks for, neutral of any engine.

One small frozen class per operator of ``pyspark.streaming``: the *only* place where an operator is named.
Both engines, the support table and the parity tests follow the catalogue at the end of this file.

All durations are whole milliseconds, as in Spark's ``Duration``. Nodes compare by identity: two ``map`` calls
with the same function are two streams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

Function = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Node:
    """A stream or an output of a program."""

    operator: ClassVar[str]
    """The name of the ``pyspark.streaming`` member that asks for this node."""

    @property
    def parents(self) -> tuple[Stream, ...]:
        """The streams that this node reads, in the order of the call."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Stream(Node):
    """A node with elements of its own, a batch of them every `slide_ms`."""

    @property
    def slide_ms(self) -> int:
        """Milliseconds between two batches of this stream."""
        return self.parents[0].slide_ms


# --- sources ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Source(Stream):
    """A stream without parents; it has a batch in every batch interval."""

    interval_ms: int

    @property
    def parents(self) -> tuple[Stream, ...]:
        return ()

    @property
    def slide_ms(self) -> int:
        return self.interval_ms


@dataclass(frozen=True, eq=False)
class Received(Source):
    """What a `compat.receivers.receiver.Receiver` stores; it has a partition for each block.

    Lost in a crash if it was received and not put out: there is nobody to ask for it again.
    """

    receiver: Any


@dataclass(frozen=True, eq=False)
class SocketTextStream(Received):
    operator: ClassVar[str] = "socketTextStream"
    storage_level: Any


@dataclass(frozen=True, eq=False)
class ReceiverStream(Received):
    """A source that `pyspark.streaming` has, or had, in a module of its own."""

    operator: ClassVar[str] = "receiverStream"
    identity: str
    """A name of its own."""


@dataclass(frozen=True, eq=False)
class FileStream(Source):
    """The files that appear in a directory."""

    directory: str


@dataclass(frozen=True, eq=False)
class TextFileStream(FileStream):
    operator: ClassVar[str] = "textFileStream"


@dataclass(frozen=True, eq=False)
class BinaryRecordsStream(FileStream):
    """Elements are the `record_length` bytes of a record."""

    operator: ClassVar[str] = "binaryRecordsStream"
    record_length: int


@dataclass(frozen=True, eq=False)
class QueueStream(Source):
    """`rdds` as they were when the stream was created: later changes to the list are not seen."""

    operator: ClassVar[str] = "queueStream"
    rdds: tuple[Any, ...]
    one_at_a_time: bool
    default: Any


@dataclass(frozen=True, eq=False)
class FromDF(Source):
    """The rows of `frame`; of a static one in every batch, of a streaming one those that came since the last.

    `function` makes the DataFrame anew for a recovered run; None: the program gave the DataFrame itself.
    """

    operator: ClassVar[str] = "from_df"
    frame: Any
    function: Function | None
    schema: Any
    streaming: bool


@dataclass(frozen=True, eq=False)
class KafkaStream(Source):
    """The messages of topics, from certain offsets on."""

    topics: tuple[str, ...]
    settings: dict[str, str]
    """Those of a Kafka consumer, ``bootstrap.servers`` among them."""
    start: tuple[tuple[str, int, int], ...]
    """Topic, partition, and the offset of the first message."""
    follows: bool
    """Whether partitions that are not in `start` are read, too, when they come."""
    key_decoder: Function | None
    """None: bytes are text in UTF-8."""
    value_decoder: Function | None
    limit: int | None
    """How many messages of a partition a batch gets at most."""
    fail_on_data_loss: bool
    group: str | None
    """The consumer group whose offsets are committed after each batch."""
    identity: str
    """A name of its own."""


@dataclass(frozen=True, eq=False)
class KafkaDirectStream(KafkaStream):
    """Elements are pairs of key and value, or what `message_handler` makes of a KafkaMessageAndMetadata.

    It has a partition for each partition of the topics.
    """

    operator: ClassVar[str] = "createDirectStream"
    message_handler: Function | None


@dataclass(frozen=True, eq=False)
class KafkaReceiverStream(KafkaStream):
    """Elements are pairs of key and value; streams of one group share their topics' partitions.

    It has a partition for each partition of the topics that has messages.
    """

    operator: ClassVar[str] = "createStream"
    group_key: tuple[str, str]
    """The brokers and the consumer group."""


@dataclass(frozen=True, eq=False)
class KinesisStream(Source):
    """Elements are the data of records; an aggregated record has several. Streams of one application share
    the shards.

    It has a partition for each shard that is read, if there are records.
    """

    operator: ClassVar[str] = "KinesisUtils.createStream"
    application: Any
    """A `compat.kinesis.application.Application`."""
    identity: str
    """A name of its own."""


@dataclass(frozen=True, eq=False)
class JavaDStream(Source):
    """A DStream of the JVM that the program made by itself, with the serializer of its elements.

    The program wraps it in a ``DStream``, which is why that is the operator's name.
    """

    operator: ClassVar[str] = "DStream"
    java: Any
    serializer: Any


# --- one parent ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Derived(Stream):
    """A stream made from one other."""

    parent: Stream

    @property
    def parents(self) -> tuple[Stream, ...]:
        return (self.parent,)


@dataclass(frozen=True, eq=False)
class Narrow(Derived):
    """An operator within a partition: what it makes of an element depends on no other partition or batch."""


@dataclass(frozen=True, eq=False)
class Map(Narrow):
    operator: ClassVar[str] = "map"
    function: Function
    preserves_partitioning: bool = False


@dataclass(frozen=True, eq=False)
class FlatMap(Narrow):
    operator: ClassVar[str] = "flatMap"
    function: Function
    preserves_partitioning: bool = False


@dataclass(frozen=True, eq=False)
class Filter(Narrow):
    operator: ClassVar[str] = "filter"
    function: Function


@dataclass(frozen=True, eq=False)
class MapValues(Narrow):
    operator: ClassVar[str] = "mapValues"
    function: Function


@dataclass(frozen=True, eq=False)
class FlatMapValues(Narrow):
    operator: ClassVar[str] = "flatMapValues"
    function: Function


@dataclass(frozen=True, eq=False)
class MapPartitions(Narrow):
    operator: ClassVar[str] = "mapPartitions"
    function: Function
    preserves_partitioning: bool = False


@dataclass(frozen=True, eq=False)
class MapPartitionsWithIndex(Narrow):
    """`function` takes the number of the partition and an iterator over its elements."""

    operator: ClassVar[str] = "mapPartitionsWithIndex"
    function: Function
    preserves_partitioning: bool = False


@dataclass(frozen=True, eq=False)
class Glom(Narrow):
    operator: ClassVar[str] = "glom"


@dataclass(frozen=True, eq=False)
class Repartition(Derived):
    operator: ClassVar[str] = "repartition"
    num_partitions: int


@dataclass(frozen=True, eq=False)
class PartitionBy(Derived):
    """`function` takes a key; its value modulo `num_partitions` is the number of the key's partition."""

    operator: ClassVar[str] = "partitionBy"
    num_partitions: int
    function: Function


@dataclass(frozen=True, eq=False)
class CombineByKey(Derived):
    operator: ClassVar[str] = "combineByKey"
    create_combiner: Function
    merge_value: Function
    merge_combiners: Function
    num_partitions: int | None = None


@dataclass(frozen=True, eq=False)
class ReduceByKey(Derived):
    operator: ClassVar[str] = "reduceByKey"
    function: Function
    num_partitions: int | None = None


@dataclass(frozen=True, eq=False)
class GroupByKey(Derived):
    operator: ClassVar[str] = "groupByKey"
    num_partitions: int | None = None


@dataclass(frozen=True, eq=False)
class Count(Derived):
    operator: ClassVar[str] = "count"


@dataclass(frozen=True, eq=False)
class CountByValue(Derived):
    operator: ClassVar[str] = "countByValue"


@dataclass(frozen=True, eq=False)
class Reduce(Derived):
    operator: ClassVar[str] = "reduce"
    function: Function


@dataclass(frozen=True, eq=False)
class UpdateStateByKey(Derived):
    operator: ClassVar[str] = "updateStateByKey"
    function: Function
    num_partitions: int | None = None
    initial_rdd: Any = None


@dataclass(frozen=True, eq=False)
class Sliding(Derived):
    """A stream over the batches of its parent in the last `window_ms`, every `every_ms`."""

    window_ms: int
    every_ms: int

    @property
    def slide_ms(self) -> int:
        return self.every_ms


@dataclass(frozen=True, eq=False)
class Window(Sliding):
    operator: ClassVar[str] = "window"


@dataclass(frozen=True, eq=False)
class ReduceByKeyAndWindow(Sliding):
    operator: ClassVar[str] = "reduceByKeyAndWindow"
    function: Function
    inverse: Function | None
    num_partitions: int | None = None
    filter_function: Function | None = None


KEEPS_ELEMENTS = (Filter, Repartition, Window)
"""Streams whose elements are elements of their parent."""

# --- several parents ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Union(Stream):
    """`DStream.union` and `StreamingContext.union`: the partitions of one parent after those of the other."""

    operator: ClassVar[str] = "union"
    streams: tuple[Stream, ...]

    @property
    def parents(self) -> tuple[Stream, ...]:
        return self.streams


@dataclass(frozen=True, eq=False)
class Pairing(Stream):
    """Two streams brought together by key; the result slides with the left one.

    At each of its times the right side is its RDD of that same time, or an RDD without partitions if it has
    none then; so is the left side, where a `transform` returned None.
    """

    left: Stream
    right: Stream
    num_partitions: int | None = None

    @property
    def parents(self) -> tuple[Stream, ...]:
        return (self.left, self.right)


@dataclass(frozen=True, eq=False)
class Join(Pairing):
    operator: ClassVar[str] = "join"


@dataclass(frozen=True, eq=False)
class LeftOuterJoin(Pairing):
    operator: ClassVar[str] = "leftOuterJoin"


@dataclass(frozen=True, eq=False)
class RightOuterJoin(Pairing):
    operator: ClassVar[str] = "rightOuterJoin"


@dataclass(frozen=True, eq=False)
class FullOuterJoin(Pairing):
    operator: ClassVar[str] = "fullOuterJoin"


@dataclass(frozen=True, eq=False)
class Cogroup(Pairing):
    operator: ClassVar[str] = "cogroup"


@dataclass(frozen=True, eq=False)
class Transform(Stream):
    """A callback from RDDs to an RDD, called on the driver for each batch.

    `function` is the user's own; `with_time` says whether the batch time is its first argument;
    `as_tuple` that it takes the RDDs in one tuple (`StreamingContext.transform`). With two streams and no
    tuple it is `DStream.transformWith`: the result slides with the first, a side without an RDD is empty.
    """

    operator: ClassVar[str] = "transform"
    streams: tuple[Stream, ...]
    function: Function
    with_time: bool = False
    as_tuple: bool = False

    @property
    def parents(self) -> tuple[Stream, ...]:
        return self.streams


# --- outputs ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Output(Node):
    """An action on each batch of `parent`; outputs run in the order in which they were asked for."""

    parent: Stream

    @property
    def parents(self) -> tuple[Stream, ...]:
        return (self.parent,)


@dataclass(frozen=True, eq=False)
class ForeachRDD(Output):
    operator: ClassVar[str] = "foreachRDD"
    function: Function
    with_time: bool


@dataclass(frozen=True, eq=False)
class ForeachBatch(Output):
    """`function` takes each batch as a DataFrame of `schema`, a StructType, and the batch time as its id."""

    operator: ClassVar[str] = "foreachBatch"
    function: Function
    schema: Any


@dataclass(frozen=True, eq=False)
class PPrint(Output):
    operator: ClassVar[str] = "pprint"
    num: int = 10


@dataclass(frozen=True, eq=False)
class SaveAsTextFiles(Output):
    operator: ClassVar[str] = "saveAsTextFiles"
    prefix: str
    suffix: str | None = None


# --- the program --------------------------------------------------------------------------------------------


@dataclass
class Graph:
    """All that one StreamingContext was asked for, in the order in which it was asked."""

    interval_ms: int
    nodes: list[Node] = field(default_factory=list)
    persisted: dict[Stream, Any] = field(default_factory=dict)
    """Streams that the program asked to keep (`cache`, `persist`), and their storage level."""
    checkpointed: dict[Stream, int] = field(default_factory=dict)
    """Streams that the program asked to write out (`DStream.checkpoint`), and every how many milliseconds."""
    remembered_ms: int = 0
    """How long a batch can be asked for by `slice`; at least until the next batch of its stream is done."""

    @property
    def outputs(self) -> list[Output]:
        """The outputs, in the order in which they run."""
        return [node for node in self.nodes if isinstance(node, Output)]

    @property
    def sources(self) -> list[Source]:
        """The sources, in the order in which they were created."""
        return [node for node in self.nodes if isinstance(node, Source)]

    @property
    def read(self) -> frozenset[Stream]:
        """The streams that outputs are made from; the others never have a batch."""
        return frozenset().union(*map(ancestors, self.outputs))

    def consumers(self, stream: Stream) -> int:
        """How many nodes of the program read `stream`."""
        return sum(parent is stream for node in self.nodes for parent in node.parents)


def ancestors(node: Node) -> frozenset[Stream]:
    """All streams that `node` is made from."""
    found: set[Stream] = set()
    waiting = list(node.parents)
    while waiting:
        stream = waiting.pop()
        if stream not in found:
            found.add(stream)
            waiting.extend(stream.parents)
    return frozenset(found)


def functions(node: Node) -> Iterator[tuple[str, Function]]:
    """The user's functions that `node` holds, with the name of the field of each."""
    for entry in fields(node):
        value = getattr(node, entry.name)
        if callable(value) and not isinstance(value, Node):
            yield entry.name, value


def _concrete(base: type[Node]) -> Iterator[type[Node]]:
    for cls in base.__subclasses__():
        if "operator" in cls.__dict__:
            yield cls
        yield from _concrete(cls)


def catalogue() -> dict[str, type[Node]]:
    """Every operator by the name that `pyspark.streaming` gives it."""
    return {cls.operator: cls for cls in _concrete(Node)}
