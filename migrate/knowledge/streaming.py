"""Members of `pyspark.streaming`: one row for each.

The names are those of PySpark 2.4 to 4.x, whose Python streaming API differs in nothing but sources.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from functools import lru_cache

from migrate.knowledge.elements import Calls, Empty, Layout
from migrate.knowledge.table import names, read_table


class Gives(enum.Enum):
    """The kind of the result of a call, for the tracer."""

    STREAM = "stream"
    """A new DStream."""
    ITSELF = "itself"
    """The DStream that it was called on."""
    CONTEXT = "context"
    """The StreamingContext."""
    SPARK = "spark"
    """The SparkContext."""
    NOTHING = "nothing"
    """Nothing that is traced."""


class Origin(enum.Enum):
    """The origin of the elements of a source."""

    RECEIVER = "receiver"
    """A receiver, which gives them in the order in which they come; they are gone after a restart."""
    FILES = "files"
    QUEUE = "queue"
    """RDDs of the program's own."""
    ABSENT = "-"
    """It is no source."""


@dataclass(frozen=True)
class ContextMember:
    """One row of the table of a StreamingContext's members."""

    gives: Gives
    source: Origin
    lifecycle: bool
    """Whether it starts the context, waits for it or stops it."""


CONTEXT_MEMBERS = read_table(
    """
name                        gives   source   lifecycle
socketTextStream            stream  receiver -
textFileStream              stream  files    -
binaryRecordsStream         stream  files    -
queueStream                 stream  queue    -
union                       stream  -        -
transform                   stream  -        -
start                       nothing -        yes
awaitTermination            nothing -        yes
awaitTerminationOrTimeout   nothing -        yes
stop                        nothing -        yes
checkpoint                  nothing -        -
remember                    nothing -        -
addStreamingListener        nothing -        -
sparkContext                spark   -        -
""",
    ContextMember,
)
"""Members of a StreamingContext."""
CONTEXT: dict[str, Gives] = {name: row.gives for name, row in CONTEXT_MEMBERS.items()}
SOURCES = names(CONTEXT_MEMBERS, lambda row: row.source is not Origin.ABSENT)
"""Methods of a StreamingContext that make a stream: its sources."""
RECEIVERS = names(CONTEXT_MEMBERS, lambda row: row.source is Origin.RECEIVER)
"""Sources whose data is gone after a restart."""
TEXT_FILES = "textFileStream"
"""The source of lines of files that appear in a directory."""
QUEUE = "queueStream"
"""The source of RDDs of the program's own."""
SAVES_TEXTS = "saveAsTextFiles"
"""The output that saves the text of each element."""
LIFECYCLE = names(CONTEXT_MEMBERS, lambda row: row.lifecycle)

FACTORIES = frozenset({"getOrCreate", "getActive", "getActiveOrCreate"})
"""Class methods of StreamingContext that give a context."""


class Span(enum.Enum):
    """The elements that an operator works on together, or one by one."""

    BATCH = "batch"
    """The elements of one batch."""
    WINDOW = "window"
    """The elements of a sliding window of batches."""
    STATE = "state"
    """All elements so far, by way of a state."""


class Groups(enum.Enum):
    """The grouping in the native form of an operator that is an aggregate."""

    ALL = "all"
    """All rows are one group."""
    KEY = "key"
    ELEMENT = "element"
    """Equal elements are a group."""
    ABSENT = "-"
    """It is no aggregate, or has no native form as one."""


@dataclass(frozen=True)
class Operator:
    """One row of the table of a DStream's members."""

    gives: Gives
    output: bool
    """Whether it makes the context compute the stream."""
    span: Span
    layout: Layout
    """The partitions and order of the elements in each batch of the new stream."""
    empty: Empty
    """The batch of the new stream for one without elements.

    A window over event time goes on with input only; one over processing time has a batch in each interval.
    """
    calls: Calls
    groups: Groups


