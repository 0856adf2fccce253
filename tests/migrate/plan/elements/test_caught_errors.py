"""Columns behind a callback that catches errors fail as Python does, unless the program ended there."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Options, Outcome
from migrate.plan.elements.caught_errors import BEFORE, PRINTED, TOLD
from tests.migrate.programs import file, kafka_program, run, socket_program

GUARD = 'required(F.col("value"), "line is None")'
BODY = """\
def process(rdd):
    try:
        print(rdd.collect())
    except Exception as error:
        send(error)

words = messages.map(lambda m: m[1]).flatMap(lambda line: line.split(" "))
{}
words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).foreachRDD(process)
"""
COUNTED = "words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).pprint()"


@pytest.mark.parametrize(
    ("handler", "guarded"),
    [
        ("traceback.print_exc()", False),
        ("traceback.print_exc(file=sys.stdout)", False),
        ("print('failed', file=sys.stderr)", False),
        ("logging.error(error)", False),
        ("logger.exception('failed')", False),
        ("traceback.print_exc(file=log)", True),
        ("log.error(error)", True),
        ("send(error)", True),
    ],
)
def test_a_missing_value_is_told_where_a_handler_prints_or_logs(handler: str, guarded: bool) -> None:
    head = "import logging, sys, traceback\nfrom out import log, send\nlogger = logging.getLogger('a')\n"
    source = kafka_program(head + BODY.format("").replace("send(error)", handler))
    (graph,) = (result := run(source)).graphs
    assert (GUARD in result.files[0].new) is guarded
    assert any("missing values (None)" in note for note in graph.notes) is not guarded


@pytest.mark.parametrize(
    ("more", "guarded"),
    [
        pytest.param("", True, id="the callback alone"),
        pytest.param(COUNTED, False, id="printed behind a shuffle"),
        pytest.param("words.saveAsTextFiles('words')", False, id="saved"),
        pytest.param("words.pprint()", True, id="printed, of which one partition may be enough"),
        pytest.param(f"if DEBUG:\n    {COUNTED}", True, id="printed sometimes"),
    ],
)
def test_another_output_ends_the_program(more: str, guarded: bool) -> None:
    new = file(
        kafka_program("import sys\nfrom out import send\nDEBUG = len(sys.argv) > 1\n" + BODY.format(more))
    ).new
    assert (GUARD in new) is guarded


def test_unless_somebody_catches_that_too() -> None:
    source = kafka_program("from out import send\n" + BODY.format(COUNTED)).replace(
        "ssc.awaitTermination()", "try:\n    ssc.awaitTermination()\nexcept Exception:\n    pass"
    )
    assert GUARD in file(source).new


SIZES = """\
from out import send
def save(rdd):
    try:
        send(rdd.collect())
    except {}
lines.map(lambda line: (line.split(",")[0], int(line.split(",")[1]){})).foreachRDD(save)
"""
SPARK_3 = Options(spark=SparkVersion("3.5.9"))


@pytest.mark.parametrize(
    ("handler", "is_told"),
    [
        ("Exception:\n        pass", True),
        ("Exception as error:\n        print(f'failed: {error}')\n        return", True),
        ("Exception as error:\n        send(error)", False),
        ("ValueError:\n        pass", False),
    ],
)
def test_what_hardly_ever_comes_is_told_where_handlers_only_print(handler: str, is_told: bool) -> None:
    source = socket_program(SIZES.format(handler, ""))
    (graph,) = (result := run(source)).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    cast = 'F.split("value", ",")[1].cast("bigint")'
    new = result.files[0].new
    assert (TOLD in graph.notes) is (cast in new) is is_told
    assert ("spark.sql.ansi.enabled" in new) is is_told, "the handler gets an error of an index, too"
    assert any("digits beyond ASCII" in note for note in graph.notes) is is_told


@pytest.mark.parametrize(
    ("more", "options"),
    [
        pytest.param(", line.isalpha()", Options(), id="letters"),
        pytest.param("", Options(strict=True), id="strict"),
    ],
)
def test_what_may_well_come_is_not(more: str, options: Options) -> None:
    source = socket_program(SIZES.format("Exception:\n        pass", more))
    (graph,) = (result := run(source, options)).graphs
    assert TOLD not in graph.notes
    assert 'cast("bigint")' not in result.files[0].new


def test_ansi_mode_which_the_program_feels_itself_has_an_index_fail() -> None:
    """It is on in Spark 4; new code does not set it, as the user may have to switch it off."""
    casts = "def whole(df):\n    return df.select(df.a.cast('int'))\n"
    source = socket_program(casts + SIZES.format("Exception:\n        pass", ""))
    (graph,) = (result := run(source)).graphs
    assert TOLD in graph.notes and any("an index beyond the end" in note for note in graph.notes)
    assert "spark.sql.ansi.enabled" not in result.files[0].new
    assert 'F.split("value", ",")[0]' in result.files[0].new


def test_an_index_beyond_the_end_fails_on_spark_3_too() -> None:
    (file,) = run(socket_program(SIZES.format("Exception:\n        pass", "")), SPARK_3).files
    assert "list index out of range" in file.new and "parse_int(" in file.new


TOPIC = """\
KNOWN = {'a': 'b'}
def topic(line):
    for word in line.split():
        if word in KNOWN:
            return word
    return line
