"""Methods and attributes of an RDD, those of `pyspark.RDD` from Spark 2.4 to 4.x: one row for each."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from migrate.knowledge.elements import Calls, Empty, Layout
from migrate.knowledge.table import names, read_table


class Result(enum.Enum):
    """The kind of object that a call returns."""

    RDD = "rdd"
    ITSELF = "itself"
    """The RDD that it was called on."""
    VALUE = "value"
    """One value on the driver: a number, an element, a text."""
    LIST = "list"
    ITERATOR = "iterator"
    DICT = "dict"
    FRAME = "frame"
    """A DataFrame."""
    CONTEXT = "context"
    """The SparkContext."""
    NOTHING = "nothing"


class Shows(enum.Enum):
    """The properties, beside the elements themselves, that the result depends on."""

    ELEMENTS = "elements"
    """Nothing."""
    ORDER = "order"
    """The order in which the elements lie, which programs do not rely on: DStream does not promise any."""
    SUMS = "sums"
    """Order and partitions, unless the function that combines values is associative and commutative."""
    GROUPS = "groups"
    """Order and partitions, as the values of a key are put together one after the other."""
    FUNCTION = "function"
    """Order and partitions, as far as the function shows them that goes through a partition."""
    LAYOUT = "layout"
    """Order and partitions, or chance. Nothing is proven about these methods."""


class Writes(enum.Enum):
    """The argument that says where and how a method saves the RDD."""

    PATH = "path"
    """The first one is the path of a directory of files."""
    FORMAT = "format"
    """``outputFormatClass`` decides whether there are files."""
    SETTINGS = "settings"
    """A dict of Hadoop's settings decides whether there are files."""
    ABSENT = "-"
    """It saves nothing."""


@dataclass(frozen=True)
class Method:
    """One row of the table."""

    gives: Result
    layout: Layout
    empty: Empty
    calls: Calls
    shows: Shows
    same: bool
    """Whether the elements of the RDD that is returned are some or all of the RDD's own, unchanged."""
    floats: bool
    """Whether it makes floats of other elements by itself: ``mean``."""
    writes: Writes


