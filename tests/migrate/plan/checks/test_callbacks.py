"""Callbacks that go on with other RDDs, made of the batch's."""

from __future__ import annotations

import textwrap

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.migration import migrate
from migrate.model import Options, Outcome, Tier
from tests.migrate.programs import blocked, file, flat, module, native_body, run, socket_program

PAIRS = "pairs = lines.map(lambda word: (word, 1))\n"


def test_a_callback_may_give_its_parameter_another_rdd_of_the_batch() -> None:
    body = native_body(
        "def go(rdd):\n    rdd = rdd.filter(len)\n    print(rdd.count())\nlines.foreachRDD(go)"
    )
    assert body == 'batch = batch.where(F.length("value") != 0)\nprint(batch.count())'


VARIABLES = {
    "one after the other": (
        "words = rdd.flatMap(lambda line: line.split(' '))\nwords = words.filter(lambda word: word != 'a')\n"
        "print(words.collect())",
        "words = batch.select(F.explode(F.split('value', ' ')).alias('word'))\n"
        "words = words.where(F.col('word') != 'a')\nprint([row['word'] for row in words.collect()])",
    ),
    "read twice": (
        "words = rdd.flatMap(lambda line: line.split(' '))\nprint(words.count(), words.take(3))",
        "words = batch.select(F.explode(F.split('value', ' ')).alias('word'))\n"
        "print(words.count(), [row['word'] for row in words.take(3)])",
    ),
    "in one branch": (
        "if not rdd.isEmpty():\n    words = rdd.filter(lambda line: line != 'a')\n"
        "    words = words.map(lambda word: word + '!')\n    print(words.count())",
        "if not batch.isEmpty():\n    words = batch.where(F.col('value') != 'a')\n"
        "    words = words.select(F.concat('value', F.lit('!')).alias('word'))\n    print(words.count())",
    ),
    "read for the next one alone": (
        "kept = rdd.filter(lambda line: line != 'a')\nprint(kept.map(lambda line: line + '!').collect())",
        "kept = batch.where(F.col('value') != 'a')\nprint([row['value'] for row in "
        "kept.select(F.concat('value', F.lit('!')).alias('value')).collect()])",
    ),
    "of a DataFrame alone": (
        "if not rdd.isEmpty():\n    rows = rdd.map(lambda line: Row(line=line))\n"
        "    spark.createDataFrame(rows).show()",
        "if not batch.isEmpty():\n    batch.toDF('line').show()",
    ),
}


@pytest.mark.parametrize(("old", "new"), VARIABLES.values(), ids=VARIABLES)
def test_variables_of_rdds_hold_dataframes(old: str, new: str) -> None:
    session = "from pyspark.sql import Row, SparkSession\nspark = SparkSession(sc)\n"
    rows = "".join(f"    {row}\n" for row in old.split("\n"))
    text = file(socket_program(f"{session}def go(rdd):\n{rows}lines.foreachRDD(go)")).new
    assert flat(new) in flat(text.replace('"', "'")), text


NESTED = "lines.map(lambda l: ((l[0], l), 1)).reduceByKey(lambda a, b: a + b).foreachRDD(lambda rdd: {})"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("put(rdd.take(3))", "put([((field1, value), count) for field1, value, count in rows.take(3)])"),
        ("[n for (a, b), n in rdd.collect()]", "[n for (a, b, n) in rows.collect()]"),
        (
            "[n for pair, n in rdd.collect()]",
            "[n for pair, n in [((field1, value), count) for field1, value, count in rows.collect()]]",
        ),
        (
            "list(rdd.toLocalIterator())",
            "list((((field1, value), count) for field1, value, count in rows.toLocalIterator()))",
        ),
    ],
)
def test_tuples_of_tuples_are_made_of_rows(old: str, new: str) -> None:
    text = flat(native_body(f"def put(rows):\n    print(rows)\n{NESTED.format(old)}"))
    assert flat(new) in text
    assert ".rdd" not in text


READ = """\
import json
from pyspark.sql import SparkSession
spark = SparkSession(sc)
def show(rdd):
    rows = rdd.map({})
    spark.read.option("mode", "FAILFAST").json(rows, multiLine=True).createOrReplaceTempView("rows")
    spark.sql("select * from rows").show()
lines.foreachRDD(show)
"""


@pytest.mark.parametrize(
    ("function", "column"),
    [
        ("lambda line: line + '}'", 'F.concat("value", F.lit("}")).alias("value")'),
        ("lambda line: line.title()", 'title_udf("value").alias("line")'),
        ("lambda line: json.loads(line)", 'text_udf("value").alias("text")'),
        ("lambda line: json.loads(line)['a']", 'text_udf("value").alias("text")'),
    ],
)
def test_json_is_read_of_a_dataframe_of_texts(function: str, column: str) -> None:
    new = native_body(READ.format(function))
    read = f'batch.sparkSession.read.option("mode", "FAILFAST").json(batch.select({column}), multiLine=True)'
    assert flat(read) in flat(new.replace("'", '"'))
    assert 'batch.sparkSession.sql("select * from rows").show()' in new
    assert ".rdd" not in new


def test_what_is_no_text_is_read_by_its_text() -> None:
    new = file(socket_program(READ.format("json.loads"))).new
    assert 'F.udf(lambda value: str(json.loads(value)), "string", useArrow=True)' in new
    options = Options(spark=SparkVersion("4.1"))
    for source, version in ((READ.format("len"), None), (READ.format("str.title"), options)):
        assert ".rdd.map(" in native_body(source, version)


def test_a_variable_of_two_branches_stays_an_rdd() -> None:
    go = (
        "def go(rdd):\n    if flag:\n        words = rdd.filter(len)\n"
        "    else:\n        words = rdd.map(str.strip)\n    print(words.collect())\nlines.foreachRDD(go)"
    )
    assert "rdd = batch.rdd.map(lambda row: row[0])\n" in file(socket_program(go)).new


def test_it_may_be_numbered_in_the_order_of_a_sort() -> None:
    go = "def go(rdd):\n    rdd = rdd.sortBy(len){}.zipWithIndex()\n    print(rdd.take(3))\n"
    go += "lines.foreachRDD(go)"
    assert "rdd = rdd.sortBy(len).zipWithIndex()\n" in native_body(go.format(""))
    why = blocked(go.format(".repartition(2)"))
    assert "`zipWithIndex` may depend on the partitions or the order of an RDD" in why


@pytest.mark.parametrize(
    "assigned", ["time = time.strftime('%H:%M')", "if rdd.isEmpty():\n        time = None"]
)
def test_the_batch_time_may_get_another_value(assigned: str) -> None:
    go = f"def go(time, rdd):\n    {assigned}\n    print(time, rdd.collect())\nlines.foreachRDD(go)"
    new = native_body(go)
    assert "time = datetime.now().replace(microsecond=0)  # end of the interval\n" in new
    assert flat(assigned.replace("rdd", "batch")) in flat(new)
    assert "print(time, [row['value'] for row in batch.collect()])" in new.replace('"', "'")


def test_a_transform_reads_the_value_that_the_batch_time_got() -> None:
    go = "def go(time, rdd):\n    time = str(time)\n    return rdd.map(lambda word: (time, word))\n"
    text = file(socket_program(f"{go}lines.transform(go).pprint()")).new
    assert go in text and "go(batch_time, " in text
    assert "assigns to its own parameter" in blocked(
        "lines.foreachRDD(lambda time, rdd: print((time := str(time)), rdd.count(), time))"
    )


def test_but_nothing_else() -> None:
    for bound in (
        "if rdd.isEmpty():\n        rdd = []",
        "for _ in range(2):\n        rdd = rdd.collect()",
        "def show():\n        print(rdd)\n    rdd = rdd.collect()\n    show()",
        "rdd = rdd.collect()\n    rdd = sorted(rdd)",
    ):
        why = blocked(f"def go(rdd):\n    {bound}\n    print(len(rdd))\nlines.foreachRDD(go)")
        assert "assigns to its own parameter" in why


def test_a_list_of_elements_may_have_the_name_of_the_rdd() -> None:
    go = "def go(rdd):\n    rdd = rdd.filter(len).take(5)\n    for line in rdd:\n        print(line)\n"
    new = file(socket_program(f"{go}lines.foreachRDD(go)")).new
    assert '    rdd = [row["value"] for row in batch.where(F.length("value") != 0).take(5)]\n' in new
    assert "every_interval" not in new
    assert "assigns to its own parameter" in blocked(f"{go}lines.transform(go).pprint()")


