"""What native code looks like: golden programs before and after, and what stays on compat."""

from __future__ import annotations

import re
from textwrap import dedent, indent

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.migration import migrate
from migrate.model import Options, Outcome, Tier
from migrate.report.terminal import render
from tests.migrate.programs import (
    blocked,
    file,
    flat,
    kafka_program,
    module,
    native_body,
    persisted,
    queue_program,
    run,
    socket_program,
)

WORD_COUNT = '''\
"""Counts words."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

if __name__ == "__main__":
    sc = SparkContext("local[2]", appName="Words")
    # one batch a second
    ssc = StreamingContext(sc, 1)

    # what nc sends
    lines = ssc.socketTextStream(sys.argv[1], 9999)
    counts = lines.flatMap(lambda line: line.split(" "))\\
                  .map(lambda word: (word, 1))\\
                  .reduceByKey(lambda a, b: a + b)
    counts.pprint()

    ssc.start()
    ssc.awaitTermination()
'''
WORD_COUNT_AFTER = '''\
"""Counts words."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

if __name__ == "__main__":
    spark = SparkSession.builder.master("local[2]").appName("Words").getOrCreate()

    # what nc sends
    lines = spark.readStream.format("socket").options(host=sys.argv[1], port=9999).load()

    def process_batch(batch, batch_id):
        counts = (
            batch.select(F.explode(F.split("value", " ")).alias("word"))
            .groupBy("word").count()
        )
        counts.show(10, truncate=False)

    # one batch a second
    query = lines.writeStream.trigger(processingTime="1 second").foreachBatch(process_batch).start()
    query.awaitTermination()
'''


def test_the_word_count() -> None:
    result = run(WORD_COUNT)
    assert result.files[0].new == WORD_COUNT_AFTER
    (graph,) = result.graphs
    assert (graph.outcome, graph.reasons) == (Outcome.NATIVE, ())
    assert any("socket source" in note for note in graph.notes)
    assert {site.tier for site in result.sites} == {Tier.CONTEXT, Tier.COLUMN}
    assert all(site.safe and site.reason and site.rule for site in result.sites)


def test_line_ends_indentation_and_quotes_are_those_of_the_file() -> None:
    source = WORD_COUNT.replace("    ", "\t").replace('"', "'").replace("'''", '"""').replace("\n", "\r\n")
    new = file(source).new
    assert "\n" not in new.replace("\r\n", "")
    assert "\r\n\tdef process_batch(batch, batch_id):\r\n\t\tcounts = (\r\n\t\t\tbatch.select(" in new
    assert '"' not in new.replace('"""', "")


SHARED = [
    pytest.param("words.pprint()\nwords.filter(len).pprint()", "words", id="a frame"),
    pytest.param("words.pprint()\nlines.pprint()", "batch", id="the batch"),
    pytest.param("words.countByValue().pprint()\nwords.count().pprint()", "words", id="two aggregates"),
    pytest.param("counts.pprint()\ncounts.filter(lambda c: c[1] > 3).pprint()", "counts", id="an aggregate"),
    pytest.param("counts.foreachRDD(show)", "counts", id="a callback that looks for rows of an aggregate"),
    pytest.param("words.foreachRDD(show)", "", id="a callback that looks for rows of the batch"),
    pytest.param("words.union(lines).pprint()\nwords.pprint()", "batch", id="a union"),
    pytest.param("lines.pprint()", "", id="one output"),
]


@pytest.mark.parametrize(("outputs", "kept"), SHARED)
def test_the_last_frame_that_all_outputs_read_is_persisted(outputs: str, kept: str) -> None:
    body = (
        "def show(rdd):\n    if not rdd.isEmpty():\n        print(rdd.collect())\n"
        "words = lines.flatMap(lambda line: line.split())\n"
        "counts = words.countByValue()\n"
    )
    new = file(socket_program(body + outputs)).new
    found = persisted(new)
    assert found == ([kept] if kept else [])
    assert re.findall(r"(\w+)\.unpersist\(\)", new) == found


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        pytest.param("{totals}counts.pprint()\n", "counts", id="an aggregate"),
        pytest.param(
            "both = words.union(words.filter(len))\nboth.pprint()\nboth.count().pprint()\n{totals}",
            "words",
            id="what a union is made of",
        ),
        pytest.param(
            "lines = lines.filter(len)\nlines = lines.flatMap(lambda l: l.split())\nlines.pprint()\n"
            "lines.countByValue().updateStateByKey(added).pprint()\n",
            "lines",
            id="a variable that is bound again",
        ),
        pytest.param("lines.pprint()\n{totals}", "batch", id="the batch"),
    ],
)
def test_so_is_what_a_running_state_reads_too(body: str, kept: str) -> None:
    program = (
        "words = lines.flatMap(lambda line: line.split())\ncounts = words.countByValue()\n"
        "def added(new, old):\n    return sum(new) + (old or 0)\n"
    )
    body = body.format(totals="counts.updateStateByKey(added).pprint()\n")
    new = file(socket_program("ssc.checkpoint('c')\n" + program + body)).new
    assert persisted(new) == re.findall(r"(\w+)\.unpersist\(\)", new) == [kept]


CONSOLE = """\
.writeStream.format("console")
    .options(truncate=False, numRows=10)
    .trigger(processingTime="1 second")
    .start()
)"""
TAGGED = "tagged = lines.map(lambda line: (line, random.triangular())){}\n"
HALVES = "tagged.filter(lambda t: t[1] < 0.5).pprint()\ntagged.filter(lambda t: t[1] >= 0.5).pprint()"
IN_FUNCTION = TAGGED.format(".cache()") + HALVES


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        (f"{TAGGED.format('.cache()')}{HALVES}", ["tagged"]),
        (f"lines.count().pprint()\n{TAGGED.format('.cache()')}{HALVES}", ["batch", "tagged"]),
        (f"lines.count().pprint()\n{TAGGED.format('')}{HALVES}\ntagged.cache()", ["batch", "tagged"]),
        (f"lines.count().pprint()\n{TAGGED.format('')}{HALVES}", ["batch"]),
        (f"lines.count().pprint()\n{TAGGED.format('.cache()')}tagged.pprint()", ["batch"]),
        (
            f"lines.count().pprint()\n{TAGGED.format('.cache()')}"
            "def show(rdd):\n    print(rdd.collect())\n    print(rdd.collect())\ntagged.foreachRDD(show)",
            ["batch", "tagged"],
        ),
    ],
)
def test_what_is_random_and_cached_is_computed_once(body: str, kept: list[str]) -> None:
    new = file(socket_program(f"import random\n{body}")).new
    assert persisted(new) == kept
    assert re.findall(r"(\w+)\.unpersist\(\)", new) == kept[::-1]


@pytest.mark.parametrize(
    ("imported", "level"),
    [("from pyspark import StorageLevel", "StorageLevel"), ("import pyspark", "pyspark.StorageLevel")],
)
def test_rdds_are_kept_at_the_level_of_the_program(imported: str, level: str) -> None:
    kept = f"{level}.MEMORY_AND_DISK"
    body = f"import random\n{imported}\n{TAGGED.format(f'.persist({kept})')}{HALVES}"
    new = file(socket_program(body)).new
    assert f".persist({kept})\n" in new and f"{imported}\n" in new


def test_a_window_releases_what_is_random_and_cached() -> None:
    body = f"import random\n{TAGGED.format('.cache()')}tagged.pprint()\ntagged.window(3, 1).pprint()"
    new = file(socket_program(body)).new
    assert ").persist()\n    for record in tagged.take(10):" in new
    assert "window.append((now, tagged))" in new
    assert "tagged.unpersist()" not in new


def test_what_is_cached_is_persisted_under_a_name_that_is_bound_again() -> None:
    made = "tagged = lines.map(lambda line: (line, random.triangular()))\n"
    again = "tagged = tagged.filter(lambda t: t[0])"
    body = f"import random\nlines.pprint()\n{made}{again}.cache()\n{HALVES}"
    new = file(socket_program(body)).new
    assert "    tagged = tagged.filter(lambda t: t[0]).persist()\n" in new
    assert "    tagged.unpersist()\n    batch.unpersist()\n" in new
    body = f"import random\nlines.pprint()\n{TAGGED.format('.cache()')}tagged.pprint()\n{again}\n{HALVES}"
    new = file(socket_program(body)).new
    assert "    tagged.persist()  # Spark frees it when the function is done\n" in new
    assert "tagged.unpersist()" not in new


def test_what_is_random_and_cached_in_a_function_is_computed_once() -> None:
    function = "def process(lines):\n" + indent(IN_FUNCTION, "    ")
    new = file(socket_program(f"import random\n{function}\nlines.count().pprint()\nprocess(lines)")).new
    assert "    tagged.persist()  # Spark frees it when the function is done\n    rdd = tagged.filter(" in new


def test_only_what_is_of_the_graph_changes() -> None:
    source = WORD_COUNT.replace("if __name__", 'x = {  "odd":1 }  # kept\n\n\nif __name__')
    assert 'x = {  "odd":1 }  # kept\n' in file(source).new


BODIES = [
    pytest.param(
        'fields = lines.map(lambda line: line.split(","))\n'
        "errors = fields.filter(lambda f: len(f) == 3)\n"
        "errors.count().pprint()",
        "if batch.isEmpty():  # DStreams gave no count then\n    return\n"
        'fields = batch.select(F.split("value", ",").alias("field"))\n'
        'errors = fields.where(F.size("field") == 3)\n'
        "print(errors.count())",
        id="a count is nothing, not 0, for a batch without rows",
    ),
    pytest.param(
        'words = lines.flatMap(lambda l: l.split(" "))\nwords.countByValue().pprint(3)\nwords.pprint()',
        'words = batch.select(F.explode(F.split("value", " ")).alias("word")).persist()\n'
        'words.groupBy("word").count().show(3, truncate=False)\n'
        "words.show(10, truncate=False)\nwords.unpersist()",
        id="several outputs share a batch that is kept",
    ),
    pytest.param(
        'a = lines.filter(lambda l: "a" in l)\nb = lines.filter(lambda l: "b" in l)\na.union(b).pprint()',
        'a = batch.where(F.col("value").contains("a"))\nb = batch.where(F.col("value").contains("b"))\n'
        "a.union(b).show(10, truncate=False)",
        id="union",
    ),
    pytest.param(
        "lines = lines.filter(lambda l: 'a' in l)\nlines = lines.filter(lambda l: 'b' in l)\nlines.pprint()",
        'lines = lines.where(F.col("value").contains("a"))\n'
        'lines = lines.where(F.col("value").contains("b"))\n'
        f"query = (\n    lines{CONSOLE}",
        id="a name that is bound again",
    ),
    pytest.param(
        "lines.map(len).reduce(max).pprint()",
        '(\n    batch.agg(F.max(F.length("value")).alias("value"))\n'
        '    .where(F.col("value").isNotNull())\n    .show(10, truncate=False)\n)',
        id="reduce of nothing is nothing",
    ),
    pytest.param(
        "pairs = lines.map(lambda w: (w, 1))\n# count\n"
        "counts = pairs.reduceByKey(lambda a, b: a + b)  # each\n"
        "counts.transform(lambda rdd: rdd.sortBy(lambda kv: kv[1], ascending=False)).pprint()",
        '# count\ncounts = batch.groupBy("value").count()  # each\n'
        'counts.orderBy(F.desc("count")).show(10, truncate=False)',
        id="a map into pairs melts into the groupBy, comments stay",
    ),
    pytest.param(
        "lines.foreachRDD(lambda rdd: rdd.foreach(print))",
        "query = (\n"
        '    lines.writeStream.trigger(processingTime="1 second")\n'
        '    .foreach(lambda row: print(row["value"]))\n'
        "    .start()\n"
        ")",
        id="a function of elements gets them out of the rows",
    ),
    pytest.param(
        "lines.foreachRDD(lambda rdd: rdd.map(lambda w: odd(w)).foreach(print))",
        'batch.rdd.map(lambda w: odd(w["value"])).foreach(print)',
        id="RDD code stays on an RDD",
    ),
    pytest.param(
        "lines.foreachRDD(lambda t, rdd: print(t, rdd.count()))",
        "batch_time = datetime.now().replace(microsecond=0)  # end of the interval\n"
        "print(batch_time, batch.count())",
        id="a time that is only printed",
    ),
    pytest.param(
        "def parse(line):\n    return eval(line)\n\nlines.map(parse).pprint(5)",
        'rdd = batch.rdd.map(lambda row: parse(row["value"]))\nfor record in rdd.take(5):\n    print(record)',
        id="a function without a Column form",
    ),
    pytest.param(
        "unused = lines.map(len)\nlines.pprint()",
        f"query = (\n    lines{CONSOLE}",
        id="what nobody reads goes",
    ),
]


@pytest.mark.parametrize(("body", "expected"), BODIES)
def test_the_batch_function(body: str, expected: str) -> None:
    assert native_body(body) == expected


STATES = [
    "def update(new, last):\n    return sum(new) + (last or 0)\n",
    "def update(new, last):\n    if last is None:\n        last = 0\n    return sum(new, last)\n",
    "def update(new, last):\n    if last:\n        return last + sum(new)\n    return sum(new)\n",
    "update = lambda new, last: sum(new) + (last or 0)\n",
]


@pytest.mark.parametrize("function", STATES)
def test_a_running_sum_is_an_aggregation_in_complete_mode(function: str) -> None:
    body = function + "counts = lines.map(lambda w: (w, 1)).updateStateByKey(update)\ncounts.pprint()\n"
    source = socket_program('ssc.checkpoint("cp")\n' + body)
    new = file(source).new
    assert 'counts = lines.groupBy("value").count()' in new
    assert 'counts.limit(10).writeStream.outputMode("complete").format("console")' in flat(new)
    assert "checkpoint" not in new


PER_BATCH = [
    "lines.countByValue()",
    "lines.map(lambda w: (w, len(w))).reduceByKey(max)",
    "lines.map(len).reduce(lambda a, b: a + b).map(lambda n: ('n', n))",
    "lines.transform(lambda rdd: rdd.distinct()).map(lambda w: (w, 1))",
    "lines.transform(lambda rdd: rdd.sortBy(lambda w: w)).map(lambda w: (w, 1))",
    "lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b).filter(lambda kv: kv[1] > 1)",
]