METHODS = read_table(
    """
name                               gives    layout   empty         calls     shows    same floats writes
# each element by itself
map                                rdd      kept     none          element   elements -    -      -
flatMap                            rdd      kept     none          element   elements -    -      -
filter                             rdd      kept     none          element   elements yes  -      -
mapValues                          rdd      kept     none          element   elements -    -      -
flatMapValues                      rdd      kept     none          element   elements -    -      -
keyBy                              rdd      kept     none          element   elements -    -      -
keys                               rdd      kept     none          -         elements -    -      -
values                             rdd      kept     none          -         elements -    -      -
foreach                            nothing  -        none          element   elements -    -      -
# each partition by itself
mapPartitions                      rdd      kept     some          partition function -    -      -
mapPartitionsWithIndex             rdd      kept     some          partition layout   -    -      -
mapPartitionsWithSplit             rdd      kept     some          partition layout   -    -      -
foreachPartition                   nothing  -        some          partition function -    -      -
glom                               rdd      kept     some          -         layout   -    -      -
pipe                               rdd      kept     some          -         layout   -    -      -
zipWithIndex                       rdd      kept     none          -         layout   -    -      -
zipWithUniqueId                    rdd      kept     none          -         layout   -    -      -
sample                             rdd      kept     none          -         layout   yes  -      -
sampleByKey                        rdd      kept     none          -         layout   yes  -      -
randomSplit                        list     -        some          -         layout   -    -      -
# the same elements
cache                              itself   kept     none          -         elements yes  -      -
persist                            itself   kept     none          -         elements yes  -      -
unpersist                          itself   kept     none          -         elements yes  -      -
setName                            itself   kept     none          -         layout   yes  -      -
withResources                      itself   kept     none          -         layout   yes  -      -
coalesce                           rdd      joined   none          -         elements yes  -      -
repartition                        rdd      shuffled none          -         elements yes  -      -
partitionBy                        rdd      shuffled none          -         layout   yes  -      -
repartitionAndSortWithinPartitions rdd      shuffled none          -         layout   yes  -      -
sortBy                             rdd      shuffled none          element   elements yes  -      -
sortByKey                          rdd      shuffled none          element   elements yes  -      -
distinct                           rdd      shuffled none          -         elements yes  -      -
# several RDDs
union                              rdd      joined   some          -         elements -    -      -
zip                                rdd      joined   none          -         layout   -    -      -
cartesian                          rdd      joined   none          -         layout   -    -      -
intersection                       rdd      shuffled none          -         elements yes  -      -
subtract                           rdd      shuffled none          -         elements yes  -      -
subtractByKey                      rdd      shuffled none          -         elements yes  -      -
join                               rdd      shuffled none          -         elements -    -      -
leftOuterJoin                      rdd      shuffled none          -         elements -    -      -
rightOuterJoin                     rdd      shuffled some          -         elements -    -      -
fullOuterJoin                      rdd      shuffled some          -         elements -    -      -
cogroup                            rdd      shuffled some          -         layout   -    -      -
groupWith                          rdd      shuffled some          -         layout   -    -      -
# the elements of a key together
reduceByKey                        rdd      shuffled none          values    sums     -    -      -
reduceByKeyLocally                 dict     -        unpartitioned values    layout   -    -      -
combineByKey                       rdd      shuffled none          values    groups   -    -      -
aggregateByKey                     rdd      shuffled none          values    groups   -    -      -
foldByKey                          rdd      shuffled none          values    groups   -    -      -
groupBy                            rdd      shuffled none          element   groups   -    -      -
groupByKey                         rdd      shuffled none          -         groups   -    -      -
countByKey                         dict     -        unpartitioned -         elements -    -      -
countByValue                       dict     -        unpartitioned -         elements -    -      -
lookup                             list     -        none          -         order    -    -      -
# all elements together
count                              value    -        some          -         elements -    -      -
countApprox                        value    -        some          -         layout   -    yes    -
countApproxDistinct                value    -        some          -         elements -    -      -
isEmpty                            value    -        some          -         elements -    -      -
max                                value    -        fails         element   elements -    -      -
min                                value    -        fails         element   elements -    -      -
reduce                             value    -        fails         values    sums     -    -      -
treeReduce                         value    -        fails         values    sums     -    -      -
sum                                value    -        some          -         sums     -    -      -
mean                               value    -        unpartitioned -         sums     -    yes    -
stats                              value    -        unpartitioned -         sums     -    yes    -
variance                           value    -        unpartitioned -         sums     -    yes    -
stdev                              value    -        unpartitioned -         sums     -    yes    -
sampleVariance                     value    -        unpartitioned -         layout   -    yes    -
sampleStdev                        value    -        unpartitioned -         layout   -    yes    -
meanApprox                         value    -        some          -         layout   -    yes    -
sumApprox                          value    -        some          -         layout   -    yes    -
histogram                          value    -        fails         -         layout   -    yes    -
fold                               value    -        some          values    layout   -    -      -
aggregate                          value    -        some          values    layout   -    -      -
treeAggregate                      value    -        some          values    layout   -    -      -
# elements on the driver
collect                            list     -        none          -         order    -    -      -
collectWithJobGroup                list     -        none          -         layout   -    -      -
collectAsMap                       dict     -        none          -         order    -    -      -
take                               list     -        none          -         order    -    -      -
takeOrdered                        list     -        none          element   elements -    -      -
takeSample                         list     -        none          -         layout   -    -      -
top                                list     -        unpartitioned element   elements -    -      -
first                              value    -        fails         -         order    -    -      -
toLocalIterator                    iterator -        none          -         order    -    -      -
toDF                               frame    -        fails         -         order    -    -      -
# saving
saveAsTextFile                     nothing  -        some          -         layout   -    -      path
saveAsPickleFile                   nothing  -        some          -         layout   -    -      path
saveAsSequenceFile                 nothing  -        some          -         layout   -    -      path
saveAsHadoopFile                   nothing  -        some          -         layout   -    -      format
saveAsNewAPIHadoopFile             nothing  -        some          -         layout   -    -      format
saveAsHadoopDataset                nothing  -        some          -         layout   -    -      settings
saveAsNewAPIHadoopDataset          nothing  -        some          -         layout   -    -      settings
# the RDD itself; `offsetRanges` is an RDD of Kafka's
context                            context  -        some          -         elements -    -      -
ctx                                context  -        some          -         elements -    -      -
barrier                            value    -        some          -         layout   -    -      -
checkpoint                         nothing  -        some          -         layout   -    -      -
localCheckpoint                    nothing  -        some          -         layout   -    -      -
isCheckpointed                     value    -        some          -         layout   -    -      -
isLocallyCheckpointed              value    -        some          -         layout   -    -      -
getCheckpointFile                  value    -        some          -         layout   -    -      -
cleanShuffleDependencies           nothing  -        some          -         layout   -    -      -
getNumPartitions                   value    -        some          -         layout   -    -      -
getResourceProfile                 value    -        some          -         layout   -    -      -
getStorageLevel                    value    -        some          -         layout   -    -      -
id                                 value    -        some          -         layout   -    -      -
name                               value    -        some          -         layout   -    -      -
toDebugString                      value    -        some          -         layout   -    -      -
offsetRanges                       list     -        some          -         layout   -    -      -
""",
    Method,
)
"""The table: names that have no row are as those whose result shows the layout."""


