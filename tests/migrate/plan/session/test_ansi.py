"""What new code leaves to Spark's ANSI mode, and what it guards where it cannot."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.migration import migrate
from migrate.model import Options, Outcome, Tier
from migrate.plan.settings.ansi_notes import CAUGHT, OWN_COLUMNS
from tests.migrate.programs import flat, kafka_program, module, native_body, run, socket_program

SPARK_3, SPARK_4 = (Options(spark=SparkVersion(version)) for version in ("3.5.9", "4.0.1"))
STRICT = Options(spark=SPARK_4.spark, strict=True)
SETTING = "spark.sql.ansi.enabled"
SIZES = "lines.map(lambda line: int(line.split(',')[2])).pprint()"
OWN_SQL = "lines.foreachRDD(lambda rdd: spark.sql('select 1 / n from t').show())\n"


def notes(body: str, options: Options) -> list[str]:
    (graph,) = run(socket_program(body), options).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    return [note for note in graph.notes if note.startswith(("the query fails at", "what made"))]


def test_on_spark_4_nothing_is_guarded_and_ansi_mode_is_on() -> None:
    (file,) = run(socket_program(SIZES), SPARK_4).files
    assert 'F.split("value", ",")[2].cast("bigint")' in file.new
    assert "# off on some clusters; bad input must raise\nspark = SparkSession.builder" in file.new
    assert f'.config("{SETTING}", "true")' in file.new
    assert "def " not in file.new.replace("def process_batch", "")


def test_ansi_mode_is_set_only_where_something_relies_on_it() -> None:
    words = "lines.map(lambda line: line.split(',')[2]).countByValue().pprint()"
    (file,) = run(socket_program(words), SPARK_4).files
    assert 'F.split("value", ",")[2]' in file.new
    assert SETTING not in file.new


def test_a_session_of_the_programs_own_is_set() -> None:
    source = socket_program(SIZES).replace(
        'sc = SparkContext(appName="Test")',
        "from pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\n"
        "sc = spark.sparkContext",
    )
    (file,) = run(source, SPARK_4).files
    assert (
        f'\nspark.conf.set("{SETTING}", "true")  # off on some clusters; bad input must raise\n' in file.new
    )


GUARDED = 'required(F.split("value", ",")[2].cast("bigint"), "not a number")'


@pytest.mark.parametrize("value", ['"false"', "False", "os.environ['ANSI']"])
def test_a_program_that_may_switch_ansi_mode_off_gets_the_shortest_guards(value: str) -> None:
    source = socket_program(SIZES).replace(
        'sc = SparkContext(appName="Test")',
        "import os\nfrom pyspark import SparkConf\n"
        f'conf = SparkConf().set("{SETTING}", {value})\nsc = SparkContext(conf=conf)',
    )
    (file,) = run(source, SPARK_4).files
    assert flat(GUARDED) in flat(file.new)
    assert file.new.count(SETTING) == 1


def test_a_program_that_has_ansi_mode_on_is_left_so() -> None:
    source = socket_program(SIZES).replace(
        'sc = SparkContext(appName="Test")',
        f'from pyspark import SparkConf\nconf = SparkConf().set("{SETTING}", "true")\n'
        "sc = SparkContext(conf=conf)",
    )
    (file,) = run(source, SPARK_4).files
    assert "required" not in file.new
    assert file.new.count(SETTING) == 1


@pytest.mark.parametrize(
    "own",
    [
        OWN_SQL,
        "def show(frame):\n    frame.select(frame.a.cast('int')).show()\n",
        "def show(frame):\n    frame.selectExpr('a / b').show()\n",
        "def show():\n    spark.sql(open('query.sql').read()).show()\n",
    ],
)
def test_a_program_with_sql_that_ansi_mode_changes_keeps_its_mode(own: str) -> None:
    source = socket_program(own + SIZES)
    (graph,) = (result := run(source, SPARK_4)).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert "required(" in result.files[0].new
    assert SETTING not in result.files[0].new


@pytest.mark.parametrize(
    ("own", "is_told"),
    [
        ("lines.foreachRDD(lambda rdd: spark.sql('select sum(n * price) from t').show())\n", True),
        ("QUERY = 'select avg(n) from t'\ndef show():\n    spark.sql(QUERY).show()\n", True),
        ("def show(n):\n    spark.sql(f'select * from t where n > {n}').show()\n", True),
        ("def show(frame):\n    frame.selectExpr('a + b').show()\n", True),
        ("from pyspark.sql import functions as fn\n", True),
        ("lines.foreachRDD(lambda rdd: spark.sql('select * from t').show())\n", False),
    ],
)
def test_other_sql_is_run_in_ansi_mode_as_spark_4_does(own: str, is_told: bool) -> None:
    (graph,) = (result := run(socket_program(own + SIZES), SPARK_4)).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert "required(" not in result.files[0].new and SETTING in result.files[0].new
    assert (OWN_COLUMNS in graph.notes) is is_told


def test_on_spark_3_only_what_python_takes_is_guarded() -> None:
    (file,) = run(socket_program(SIZES), SPARK_3).files
    assert flat(GUARDED) in flat(file.new)
    assert SETTING not in file.new
    body = "lines.map(lambda line: line.split(',')[2]).pprint()"
    assert 'lines.select(F.split("value", ",")[2].alias("value"))\n' in native_body(body, SPARK_3)


def test_sums_are_guarded_where_spark_would_go_round() -> None:
    sums = "lines.map(lambda line: (line, int(line))).reduceByKey(lambda a, b: a + b).pprint()"
    assert "exact_sum(" in native_body(sums, SPARK_3)
    assert 'F.sum(F.col("value").cast("bigint"))' in native_body(sums, SPARK_4)


def test_amounts_of_data_need_no_guard() -> None:
    lengths = "lines.map(lambda line: (line, len(line))).reduceByKey(lambda a, b: a + b).pprint()"
    assert 'F.sum(F.length("value"))' in native_body(lengths, SPARK_3)
    (file,) = run(socket_program(lengths), SPARK_4).files
    assert SETTING not in file.new


def test_neither_do_the_counts_of_a_window() -> None:
    for counted in (
        "countByValueAndWindow(3, 1)",
        "countByValue().reduceByKeyAndWindow(lambda a, b: a + b, None, 3, 1)",
    ):
        assert "exact_sum(" not in native_body(f"lines.{counted}.pprint()", SPARK_3)


def test_so_do_sums_of_those_of_ones_and_zeros() -> None:
    """They are numbers of rows, and so is a running sum of them, also of some rows less others."""
    running = "updateStateByKey(lambda new, old: sum(new) + (old or 0)).pprint()"
    for one, other in ((1, 0), (1, -1)):
        given = f"lines.map(lambda line: (line[:1], {one} if 'a' in line else {other}))"
        body = f"{given}.reduceByKey(lambda a, b: a + b).{running}"
        (file,) = run(socket_program(body), SPARK_4).files
        assert SETTING not in file.new and "F.sum(" in file.new
        assert "exact_sum(" not in native_body(body, SPARK_3)


def test_strict_keeps_all_guards() -> None:
    (file,) = run(socket_program(SIZES), STRICT).files
    assert "parse_int(" in file.new and "list index out of range" in file.new
    assert SETTING not in file.new
    kafka_of_texts = kafka_program("messages.map(lambda m: m[1].split(',')).pprint()")
    (kafka,) = run(kafka_of_texts, STRICT).files
    assert 'F.decode("value", "UTF-8")' in kafka.new, "it fails on other bytes in any mode"
    assert "is None" in kafka.new
    (kafka,) = run(kafka_of_texts, Options(spark=SPARK_3.spark, strict=True)).files
    assert 'utf8("value")' in kafka.new


def test_none_and_bytes_are_left_to_spark() -> None:
    body = "messages.map(lambda m: m[1].split(',')[0]).countByValue().pprint()"
    for options in (SPARK_3, SPARK_4):
        (file,) = run(kafka_program(body), options).files
        assert 'F.decode("value", "UTF-8").alias("value")' in file.new
        assert "def " not in file.new.replace("def process_batch", "")


def test_failing_input_is_one_note_of_a_program() -> None:
    body = "lines.map(lambda line: (line[0], int(line), {'a': 1}[line], 1 / len(line))).pprint()\n" + SIZES
    (note,) = notes(body, SPARK_4)
    assert note == (
        "the query fails at what the old program took: digits beyond ASCII or with _ between them; what made"
        " a batch fail is NULL now, or no row, or not looked at: an index beyond the end of a text, which"
        " gives an empty one, text that is a number for Spark alone, a key that a dict has not; what made a"
        " batch fail still does where it is read, and is NULL else: a division by zero, an index beyond the"
        " end"
    )
    (note,) = notes("lines.map(lambda line: line.split(',')[2]).pprint()", SPARK_4)
    assert "still does where ANSI mode is on and it is read, and is NULL else: an index" in note
    (note,) = notes(body, STRICT)
    assert "still does" not in note


def test_a_step_that_nobody_reads_may_be_left_out_with_its_failing() -> None:
    counted = "lines.map(lambda line: line.split(',')[2]).count().pprint()"
    (graph,) = (loose := run(socket_program(counted), SPARK_4)).graphs
    assert {site.tier for site in loose.sites if site.operator == "map"} == {Tier.COLUMN}
    assert any("what made a batch" in note for note in graph.notes)
    strict = run(socket_program(counted), STRICT)
    assert {site.tier for site in strict.sites if site.operator == "count"} == {Tier.RDD}


def test_a_failure_that_the_program_catches_is_no_failed_batch() -> None:
    body = (
        "def show(rdd):\n    try:\n        print(rdd.collect())\n"
        "    except Exception:\n        print('bad')\n"
        "lines.map(lambda line: line.split(',')[2]).foreachRDD(show)"
    )
    (file,) = run(socket_program(body), SPARK_3).files
    assert "list index out of range" in file.new

    (file,) = run(socket_program(body), SPARK_4).files
    assert 'batch.select(F.split("value", ",")[2].alias("value"))' in file.new
    assert f'.config("{SETTING}", "true")' in file.new


PLAIN = [
    "select word, total from words",
    "SELECT word, count(*) AS total FROM words GROUP BY word ORDER BY total DESC LIMIT 10",
    "select * from `words` order by word asc, total desc;",
    "select word, sum(total) from words group by word",
    "select total / 2 from words",
    "select word from words where total > 3",
    "select word from words join others on n = m",
]
NOT_PLAIN = [
    "select total / size from words",
    "select cast(word as int) n from words",
    "select words[3] from words",
]


@pytest.mark.parametrize(
    ("sql", "sets"), [*((sql, True) for sql in PLAIN), *((sql, False) for sql in NOT_PLAIN)]
)
def test_in_a_program_with_plain_sql_spark_fails_where_python_does(sql: str, sets: bool) -> None:
    """Such SQL gives the same in ANSI mode, which may be on then where a callback catches failures."""
    body = (
        "from out import send\ndef show(rdd):\n    try:\n        print(rdd.collect())\n"
        f"        spark.sql({sql!r}).show()\n"
        "    except Exception:\n        send('bad')\n"
        "lines.map(lambda line: line.split(',')[2]).foreachRDD(show)"
    )
    (graph,) = (result := run(socket_program(body), SPARK_4)).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert (SETTING in result.files[0].new) is sets
    assert ("list index out of range" in result.files[0].new) is not sets


@pytest.mark.parametrize(("count", "relies"), [(1, False), (2**40, True)])
def test_a_large_initial_state_makes_sums_that_may_end(count: int, relies: bool) -> None:
    body = (
        f"initial = sc.parallelize([('a', {count})])\n"
        "totals = lines.map(lambda word: (word, 1)).updateStateByKey("
        "lambda new, last: sum(new) + (last or 0), initialRDD=initial)\ntotals.pprint()"
    )
    (file,) = run(socket_program(body), SPARK_4).files
    assert (SETTING in file.new) is relies
    assert 'F.sum("count")' in file.new
    (older,) = run(socket_program(body), SPARK_3).files
    assert ("exact_sum(" in older.new) is relies


@pytest.mark.parametrize(
    ("callback", "options", "told"),
    [
        ("spark.sql('select cast(value as int) from lines').show()", SPARK_4, True),
        ("rdd.toDF().select(col('_1').cast('int')).show()", SPARK_4, True),
        ("rdd.toDF().select(col('_1').cast('int')).show()", SPARK_3, False),
        ("spark.sql('select value from broadcast').show()", SPARK_4, False),
        (
            "spark.conf.set('spark.sql.ansi.enabled', 'false') or spark.sql('select cast(1 as int)')",
            SPARK_4,
            False,
        ),
    ],
)
def test_what_casts_of_the_program_do_in_spark_4_is_said(callback: str, options: Options, told: bool) -> None:
    body = f"from pyspark.sql.functions import col\nlines.foreachRDD(lambda rdd: {callback})\n"
    (graph,) = run(socket_program(body), options).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert any("the program casts columns" in must for must in graph.must_change) is told


@pytest.mark.parametrize(
    ("handler", "told"), [("except:\n        pass", True), ("except ValueError:\n        raise", False)]
)
def test_a_cast_whose_error_a_handler_takes_is_told_of(handler: str, told: bool) -> None:
    body = (
        "from pyspark.sql.functions import col\ndef show(rdd):\n    try:\n"
        f"        rdd.toDF().select(col('_1').cast('int')).show()\n    {handler}\nlines.foreachRDD(show)\n"
    )
    (graph,) = run(socket_program(body), SPARK_4).graphs
    caught = [note for note in graph.notes if "a handler catches that" in note]
    assert caught == ([CAUGHT.format("line 10: `col('_1').cast('int')` raises")] if told else [])


def test_many_casts_whose_errors_a_handler_takes_are_told_of_once() -> None:
    casts = "".join(f"        df = df.withColumn('c{n}', df['{n}'].cast('int'))\n" for n in range(5))
    body = (
        f"def show(rdd):\n    try:\n        df = rdd.toDF()\n{casts}        df.show()\n"
        "    except:\n        pass\nlines.foreachRDD(show)\n"
    )
    (graph,) = run(socket_program(body), SPARK_4).graphs
    caught = [note for note in graph.notes if "a handler catches that" in note]
    assert caught == [
        CAUGHT.format("line 10: `df['0'].cast('int')` and 4 more casts, the last in line 14, raise")
    ]


@pytest.mark.parametrize(
    ("callback", "told"),
    [
        (
            "spark.sql('select words[17] from t').show()",
            "an index beyond the end may come in a batch: the program indexes arrays, which gave NULL",
        ),
        ("spark.sql('select element_at(words, 3) from t').show()", "indexes arrays"),
        ('spark.sql(\'select words["a"], "b[1]" from t\').show()', ""),
        ("spark.sql('select a/b from t').show()", "a division by zero may come"),
        ("spark.sql(f'select std({n})/avg({n})*100 from t').show()", "divides columns"),
        ("spark.sql('select a % b from t').show()", "divides columns"),
        ("spark.sql('select a from t where b like \"%s\" limit %d' % (n, n)).show()", ""),
        ("spark.sql('select a / 100 from t /* b/c */').show()", ""),
        ("spark.sql('select count(*) from t where path like \"a/b%\"').show()", ""),
        ("df.selectExpr('a / b').show()", "divides columns"),
        ("df.select(col('a')[3]).show()", "indexes arrays"),
        ("df.select(df.a.getItem(3)).show()", "indexes arrays"),
        ("df.withColumn('c', df.a / df['b']).show()", "divides columns"),
        ("df.where(col('a') / col('b') > 1).show()", "divides columns"),
        (
            "spark.read.json(rdd).where('heat > 99').show()",
            "a text that is no number may come in a batch: the program compares columns of JSON with numbers",
        ),
        ("spark.sql('select 1 from t where a between 1 and 2', spark.read.json(rdd))", "compares columns"),
        ("spark.read.json(rdd).where('heat > cold').show()", ""),
        ("spark.sql('select n from t where n > 99').show()", ""),
        ("df.withColumn('c', df.a / 100).show()", ""),
        ("df.select(col('a').getItem('key')).show()", ""),
        ("df.select(col('a').cast('string'), col('b').cast(T.StringType())).show()", ""),
        ("spark.sql('select cast(trim(upper(a)) as string) as b from t').show()", ""),
        ("spark.sql('select cast(trim(upper(a)) as bigint) as b from t').show()", "casts columns"),
        ("df.groupBy(F.window('a', '5 minutes')).count().show()", "casts columns"),
        ("df.groupBy(F.hour('a')).count().show()", "casts columns"),
        ("lines.window(30, 10)", ""),
        ("df.toPandas().astype('int')", ""),
        ("tf.cast(rdd.collect(), tf.uint8)", ""),
        ("print(df.count() / n)", ""),
        ("print('select one of a/b')", ""),
        (
            "spark.sql('select cast(words[1] as int) / n from t').show()",
            "what has no value of the type, an index beyond the end or a division by zero may come in a"
            " batch: the program casts columns, indexes arrays and divides columns, which gave NULL for that",
        ),
    ],
)
def test_what_ansi_mode_makes_fail_of_a_programs_own_columns_is_told(callback: str, told: str) -> None:
    body = "from pyspark.sql.functions import col\nfrom pyspark.sql import SparkSession\n"
    body += "spark = SparkSession(sc)\nn = 3\ndf = spark.range(9)\n"
    (graph,) = run(socket_program(f"{body}lines.foreachRDD(lambda rdd: {callback})\n"), SPARK_4).graphs
    said = [must for must in graph.must_change if SETTING in must]
    assert len(said) == bool(told) and all(told in note for note in said), said
    older = run(socket_program(f"{body}lines.foreachRDD(lambda rdd: {callback})\n"), SPARK_3).graphs[0]
    assert not any(SETTING in must for must in older.must_change)


def test_what_another_program_does_to_columns_is_not_told() -> None:
    """A module that the program imports is a part of it."""
    casts = (
        "from pyspark.sql.functions import col\ndef whole(df):\n    return df.select(col('a').cast('int'))\n"
    )
    other = module(casts + socket_program("lines.pprint()"), "other.py")
    helper, unread = module(casts, "helper.py"), module(casts, "unread.py")
    body = "import helper\nlines.foreachRDD(lambda rdd: helper.whole(rdd.toDF()).show())"
    for source, told in ((body, True), ("lines.pprint()", False)):
        result = migrate([module(socket_program(source)), other, helper, unread], SPARK_4)
        (graph,) = (found for found in result.graphs if found.files[0] == "job.py")
        assert any("casts columns" in must for must in graph.must_change) is told


OF_TEXTS = (
    "from pyspark.sql import Row, SparkSession\nspark = SparkSession(sc)\n"
    "def show(rdd):\n    rows = rdd.map(lambda p: p.split('/')).map(lambda p: Row(name=p[0], size={size}))\n"
    "    df = spark.createDataFrame(rows)\n    df.createOrReplaceTempView('t')\n    {shown}\n"
    "lines.foreachRDD(show)\n"
)


@pytest.mark.parametrize(
    ("size", "shown", "is_told"),
    [
        ("p[1]", "spark.sql('select name, sum(size) as s from t group by name').show()", True),
        ("p[1]", "spark.sql('select name, avg(t.size) from t group by name').show()", True),
        ("p[1]", "df.groupBy('name').sum('size').show()", True),
        ("int(p[1])", "spark.sql('select name, sum(size) as s from t group by name').show()", False),
        ("p[1]", "spark.sql('select size, count(name) from t group by size').show()", False),
        ("p[1]", "spark.sql('select max(size) from t').show()", False),
    ],
)
def test_sums_of_texts_raise_in_ansi_mode(size: str, shown: str, is_told: bool) -> None:
    (graph,) = run(socket_program(OF_TEXTS.format(size=size, shown=shown)), SPARK_4).graphs
    told = "a text that is no number may come in a batch: the program sums columns of texts, which gave NULL"
    assert any(told in must for must in graph.must_change) is is_told, graph.must_change