def test_it_may_get_it_below_other_statements() -> None:
    go = "def go(rdd):\n    if rdd.isEmpty():\n        return\n    n = rdd.count()\n    rdd = rdd.take(5)\n"
    new = file(socket_program(f"{go}    print(n, len(rdd), rdd[0])\nlines.foreachRDD(go)")).new
    assert "    n = batch.count()\n" in new
    assert '    rdd = [row["value"] for row in batch.take(5)]\n' in new
    assert "    print(n, len(rdd), rdd[0])\n" in new


BRANCH = """\
def go(rdd):
    {}:
        rdd = rdd.filter(len).take(5)
        print(sorted(rdd))
    {}:
        {}
lines.foreachRDD(go)"""


def test_it_may_get_it_in_a_branch_that_is_the_last_to_read_it() -> None:
    body = BRANCH.format("if not rdd.isEmpty()", "elif rdd.count() > 3", "print(rdd.count())")
    new = file(socket_program(body)).new
    assert (
        "def go(batch):\n    if not batch.isEmpty():\n"
        '        rdd = [row["value"] for row in batch.where(F.length("value") != 0).take(5)]\n'
        "        print(sorted(rdd))\n    elif batch.count() > 3:\n        print(batch.count())\n"
    ) in new


@pytest.mark.parametrize(
    "branches",
    [
        ("if not rdd.isEmpty()", "if rdd", "print(rdd)"),
        ("if not rdd.isEmpty()", "else", "rdd = []"),
        ("for _ in range(2)", "else", "pass"),
    ],
)
def test_but_in_no_other(branches: tuple[str, str, str]) -> None:
    assert "assigns to its own parameter" in blocked(BRANCH.format(*branches))


@pytest.mark.parametrize("act", ["requests.post(URL, rdd)", "send(rdd)", "send(sorted(rdd))"])
def test_what_is_done_with_an_empty_list_of_that_name_is_done_in_every_interval(act: str) -> None:
    go = f"def go(rdd):\n    rdd = rdd.collect()\n    {act}\n"
    send = "import requests\nURL = 'http://a'\ndef send(rows):\n    requests.post(URL, rows)\n"
    assert "every_interval" in file(socket_program(f"{send}{go}lines.foreachRDD(go)")).new


@pytest.mark.parametrize(
    ("made", "in_every_interval"),
    [
        ("sc.parallelize(['none'])", True),
        ("rdd.union(sc.parallelize(['none']))", True),
        ("sc.parallelize(rdd.collect())", True),  # nothing says that it is one without elements
        ("rdd.map(str.upper)", False),
    ],
)
def test_an_rdd_that_the_program_makes_has_elements_without_input(
    made: str, *, in_every_interval: bool
) -> None:
    """It takes the place of the batch's, or is united with it, and `save` may write anywhere."""
    go = f"def go(rdd):\n    rdd = {made}\n    rdd.foreach(save)\n"
    new = file(socket_program(f"def save(row):\n    print(row)\n{go}lines.foreachRDD(go)")).new
    assert ("every_interval" in new) is in_every_interval


def test_a_callback_may_take_an_rdd_of_its_own_for_an_empty_one() -> None:
    go = (
        "def go(rdd):\n    if rdd.isEmpty():\n        rdd = sc.emptyRDD()\n    else:\n"
        "        rdd = sc.parallelize(rdd.collect())\n    print(rdd.count())\n"
    )
    assert "rdd = sc.emptyRDD()\n" in native_body(f"{go}lines.foreachRDD(go)")


def test_in_a_branch_it_is_not_followed_to_columns() -> None:
    go = "def go(rdd):\n    if flag:\n        rdd = rdd.filter(len)\n    print(rdd.collect())\n"
    assert "rdd = batch.rdd.map(lambda row: row[0])\n" in native_body(f"{go}lines.foreachRDD(go)")


def test_a_function_of_transform_may_return_a_variable() -> None:
    def made_by(call: str) -> str:
        function = f"def made(rdd):\n    found = rdd.{call}\n    return found\n"
        return native_body(f"{function}lines.transform(made).foreachRDD(lambda rdd: print(rdd.count()))")

    assert 'batch.where(F.length("value") < 9)' in made_by("filter(lambda line: len(line) < 9)")
    assert "made(batch.rdd.map(lambda row: row[0]))" in made_by("map(lambda line: eval(line))")
    assert "made(batch.rdd" in made_by("map(len)\n    print('made')")
    assert "made(batch.rdd" in made_by("map(len)\n    found = found.union(found)")


def test_what_is_known_of_the_batch_is_not_known_of_another_rdd() -> None:
    reduced = "reduceByKey(lambda a, b: a + b).foreach(save)"
    go = f"def go(rdd):\n    rdd = rdd.map(str.split)\n    rdd.{reduced}\n"
    assert "may depend on the order" in blocked(f"{PAIRS}{go}pairs.foreachRDD(go)")
    result = run(socket_program(f"{PAIRS}{go.replace('    rdd', '    texts')}pairs.foreachRDD(go)"))
    assert any("in the order in which they came" in note for note in result.graphs[0].notes)
    assert native_body(f"{PAIRS}def go(rdd):\n    rdd.{reduced}\npairs.foreachRDD(go)")


@pytest.mark.parametrize(
    "body",
    [
        *(
            "print(rdd)",
            "print('an RDD:', type(rdd))",
            "print(rdd.count)",
            "print(repr(rdd), str(type(rdd)))",
        ),
        *("print('rdd = %s' % str(rdd))", "print('%s of %s' % (rdd, 1))", "print(f'an RDD: {rdd}')"),
        "print('an RDD: ' + str(rdd))",
    ],
)
def test_what_an_rdd_is_may_be_printed(body: str) -> None:
    whole = f"def seen(rdd):\n    {body}\n    print(rdd.count())\nlines.foreachRDD(seen)"
    assert run(socket_program(whole)).graphs[0].outcome is Outcome.NATIVE
    alone = f"lines.foreachRDD(lambda rdd: {body})"
    assert run(socket_program(alone)).graphs[0].outcome is Outcome.NATIVE


@pytest.mark.parametrize(
    "body",
    [
        "print(sorted(rdd))",
        "print(rdd, file=log)",
        "x = str(rdd)",
        "print(rdd.glom())",
        "print(len(str(rdd)))",
        "print(f'{list(rdd)}')",
        "print((rdd, 1))",
        "print(1 % rdd)",
    ],
)
def test_what_an_rdd_holds_is_more_than_that(body: str) -> None:
    assert blocked(f"def seen(rdd):\n    {body}\nlines.foreachRDD(seen)")


@pytest.mark.parametrize(
    "made",
    [
        "map(lambda word: 1)",
        "map(lambda word: len(word))",
        "map(len).map(lambda n: int(n))",
        "map(lambda word: 1 if word in known else -1 if word else 0)",
    ],
)
def test_a_sum_of_ints_needs_no_order_behind_rdd_code(made: str) -> None:
    """What came before does not matter: `clean` keeps the elements from being columns."""
    body = native_body(f"lines.map(clean).{made}.reduce(lambda a, b: a + b).pprint()")
    assert ".reduceByKey(lambda a, b: a + b, 1)" in body


def test_a_sum_by_key_of_one_int_or_another_needs_no_order() -> None:
    made = "lines.map(clean).map(lambda w: ('in', 1) if w in known else ('out', 2)).filter(len)"
    body = native_body(f"{made}.reduceByKey(lambda a, b: a + b).pprint()")
    assert ".reduceByKey(lambda a, b: a + b)" in body
    other = f"{made.replace('2', 'w')}.reduceByKey(lambda a, b: a + b).pprint()"
    assert "numPartitions=1" in file(socket_program(other)).new


@pytest.mark.parametrize(
    "reduced",
    [
        "lines.map(clean).reduce(lambda a, b: a + b)",
        "lines.map(clean).map(lambda word: 1).map(clean).reduce(lambda a, b: a + b)",
        "lines.map(clean).map(lambda word: (word, 1)).reduce(lambda a, b: a + b)",
    ],
)
def test_other_reductions_need_one(reduced: str) -> None:
    assert "numPartitions=1" in file(socket_program(f"{reduced}.pprint()")).new