@pytest.mark.parametrize("stream", PER_BATCH)
def test_a_running_sum_of_what_was_made_of_each_batch_is_kept_by_the_batch_function(stream: str) -> None:
    body = f"{stream}.updateStateByKey(lambda new, last: sum(new) + (last or 0)).pprint()"
    result = run(socket_program(body))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = str(result.files[0].new)
    assert "outputMode" not in new
    assert "    global totals\n" in new
    assert "totals.union(" in new or "updated(totals, " in new


def test_a_count_is_not_kept_for_it_is_one_of_nothing_too() -> None:
    counted = "lines.count().map(lambda n: ('n', n))"
    new = native_body(f"{counted}.updateStateByKey(lambda new, last: sum(new) + (last or 0)).pprint()")
    assert 'batch.agg(F.count("*").alias("count"))\n    .where(F.col("count") > 0)' in new.replace(
        "        ", "    "
    )


SUMS = [
    "lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)",
    "lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: b + a, 3)",
    "pairs.reduceByKey(add)",
    "sums",
]


@pytest.mark.parametrize("stream", SUMS)
def test_a_running_sum_of_each_batch_s_sums_is_one_of_all_values(stream: str) -> None:
    body = (
        "from operator import add\n"
        "pairs = lines.map(lambda w: (w, 1))\n"
        "sums = pairs.reduceByKey(add)\n"
        f"totals = {stream}.updateStateByKey(lambda new, last: sum(new) + (last or 0))\n"
        "totals.pprint()\n"
    )
    new = file(socket_program(body)).new
    assert 'totals = lines.groupBy("value").count()' in new
    assert new.count("groupBy") == 1
    assert "sums" not in new


@pytest.mark.parametrize(
    ("reduce", "update", "added"),
    [
        ("max", "sum(new) + (last or 0)", 'agg(F.max(F.length("value"))'),
        ("lambda a, b: a + b", "len(new) + (last or 0)", ".count()\n"),
    ],
)
def test_other_folds_of_each_batch_s_results_are_too(reduce: str, update: str, added: str) -> None:
    pairs = "lines.map(lambda w: (w, len(w)))"
    body = f"{pairs}.reduceByKey({reduce}).updateStateByKey(lambda new, last: {update}).pprint()"
    new = native_body(body)
    assert "totals.union(added)" in new
    assert added in new


def test_a_state_beside_other_outputs_is_kept_by_the_batch_function() -> None:
    body = (
        "counts = lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)\n"
        "counts.pprint()\n"
        "totals = counts.updateStateByKey(lambda new, last: sum(new) + (last or 0))\n"
        "totals.pprint()"
    )
    result = run(socket_program(body))
    assert 'totals = spark.createDataFrame([], "value string, count bigint")\n' in str(result.files[0].new)
    assert (
        'totals = (totals.union(counts).groupBy("value")'
        '.agg(F.sum("count").alias("count")).localCheckpoint() )'
    ) in " ".join(str(result.files[0].new).split()).replace("( ", "(").replace(" .", ".")
    notes = " ".join(result.graphs[0].notes)
    assert "is with the executors from batch to batch" in notes
    assert "the running state is not printed again" in notes
    states = [site for site in result.sites if site.operator == "updateStateByKey"]
    assert [site.reason for site in states] == [
        "each batch is added to a running sum that the batch function keeps"
    ]


@pytest.mark.parametrize(
    ("between", "added"),
    [
        ("filter(lambda p: p[1] > 1)", False),
        ("mapValues(lambda n: n * 2)", False),
        ("filter(lambda p: p[1] > 1).cache()", False),
        ("map(lambda p: (p[0][:1], p[1]))", True),
    ],
)
def test_counts_of_which_some_are_left_out_are_not_counted_again(between: str, added: bool) -> None:
    body = (
        f"counts = lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b).{between}\n"
        "counts.pprint()\n"
        "totals = counts.updateStateByKey(lambda new, last: sum(new) + (last or 0))\n"
        "totals.pprint()"
    )
    new = native_body(body)
    assert ("added = " in new) is added and ("totals.union(counts)" in flat(new)) is not added


def test_a_state_that_adds_up_another_one_does_so_in_every_interval() -> None:
    total = "updateStateByKey(lambda new, last: sum(new) + (last or 0))"
    body = f"totals = lines.map(lambda w: (w, 1)).{total}\ntotals.pprint()\n"
    for second in (f"totals.map(lambda p: (p[0][:1], p[1])).{total}", f"totals.union(totals).{total}"):
        new = file(socket_program(f"{body}{second}.pprint()")).new
        assert ".transform(every_interval)" in new


MORE = [
    "lines.transform(lambda rdd: rdd.union(known))",
    "lines.map(lambda w: (w, 1)).transform(lambda rdd: rdd.fullOuterJoin(known))",
    "lines.map(lambda w: (w, 1)).transform(lambda rdd: rdd.rightOuterJoin(known))",
    "lines.map(lambda w: (w, 1)).transform(joined)",
    "lines.repartition(2).count()",
    "lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b).count()",
]


@pytest.mark.parametrize("stream", MORE)
def test_a_state_of_what_comes_without_input_too_has_a_batch_in_every_interval(stream: str) -> None:
    head = (
        "known = sc.parallelize([('a', 1)])\n"
        "def joined(rdd):\n    rdd = rdd.union(known)\n    return rdd.filter(len)\n"
    )
    total = "map(lambda e: ('n', 1)).updateStateByKey(lambda new, last: len(new) + (last or 0))"
    assert ".transform(every_interval)" in file(socket_program(f"{head}{stream}.{total}.pprint()")).new
    guarded = "seen = []\ndef keep(rdd):\n    if not rdd.isEmpty():\n        seen.append(1)\n"
    if "count()" not in stream or "repartition" in stream:
        new = str(file(socket_program(f"{head}{guarded}{stream}.foreachRDD(keep)")).new)
        assert ".transform(every_interval)" in new


KEEP_THEIR_STATE = [
    "lambda new, last: {new[-1]} if new else last",
    "lambda new, last: last if not new else lib.update(new, last)",
]


@pytest.mark.parametrize("update", ["lib.update", *KEEP_THEIR_STATE, "lambda new, last: {*new} or None"])
def test_other_state_functions_are_called_for_all_keys(update: str) -> None:
    body = f"import lib\nlines.map(lambda w: (w, len(w))).updateStateByKey({update}, 3).pprint()"
    (graph,) = run(socket_program(body)).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    new = file(socket_program(body)).new
    assert f"totals = updated(totals, added, {update}, 3)" in " ".join(new.split()).replace(
        "( ", "("
    ).replace(" )", ")")
    assert (".transform(every_interval)" in new) is (update not in KEEP_THEIR_STATE)
    assert "numPartitions=1" in new, "it may read the last value"


@pytest.mark.parametrize(
    ("numbers", "header"),
    [
        (("", ", None"), "def updated(state, pairs, update):"),
        (("", ", 3"), "def updated(state, pairs, update, partitions=None):"),
        ((", numPartitions=3",), "def updated(state, pairs, update, partitions=None):"),
    ],
)
def test_the_function_that_updates_states_takes_what_some_call_gives(
    numbers: tuple[str, ...], header: str
) -> None:
    state = "lines.map(lambda w: (w, len(w))).updateStateByKey(lambda new, last: {{*new}} or last{})"
    body = "\n".join(f"{state.format(number)}.pprint()" for number in numbers)
    assert header in str(file(socket_program(body)).new)


def test_what_is_made_of_input_alone_is_kept() -> None:
    body = "known = sc.parallelize(zip('ab', range(2)))\npairs = lines.map(lambda w: (w, 1))\n"
    for function in ("lambda rdd: rdd.join(known)", "lambda rdd: rdd.leftOuterJoin(known).filter(len)"):
        total = "mapValues(lambda v: 1).updateStateByKey(lambda new, last: sum(new) + (last or 0))"
        assert "updated(totals" in native_body(f"{body}pairs.transform({function}).{total}.pprint()")


@pytest.mark.parametrize("other", ["", "lines.pprint()\n"])
@pytest.mark.parametrize(
    "change", ["if not rdd.isEmpty():\n        seen.append(1)", "seen.extend(rdd.collect())", "again(rdd)"]
)
def test_what_a_state_changes_changes_in_intervals_without_input_too(other: str, change: str) -> None:
    body = (
        "seen = []\ndef again(rdd):\n    if rdd.count() > 0:\n        seen.append(1)\n"
        f"def keep(rdd):\n    {change}\n{other}"
        "totals = lines.map(lambda w: (w, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0))\n"
    )
    assert ".transform(every_interval)" in file(socket_program(f"{body}totals.foreachRDD(keep)")).new
    assert "every_interval" not in file(socket_program(f"{body}totals.pprint()\nlines.foreachRDD(keep)")).new


@pytest.mark.parametrize("other", ["", "lines.pprint()\n"])
@pytest.mark.parametrize("session", ["", "from pyspark.sql import SparkSession\nspark = SparkSession(sc)\n"])
def test_an_initial_state_is_made_after_the_session_or_by_that_of_the_batch(session: str, other: str) -> None:
    total = "updateStateByKey(lambda new, last: sum(new) + (last or 0), initialRDD=initial)"
    source = socket_program(f"{other}lines.map(lambda w: (w, 1)).{total}.pprint()").replace(
        "ssc = Str", f"initial = sc.parallelize([('a', 5)])\n{session}ssc = Str"
    )
    for program in (source, source.replace("SparkContext(appName", "SparkContext.getOrCreate() # (appName")):
        new = file(program).new
        assert "initial =" not in new.replace("initial_state", "")
        of = "spark" if other else "batch.sparkSession"
        made = f"{of}.createDataFrame([('a', 5)]"
        assert new.index("SparkSession.builder") < new.index(made)


REPEATED = "def add(new, last):\n    return sum(new) + (last or {0})\n"


@pytest.mark.parametrize(
    "made", ['SparkContext("local[2]", "Words")', 'SparkContext("local[2]", appName="Words")']
)
def test_a_context_that_finds_itself_is_made_once(made: str) -> None:
    """``SparkContext(...).getOrCreate()`` is a class method on the context that there is."""
    whole = socket_program("lines.pprint()").replace('SparkContext(appName="Test")', f"{made}.getOrCreate()")
    new = file(whole).new
    assert 'spark = SparkSession.builder.master("local[2]").appName("Words").getOrCreate()' in new
    assert "SparkContext" not in new


def test_a_name_or_master_that_a_later_one_takes_the_place_of_is_left_out() -> None:
    made = 'conf = SparkConf()\nconf.setAppName("First")\nsc = SparkContext("local[2]", "Test", conf=conf)'
    source = socket_program("lines.pprint()").replace('sc = SparkContext(appName="Test")', made)
    new = file(source.replace("import SparkContext", "import SparkConf, SparkContext")).new
    assert 'SparkSession.builder.master("local[2]").appName("Test").getOrCreate()' in new


def test_a_session_after_a_context_of_spark_s_own_module_is_the_new_one() -> None:
    made = 'sc = SparkContext(appName="Test")\nspark = SparkSession.builder.getOrCreate()'
    source = socket_program("lines.pprint()").replace('sc = SparkContext(appName="Test")', made)
    old = "from pyspark.context import SparkContext\nfrom pyspark.sql import SparkSession"
    new = file(source.replace("from pyspark import SparkContext", old)).new
    assert new.count("spark = ") == 1
    assert "SparkContext" not in new


def test_a_callback_that_makes_frames_of_rows_alone_needs_no_guard() -> None:
    body = """
    def show(rdd):
        found = rdd.collect()
        if len(found) > 0:
            made(found)
    def made(found):
        spark.createDataFrame([(len(line),) for line in found], ["n"]).show()
    lines.foreachRDD(show)
    """
    source = "from pyspark.sql import SparkSession\n" + socket_program(body)
    made = "sc = SparkContext()\nspark = SparkSession.builder.getOrCreate()"
    new = file(source.replace('sc = SparkContext(appName="Test")', made)).new
    assert "batch_id == 0" not in new
    assert (
        "batch_id == 0"
        in file(
            source.replace('sc = SparkContext(appName="Test")', made).replace(
                "if len(found) > 0:", "if True:"
            )
        ).new
    )


def test_a_function_that_is_repeated_word_by_word_is_one() -> None:
    total = "lines.map(lambda w: (w, 1)).updateStateByKey(add).pprint()"
    assert "limit(10)" in native_body(REPEATED.format(0) * 2 + total)
    assert "updated(totals, added, add)" in native_body(REPEATED.format(0) + REPEATED.format(1) + total)
    with_default = "n = 1\ndef add(new, last, n=n):\n    return sum(new) + (last or n)\n"
    assert "updated(totals, added, add)" in native_body(with_default * 2 + total)
    show = "def show(rdd):\n    rdd.toDF(['a']).show()\n"
    pairs = "pairs = lines.map(lambda w: (w,))\n"
    new = file(socket_program(f"{pairs}{show}{show}pairs.foreachRDD(show)")).new
    assert new.count("rdd.toDF(['a']).show()") in (0, 2)


@pytest.mark.parametrize("imported", ["from common import *", "from common import StreamingContext, clean"])
def test_a_file_that_the_contexts_class_is_imported_through_is_none_of_the_graphs(imported: str) -> None:
    common = "from pyspark.streaming import StreamingContext\n\n\ndef clean(line):\n    return line\n"
    source = socket_program("lines.map(clean).pprint()").replace(
        "from pyspark.streaming import StreamingContext", imported
    )
    modules = [module(common, "common.py"), module(source, "job.py")]
    result = migrate(modules, Options())
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    helper, job = result.files
    assert helper.new == common
    assert "  goes with job.py; nothing changes here" in [line.plain for line in render(result)]
    assert "StreamingContext" not in job.new
    assert "clean" in job.new


def test_a_name_of_the_future_is_a_functions() -> None:
    body = "def print_function(rdd):\n    print(sorted(rdd.collect()))\nlines.foreachRDD(print_function)"
    new = file(f"from __future__ import print_function\n{socket_program(body)}").new
    assert "foreachBatch(print_function)" in new


def test_a_source_that_is_bound_again_at_once_goes() -> None:
    more = "lines = ssc.socketTextStream('other', [1, {'a': 2}])\n"
    source = socket_program("lines.pprint()").replace("lines = ", f"{more}lines = ")
    assert "other" not in file(source).new
    assert run(source.replace("[1, {'a': 2}]", "ask()")).graphs[0].outcome is Outcome.COMPAT


