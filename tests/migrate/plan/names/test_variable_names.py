"""Variables of RDDs and streams that hold DataFrames now: a name of what they hold."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome
from migrate.plan.names.variable_names import frame_name, without_gaps
from tests.migrate.programs import file, module, run, socket_program

STREAM = (
    'words_rdd = lines.flatMap(lambda line: line.split(" "))\nwords_rdd.pprint()\nwords_rdd.count().pprint()'
)
CALLBACK = """def show(rdd):
    sorted_rdd = rdd.map(lambda line: (line, len(line))).sortBy(lambda pair: pair[1])
    for word in sorted_rdd.take(3):
        print(word)
    print(sorted_rdd.count())
lines.foreachRDD(show)"""


def test_a_stream() -> None:
    text = file(socket_program(STREAM)).new
    assert "words_df = batch.select(" in text and "words_df.show(" in text
    assert "words_rdd" not in text


def test_a_variable_of_a_callback() -> None:
    text = file(socket_program(CALLBACK)).new
    assert "sorted_df = batch." in text and "sorted_df.take(3)" in text
    assert "sorted_rdd" not in text


def test_within_an_f_string() -> None:
    body = CALLBACK.replace("print(sorted_rdd.count())", "print(f'{sorted_rdd.count():>5} lines')")
    assert "print(f'{sorted_df.count():>5} lines')" in file(socket_program(body)).new


def test_a_source_and_commented_out_code() -> None:
    source = 'lines_dstream = ssc.socketTextStream("localhost", 1)'
    body = f"{source}\n# lines_dstream.pprint(5)\nlines_dstream.pprint()"
    text = file(socket_program(body)).new
    assert "lines_df = (" in text and "lines_df.writeStream" in text
    assert "lines_dstream" not in text


def test_a_source_says_what_it_holds_where_df_is_another_variable() -> None:
    source = socket_program("dstream.pprint()\ndf = 3\nprint(df)").replace("lines = ", "dstream = ")
    text = file(source).new
    assert "\nlines = (\n" in text or "\nlines = spark" in text
    assert "dstream" not in text


def test_a_queue_of_dataframes_is_called_so_everywhere() -> None:
    filled = "rddQueue = []\nfor n in range(3):\n    rddQueue += [sc.parallelize([n])]"
    body = f"{filled}\nssc.queueStream(rddQueue).pprint()"
    text = file(socket_program(body)).new
    assert "dfQueue += [spark.createDataFrame([n]" in text and "dfQueue.pop(0) if dfQueue else" in text
    assert "rddQueue" not in text


def test_the_dataframes_of_a_queue_are_called_so_too() -> None:
    made = 'rdd1 = sc.parallelize([("a", 1)])\nrdd2 = sc.parallelize([("b", 2)])'
    text = file(socket_program(f"{made}\nssc.queueStream([rdd1, rdd2]).pprint()")).new
    assert "df1 = spark.createDataFrame(" in text and "queue = [df1, df2]" in text
    assert "rdd" not in text


def test_what_holds_rdds_of_batches_is_called_so() -> None:
    body = "wordsDStream = lines.map(lambda line: parsed(line))\nwordsDStream.pprint()\n"
    body += "wordsDStream.count().pprint()"
    result = run(socket_program(body), Options())
    (made,) = result.files
    assert "wordsRDD = batch.rdd." in made.new and "wordsDStream" not in made.new
    assert "variables that hold the RDDs of batches now are called so: `wordsDStream` is `wordsRDD`" in (
        result.graphs[0].notes
    )


@pytest.mark.parametrize(("name", "new"), [("gaugeStream", "gaugeStream"), ("dstream", "df")])
def test_what_a_source_is_bound_to_is_no_rdd_of_a_batch(name: str, new: str) -> None:
    source = 'FlumeUtils.createStream(ssc, "localhost", 33333)'
    body = "def show(rdd):\n    rdd.foreach(print)\n\nlines.foreachRDD(show)"
    program = socket_program(body).replace('ssc.socketTextStream("localhost", 9999)', source)
    program = f"from pyspark.streaming.flume import FlumeUtils\n{program}".replace("lines", name)
    text = file(program).new
    assert f"\n{new} = (\n" in text and f"{new}.writeStream" in text and "batch.rdd" in text


TOTALS = """\
def totals(pairs, sc):
    {sorted} = pairs.transform(lambda rdd: rdd.sortBy(lambda pair: -pair[1]))
    return {sorted}.transform(lambda rdd: sc.parallelize(rdd.take(3)))