def test_a_difference_shows_how_files_are_packed() -> None:
    reduced = "ssc.textFileStream('in').map(clean).map(lambda word: 1).reduce(lambda a, b: a - b)"
    assert "order" in blocked(f"{reduced}.pprint()")


SESSION = "from pyspark.sql import Row, SparkSession\nspark = SparkSession(sc)\n"
ROWS = "rows = lines.map(clean).map(lambda p: Row(k=p))\n"


@pytest.mark.parametrize(
    ("before", "body"),
    [
        (
            "",
            "rdd.toDF().createOrReplaceTempView('log')\n    print(spark.sql('select k from log').collect())",
        ),
        ("", "sql.registerDataFrameAsTable(rdd.toDF(), 'log')"),
        ("spark.udf.register('twice', f)\n", "print(rdd.toDF().selectExpr('twice(k)').collect())"),
        ("spark.conf.set('a', 'b')\n", "rdd.toDF().show()"),
        ("spark.sql('set a = b')\n", "rdd.toDF().show()"),
    ],
)
@pytest.mark.parametrize("given", ["show", "lambda rdd: show(rdd)"])
def test_to_df_in_rdd_code_becomes_a_frame_of_the_program(before: str, body: str, given: str) -> None:
    """The batch's session sees nothing of what the program's has got since the query started."""
    whole = (
        f"{SESSION}{before}{ROWS}def show(rdd):\n    {body}\nrows.foreachRDD({given})\nrows.foreachRDD(show)"
    )
    new = file(socket_program(whole)).new
    assert body.replace("rdd.toDF()", "spark.createDataFrame(rdd)") in new


def test_to_df_in_a_lambda_becomes_a_frame_of_the_program() -> None:
    chain = "rdd.map(clean) \\\n    .toDF(['k']).createOrReplaceTempView('log')"
    new = file(socket_program(f"{SESSION}{ROWS}rows.foreachRDD(lambda rdd: {chain})")).new
    assert "spark.createDataFrame(rows.map(clean), ['k']).createOrReplaceTempView('log')" in new


def test_to_df_in_a_function_that_gets_the_session_becomes_a_frame_of_that() -> None:
    head, _, tail = socket_program(f"{SESSION}{ROWS}").partition("sc = SparkContext")
    shown = "def show({0}, rdd):\n    rdd.toDF().createOrReplaceTempView('log')\n\ndef main():\n"
    body, end = f"sc = SparkContext{tail}".split("ssc.start()")
    body += "rows.foreachRDD(lambda rdd: show(spark, rdd))\n"
    for session in ("spark", "session"):
        whole = head + shown.format(session) + textwrap.indent(f"{body}ssc.start(){end}", "    ") + "main()\n"
        assert f"{session}.createDataFrame(rdd).createOrReplaceTempView('log')" in file(whole).new


def test_to_df_of_a_frame_is_no_frame_of_an_rdd() -> None:
    body = "spark.createDataFrame(rdd).groupBy('_1').count().toDF('word', 'n').createOrReplaceTempView('log')"
    new = file(socket_program(f"{SESSION}{ROWS}def show(rdd):\n    {body}\nrows.foreachRDD(show)")).new
    assert ".toDF('word', 'n')" in new


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("", "spark = 1\n    rdd.toDF().createOrReplaceTempView('log')"),
        (SESSION, "rdd.toDF(schema=['k']).createOrReplaceTempView('log')"),
        (SESSION, "sc.parallelize([(1,)]).toDF().createOrReplaceTempView('log')"),
    ],
)
def test_to_df_stays_on_compat_where_the_session_is_not_in_reach(before: str, body: str) -> None:
    whole = f"{before}{ROWS}def show(rdd):\n    {body}\nrows.foreachRDD(show)"
    assert "`toDF` makes a DataFrame of the batch's own session" in blocked(whole)


@pytest.mark.parametrize(
    "body",
    [
        "rdd.toDF().write.parquet('out')",
        "print(rdd.toDF().count(), spark.sql('select 1').collect())",
        "spark.createDataFrame(rdd).createTempView('log')\n    spark.sql('select k from log').show()",
    ],
)
def test_where_that_does_not_matter_it_stays(body: str) -> None:
    whole = f"{SESSION}{ROWS}def show(rdd):\n    {body}\nrows.foreachRDD(show)"
    result = run(socket_program(whole))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons


REFERENCE = (
    "spark.createDataFrame([('a', 1)], ['k', 'n']).createOrReplaceTempView('ref')\n"
    "def show(rdd):\n    if not rdd.isEmpty():\n"
    "        df = spark.createDataFrame(rdd.map(lambda w: (w, 1)), ['k', 'm'])\n"
    "        print(df.count(), spark.table('ref').collect())\n"
)


def test_a_view_that_was_there_at_the_start_is_read_in_the_batch_s_session() -> None:
    new = run(socket_program(f"{SESSION}{REFERENCE}lines.foreachRDD(show)")).files[0].new
    assert "df.sparkSession.table('ref')" in new or "batch.sparkSession.table('ref')" in new


@pytest.mark.parametrize(
    "later",
    [
        "def again():\n    spark.read.json('x').createOrReplaceTempView('ref')\n"
        "threading.Timer(9, again).start()\n",
        "def again(rdd):\n    spark.read.json(rdd).createOrReplaceTempView('ref')\n"
        "lines.map(clean).foreachRDD(again)\n",
        "def again(name):\n    spark.range(1).createOrReplaceTempView(name)\n",
        "def again():\n    spark.udf.register('f', f)\n",
    ],
)
def test_what_changes_while_the_query_runs_is_read_in_the_program_s_session(later: str) -> None:
    new = run(socket_program(f"{SESSION}{REFERENCE}{later}lines.foreachRDD(show)")).files[0].new
    assert "sparkSession.table" not in new and "spark.table('ref')" in new


@pytest.mark.parametrize(
    "handed",
    ["    if again:\n        list(map(add, [False]))\n", "    Timer(0.1, function=add).start()\n"],
)
def test_a_function_that_hands_itself_on_is_not_called_once(handed: str) -> None:
    why = blocked(f"def add(again=True):\n    lines.pprint()\n{handed}add()")
    assert "`add` is called, and used in another way too" in why


@pytest.mark.parametrize(
    "written",
    [
        "clean(word,\n          'a',\n)",
        "clean(\n    word,\n    {'a': (1,\n        )}\n)",
        'clean(word) + \\\n    "it\'s"',
        "(clean(word)\n .strip ()\n [0])",
        "clean(word,  # why\n      f'{word!r}')",
    ],
)
def test_code_of_several_lines_stays_as_it_was_written(written: str) -> None:
    new = run(socket_program(f"lines.map(odd).map(lambda word: {written}).pprint()")).files[0].new
    found = new.partition(".map(lambda word: ")[2].splitlines()[: written.count("\n") + 1]
    assert [row.strip() for row in found] == [row.strip() for row in f"{written})".splitlines()]


HBASE = (
    'conf = {"hbase.zookeeper.quorum": host,'
    ' "mapreduce.outputformat.class": "org.apache.hadoop.hbase.mapreduce.TableOutputFormat"}\n'
)
TO_TABLES = (
    "def save(rdd, conf):\n    for table in rdd.map(lambda x: x[0]).distinct().collect():\n"
    "        conf['hbase.mapred.outputtable'] = table\n"
    "        rdd.saveAsNewAPIHadoopDataset(conf=conf, keyConverter='k')\n"
)


@pytest.mark.parametrize(
    "output",
    [
        "lines.map(clean).foreachRDD(lambda rdd: rdd.saveAsNewAPIHadoopFile("
        '"-", "org.elasticsearch.hadoop.mr.EsOutputFormat"))',
        f"{HBASE}lines.map(clean).foreachRDD(lambda rdd: rdd.saveAsNewAPIHadoopDataset(conf=conf))",
        f"conf = SparkConf()\n{HBASE}{TO_TABLES}lines.map(clean).foreachRDD(lambda rdd: save(rdd, conf))",
        "lines.map(clean).foreachRDD(lambda rdd: rdd.saveAsTextFile(f'out/{uuid.uuid4().hex}'))",
        "lines.map(clean).foreachRDD(lambda rdd: rdd.saveAsTextFile('out/' + str(int(time.time() * 1000))))",
        "def go(rdd):\n    name = datetime.now().strftime('%Y%m%d-%H%M%S')\n"
        "    rdd.saveAsPickleFile(os.path.join('out', name))\nlines.foreachRDD(go)",
        "def go(rdd):\n    rdd.saveAsTextFile('out-{}'.format(time.time()))\nlines.foreachRDD(go)",
        "lines.foreachRDD(lambda rdd: rdd.coalesce(1).saveAsTextFile('./out/%f' % time.time()))",
        "lines.foreachRDD(lambda t, rdd: rdd.saveAsTextFile(f'out/{t}') if not rdd.isEmpty() else None)",
        "lines.foreachRDD(lambda t, rdd: rdd.saveAsTextFile('out/' + str(t).replace(':', '')))",
        "lines.foreachRDD(lambda t, rdd: rdd.saveAsTextFile('out/%s-%d' % (t, t.timestamp() * 1000)))",
        "lines.foreachRDD(lambda t, rdd: rdd.saveAsTextFile(f'out/{t:%Y-%m-%d/%H.%M.%S}'))",
    ],
)
def test_a_batch_is_saved_where_no_other_is(output: str) -> None:
    result = run(socket_program(output))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons


