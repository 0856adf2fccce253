"""What the report says of comments that name the old API."""

from __future__ import annotations

import pytest

from migrate.codemod.comments.retelling import retold_anywhere
from tests.migrate.codemod.written import native_result, new_text
from tests.migrate.programs import run, socket_program

BODY = """\
from pyspark.sql import Row, SparkSession

def process(time, rdd):
    try:
        # Creating a spark sql singleton context object from the rdd context.
        spark = SparkSession.builder.config(conf=rdd.context.getConf()).getOrCreate()
        frame = spark.createDataFrame(rdd.map(lambda w: Row(word=w[0], n=w[1])))
        frame.show()
        spark.sql("select 1").show()
        spark.sql("select 2").show()
    except:
        pass

counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)
counts.foreachRDD(process)
"""


def test_a_comment_with_other_words_is_not_one_that_was_left() -> None:
    (graph,) = run(socket_program(BODY)).graphs
    said = [note.split(":")[0] for note in graph.notes if "Creating a spark sql singleton" in note]
    assert said == ["comments that name what is there now"]


def _told(source: str) -> str:
    return str(run(source).files[0].new)


@pytest.mark.parametrize(
    ("update", "said"),
    [
        ("reduceByKey(lambda a, b: a + b)", "# Count each word in each batch"),
        ("updateStateByKey(lambda new, last: sum(new) + (last or 0))", "# Count each word"),
    ],
)
def test_a_running_count_is_not_one_of_each_batch(update: str, said: str) -> None:
    body = f"""\
ssc.checkpoint("cp")
# Count each word in each batch
pairs = lines.map(lambda word: (word, 1))
counts = pairs.{update}
counts.pprint()
"""
    new = _told(socket_program(body))
    assert f"{said}\n" in new


def test_what_is_said_of_a_stream_above_the_context_stands_above_the_source() -> None:
    source = socket_program("lines.pprint()").replace("ssc = ", "# Create a socket stream\nssc = ")
    new = _told(source)
    assert "# Create a socket stream\nlines = " in new


@pytest.mark.parametrize(
    ("said", "above"),
    [("# TODO: read this from a file", "lines = "), ("# TODO: make the interval longer", "query = ")],
)
def test_what_is_to_be_done_stands_above_what_it_is_about(said: str, above: str) -> None:
    new = _told(socket_program("lines.pprint()").replace("ssc = ", f"{said}\nssc = "))
    assert f"{said}\n{above}" in new


def test_a_comment_without_a_word_goes_with_its_statement() -> None:
    source = socket_program("lines.pprint()").replace("(sc, 1)", "(sc, 1) #")
    assert "#\n" not in _told(source)


UNREAD = """\
def first(word):
    return (word[0], 1)

pairs = lines.map(first).reduceByKey(lambda a, b: a + b)
# ("w", 1)
# ("w", 2)
{gap}counts = lines.countByValue()
counts.pprint()"""


@pytest.mark.parametrize(("gap", "stays"), [("\n", False), ("", True), ("\n# Count them\n", False)])
def test_what_is_said_below_a_stream_that_nothing_reads_goes_with_it(gap: str, stays: bool) -> None:
    result = native_result(socket_program(UNREAD.format(gap=gap)))
    assert ('("w", 2)' in new_text(result)) is stays
    told = any("left out with the code" in note and '("w", 2)' in note for note in result.graphs[0].notes)
    assert told is not stays
    assert ("# Count them" in new_text(result)) is ("Count" in gap)


SPANISH = """\
def show(rdd):
    # obten el contexto spark sql
    spark = SparkSession.builder.config(conf=rdd.context.getConf()).getOrCreate()
    spark.createDataFrame(rdd, ["word", "n"]).createOrReplaceTempView("words")
    spark.sql("select word from words").show()
    spark.sql("select n from words").show()
# luego mapea cada palabra a un par (palabra, 1)
pairs = lines.map(lambda word: (word, 1))
counts = pairs.reduceByKey(lambda a, b: a + b)
counts.foreachRDD(show)
"""


def test_comments_of_other_languages_that_no_longer_fit_are_listed() -> None:
    result = native_result(socket_program(f"from pyspark.sql import SparkSession\n{SPANISH}"))
    (told,) = [note for note in result.graphs[0].notes if "left as they were" in note]
    assert "`# obten el contexto spark sql`" in told
    assert "`# luego mapea cada palabra a un par (palabra, 1)`" in told


def test_a_comment_that_names_a_variable_which_is_there_is_not_listed() -> None:
    body = (
        "def show(rdd):\n    rdds = rdd.collect()\n\n"
        "    # list of dicts: one for j in rdds for one in list(loads(j).values())\n"
        "    for one in rdds:\n        print(one)\n\nlines.foreachRDD(show)\n"
    )
    result = native_result(socket_program(body))
    assert "# list of dicts: one for j in rdds for one" in new_text(result)
    assert not any("left as they were" in note for note in result.graphs[0].notes)


def test_the_last_line_of_what_is_said_of_a_statement_that_goes_goes_with_it() -> None:
    body = (
        "def show(rdd):\n    number = rdd.count()\n    if number == 0:\n        return\n\n"
        "    # for each rdd record, take out the price\n    # for all the rdd records, add up\n"
        "    # lambda: anonymous function\n"
        "    total = rdd.map(lambda line: int(line)).reduce(lambda a, b: a + b)\n"
        "    mean = total / number\n    print(mean)\n\nlines.foreachRDD(show)"
    )
    result = native_result(socket_program(body))
    assert "anonymous" not in result.files[0].new
    assert any("`# lambda: anonymous function`" in note for note in result.graphs[0].notes)