def test_a_source_of_the_module_is_read_in_the_function_that_starts() -> None:
    source = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(), 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.pprint()


def words():
    made = lines.flatMap(lambda line: line.split(" "))
    made.pprint()
    return made


def main():
    words().foreachRDD(lambda rdd: print(sorted(rdd.collect())))
    ssc.start()
    ssc.awaitTermination()


main()
"""
    new = file(source).new
    assert "    query = lines.writeStream" in new
    assert new.count(".show(10, truncate=False)") == 2


def test_comments_of_an_initial_state_stay() -> None:
    body = (
        "# where we begin\ninitial = sc.parallelize([('a', 5)])  # five\nlines.pprint()\n"
        "totals = lines.map(lambda w: (w, 1)).updateStateByKey("
        "lambda new, last: sum(new) + (last or 0), initialRDD=initial)\ntotals.pprint()"
    )
    new = str(file(socket_program(body)).new)
    assert (
        "# where we begin\n"
        "totals = spark.createDataFrame([('a', 5)], \"value string, count bigint\")  # five\n"
    ) in new


def test_a_state_of_rdd_code_has_the_partitions_that_it_is_given() -> None:
    pairs = "lines.map(lambda w: {'w': frozenset(w)}).map(lambda r: (r['w'], 1))"
    body = f"{pairs}.updateStateByKey(lambda new, last: sum(new) + (last or 0), 3).pprint()"
    assert "lambda new, last: sum(new) + (last or 0), 3)" in native_body(body)


def test_a_state_in_a_function_is_not_global() -> None:
    body = socket_program("lines.pprint()\nlines.map(lambda w: (w, 1)).updateStateByKey(add).pprint()")
    head, rest = body.split("sc = ", 1)
    inside = "def main():\n" + "".join(f"    {row}\n" for row in f"sc = {rest}".splitlines())
    add = "def add(new, last):\n    return sum(new) + (last or 0)\n"
    new = str(file(f"{head}{add}{inside}main()\n").new)
    assert "        nonlocal totals\n" in new


def test_a_variable_that_is_bound_again_holds_no_state() -> None:
    body = (
        "counts = lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)\n"
        "counts.pprint()\n"
        "counts = counts.updateStateByKey(lambda new, last: sum(new) + (last or 0))\n"
        "counts.pprint()"
    )
    new = native_body(body)
    assert new.startswith("global counts_state\n")
    assert "counts_state = (\n    counts_state.union(counts)\n" in new
    assert new.endswith("counts_state.show(10, truncate=False)\ncounts.unpersist()")


@pytest.mark.parametrize(
    ("variable", "state"),
    [("avgDelay", "avgDelayState"), ("counts_stream", "counts_state"), ("state", "totals")],
)
def test_its_state_says_what_it_holds(variable: str, state: str) -> None:
    made = "lines.map(lambda w: (w, 1)).updateStateByKey(lambda new, last: [*new, last])"
    body = f"{variable} = {made}\n{variable} = {variable}.map(lambda p: p[1])\n{variable}.pprint()"
    assert native_body(body).startswith(f"global {state}\n")


def test_an_initial_state_is_merged_in_the_batch_function() -> None:
    body = (
        "initial = sc.parallelize([('a', 1), ('b', 2)])\n"
        "counts = lines.map(lambda w: (w, 1)).updateStateByKey(lambda n, s: sum(n) + (s "
        "or 0), initialRDD=initial)\n"
        "counts.pprint()"
    )
    result = run(socket_program(f"# where we begin\n{body}"))
    new = result.files[0].new
    assert new.count("# where we begin\n") == 1
    assert flat('initial_state = batch.sparkSession.createDataFrame([("a", 1), ("b", 2)]') in flat(
        new.replace("'", '"')
    )
    assert "batch.union(initial_state)" in new
    assert "sc =" not in new
    assert result.graphs[0].is_ready, "a DataFrame of another session would not go along"


@pytest.mark.parametrize(
    ("made", "goes"),
    [
        ("sc.parallelize([])", True),
        ("sc.parallelize([], 4)", True),
        ("ssc.sparkContext.emptyRDD()", True),
        ("[]", True),
        ("sc.parallelize([])\nprint(initial.count())", False),
    ],
)
def test_an_initial_state_without_keys_is_none(made: str, goes: bool) -> None:
    body = (
        f"initial = {made}\n"
        "counts = lines.map(lambda w: (w[:3], len(w))).updateStateByKey(lambda n, s: sum(n) + (s or 0),"
        " initialRDD=initial)\n"
        "counts.pprint()"
    )
    new = str(run(socket_program(body)).files[0].new)
    assert '.agg(F.sum(F.length("value")).alias("value"))' in flat(new)
    assert ("initial" not in new) is goes
    assert ".rdd" not in new


@pytest.mark.parametrize("made", ["sc.parallelize([])", "sc.emptyRDD()"])
def test_an_initial_state_without_keys_may_get_some(made: str) -> None:
    body = (
        f"initial = {made}\nif more():\n    initial = sc.parallelize([('a', 1)])\n"
        "counts = lines.map(lambda w: (w, 1)).updateStateByKey(lambda n, s: sum(n) + (s or 0),"
        " initialRDD=initial)\n"
        "counts.pprint()"
    )
    assert "groupBy" not in str(run(socket_program(body)).files[0].new)


CALLBACK = """\
from pyspark.sql import Row, SparkSession

def session(conf):
    if "s" not in globals():
        globals()["s"] = SparkSession.builder.config(conf=conf).getOrCreate()
    return globals()["s"]

def process(time, rdd):
    print("at %s" % time)
    try:
        spark = session(rdd.context.getConf())
        rows = rdd.map(lambda w: Row(word=w, size=len(w)))
        df = spark.createDataFrame(rows)
        df.createOrReplaceTempView("words")
        spark.sql("select count(*) from words").show()
    except Exception:
        pass

words = lines.flatMap(lambda l: l.split(" "))
words.foreachRDD(process)
"""


def test_a_callback_that_makes_a_dataframe_gets_one() -> None:
    new = file(socket_program(CALLBACK)).new
    assert "def process(batch, batch_id):" in new
    assert "    time = datetime.now()" in new and "words = batch.select(F.explode(" in new
    assert "words.sparkSession.sql(" in new
    assert f"        if words.isEmpty():\n            return{PASSED_OVER}\n" in new
    assert 'df = words.select("word", F.length("word").cast("bigint").alias("size"))' in new
    assert "globals" not in new and "Row" not in new


PASSED_OVER = "  # createDataFrame failed, and `except` passed over it"


def test_a_dataframe_that_takes_several_steps_is_asked_whether_it_is_empty() -> None:
    """What it is made of is not written twice; comments stay at their statements."""
    source = CALLBACK.replace("rdd.map(lambda w:", 'rdd.flatMap(lambda l: l.split(",")).map(lambda w:')
    source = source.replace("        df.create", "        # a view of it\n        df.create")
    new = file(socket_program(source)).new
    made = new[new.index("df = ") : new.index("# a view of it")]
    assert made.count("F.explode") == 1
    assert made.endswith(f"if df.isEmpty():\n            return{PASSED_OVER}\n        ")
    assert '# a view of it\n        df.createOrReplaceTempView("words")' in new


def test_a_predicate_that_holds_for_all_is_no_where() -> None:
    new = file(socket_program('lines.filter(lambda line: line.split(",")).pprint()')).new
    assert f"\nquery = (\n    lines{CONSOLE}\n" in new


def test_a_dataframe_that_is_the_batch_has_no_second_name() -> None:
    body = (
        "from pyspark.sql import SparkSession\nspark = SparkSession(sc)\n"
        "def show(rdd):\n    if not rdd.isEmpty():\n{made}        df.show()\n{end}\n"
        "rows = lines.map(lambda l: Row(word=l, line=l))\nrows.foreachRDD(show)\n"
        "from pyspark.sql import Row"
    )
    made = "        df = spark.createDataFrame(rdd)\n        print(df.columns)\n"
    new = file(socket_program(body.format(made=made, end=""))).new
    assert "df" not in new
    assert "        print(rows.columns)\n        rows.show()\n" in new
    again = file(socket_program(body.format(made=made, end="        df = 1\n"))).new
    assert "df = rows\n" in again, "another value comes"
    inner = file(socket_program(body.format(made=made, end="        print([df for rows in range(2)])\n"))).new
    assert "rows.show()" not in inner, "inside, the name is another variable"


def test_without_a_handler_an_empty_batch_raises_if_the_user_asks_for_it() -> None:
    body = (
        "def go(rdd):\n    rdd.map(lambda w: (w, 1)).toDF(['w', 'n']).show()\n\nlines.foreachRDD(go)\n"
        "from pyspark.sql import SparkSession\nspark = SparkSession(sc)"
    )
    assert 'raise ValueError("RDD is empty")' in file(socket_program(body), Options(strict=True)).new


@pytest.mark.parametrize(
    "branch",
    [
        "if ready():\n    {}\nelse:\n    print('no')",
        "if not ready():\n    print('no')\nelif hosts:\n    if True:\n        {}",
        "def main():\n    if ready():\n        pass\n    else:\n        {}\nmain()",
    ],
)
def test_a_branch_that_holds_the_whole_program_is_a_straight_line(branch: str) -> None:
    rows = socket_program("lines.countByValue().pprint()").strip().splitlines()
    indent = branch.split("{}", maxsplit=1)[0].rpartition("\n")[2]
    source = branch.format(("\n" + indent).join(rows)) + "\n"
    new = file(source).new
    assert f"{indent}def process_batch(batch, batch_id):\n{indent}    batch.groupBy(" in new
    assert f"{indent}query.awaitTermination()" in new


def test_a_comment_after_a_statement_stands_above_several_lines_and_two_spaces_after_one() -> None:
    source = socket_program("lines.pprint()").replace("lines", "lines_of_the_socket")
    source = source.replace("ssc.start()", "ssc.start()      # begin  # it")
    new = file(source.replace("ssc.awaitTermination()", "ssc.awaitTermination()      # wait")).new
    assert "\n# begin  # it\nquery = (\n" in new
    assert new.endswith(")\nquery.awaitTermination()  # wait\n")


def test_what_is_shown_after_a_branch_may_be_no_stream() -> None:
    rows = socket_program("result = lines.count()\nresult.pprint()").strip().splitlines()
    source = "if ready():\n    " + "\n    ".join(rows) + "\nelse:\n    result = 42\nprint(result)\n"
    new = file(source).new
    assert "print(result)" in new
    assert "compat.streaming" in new


def test_a_program_that_goes_on_after_a_branch_is_none() -> None:
    rows = socket_program("lines.pprint()").strip().splitlines()
    source = "if ready():\n    " + "\n    ".join(rows[:-1]) + "\nssc.awaitTermination()\n"
    (graph,) = run(source).graphs
    assert graph.reasons == ("line 7: `socketTextStream` stands in a branch, not in a straight line",)


_CHOSEN = """\
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
ssc = StreamingContext(SparkContext(), 1)
{}
lines.map(lambda line: line.upper()).pprint()
ssc.start()
ssc.awaitTermination()
"""
_MAKES = "lines = ssc.socketTextStream(sys.argv[1], 9999)"


@pytest.mark.parametrize(
    "choice",
    [
        f"if len(sys.argv) > 1:\n    {_MAKES}\nelse:\n    print('which host?')\n    sys.exit(1)",
        f"if len(sys.argv) < 2:\n    print('which host?')\n    exit()\nelse:\n    {_MAKES}",
    ],
)
def test_a_program_that_ends_in_the_other_branch_goes_on_after_one(choice: str) -> None:
    new = file(_CHOSEN.format(choice)).new
    assert ".readStream.format('socket')" in new and "compat" not in new
    assert new.index("which host?") < new.index("writeStream")


@pytest.mark.parametrize(
    "choice",
    [
        f"if len(sys.argv) > 1:\n    {_MAKES}\nelse:\n    print('which host?')",
        f"if ssc:\n    {_MAKES}\nelse:\n    sys.exit(1)",
        f"try:\n    if ready:\n        {_MAKES}\n    else:\n        exit()\nexcept SystemExit:\n    pass",
    ],
)
def test_unless_it_may_go_on_there_too(choice: str) -> None:
    (graph,) = run(_CHOSEN.format(choice)).graphs
    assert graph.outcome is Outcome.COMPAT


def test_the_result_of_an_output_may_have_a_name_that_nobody_reads() -> None:
    body = "def show(rdd):\n    print(rdd.count())\nrdd = lines.foreachRDD(show)"
    assert "foreachBatch(show)" in file(socket_program(body)).new
    assert "is assigned to a name" in blocked(body + "\ndef later():\n    print(rdd)")


def test_partitions_to_count_may_be_there_by_a_setting_from_outside() -> None:
    result = run(socket_program("lines.transform(lambda rdd: rdd.distinct()).count().pprint()"))
    assert "if batch.isEmpty():" in result.files[0].new and "distinct().count()" in result.files[0].new
    assert any("where spark-submit or its defaults set that" in note for note in result.graphs[0].notes)


def test_a_setting_in_a_branch_stays_there() -> None:
    source = socket_program("lines.pprint()").replace(
        'sc = SparkContext(appName="Test")',
        "conf = SparkConf()\nif master:\n    conf.setMaster(master)\nconf.set('spark.x', '1')\n"
        'sc = SparkContext(appName="Test", conf=conf)\nconf.set("spark.late", "2")',
    )
    new = file(source.replace("import SparkContext", "import SparkConf, SparkContext")).new
    assert "if master:\n    conf.setMaster(master)\nconf.set('spark.x', '1')\n" in new
    assert 'SparkSession.builder.config(conf=conf).appName("Test").getOrCreate()' in new
    assert 'conf.set("spark.late", "2")' in new


BLOCKED = [
    pytest.param("lines.glom().pprint()", "glom", id="partitions"),
    pytest.param("lines.glom().pprint()", "glom", id="partitions"),
    pytest.param("import lib\nlines.foreachRDD(lib.save)", "files that were read", id="an imported callback"),
    pytest.param(
        "def top(rdd):\n    print(rdd.zipWithIndex().collect())\nlines.foreachRDD(top)",
        "zipWithIndex",
        id="positions",
    ),
    pytest.param("seen = [lines]\nlines.pprint()", "handed on", id="a stream that is handed on"),
    pytest.param("for i in range(2):\n    lines.pprint(i)", "loop", id="an output in a loop"),
    pytest.param("F = 1\nlines.map(len).pprint()", "`F`", id="F is something else"),
    pytest.param(
        "sc._conf.set('spark.default.parallelism', '4')\n"
        "lines.transform(lambda rdd: rdd.distinct()).count().pprint()",
        "an empty batch has a partition to count where `spark.default.parallelism` is set",
        id="a count of partitions that are there",
    ),
]


@pytest.mark.parametrize(("body", "why"), BLOCKED)
def test_what_is_not_proven_goes_to_compat_with_its_reason(body: str, why: str) -> None:
    assert why in blocked(body)


EARLY = [
    pytest.param(
        "f = lib.a\na = lines.map(f)\nf = lib.b\na.pprint()", "function = f", id="a name bound again"
    ),
    pytest.param("lines.map(lib.make(2)).pprint()", "function = lib.make(2)", id="a call"),
    pytest.param("lines.map(lib.table['a']).pprint()", "function = lib.table['a']", id="an item"),
    pytest.param(
        "n = 1\na = lines.map(lambda x, n=n: lib.go(x, n))\nn = 2\na.pprint()",
        "function = lambda x, n=n: lib.go(x, n)",
        id="a default",
    ),
    pytest.param("lib.f = lib.a\na = lines.map(lib.f)\na.pprint()", "function = lib.f", id="an attribute"),
    pytest.param(
        "f = lib.a\nf = lib.b\na = lines.map(f)\nfor f in lib.all:\n    print(f)\na.pprint()",
        "function = f",
        id="a name bound again in a loop",
    ),
    pytest.param(
        "f = lib.a\nf = lib.b\na = lines.map(f)\ndel f\na.pprint()",
        "function = f",
        id="a name that is deleted",
    ),
]


@pytest.mark.parametrize(("body", "assignment"), EARLY)
def test_an_argument_is_evaluated_once_and_where_it_was(body: str, assignment: str) -> None:
    new = file(socket_program("import lib\n" + body)).new
    assert f"\n{assignment}\n" in new
    assert '.map(lambda row: function(row["value"]))' in new


LATE = [
    pytest.param("lines.map(lambda x: lib.go(x, n)).pprint()\nn = 1", id="what a function reads"),
    pytest.param("lines.map(lib.go).pprint()", id="a function of a module"),
    pytest.param("from operator import itemgetter\nlines.map(itemgetter(0)).pprint()", id="itemgetter"),
    pytest.param(
        "f = lib.a\nif lib.test:\n    f = lib.b\nlines.map(f).pprint()", id="a name that is bound again above"
    ),
]


@pytest.mark.parametrize("body", LATE)
def test_an_argument_that_lasts_stays_in_the_chain(body: str) -> None:
    assert "function" not in native_body("import lib\n" + body)


@pytest.mark.parametrize(
    "queue", ["rdds = []\nnumbers = ssc.queueStream(rdds)", "numbers = ssc.queueStream([])"]
)
def test_a_queue_without_rdds_fails_where_the_stream_is_made(queue: str) -> None:
    source = socket_program("").replace("ssc.start()", f"{queue}\nnumbers.pprint()\nssc.start()")
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "its queue is an empty list" in graph.reasons[0]


def test_a_queue_may_hold_rdds_that_are_made_of_others() -> None:
    source = queue_program("numbers.foreachRDD(lambda rdd: print(rdd.collect()))")
    made = "rdd = sc.parallelize([7]).map(lambda n: n + 1)\nrdds = [rdd.filter(bool), "
    assert "rdds.pop(0)" in file(source.replace("rdds = [", made)).new


def test_a_parameter_of_another_function_is_not_what_a_queue_holds() -> None:
    source = queue_program("numbers.foreachRDD(lambda rdd: show(rdd))")
    source = source.replace("rdds = [", "rdd = sc.parallelize([7])\nrdds = [rdd, ")
    shown = "def show(rdd):\n    rdds = rdd.take(3)\n    print(rdds)\n"
    assert "queue.pop(0)" in file(shown + source).new
    changed = "def change():\n    global rdd\n    rdd = None\n"
    (graph,) = run(shown + changed + source).graphs
    assert "its queue is not known to be a list of RDDs" in graph.reasons[0]


STARTED = "ssc.start()\nssc.awaitTermination()\n"
"""The end of programs."""


@pytest.mark.parametrize(
    ("stop", "after"),
    [("ssc.stop(False)", ""), ("ssc.stop()", "spark.stop()\n"), ("ssc.stop(True, True)", "spark.stop()\n")],
)
def test_a_context_that_is_stopped_and_never_started(stop: str, after: str) -> None:
    result = run(socket_program("lines.pprint()").replace(STARTED, f"{stop}\n"))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    assert new.endswith(f"\nfor query in spark.streams.active:\n    query.stop()\n{after}")
    assert "sleep" not in new


@pytest.mark.parametrize("end", ["ssc.awaitTermination()", "df.writeStream.start()\nssc.stop()"])
def test_other_contexts_that_are_never_started_stay(end: str) -> None:
    (graph,) = run(socket_program("lines.pprint()").replace(STARTED, f"{end}\n")).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "the context is never started" in graph.reasons[0]


def test_a_graceful_stop_takes_all_that_is_due_from_a_queue() -> None:
    source = queue_program("numbers.pprint()").replace("ssc.awaitTermination()", "ssc.stop({})")
    assert (
        "time.sleep(2)  # a graceful stop ran two more"
        in run(source.format("stopGraceFully=True")).files[0].new
    )
    assert "sleep" not in run(source.format("")).files[0].new


def test_what_nobody_reads_stays_if_its_arguments_do_something() -> None:
    assert "may do something" in blocked("import lib\nunused = lines.map(lib.make())\nlines.pprint()")
    partial = "from functools import partial\nimport lib\nshared = sc.broadcast(lib.model())\n"
    assert "may do something" in blocked(
        f"{partial}unused = lines.map(partial(int, lib.make()))\nlines.pprint()"
    )
    unused = "unused = lines.map(partial(int, base=shared.value))\nlines.pprint()"
    assert run(socket_program(partial + unused)).graphs[0].outcome is Outcome.NATIVE


GUARDED = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
sc = SparkContext()
ssc = StreamingContext(sc, 1)
try:
    lines = ssc.socketTextStream("localhost", 9999)
    lines.pprint()
    ssc.start()
    ssc.awaitTermination()
{}
"""