@pytest.mark.parametrize(
    "output",
    [
        "lines.foreachRDD(lambda rdd: rdd.saveAsTextFile('out'))",
        "name = str(time.time())\nlines.foreachRDD(lambda rdd: rdd.saveAsTextFile(name))",
        "lines.foreachRDD(lambda rdd: rdd.saveAsTextFile(datetime.now().strftime('%Y-%m-%d')))",
        "lines.foreachRDD(lambda rdd: rdd.saveAsTextFile(str(datetime.now())[:10]))",
        "lines.foreachRDD(lambda rdd: rdd.saveAsTextFile(datetime.now().strftime('%H%M%S')))",
        "lines.foreachRDD(lambda t, rdd: rdd.saveAsTextFile(str(t.replace(second=0))))",
        "lines.foreachRDD(lambda t, rdd: rdd.saveAsTextFile('out/%d' % (int(t.timestamp()) % 2)))",
        "lines.foreachRDD(lambda t, rdd: rdd.saveAsTextFile('out/{0.year}/{0.hour}'.format(t)))",
        "lines.foreachRDD(lambda t, rdd: rdd.saveAsTextFile('out/{0:%Y}'.format(t)))",
        "lines.foreachRDD(lambda t, rdd: rdd.saveAsTextFile('out/%.3s' % t))",
        "lines.foreachRDD(lambda rdd: rdd.saveAsTextFile(str(datetime.now().hour)))",
        "lines.foreachRDD(lambda rdd: rdd.saveAsTextFile(f'{datetime.now():%Y-%m-%d}'))",
        "lines.foreachRDD(lambda rdd: rdd.saveAsTextFile('{:.3}'.format(time.time())))",
        "lines.foreachRDD(lambda rdd: rdd.saveAsTextFile('%.3e' % time.time()))",
        "lines.foreachRDD(lambda rdd: rdd.saveAsNewAPIHadoopFile('out', FORMAT))",
        f"{HBASE}conf['mapreduce.outputformat.class'] = FORMAT\n"
        "lines.foreachRDD(lambda rdd: rdd.saveAsNewAPIHadoopDataset(conf))",
        f"{HBASE}conf = load()\n{TO_TABLES}lines.foreachRDD(lambda rdd: save(rdd, conf))",
        f"{HBASE}if host:\n    conf = {{}}\n{TO_TABLES}lines.foreachRDD(lambda rdd: save(rdd, conf))",
        f"{HBASE}{TO_TABLES}lines.foreachRDD(lambda rdd: save(rdd, conf))\nadded.append(save)",
        "form = 'org.apache.hadoop.mapred.TextOutputFormat'\n"
        "lines.foreachRDD(lambda rdd: rdd.saveAsHadoopFile('o', form))",
        "lines.foreachRDD(lambda rdd: rdd.saveAsNewAPIHadoopDataset(conf))",
        "ssc.queueStream([sc.parallelize(['a'])]).foreachRDD(lambda rdd: rdd.saveAsTextFile('out'))",
    ],
)
def test_where_a_dstream_writes_over_the_batch_before_a_query_would_fail(output: str) -> None:
    assert "DStream write over" in blocked(output)


FRAME = "if not rdd.isEmpty():\n        "


@pytest.mark.parametrize(
    ("made", "columns"),
    [
        ("rdd.map(lambda w: (w, len(w))).toDF()", ("_1", "_2")),
        ("spark.createDataFrame(rdd.map(lambda w: (w, len(w))))", ("_1", "_2")),
        ("rdd.map(lambda w: Row(word=w, size=len(w))).toDF()", ("word", "size")),
        ("rdd.map(lambda w: Row(word=w, size=len(w))).sortBy(lambda r: r.size).toDF()", None),
    ],
)
def test_columns_without_names_have_those_that_spark_gives(
    made: str, columns: tuple[str, str] | None
) -> None:
    body = f"{SESSION}def go(rdd):\n    {FRAME}{made}.write.json('out')\nlines.foreachRDD(go)"
    new = flat(run(socket_program(body)).files[0].new)
    if columns is None:
        made = (
            made.replace("rdd", "batch.rdd")
            .replace("=w,", '=w["value"],')
            .replace("len(w)", 'len(w["value"])')
        )
        assert flat(made) in new, "what is not proven stays RDD code"
        return
    text, size = columns
    assert flat(f'F.col("value").alias("{text}"), F.length("value").cast("bigint").alias("{size}")') in new


CONTEXT = (
    "def get(sc):\n    if 'i' not in globals():\n        globals()['i'] = SQLContext(sc)\n"
    "    return globals()['i']\n"
)


@pytest.mark.parametrize("member", ["cacheTable('words')", "tableNames()", "dropTempTable('words')"])
def test_an_sql_context_has_what_a_session_lacks(member: str) -> None:
    made = "createDataFrame(rdd.map(lambda w: (w,)), ['word']).createOrReplaceTempView('words')"
    for before, context in (
        (CONTEXT, "get(rdd.context)"),
        ("context = SQLContext(sc)\n", "context"),
    ):
        body = (
            f"{before}def go(rdd):\n    {FRAME}sql = {context}\n        sql.{made}\n"
            f"        sql.sql('select word from words').show()\n        sql.{member}\nlines.foreachRDD(go)"
        )
        result = run(socket_program(body))
        new = result.files[0].new
        assert "sparkSession" not in new, "the callback keeps its own context"


@pytest.mark.parametrize(
    ("change", "read"),
    [
        ("udf.register('plus', lambda n: n + size, 'int')", "sql('select plus(1)').collect()"),
        ("conf.set('my.size', str(size))", "conf.get('my.size')"),
        ("sql('use d%d' % size)", "catalog.currentDatabase()"),
    ],
)
def test_what_a_callback_changes_in_the_session_is_there_for_another_one(change: str, read: str) -> None:
    body = (
        f"spark = SparkSession(sc)\ndef setup(rdd):\n    size = rdd.count()\n    spark.{change}\n"
        f"def show(rdd):\n    print(spark.{read}, rdd.count())\n"
        "lines.foreachRDD(setup)\nlines.foreachRDD(show)"
    )
    new = native_body("from pyspark.sql import SparkSession\n" + body)
    assert "sparkSession" not in new


@pytest.mark.parametrize(
    "function",
    [
        "def send(rows):\n    out = connect()\n    for row in rows:\n        out.put(row)\n    out.end()\n",
        "def send(rows):\n    [save(row) for row in rows]\n",
        "def send(rows):\n    print('partition:', rows)\n    for row in rows:\n        save(row)\n",
        "def each(rows):\n    for row in rows:\n        save(row)\ndef send(rows):\n    each(rows)\n",
        "def send(rows):\n    for row in rows:\n        for known in stocks:\n            if row == known:\n"
        "                save(row)\n                break\n",
    ],
)
def test_for_each_partition_may_go_through_the_elements(function: str) -> None:
    result = run(socket_program(f"{function}lines.foreachRDD(lambda rdd: rdd.foreachPartition(send))"))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons


@pytest.mark.parametrize(
    "function",
    [
        "def send(rows):\n    first = next(rows)\n    save(first)\n",
        "def send(rows):\n    save(len(list(rows)))\n",
        "def send(rows):\n    rows = list(rows)\n    save(rows)\n",
        "from sinks import send\n",
        "def send(*rows):\n    pass\n",
    ],
)
def test_a_partition_without_elements_may_be_there_on_one_side_only(function: str) -> None:
    why = blocked(f"{function}lines.foreachRDD(lambda rdd: rdd.foreachPartition(send))")
    assert "more with its iterator than to go through it" in why


