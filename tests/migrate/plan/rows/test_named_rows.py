"""Rows, namedtuples and schemas that callbacks make DataFrames of: columns of their names and types."""

from __future__ import annotations

import pytest

from migrate.model import Options
from migrate.plan.callbacks.handled_empty import UNPRINTED
from tests.migrate.programs import file, flat, run, socket_program

HEAD = """\
from collections import namedtuple
from pyspark.sql import Row, SparkSession
from pyspark.sql.types import *
spark = SparkSession(sc)
counts = lines.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
"""
SHOWN = ".foreachRDD(lambda rdd: rdd.toDF().show())"
NAMED = 'counts.toDF("tag", "n")'


def new(body: str, options: Options | None = None) -> str:
    return file(socket_program(HEAD + body), options).new


@pytest.mark.parametrize(
    "made",
    [
        'Tag = namedtuple("Tag", ["tag", "n"])\ncounts.map(lambda pair: Tag(pair[0], pair[1]))',
        'Tag = namedtuple("Tag", ("tag", "n"))\ncounts.map(lambda pair: Tag(n=pair[1], tag=pair[0]))',
        'Tag = namedtuple("Tag", "tag n")\ncounts.map(lambda pair: Tag(pair[0], n=pair[1]))',
        'names = ("tag", "n")\nTag = namedtuple("Tag", names)\ncounts.map(lambda p: Tag(p[0], p[1]))',
        'Tag = Row("tag", "n")\ncounts.map(lambda pair: Tag(pair[0], pair[1]))',
        "counts.map(lambda pair: Row(tag=pair[0], n=pair[1]))",
        'def tag(pair):\n    """A row."""\n    return Row(tag=pair[0], n=pair[1])\ncounts.map(tag)',
    ],
)
def test_a_stream_of_named_rows_is_a_select(made: str) -> None:
    assert f"    {NAMED}.show()\n" in new(f"{made}{SHOWN}")


@pytest.mark.parametrize(
    ("schema", "made"),
    [
        ("'w string, n int'", 'select(F.col("word").alias("w"), F.col("count").cast("int").alias("n"))'),
        ("'w: STRING, `n` bigint'", 'toDF("w", "n")'),
        ("'w string not null, n long'", 'toDF("w", "n")'),
        ("'w string, n double'", None),
        ("'w string, n decimal(9, 2)'", None),
        ("'w string, n struct<a: int>'", None),
        ("'w string'", None),
        ("'string, int'", None),
    ],
)
def test_a_schema_may_be_a_text(schema: str, made: str | None) -> None:
    text = new(f"counts.foreachRDD(lambda rdd: spark.createDataFrame(rdd, {schema}).show())")
    if made is None:
        assert f"spark.createDataFrame(counts.rdd.map(tuple), {schema})" in text or ".rdd" in text
    else:
        assert f"counts.{made}.show()" in text


def test_rows_of_the_batch_s_own_columns_are_the_batch() -> None:
    body = (
        "words = lines.flatMap(lambda line: line.split(' '))\n"
        "def show(rdd):\n    if not rdd.isEmpty():\n"
        "        df = spark.createDataFrame(rdd.map(lambda w: Row({}=w)))\n"
        "        df.show()\nwords.foreachRDD(show)"
    )
    assert "    if not words.isEmpty():\n        words.show()\n" in new(body.format("word"))
    assert 'df = words.toDF("w")\n' in new(body.format("w"))


@pytest.mark.parametrize("asked", ["not {}.isEmpty()", "{}.count() > 0"])
def test_rows_that_are_counted_too_are_a_variable(asked: str) -> None:
    body = (
        "def show(rdd):\n    rows = rdd.map(lambda pair: Row(tag=pair[0], n=pair[1]))\n"
        f"    if {asked.format('rows')}:\n        df = spark.createDataFrame(rows)\n        df.show()\n"
        "counts.foreachRDD(show)"
    )
    text = new(body)
    assert f"rows = {NAMED}\n" in text
    assert f"    if {asked.format('rows')}:\n" in text
    assert text.count(".toDF(") == 1 and ".rdd" not in text