@pytest.mark.parametrize("clause", ["except KeyboardInterrupt:", "finally:"])
def test_a_stop_that_may_come_before_the_start_needs_no_query(clause: str) -> None:
    new = file(GUARDED.format(f"{clause}\n    ssc.stop(stopSparkContext=False)")).new
    assert new.endswith(f"{clause}\n    for query in spark.streams.active:\n        query.stop()\n")
    new = file(GUARDED.format(f"{clause}\n    print(1)\nssc.stop()")).new
    assert new.endswith("\nquery.stop()\nspark.stop()\n")
    other = "counts.writeStream.start()\n    ssc.stop(False)"
    assert file(GUARDED.format(f"{clause}\n    {other}")).new.endswith("\n    query.stop()\n")


def test_settings_of_the_context_are_kept() -> None:
    source = (
        "from pyspark import SparkConf, SparkContext\nfrom pyspark.streaming import StreamingContext\n"
        "conf = SparkConf().setAppName('x').setMaster('local[2]')\nconf.set('spark.ui.enabled', 'false')\n"
        "sc = SparkContext(conf=conf)\nsc.setLogLevel('ERROR')\n"
        "ssc = StreamingContext(sc, batchDuration=0.5)\n"
        "ssc.textFileStream('in').pprint()\nssc.start()\nssc.awaitTerminationOrTimeout(5)\nssc.stop()\n"
    )
    new = file(source).new
    assert "SparkSession.builder.appName('x')" in new
    assert ".master('local[2]')" in new
    assert ".config('spark.ui.enabled', 'false')" in new
    assert "SparkConf" not in new
    assert ".config('spark.log.level', 'ERROR')" in new
    assert "sparkContext" not in new
    assert "trigger(processingTime='0.5 seconds')" in new
    assert "where(F.col('_metadata.file_modification_time') > started)" in new
    assert "query.awaitTermination(5)\nquery.stop()\nspark.stop()\n" in new


def test_a_later_session_brings_the_settings_of_connectors_along() -> None:
    made = (
        'spark = SparkSession.builder.config("spark.mongodb.output.uri", "mongodb://h/a.b")'
        '.config("spark.executor.memory", "1g").config("spark.some.config.option", "x").getOrCreate()\n'
    )
    body = f"from pyspark.sql import SparkSession\n{made}lines.pprint()"
    new = str(file(socket_program(body)).new)
    assert '.config("spark.mongodb.output.uri", "mongodb://h/a.b")' in new
    assert "executor.memory" not in new and "some.config" not in new, "they had no effect"


def test_a_column_may_have_any_name() -> None:
    callback = 'def show(rdd):\n    rdd.map(lambda w: (w, 1)).toDF(["#", "n"]).show()\n'
    assert '.alias("#")' in str(file(socket_program(f"{callback}lines.foreachRDD(show)")).new)


def test_settings_of_dstreams_are_reported() -> None:
    source = socket_program("lines.pprint()").replace(
        'sc = SparkContext(appName="Test")',
        'c = SparkConf().set("spark.streaming.backpressure.enabled", "true")\nsc = SparkContext(conf=c)',
    )
    notes = run(source.replace("import SparkContext", "import SparkConf, SparkContext")).graphs[0].notes
    assert any("`spark.streaming.backpressure.enabled`" in note for note in notes)


def test_settings_in_the_constructor_are_kept_too() -> None:
    source = socket_program("lines.pprint()").replace(
        'sc = SparkContext(appName="Test")\nssc = StreamingContext(sc, 1)',
        'ssc = StreamingContext(SparkContext("local[3]", "Inline"), 1)',
    )
    assert 'SparkSession.builder.master("local[3]").appName("Inline").getOrCreate()' in file(source).new


def test_a_context_that_an_unknown_call_makes_goes_to_compat() -> None:
    source = socket_program("lines.pprint()").replace(
        "StreamingContext(sc, 1)", "StreamingContext(lib.sc(), 1)"
    )
    (graph,) = run("import lib\n" + source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "not followed" in graph.reasons[0]


TOTALS = "lines.map(lambda w: (w, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0){}).pprint()"
PARTITIONS = "spark.sql.shuffle.partitions"


def test_a_stateful_query_has_a_number_of_partitions() -> None:
    """Its batches cannot find one by themselves, and Spark's 200 take seconds a batch."""
    asked = flat(file(socket_program(TOTALS.format(", 7"))).new)
    assert 'SparkSession.builder.appName("Test").config("spark.sql.shuffle.partitions",7)' in asked
    new = file(socket_program(TOTALS.format(""))).new
    assert '.config("spark.sql.shuffle.partitions", 8)' in new
    assert "# Spark's 200 partitions make small batches slow\n" in new
    local = socket_program(TOTALS.format("")).replace("SparkContext(", 'SparkContext("local[3]", ')
    assert '.config("spark.sql.shuffle.partitions", 3)  # one for each core' in file(local).new
    own = f'key = "{PARTITIONS}"\n{TOTALS.format("")}'
    assert file(socket_program(own)).new.count(PARTITIONS) == 1


def test_batches_of_a_stateless_query_find_it_by_themselves_from_spark_4_1_on() -> None:
    body = "lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b, 7).pprint()"
    assert PARTITIONS not in file(socket_program(body), Options(spark=SparkVersion("4.1"))).new
    assert f'.config("{PARTITIONS}", 7)' in file(socket_program(body), Options(spark=SparkVersion("4.0"))).new


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("lines.window(2).map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b).pprint()", False),
        ("lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b).window(2).pprint()", True),
        ("lines.map(lambda w: (w, 1)).reduceByKeyAndWindow(lambda a, b: a + b, None, 4, 2).pprint()", True),
    ],
)
def test_what_a_window_persists_has_a_number_of_partitions_if_it_was_shuffled(body: str, told: bool) -> None:
    new = file(socket_program(body), Options(spark=SparkVersion("4.3"))).new
    assert (PARTITIONS in new) is told
    assert PARTITIONS in file(socket_program(body), Options(spark=SparkVersion("4.0"))).new


@pytest.mark.parametrize(
    "later",
    [
        "spark = SparkSession(sc)",
        "spark = SparkSession.builder.appName('other').getOrCreate()",
        "spark = SparkSession.builder.config(conf=sc.getConf()).getOrCreate()",
        "spark = SparkSession.builder.config('spark.sql.session.timeZone', 'UTC').getOrCreate()",
    ],
)
def test_a_session_of_the_program_is_the_only_one(later: str) -> None:
    source = f"from pyspark.sql import SparkSession\n{socket_program('lines.pprint()')}"
    new = file(source.replace("lines.pprint()", f"# for SQL\n{later}\nlines.pprint()")).new
    assert new.count("getOrCreate()") == 1
    assert "SparkContext" not in new
    assert "# for SQL\nspark = " in new
    assert ("'UTC'" in new) is ("'UTC'" in later)
    earlier = source.replace("ssc = Str", f"{later}\nssc = Str")
    assert file(earlier).new == new.replace("# for SQL\n", "")


def test_a_session_that_nothing_makes_is_the_new_one() -> None:
    """The program ran in a shell, or its line was never reached."""
    new = file(socket_program("lines.foreachRDD(lambda rdd: print(spark.version, rdd.take(1)))")).new
    assert "spark = SparkSession.builder" in new
    assert "spark_2" not in new


SQL = """\
from pyspark.sql import SQLContext
{before}
# for SQL
sql = SQLContext(sc)
{after}
lines.pprint()
"""