@pytest.mark.parametrize(
    "function",
    [
        "def send(rows):\n    n = 0\n    for row in rows:\n        n += 1\n    save(n)\n",
        "def send(rows):\n    found = []\n    for row in rows:\n        found.append(row)\n    save(found)\n",
        "def send(rows):\n    n = 0\n    for row in rows:\n        n += 1\n        save(n, row)\n",
        "def send(rows):\n    found = {}\n    for row in rows:\n        found[row] = 1\n    save(found)\n",
        "def send(rows):\n    last = None\n    for row in rows:\n        last = row\n    save(last)\n",
        "def send(rows):\n    found = [row for row in rows]\n    save(found)\n",
        "def send(rows):\n    for row in rows:\n        print(row)\n        break\n",
        "def send(rows):\n    for row in rows:\n        for known in row:\n            save(known)\n"
        "        else:\n            break\n",
        "def send(rows):\n    for row in rows:\n        save(row)\n    print(row)\n",
        "def send(rows):\n    n: int = 0\n    for row in rows:\n        n += 1\n    save(n)\n",
        "def send(rows):\n    a, n = 0, -1\n    for row in rows:\n        n += 1\n    save(n)\n",
        "def send(rows):\n    global n\n    for row in rows:\n        n += 1\n        save(n)\n",
        "def send(rows, seen=[]):\n    for row in rows:\n        seen.append(row)\n    save(seen)\n",
        "import collections\ndef send(rows):\n    found = collections.Counter()\n    for row in rows:\n"
        "        found.update(row)\n    save(found)\n",
        "import itertools\ndef send(rows):\n    ids = itertools.count()\n    for row in rows:\n"
        "        save(next(ids), row)\n",
        "def send(rows):\n    found = []\n    add = found.append\n    for row in rows:\n        add(row)\n"
        "    save(found)\n",
        "seen = {}\ndef send(rows):\n    for row in rows:\n        seen[row] = 1\n        save(len(seen))\n",
        "class Buffer:\n    def add(self, row):\n        self.rows.append(row)\n"
        "def send(rows):\n    b = Buffer()\n    for row in rows:\n        b.add(row)\n    b.flush()\n",
    ],
)
def test_what_is_kept_from_element_to_element_shows_the_partitions(function: str) -> None:
    why = blocked(f"{function}lines.foreachRDD(lambda rdd: rdd.foreachPartition(send))")
    assert "keeps something from element to element" in why


def test_partitions_without_elements_are_there_in_every_interval() -> None:
    body = (
        "seen = []\ndef go(rdd):\n    seen.append(1)\n    {}rdd.foreachPartition(send)\nlines.foreachRDD(go)"
    )
    loop = "    for row in rows:\n        save(row)\n"
    function, only_loops = f"def send(rows):\n    out = connect()\n{loop}", f"def send(rows):\n{loop}"
    assert "a partition without elements" in blocked(f"{function}{body.format('')}")
    guarded = body.format("if not rdd.isEmpty():\n        ")
    assert ".transform(every_interval)" in file(socket_program(function + guarded)).new
    assert ".transform(every_interval)" in file(socket_program(only_loops + body.format(""))).new


SEND = """\
import kafka
seen = []
def send(rows):
    {before}
    for row in rows:
        producer.send("words", row)
    {after}
def go(rdd):
    seen.append(1)
    rdd.foreachPartition(send)
lines.foreachRDD(go)
"""


@pytest.mark.parametrize(
    ("before", "after", "is_idle"),
    [
        ("producer = kafka.KafkaProducer()", "producer.flush()", True),
        ("producer = kafka.KafkaProducer()\n    count = 0", "pass", True),
        ("producer = kafka.KafkaProducer()\n    print('open')", "print('sent')", True),
        ("producer = kafka.KafkaProducer(hosts[0])", "producer.flush()", False),
        ("producer = kafka.KafkaProducer()", "producer.send('ends', b'')", False),
        ("producer = kafka.KafkaProducer()\n    producer.linger = 5", "producer.flush()", True),
        ("producer = kafka.KafkaProducer()", "settings.last = 0", False),
        ("producer = kafka.KafkaProducer()\n    count = 1 / len(rows)", "pass", False),
        ("producer = kafka.KafkaProducer()", "if not seen:\n        raise ValueError", False),
    ],
)
def test_a_client_may_be_opened_for_a_partition_without_elements(
    before: str, after: str, is_idle: bool
) -> None:
    (graph,) = run(socket_program(SEND.format(before=before, after=after))).graphs
    assert (graph.outcome is Outcome.NATIVE) is is_idle, graph.reasons


OPENS = "    out = kafka.KafkaProducer()\n"
LOOP = "    for row in rows:\n        out.send('words', row)\n"
AROUND = """\
    try:
        for row in rows:
            out.send('words', row)
    except Exception as error:
        {}
"""
EACH = f"def each(rows):\n{OPENS}{LOOP}"


@pytest.mark.parametrize(
    ("function", "is_idle"),
    [
        (f"def send(rows, topic='words'):\n{OPENS}{LOOP}", True),
        (f"import io\ndef send(rows):\n    out = io.open('words', 'a')\n{LOOP}", False),
        (f"{EACH}def send(rows):\n    each(rows)\n", True),
        (f"{EACH}    1 / kept\ndef send(rows):\n    each(rows)\n", False),
        (f"{EACH}    first = settings[0]\ndef send(rows):\n    each(rows)\n", False),
        (f"def send(rows):\n{OPENS}{AROUND.format('pass')}", True),
        (f"def send(rows):\n{OPENS}{AROUND.format('print(error)')}    else:\n        out.close()\n", True),
        (f"def send(rows):\n{OPENS}{AROUND.format('raise')}", False),
    ],
)
def test_functions_that_do_nothing_without_elements(function: str, is_idle: bool) -> None:
    for given in "send", "lambda some: send(some)":
        body = f"def go(rdd):\n    seen.append(1)\n    rdd.foreachPartition({given})\nlines.foreachRDD(go)\n"
        (graph,) = run(socket_program(f"import kafka\nseen = []\n{function}{body}")).graphs
        assert (graph.outcome is Outcome.NATIVE) is is_idle, graph.reasons


DERIVED = {
    "a function": "    total(rdd.map(len))\n",
    "a function of two": "    total(known.union(rdd))\n",
    "a function that nobody knows": "    lib.total(rdd.map(len))\n",
    "a list": "    made = [rdd.map(len)]\n    print(made[0].glom().collect())\n",
    "two names": "    made, other = rdd.map(len), 1\n    print(made.glom().collect())\n",
    "a choice": "    made = rdd.map(len) if known else rdd\n    print(made.glom().collect())\n",
    "an attribute": "    lib.made = rdd.map(len)\n    print(lib.made.glom().collect())\n",
    "an expression's name": "    print((made := rdd.map(len)).glom().collect())\n",
    "other RDDs": "    print(known.union(rdd).glom().collect())\n",
    "a variable of other RDDs": "    made = known.join(rdd)\n    print(made.glom().collect())\n",
    "a result": "    print(lengths(rdd).glom().collect())\n",
    "a function inside": "    def made():\n        return rdd.map(len)\n    print(made().glom().collect())\n",
    "a keyword": "    print(known.union(other=rdd).glom().collect())\n",
    "a class": "    class Made:\n        rows = rdd\n    print(Made.rows.glom().collect())\n",
    "a DataFrame's": "    print(rdd.map(lambda w: (w,)).toDF(['w']).rdd.glom().collect())\n",
    "a global": "    global made\n    made = rdd.map(len)\n    print(made.count())\n",
}


@pytest.mark.parametrize("body", DERIVED.values(), ids=DERIVED)
def test_an_rdd_that_is_made_of_the_batchs_is_followed_too(body: str) -> None:
    head = (
        "import lib\nknown = sc.parallelize([1])\nmade = None\n"
        "def total(given):\n    print(given.zipWithIndex().collect())\n"
        "def lengths(given):\n    return given.map(len)\n"
    )
    why = blocked(f"{head}def show(rdd):\n{body}lines.foreachRDD(show)")
    assert "partitions" in why or "not followed" in why


