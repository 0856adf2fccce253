"""Callbacks with RDD code take the DataFrame of the batch, and read its rows."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Options, Tier
from migrate.plan.callbacks.creating import NONES
from tests.migrate.codemod.written import native_result, native_socket
from tests.migrate.plan.sources.test_kafka import DIRECT, program
from tests.migrate.programs import file, flat, run, socket_program

BODY = """\
def analyse(rdd):
    {}

lines.foreachRDD(analyse)
"""


@pytest.mark.parametrize(
    ("code", "new"),
    [
        (
            "print(rdd.map(lambda w: parse(w)).max())",
            'print(batch.rdd.map(lambda w: parse(w["value"])).max())',
        ),
        ("print(rdd.map(parse).max())", 'print(batch.rdd.map(lambda row: parse(row["value"])).max())'),
        (
            "print(rdd.map(lambda w: parse(w, w[0], w[-1])).max())",
            'batch.rdd.map(lambda row: row["value"]).map(lambda w: parse(w, w[0], w[-1])).max()',
        ),
        ("if not rdd.isEmpty(): put(rdd.flatMap(parse).max())", "if not batch.isEmpty(): put("),
        ("if rdd.count(): put(rdd.flatMap(parse).max())", "if batch.count(): put("),
        (
            "put(rdd.collect(), rdd.map(parse).max())",
            'put([row["value"] for row in batch.collect()], batch.rdd.map(',
        ),
        (
            "put(rdd.take(n), rdd.map(parse).max())",
            'put([row["value"] for row in batch.take(n)], batch.rdd.map(',
        ),
        ("put(rdd.collect()[0], rdd.map(parse).max())", 'put(batch.collect()[0]["value"], batch.rdd.map('),
        (
            "put(rdd.take(3)[n - 1], rdd.first())",
            'put(batch.take(3)[n - 1]["value"], batch.head(1)[0]["value"])',
        ),
        ("put(rdd.collect()[1:])", 'put([row["value"] for row in batch.collect()][1:])'),
        ("spark.read.json(rdd).show()", "spark.read.json(batch).show()"),
        (
            "spark.read.option('mode', 'X').json(rdd).show()",
            "spark.read.option('mode', 'X').json(batch).show()",
        ),
    ],
)
def test_each_use_of_the_rdd(code: str, new: str) -> None:
    text = native_socket(
        f"from pyspark.sql import SparkSession\nspark = SparkSession(sc)\n{BODY.format(code)}"
    )
    assert flat(new) in flat(text)
    assert "def analyse(batch" in text
    assert "lambda row: row[0]" not in text


@pytest.mark.parametrize("code", ["spark.read.json(rdd).show()", "print(rdd.map(parse).max())"])
@pytest.mark.parametrize("call", ["lambda rdd: analyse(rdd)", "lambda rdd: analyse(rdd, 3)"])
def test_a_function_that_a_lambda_hands_the_rdd_on_to(code: str, call: str) -> None:
    body = BODY.replace("analyse(rdd):", "analyse(rdd, n=1):").replace("(analyse)", f"({call})")
    text = native_socket(
        f"from pyspark.sql import SparkSession\nspark = SparkSession(sc)\n{body.format(code)}"
    )
    assert "def analyse(batch, n=1)" in text
    assert call.partition(": ")[2].replace("rdd", "batch") in text
    assert "row[0]" not in text


@pytest.mark.parametrize(
    "code",
    [
        "print(rdd.sortBy(parse).max())",
        "print(rdd.filter(parse).max())",
        "put(rdd.take(n := 3), n, rdd.map(parse).max())",
    ],
)
def test_what_else_needs_the_elements_themselves(code: str) -> None:
    assert "rdd = batch.rdd.map(lambda row: row[0])\n" in native_socket(BODY.format(code))


@pytest.mark.parametrize(
    ("code", "is_named"),
    [
        ("print(rdd.map(lambda w: parse(w,\n        w[0], w[-1])).max())", True),
        ("first = rdd.map(lambda w: parse(w, w[0], w[-1]))\n    put(first.max(), rdd.collect())", False),
        (
            "first = rdd.map(lambda w: parse(w, w[0], w[-1]))\n"
            "    last = rdd.map(lambda w: parse(w, w[-1], w[0]))\n    put(first.max(), last.max())",
            True,
        ),
        ("if n:\n        print(rdd.map(lambda w: parse(w,\n            w[0], w[-1])).max())", False),
        (
            "numbers = rdd.map(lambda w: (parse(w, w[0], w[-1]), parse(w, w[1], w[-2])))\n"
            "    put(numbers.max())",
            True,
        ),
    ],
)
def test_statements_of_several_lines_read_the_elements_by_their_old_name(code: str, is_named: bool) -> None:
    new = native_socket("n = 1\n" + BODY.format(code))
    assert ('    rdd = batch.rdd.map(lambda row: row["value"])\n' in new) is is_named
    assert (code in new) is is_named


def test_a_callback_that_something_else_calls_keeps_its_rdd() -> None:
    body = BODY.format("print(rdd.map(parse).max())") + "analyse(sc.parallelize([]))\n"
    assert "analyse(batch.rdd.map(lambda row: row[0]))" in native_socket(body)


JSON = "spark.read.json(rdd).show()"
KAFKA = f"from pyspark.sql import SparkSession\nspark = SparkSession(sc)\ndef show(rdd):\n    {JSON}\n"


def test_no_rdd_code_is_left_where_only_json_is_read() -> None:
    body = f"from pyspark.sql import SparkSession\nspark = SparkSession(sc)\n{BODY.format(JSON)}"
    result = native_result(socket_program(body))
    assert Tier.RDD not in {site.tier for site in result.sites}


SESSION = """\
from pyspark.sql import SparkSession

