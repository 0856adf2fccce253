"""A ``pprint`` of records as they come, and nothing else, is the console sink of a query."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import RELEASES, SparkVersion
from migrate.knowledge.triggers import Trigger
from migrate.model import Options, Outcome, Result
from tests.migrate.programs import flat, kafka_program, run, socket_program

CONSOLE = '.format("console").options(truncate=False,numRows=10).trigger(T).start()'


def native(source: str, options: Options | None = None) -> Result:
    result = run(source, options)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    return result


def new(body: str, options: Options | None = None) -> str:
    return native(socket_program(body), options).files[0].new


def squeezed(text: str) -> str:
    return flat(text).replace("'", '"').replace(flat('trigger(processingTime="1 second")'), "trigger(T)")


@pytest.mark.parametrize(
    ("body", "query"),
    [
        ("lines.pprint()", f"query=(lines.writeStream{CONSOLE}"),
        ("lines.pprint(20)", "options(truncate=False,numRows=20).trigger"),
        ("lines.pprint(num=3)", "options(truncate=False,numRows=3).trigger"),
        ("shown = 5\nlines.pprint(shown)", "options(truncate=False,numRows=shown).trigger"),
        (
            "lines.flatMap(lambda l: l.split(' ')).filter(lambda w: len(w) > 3).pprint()",
            'lines.select(F.explode(F.split("value", " ")).alias("word")).where(F.length("word") > 3)'
            f".writeStream{CONSOLE}",
        ),
        ("lines.map(lambda l: (l, 1)).mapValues(lambda n: n + 1).pprint()", f".writeStream{CONSOLE}"),
        ("lines.map(lambda l: l.strip().upper()).cache().pprint()", f".writeStream{CONSOLE}"),
        ("unused = lines.map(len)\nlines.pprint()", f"query=(lines.writeStream{CONSOLE}"),
    ],
)
def test_the_query_writes_to_the_console(body: str, query: str) -> None:
    text = squeezed(new(body))
    assert squeezed(query) in text
    assert "foreachBatch" not in text and "process_batch" not in text


def test_streams_and_comments_stay_where_they_are() -> None:
    body = "# words\nwords = lines.flatMap(lambda l: l.split(' '))  # at spaces\n\n# no a\n"
    body += "words = words.filter(lambda w: w != 'a')\n# the first ones\nwords.pprint()  # ten\n\n# go"
    text = new(body)
    assert "# words\nwords = lines.select(" in text
    assert "\n\n# no a\nwords = words.where(" in text
    assert "\n# the first ones\n# ten\n# go\nquery = (\n    words.writeStream" in text.replace(
        "\n\n# go", "\n# go"
    )


def test_the_source_has_the_name_of_what_is_read_of_it() -> None:
    source = kafka_program("texts = messages.map(lambda m: m[1])\ntexts.pprint()")
    text = native(source).files[0].new
    assert "\ntexts = (\n    spark.readStream" in text
    assert "texts.writeStream" in text and "messages" not in text


@pytest.mark.parametrize("version", RELEASES)
def test_it_is_in_all_versions(version: str) -> None:
    result = native(socket_program("lines.pprint()"), Options(spark=SparkVersion.parse(version)))
    assert CONSOLE in squeezed(result.files[0].new)
    assert any("below the number of its batch" in note for note in result.graphs[0].notes)


STATE = "counts = lines.map(lambda w: (w, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0))\n"
OF_STATE = '.writeStream.outputMode("complete").format("console")'


@pytest.mark.parametrize(
    ("body", "query"),
    [
        ("counts.pprint()", f'counts.limit(10){OF_STATE}.option("truncate",False).trigger(T).start()'),
        ("counts.pprint(20)", f'counts.limit(20){OF_STATE}.option("truncate",False).trigger'),
        ("counts.pprint(21)", f"counts.limit(21){OF_STATE}.options(truncate=False,numRows=21).trigger"),
        ("shown = 5\ncounts.pprint(shown)", f"limit(shown){OF_STATE}.options(truncate=False,numRows=shown)"),
        (
            "counts.filter(lambda kv: kv[1] > 3).map(lambda kv: (kv[1], kv[0])).pprint()",
            f'counts.where(F.col("count") > 3).select("count", "value").limit(10){OF_STATE}',
        ),
        (
            "counts.transform(lambda rdd: rdd.sortBy(lambda kv: kv[1], False)).pprint(3)",
            f'counts.orderBy(F.desc("count")).limit(3){OF_STATE}',
        ),
        (
            "top = counts.transform(lambda rdd: rdd.sortBy(lambda kv: kv[1], False))\ntop.pprint(3)",
            f'top = counts.orderBy(F.desc("count"))\nquery = (top.limit(3){OF_STATE}',
        ),
    ],
)
def test_a_state_that_is_only_printed_is_written_to_the_console(body: str, query: str) -> None:
    result = native(socket_program(STATE + body))
    text = squeezed(result.files[0].new)
    assert squeezed(query) in text and "process_batch" not in text
    assert any("below the number of its batch" in note for note in result.graphs[0].notes)


def test_a_state_of_what_may_fail_has_looked_at_all_of_it() -> None:
    state = STATE.replace("(w, 1)", "(w.split(',')[0], int(w.split(',')[1]))")
    assert '"console"' in new(f"{state}counts.pprint()")
    assert '"console"' in new(f"{state}counts.transform(lambda rdd: rdd.sortBy(lambda kv: kv[1])).pprint()")
    assert "foreachBatch" in new(f"{state}counts.map(lambda kv: kv[1]).pprint()")


@pytest.mark.parametrize(
    ("body", "options"),
    [
        ("counts.pprint(0)", Options()),
        ("counts.pprint()", Options(changed_keys=True)),
        ("counts.pprint()", Options(pprint_exact=True)),
        ("counts.pprint()\ncounts.pprint(3)", Options()),
        ("counts.map(lambda kv: 5 / kv[1]).pprint()", Options()),
        ("counts.count().pprint()", Options()),
        (
            "counts.transform(lambda rdd: rdd.sortBy(lambda kv: kv[1])).map(lambda kv: kv[0]).pprint()",
            Options(),
        ),
        ("counts.transform(lambda rdd: rdd.distinct()).pprint()", Options()),
        ("import sys\nif len(sys.argv) > 1:\n    counts.pprint()", Options()),
    ],
    ids=[
        *("no row", "changed keys", "the old text", "two outputs", "a division", "a count"),
        *("what a sort has made", "another shuffle", "a branch"),
    ],
)
def test_other_states_are_printed_in_a_batch_function(body: str, options: Options) -> None:
    text = new(STATE + body, options)
    assert "foreachBatch" in text and '"console"' not in text


def test_initial_values_are_merged_in_a_batch_function() -> None:
    given = "first = sc.parallelize([('a', 1)])\n"
    text = new(given + STATE.replace("(last or 0))", "(last or 0), initialRDD=first)") + "counts.pprint()")
    assert "foreachBatch" in text and '"console"' not in text


BUILT = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def build():
    ssc = StreamingContext(SparkContext(), 1)
    lines = ssc.textFileStream("in")
    words = lines.filter(lambda l: l != "")
    words.pprint()
    return ssc


ssc = BUILD
ssc.start()
ssc.awaitTermination()
"""