def test_a_guard_on_an_rdd_that_has_more_than_the_batch_says_nothing() -> None:
    body = (
        "known = sc.parallelize(['a'])\nseen = []\n"
        "def keep(rdd):\n    if not rdd.isEmpty():\n        seen.append(1)\n"
    )
    new = file(socket_program(f"{body}lines.foreachRDD(lambda rdd: keep(rdd.union(known)))")).new
    assert ".transform(every_interval)" in new
    new = file(socket_program(f"{body}lines.foreachRDD(lambda rdd: keep(rdd.filter(len)))")).new
    assert "every_interval" not in new


CATCHING = "    try:\n        print(rdd.collect())\n    except Exception:\n        {}\n"


@pytest.mark.parametrize(
    ("body", "operator", "tier"),
    [
        ("from out import send\ndef show(rdd):\n" + CATCHING.format("send(1)"), "map", Tier.PYTHON),
        ("def show(rdd):\n" + CATCHING.format("raise"), "map", Tier.COLUMN),
        ("def show(rdd):\n    print(rdd.collect())\n", "map", Tier.COLUMN),
        (
            "from out import send\ndef inner(rdd):\n"
            + CATCHING.format("send(1)")
            + "def show(rdd):\n    inner(rdd)\n",
            "map",
            Tier.RDD,
        ),
        ("from out import send\ndef show(rdd):\n" + CATCHING.format("send(1)"), "flatMap", Tier.COLUMN),
    ],
)
def test_columns_that_may_raise_are_python_where_a_callback_catches_it(
    body: str, operator: str, tier: Tier
) -> None:
    """A query that fails is seen; a batch that an `except` takes is not."""
    chain = (
        "words = lines.flatMap(lambda line: line.split(' ')).map(lambda w: int(w))\nwords.foreachRDD(show)"
    )
    result = run(socket_program(body + chain))
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert {site.tier for site in result.sites if site.operator == operator} == {tier}
    assert ('cast("bigint")' in result.files[0].new) is ("except" not in body or "raise" in body)


def test_a_callback_that_catches_exceptions_stays_rdd_code_if_its_columns_may_raise() -> None:
    rows = "rows = rdd.map(lambda w: Row(word=int(w)))\n"
    shown = "    try:\n        spark.createDataFrame(rows).show()\n    except Exception:\n        send(1)\n"
    body = f"from out import send\n{SESSION}def show(rdd):\n    {rows}{shown}"
    new = file(socket_program(body + "lines.foreachRDD(show)")).new
    assert 'rows = batch.rdd.map(lambda w: Row(word=int(w["value"])))\n' in new
    assert "cast(" not in new


@pytest.mark.parametrize("read", ["take(3)", "first()", "isEmpty()", "foreach(print)", "toDF()"])
def test_so_does_one_that_reads_some_elements_before_others_fail(read: str) -> None:
    shown = f"    try:\n        print(rdd.{read})\n        rdd.collect()\n    except:\n        send(1)\n"
    result = run(
        socket_program(
            f"from out import send\ndef show(rdd):\n{shown}lines.map(lambda w: int(w)).foreachRDD(show)"
        )
    )
    assert {site.tier for site in result.sites if site.operator == "map"} == {Tier.RDD}


@pytest.mark.parametrize(
    "counted", ["frame.count()", "frame.isEmpty()", "spark.sql('SELECT COUNT(*) FROM t')"]
)
def test_rdd_code_makes_the_rows_that_are_counted_where_a_callback_catches_exceptions(counted: str) -> None:
    body = (
        "def show(rdd):\n    try:\n        frame = spark.createDataFrame(rdd, ['a', 'b'])\n"
        f"        frame.createOrReplaceTempView('t')\n        print({counted})\n"
        "    except Exception:\n        pass\n"
        "lines.map(lambda w: (w, float(w) ** 3)).foreachRDD(show)"
    )
    assert "spark.createDataFrame(" in file(socket_program(SESSION + body)).new


def test_a_running_sum_that_may_raise_is_computed_before_a_callback_catches_it() -> None:
    fold = "map(lambda w: (w, int(w))).updateStateByKey(lambda new, last: sum(new) + (last or 0))"
    body = "def show(rdd):\n" + CATCHING.format("pass") + f"totals = lines.{fold}\ntotals.foreachRDD(show)"
    result = run(socket_program(body))
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert "the state is computed before the callback is called" in " ".join(graph.notes)
    new = str(result.files[0].new)
    assert new.index(".localCheckpoint()") < new.index("    show(totals")
    assert 'cast("bigint")' in new


@pytest.mark.parametrize(
    ("function", "tier"),
    [
        ("    with contextlib.suppress(Exception):\n        print(rdd.collect())\n", Tier.PYTHON),
        ("    with open('log', 'a') as log:\n        log.write(str(rdd.collect()))\n", Tier.COLUMN),
    ],
)
def test_a_with_may_catch_exceptions_too(function: str, tier: Tier) -> None:
    body = f"import contextlib\ndef show(rdd):\n{function}lines.map(lambda s: 9 // len(s)).foreachRDD(show)"
    (site,) = [site for site in run(socket_program(body)).sites if site.operator == "map"]
    assert site.tier is tier


def test_an_rdd_that_is_there_for_certain() -> None:
    save = "def save(rdd):\n    if rdd is not None and not rdd.isEmpty():\n        print(rdd.take(3))\n\n"
    new = file(socket_program(save + "lines.foreachRDD(save)")).new
    assert "if batch is not None and not batch.isEmpty():" in new


SAVE = (
    "def save(rdd, path, columns, mode):\n"
    "    if not rdd.isEmpty():\n"
    "        rdd.toDF(columns).write.save(path, mode=mode)\n"
)
COUNTS = "counts = pairs.reduceByKey(lambda a, b: a + b)\n"


@pytest.mark.parametrize(
    "call",
    [
        'save(rdd, "out", ["word", "n"], mode="append")',
        'save(path="out", rdd=rdd, columns=["w", "n"], mode="x")',
    ],
)
def test_an_rdd_is_handed_on_by_keyword_and_beside_keywords(call: str) -> None:
    new = file(socket_program(f"{SAVE}{PAIRS}{COUNTS}counts.foreachRDD(lambda rdd: {call})")).new
    assert "def save(df, path, columns, mode):\n    if not df.isEmpty():" in new
    assert "df.toDF(*columns).write.save(path, mode=mode)" in new
    assert call.replace("rdd=rdd", "rdd=counts").replace("(rdd", "(counts") in new


def test_but_not_with_arguments_that_are_spread() -> None:
    why = blocked(f"{SAVE}{PAIRS}counts = pairs.map(str)\ncounts.foreachRDD(lambda rdd: save(rdd, *given))")
    assert "the RDD is handed to `save`, which is not followed" in why


def test_the_names_of_columns_are_an_argument_that_is_a_constant_list() -> None:
    call = 'counts.foreachRDD(lambda rdd: save(rdd, "out", {}, "append"))'
    constant = f"{SAVE}{PAIRS}{COUNTS}names = ['word', 'n']\n{call.format('names')}"
    assert "df.toDF(*columns)" in file(socket_program(constant)).new
    changed = f"{SAVE}{PAIRS}{COUNTS}names = ['word', 'n']\nnames.append('x')\n{call.format('names')}"
    assert "rdd.toDF(columns)" in file(socket_program(changed)).new
    typed = "StructType([StructField('w', StringType()), StructField('n', LongType())])"
    types = "from pyspark.sql.types import LongType, StringType, StructField, StructType\n"
    assert (
        "rdd.toDF(columns)" in file(socket_program(f"{types}{SAVE}{PAIRS}{COUNTS}{call.format(typed)}")).new
    )


def test_a_function_of_several_outputs_takes_the_dataframes_of_all() -> None:
    outputs = (
        'lines.countByValue().foreachRDD(lambda rdd: save(rdd, "a", ["x", "n"], "append"))\n'
        'counts.foreachRDD(lambda rdd: save(rdd, "b", ["y", "n"], "overwrite"))'
    )
    new = file(socket_program(f"{SAVE}{PAIRS}{COUNTS}{outputs}")).new
    assert "def save(df, path, columns, mode):" in new and ".rdd" not in new
    named = file(
        socket_program(
            f"def show(rdd):\n    print(rdd.collect())\n{PAIRS}pairs.foreachRDD(show)\npairs.foreachRDD(show)"
        )
    ).new
    assert "def show(df):\n    print([tuple(row) for row in df.collect()])" in named