@pytest.mark.parametrize(
    "made", ["Row(tag=w[0], at=str(clock.now()))", "Row(tag=w[0], at=time.strftime('%H:%M'))"]
)
def test_a_function_that_reads_none_of_its_columns_is_given_none(made: str) -> None:
    head = "import time\nfrom datetime import datetime as clock\n"
    text = new(f"{head}counts.map(lambda w: {made}){SHOWN}")
    assert "_udf()" in text and "F.struct" not in text


@pytest.mark.parametrize("shown", ["rows", "rdd", "type(rows)", "repr(rdd)"])
def test_a_variable_that_is_printed_as_an_object_holds_a_dataframe_all_the_same(shown: str) -> None:
    """``print(rdd)`` prints no data, of an RDD or of a DataFrame."""
    body = f"""\
def save(rdd):
    rows = rdd.map(lambda pair: Row(tag=pair[0], n=pair[1]))
    print({shown})
    spark.createDataFrame(rows).createOrReplaceTempView("tags")
counts.foreachRDD(save)
"""
    text = new(body)
    assert ".rdd" not in text and f"print({shown.replace('rdd', 'counts').replace('rows', 'counts')})" in text
    kept = body.replace(f"print({shown})", f"kept.append({shown})")
    assert "compat.streaming" in new(f"kept = []\n{kept}")


def test_a_variable_that_was_filtered_may_be_empty_where_the_batch_is_not() -> None:
    """`createDataFrame` raises for it, and the handler tells."""
    body = (
        "words = lines.flatMap(lambda line: line.split(' '))\n"
        "def show(rdd):\n    try:\n        if not rdd.isEmpty():\n"
        "            kept = rdd.filter(lambda w: len(w) > 3)\n            print(kept.count())\n"
        "            spark.createDataFrame(kept.map(lambda w: Row(w=w))).show()\n"
        "    except Exception:\n        print('nothing')\nwords.foreachRDD(show)"
    )
    text = new(body)
    assert "            if kept.isEmpty():\n                raise ValueError(" in text


def test_a_parameter_that_was_bound_again_has_other_columns() -> None:
    body = (
        "def show(rdd):\n    rdd = rdd.map(lambda value: (value, 1))\n    if not rdd.isEmpty():\n"
        "        print(rdd.count())\n        df = spark.createDataFrame(rdd.map(lambda p: Row(value=p[0])))\n"
        "        df.show()\nlines.foreachRDD(show)"
    )
    assert '        df = batch.select("value")\n        df.show()\n' in new(body)


def test_views_of_any_dataframe_have_today_s_method() -> None:
    body = (
        "def show(rdd):\n    if not rdd.isEmpty():\n        df = spark.read.json(rdd)\n"
        "        df.registerTempTable('t')\n        spark.sql('select * from t').show()\n"
        "lines.foreachRDD(show)"
    )
    assert "df.createOrReplaceTempView('t')" in new(body)


def test_a_chain_on_the_dataframe_goes_on_where_the_stream_s_ends() -> None:
    """Each comment stays beside its link, and the last one beside the last."""
    body = """\
(counts.map(lambda pair: Row(tag=pair[0], n=pair[1]))  # named
    .foreachRDD(lambda rdd: rdd.toDF().sort("n")  # in order
    .limit(3).show()))  # the first ones
"""
    expected = """\
    (
        counts.toDF("tag", "n")  # named
        .sort("n")  # in order
        .limit(3)
        .show()  # the first ones
    )
"""
    assert expected in new(body)
    twice = ".foreachRDD(lambda rdd: rdd.toDF().union(rdd.toDF()).show())"
    assert "rows.union(rows).show()" in new(f"counts.map(lambda pair: Row(tag=pair[0], n=pair[1])){twice}")