FOLLOWED = names(METHODS, lambda row: row.shows is not Shows.LAYOUT)
"""Members whose result is the same on an RDD with the same elements in other partitions, or can be."""
GIVES_RDD = names(METHODS, lambda row: row.gives in (Result.RDD, Result.ITSELF))
"""Methods that give an RDD."""
RDDS = FOLLOWED & GIVES_RDD
"""Methods that give an RDD whose elements do not depend on the partitions."""
NO_MORE = RDDS & names(METHODS, lambda row: row.empty is Empty.NONE)
"""Methods of `RDDS` that give an empty RDD for an empty one."""
NARROW = names(METHODS, lambda row: row.layout is Layout.KEPT)
"""Methods that give an RDD of the same partitions, without a shuffle."""
SHUFFLED = names(METHODS, lambda row: row.layout is Layout.SHUFFLED)
"""Methods that shuffle."""
KEEPS_ORDER = RDDS & NARROW & names(METHODS, lambda row: row.calls is not Calls.PARTITION)
"""Methods that give an RDD whose elements are in the order of those that they are made of."""
HIDES_ORDER = FOLLOWED & names(
    METHODS,
    lambda row: (
        (row.layout is Layout.SHUFFLED and row.shows is not Shows.GROUPS)
        or (row.layout is Layout.ABSENT and row.shows is Shows.ELEMENTS and row.gives is not Result.NOTHING)
    ),
)
"""Methods whose result does not show in which order the elements lay; what `foreach` does may."""
ONLY_OF_RDDS = METHODS.keys() - frozenset(
    {
        *("cache", "checkpoint", "coalesce", "collect", "count", "distinct", "filter", "first", "foreach"),
        *("foreachPartition", "groupBy", "isEmpty", "join", "localCheckpoint", "persist", "randomSplit"),
        *("repartition", "sample", "subtract", "take", "toDF", "toLocalIterator", "union", "unpersist"),
    }
)
"""Methods that no DataFrame has, or none that does the same."""
SORTS = frozenset({"sortBy", "sortByKey"})
"""Methods that give all elements in an order which the program asks for."""
SHUFFLES_ONCE = SHUFFLED - SORTS
"""Methods that shuffle, but for sorts, which read what they are called on twice."""
SAME_ELEMENTS = names(METHODS, lambda row: row.same)
"""Methods that give some or all elements of an RDD, unchanged."""
AS_EMPTY = SORTS | {"cache", "coalesce", "distinct", "groupByKey", "keyBy", "keys", "map", "mapValues"}
AS_EMPTY |= {"persist", "reduceByKey", "repartition", "values"}
"""Methods that give an RDD without elements where they are called on one, and for no other."""
ITSELF = FOLLOWED & names(METHODS, lambda row: row.gives is Result.ITSELF)
"""Methods without an effect on what a program computes: ``cache``."""
OF_ELEMENTS = names(METHODS, lambda row: row.calls is Calls.ELEMENT)
"""Methods whose function is called for single elements."""
OF_PARTITIONS = names(METHODS, lambda row: row.calls is Calls.PARTITION)
"""Methods whose function is called for whole partitions."""
SUMS = names(METHODS, lambda row: row.shows is Shows.SUMS)
"""Methods that combine values, whose result may depend on the order."""
SUMMED_VALUES = SUMS - RDDS
"""Actions that combine all elements to one value."""
GROUPS = names(METHODS, lambda row: row.shows is Shows.GROUPS)
"""Methods that put the values of a key together, in their order."""
LISTS_OF_VALUES = GROUPS & names(METHODS, lambda row: row.calls is not Calls.VALUES)
"""Methods of `GROUPS` that only list the values, of which no partitions show."""
KEYS_ONCE = (GROUPS | {"reduceByKey"}) & RDDS
"""Methods that give an RDD of pairs with each key once."""
REDUCING = SUMS & names(METHODS, lambda row: not row.floats)
"""Methods that combine values by their first argument, or by adding: they make no floats of others."""
FLOATS = FOLLOWED & names(METHODS, lambda row: row.floats)
"""Actions whose result is a float, made of one float for each partition."""
ON_DRIVER = names(METHODS, lambda row: row.gives in (Result.VALUE, Result.LIST, Result.DICT))
"""Actions that return all that they compute, at once."""
ACTIONS = ON_DRIVER | names(METHODS, lambda row: row.gives in (Result.ITERATOR, Result.NOTHING))
"""Methods that compute elements, or give an iterator that does."""
COLLECTED = names(
    METHODS,
    lambda row: (
        row.gives in (Result.LIST, Result.DICT, Result.ITERATOR)
        and row.empty in (Empty.NONE, Empty.UNPARTITIONED)
    ),
)
"""Actions that return a collection of elements or of their counts, which is empty for an empty RDD."""
LISTS = COLLECTED & names(METHODS, lambda row: row.gives is Result.LIST)
"""Methods of `COLLECTED` that return a list."""
FAILS_EMPTY = FOLLOWED & names(METHODS, lambda row: row.empty is Empty.FAILS)
"""Methods that fail on an RDD without elements, or that may."""
FAILS_UNPARTITIONED = FOLLOWED & names(METHODS, lambda row: row.empty is Empty.UNPARTITIONED)
"""Methods that fail on an RDD without partitions, and not on one whose partitions have no elements."""
SAVES = names(METHODS, lambda row: row.writes is not Writes.ABSENT)
"""Methods that save an RDD."""
SAVES_FILES = names(METHODS, lambda row: row.writes is Writes.PATH)
"""Methods that save to the directory that is their first argument."""
SAVES_BY_FORMAT = names(METHODS, lambda row: row.writes is Writes.FORMAT)
"""Methods whose ``outputFormatClass`` decides whether files are written."""