def session_of(conf):
    if "kept" not in globals():
        globals()["kept"] = SparkSession.builder.config(conf=conf).getOrCreate()
    return globals()["kept"]
"""


IN_MAIN = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
{session}
sc = SparkContext(appName="json")
ssc = StreamingContext(sc, 5)

def analyse(rdd):
    spark = session_of(rdd.context.getConf())
    {code}

def lines_of(context):
    return context.socketTextStream("localhost", 9999)

def main():
    lines_of(ssc).foreachRDD(analyse)

if __name__ == "__main__":
    main()
    ssc.start()
    ssc.awaitTermination()
"""


@pytest.mark.parametrize(
    ("code", "is_column"),
    [
        (JSON, True),
        ("found = spark.read.json(rdd)\n    found = found.drop('n')\n    found.show()", True),
        (f"if rdd.isEmpty():\n        return\n    {JSON}", True),
        (f"{JSON}\n    print(rdd.glom().count())", False),
        (f"{JSON}\n    print(rdd.map(parse).max())", False),
    ],
)
def test_a_session_that_a_callback_makes_reads_json(code: str, is_column: bool) -> None:
    result = run(IN_MAIN.format(session=SESSION, code=code))
    tiers = {site.tier for site in result.sites}
    assert (not tiers & {Tier.RDD, Tier.COMPAT}) is is_column
    new = str(result.files[0].new)
    assert ("batch.sparkSession.read.json(batch)" in new) is is_column


def test_json_of_messages_that_may_be_none() -> None:
    source = program(DIRECT + ")", f"{KAFKA}messages.map(lambda x: x[1]).foreachRDD(show)")
    assert 'spark.read.json(batch.fillna("None")).show()' in file(source).new
    assert NONES in run(source).graphs[0].notes
    held = source.replace(JSON, "frame = spark.read.json(rdd)\n    frame.show()")
    said = 'frame = spark.read.json(batch.fillna("None"))  # a message without a value was read as "None"\n'
    assert said in file(held).new
    older = file(source, Options(spark=SparkVersion.parse("4.1"))).new
    assert JSON in older
    assert "rdd = batch.rdd.map(lambda row: row[0])\n" in older