@pytest.mark.parametrize(
    "made",
    [
        # a class that is made again, or of names that are not known
        'Tag = namedtuple("Tag", ["tag", "n"])\nTag = Tag\ncounts.map(lambda pair: Tag(pair[0], pair[1]))',
        'Tag = namedtuple("Tag", given)\ncounts.map(lambda pair: Tag(pair[0], pair[1]))',
        'Tag = namedtuple("Tag", ["tag", "n"], rename=True)\ncounts.map(lambda pair: Tag(pair[0], pair[1]))',
        # other values than fields
        'Tag = namedtuple("Tag", ["tag", "n"])\ncounts.map(lambda pair: Tag(*pair))',
        'Tag = namedtuple("Tag", ["tag", "n", "m"])\ncounts.map(lambda pair: Tag(pair[0], pair[1]))',
    ],
)
def test_what_is_not_known_to_be_one_is_rdd_code(made: str) -> None:
    assert "rdd.toDF().show()" in new(f"{made}{SHOWN}")


@pytest.mark.parametrize(
    "read",
    [
        ".map(lambda tag: tag[1]).foreachRDD(lambda rdd: print(rdd.countByValue()))",
        ".filter(lambda tag: str(tag)).pprint()",
        ".foreachRDD(lambda rdd: print(rdd.map(str).collect()))",
    ],
)
def test_where_rows_are_read_otherwise_they_are_made_in_python(read: str) -> None:
    body = new(f"counts.map(lambda pair: Row(tag=pair[0], n=pair[1])){read}")
    assert ".map(lambda pair: Row(tag=pair[0], n=pair[1]))" in body


def test_where_a_callback_collects_them_the_driver_makes_them() -> None:
    rows = "counts.map(lambda pair: Row(tag=pair[0], n=pair[1]))"
    body = new(f"{rows}.foreachRDD(lambda rdd: print(rdd.collect()))")
    assert "print([Row(tag=pair[0], n=pair[1]) for pair in counts.collect()])" in body
    body = new(f"{rows}.map(lambda tag: tag[1]).foreachRDD(lambda rdd: print(rdd.collect()))")
    assert "print([Row(tag=pair[0], n=pair[1])[1] for pair in counts.collect()])" in body
    body = new(f"{rows}.foreachRDD(lambda rdd: rdd.foreach(print))")
    assert "counts.foreach(lambda pair: print(Row(tag=pair[0], n=pair[1])))" in body


def test_where_a_part_of_them_is_printed_the_loop_makes_them() -> None:
    body = new("counts.map(lambda pair: Row(tag=pair[0], n=pair[1])).map(lambda tag: tag[1]).pprint()")
    assert "for pair in counts.take(10):\n        print(Row(tag=pair[0], n=pair[1])[1])\n" in body


@pytest.mark.parametrize("also", ["", "rows.foreachRDD(lambda rdd: spark.createDataFrame(rdd).show())"])
def test_rows_that_are_printed_are_a_table_with_their_names(also: str) -> None:
    body = new(f"rows = counts.map(lambda pair: Row(tag=pair[0], n=pair[1]))\nrows.pprint()\n{also}")
    assert 'toDF("tag", "n")' in body or '.alias("tag")' in body
    assert ".show(10, truncate=False)" in body
    assert "Row(" not in body.replace("import Row", "")


def test_rows_are_printed_as_they_were_if_that_is_asked_for() -> None:
    body = new("counts.map(lambda pair: Row(tag=pair[0], n=pair[1])).pprint()", Options(pprint_exact=True))
    assert ".map(lambda pair: Row(tag=pair[0], n=pair[1]))" in body


def test_a_row_that_a_callback_makes_is_no_tuple() -> None:
    body = "def go(rdd):\n    print(rdd.map(lambda p: Row(tag=p[0])).collect())\ncounts.foreachRDD(go)"
    assert "print([Row(tag=p[0]) for p in counts.collect()])" in new(body)


