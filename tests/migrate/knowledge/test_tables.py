"""The tables against PySpark and Python themselves: no member is missing, and no row contradicts itself."""

from __future__ import annotations

import ast
import builtins as python
import importlib
import inspect
import textwrap
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyspark import RDD, SparkConf, SparkContext
from pyspark.mllib import classification, clustering, regression
from pyspark.sql import Catalog, Column, DataFrame, DataFrameReader, DataFrameWriter, SparkSession, SQLContext
from pyspark.sql.conf import RuntimeConfig
from pyspark.sql.udf import UDFRegistration
from pyspark.streaming import DStream, StreamingContext

import migrate.knowledge
from migrate.knowledge import (
    builtins,
    connectors,
    frames,
    functions,
    libraries,
    methods,
    models,
    rdd,
    sessions,
    star_imports,
    streaming,
)
from migrate.knowledge.elements import Calls, Empty, Layout
from migrate.knowledge.rdd import Result, Shows
from migrate.knowledge.table import names, read_table

OF_INSTANCES = {"ctx", "offsetRanges"}
"""An attribute that is no member of the class, and a method of Kafka's RDDs in PySpark 2.4."""
STREAMS = {streaming.Gives.STREAM, streaming.Gives.ITSELF}


def public(owner: type) -> set[str]:
    return {name for name in dir(owner) if not name.startswith("_")}


def returned(function: Callable[..., object]) -> str:
    """The name of the type that a method of PySpark says it returns."""
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(node, ast.FunctionDef)
    text = ast.unparse(node.returns) if node.returns is not None else ""
    return text.strip("'").partition("[")[0]


# --- tables ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fruit:
    sweet: bool
    colour: Layout