@pytest.mark.parametrize(
    "other",
    [
        'lines.map(lambda t: {"a": t}).foreachRDD(lambda rdd: save(rdd, "b", ["y", "n"], "append"))',
        'lines.foreachRDD(lambda rdd: save(rdd.map(lambda t: (t, 1)), "b", ["y", "n"], "append"))',
        'lines.foreachRDD(lambda rdd: save(rdd, "b", ["y", "n"], "append"))',
    ],
    ids=["RDD code", "another RDD", "one column"],
)
def test_or_it_takes_the_rdds_of_all(other: str) -> None:
    first = 'pairs.foreachRDD(lambda rdd: save(rdd, "a", ["x", "n"], "append"))\n'
    new = file(socket_program(f"{SAVE}{PAIRS}{first}{other}")).new
    assert "def save(rdd, path, columns, mode):" in new
    assert "rdd.toDF(columns)" in new and ".rdd" in new


def test_a_count_beside_a_callback_leaves_out_a_batch_without_rows_by_itself() -> None:
    """DStream counts partitions, and a batch without input has none; the callback runs all the same."""
    body = native_body("lines.foreachRDD(lambda rdd: print(rdd.collect()))\nlines.count().pprint()")
    assert "if not batch.isEmpty():  # else DStreams gave no count\n    print(batch.count())\n" in body
    assert "return" not in body
    # of which nothing is left, a batch with input has a count of 0
    kept = "lines.filter(lambda line: line).count().pprint()"
    body = native_body(f"lines.foreachRDD(lambda rdd: print(rdd.collect()))\n{kept}")
    assert "if not batch.isEmpty():  # else DStreams gave no count\n    print(batch.where(" in body
    assert "return" not in body


ASKS = {
    "a test": ("    if not rdd.isEmpty():\n        save(rdd.collect())\n", True),
    "an early return": ("    if rdd.isEmpty():\n        return\n    save(rdd.collect())\n", True),
    "a test of a list": ("    rows = rdd.collect()\n    if len(rows) > 0:\n        save(rows)\n", True),
    "a test in a try": (
        "    try:\n        if rdd.count() > 0:\n            save(rdd.collect())\n"
        "    except Exception as e:\n        print(e)\n",
        True,
    ),
    "a print before": ("    print('batch')\n    if not rdd.isEmpty():\n        save(rdd.collect())\n", False),
    "a print behind": ("    if not rdd.isEmpty():\n        save(rdd.collect())\n    print('batch')\n", False),
    "another branch": (
        "    if not rdd.isEmpty():\n        save(rdd.collect())\n    else:\n        save([])\n",
        False,
    ),
    "a test of more": ("    if ready() and not rdd.isEmpty():\n        save(rdd.collect())\n", False),
    "at the end": (
        "    try:\n        if not rdd.isEmpty():\n            save(rdd.collect())\n"
        "    finally:\n        save('end')\n",
        False,
    ),
    "a variable of the module": (
        "    global last\n    last = rdd.collect()\n    if last:\n        save(last)\n",
        False,
    ),
}


@pytest.mark.parametrize(("body", "only_asks"), ASKS.values(), ids=ASKS)
def test_a_callback_that_only_asks_for_elements_is_left_out_with_the_count(
    body: str, *, only_asks: bool
) -> None:
    program = (
        f"last = []\ndef go(rdd):\n{body}\n"
        "lines.filter(lambda line: line).count().pprint()\nlines.foreachRDD(go)"
    )
    if only_asks:
        assert "if batch.isEmpty():  # DStreams gave no count then\n    return\n" in native_body(program)
    else:
        assert (
            "if not batch.isEmpty():  # else DStreams gave no count\n    print(batch.where("
            in native_body(program)
        )


@pytest.mark.parametrize(
    ("client", "is_frame"),
    [
        ("from happybase import Connection\nclient = Connection('host')\n", True),
        ("import happybase\nclient = happybase.Connection('host')\n", True),
        ("import own\nclient = own.SparkWrapper()\n", False),
        ("import own\nclient = own.connect()\n", False),
    ],
)
def test_a_client_of_another_package_is_no_session(client: str, is_frame: bool) -> None:
    """Its `table` is none of Spark's, which would look for the batch's views in another session."""
    body = (
        f"{client}{SESSION}rows = lines.map(lambda p: Row(k=p))\ndef save(rdd):\n"
        "    if rdd.isEmpty():\n        return\n"
        "    rdd.toDF().createOrReplaceTempView('log')\n"
        "    client.table('counts').put(spark.sql('select k from log').collect())\n"
        "rows.foreachRDD(save)\n"
    )
    assert (".rdd" in file(socket_program(body)).new) != is_frame


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (
            "pairs = rdd.map(lambda c: (c, 1))\n    print(sorted(pairs.{sum}.collect()))",
            '.groupBy("value").count()',
        ),
        (
            "pairs = rdd.map(lambda c: (c, 1)).filter(lambda p: p[0])\n    counts = pairs.{sum}\n"
            "    print(sorted(counts.collect()))",
            '.groupBy("value").count()',
        ),
    ],
)
def test_a_sum_of_ints_by_key_of_a_variable_needs_no_order(body: str, code: str) -> None:
    body = body.format(sum="reduceByKey(lambda a, b: a + b)")
    new = file(socket_program(f"def show(rdd):\n    {body}\nlines.foreachRDD(show)")).new
    assert code in new
    assert ".rdd" not in new


def test_a_variable_with_several_values_is_not_followed() -> None:
    body = (
        "pairs = rdd.map(lambda c: (c, 1))\n    if rdd.count():\n        pairs = rdd.map(lambda c: (c, c))\n"
        "    print(pairs.reduceByKey(lambda a, b: a + b).collect())"
    )
    assert "order" in blocked(f"def show(rdd):\n    {body}\nlines.foreachRDD(show)")


SHOWN = "def show(rdd):\n    print(rdd.count())\n"
IMPORTED = "from shown import show\n"


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (
            {
                "shown.py": SHOWN + "\ndef other():\n    pass\n",
                "job.py": IMPORTED + socket_program("lines.map(len).foreachRDD(show)"),
                "more.py": "from shown import other\n",
            },
            "`show` is defined in shown.py: it is changed to take a DataFrame only where no other",
        ),
        (
            {
                "job.py": SHOWN + socket_program("lines.map(len).foreachRDD(show)"),
                "test_job.py": "from job import show\n",
            },
            "`show` is used by test_job.py too, which gives it an RDD",
        ),
    ],
    ids=["of another file", "of its tests"],
)
def test_the_reason_names_the_file_for_which_a_callback_stays(files: dict[str, str], reason: str) -> None:
    result = migrate([module(text, path) for path, text in files.items()], Options())
    told = [site.reason for site in result.sites if site.operator == "foreachRDD"]
    assert any(reason in one for one in told), told


@pytest.mark.parametrize(
    ("stream", "loop", "new"),
    [
        (
            "lines",
            "for x in rdd.toLocalIterator():\n        print(x)",
            "for (x,) in batch.toLocalIterator():",
        ),
        ("lines", "print(max(rdd.toLocalIterator()))", '(row["value"] for row in batch.toLocalIterator())'),
        (
            "counts",
            "print([x for x in rdd.toLocalIterator()])",
            "[tuple(x) for x in counts.toLocalIterator()]",
        ),
        ("counts", "print(max(rdd.toLocalIterator()))", "max(map(tuple, counts.toLocalIterator()))"),
        (
            "counts",
            "print([x[0] for x in rdd.toLocalIterator() if x[1]])",
            "[x[0] for x in map(tuple, counts.toLocalIterator()) if x[1]]",
        ),
    ],
)
def test_elements_come_to_the_driver_one_by_one(stream: str, loop: str, new: str) -> None:
    counts = "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
    text = file(socket_program(f"{counts}def show(rdd):\n    {loop}\n{stream}.foreachRDD(show)")).new
    assert new in text
    assert ".rdd" not in text


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("lambda p: p[0] != ''", 'batch.where(F.col("value") != "").groupBy("value").count()'),
        ("lambda p: len(p[0]) > 3", 'batch.where(F.length("value") > 3).groupBy("value").count()'),
        ("lambda p: p[1] > 0 and p[0] == 'a'", None),
    ],
)
def test_a_condition_on_keys_leaves_pairs_to_be_counted(condition: str, code: str | None) -> None:
    body = f"lines.map(lambda w: (w, 1)).filter({condition}).reduceByKey(lambda a, b: a + b).pprint()"
    new = file(socket_program(body)).new
    assert "F.lit(1)" not in new
    assert code is None or flat(code) in flat(new)