def test_a_function_may_make_the_writer() -> None:
    text = native(BUILT.replace("BUILD", "build()")).files[0].new
    assert 'words = lines.where(F.col("value") != "")' in text
    assert flat('return (words.writeStream.format("console")') in flat(text)
    assert "query = writer.start()" in text
    goes_on = BUILT.replace("BUILD", 'StreamingContext.getOrCreate("cp", build)')
    text = flat(native(goes_on.replace("    return", '    ssc.checkpoint("cp")\n    return')).files[0].new)
    assert '.format("console")' in text and '"checkpointLocation"' in text


@pytest.mark.parametrize(
    "body",
    [
        "lines.pprint()\nlines.pprint(3)",
        "lines.pprint()\nlines.saveAsTextFiles('out')",
        "import sys\nif len(sys.argv) > 1:\n    lines.pprint()",
        "lines.count().pprint()",
        "lines.map(lambda l: (l, 1)).reduceByKey(lambda a, b: a + b).pprint()",
        "lines.transform(lambda rdd: rdd.sortBy(lambda l: l)).pprint()",
        "lines.window(3).pprint()",
        "lines.union(lines.map(lambda l: l + '!')).pprint()",
        "lines.repartition(2).pprint()",
        "lines.map(lambda l: set(l)).pprint()",
        "def words_of(stream):\n    words = stream.flatMap(lambda l: l.split(' '))\n    return words\n"
        "words_of(lines).pprint()",
    ],
    ids=[
        *("two outputs", "another output", "a branch", "a count", "an aggregate", "a sort", "a window"),
        *("a union", "a shuffle", "objects of Python", "a function of streams"),
    ],
)
def test_other_outputs_are_in_a_batch_function(body: str) -> None:
    text = new(body)
    assert "foreachBatch" in text and '"console"' not in text