OPERATORS = read_table(
    """
name                    gives   output span   layout   empty calls     groups
# each element by itself
map                     stream  -      batch  kept     none  element   -
flatMap                 stream  -      batch  kept     none  element   -
filter                  stream  -      batch  kept     none  element   -
mapValues               stream  -      batch  kept     none  element   -
flatMapValues           stream  -      batch  kept     none  element   -
# each partition by itself; the functions of `mapPartitions` are followed only if they do the same
mapPartitions           stream  -      batch  kept     none  partition -
mapPartitionsWithIndex  stream  -      batch  kept     some  partition -
glom                    stream  -      batch  kept     some  -         -
# the same elements
cache                   itself  -      batch  kept     none  -         -
persist                 itself  -      batch  kept     none  -         -
checkpoint              itself  -      batch  kept     none  -         -
repartition             stream  -      batch  shuffled none  -         -
partitionBy             stream  -      batch  shuffled none  -         -
union                   stream  -      batch  joined   none  -         -
# the elements of a key together
reduceByKey             stream  -      batch  shuffled none  values    key
combineByKey            stream  -      batch  shuffled none  values    -
groupByKey              stream  -      batch  shuffled none  -         -
join                    stream  -      batch  shuffled none  -         -
leftOuterJoin           stream  -      batch  shuffled none  -         -
rightOuterJoin          stream  -      batch  shuffled none  -         -
fullOuterJoin           stream  -      batch  shuffled none  -         -
cogroup                 stream  -      batch  shuffled none  -         -
updateStateByKey        stream  -      state  shuffled some  state     key
# all elements together
count                   stream  -      batch  shuffled some  -         all
countByValue            stream  -      batch  shuffled none  -         element
reduce                  stream  -      batch  shuffled none  values    all
# several batches
window                  stream  -      window joined   none  -         -
reduceByWindow          stream  -      window shuffled none  values    all
countByWindow           stream  -      window shuffled none  -         all
countByValueAndWindow   stream  -      window shuffled none  -         element
reduceByKeyAndWindow    stream  -      window shuffled none  values    key
groupByKeyAndWindow     stream  -      window shuffled none  -         -
# RDDs
transform               stream  -      batch  -        some  rdd       -
transformWith           stream  -      batch  -        some  rdd       -
foreachRDD              nothing yes    batch  -        some  rdd       -
pprint                  nothing yes    batch  -        some  -         -
saveAsTextFiles         nothing yes    batch  -        some  -         -
slice                   nothing -      batch  -        some  -         -
context                 context -      batch  -        some  -         -
""",
    Operator,
)
"""Members of a DStream."""
STREAM: dict[str, Gives] = {name: row.gives for name, row in OPERATORS.items()}
OUTPUTS = names(OPERATORS, lambda row: row.output)
ROWWISE = names(OPERATORS, lambda row: row.layout is Layout.KEPT and row.calls is Calls.ELEMENT)
"""Operators that do something with each element by itself."""
OF_VALUES = frozenset({"mapValues", "flatMapValues"})
"""Those whose function gets the value of a pair."""
OF_ELEMENTS = ROWWISE - OF_VALUES
"""Those whose function gets the element."""
ITSELF = names(OPERATORS, lambda row: row.gives is Gives.ITSELF)
"""Operators that give the stream that they are called on: ``cache``."""
KEEPS_KEYS = ITSELF | {"filter", "mapValues"}
"""Operators of one stream that leave each element its key."""
KEEPS_ARRIVAL = ROWWISE | ITSELF | {"mapPartitions", "union"}
"""Operators that keep the order of arrival; a union keeps it within each stream."""
SHUFFLING = names(OPERATORS, lambda row: row.layout is Layout.SHUFFLED)
"""Operators after which elements are in no order of their own, or alone."""
SHUFFLES_SEVERAL = SHUFFLING & names(OPERATORS, lambda row: row.groups is not Groups.ALL)
"""Those of them that leave more elements than one."""
KEYED = names(OPERATORS, lambda row: row.groups in {Groups.KEY, Groups.ELEMENT})
"""Operators that give one pair for each key, or for equal elements."""
NONE_WITHOUT_INPUT = names(OPERATORS, lambda row: row.empty is Empty.NONE)
"""Operators that give an empty batch for an empty one; a count gives 0."""
OF_PARTITIONS = names(OPERATORS, lambda row: row.calls is Calls.PARTITION)
"""Operators whose function is called for whole partitions."""
CALLBACKS = names(OPERATORS, lambda row: row.calls is Calls.RDD)
"""Operators whose function is called with the RDD of each batch."""
WINDOWS = names(OPERATORS, lambda row: row.span is Span.WINDOW)
STATES = names(OPERATORS, lambda row: row.span is Span.STATE)
"""Operators that keep a state for each key from batch to batch."""
ONLY_OF_STREAMS = (STATES | WINDOWS | {"foreachRDD"}) - {"window"}
"""Those that no other object has."""
OF_SEVERAL_BATCHES = WINDOWS | STATES
CHECKPOINTED = OF_SEVERAL_BATCHES - {"window"}
"""Operators that need a directory for checkpoints: DStream keeps their last result (`mustCheckpoint`)."""
INVERSES = {"reduceByKeyAndWindow": "invFunc", "reduceByWindow": "invReduceFunc"}
"""Those of them that need it only with an inverse, with that parameter, the second one."""
AGGREGATES = names(OPERATORS, lambda row: row.span is Span.BATCH and row.groups is not Groups.ABSENT)
"""Operators that aggregate the elements of a batch, and natively those of a window before them."""
REDUCING = names(OPERATORS, lambda row: row.calls is Calls.VALUES) - {"combineByKey"}
"""Operators whose first argument makes one value of two."""
GROUPED_BY_KEY = names(OPERATORS, lambda row: row.groups is Groups.KEY)
"""Operators whose native form groups pairs by their key."""
ONE_OF_EACH = (AGGREGATES | STATES) & names(OPERATORS, lambda row: row.groups is not Groups.ALL)
"""Operators that give one element for each key, or for equal elements, in each batch."""


@lru_cache(maxsize=256)
def rule_id(operator: str) -> str:
    """The name of the rule that is in charge of a member: ``reduceByKey`` -> ``reduce_by_key``."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", operator)
    return words.lower()