"""


@pytest.mark.parametrize(("name", "renamed"), [("top_dstream", True), ("words_dstream", False)])
def test_variables_in_several_files(name: str, renamed: bool) -> None:
    body = (
        "words_dstream = lines.map(lambda line: parsed(line))\n"
        "words_dstream.pprint()\n"
        "totals(words_dstream.countByValue(), sc).pprint()"
    )
    program = "from totals import totals\n" + socket_program(body)
    result = migrate([module(program, "main.py"), module(TOTALS.format(sorted=name), "totals.py")], Options())
    main, other = (one.new for one in result.files)
    assert ("words_rdd = batch" in main) is renamed
    assert ("words_dstream = batch" in main) is not renamed
    assert f"{'top_rdd' if renamed else name} = pairs" in other


@pytest.mark.parametrize(
    ("name", "new"),
    [("dstream", "rdd"), ("ds", "rdd"), ("parsed_stream", "parsed_rdd"), ("wordStream", "wordRDD")],
)
def test_a_name_of_lambdas_that_are_gone_is_free(name: str, new: str) -> None:
    body = f"{name} = lines.map(lambda line: parsed(line))\n{name}.foreachRDD(lambda rdd: print(rdd.max()))"
    text = file(socket_program(body)).new
    assert f"{new} = batch.rdd." in text and f"print({new}.max())" in text
    assert name not in text.replace("readStream", "").replace("writeStream", "")
    taken = file(socket_program(f"{body}\n{new} = 1\nprint({new})")).new
    assert f"{name} = batch.rdd." in taken


def test_a_list_of_rows_keeps_its_name() -> None:
    """Its rows may be what an RDD gives, and the name was no other one before."""
    body = """\
def show(rdd):
    all_rdd = rdd.take(3)
    for word in all_rdd:
        print(word)
lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b).foreachRDD(show)"""
    assert "    for word in all_rdd:\n" in file(socket_program(body)).new


def test_the_dataframe_of_a_batch_is_no_stream_but_a_source_is() -> None:
    body = 'wordStream = dataStream.flatMap(lambda line: line.split(" "))\nwordStream.pprint()\n'
    source = socket_program(f"{body}wordStream.count().pprint()").replace("lines = ", "dataStream = ")
    text = file(source).new
    assert "    wordDF = batch.select(" in text and "wordStream" not in text
    assert "dataStream.writeStream" in text


def test_a_function_that_is_gone_reads_nothing_by_its_name() -> None:
    session = """\
from pyspark.sql import Row, SparkSession

def session_of(conf):
    if "session" not in globals():
        globals()["session"] = SparkSession.builder.config(conf=conf).getOrCreate()
    return globals()["session"]

def process(rdd):
    try:
        spark = session_of(rdd.context.getConf())
        words = spark.createDataFrame(rdd.map(lambda word: Row(word=word)))
        words.createOrReplaceTempView("words")
        spark.sql("select word, count(*) from words group by word").show()
    except:
        pass