PARSE = """\
import json
def parse(line):
    d = json.loads(line)
    row = Row(name=str(d.get("name")), n=float(d["n"]))
    return row
spark = SparkSession(sc)
def show(rdd):
    if not rdd.isEmpty():
        spark.createDataFrame({}).show()
"""


@pytest.mark.parametrize(
    ("body", "made"),
    [
        (PARSE.format("rdd") + "lines.map(parse).foreachRDD(show)", ".select('result.*')"),
        (PARSE.format("rdd.map(parse)") + "lines.foreachRDD(show)", ".select('result.*')"),
        (
            PARSE.format("rdd, ['a', 'b']") + "lines.map(parse).foreachRDD(show)",
            ".toDF('a', 'b')",
        ),
        (
            PARSE.format("rdd")
            + "lines.map(json.loads).map(lambda d: Row(name=str(d['a']), n=float(d['a']))).foreachRDD(show)",
            ".select('result.*')",
        ),
    ],
    ids=["of a stream", "of a callback", "by other names", "of another function's result"],
)
def test_a_function_that_returns_a_row_is_typed(body: str, made: str) -> None:
    text = new(body).replace('"', "'")
    assert "struct<name string, n double>" in text and made in text
    assert ".rdd" not in text


@pytest.mark.parametrize(
    "use",
    [
        "foreachRDD(lambda rdd: print(rdd.collect()))",
        "saveAsTextFiles('out')",
        "map(lambda r: r.asDict()).pprint()",
        "countByValue().pprint()",
    ],
)
def test_rows_stay_python_s_where_no_dataframe_is_made_of_them(use: str) -> None:
    text = new(PARSE.format("rdd") + f"lines.map(parse).{use}")
    assert "struct<" not in text


@pytest.mark.parametrize(
    ("schema", "made"),
    [
        ('["tag", "n"]', 'toDF("tag", "n")'),
        (
            'StructType([StructField("tag", StringType(), True), StructField("n", LongType(), False)])',
            'toDF("tag", "n")',
        ),
        (
            'StructType([StructField("tag", StringType()), StructField("n", IntegerType())])',
            'select(F.col("word").alias("tag"), F.col("count").cast("int").alias("n"))',
        ),
        (
            'StructType(fields=[StructField("tag", StringType()), StructField("n", ShortType())])',
            'select(F.col("word").alias("tag"), F.col("count").cast("smallint").alias("n"))',
        ),
    ],
)
@pytest.mark.parametrize("variable", [True, False])
def test_a_schema_gives_names_and_types(schema: str, made: str, variable: bool) -> None:
    given = "schema" if variable else schema
    body = f"schema = {schema}\ndef go(rdd):\n    spark.createDataFrame(rdd, {given}).show()\n"
    assert flat(f"counts.{made}.show()") in flat(new(f"{body}counts.foreachRDD(go)"))


@pytest.mark.parametrize(
    "schema",
    [
        'StructType([StructField("tag", StringType()), StructField("n", DoubleType())])',
        'StructType([StructField("tag", StringType())])',
        'StructType([StructField("tag", StringType()), StructField("n", unknown())])',
        'StructType(fields=[StructField("tag", StringType()), StructField("n", DateType())])',
        'StructType([StructField("tag", StringType())]).add("n", LongType())',
    ],
)
def test_other_schemas_are_not_followed(schema: str) -> None:
    body = f"def go(rdd):\n    spark.createDataFrame(rdd, {schema}).show()\ncounts.foreachRDD(go)"
    assert "counts.rdd.map(tuple)" in new(body)


@pytest.mark.parametrize(("later", "follows"), [("", True), ("fields.append(more)\n", False)])
def test_the_fields_of_a_schema_may_be_a_variable(later: str, follows: bool) -> None:
    body = (
        'fields = [StructField("tag", StringType()), StructField("n", LongType())]\n'
        f"{later}schema = StructType(fields)\n"
        "def go(rdd):\n    spark.createDataFrame(rdd, schema).show()\ncounts.foreachRDD(go)"
    )
    assert ("counts.rdd.map(tuple)" not in new(body)) is follows