@pytest.mark.parametrize(
    ("after", "new"),
    [
        ('df = sql.read.json("a")', 'df = spark.read.json("a")'),
        ('def f():\n    return sql.table("a").count()', 'return spark.table("a").count()'),
        (
            "lines.foreachRDD(lambda rdd: print(sql.table('a'), rdd.take(1)))",
            "print(batch.sparkSession.table('a')",
        ),
        ("sql.dropTempTable('a')", "spark.catalog.dropTempView('a')"),
        (
            "sql.setConf('a', 'b')\nsql.cacheTable('a')",
            "spark.conf.set('a', 'b')\nspark.catalog.cacheTable('a')",
        ),
        ("sql.registerFunction('f', len)", "spark.udf.register('f', len)"),
        ("", "spark = SparkSession"),
    ],
)
def test_an_sql_context_is_the_session(after: str, new: str) -> None:
    text = file(socket_program(SQL.format(before="", after=after))).new
    assert new in text
    assert "SQLContext" not in text
    assert "# for SQL" not in text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "sql.tableNames()"),
        ("", "use(sql)"),
        ("", 'def f(spark):\n    return sql.table("a")'),
        ("", 'def f():\n    spark = 1\n    return sql.table("a")'),
        ("sql = None", 'sql.table("a")'),
    ],
)
def test_an_sql_context_of_another_kind_stays(before: str, after: str) -> None:
    assert "sql = SQLContext(" in file(socket_program(SQL.format(before=before, after=after))).new


@pytest.mark.parametrize(
    ("lines", "after"),
    [
        ("sc.setLogLevel(level)", "spark.sparkContext.setLogLevel(level)"),
        ("n = sc.broadcast(3)", "n = spark.sparkContext.broadcast(3)"),
        ("n = sc.broadcast(3)\nm = sc.broadcast(4)", "sc = spark.sparkContext\n"),
        ("def f():\n    return sc.broadcast(3)\nf()", "sc = spark.sparkContext\n"),
    ],
)
def test_a_context_has_a_name_where_it_is_worth_one(lines: str, after: str) -> None:
    new = file(socket_program("lines.pprint()").replace("ssc = Str", f"{lines}\nssc = Str")).new
    assert after in new
    assert ("sc = spark" in new) is ("sc = spark" in after)


@pytest.mark.parametrize(
    ("interval", "after"),
    [
        ("1", '"1 second"'),
        ("10.0", '"10 seconds"'),
        ("0.25", '"0.25 seconds"'),
        ("60 * 5", '"300 seconds"'),
        ("interval", 'f"{interval} seconds"'),
        ("options.every / 2", 'f"{options.every / 2} seconds"'),
        ('conf["every"]', '"%s seconds" % conf["every"]'),
    ],
)
def test_the_batch_interval_is_the_trigger(interval: str, after: str) -> None:
    source = socket_program("lines.pprint()").replace("(sc, 1)", f"(sc, {interval})")
    assert f"trigger(processingTime={after})" in file(f"from settings import *\n{source}").new


def test_rules_that_are_switched_off_send_the_graph_to_compat() -> None:
    assert "switched off" in blocked("lines.map(len).pprint()", Options(ignore=frozenset({"map"})))


def test_the_old_text_of_pprint_can_be_kept() -> None:
    body = native_body("lines.pprint()", Options(pprint_exact=True))
    assert body == (
        "batch_time = datetime.now().replace(microsecond=0)  # end of the interval\n"
        "lines = batch.rdd.map(lambda row: row[0])\npprint(lines, batch_time)"
    )


def test_a_compat_file_becomes_native_too() -> None:
    source = WORD_COUNT.replace("pyspark.streaming", "compat.streaming")
    assert file(source).new == WORD_COUNT_AFTER


LATER = [
    pytest.param('.config(key="spark.sql.extensions", value="x")', "is lost where", id="by keyword"),
    pytest.param(".config(map=settings)", "`config(settings)` is lost", id="settings in a dict"),
    pytest.param(".config(name, value)", "`config(name)` is lost", id="a setting that is not written out"),
]


@pytest.mark.parametrize(("builder", "why"), LATER)
def test_a_later_session_with_settings_for_the_first_one_keeps_the_graph_on_compat(
    builder: str, why: str
) -> None:
    session = f"from pyspark.sql import SparkSession\nmine = SparkSession.builder{builder}.getOrCreate()\n"
    assert why in blocked(f"{session}lines.foreachRDD(lambda rdd: print(mine.createDataFrame(rdd).take(1)))")


@pytest.mark.parametrize(
    "setting",
    [
        "enableHiveSupport()",
        'config("spark.sql.warehouse.dir", "/w")',
        'config("hive.x", 1).enableHiveSupport()',
    ],
)
def test_the_new_session_has_what_only_the_first_one_can_have(setting: str) -> None:
    mine = f"mine = SparkSession.builder.appName('later').{setting}.getOrCreate()\n"
    output = "lines.foreachRDD(lambda rdd: print(mine.createDataFrame(rdd).take(1)))"
    body = f"from pyspark.sql import SparkSession\n{mine}{output}"
    (result,) = run(socket_program(body)).files
    made = "".join(result.new.partition("getOrCreate()")[0].split()).replace("=(", "=")
    assert made.endswith(f'mine=SparkSession.builder.appName("Test").{setting}.'.replace(", ", ","))
    assert result.new.count("getOrCreate()") == 1
    assert "HiveContext" not in str(run(socket_program(body)).graphs[0].notes)
    function = f"def make():\n    global mine\n    {mine}make()\n"
    assert "is lost where the session" in blocked(f"from pyspark.sql import SparkSession\n{function}{output}")
    other = "from pyspark.sql import SparkSession, SQLContext\nif __debug__:\n    sql = SQLContext(sc)\n"
    other += f"{mine}{output}"
    assert "is lost where the session" in blocked(other)


def test_the_new_session_has_nothing_that_a_second_builder_could_not_set() -> None:
    builder = (
        'mine = SparkSession.builder.config("spark.sql.warehouse.dir", "/w").config("hive.a", "b")'
        ".enableHiveSupport().getOrCreate()\n"
    )
    output = "lines.foreachRDD(lambda rdd: print(mine.createDataFrame(rdd).take(1)))"
    body = f"from pyspark.sql import SparkSession, SQLContext\nsql = SQLContext(sc)\n{builder}{output}"
    result = run(socket_program(body))
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    new = str(result.files[0].new)
    assert new.count("getOrCreate()") == 1
    assert '.config("hive.a", "b")' in new
    assert "enableHiveSupport" not in new and "warehouse" not in new
    (note,) = [note for note in graph.notes if "did nothing" in note]
    assert "`SQLContext(sc)` made the session" in note
    assert "\n# without Hive, as before: `SQLContext(sc)` made the session\nmine = SparkSession" in new
    assert "`config('spark.sql.warehouse.dir', '/w')`, `enableHiveSupport()`" in note


def test_the_shell_s_sql_context_is_the_session_that_is_made_in_its_place() -> None:
    """A program for the shell has none, and `spark-submit`, by which it is started now, neither."""
    shell = "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
    body = (
        "lines = ssc.socketTextStream('localhost', 9999)\n"
        "def save(rdd):\n    table = sqlContext.createDataFrame(rdd.map(parse), ['a'])\n    table.show()\n"
        "lines.foreachRDD(save)\nssc.start()\nssc.awaitTermination()\n"
    )
    new = file(shell + body).new
    assert "spark = SparkSession.builder.getOrCreate()" in new
    assert "table = spark.createDataFrame(" in new and "sqlContext" not in new
    own = file(f"{shell}sqlContext = given()\n{body}").new
    assert "table = sqlContext.createDataFrame(" in own


def test_the_new_session_has_nothing_of_a_later_one_that_had_no_effect() -> None:
    mine = 'SparkSession.builder.config("spark.executor.memory", "9g").enableHiveSupport().getOrCreate()'
    output = "lines.foreachRDD(lambda rdd: show(mine, rdd.take(1)))"
    new = file(socket_program(f"from pyspark.sql import SparkSession\nmine = {mine}\n{output}")).new
    assert 'SparkSession.builder.appName("Test").enableHiveSupport().getOrCreate()' in new


def test_the_context_is_there_for_new_code_that_reads_it() -> None:
    source = socket_program("lines.pprint()").replace('("localhost", 9999)', "([sc.range(1), sc.range(2)])")
    new = file(source.replace("socketTextStream", "queueStream")).new
    assert "sc = spark.sparkContext\n" in new


def test_a_callback_that_fails_on_nothing_is_not_called_before_the_first_batch_time() -> None:
    guard = "if batch_id == 0 and batch.isEmpty():  # at the start, before any batch is due\n    return\n"
    assert native_body("lines.foreachRDD(lambda rdd: print(rdd.first()))").startswith(guard)
    frame = "def show(rdd):\n    spark.createDataFrame(rdd.map(lambda x: (x,)), ['a']).write.save('x')\n"
    made = "from pyspark.sql import SparkSession\nfrom pyspark.sql.types import *\nspark = SparkSession(sc)\n"
    made += "fields = StructType([StructField('a', StringType())])\n"
    assert native_body(f"{made}{frame}lines.foreachRDD(show)").startswith(guard)
    values = frame.replace("lambda x: (x,)", "json.loads").replace("def ", "import json\ndef ")
    assert native_body(f"{made}{values}lines.foreachRDD(show)").startswith(guard)
    for schema in ("fields", "'a string'", "schema=fields"):
        typed = values.replace("['a']", schema)
        assert guard not in native_body(f"{made}{typed}lines.foreachRDD(show)")
    for harmless in ("print(rdd.take(1))", "rdd.isEmpty() or print(rdd.first())"):
        assert guard not in native_body(f"lines.foreachRDD(lambda rdd: {harmless})")


@pytest.mark.parametrize(
    ("show", "skips"),
    [
        ("try:\n        print(rdd.first())\n    except ValueError:\n        print('none')", False),
        ("print(rdd.first())\n    try:\n        int('x')\n    except ValueError:\n        pass", True),
        ("try:\n        print(1)\n    except ValueError:\n        print(rdd.first())", True),
        ("print(first_of(rdd))", True),
        ("try:\n        print(first_of(rdd))\n    except ValueError:\n        pass", False),
        ("print(guarded_first_of(rdd))", False),
        ("print(last_of(rdd.collect()))", True),
        ("print(last_of(['a']), rdd.count())", False),
        ("rows = rdd.collect()\n    if rows:\n        print(last_of(rows))", False),
        ("print(last_line(rdd))", True),
        ("for one in rdd.collect()[0]:\n        print(one)", True),
        ("rows = rdd.take(2)\n    print(rows[-1])", True),
        ("rows = rdd.collect()\n    print(rows[1:])", False),
        ("rows = rdd.collect()\n    if rows:\n        print(rows[0])", False),
        ("rows = rdd.collect()\n    for row in rows:\n        print(rows[0], row)", False),
        ("try:\n        print(rdd.collect()[0])\n    except IndexError:\n        pass", False),
        ("lengths = [len(line) for line in rdd.collect()]\n    print(max(lengths))", True),
        ("lengths = [len(line) for line in rdd.collect()]\n    print(max(lengths, default=0))", False),
        ("rows = rdd.collect()\n    print(sum(map(len, rows)) / len(rows))", True),
        ("rows = rdd.collect()\n    print(len(rows) / 2)", False),
        ("print('%d lines' % rdd.count())", False),
        ("print('there are ' + '%d lines' % rdd.count())", False),
        ("print(('%d' + ' lines') % rdd.count())", False),
        ("print(7 % rdd.count())", True),
        (
            "longest = {}\n    for line in rdd.collect():\n        longest[len(line)] = line\n"
            "    print(longest['a'])",
            True,
        ),
    ],
)
def test_what_fails_on_nothing_is_skipped_unless_it_is_caught(show: str, skips: bool) -> None:
    functions = (
        "def first_of(rdd):\n    return rdd.first()\n"
        "def guarded_first_of(rdd):\n    try:\n        return rdd.first()\n"
        "    except ValueError:\n        return 0\n"
        "def last_of(rows):\n    return rows[-1]\n"
        "def last_line(rdd):\n    return last_of(rdd.collect())\n"
    )
    body = native_body(f"{functions}def show(rdd):\n    {show}\nlines.foreachRDD(show)")
    assert ("if batch_id == 0 and batch.isEmpty():" in body) is skips, body


def test_the_session_before_a_hive_context_has_hive() -> None:
    body = "from pyspark.sql import HiveContext\nhive = HiveContext(sc)\nlines.pprint()"
    new = file(socket_program(body)).new
    assert 'spark = SparkSession.builder.appName("Test").enableHiveSupport().getOrCreate()' in new
    assert "HiveContext" not in new
    homeless = run(socket_program(body.replace("pyspark.sql import", "pyspark import"))).files[0].new
    assert homeless == new
    making = "def made():\n    return SQLContext(sc)\n"
    callback = "def output(rdd):\n    made().sql('q').show()\nlines.foreachRDD(output)"
    imported = body.replace("HiveContext\n", "HiveContext, SQLContext\n")
    below = imported.replace("lines.pprint()", f"{making}{callback}")
    assert run(socket_program(below)).graphs[0].outcome is Outcome.NATIVE
    above = below.replace("hive =", f"{making}made()\nhive =", 1)
    assert "`HiveContext` finds Hive only if it is made before" in blocked(above)
    both = "from pyspark.sql import HiveContext, SQLContext\nsql = SQLContext(sc)\nhive = HiveContext(sc)\n"
    assert "`HiveContext` finds Hive only if it is made before" in blocked(f"{both}lines.pprint()")


def test_settings_of_a_later_session_that_any_session_takes_do_not_matter() -> None:
    builder = 'SparkSession.builder.config("spark.sql.shuffle.partitions", 4)'
    body = f"from pyspark.sql import SparkSession\nmine = {builder}.getOrCreate()\nlines.pprint()"
    assert native_body(body) == f"query = (\n    lines{CONSOLE}"


def test_what_globals_hold_is_state_unless_it_is_made_once() -> None:
    counting = """
        def process(rdd):
            globals()["n"] = globals().get("n", 0) + 1
            print(globals()["n"], rdd.collect())

        lines.foreachRDD(process)
    """
    assert ".transform(every_interval)" in file(socket_program(counting)).new
    once = """
        def process(rdd):
            if "n" not in globals():
                globals()["n"] = 1
            print(globals()["n"], sorted(rdd.collect()))

        lines.foreachRDD(process)
    """
    assert "every_interval" not in file(socket_program(once)).new
    counted = once.replace('["n"] = 1', '["n"] = rdd.count()')
    assert ".transform(every_interval)" in file(socket_program(counted)).new