"""
    stream = STREAM.replace("words_rdd.count().pprint()", "words_rdd.foreachRDD(process)")
    body = session + stream
    assert "words_df = batch" in file(socket_program(body)).new
    left = f"{body}\nprint(session_of(None))"
    assert "words_df = batch" in file(socket_program(left)).new
    assert "words_rdd = batch" in file(socket_program(left.replace("globals()", "globals().copy()"))).new


def test_the_report_names_them() -> None:
    (graph,) = run(socket_program(STREAM), Options()).graphs
    assert "variables that hold DataFrames now are called so: `words_rdd` is `words_df`" in graph.notes


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        (STREAM + "\nwords_df = 1\nprint(words_df)", "words_rdd = batch"),
        (STREAM + "\n__all__ = ['words_rdd']", "words_rdd = batch"),
        (STREAM + "\nprint(globals())", "words_rdd = batch"),
        (STREAM + "\ndef other(words_rdd):\n    return words_rdd.collect()", "words_rdd = batch"),
        (STREAM + "\nkey = lambda words_rdd: words_rdd[0]", "key = lambda words_rdd: words_rdd[0]"),
        (STREAM + "\ndel words_rdd", ""),
        (
            STREAM.replace(".flatMap(lambda line: line.split(", ".map(lambda line: parsed(").replace(
                '" "', "line"
            ),
            "",
        ),
        (
            CALLBACK + "\nsorted_rdd = sc.parallelize([1]).map(str)\nprint(sorted_rdd.count())",
            "sorted_rdd = batch",
        ),
    ],
    ids=[
        "taken",
        "a text",
        "by its name",
        "a parameter",
        "of a lambda",
        "deleted",
        "an RDD still",
        "an RDD elsewhere",
    ],
)
def test_other_names_stay(body: str, kept: str) -> None:
    text = file(socket_program(body)).new
    assert kept in text and "words_df =" not in text.replace("words_df = 1", "")
    assert ("words_rdd" if "words_rdd" in body else "sorted_rdd = batch") in text


@pytest.mark.parametrize(
    ("name", "new"),
    [
        ("rdd", "df"),
        ("rdd1", "df1"),
        ("rddQueue", "dfQueue"),
        ("dStream", "df"),
        ("sorted_rdd", "sorted_df"),
        ("all_rdds", "all_dfs"),
        ("wordsRDD", "wordsDF"),
        ("wordsRdd2", "wordsDF2"),
        ("message_DStream", "message_DF"),
        ("dstream1", "df1"),
        ("frame_of_rdd", "frame_of_rdd"),
        ("wordsDfRdd", "wordsDfRdd"),
        ("words_DS", "words_DF"),
        ("words_ds2", "words_df2"),
        ("wordsDS", "wordsDF"),
        ("wordsrdd", "wordsdf"),
        ("wordsrdds", "wordsdfs"),
        ("WORDS", "WORDS"),
        ("hardddisk", "hardddisk"),
        ("addRddless", "addRddless"),
        ("words", "words"),
    ],
)
def test_names(name: str, new: str) -> None:
    assert frame_name(name) == new


NUMBERED = """rdd1 = lines.map(lambda word: (word, 1))
rdd2 = rdd1.reduceByKey(lambda a, b: a + b)
{more}rdd3 = rdd2.filter(lambda pair: pair[1] > 1)
rdd2.pprint()
rdd3.pprint()"""


def test_a_variable_that_is_gone_leaves_no_gap() -> None:
    result = run(socket_program(NUMBERED.format(more="")))
    text = result.files[0].new
    assert "df1 = batch.groupBy(" in text and "df2 = df1.where(" in text
    assert "df3" not in text and "rdd" not in text
    assert any("`rdd2` is `df1`, `rdd3` is `df2`" in note for note in result.graphs[0].notes)


@pytest.mark.parametrize(
    "more",
    ["rdd1.pprint()\n", "# rdd1 has a one for each word\n"],
    ids=["it is printed", "a comment names it"],
)
def test_but_one_that_something_speaks_of_keeps_its_number(more: str) -> None:
    text = file(socket_program(NUMBERED.format(more=more))).new
    assert "df2 = " in text and "df3 = df2.where(" in text


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ({"rdd2019": "df2019", "rdd2020": "df2020"}, {"rdd2020": "df2020"}),
        ({"rdd2019": "df2019", "rdd": "df", "rdd1": "df1"}, {"rdd": "df", "rdd1": "df1"}),
    ],
    ids=["years", "beside others"],
)
def test_numbers_that_count_nothing_stay(names: dict[str, str], found: dict[str, str]) -> None:
    assert without_gaps(names, {"rdd2019"}) == found


RETURNED = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def made(host):
    ssc = StreamingContext(SparkContext(), 1)
    input_stream = ssc.socketTextStream(host, 9999)
    {} = input_stream.{}
    return ssc, {}

ssc, read = made("localhost")
read.count().pprint()
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.parametrize("made", ["flatMap(str.split)", "map(lambda l: {l: open(l)})"])
@pytest.mark.parametrize("name", ["parsed", "parsed_stream", "parsed_rdd"])
def test_a_function_returns_the_source_of_a_stream_with_another_name(name: str, made: str) -> None:
    result = run(RETURNED.format(name, made, name))
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert "    return spark, input_stream\n" in result.files[0].new