@pytest.mark.parametrize(
    "body",
    [
        "lines.map(lambda l: int(l)).pprint()",
        "lines.map(lambda l: l.split(',')[2]).pprint()",
        "lines.map(lambda l: 1 / len(l)).pprint()",
        "lines.map(lambda l: l.title()).pprint()",
        "import json\nlines.map(lambda l: json.loads(l)['a']).pprint()",
    ],
    ids=["a number", "an index", "a division", "a function of Python", "JSON"],
)
def test_no_record_is_computed_that_may_fail_and_that_pprint_does_not_look_at(body: str) -> None:
    """DStream computes the first records alone, and so does ``show``; the console takes them all."""
    assert "foreachBatch" in new(body)


def test_a_backfill_is_too_much_for_the_driver() -> None:
    backfill = Options(trigger=Trigger.parse("available-now"))
    assert "foreachBatch" in native(kafka_program("messages.pprint()"), backfill).files[0].new


def test_the_old_text_needs_a_batch_function() -> None:
    assert "foreachBatch" in new("lines.pprint()", Options(pprint_exact=True))


@pytest.mark.parametrize(
    "head",
    [
        "import sys\nsys.stdout = open('log', 'w')\n",
        "from contextlib import redirect_stdout\n",
        "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()):\n    print(1)\n",
    ],
    ids=["another standard output", "by its name", "one for a while"],
)
def test_what_python_prints_elsewhere_is_printed_by_python(head: str) -> None:
    """Spark's console writes to the standard output of the JVM."""
    assert "foreachBatch" in new(f"{head}lines.pprint()")


def test_a_graceful_stop_waits_for_the_batches_that_dstream_still_runs() -> None:
    source = socket_program("lines.pprint()")
    old = "ssc.awaitTermination()"
    graceful = native(source.replace(old, "ssc.awaitTermination(9)\nssc.stop(True, True)")).files[0].new
    waits = "query.awaitTermination(9 + 2)  # a graceful stop ran two more batches\nquery.stop()\n"
    assert '"console"' in graceful and waits in graceful
    assert '"console"' in native(source.replace(old, "ssc.stop(True, False)")).files[0].new


def test_a_batch_that_fails_where_nobody_waits_ends_no_query() -> None:
    """A file may be gone before it is read."""
    source = socket_program("lines.pprint()").replace("\nssc.awaitTermination()", "")
    assert '"console"' in native(source).files[0].new
    files = source.replace('socketTextStream("localhost", 9999)', 'textFileStream("in")')
    assert "foreachBatch" in native(files).files[0].new


def test_a_variable_holds_its_last_stream_until_the_query_starts() -> None:
    again = new(
        "lines = lines.filter(lambda l: 'a' in l)\nlines = lines.filter(lambda l: 'b' in l)\nlines.pprint()"
    )
    assert "\nlines = lines.where(" in again and "lines.writeStream" in again
    body = "words = lines.filter(lambda l: 'a' in l)\nwords.pprint()\n{0} = 'a text'\nprint({0})"
    for name in ("lines", "words"):
        text = new(body.format(name))
        assert f"\n{name} = 'a text'\n" in text
        assert "words.writeStream" in text if name == "lines" else "words.writeStream" not in text


@pytest.mark.parametrize(
    "body",
    [
        'tags = lines.map(json.loads).flatMap(lambda t: t["tags"])\ntags.pprint()',
        "lines.map(json.loads).filter(lambda t: t['n'] > 1).pprint()",
    ],
)
def test_what_the_loop_that_prints_makes_of_rows_is_no_rdd_code(body: str) -> None:
    assert ".rdd" not in new(f"import json\n{body}")