def test_a_name_that_an_output_is_assigned_to_may_go_if_nobody_reads_it_later() -> None:
    body = "lines = lines.map(len)\nlines = lines.foreachRDD(lambda rdd: print(sorted(rdd.collect())))"
    assert "print(sorted(" in native_body(body)
    assert "is assigned to a name" in blocked(f"{body}\nprint(lines)")


def test_a_local_name_of_an_output_is_none_of_other_functions() -> None:
    source = """
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def other(record):
    shown = record["shown"]
    print(shown)

def main():
    sc = SparkContext()
    ssc = StreamingContext(sc, 1)
    shown = ssc.socketTextStream("localhost", 9999).pprint()
    ssc.start()
    ssc.awaitTermination()

main()
"""
    assert run(source).graphs[0].outcome is Outcome.NATIVE
    shared = source.replace("def main():", "def main():\n    global shown")
    assert run(shared).graphs[0].outcome is Outcome.NATIVE
    shared = shared.replace('    shown = record["shown"]\n', "")
    assert run(shared).graphs[0].outcome is Outcome.COMPAT
    read = source.replace("    ssc.start()", "    print([shown for _ in range(2)])\n    ssc.start()")
    assert run(read).graphs[0].outcome is Outcome.COMPAT


def test_a_callback_is_given_two_arguments_and_no_more() -> None:
    body = """
        def show(time, rdd, number=10):
            print(time, rdd.count(), number)

        lines.foreachRDD(show)
    """
    assert native_body(body).endswith("show(batch_time, batch)")
    assert "one or two parameters" in blocked(
        "lines.foreachRDD(lambda time, rdd, n=5: print(rdd.count(), n))"
    )
    assert "one or two parameters" in blocked(body.replace("number=10", "number=[]"))


def test_a_backslash_before_an_empty_line_belongs_to_no_statement() -> None:
    body = "words = lines.map(lambda w: (w, 1)) \\\n\nwords.pprint()"
    expected = 'words = lines.select("value", F.lit(1).alias("count"))\nquery = ('
    assert native_body(body) == f"{expected}\n    words{CONSOLE}"
    source = socket_program("lines.pprint()").replace("9999)", "9999) \\\n")
    assert file(source).status.value == "native"


@pytest.mark.parametrize(
    "shown",
    [
        "print(type(lines))",
        "print('a stream:', words)",
        "words",
        "type(words)",
        "print(ssc)",
        "print(repr(type(ssc)))",
        "print('counted', words.count())",
        "print(('a stream:', type(words)))",
    ],
)
def test_what_only_shows_a_stream_is_left_out(shown: str) -> None:
    words = 'words = lines.flatMap(lambda line: line.split(" "))\n'
    result = run(socket_program(f"{words}{shown}\nwords.pprint()"))
    assert result.files[0].new == run(socket_program(f"{words}words.pprint()")).files[0].new
    assert f"`{shown}` shows an object of the old API, and is left out" in result.graphs[0].notes


@pytest.mark.parametrize(
    "kept",
    [
        "print(words, file=log)",
        "print([words])",
        "print(words, read())",
        "print((words, read()))",
        "x = type(words)\nprint(x)",
        "x, y = type(words), 1",
    ],
)
def test_what_does_more_than_show_a_stream_is_not(kept: str) -> None:
    words = 'words = lines.flatMap(lambda line: line.split(" "))\n'
    assert "is handed on in a way that is not followed" in blocked(f"{words}{kept}\nwords.pprint()")


def test_a_variable_that_nothing_reads_holds_no_part_of_the_old_api() -> None:
    words = 'words = lines.flatMap(lambda line: line.split(" "))\n'
    result = run(socket_program(f"{words}kind = type(words)\nwords.pprint()"))
    assert result.files[0].new == run(socket_program(f"{words}words.pprint()")).files[0].new


def test_one_obstacle_does_not_hide_the_others() -> None:
    body = (
        "lines.transform(lambda rdd: rdd.sortBy(len)).reduce(lambda a, b: a + b[1:]).pprint()\n"
        "pairs = lines.map(lambda line: (line, 1))\n"
        "StreamingKMeans(2).trainOn(lines)\n"
        "pairs.transformWith(lambda a, b: a, lines).pprint()"
    )
    imported = "from pyspark.mllib.clustering import StreamingKMeans\n"
    result = run(imported + socket_program(body))
    starts = [reason.partition("`: ")[0] for reason in result.graphs[0].reasons]
    assert starts == [
        "line 8: `reduce",
        "line 10: `trainOn",
        "line 11: `transformWith",
    ]
    told = {site.operator for site in result.sites if site.reason.startswith("`")}
    assert told == {"reduce", "trainOn", "transformWith"}
    options = Options(event_time="timestamp", approximate_time=True, unsafe=True)
    assert len(run(imported + socket_program(body), options).graphs[0].reasons) == 2


GOES_ON = """\
def process_batch(batch, batch_id):
    try:
        # all of it
        batch.select(F.split("value", " ")[1].alias("value")).show(10, truncate=False)  # to see
    except Exception:  # the next batch runs all the same
        traceback.print_exc()
"""


@pytest.mark.parametrize("end", ["", "import time\ntime.sleep(60)\nssc.stop()"])
def test_where_nobody_waits_a_batch_that_fails_is_not_the_last(end: str) -> None:
    """As with DStreams, which log what failed and go on."""
    second = '# all of it\nlines.map(lambda line: line.split(" ")[1]).pprint()  # to see'
    source = socket_program(second).replace("ssc.awaitTermination()", end)
    result = run(source)
    assert GOES_ON in result.files[0].new
    assert "import traceback\n" in result.files[0].new
    assert any("prints its traceback" in note for note in result.graphs[0].notes)


@pytest.mark.parametrize("end", ["", "import time\ntime.sleep(60)\nssc.stop()"])
def test_a_sleep_that_becomes_a_wait_is_told_of_a_source_that_fails(end: str) -> None:
    body = 'messages.map(lambda m: m[1]).flatMap(lambda line: line.split(" ")).countByValue().pprint()'
    new = file(kafka_program(body).replace("ssc.awaitTermination()", end)).new
    assert ("except Exception" in new) is (not end)
    assert ("query.awaitTermination(60)\nquery.stop()" in new) is bool(end)


@pytest.mark.parametrize(
    ("body", "catches"),
    [
        ("lines.pprint()", False),
        ("lines.flatMap(lambda line: line.split()).countByValue().pprint()", False),
        ("lines.map(int).pprint()", True),
        ("lines.map(lambda line: line.split()[0]).pprint()", True),
        ("lines.foreachRDD(lambda rdd: print(rdd.count()))", True),
        ("lines.saveAsTextFiles('lines')", True),
        ("lines.map(hash).pprint()", True),
    ],
)
def test_only_a_batch_that_may_fail_is_caught(body: str, catches: bool) -> None:
    new = file(socket_program(body).replace("ssc.awaitTermination()", "")).new
    assert ("except Exception" in new) is catches


def test_a_batch_that_fails_ends_a_query_that_is_waited_for_or_keeps_a_state() -> None:
    for end in ("ssc.awaitTermination()", "ssc.awaitTerminationOrTimeout(60)\nssc.stop()"):
        source = socket_program("lines.pprint()").replace("ssc.awaitTermination()", end)
        assert "except" not in file(source).new
    stateful = run(socket_program(TOTALS.format("")).replace("ssc.awaitTermination()", ""))
    assert "except" not in stateful.files[0].new
    assert any("a batch that fails ends the query" in note for note in stateful.graphs[0].notes)


@pytest.mark.parametrize(
    ("sleep", "waits"),
    [
        ("import time\ntime.sleep(60)", "query.awaitTermination(60)"),
        ("from time import sleep\nprint('on')\nsleep(2.5)", "query.awaitTermination(2.5)"),
        ("import time\nLONG = 60\ntime.sleep(LONG)", "query.awaitTermination(LONG)"),
        ("import time\nif slow:\n    time.sleep(60)", ""),
        ("import time\ntime.sleep(float(given))", ""),
        ("import time\ntime.sleep(0)", ""),
        ("from tests import time\ntime.sleep(60)", ""),
    ],
)
def test_a_program_that_sleeps_waits_for_the_query_in_its_place(sleep: str, waits: str) -> None:
    """It would not be told of a batch that fails, which ends the query."""
    for body in ("lines.pprint()", TOTALS.format("")):
        source = socket_program(body).replace("ssc.awaitTermination()", f"{sleep}\nssc.stop()")
        result = run(source)
        (graph,) = result.graphs
        if waits:
            assert f"\n{waits}\nquery.stop()\n" in result.files[0].new
            assert "sleep" not in result.files[0].new
            assert any("takes the place of `time.sleep`" in note for note in graph.notes)
        else:
            assert "awaitTermination" not in result.files[0].new
            assert any("nobody waits for it" in note for note in graph.notes)


@pytest.mark.parametrize(
    ("output", "goes_on"),
    [
        ('rdd.toDF(["line", "n"]).limit(10).createOrReplaceTempView("lines")', False),
        ('rdd.toDF(["line", "n"]).sort("n").registerTempTable("lines")', False),
        ('rdd.toDF(["line", "n"]).write.saveAsTable("lines")', True),
        ('rdd.toDF(["line", "n"]).show()', True),
    ],
)
def test_a_view_that_is_made_of_no_row_that_is_computed_cannot_fail(output: str, goes_on: bool) -> None:
    body = f"lines.map(lambda line: (line, int(line))).foreachRDD(lambda rdd: {output})"
    new = run(socket_program(body).replace("ssc.awaitTermination()", "")).files[0].new
    assert "foreachBatch" in new
    assert ("traceback.print_exc()" in new) is goes_on


@pytest.mark.parametrize(
    ("between", "output", "told"),
    [
        ("for _ in range(10):\n    time.sleep(5)\n", "lines.map(int).pprint()", True),
        ("while more():\n    plot()\n", "lines.map(int).pprint()", True),
        ("for _ in range(10):\n    time.sleep(5)\n", "lines.pprint()", False),
        ("def wait():\n    time.sleep(5)\n\n", "lines.map(int).pprint()", False),
        ("print('started')\n", "lines.map(int).pprint()", False),
    ],
)
def test_a_batch_that_fails_while_the_program_does_something_else(
    between: str, output: str, told: bool
) -> None:
    source = socket_program(output).replace("ssc.awaitTermination()", f"{between}ssc.awaitTermination()")
    (graph,) = run("import time\n" + source).graphs
    assert any("once the program is there" in note for note in graph.notes) is told


def test_a_wait_below_a_loop_without_end_is_none() -> None:
    loop = "while True:\n    time.sleep(10)\nssc.awaitTermination()"
    output = "lines{}.foreachRDD(lambda rdd: print(rdd.max()))"
    source = "import time\n" + socket_program(output).replace("ssc.awaitTermination()", loop)
    result = run(source.format(""))
    assert "traceback.print_exc()" in result.files[0].new
    sums = "map(lambda w: (w, 1)).reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, 30, 10)"
    held = run(source.replace("rdd.max()", "rdd.collect()[0]").format(f".{sums}"))
    assert "traceback" not in held.files[0].new
    (told,) = [one for one in held.graphs[0].must_change if "this loop would go on" in one]
    assert told.startswith("line 10: ") and "`query.isActive` is False" in told
    assert not any("nobody waits" in note for note in held.graphs[0].notes)


@pytest.mark.parametrize("given", ["", "stopSparkContext=False"])
def test_a_query_ends_before_the_session_that_the_program_stops_first(given: str) -> None:
    ends = f"# the end\nsc.stop()\nssc.stop({given})"
    source = socket_program("lines.pprint()").replace("ssc.awaitTermination()", ends)
    new = run(source).files[0].new
    assert new.endswith("# the end\nquery.stop()\nspark.stop()\n")


def test_what_is_persisted_is_freed_when_a_batch_fails() -> None:
    body = "lines.count().pprint()\nlines.map(int).pprint()"
    source = socket_program(body).replace("ssc.awaitTermination()", "")
    result = run(source)
    assert "        traceback.print_exc()\n    batch.unpersist()\n" in result.files[0].new


@pytest.mark.parametrize(
    ("below", "told"), [("lines.map(int).pprint()", False), ("lines.foreachRDD(save)", True)]
)
def test_that_an_output_keeps_others_from_running_is_told_where_it_is_a_loss(below: str, told: bool) -> None:
    save = "def save(rdd):\n    for line in rdd.collect():\n        open(line, 'w').close()\n\n"
    (graph,) = run(socket_program("lines.map(int).pprint()\n" + save + below)).graphs
    assert graph.outcome is Outcome.NATIVE
    assert any("keeps those below it from running" in note for note in graph.notes) is told


PAUSES = [
    pytest.param("", "time.sleep({})", id="imported for it"),
    pytest.param("import time\n", "time.sleep({})", id="imported already"),
    pytest.param("import time as clock\n", "clock.sleep({})", id="by another name"),
    pytest.param("from time import sleep\n", "sleep({})", id="the function"),
    pytest.param("def f(time):\n    pass\n", "time.sleep({})", id="a parameter elsewhere"),
    pytest.param("time = 3\n", "query.awaitTermination({})", id="something else"),
]


COUNT = "lines.foreachRDD(lambda rdd: print(rdd.count()))"
TWICE = "lines.foreachRDD(lambda rdd: print(rdd.count(), rdd.take(3)))"


GRACEFULLY = """\
def stop_gracefully(query):
    \"\"\"Stop the query when the batch that runs is over, which `stop` alone cuts off.\"\"\"
    progress = query.lastProgress
    while query.status["isTriggerActive"] and query.lastProgress == progress:
        {}
    query.stop()
"""