def test_a_schema_that_grows_is_not_followed() -> None:
    body = (
        'schema = StructType([StructField("tag", StringType())])\nschema.add("n", LongType())\n'
        "def go(rdd):\n    spark.createDataFrame(rdd, schema).show()\ncounts.foreachRDD(go)"
    )
    assert "counts.rdd.map(tuple)" in new(body)


FIELDS = (
    'schema = [StructField("n", IntegerType()), StructField("b", StringType())]\n'
    "schema = sorted(schema, key=lambda field: field.name)\n"
    "schema = StructType(fields=schema)\n"
)
SORTED = 'counts.select(F.col("word").alias("b"), F.col("count").cast("int").alias("n")).show()'
SHOWS = "def go(rdd):\n    spark.createDataFrame(rdd, schema).show()\n"


@pytest.mark.parametrize("program", [FIELDS + SHOWS, SHOWS + FIELDS])
def test_the_variable_of_a_schema_may_hold_its_fields_before(program: str) -> None:
    assert flat(SORTED) in flat(new(program + "counts.foreachRDD(go)"))


@pytest.mark.parametrize(
    "program",
    [
        FIELDS.replace("field.name)", "field.nullable)") + SHOWS,
        FIELDS.replace("sorted(", "list(") + SHOWS,
        FIELDS + "if given:\n    schema = given\n" + SHOWS,
        FIELDS + "other = schema\nother.add('x', 'int')\n" + SHOWS,
        FIELDS + SHOWS.replace("    spark", "    schema = given\n    spark"),
        FIELDS + "def change():\n    global schema\n    schema = given\n" + SHOWS,
        "def sorted(fields, key):\n    return given\n" + FIELDS + SHOWS,
    ],
    ids=["other order", "other function", "branch", "alias", "local", "global", "shadowed"],
)
def test_but_then_nothing_else_may_change_it(program: str) -> None:
    assert flat(SORTED) not in flat(new(program + "counts.foreachRDD(go)"))


def test_a_schema_that_is_bound_again_after_the_output_is_not_followed() -> None:
    body = FIELDS + SHOWS + "counts.foreachRDD(go)\nschema = given"
    assert flat(SORTED) not in flat(new(body))


@pytest.mark.parametrize(("ratio", "follows"), [("1", True), ("0.99", True), ("0.5", False), ("x", False)])
def test_a_ratio_that_takes_all_rows_changes_nothing(ratio: str, follows: bool) -> None:
    body = f"def go(rdd):\n    spark.createDataFrame(rdd, ['a', 'b'], samplingRatio={ratio}).show()\n"
    assert ("counts.rdd" not in new(body + "counts.foreachRDD(go)")) is follows


GO = "def go(rdd):\n    {}spark.createDataFrame(rdd, ['a', 'b']).show()\ncounts.foreachRDD(go)"
RAISES = 'raise ValueError("RDD is empty")'


def test_an_rdd_without_elements_fails_no_batch_any_more_which_a_note_says() -> None:
    result = run(socket_program(HEAD + GO.format("")))
    assert "isEmpty()" not in result.files[0].new
    assert "an RDD without elements for `createDataFrame`" in str(result.graphs[0].notes)


def test_but_where_the_program_catches_it_or_the_user_asks_for_it() -> None:
    caught = GO.format("try:\n        {}\n    except KeyError:\n        print('none')\n    ")
    assert RAISES in new(caught.format("print(rdd.count())")).replace("'", '"')
    assert RAISES not in new(caught.format("x = 1")).replace("'", '"')
    assert RAISES in new(GO.format(""), Options(strict=True))


CLASS = "try:\n        {frame}\n    except{kind}:\n        {handler}\n    print(len('done'))\n"
FRAME = "spark.createDataFrame(rdd, ['a', 'b']).show()"