def test_a_heading_above_the_context_stays_above_what_is_below_it() -> None:
    """It is about neither the context nor the query."""
    source = socket_program("lines.pprint()").replace("ssc = ", "# Set up resources\nssc = ")
    assert "# Set up resources\nlines = (" in _told(source)
    below = source.replace("lines = ", "port = 9999\nlines = ", 1)
    assert "# Set up resources\nport = 9999\n" in _told(below)
    checkpoint = source.replace("lines = ", 'ssc.checkpoint("state")\nlines = ', 1)
    assert "# Set up resources\nlines = (" in _told(checkpoint)


def test_where_the_context_is_all_that_is_left_comments_name_it() -> None:
    above = "# Create a local StreamingContext with two threads\n"
    imports = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
    new = _told(f'{imports}{above}sc = SparkContext("local[2]", "Test")\nssc = StreamingContext(sc, 1)\n')
    assert '# Create a local SparkContext with two threads\nsc = SparkContext("local[2]", "Test")\n' in new


@pytest.mark.parametrize(
    ("below", "end"), [("Messages wait for 10 seconds.", ""), ("which reads a socket.", ",")]
)
def test_a_comma_behind_the_interval_goes_with_it_where_the_sentence_ends(below: str, end: str) -> None:
    above = ["# Initialize spark streaming context with a batch interval of 10 sec,", f"# {below}"]
    assert retold_anywhere(above, rdds=False) == [f"# Initialize SparkSession{end}", f"# {below}"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# MANAGING STREAMING SPARK CONTEXT", "# MANAGING SPARK SESSION"),
        ("# Create streaming context with latency of 1", "# Create SparkSession"),
    ],
)
def test_a_comment_in_capitals_stays_so_and_an_interval_needs_no_unit(old: str, new: str) -> None:
    assert retold_anywhere([old], rdds=False) == [new]


LEFT = """\
def handle(rdd):
    if rdd.isEmpty() != True:
        rdd1 = rdd.flatMap(lambda x: x.split('}'))
        rdd1 = rdd1.filter(lambda x: x != '')
        #counts = rdd1.countByValue()
        rdd2 = rdd1.map(lambda x: (x, len(x)))
        spark.createDataFrame(rdd2, schema=['text', 'n']).show()

from pyspark.sql import SparkSession
spark = SparkSession(sc)
lines.foreachRDD(lambda rdd: handle(rdd))
"""


def test_nor_is_one_that_was_left_out_one_with_other_words() -> None:
    (graph,) = run(socket_program(LEFT)).graphs
    said = [note.split(":")[0] for note in graph.notes if "#counts = rdd1" in note]
    assert said == ["comments left out with the code that they were about"]


SECTIONS = """\
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

######
###### Printing #######
######

def show(rdd):
    print(rdd.take(3))

######
###### Sums #######
######

def add(new, last):
    return sum(new) + (last or 0)

######
###### Main script #######
######
# new context
sc = SparkContext(appName="pages")
ssc = StreamingContext(sc, 1)
brokers = "kafka:9092"
######
# Read them
######
# zookeeper's hosts, by their addresses
zk = "zoo:2181"
{below}
pages = KafkaUtils.createStream(ssc, zk, "g", {{"pages": 1}})
counts = pages.map(lambda m: (m[1], 1)).updateStateByKey(add)
counts.foreachRDD(show)
ssc.start()
"""


def test_a_heading_of_what_goes_goes_with_it() -> None:
    new = new_text(native_result(SECTIONS.format(below="")))
    assert "Sums" not in new
    assert "#\n###### Printing #######\n######\n\ndef show" in new
    assert "######\n###### Main script #######\n######\n# new SparkSession\n" in new


@pytest.mark.parametrize(("below", "stays"), [("# Stream 1", False), ("name = 'pages'", True)])
def test_what_is_said_below_a_heading_goes_with_its_statement(below: str, stays: bool) -> None:
    new = new_text(native_result(SECTIONS.format(below=below)))
    assert ("by their addresses" in new) is stays
    assert f"######\n# Read them\n######\n{'# zookeeper' if stays else below}" in new


def test_another_topic_stays_beside_the_topic() -> None:
    source = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

ssc = StreamingContext(SparkContext(appName="pages"), 1)
messages = KafkaUtils.createDirectStream(
    ssc,
    ["pages"],
    # ["other"],
    {"metadata.broker.list": "localhost:9092"})
messages.pprint()
ssc.start()
"""
    assert '    # ["other"],\n    .option("subscribe", "pages")\n' in new_text(native_result(source))


def test_code_that_goes_goes_above_functions_that_are_put_there() -> None:
    body = (
        "import unicodedata\n\n# look up no path\n#found = lines.filter(lambda line: line == 'END')\\\n"
        "#        .map(lambda line: line)\n\n"
        "lines.map(lambda line: unicodedata.normalize('NFC', line)).pprint()\n"
    )
    result = native_result(socket_program(body))
    assert "F.udf(" in new_text(result)
    assert "look up no path" not in new_text(result)
    assert any("`# look up no path`" in note for note in result.graphs[0].notes)