def test_a_table_is_read_by_its_columns() -> None:
    table = read_table("name sweet colour\n# trees\npear yes kept\nlemon - -\n", Fruit)
    assert table == {"pear": Fruit(True, Layout.KEPT), "lemon": Fruit(False, Layout.ABSENT)}
    assert names(table, lambda row: row.sweet) == {"pear"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name colour sweet\n", "columns"),
        ("name sweet colour\npear yes\n", "pear"),
        ("name sweet colour\npear yes kept -\n", "pear"),
        ("name sweet colour\npear true kept\n", "pear: 'true' is neither"),
        ("name sweet colour\npear yes green\n", "pear: 'green' is not a valid Layout"),
        ("name sweet colour\npear yes kept\npear yes kept\n", "two rows"),
    ],
    ids=["order", "too few", "too many", "no truth value", "no word of the column", "twice"],
)
def test_a_mistake_in_a_table_is_an_error(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_table(text, Fruit)


def test_libraries_of_which_types_are_known_only_compute() -> None:
    assert all(map(libraries.computes, libraries.RESULTS))
    assert libraries.RESULTS["textblob.TextBlob.sentiment.polarity"] == libraries.Given(
        False, libraries.Value.FLOAT
    )
    assert {"textblob", "textblob.TextBlob", "textblob.TextBlob.sentiment"} <= libraries.LEADING


def test_the_tables_import_nothing_of_the_codemod() -> None:
    for path in Path(migrate.knowledge.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("migrate"):
                assert (node.module or "").startswith("migrate.knowledge."), path


# --- RDDs --------------------------------------------------------------------------------------------------


def test_every_public_member_of_an_rdd_has_a_row() -> None:
    assert public(RDD) <= rdd.METHODS.keys()
    assert rdd.METHODS.keys() - OF_INSTANCES <= public(RDD)


@pytest.mark.parametrize("name", sorted(rdd.METHODS))
def test_a_row_of_the_rdd_table_is_consistent(name: str) -> None:
    row = rdd.METHODS[name]
    is_rdd = row.gives in (Result.RDD, Result.ITSELF)
    assert is_rdd is (row.layout is not Layout.ABSENT)
    assert not row.same or is_rdd
    assert not row.floats or row.gives is Result.VALUE
    if row.gives is Result.ITSELF:
        assert row.same
        assert (row.layout, row.empty) == (Layout.KEPT, Empty.NONE)
    if row.calls is Calls.PARTITION:
        assert row.shows in (Shows.FUNCTION, Shows.LAYOUT)
        assert row.empty is Empty.SOME
    if name in rdd.SAVES:
        assert row.gives is Result.NOTHING
        assert row.shows is Shows.LAYOUT


GIVES = {
    "RDD": {Result.RDD, Result.ITSELF},
    "None": {Result.NOTHING},
    "List": {Result.LIST},
    "list": {Result.LIST},
    "Dict": {Result.DICT},
    "Iterator": {Result.ITERATOR},
    "int": {Result.VALUE},
    "float": {Result.VALUE},
    "bool": {Result.VALUE},
    "SparkContext": {Result.CONTEXT},
}


@pytest.mark.parametrize("name", sorted(rdd.METHODS.keys() - OF_INSTANCES))
def test_the_rdd_table_gives_what_pyspark_says(name: str) -> None:
    member = inspect.getattr_static(RDD, name)
    function = member.fget if isinstance(member, property) else member
    assert callable(function)
    kind = returned(function)
    assert kind not in GIVES or rdd.METHODS[name].gives in GIVES[kind]


@pytest.mark.parametrize("name", sorted(names(rdd.METHODS, lambda row: row.gives is Result.ITSELF)))
def test_what_gives_itself_returns_self(name: str) -> None:
    assert "return self\n" in inspect.getsource(getattr(RDD, name)) + "\n"


def test_the_sets_of_rdds() -> None:
    assert {"map", "union", "reduceByKey", "groupByKey", "mapPartitions", "sortBy"} <= rdd.RDDS
    assert not {"glom", "zipWithIndex", "sample", "cogroup", "collect"} & rdd.RDDS
    assert {"union", "rightOuterJoin", "fullOuterJoin", "mapPartitions"} == rdd.RDDS - rdd.NO_MORE
    assert {"collect", "isEmpty", "toDF", "context", "foreachPartition"} <= rdd.FOLLOWED - rdd.RDDS
    assert not {"fold", "aggregate", "getNumPartitions", "histogram", "saveAsTextFile"} & rdd.FOLLOWED
    assert {"keyBy", "mapPartitions", "unpersist"} <= rdd.NARROW
    assert {"map", "keys", "cache"} <= rdd.KEEPS_ORDER
    assert not {"mapPartitions", "sortBy", "union", "coalesce"} & rdd.KEEPS_ORDER
    assert {"mean", "stats", "variance", "stdev"} == rdd.FLOATS
    assert {"reduce", "treeReduce", "sum", *rdd.FLOATS} == rdd.SUMMED_VALUES
    assert {"reduce", "treeReduce", "sum", "reduceByKey"} == rdd.REDUCING
    assert {"first", "reduce", "treeReduce", "max", "min", "toDF"} == rdd.FAILS_EMPTY
    assert {"cache", "persist", "unpersist"} == rdd.ITSELF
    assert {"toLocalIterator", "collectAsMap", "countByValue"} <= rdd.COLLECTED - rdd.LISTS
    assert {"collect", "take", "top", "takeOrdered"} <= rdd.LISTS
    assert {"filter", "sortByKey", "distinct", "repartition"} <= rdd.SAME_ELEMENTS
    assert not {"map", "union", "zip", "glom"} & rdd.SAME_ELEMENTS
    assert rdd.SAVES_FILES | rdd.SAVES_BY_FORMAT < rdd.SAVES
    assert all(name.startswith("saveAs") for name in rdd.SAVES)


# --- streams -----------------------------------------------------------------------------------------------


def test_every_public_member_of_streams_and_contexts_has_a_row() -> None:
    assert public(DStream) == streaming.OPERATORS.keys()
    assert public(StreamingContext) == streaming.CONTEXT_MEMBERS.keys() | streaming.FACTORIES


@pytest.mark.parametrize("name", sorted(streaming.OPERATORS))
def test_a_row_of_the_stream_table_is_consistent(name: str) -> None:
    row = streaming.OPERATORS[name]
    assert not row.output or row.gives is streaming.Gives.NOTHING
    if row.layout is not Layout.ABSENT:
        assert row.gives in STREAMS
    if row.groups is not streaming.Groups.ABSENT:
        assert row.layout is Layout.SHUFFLED
    if row.gives is streaming.Gives.ITSELF:
        assert (row.layout, row.empty) == (Layout.KEPT, Empty.NONE)
    assert row.calls is not Calls.STATE or row.span is streaming.Span.STATE
    same = rdd.METHODS.get(name)
    if same is not None and name in streaming.ROWWISE | {"reduceByKey", "repartition", "partitionBy"}:
        assert (same.layout, same.empty, same.calls) == (row.layout, row.empty, row.calls)


@pytest.mark.parametrize("name", sorted(streaming.OPERATORS))
def test_the_stream_table_gives_what_pyspark_says(name: str) -> None:
    kind = returned(getattr(DStream, name))
    assert kind.endswith("DStream") is (streaming.OPERATORS[name].gives in STREAMS)


def test_the_sets_of_streams() -> None:
    assert {"foreachRDD", "pprint", "saveAsTextFiles"} == streaming.OUTPUTS
    assert {"map", "flatMap", "filter", "mapValues", "flatMapValues"} == streaming.ROWWISE
    assert {name for name in streaming.OPERATORS if "indow" in name} == streaming.WINDOWS
    assert {"updateStateByKey"} == streaming.STATES
    assert {"reduceByKey", "reduce", "count", "countByValue"} == streaming.AGGREGATES
    assert {"reduceByKey", "countByValue", "updateStateByKey"} == streaming.ONE_OF_EACH
    assert {"reduceByKey", "updateStateByKey", "reduceByKeyAndWindow"} == streaming.GROUPED_BY_KEY
    assert {"foreachRDD", "transform", "transformWith"} == streaming.CALLBACKS
    assert {"union", "persist"} <= streaming.KEEPS_ARRIVAL
    assert not streaming.KEEPS_ARRIVAL & streaming.SHUFFLING
    assert not {"count", "updateStateByKey", "transform", "glom"} & streaming.NONE_WITHOUT_INPUT
    assert {"socketTextStream"} == streaming.RECEIVERS < streaming.SOURCES
    assert {"start", "stop"} < streaming.LIFECYCLE


def test_the_models_are_those_of_mllib() -> None:
    for name in models.MODELS:
        module, _, owner = name.rpartition(".")
        assert module in {found.__name__ for found in (classification, clustering, regression)}
        assert {"trainOn", "predictOn"} <= public(getattr(importlib.import_module(module), owner))
    members = {
        member
        for name in models.MODELS
        for member in dir(getattr(*_split(name)))
        if not member.startswith("_")
    }
    assert models.METHODS.keys() <= members
    assert {"setInitialCenters", "setInitialWeights", "setRandomCenters"} == models.INITIAL


def _split(name: str) -> tuple[object, str]:
    module, _, owner = name.rpartition(".")
    return importlib.import_module(module), owner


def test_connectors_are_found_by_what_they_have() -> None:
    assert connectors.connector_of("pyspark.streaming.kafka.KafkaUtils") == connectors.KAFKA
    assert connectors.connector_of("pyspark.streaming.kafkas") is None
    assert {"createStream", "createDirectStream"} == connectors.IN_ORDER_OF_ARRIVAL


# --- sessions ----------------------------------------------------------------------------------------------

OLD = {
    *("registerFunction", "setConf", "registerDataFrameAsTable", "dropTempTable", "cacheTable"),
    *("registerJavaUDAF", "registerTempTable"),
}
"""Members of classes of Spark 1 and 2."""
OWNERS: dict[str, tuple[type, ...]] = {
    "session": (SparkSession, SQLContext),
    "context": (SparkContext,),
    "conf": (SparkConf, RuntimeConfig),
    "catalog": (Catalog,),
    "udf": (UDFRegistration,),
    "frame": (DataFrame,),
    "reader": (DataFrameReader,),
    "writer": (DataFrameWriter,),
}


@pytest.mark.parametrize("name", sorted(sessions.MEMBERS.keys() - OLD - {"_jdf"}))
def test_a_member_of_sessions_is_one_of_its_owners(name: str) -> None:
    for owner in sessions.MEMBERS[name].of.split(","):
        assert any(hasattr(found, name) for found in OWNERS[owner]), owner


@pytest.mark.parametrize("name", sorted(frames.METHODS))
def test_a_method_of_frames_is_one_of_frames_columns_or_sessions(name: str) -> None:
    assert any(hasattr(owner, name) for owner in (DataFrame, Column, SparkSession))


def test_the_sets_of_frames() -> None:
    assert {"where", "toDF"} <= frames.NO_MORE_ROWS < frames.FINE_WITHOUT
    assert not {"select", "agg", "count", "union", "join", "first"} & frames.NO_MORE_ROWS


def test_the_sets_of_sessions() -> None:
    assert {"sql", "table", "cacheTable"} == sessions.READS_VIEWS
    assert {"sql", "createDataFrame", "udf"} <= sessions.OF_SESSIONS
    assert not {"setConf", "cacheTable", "parallelize"} & sessions.OF_SESSIONS
    assert {"saveAsTable", "insertInto"} == sessions.MAKES_TABLES - sessions.CHANGES_VIEWS
    assert {name for name in sessions.MEMBERS if name.startswith("drop")} < sessions.CHANGES_VIEWS
    assert {"registerFunction", "setConf"} <= sessions.CHANGES_SESSIONS
    assert not {"register", "set", "unset"} & sessions.CHANGES_SESSIONS
    assert sessions.CONFIGURES["register"] == "udf"
    assert sessions.CONFIGURES["set"] == sessions.CONFIGURES["unset"] == "conf"
    assert {"createDataFrame", "json", "csv"} == sessions.TAKES_RDDS
    assert {"createDataFrame"} == sessions.FAILS_EMPTY
    assert {"set", "setAppName", "setLogLevel", "setMaster"} == sessions.QUIET


# --- Python ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(builtins.BUILTINS))
def test_a_row_of_the_builtins_is_consistent(name: str) -> None:
    assert hasattr(python, name)
    row = builtins.BUILTINS[name]
    assert not (row.changes and row.pure)
    if row.gives in (builtins.Gives.INT, builtins.Gives.BOOL, builtins.Gives.STR, builtins.Gives.NOTHING):
        assert row.floats is builtins.Floats.NEVER


def test_the_sets_of_builtins() -> None:
    assert {"int", "len", "ord"} <= builtins.INTS
    assert {"int", "str", "bool"} <= builtins.NEVER_FLOATS < builtins.NO_NEW_FLOATS
    assert not {"float", "round", "getattr"} & builtins.NO_NEW_FLOATS
    assert not {"print", "next", "map", "filter", "iter", "id", "input"} & builtins.PURE
    assert {"list", "tuple", "set", "sorted", "reversed"} == builtins.COLLECTS
    assert {"next", "setattr", "delattr"} == builtins.CHANGES
    assert {"print", "type", "repr", "str", "id"} == builtins.SHOWS
    assert {"enumerate", "zip", "iter", "reversed", "getattr", "vars"} == builtins.HANDS
    assert {"list", "dict", "int", "float"} <= builtins.MAKES_NEW


@pytest.mark.parametrize("name", sorted(methods.METHODS))
def test_a_row_of_the_methods_is_consistent(name: str) -> None:
    row = methods.METHODS[name]
    assert not (row.changes and row.reads is not methods.Reads.ABSENT)
    assert row.fills is methods.Fills.ABSENT or row.changes
    assert not row.logs or row.gives is methods.Gives.NOTHING


@pytest.mark.parametrize("kind", [list, set, dict, deque], ids=lambda kind: kind.__name__)
def test_every_method_that_changes_a_collection_is_known(kind: type) -> None:
    reading = {
        *("copy", "count", "index", "get", "items", "keys", "values", "fromkeys", "maxlen"),
        *("difference", "intersection", "isdisjoint", "issubset", "issuperset", "symmetric_difference"),
        "union",
    }
    assert public(kind) - reading <= methods.CHANGES
    assert not reading & methods.CHANGES


def test_the_sets_of_methods() -> None:
    assert not {name for name in public(str) if name in methods.CHANGES}
    assert {"append", "add", "extend", "insert"} == methods.FILLS
    assert {"append", "add", "extend", "update"} == methods.FILLS_IN_ORDER
    assert {"extend", "update"} == methods.ADDS_ITEMS
    assert {"keys", "values", "items"} == methods.VIEWS == methods.NOT_MORE - {"copy"}
    assert {"keys", "items", "union"} <= methods.SETS
    assert "values" not in methods.SETS
    assert {"split", "get", "match", "sqrt"} <= methods.READS_OBJECT
    assert {"join", "union", "intersection", "difference", "predict"} <= methods.READS - methods.READS_OBJECT
    assert {"split", "append", "findall"} <= methods.NO_NEW_FLOATS
    assert not {"loads", "sqrt", "strptime", "predict"} & methods.NO_NEW_FLOATS
    assert {"format", "strftime", "isoformat", "ctime", "join"} == methods.TEXTS
    assert {"debug", "info", "warning", "error"} <= methods.LOGS
    assert {"time", "now", "uuid4"} <= methods.DIFFERS


@pytest.mark.parametrize("name", sorted(functions.FUNCTIONS))
def test_functions_are_there(name: str) -> None:
    module, _, member = name.rpartition(".")
    found = hasattr(importlib.import_module(module), member)
    assert found or name.endswith("_max")  # of some versions of Python only


def test_the_sets_of_functions() -> None:
    assert {"operator.add", "operator.concat", "operator.or_", "operator.and_"} == functions.JOINS
    assert {"heapq.heappush", "bisect.insort", "random.shuffle"} <= functions.CHANGES
    assert "functools.partial" in functions.MAKES_FUNCTIONS
    assert {"deque", "Counter", "StringIO", "count"} <= functions.MAKES_NEW
    assert {"operator", "re", "string"} == functions.NO_NEW_FLOATS
    assert {"re.", "logging."} <= set(functions.UNCHANGING)


@pytest.mark.parametrize("name", star_imports.STARS)
def test_a_star_import_hides_the_builtins_of_its_row(name: str) -> None:
    try:
        found = importlib.import_module(name)
    except ImportError:
        pytest.skip("it is not installed")
    brought = getattr(found, "__all__", public(found))  # type: ignore[arg-type]
    assert {*brought} & {*dir(python)} <= star_imports.hidden_by([name])
    assert all(star_imports.may_bring([name], one) for one in brought)