def caught_body(handler: str, kind: str = "", *, last: bool = False) -> str:
    text = CLASS.partition("    print(")[0] if last else CLASS
    head = "import logging, sys, traceback\nlogger = logging.getLogger(__name__)\n"
    body = f"{head}def go(rdd):\n    " + text.format(frame=FRAME, kind=kind, handler=handler)
    return body + "counts.foreachRDD(go)"


def caught(handler: str, kind: str = "", *, last: bool = False, options: Options | None = None) -> str:
    return new(caught_body(handler, kind, last=last), options).replace("'", '"')


@pytest.mark.parametrize(
    "handler",
    [
        "print(sys.exc_info()[0])",
        "e = sys.exc_info()[0]\n        print('Error: %s' % e, str(1))",
        "print('failed')",
    ],
)
@pytest.mark.parametrize("kind", ["", " Exception", " ValueError"])
def test_where_only_the_class_of_an_error_is_printed_its_text_says_what_is_empty(
    handler: str, kind: str
) -> None:
    assert 'raise ValueError("the batch is empty")' in caught(handler, kind)


@pytest.mark.parametrize(
    ("handler", "kind"),
    [
        ("print(e)", " Exception as e"),
        ("print(sys.exc_info()[1])", ""),
        ("print(sys.exc_info())", ""),
        ("log(1)", ""),
        ("log.exception('failed')", ""),
        ("print(1)", " KeyError"),
    ],
)
def test_where_the_text_may_be_seen_it_stays(handler: str, kind: str) -> None:
    assert RAISES in caught(handler, kind)


TELLING = [
    ("print(sys.exc_info())", ""),
    ("print('failed:', e)\n        traceback.print_exc()", " Exception as e"),
    ("traceback.print_exc()", ""),
    ("traceback.print_exc(file=sys.stdout)", ""),
    ("print('failed', file=sys.stderr)", ""),
    ("logging.error(e)", " Exception as e"),
    ("logger.warning('failed: %s', e)", " Exception as e"),
    ("logger.exception('failed')", ""),
    ("logger.error('failed', exc_info=True)", ""),
]
PRINTING = [
    ("print('no data')", "", "no data"),
    ("print(sys.exc_info()[0])", "", "<class 'ValueError'>"),
    ("e = sys.exc_info()[0]\n        print('Error: %s' % e)", "", "Error: <class 'ValueError'>"),
    ("e = sys.exc_info()[1]\n        print(f'Error: {e!r}')", "", "Error: ValueError('RDD is empty')"),
    ("print('Error: ' + str(e))", " ValueError as e", "Error: RDD is empty"),
    ("print('failed:', e)", " ValueError as e", "failed: RDD is empty"),
    (
        "print('Error: {} {}'.format(type(e).__name__, e))\n        return",
        " Exception as e",
        "Error: ValueError RDD is empty",
    ),
    ("print('by key')\n    except Exception as e:\n        print(e)", " KeyError", "RDD is empty"),
]


@pytest.mark.parametrize(("handler", "kind", "shown"), PRINTING)
def test_what_a_handler_prints_of_a_batch_without_rows_is_printed_if_the_user_asks_for_it(
    handler: str, kind: str, shown: str
) -> None:
    new = caught(handler, kind, last=True, options=Options(strict=True))
    new = new.replace('  # createDataFrame"s error', "")
    shown = shown.replace("'", '"')
    text = shown if '"' not in shown else shown.replace('"', "*")
    new = new if '"' not in shown else new.replace(shown, text)
    assert f'if counts.isEmpty():\n            print("{text}")\n            return\n' in new
    assert "raise" not in new