MAKER = """\
def saver(path, more=0):
    \"\"\"A callback.\"\"\"
    def save({parameters}):
        for row in rdd.collect():
            print(path, row)
    return save
"""


def test_a_function_that_another_makes_runs_on_the_batchs_rdd() -> None:
    use = "handler = saver(title)\nlines.foreachRDD(handler)"
    result = run(socket_program(f"title = 'words'\n{MAKER.format(parameters='rdd')}{use}"))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    assert "    handler(batch.rdd.map(lambda row: row[0]))\n" in result.files[0].new


@pytest.mark.parametrize(
    "body",
    [
        MAKER.format(parameters="rdd") + "lines.foreachRDD(saver('out'))",
        MAKER.format(parameters="rdd").replace("    def", "    seen = []\n    def", 1)
        + "handler = saver('out')\nlines.foreachRDD(handler)",
        MAKER.format(parameters="rdd").replace("    def", "    @wraps(path)\n    def", 1)
        + "handler = saver('out')\nlines.foreachRDD(handler)",
        MAKER.format(parameters="rdd")
        + "handler = saver('out')\nhandler = saver('b')\nlines.foreachRDD(handler)",
    ],
    ids=["one without a name", "a state", "a decorator", "two of them"],
)
def test_others_that_functions_make_stay(body: str) -> None:
    assert "is not a function of files that were read" in blocked(body)


def test_the_number_of_elements_that_are_taken_may_be_of_the_rdd() -> None:
    body = "def show(rdd):\n    for line in rdd.take(rdd.count() // 2):\n        print(line)\n"
    new = str(run(socket_program(f"{body}lines.foreachRDD(show)")).files[0].new)
    assert "batch.take(batch.count() // 2)" in new
    assert "rdd" not in new


def test_parameters_of_inner_functions_may_have_the_name_of_the_rdd() -> None:
    for made in (
        "rdd.map(lambda rdd: rdd + 'x')",
        "rdd.filter(lambda rdd: rdd.endswith('s'))",
        "rdd.map(lambda x: (x, 1)).reduceByKey(lambda rdd, x: rdd + x)",
    ):
        new = file(socket_program(f"lines.foreachRDD(lambda rdd: print(sorted({made}.collect())))")).new
        assert ".rdd" not in new and "foreachBatch" in new


def test_so_may_variables_of_comprehensions() -> None:
    new = file(socket_program("lines.foreachRDD(lambda x: print([x.upper() for x in x.take(2)]))")).new
    assert "print([x.upper() for (x,) in batch.take(2)])" in new


def test_but_the_rdd_itself_is_no_element() -> None:
    why = blocked("lines.foreachRDD(lambda rdd: rdd.foreach(lambda x: print(x, rdd)))")
    assert "the RDD is handed to `print`" in why


def test_a_function_that_is_handed_the_rdd_may_give_its_name_to_a_list() -> None:
    go = "def go(x):\n    x = x.take(3)\n    if x:\n        print(x[0], x)\n"
    new = file(socket_program(f"{go}lines.foreachRDD(lambda rdd: go(rdd))")).new
    assert '    x = [row["value"] for row in batch.take(3)]\n    if x:\n        print(x[0], x)\n' in new


def test_to_df_in_the_session_of_the_program_is_of_the_batch() -> None:
    body = (
        "from out import send\ndef show(rdd):\n    try:\n"
        "        frame = rdd.map(lambda w: (int(w[0]), w[1])).toDF(['a', 'b'])\n"
        "        frame.createOrReplaceTempView('t')\n        spark.sql('SELECT COUNT(*) FROM t').show()\n"
        "    except Exception:\n        send(1)\n"
        "lines.map(lambda line: line.split(',')).foreachRDD(show)"
    )
    new = file(socket_program(SESSION + body)).new
    assert 'spark.createDataFrame(rdd.map(lambda w: (int(w[0]), w[1])), ["a", "b"])' in new.replace("'", '"')


@pytest.mark.parametrize("given", ["data=rdd, schema=['line', 'n']", "schema=['line', 'n'], data=rdd"])
def test_the_data_of_a_dataframe_may_be_named(given: str) -> None:
    body = (
        f"def show(rdd):\n    if not rdd.isEmpty():\n        spark.createDataFrame({given}).show()\n"
        "lines.map(lambda line: (line, len(line))).foreachRDD(show)"
    )
    new = file(socket_program(SESSION + body)).new
    assert ".rdd" not in new and "createDataFrame" not in new


@pytest.mark.parametrize(
    "cut",
    [
        pytest.param("zipWithIndex().filter(lambda x: x[1] < 3)", id="not sorted"),
        pytest.param("sortByKey().zipWithUniqueId().filter(lambda x: x[1] < 3)", id="another number"),
        pytest.param("sortByKey().coalesce(1).zipWithIndex().filter(lambda x: x[1] < 3)", id="moved"),
    ],
)
def test_numbers_of_an_order_that_is_not_known(cut: str) -> None:
    assert "may depend on the partitions" in blocked(
        f"lines.map(lambda x: (x, 1)).transform(lambda rdd: rdd.{cut}).map(lambda x: x[0]).pprint()"
    )


@pytest.mark.parametrize(
    ("cut", "read"),
    [
        pytest.param("x[1] < 3", "x", id="the number is read"),
        pytest.param("x[1] == 1", "x[0]", id="one in the middle"),
        pytest.param("x[0] < 3", "x[0]", id="no number"),
    ],
)
def test_numbers_that_are_no_limit_stay_rdd_code(cut: str, read: str) -> None:
    new = file(
        socket_program(
            f"lines.transform(lambda rdd: rdd.sortBy(len).zipWithIndex().filter(lambda x: {cut}))"
            f".map(lambda x: {read}).pprint()"
        )
    ).new
    assert ".zipWithIndex()" in new and "limit(" not in new


def test_numbers_of_a_sort_in_a_callback_are_a_limit() -> None:
    new = file(
        socket_program(
            "lines.foreachRDD(lambda rdd: print(rdd.sortBy(lambda x: x).zipWithIndex()"
            ".filter(lambda x: 2 >= x[1]).map(lambda x: x[0]).collect()))"
        )
    ).new
    assert 'batch.orderBy("value").limit(3).collect()' in new


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("for line in rdd:\n        print(line)", "an RDD cannot be iterated over"),
        ("print([line for line in rdd])", "an RDD cannot be iterated over"),
        (
            "print(rdd.sortBy(len)[0:10])",
            "an RDD has no items, as `rdd.sortBy(len)[0:10]` asks for",
        ),
        ("print(len(rdd.distinct()))", "`len` takes no RDD"),
    ],
)
def test_a_callback_fails_as_it_is(code: str, why: str) -> None:
    body = f"def go(rdd):\n    {code}\nlines.foreachRDD(go)"
    assert f"{why}: the program fails there as it is" in blocked(body)


def test_it_may_go_on_after_it() -> None:
    body = "def go(rdd):\n    try:\n        print(len(rdd))\n    except TypeError:\n        pass\n"
    assert "fails there as it is" not in blocked(f"{body}lines.foreachRDD(go)")


@pytest.mark.parametrize("code", ["'{} of {}'.format(rdd, 1)", "'{0!r:>20}'.format(rdd)"])
def test_an_rdd_may_be_shown_by_a_format(code: str) -> None:
    assert (
        f"    print({code.replace('rdd', 'batch')})\n"
        in file(
            socket_program(f"def go(rdd):\n    print({code})\n    print(rdd.count())\nlines.foreachRDD(go)")
        ).new
    )


@pytest.mark.parametrize("code", ["print('{0.name}'.format(rdd))", "send('{}'.format(rdd))"])
def test_its_parts_may_not(code: str) -> None:
    assert "which is not followed" in blocked(f"def go(rdd):\n    {code}\nlines.foreachRDD(go)")


def test_the_place_in_which_an_rdd_is_kept_is_named() -> None:
    body = (
        "class Kept:\n    rdd = None\n\n    def add(self, rdd):\n"
        "        self.rdd = rdd.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
        "        print(self.rdd.count())\n\nkept = Kept()\nlines.foreachRDD(lambda rdd: kept.add(rdd))"
    )
    assert "the RDD is kept in `self.rdd`, and what becomes of it there is not followed" in blocked(body)