def test_pairs_are_rows() -> None:
    body = "def show(rdd):\n    rdd.map(lambda x: parse(x[1])).foreach(put)\nmessages.foreachRDD(show)"
    new = file(program(DIRECT + ")", body)).new
    assert 'batch.rdd.map(lambda row: parse(row["value"])).foreach(put)' in new
    assert VALUE in new
    assert "foreachBatch(show)" in new


VALUE = '.select(F.decode("value", "UTF-8").alias("value"))'


@pytest.mark.parametrize(
    ("code", "new"),
    [
        ("for m in rdd.collect():\n        put(m[1])", 'for m in batch.collect():\n        put(m["value"])'),
        (
            "found = rdd.take(3)\n    if not found: return\n    for m in found:\n        put(m[1], m[1])",
            'for m in found:\n        put(m["value"], m["value"])',
        ),
        ("put([m[1] for m in rdd.collect()])", 'put([m["value"] for m in batch.collect()])'),
        ("rdd.foreach(lambda m: put(m[1]))", 'batch.foreach(lambda row: put(row["value"]))'),
        ("if not rdd.isEmpty():\n        print(rdd.count())", "print(batch.count())"),
    ],
)
def test_only_what_a_callback_reads_is_decoded(code: str, new: str) -> None:
    text = file(program(DIRECT + ")", f"def show(rdd):\n    {code}\nmessages.foreachRDD(show)")).new
    assert new in text
    assert 'F.decode("key"' not in text
    assert "foreachBatch(show)" in text


@pytest.mark.parametrize(
    "code",
    [
        "for m in rdd.collect():\n        put(m)",
        "for m in rdd.collect():\n        put(m[-1])",
        "for m in rdd.collect():\n        put(m[1])\n    for m in more():\n        put(m[1])",
        "found = rdd.collect()\n    put(found)\n    for m in found:\n        put(m[1])",
        "put([m[0] for m in rdd.collect()], rdd.map(lambda m: m[1]).max())",
        "rdd.foreach(put)",
        "put(rdd.map(lambda m: m[1]).max(), rdd)",
    ],
)
def test_a_callback_that_may_read_more_gets_both(code: str) -> None:
    text = file(program(DIRECT + ")", f"def show(rdd):\n    {code}\nmessages.foreachRDD(show)")).new
    assert text.count("F.decode(") in (0, 2)


NAMES = [("dstream1", "df1"), ("rdd2", "df2"), ("my_stream", "my_df")]


@pytest.mark.parametrize(("name", "renamed"), NAMES)
def test_no_parameter_is_named_after_a_stream(name: str, renamed: str) -> None:
    body = f"{name} = lines.map(lambda line: line.upper())\n{BODY.format('print(rdd.collect())')}"
    new = native_socket(body.replace("lines.foreachRDD", f"{name}.foreachRDD"))
    assert "def analyse(batch):" in new
    assert f"analyse({renamed})" in new


@pytest.mark.parametrize(
    ("code", "becomes"),
    [
        ("rdd.collect()", "words.collect()"),
        ("rdd.map(lambda w: (w, 1)).take(2)", 'words.select("word", F.lit(1).alias("count")).take(2)'),
        ("rdd.map(lambda w: (w, (w, 1))).collect()", ".collect()"),
        # RDD code beside it
        ("rdd.collect()\n    put(rdd.map(parse).max())", "words.collect()\n    put("),
    ],
)
def test_rows_that_nothing_reads_are_not_put_into_a_list(code: str, becomes: str) -> None:
    words = 'words = lines.flatMap(lambda line: line.split(" "))\n'
    new = native_socket(f"{words}def go(rdd):\n    {code}\nwords.foreachRDD(go)")
    assert becomes in new
    assert " for " not in new.partition("def go")[2]