@pytest.mark.parametrize(("handler", "kind"), [one[:2] for one in PRINTING])
def test_else_only_what_tells_nothing_of_the_error_is_printed(handler: str, kind: str) -> None:
    program = socket_program(HEAD + caught_body(handler, kind, last=True))
    (graph,) = (result := run(program)).graphs
    is_plain = handler == "print('no data')"
    said = "            print('no data')\n" if is_plain else ""
    assert f"if counts.isEmpty():\n{said}            return\n" in result.files[0].new
    assert (UNPRINTED in graph.notes) is not is_plain


@pytest.mark.parametrize(("handler", "kind"), [*(one[:2] for one in PRINTING), *TELLING])
@pytest.mark.parametrize("last", [True, False])
def test_only_what_goes_on_below_raises(handler: str, kind: str, last: bool) -> None:
    new, raises = caught(handler, kind, last=last), "if counts.isEmpty():\n            raise ValueError("
    assert (raises in new) is not last


@pytest.mark.parametrize(("handler", "kind"), TELLING)
def test_what_shows_a_traceback_or_logs_does_so_if_the_user_asks_for_it(handler: str, kind: str) -> None:
    assert RAISES in caught(handler, kind, last=True, options=Options(strict=True))


@pytest.mark.parametrize(("handler", "kind"), TELLING)
def test_else_a_note_says_that_the_error_is_gone(handler: str, kind: str) -> None:
    (graph,) = (result := run(socket_program(HEAD + caught_body(handler, kind, last=True)))).graphs
    assert "if counts.isEmpty():\n            return\n" in result.files[0].new
    assert UNPRINTED in graph.notes


def test_a_text_that_is_logged_of_any_error_stays() -> None:
    new = caught("logger.info('no data')", last=True)
    assert 'if counts.isEmpty():\n            logger.info("no data")\n            return\n' in new


@pytest.mark.parametrize(
    ("handler", "kind"),
    [
        ("log.warn(e)", " Exception as e"),
        ("logger.log(40, e)", " Exception as e"),
        ("logger.error(e, extra=seen)", " Exception as e"),
        ("print(e.message)", " Exception as e"),
        ("print('Error: ' + e)", " Exception as e"),
        ("print('Error: %d' % e)", " Exception as e"),
        ("print('Error: %s %s' % e)", " Exception as e"),
        ("print('Error: {} {}'.format(e))", " Exception as e"),
        ("print(unknown)", ""),
        ("print(count())", ""),
        ("print(1, file=log)", ""),
        ("print(1)\n    finally:\n        done()", ""),
        ("print(1)", " KeyError"),
        ("print(1)", " (KeyError, ValueError)"),
        ("global failed\n        failed = 1\n        print(1)", ""),
    ],
)
def test_an_error_that_does_more_than_to_be_printed_is_raised(handler: str, kind: str) -> None:
    assert "raise ValueError(" in caught(handler, kind, last=True)


ENCODED = "counts.map(lambda p: Row(word=p[0].encode('utf-8'), n=p[1]))"


def test_bytes_of_a_dataframe_are_columns() -> None:
    text = new(f"{ENCODED}.foreachRDD(lambda rdd: spark.createDataFrame(rdd).write.parquet('words'))")
    assert 'F.encode("word", "UTF-8").alias("word")' in text
    assert ".rdd" not in text


@pytest.mark.parametrize(
    "output",
    [
        # a table shows [61], and a Row b'a'
        ".pprint()",
        ".foreachRDD(lambda rdd: print(rdd.collect()))",
    ],
)
def test_bytes_that_are_printed_are_pythons(output: str) -> None:
    text = new(f"{ENCODED}{output}")
    assert "F.encode" not in text
    assert ".encode('utf-8')" in text


def test_a_row_of_two_imports_is_one() -> None:
    both = "from pyspark import Row\nfrom pyspark.sql import Row\nfrom pyspark.sql import SparkSession\n"
    show = "spark = SparkSession(sc)\ndef show(rdd):\n    spark.createDataFrame(rdd).show()\n"
    body = f"{both}{show}lines.map(lambda line: Row(line=line)).foreachRDD(show)"
    assert '.toDF("line")' in file(socket_program(body)).new