@pytest.mark.parametrize(("before", "pause"), PAUSES)
@pytest.mark.parametrize(
    ("body", "stopping"), [(COUNT, ""), (TWICE, "stopping = True\n")], ids=["once", "twice"]
)
def test_a_graceful_stop_lets_the_running_batch_finish(
    before: str, pause: str, body: str, stopping: str
) -> None:
    timed = socket_program(body).replace("awaitTermination()", "awaitTerminationOrTimeout(9)")
    result = run(f"{before}{timed}print('over')\nssc.stop(stopSparkContext=True, stopGraceFully=True)\n")
    new = result.files[0].new
    due = f"{pause.format(2)}  # a graceful stop ran two more batches\n"
    assert new.endswith(f"{due}{stopping}stop_gracefully(query)\nspark.stop()\n")
    assert GRACEFULLY.format(pause.format(0.01)) in new
    assert ("    if stopping:\n        return\n" in new) is bool(stopping)
    assert new.count("import time") == (before.count("import time") or "time.sleep" in pause)
    notes = " ".join(result.graphs[0].notes)
    assert "and therefore 2 seconds longer; lines that come in the meantime are read" in notes
    assert ("one that begins in the hundredth of a second" in notes) is not bool(stopping)


ALL_OR_NOTHING = [
    ("lines.foreachRDD(lambda time, rdd: counts.append(rdd.collect()))", True),
    ("def keep(rdd):\n    counts.append(rdd.count())\nlines.foreachRDD(lambda rdd: keep(rdd))", True),
    ("def keep(rdd):\n    for x in rdd.take(9):\n        print(x)\nlines.foreachRDD(keep)", True),
    ("def keep(rdd):\n    print('batch')\n    counts.append(rdd.collect())\nlines.foreachRDD(keep)", False),
    ("lines.foreachRDD(lambda rdd: counts.append((len(counts.pop()), rdd.collect())))", False),
    ("lines.foreachRDD(lambda rdd: counts.append(rdd.count() if counts else 0))", True),
    ("lines.foreachRDD(lambda rdd: rdd.foreach(print))", False),
    ("lines.foreachRDD(lambda rdd: counts.append(rdd.count()))\n" + COUNT, False),
    ("lines.saveAsTextFiles('out')", False),
]


@pytest.mark.parametrize(("body", "alone"), ALL_OR_NOTHING)
def test_batches_are_kept_from_beginning_where_they_would_leave_a_half(body: str, alone: bool) -> None:
    """Spark interrupts a batch only in its jobs, so that one which has one job does all or nothing."""
    stop = "ssc.awaitTermination(9)\nssc.stop(True, True)\n"
    source = socket_program(f"counts = []\n{body}\nlines.pprint()").replace("ssc.awaitTermination()\n", stop)
    new = file(source).new
    assert "\nstop_gracefully(query)\n" in new
    assert ("stopping" not in new) is alone


@pytest.mark.parametrize(
    ("bound", "test", "waits"),
    [
        pytest.param("", "scc is not None", False, id="it is None"),
        pytest.param("", "scc is None", True, id="the other test"),
        pytest.param("    global scc\n    scc = 1\n", "scc is not None", True, id="bound again"),
        pytest.param("    globals()['scc'] = 1\n", "scc is not None", True, id="by its name"),
    ],
)
def test_a_graceful_stop_that_never_runs_waits_for_no_batch(bound: str, test: str, waits: bool) -> None:
    program = socket_program(COUNT).replace("ssc.awaitTermination()", "ssc.awaitTermination(9)")
    close = f"def close():\n{bound}    if ({test}):\n        ssc.stop(True, True)\n"
    new = file(f"scc = None\n{close}{program}close()\n").new
    ends = "stop_gracefully(query)" if waits else "query.stop()"
    assert f"        {ends}\n        spark.stop()\n" in new
    assert ("stop_gracefully" in new) == waits


TIMED = [
    pytest.param("ssc.awaitTerminationOrTimeout(9)", "query.awaitTermination(9 + 2)", id="a timeout"),
    pytest.param("ssc.awaitTermination(timeout=9)", "query.awaitTermination(9 + 2)", id="by its name"),
    pytest.param("time.sleep(9)", "query.awaitTermination(9 + 2)", id="a sleep, told of errors"),
    pytest.param("time.sleep(PERIOD or 9)", "time.sleep((PERIOD or 9) + 2)", id="a sleep of none, maybe"),
    pytest.param("ssc.awaitTermination(PERIOD // 3)", "query.awaitTermination(PERIOD // 3 + 2)", id="a part"),
]


@pytest.mark.parametrize(("wait", "new"), TIMED)
def test_a_wait_right_above_a_graceful_stop_is_two_batches_longer(wait: str, new: str) -> None:
    """No half of what only shows rows is left behind when the query is stopped."""
    stop = "# enough\nssc.stop(stopSparkContext=False, stopGraceFully=True)\n"
    for body in ("lines.pprint()", "lines.countByValue().pprint()"):
        timed = socket_program(body).replace("ssc.awaitTermination()", wait)
        result = run(f"import time\nPERIOD = 9\n{timed}{stop}")
        waiting = f"\n{new}  # a graceful stop ran two more batches\n"
        assert result.files[0].new.endswith(f"{waiting}# enough\nquery.stop()\n")
        assert any("what it has not shown yet is not shown" in note for note in result.graphs[0].notes)


@pytest.mark.parametrize("more", [TWICE, "lines.map(send).pprint()"], ids=["a callback", "RDD code"])
def test_a_graceful_stop_does_not_cut_off_a_batch_that_does_more_than_show(more: str) -> None:
    stop = "ssc.awaitTermination(9)\nssc.stop(True, True)\n"
    body = f"from tests import send\nlines.pprint()\n{more}"
    text = file(socket_program(body).replace("ssc.awaitTermination()\n", stop)).new
    waiting = "\nquery.awaitTermination(9 + 2)  # a graceful stop ran two more batches\n"
    assert text.endswith(f"{waiting}stopping = True\nstop_gracefully(query)\nspark.stop()\n")


INTERVALS = [
    pytest.param("", "0.5", "query.awaitTermination(9 + 1.0)", id="a number"),
    pytest.param("SECONDS = 5\n", "SECONDS", "query.awaitTermination(9 + 2 * SECONDS)", id="a name"),
    pytest.param("import sys\n", "int(sys.argv[1])", "", id="an argument"),
    pytest.param("SECONDS = 5\nSECONDS = 6\n", "SECONDS", "", id="a name that is bound again"),
]


@pytest.mark.parametrize(("before", "interval", "wait"), INTERVALS)
def test_a_graceful_stop_waits_for_the_batches_that_are_due(before: str, interval: str, wait: str) -> None:
    timed = socket_program("lines.pprint()").replace("awaitTermination()", "awaitTerminationOrTimeout(9)")
    timed = timed.replace("(sc, 1)", f"(sc, {interval})")
    result = run(f"{before}{timed}ssc.stop(True, True)\n")
    assert [line for line in result.files[0].new.splitlines() if "two more" in line] == (
        [f"{wait}  # a graceful stop ran two more batches"] if wait else []
    )
    assert any("is lost where a socket had sent it" in note for note in result.graphs[0].notes) is not bool(
        wait
    )


@pytest.mark.parametrize(
    "end",
    [
        "try:\n    ssc.awaitTermination()\nexcept KeyboardInterrupt:\n    {stop}\n",
        "try:\n    ssc.awaitTermination()\nfinally:\n    {stop}\n",
        "import signal\ndef end(number, frame):\n    {stop}\n"
        "signal.signal(signal.SIGTERM, end)\nssc.awaitTermination()\n",
        "import atexit\ndef close():\n    {stop}\natexit.register(close)\nssc.awaitTermination()\n",
    ],
    ids=["a handler", "finally", "a signal", "at exit"],
)
def test_a_graceful_stop_at_any_time_waits_for_the_running_batch_alone(end: str) -> None:
    program = socket_program(COUNT).replace(
        "ssc.awaitTermination()\n", end.format(stop="ssc.stop(True, True)")
    )
    result = run(program)
    new = result.files[0].new or ""
    assert "stop_gracefully(query)\n" in new and "two more" not in new
    assert any("lets the running batch finish, where DStream" in note for note in result.graphs[0].notes)


def test_one_in_finally_behind_a_timed_wait_waits_for_two_batches() -> None:
    end = "try:\n    ssc.awaitTerminationOrTimeout(9)\nfinally:\n    ssc.stop(True, True)\n"
    new = file(socket_program(COUNT).replace("ssc.awaitTermination()\n", end)).new
    assert "# a graceful stop ran two more batches" in new


def test_a_function_waits_for_the_batches_that_are_due_where_the_interval_is_in_reach() -> None:
    stop = "def end({}):\n    ssc.stop(True, True)\n\nend({})\n"
    source = socket_program("lines.pprint()").replace("ssc.awaitTermination()", "{}")
    source = "SECONDS = 5\n" + source.replace("(sc, 1)", "(sc, SECONDS)")
    assert "    time.sleep(2 * SECONDS)  #" in file(source.format(stop.format("", ""))).new
    assert "2 * SECONDS" not in file(source.format(stop.format("SECONDS", "3"))).new


@pytest.mark.parametrize(("again", "is_native"), [("SECONDS = 2\n", True), ("SECONDS = 3\n", False)])
def test_an_interval_whose_variable_gets_the_same_value_again(again: str, is_native: bool) -> None:
    source = socket_program("lines.pprint()").replace("(sc, 1)", "(sc, SECONDS)")
    (graph,) = run("SECONDS = 2\n" + source.replace("ssc.start()", f"{again}ssc.start()")).graphs
    assert (graph.outcome is Outcome.NATIVE) is is_native


def test_there_is_nothing_to_finish_when_the_query_has_ended() -> None:
    result = run(socket_program("lines.pprint()") + "ssc.stop(stopGraceFully=True)\n")
    assert result.files[0].new.endswith("query.awaitTermination()\nspark.stop()\n")
    assert not any("graceful" in note for note in result.graphs[0].notes)


@pytest.mark.parametrize("word", ["global", "nonlocal"])
def test_a_function_that_stops_the_query_reaches_the_batch_function(word: str) -> None:
    handler = "def end(number, frame):\n    ssc.stop(True, True)\nsignal.signal(signal.SIGTERM, end)\n"
    source = "import signal\n" + socket_program(TWICE).replace("ssc.await", f"{handler}ssc.await")
    if word == "nonlocal":
        source = f"def main():\n{indent(source, '    ')}\nmain()\n"
    new = file(source).new
    place = indent(
        f"{word} stopping\nstopping = True\nstop_gracefully(query)", " " * (8 if word == "nonlocal" else 4)
    )
    assert f"def end(number, frame):\n{place}" in new
    assert "stopping = False\n\n" in new
    assert flat("def process_batch(batch, batch_id): if stopping: return") in flat(new)


SETTINGS = """\
conf = SparkConf().setAppName("Test").set("spark.streaming.blockInterval", "50ms")
# faster
conf.set("spark.streaming.backpressure.enabled", "true")
# smaller
conf.set("spark.serializer", "x")
sc = SparkContext(conf=conf)
"""


def test_settings_of_dstreams_go() -> None:
    source = socket_program("lines.pprint()").replace('sc = SparkContext(appName="Test")\n', SETTINGS)
    result = run(source.replace("import SparkContext", "import SparkConf, SparkContext"))
    new = result.files[0].new
    assert "# smaller\nspark = " in new
    assert 'SparkSession.builder.appName("Test").config("spark.serializer","x").getOrCreate()' in flat(new)
    assert sum("would have no effect" in note for note in result.graphs[0].notes) == 2


def test_what_must_be_known_is_told() -> None:
    (graph,) = run(socket_program('ssc.checkpoint("cp")\nlines.pprint()')).graphs
    notes = "; ".join(graph.notes)
    assert '`ssc.checkpoint("cp")` is left out: the program starts afresh each time' in notes
    shutdown = 'key = "spark.streaming.stopGracefullyOnShutdown"\nlines.pprint()'
    assert "SIGTERM cuts off the running batch" in "; ".join(run(socket_program(shutdown)).graphs[0].notes)


@pytest.mark.parametrize(
    ("line", "new", "told"),
    [
        ('findspark.init("/opt/spark-2.4.0-bin-hadoop2.7")', "findspark.init()", "install PySpark 4.0.0"),
        ('findspark.init("/opt/spark-4.0.0")', None, "see to it that what SPARK_HOME names is Spark 4.0.0"),
        ("findspark.init(home)", None, "is Spark 4.0.0: `home`"),
        ('findspark.init("/opt/spark-2.4", edit_rc=True)', None, '`"/opt/spark-2.4"`'),
        ('os.environ["SPARK_HOME"] = "/opt/spark-2.4"', None, '`"/opt/spark-2.4"`'),
        ("findspark.init()", None, ""),
    ],
)
def test_a_program_that_names_its_spark(line: str, new: str | None, told: str) -> None:
    """What says that it is older than the new code goes; all else is for a person."""
    source = f"import findspark, os\n{line}\n{socket_program('lines.pprint()')}"
    result = run(source, Options(spark=SparkVersion.parse("4.0.0")))
    assert f"import findspark, os\n{new or line}\n" in result.files[0].new
    (graph,) = result.graphs
    others = [text for text in graph.must_change if "is never defined" not in text]
    assert all(told in text for text in others)
    assert len(others) == bool(told)


@pytest.mark.parametrize(
    ("blocks", "step"), [(["     "], "    "), (["     "] * 3, "     "), (["  "], "  "), (["\t"], "\t")]
)
def test_new_code_is_indented_as_the_file_is_unless_that_is_one_odd_block(
    blocks: list[str], step: str
) -> None:
    body = "".join(f"def f{number}():\n{own}return 1\n\n" for number, own in enumerate(blocks))
    new = file(socket_program(body + "lines.countByValue().pprint()")).new
    assert f"def process_batch(batch, batch_id):\n{step}batch.groupBy(" in new


SHOW_ROWS = "def show(rows):\n    for row in rows:\n        print(row)\n"


@pytest.mark.parametrize(
    ("body", "ordered"),
    [
        ("lines.pprint()", True),
        ("lines.foreachRDD(lambda rdd: print(rdd.take(3)))", True),
        ("lines.map(lambda s: (s, 1)).reduceByKey(lambda a, b: a + b).pprint()", False),
        ("lines.count().pprint()", False),
        ("lines.countByValue().pprint()\nlines.filter(lambda s: 'a' in s).pprint()", True),
        ("lines.transform(lambda rdd: rdd.distinct()).pprint()", False),
        ("lines.transform(lambda rdd: rdd.filter(len).sortBy(len)).pprint()", False),
        ("lines.transform(lambda rdd: rdd.filter(len)).pprint()", True),
        ("lines.foreachRDD(lambda rdd: print(rdd.map(len).count()))", False),
        ("lines.foreachRDD(lambda rdd: print(rdd.isEmpty(), rdd.collect()))", True),
        (f"{SHOW_ROWS}lines.foreachRDD(lambda rdd: rdd.foreachPartition(show))", True),
        ("lines.foreachRDD(lambda rdd: rdd.foreach(print))", True),
        ("lines.foreachRDD(lambda rdd: rdd.distinct().foreach(print))", False),
    ],
)
def test_lines_of_a_socket_stay_in_order_where_that_shows(body: str, ordered: bool) -> None:
    """Spark deals them out to its partitions in turn."""
    new = file(socket_program(body)).new
    assert ("numPartitions=1" in new) is ordered