def add(new, old):
    return sum(new) + (old or 0)
"""


@pytest.mark.parametrize(("key", "told"), [("topic(line)", True), ("line", False)])
def test_a_running_count_of_what_a_function_gives_ends_the_query_where_that_fails(
    key: str, told: bool
) -> None:
    callback = BODY[: BODY.index("words = ")]
    counts = f"messages.map(lambda m: m[1]).map(lambda line: ({key}, 1)).updateStateByKey(add)"
    (graph,) = run(
        kafka_program(f"from out import send\n{TOPIC}{callback}{counts}.foreachRDD(process)")
    ).graphs
    assert graph.outcome is Outcome.NATIVE
    assert len([note for note in graph.notes if note == BEFORE]) == told


COUNTS = """\
from out import send, suppress
last = []
{}
words = messages.map(lambda m: m[1]).flatMap(lambda line: line.split(" "))
words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).foreachRDD(process)
"""
PUT = "def put(data):\n    try:\n        {}\n    except Exception as error:\n        send(error)\n"
EACH = (
    "def process(rdd):\n    {}\n    try:\n        {}\n    except Exception as error:\n        send(error)\n"
)
IN_WITH = "with suppress(ValueError):\n        send({})\n"


@pytest.mark.parametrize(
    ("callback", "caught"),
    [
        (EACH.format("rows = rdd.collect()", "send(rows)"), False),
        (EACH.format("rows = dict(rdd.collect())", "[send(row) for row in rows.items()]"), False),
        (EACH.format("n = rdd.map(lambda pair: pair[1]).sum()", "send(n)"), False),
        (PUT.format("send(data)") + "def process(rdd):\n    put(rdd.collectAsMap())\n", False),
        ("def process(rdd):\n    rows = rdd.collect()\n    " + IN_WITH.format("rows"), False),
        (EACH.format("pass", "send(rdd.collect())"), True),
        (EACH.format("found = rdd", "send(found.collect())"), True),
        (EACH.format("found = [rdd]", "send(found[0].collect())"), True),
        (EACH.format("last.append(rdd)", "send(last[-1])"), True),
        (EACH.format("last[0] = rdd", "send(last)"), True),
        (EACH.format("rows = rdd.toLocalIterator()", "send(list(rows))"), True),
        (EACH.format("get = lambda: rdd.collect()", "send(get())"), True),
        (EACH.format("def get():\n        return rdd.collect()", "send(get())"), True),
        (PUT.format("send(data.collect())") + "def process(rdd):\n    put(rdd)\n", True),
        (PUT.format("send(data.collect())") + "def process(rdd):\n    put(data=rdd)\n", True),
        (PUT.format("send(data.collect())") + "def process(rdd):\n    do = put\n    do(rdd)\n", True),
        ("def process(rdd):\n    " + IN_WITH.format("rdd.collect()"), True),
    ],
)
def test_what_is_computed_outside_of_a_handler_is_not_caught(callback: str, caught: bool) -> None:
    new = file(kafka_program(COUNTS.format(callback))).new
    assert (GUARD in new or "compat.streaming" in new) is caught, new


VIEW = """\
from out import send
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()

def save(rdd):
    rows = rdd.map(lambda line: (line, int(line))).toDF(["name", "n"])
    rows.createOrReplaceTempView("t")
    try:
        {}
    except Exception as error:
        send(error)

lines.foreachRDD(save)
"""


@pytest.mark.parametrize(
    ("read", "caught"),
    [
        ('spark.sql("SELECT sum(n) FROM t").show()', True),
        ('spark.table("t").write.json("out")', True),
        ("print(len(spark.streams.active))", False),
    ],
)
def test_a_view_may_be_computed_where_it_is_read(read: str, caught: bool) -> None:
    assert (".rdd" in file(socket_program(VIEW.format(read))).new) is caught


JSON_ROWS = """\
import json
from pyspark.sql import SQLContext

def analyze(rdd):
    try:
        {first}
        df = SQLContext(rdd.context).read.json(rdd)
        {then}
    except Exception as e:
        {handler}

lines.map(lambda line: json.loads(line)).foreachRDD(analyze)
"""
EMPTY = "if rdd.count() == 0:\n            raise Exception('Empty')"


@pytest.mark.parametrize(
    ("first", "then", "handler", "called"),
    [
        pytest.param(EMPTY, "print(df.count())", "print(e)", True, id="a guard"),
        pytest.param("pass", "print(df.count())", "print(e)", True, id="no guard"),
        pytest.param(EMPTY, "df.show()", "print(e)", False, id="some rows alone may be computed"),
        pytest.param(EMPTY, "print(df.count())", "send(e)", False, id="a handler that does more"),
        pytest.param("print(rdd.count())", "print(df.count())", "print(e)", False, id="a count that shows"),
        pytest.param(
            f"{EMPTY}\n        print('rows')", "print(df.count())", "print(e)", False, id="what comes between"
        ),
    ],
)
def test_errors_of_json_that_a_handler_prints(first: str, then: str, handler: str, called: bool) -> None:
    body = "from out import send\n" + JSON_ROWS.format(first=first, then=then, handler=handler)
    result = run(socket_program(body))
    new = result.files[0].new
    assert ("batch.rdd" not in new) is called
    assert (PRINTED in result.graphs[0].notes) is called