FLOAT_STATE = """\
def update(new, last):
    delay, flights = 0.0, 0
    for value in new:
        delay += value[0]
        flights += value[1]
    if last is None:
        return delay, flights
    return delay + last[0], flights + last[1]

lines.map(lambda w: (w[:1], (len(w) / 7, 1))).updateStateByKey(update).pprint()
"""
ADDED_BY_SUM = "updateStateByKey(lambda new, last: sum(new) + (last or 0.0))"
BY_SUM = f"lines.map(lambda w: (w, len(w) / 7)).{ADDED_BY_SUM}.pprint()"


def test_a_state_sums_floats_in_the_order_of_a_socket() -> None:
    result = run(socket_program(FLOAT_STATE))
    new, notes = result.files[0].new, result.graphs[0].notes
    assert all(part in new for part in ("numPartitions=1", 'outputMode("complete")', "F.sum("))
    assert "every_interval" not in new
    assert "the floats of a key are added up in the order in which they came, as before" in notes
    assert not any("`sum`" in note for note in notes)


def test_pythons_sum_of_floats_may_be_more_exact() -> None:
    result = run(socket_program(BY_SUM))
    assert "F.sum(" in result.files[0].new
    assert any("as by `sum` before Python 3.12" in note for note in result.graphs[0].notes)
    strict = file(socket_program(BY_SUM), Options(strict=True)).new
    assert "F.sum(" not in strict and "F.udf(" in strict


ONTO_LAST = """\
def update(new, last):
    delay, flights = 0, 0
    if last is not None:
        delay = last[0]
        flights = last[1]
    for value in new:
        delay += value[0]
        flights += value[1]
    return delay, flights

lines.map(lambda w: (w[:1], (len(w) / 7, 1))).updateStateByKey(update).pprint()
"""


def test_floats_that_are_added_to_the_last_state_one_by_one_are_added_up_first() -> None:
    result = run(socket_program(ONTO_LAST))
    assert 'outputMode("complete")' in result.files[0].new and "F.sum(" in result.files[0].new
    assert any("added up before they are added to the last state" in note for note in result.graphs[0].notes)
    strict = file(socket_program(ONTO_LAST), Options(strict=True)).new
    assert "F.sum(" not in strict and "update" in strict


@pytest.mark.parametrize(
    "program",
    [
        kafka_program(FLOAT_STATE.replace("lines.map(", "messages.map(lambda m: m[1]).map(")),
        socket_program(FLOAT_STATE.replace("lines.map(", "lines.repartition(3).map(")),
    ],
)
def test_else_the_function_sums_the_floats_of_a_state(program: str) -> None:
    assert "F.sum(" not in file(program).new


@pytest.mark.parametrize("directory", ["'in/*'", "base + '/2?'", "f'{base}/{{a,b}}'"])
def test_directories_by_wildcards_go_to_compat(directory: str) -> None:
    """DStream takes directories for them, the file source files as well."""
    source = socket_program("lines.pprint()").replace("socketTextStream('h', 1)", "")
    source = source.replace('ssc.socketTextStream("localhost", 9999)', f"ssc.textFileStream({directory})")
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "wildcards" in graph.reasons[0]


ANALYSED = """\
def analyse(rdd):
    words = rdd.flatMap(lambda line: parse(line))
    counts = words.map(lambda word: (str(word), 1)).reduceByKey(lambda a, b: a + b)
    print(counts.collect())
{more}
lines.foreachRDD(analyse)
"""


@pytest.mark.parametrize(("more", "kept"), [("", False), ("    print(words.count())\n", True)])
def test_a_batch_is_kept_only_where_a_callback_computes_it_twice(more: str, kept: bool) -> None:
    body = "def parse(line):\n    return line.split()\n" + ANALYSED.format(more=more)
    assert ("batch.persist()" in file(socket_program(body)).new) is kept


@pytest.mark.parametrize("words", ["", "'received:', "])
def test_an_output_whose_result_is_printed_is_put_out(words: str) -> None:
    result = run(socket_program(f"print({words}lines.pprint())"))
    assert "    lines.writeStream.format(" in result.files[0].new
    assert "print(" not in result.files[0].new
    assert any("also printed None, once" in note for note in result.graphs[0].notes)


def test_two_outputs_whose_results_are_printed_stay() -> None:
    assert "is not followed" in blocked("print(lines.pprint(), lines.count().pprint())")


def test_a_function_of_the_program_that_is_called_print_gets_its_result() -> None:
    (graph,) = run(socket_program("def print(x):\n    return x\n\nprint(lines.pprint())")).graphs
    assert graph.outcome is Outcome.COMPAT


@pytest.mark.parametrize("function", ["lambda line: line", "lambda text: str(text)"])
def test_a_map_that_changes_nothing_is_no_select(function: str) -> None:
    assert native_body(f"same = lines.map({function})\nsame.pprint()") == f"query = (\n    same{CONSOLE}"


@pytest.mark.parametrize(
    ("first", "later", "variables"),
    [("", "", ["words", "words"]), ("    kept = words\n", "    kept.pprint()\n", ["words", "words_2"])],
    ids=["once", "after it was bound again"],
)
@pytest.mark.parametrize("in_function", [False, True])
def test_a_variable_is_bound_again_unless_its_stream_is_read_later(
    first: str, later: str, variables: list[str], in_function: bool
) -> None:
    lines = (
        "    words = lines.flatMap(str.split)\n"
        f"{first}"
        "    words = words.filter(lambda w: w.startswith('a'))\n"
        "    words.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b).pprint()\n"
        "    words.pprint()\n"
        f"{later}"
    )
    body = f"def counted(lines):\n{lines}counted(lines)" if in_function else dedent(lines)
    new = file(socket_program(body)).new
    assert re.findall(r"^ +(words\w*) = ", new, re.MULTILINE) == variables


def test_a_filter_that_keeps_all_is_left_out() -> None:
    assert ".where" not in native_body("lines.filter(lambda t: t not in []).pprint()")


@pytest.mark.parametrize("value", ['t.split(" ")[6].split("/")', "(int(t), 1)"])
def test_so_is_one_that_only_fails_but_where_it_must(value: str) -> None:
    """A list and a tuple that are never empty, which nothing looks at now: no batch fails."""
    body = f"lines.filter(lambda t: {value}).pprint()"
    assert f"\nquery = (\n    lines{CONSOLE}\n" in file(socket_program(body)).new
    assert 'batch.where(keep_udf("value"))' in file(socket_program(body), Options(strict=True)).new


COUNTED = """\
def counted(word, good):
    if word in good:
        return ("good", 1)
    elif word.startswith(open("bad.txt").read()):
        return ("bad", {value})
    {end}
good = open("good.txt").read().split()
files = ssc.textFileStream("words")
found = files.map(lambda word: {made}).filter(lambda pair: pair is not None)
found.reduceByKey(lambda a, b: a + b).pprint()
"""


@pytest.mark.parametrize(
    "end", ["return", "else:\n        return None", "return ('other', 0) if word else None"]
)
def test_the_counts_of_a_function_are_known_where_it_writes_them(end: str) -> None:
    """They are added up in any order, also in RDD code; None is no pair."""
    counted = COUNTED.format(value="-1", end=end, made="counted(word, good)")
    assert run(socket_program(counted)).graphs[0].outcome is Outcome.NATIVE


@pytest.mark.parametrize(
    ("value", "end", "made"),
    [
        ("0.5", "return", "counted(word, good)"),
        ("1", "return word", "counted(word, good)"),
        ("1", "return", "counted(word, good) or (word, 0.5)"),
    ],
)
def test_else_they_may_be_anything(value: str, end: str, made: str) -> None:
    assert "what it reduces is not known" in blocked(COUNTED.format(value=value, end=end, made=made))


SCORED = """\
def size(words):
    return len(words)
def scores(line):
    good, bad = 0, 0
    for word in line.split():
        if word in open("good.txt").read():
            good += 1
        else:
            bad = bad + {step}
    {end}
files = ssc.textFileStream("words")
files.{made}.pprint()
"""
SUMMED = "reduce(lambda a, b: (a[0] + b[0], a[1] + b[1]))"
ADDED = "reduceByKey(lambda a, b: a + b)"


@pytest.mark.parametrize(
    ("end", "made"),
    [
        ("return good, bad", f"map(scores).{SUMMED}"),
        ("return good, 2 * bad - size(line)", f"map(lambda line: scores(line)).{SUMMED}"),
        ("return [('good', good), ('bad', bad)] if line else []", f"flatMap(scores).{ADDED}"),
        ("yield 'good', good\n    yield 'bad', -1", f"flatMap(scores).{ADDED}"),
        ("return bad", f"flatMap(lambda line: [('bad', scores(line)), ('size', size(line))]).{ADDED}"),
        ("return bad", f"flatMap(lambda line: ((word, scores(word)) for word in line)).{ADDED}"),
        ("return good, bad", f"map(lambda line: (line, scores(line))).reduceByKey{SUMMED[6:]}"),
    ],
)
def test_the_counts_that_a_function_makes_are_known(end: str, made: str) -> None:
    """They are ints that are added up in any order, also in tuples and in the pairs of a list."""
    scored = SCORED.format(step="1", end=end, made=made)
    (graph,) = run(socket_program(scored)).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons


@pytest.mark.parametrize(
    ("step", "end", "made"),
    [
        ("0.5", "return good, bad", f"map(scores).{SUMMED}"),
        ("1", "return good, bad / 2", f"map(scores).{SUMMED}"),
        ("1", "return good, line", f"map(scores).{SUMMED}"),
        ("1", "bad = float(line)\n    return [('bad', bad)]", f"flatMap(scores).{ADDED}"),
        ("1", "for good in [0.5]:\n        pass\n    return [('good', good)]", f"flatMap(scores).{ADDED}"),
        ("1", "yield 'good', good\n    yield from other(line)", f"flatMap(scores).{ADDED}"),
        ("1", "return good", f"flatMap(lambda len: [('bad', scores(len)), ('a', len(len))]).{ADDED}"),
        ("1", "return [('good', good)]", f"map(scores).{ADDED}"),
    ],
)
def test_else_they_may_be_floats(step: str, end: str, made: str) -> None:
    assert "what it reduces is not known" in blocked(SCORED.format(step=step, end=end, made=made))


LABELLED = 'files = ssc.textFileStream("words")\nfiles.map(lambda w: (w, {value})).reduce({by}).pprint()'


@pytest.mark.parametrize("by", ["('letters', a[1] + b[1])", "(None, b[1] + a[1])"])
def test_constants_may_stand_beside_whole_numbers_that_are_added_up(by: str) -> None:
    new = native_body(LABELLED.format(value="len(w)", by=f"lambda a, b: {by}"))
    assert f"reduceByKey(lambda a, b: {by}, 1)" in new


@pytest.mark.parametrize(
    ("value", "by"),
    [
        ("len(w) / 2", "('letters', a[1] + b[1])"),
        ("len(w)", "('letters', a[1] - b[1])"),
        ("len(w)", "('letters', a[1] + a[1])"),
        ("len(w)", "(a[0] + '.', a[1] + b[1])"),
        ("len(w)", "('letters', a[1] + b[1], 'all')"),
    ],
)
def test_but_nothing_else_does(value: str, by: str) -> None:
    assert "may depend on the order" in blocked(LABELLED.format(value=value, by=f"lambda a, b: {by}"))


@pytest.mark.parametrize(
    ("stops", "after"),
    [
        ("ssc.stop()\nsc.stop()", "query.stop()\nspark.stop()\n"),
        ("ssc.stop(stopSparkContext=False)\nsc.stop()", "query.stop()\nspark.stop()\n"),
        ("ssc.stop(False)\nprint('done')\nsc.stop()", "query.stop()\nprint('done')\nspark.stop()\n"),
        ("ssc.stop(False)\nsc.range(3)\nsc.stop()", "spark.sparkContext.range(3)\nspark.stop()\n"),
        ("ssc.stop(False)\nsc.stop(0)", "spark.sparkContext.stop(0)\n"),
    ],
)
def test_a_spark_context_is_stopped_as_its_session(stops: str, after: str) -> None:
    waited = "ssc.awaitTermination()"
    program = socket_program("lines.pprint()").replace(waited, f"ssc.awaitTermination(9)\n{stops}")
    assert str(file(program).new).endswith(after)


@pytest.mark.parametrize(
    ("setting", "calls"),
    [
        ('.set("spark.cores.max", "2")', ["master", "appName", "config"]),
        ('.set("spark.app.name", "other")', ["config", "master", "appName"]),
        (".set(KEY, 2)", ["config", "master", "appName"]),
    ],
)
def test_settings_stand_below_the_name_that_they_do_not_set(setting: str, calls: list[str]) -> None:
    made = f'SparkContext("local[2]", "words", conf=SparkConf(){setting})'
    source = socket_program("lines.pprint()").replace('SparkContext(appName="Test")', made)
    new = file(f"from pyspark import SparkConf\nKEY = input()\n{source}").new
    builder = new[new.index("SparkSession.builder") : new.index(".getOrCreate()")]
    assert re.findall(r"\.(master|appName|config)\(", builder) == calls


def test_the_reason_of_rdd_code_is_that_of_the_function_that_needs_it() -> None:
    source = socket_program(
        "from letters import Client\nimport re\nclient = Client()\n"
        "lines.map(lambda t: re.sub('\\\\w', '', t)).map(lambda t: client.read(t)).pprint()"
    )
    reasons = [site.reason for site in run(source).sites if site.operator == "map"]
    assert len(reasons) == 2 and "which reads it, is RDD code: `client.read`: its type is not" in reasons[0]
    assert reasons[1].startswith("`client.read`: its type is not known")
