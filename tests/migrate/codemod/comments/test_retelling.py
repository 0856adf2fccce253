"""Comments of the program that would be false beside new code say what is there now."""

from __future__ import annotations

import pytest

from migrate.codemod.comments.old_contexts import of_found_session
from migrate.codemod.comments.retelling import retold, retold_anywhere
from migrate.codemod.comments.subjects import names_rdd
from migrate.codemod.comments.ways import without_pairs
from migrate.plan.new_code.code import Makes
from tests.migrate.codemod.written import native, native_result, new_text
from tests.migrate.programs import socket_program

COMMENTS = [
    (Makes.SESSION, "# Create StreamingContext with 2 second window", "# Create SparkSession"),
    (Makes.SOURCE, "# lines is a DStream of text lines", "# lines is a streaming DataFrame of text lines"),
    (
        Makes.SOURCE,
        "# Each record in this DStream is a line of text",
        "# Each record in this streaming DataFrame is a line of text",
    ),
    (
        Makes.FRAME,
        "# pprint() prints the first elements of each RDD",
        "# Print the first elements of each batch",
    ),
    (
        Makes.FRAME,
        "# Define function to process RDDs of the json DStream to convert them\n# to DataFrame and run it",
        "# Define function to process batches and run it",
    ),
    (
        Makes.FRAME,
        "# Print the first elements of each RDD in this DStream: pprint(num=10)",
        "# Print the first elements of each batch",
    ),
    (Makes.QUERY, "# start ssc", "# start the query"),
    (
        Makes.QUERY,
        "# This starts the context streaming computation:",
        "# This starts the streaming computation:",
    ),
    (
        Makes.SESSION,
        "# Create a local StreamingContext with two working thread and batch interval of 1 second",
        "# Create a local SparkSession with two working thread",
    ),
    (
        Makes.SESSION,
        "# 2.0 The StreamingContext, with\n#     batch interval of 5 seconds",
        "# 2.0 The SparkSession",
    ),
    (Makes.SESSION, "# Create a sparkcontext and streaming context", "# Create a SparkSession"),
    (
        Makes.SESSION,
        "# Local SparkContext and StreamingContext (batch interval of 5 seconds)",
        "# Local SparkSession",
    ),
    (Makes.SESSION, "# Local StreamingContext (of the test)", "# Local SparkSession (of the test)"),
    (
        Makes.SOURCE,
        "# Read in the Kafka Direct Stream into a TransformedDStream",
        "# Read in the Kafka stream into a streaming DataFrame",
    ),
    (Makes.SESSION, "# Create SparkContext and SparkStreamingContext", "# Create SparkSession"),
    (Makes.SESSION, "# Create SparkContext and SteamingContext.", "# Create SparkSession."),
    (Makes.SESSION, "# spark streaming context (ssc)", "# SparkSession (spark)"),
    (Makes.SESSION, "# make a spark context with the above configuration", "# make a SparkSession"),
    (Makes.SESSION, "# 创建StreamingContext对象", "# 创建SparkSession对象"),
    (
        Makes.SESSION,
        "# Import what is needed, create a SparkContext and Streaming Contexts",
        "# Import what is needed, create a SparkSession",
    ),
    (Makes.SESSION, "# crea un contexto spark con la configuracion anterior", "# crea un SparkSession"),
    (
        Makes.SOURCE,
        "# TCP socket stream으로 구성된 Discretized Stream을 생성합니다.",
        "# TCP socket stream으로 구성된 streaming DataFrame을 생성합니다.",
    ),
    (
        Makes.SOURCE,
        "# Create a DStream that connects to host:port",
        "# Create a streaming DataFrame that connects to host:port",
    ),
    (
        Makes.SOURCE,
        "# 2.2 Using this context, we can create a DStream that represents streaming data\n# from a topic",
        "# 2.2 Using this session, we can create a streaming DataFrame that represents\n"
        "# streaming data from a topic",
    ),
    (
        Makes.FRAME,
        "# Print the first ten elements of each RDD generated in this DStream to the console",
        "# Print the first ten elements of each batch to the console",
    ),
    (Makes.FRAME, "# each RDD generated in this stateful DStream", "# each batch"),
    (Makes.FRAME, "# Mostra cada RDD gerado neste DStream", "# Mostra cada batch"),
    (
        Makes.SOURCE,
        "# Create a DStream\n# Create a DStream that reads the port",
        "# Create a streaming DataFrame\n# Create a streaming DataFrame that reads the port",
    ),
    (Makes.FRAME, "# work on each RDD generated in each interval", "# work on each batch"),
    (Makes.FRAME, "# Convert RDDs of the words DStream to DataFrame and run SQL query", "# Run SQL query"),
    (Makes.SESSION, "# Start Spark Context and SQL Context", "# Start SparkSession"),
    (Makes.SESSION, "# create a SparkContext and a SQLContext", "# create a SparkSession"),
    (
        Makes.SESSION,
        "# create the SparkContext, StreamingContext, and SparkSession",
        "# create the SparkSession",
    ),
    (Makes.SESSION, "# SparkContext, StreamingContext and SQLContext here", "# SparkSession here"),
    (Makes.FRAME, "# turn each RDD into a DataFrame and save it", "# save it"),
    (Makes.FRAME, "# done for every RDD\n# in the DStream", "# done for each batch"),
    (Makes.FRAME, "# filters an RDD", "# filters a DataFrame"),
    (Makes.RDD, "# filters the DStream", "# filters the RDD"),
    (Makes.QUERY, "# Start the streaming context", "# Start the streaming query"),
    (Makes.SESSION, "# Create Streaming Context and set batch interval", "# Create SparkSession"),
    (Makes.SESSION, "# a streaming context and sets its batch interval to 5 seconds", "# a SparkSession"),
    (
        Makes.SOURCE,
        "# Create a (Receiver) DStream that will connect to localhost:9999",
        "# Create a streaming DataFrame that will connect to localhost:9999",
    ),
    (
        Makes.SOURCE,
        "# 3.0 Create a DStream that will connect to\n#     the port. The complete input,\n"
        "#     of many lines,",
        "# 3.0 Create a streaming DataFrame that will connect to\n#     the port. The complete input,\n"
        "#     of many lines,",
    ),
    (
        Makes.SESSION,
        "# Unser Spark Context und StreamingContext (Batch-Intervall: 2 Sekunden)",
        "# Unser SparkSession",
    ),
    (
        Makes.FRAME,
        "#approximate no. of unique elements in a dstream and\n# comparison\n# with a set",
        "#approximate no. of unique elements in a DataFrame and\n# comparison\n# with a set",
    ),
    (
        Makes.SESSION,
        "#Crear con el Streaming context local\n# 2 hilos de trabajo y un intervalo de 1 segundo",
        "#Crear con el SparkSession local\n# 2 hilos de trabajo",
    ),
    (Makes.FRAME, "# save each RDD(resilient distributed dataset) here", "# save each batch here"),
    (Makes.SESSION, "# Cria o contexto do streaming", "# Cria o SparkSession"),
    (Makes.SESSION, "# creates the streaming spark context", "# creates the SparkSession"),
    (Makes.QUERY, "# Inicializamos el contexto", "# Inicializamos la consulta"),
    (Makes.QUERY, "# Inicia o contexto do streaming", "# Inicia a consulta"),
    (Makes.FRAME, "# We use coalesce(1) for an RDD", "# We use coalesce(1) for a DataFrame"),
    (Makes.FRAME, "# the rows of the DStream RDD", "# the rows of the batch"),
    (Makes.RDD, "# the rows of the DStream RDD", "# the rows of the batch"),
    (Makes.FRAME, "# for each RDD, work", "# for each batch, work"),
    (
        Makes.FRAME,
        "# loop over RDDs and process each of them",
        "# loop over batches and process each of them",
    ),
    (Makes.FRAME, "# iterate through all the RDDs", "# iterate through all the batches"),
    (Makes.FRAME, "# each order in the current rdd", "# each order in the current batch"),
    (Makes.SOURCE, "# create kafka direct stream", "# create kafka stream"),
    (Makes.SOURCE, "# create the QueueInputDStream", "# create the stream"),
    (
        Makes.SOURCE,
        "# a direct stream from Kafka, without receivers",
        "# a stream from Kafka, without receivers",
    ),
    (
        Makes.FRAME,
        "# You should:\n#   1. only save the latest rdd in DStream\n# Hint:\n#   1. You can use pprint()",
        "# You should:\n#   1. only save the latest batch\n# Hint:\n#   1. You can use pprint()",
    ),
    (
        Makes.FRAME,
        '# Join the content of the DStream with the "standard" RDD',
        '# Join the content of the batch with the "standard" DataFrame',
    ),
    (
        Makes.FRAME,
        "# Transformation applied to each DStream iteration",
        "# Transformation applied to each batch",
    ),
    (
        Makes.FRAME,
        "# Find words by joining the streaming RDD\n# with the static RDD inside the transform() method\n"
        "# and then sum",
        "# Find words by joining the batch\n# with the static DataFrame\n# and then sum",
    ),
]


@pytest.mark.parametrize(("makes", "old", "new"), COMMENTS)
def test_a_comment_names_what_is_there_now(makes: Makes, old: str, new: str) -> None:
    assert retold(old.split("\n"), makes, "spark") == new.split("\n")


UNSURE = [
    pytest.param("# rows is no RDD but many of them, like a StreamingContext", id="denies"),
    pytest.param("# note that this is a sequence of RDDs", id="defines"),
    pytest.param("# DStreams", id="a heading"),
    pytest.param("# We make it of StreamingContext(sc)", id="code"),
    pytest.param("# the DStream, which is, in fact, an RDD", id="explains"),
    pytest.param("# makes of an RDD of three rows another RDD of three", id="twice"),
    pytest.param("# the RDD of length three", id="an example"),
    pytest.param("# joins the RDD inside transform()", id="a method that is gone"),
    pytest.param("# both contexts make a DStream", id="a word that is left"),
    pytest.param("# Work through the DStream:\n# map() takes it apart,\n# pprint() shows it", id="long"),
    pytest.param("## 셸에서는 sparkContext는 필요 없습니다!", id="denies in another language"),
]


@pytest.mark.parametrize("makes", list(Makes))
@pytest.mark.parametrize("comment", UNSURE)
def test_a_sentence_that_may_be_false_with_another_word_stays(makes: Makes, comment: str) -> None:
    assert retold(comment.split("\n"), makes, "spark") is None


@pytest.mark.parametrize(
    "comment",
    [
        "# Avec notre StreamingContext, nous pouvons créer un DStream",
        "# apply it to the underlying RDDs of the Dstream",
        "# 该操作由一个DStream对象调用",
    ],
)
def test_a_sentence_has_the_words_of_one_api(comment: str) -> None:
    for makes in (Makes.SOURCE, Makes.RDD):
        assert retold([comment], makes, "spark") is None


def test_a_latency_is_left_out_of_what_is_said_of_the_session() -> None:
    comment = "# A streaming context with a latency of 3 seconds"
    assert retold([comment], Makes.SESSION, "spark") == ["# A SparkSession"]


@pytest.mark.parametrize("makes", list(Makes))
@pytest.mark.parametrize(
    "comment",
    [
        "# lines = ssc.socketTextStream('h', 1)",
        "# words.foreachRDD(lambda rdd: show(rdd))",
        "# count the words of each batch",
        "# -----",
    ],
)
def test_code_and_what_stays_true_stay(makes: Makes, comment: str) -> None:
    assert retold([comment], makes, "spark") is None


@pytest.mark.parametrize(
    "comment",
    ["#Streaming Context with Interval 10 Sec", "# The StreamingContext.", "# - SparkContext -"],
)
def test_a_class_by_itself_says_nothing(comment: str) -> None:
    assert retold([comment], Makes.SESSION, "spark") == []
    assert retold(["# SparkSession"], Makes.SESSION, "spark") is None


def test_a_heading_stays_one() -> None:
    assert retold(["# --- Spark context ---", "# two threads"], Makes.SESSION, "spark") == [
        "# --- SparkSession ---",
        "# two threads",
    ]


def test_a_sentence_that_ends_in_the_interval_goes() -> None:
    comment = "# The argument is the SparkContext and 1 specifies a batch interval of one second"
    assert retold([comment], Makes.SESSION, "spark") == []


def test_how_an_rdd_becomes_a_data_frame_goes_with_it() -> None:
    assert retold(["# convert the RDD to a DF"], Makes.FRAME, "spark") == []
    assert names_rdd("# from RDD[String] to RDD[Row]")
    assert not names_rdd("# rdd = rdd.map(str)")


@pytest.mark.parametrize(
    "comment",
    [
        "# create spark configuration",
        "# Create a SparkConf",
        "# creating spark configuration",
        "# set up the Spark conf object",
        "# initialize spark config",
        "# crea una configuracion spark",
        "#  1. Create Spark configuration",
    ],
)
def test_settings_that_the_session_s_builder_holds_need_no_heading(comment: str) -> None:
    assert retold([comment], Makes.SESSION, "spark") == []
    assert retold([comment], Makes.FRAME, "spark") is None
    assert retold([f"{comment} for the cluster of the lab"], Makes.SESSION, "spark") != []


@pytest.mark.parametrize(
    "comment",
    ["# 5 second window", "#10 seconds batch", "# batch interval: 2.5 s", "# Update every 3 seconds"],
)
def test_an_interval_that_the_trigger_says_is_not_said_of_the_session(comment: str) -> None:
    assert retold([comment], Makes.SESSION, "spark") == []
    assert retold([comment], Makes.QUERY, "spark") is None
    assert retold([f"{comment} as in the lab"], Makes.SESSION, "spark") != []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# Get the singleton instance of SQLContext", "# Get the SparkSession"),
        ("# Get the singleton instance of SparkSession", "# Get the SparkSession"),
        ("# Get spark sql singleton context from the current context", "# Get SparkSession"),
        ("# get spark sql singleton context from current context", "# get SparkSession"),
        ("# Making a spark sql singleton context object from the rdd context.", "# Making a SparkSession."),
        ("# the singleton that counts", "# the singleton that counts"),
        ("# sql = singleton context", "# sql = singleton context"),
    ],
)
def test_a_session_that_a_dataframe_has_is_no_singleton(old: str, new: str) -> None:
    assert of_found_session(old) == new


@pytest.mark.parametrize(
    ("row", "session"), [("Row(word=w)", "batch.sparkSession"), ("Row(**json.loads(w))", "spark")]
)
def test_the_comment_above_a_session_that_a_callback_finds_names_it(row: str, session: str) -> None:
    program = """\
import json

from pyspark import SparkConf, SparkContext
from pyspark.sql import Row, SQLContext
from pyspark.streaming import StreamingContext


def instance(context):
    if "singleton" not in globals():
        globals()["singleton"] = SQLContext(context)
    return globals()["singleton"]


def show(time, rdd):
    try:
        # Get the singleton instance of SQLContext
        sql = instance(rdd.context)
        frame = sql.createDataFrame(rdd.map(lambda w: ROW))
        frame.createOrReplaceTempView("words")
        sql.sql("select word, count(*) as total from words group by word").show()
    except:
        pass


# create spark configuration
conf = SparkConf()
conf.setAppName("Words")
# create spark context with the above configuration
sc = SparkContext(conf=conf)
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("localhost", 9999).foreachRDD(show)
ssc.start()
ssc.awaitTermination()
"""
    new = new_text(native_result(program.replace("ROW", row)))
    assert session in new and "singleton" not in new and "SQLContext" not in new
    assert "\n\n\n# create SparkSession\nspark = " in new


def test_a_comment_above_a_callback_names_what_it_takes_now() -> None:
    result = native_result("""\
from pyspark import SparkContext
from pyspark.sql import Row, SparkSession
from pyspark.streaming import StreamingContext


# Convert the RDDs to DataFrames and show them
def show(rdd):
    spark = SparkSession.builder.getOrCreate()
    spark.createDataFrame(rdd.map(lambda w: Row(word=w))).show()


# counts the RDD

def count(rdd):
    print(rdd.count(), [n for n in rdd.map(weird).collect()])


sc = SparkContext()
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.foreachRDD(show)
lines.foreachRDD(count)
ssc.start()
ssc.awaitTermination()
""")
    new = new_text(result)
    assert "\n\n\n# Show them\ndef show(batch):" in new
    assert "# counts the DataFrame\n\ndef count(batch):" in new
    assert "`# Convert the RDDs to DataFrames and show them`" in " ".join(result.graphs[0].notes)


def test_a_program_s_comments_are_listed_with_the_words_that_they_had() -> None:
    result = native_result("""\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Words")
# a StreamingContext with a batch interval of 1 second
ssc = StreamingContext(sc, 1)
# a DStream of lines
lines = ssc.socketTextStream(sys.argv[1], 9999)
# the first ten of each RDD generated in this DStream
lines.countByValue().pprint()
ssc.start()
ssc.awaitTermination()
""")
    new = new_text(result)
    assert "# a streaming DataFrame of lines\nlines = spark.readStream" in new
    assert "    # the first ten of each batch\n" in new
    assert "StreamingContext" not in new
    notes = " ".join(result.graphs[0].notes)
    for old in ("`# a DStream of lines`", "`# the first ten of each RDD generated in this DStream`"):
        assert old in notes


@pytest.mark.parametrize("spaces", ["", "  "])
@pytest.mark.parametrize("indent", ["\t", "    "])
def test_a_comment_is_told_anew_whatever_stands_around_it(indent: str, spaces: str) -> None:
    """A tab in a block of spaces is deeper than the block."""
    result = native_result(f"""\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(-1)

{indent}# Create a local StreamingContext with two threads and batch interval of 1 second{spaces}
    sc = SparkContext("local[2]", "Words")
    ssc = StreamingContext(sc, 1)
    ssc.socketTextStream(sys.argv[1], 9999).countByValue().pprint()
    ssc.start()
    ssc.awaitTermination()
""")
    assert f"\n{indent}# Create a local SparkSession with two threads\n" in new_text(result)
    assert "`# Create a local StreamingContext with two threads" in " ".join(result.graphs[0].notes)


def test_a_comment_on_what_stays_speaks_of_no_stream_either() -> None:
    result = native_result("""\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

# a DStream of the lines that
# come from this host
host = sys.argv[1]


# Print each RDD generated in this DStream
def show(words):
    for word in words.collect():
        print(word)  # 显示DStream的内容


# needs no StreamingContext, unlike ssc.socketTextStream("a", 1)
PORT = 9999

sc = SparkContext(appName="Words")
ssc = StreamingContext(sc, 1)
ssc.socketTextStream(host, PORT).foreachRDD(show)
ssc.start()
ssc.awaitTermination()
""")
    new = new_text(result)
    assert "# a streaming DataFrame of the lines that\n# come from this host\nhost =" in new
    assert "# Print each batch\ndef show(" in new
    assert "# 显示streaming DataFrame的内容" in new
    assert "# needs no StreamingContext, unlike ssc" in new, "code in comments is not touched here"
    notes = " ".join(result.graphs[0].notes)
    assert "`# Print each RDD generated in this DStream`" in notes
    assert "`# 显示DStream的内容`" in notes


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# a queue of RDDs", "# a queue of DataFrames"),
        ("# an RDD of words", "# a DataFrame of words"),
        ("# lines eh uma sequencia de RDDs", None),
        ("# the RDD of this iteration is not the RDD of the one before", None),
        ("# a queue\n# of the RDDs\n# to read", "# a queue\n# of the DataFrames\n# to read"),
        ("# a queue\n# of the RDDs\n# for pprint", None),
        ("# work on each RDD (resilient distributed dataset)", "# work on each batch"),
        ("# Convert RDD[String] to JSON DataFrame", "# Convert the batch to JSON DataFrame"),
        ("# only save the latest rdd in DStream", "# only save the latest batch"),
        (
            "# a StreamingContext and batch interval of 5 seconds, as asked for",
            "# a SparkSession, as asked for",
        ),
        ("# create a DF from the Row RDD", "# create a DF from the batch"),
        ("# crea un DF desde el Row RDD", "# crea un DF desde el batch"),
        ("# turn the row RDD into a DataFrame", "# turn the batch into a DataFrame"),
        ("# a dataframe object from the Row RDD object.", "# a dataframe object from the batch."),
        ("# Convert RDD[String] to RDD[Row] to DataFrame", "# Convert the batch to DataFrame"),
        ("# a connection (SparkContext o SparkSession)", None),
        ("# push them to a QueueInputDStream", "# push them to a stream"),
        ("# start a DStream(textFileStream) of files", "# start a streaming DataFrame of files"),
        ("# DRDDs of 1 sec", "# batches of 1 sec"),
        ("# Kafka Stream (alte API - basiert auf RDDs)", "# Kafka Stream"),
        ("# the DStream (old API, based on RDDs) of words", "# the streaming DataFrame of words"),
        ("# the new API (it is not the old one)", None),
        ("# Import SparkContext from pyspark", "# Import SparkSession from pyspark"),
        ("# rdd.map(f)", None),
        ("# a DStream has no sortBy, but its RDDs do", None),
    ],
)
def test_a_program_without_rdds_speaks_of_none(old: str, new: str | None) -> None:
    told = retold_anywhere(old.split("\n"), rdds=False)
    assert told == (None if new is None else new.split("\n"))


def test_a_comment_on_pairs_that_are_put_out_stays() -> None:
    comment = "# map each word to be a pair of (word,1)"
    assert comment in native(
        socket_program(f"{comment}\npairs = lines.map(lambda w: (w, 1))\npairs.pprint()")
    )


GONE = """\
# create spark configuration
conf = SparkConf()
conf.setAppName("Words")
# the cluster
# create spark context with the above configuration
sc = SparkContext(conf=conf)
ssc = StreamingContext(sc, 1)
# Pages come from Kafka
# localhost:2181 = ZooKeeper's address
lines = KafkaUtils.createStream(ssc, "localhost:2181", "group", {"pages": 1}).map(lambda m: m[1])
"""


def test_comments_on_settings_and_on_zookeeper_go_with_what_they_are_about() -> None:
    head, _, tail = socket_program("lines.pprint()").partition("sc = SparkContext")
    body = tail[tail.index("lines.pprint()") :]
    imports = "from pyspark import SparkConf\nfrom pyspark.streaming.kafka import KafkaUtils\n"
    new = new_text(native_result(head + imports + GONE + body))
    assert "# the cluster\n# create SparkSession\n" in new
    assert "configuration" not in new
    assert "# Pages come from Kafka\n" in new
    assert "ZooKeeper's address" not in new


def test_a_comment_on_the_context_goes_with_that_of_the_own_session() -> None:
    source = socket_program("lines.pprint()")
    old = source[source.index("sc = SparkContext") : source.index("ssc = ")]
    session = "spark = SparkSession.builder.getOrCreate()\n"
    own = f"{session}# a local StreamingContext of two threads\nsc = spark.sparkContext\n"
    new = new_text(native_result("from pyspark.sql import SparkSession\n" + source.replace(old, own)))
    assert "StreamingContext" not in new


@pytest.mark.parametrize("comment", ["# a queue of RDDs", "# Import SparkContext from pyspark"])
def test_a_program_with_rdds_speaks_of_them(comment: str) -> None:
    assert retold_anywhere([comment], rdds=True) is None


RECOVERED = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def build():
    ssc = StreamingContext(SparkContext(appName="Words"), 1)
    ssc.socketTextStream("localhost", 9999).pprint()
    return ssc


# {comment}
ssc = StreamingContext.getOrCreate("checkpoint", build)
# from a checkpoint
ssc.start()
ssc.awaitTermination()
"""


def test_a_context_made_again_from_a_checkpoint_has_no_comment() -> None:
    comment = "Get StreamingContext from checkpoint data or create a new one"
    result = native_result(RECOVERED.format(comment=comment))
    new = new_text(result)
    assert "checkpoint data" not in new
    assert "# from a checkpoint\n" in new
    assert "Get StreamingContext from checkpoint data" in " ".join(result.graphs[0].notes)


@pytest.mark.parametrize("rest", ["or restore it from the checkpoint", "or load from checkpoint directory"])
def test_a_comment_on_a_new_context_does_not_say_that_it_may_be_an_older_one(rest: str) -> None:
    new = new_text(native_result(RECOVERED.format(comment=f"Set it up: make a new one {rest}")))
    assert "\n# Set it up: make a new one\n" in new


LESSON = """\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

# without a SparkContext where a shell has one, it never needs two
sc = SparkContext(appName="Lesson")
ssc = StreamingContext(sc, 4)  # 4 second window
# Read the stream as a KafkaDStream
messages = KafkaUtils.createDirectStream(ssc, ["pages"], {"metadata.broker.list": sys.argv[1]})

# Take the text, which is what
# an RDD of N pairs becomes, an RDD
# of N texts
lines = messages.map(lambda message: message[1])

######## 2. Count ########

# how often each line comes
counts = lines.countByValue()
counts.pprint()

'''
(u'a', 2)
'''

# ---- end of the counts ----

# Show them again
# Start the computation
# and run it until somebody stops it
counts.map(lambda pair: pair[0]).pprint()
ssc.start()
ssc.awaitTermination()
ssc.stop()  # StreamingContext stop
"""


def test_prose_stays_as_it_was_and_a_note_names_what_speaks_of_the_old_api() -> None:
    result = native_result(LESSON)
    new = new_text(result)
    for line in (
        "# without a SparkContext where a shell has one, it never needs two",
        "# Read the stream as a KafkaDStream",
        "# an RDD of N pairs becomes, an RDD",
    ):
        assert line in new
    (note,) = [note for note in result.graphs[0].notes if "as they were" in note]
    assert "`# Read the stream as a KafkaDStream`" in note
    assert "`# an RDD of N pairs becomes, an RDD`" in note
    assert "of N texts" not in note


def test_what_a_source_does_already_is_said_of_what_does_it() -> None:
    assert "    # of N texts\n    .select(F.decode(" in native(LESSON)
    trailing = LESSON.replace("message[1])", "message[1])  # its text")
    assert '    .select(F.decode("value", "UTF-8").alias("value"))  # its text\n' in native(trailing)


@pytest.mark.parametrize("said", ["# into a DStream", "# LIMIT = 10"])
def test_what_is_about_all_of_the_source_or_is_code_stands_above_it(said: str) -> None:
    head, _, tail = LESSON.partition("# Take the text")
    source = f"{head}{said}\n{tail[tail.index('lines = ') :]}"
    told = said.replace("DStream", "streaming DataFrame")
    assert f"{told}\nlines = (" in native(source)


def test_it_is_said_of_the_source_where_that_does_nothing_else() -> None:
    assert "# all\nlines_2 = " in native(
        socket_program("# all\nlines_2 = lines.map(lambda x: x)\nlines_2.pprint()")
    )


def test_a_comment_that_stays_where_its_statement_goes_speaks_of_no_stream() -> None:
    head, _, tail = LESSON.partition("# Read the stream as a KafkaDStream\n")
    made = '# a DStream of pages\n\n#  params = {}\nparams = {"metadata.broker.list": sys.argv[1]}\n'
    new = native(head + made + tail.replace('{"metadata.broker.list": sys.argv[1]}', "params"))
    assert "# a streaming DataFrame of pages\n" in new


def test_what_is_said_of_the_interval_stands_beside_the_trigger() -> None:
    assert 'trigger(processingTime="4 seconds")  # 4 second window\n' in native(LESSON)
    above = LESSON.replace("  # 4 second window", "").replace("ssc = S", "# each 4 seconds\nssc = S")
    assert "query = (\n    # each 4 seconds\n    lines.writeStream.trigger(" in native(above)
    alone = above.replace("# Start the computation\n# and run it until somebody stops it\n", "")
    assert "\n# each 4 seconds\nquery = lines" in native(alone)


def test_so_does_what_names_it_below_the_context() -> None:
    said = "# Note that the 1 is called the batch interval."
    source = socket_program("lines.pprint()")
    new = native(source.replace("lines = ", f"{said}\nlines = "))
    assert f"{said}\nquery = " in new and new.count(said) == 1
    blank = native(source.replace("lines = ", f"\n{said}\nlines = "))
    assert f"{said}\nlines = " in blank, "set off it may be about the stream"


@pytest.mark.parametrize("said", ["#2s一个批次", "# intervalo de tempo: 2", "# 2 segundos"])
@pytest.mark.parametrize("above", [False, True])
def test_so_it_does_where_the_session_stands_in_the_place_of_the_context(said: str, above: bool) -> None:
    """The program's own SparkContext comes of a function that stays."""
    made = "ssc = StreamingContext(sc, 2)"
    made = f"{said}\n{made}" if above else f"{made}  {said}"
    source = f"""\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def context():
    return SparkContext("local[2]", "Words")


sc = context()
{made}
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
ssc.awaitTermination()
"""
    result = native_result(source)
    new = new_text(result)
    assert new.count(said) == 1
    where = f"{said}\nquery = " if above else f'.trigger(processingTime="2 seconds")  {said}\n'
    assert where in new
    assert said not in " ".join(result.graphs[0].notes)


@pytest.mark.parametrize(
    ("output", "sink"),
    [
        ("lines.foreachRDD(lambda rdd: rdd.foreach(lambda line: print(line)))", ".foreach("),
    ],
)
def test_what_is_said_of_an_output_that_the_query_writes_stands_beside_its_sink(
    output: str, sink: str
) -> None:
    start = "\n# Start it\nssc.start()"
    source = socket_program(f"# Show them\n{output}\n").replace("\nssc.start()", start)
    new = native(source)
    assert "\n# Start it\nquery = (\n" in new
    assert f"    # Show them\n    {sink}" in new


def test_what_is_said_of_the_start_above_an_output_stands_above_the_start() -> None:
    new = native(LESSON)
    assert "\n# Start the computation\n# and run it until somebody stops it\nquery = " in new
    assert "    # Show them again\n    " in new
    context = LESSON.replace(
        "Start the computation\n# and run it until somebody stops it", "start the context"
    )
    assert "\n# start the query\nquery = " in native(context)
    streaming = context.replace("start the context", "start the streaming context")
    assert "\n# start the streaming query\nquery = " in native(streaming)


@pytest.mark.parametrize("comment", ["# Run the query on the stream", "# start with the stream's words"])
def test_what_is_said_of_an_output_stays_at_it(comment: str) -> None:
    assert f"    {comment}\n    print(batch." in native(socket_program(f"{comment}\nlines.count().pprint()"))
    assert f"\n{comment}\nquery = (" in native(socket_program(f"{comment}\nlines.pprint()"))


def test_headings_and_texts_between_statements_that_move_go_with_them() -> None:
    new = native(LESSON)
    function = new[new.index("def process_batch") : new.index("# Start the")]
    assert "    ######## 2. Count ########\n\n    # how often" in function
    assert "\n\n    '''\n    (u'a', 2)\n    '''\n\n" in function


def test_the_text_below_the_last_output_goes_with_it_where_others_do() -> None:
    text = '\n\n"""\n{}\n"""\n\n'
    shown = f"lines.pprint(){text.format('ten lines')}"
    last = f"lines.count().pprint(){text}"
    new = native(socket_program(shown + last.format("their number")))
    assert '    """\n    ten lines\n    """\n' in new
    assert '    """\n    their number\n    """\n' in new
    alone = native(socket_program(last.format("their number")))
    assert text.format("their number").strip("\n") in alone, "it may be about what is below"
    start = "Start the program"
    assert text.format(start).strip("\n") in native(socket_program(shown + last.format(start)))


def test_what_is_said_above_an_import_in_the_middle_of_code_stays() -> None:
    head, imported, tail = socket_program("lines.pprint()").partition(
        "from pyspark.streaming import StreamingContext\n"
    )
    for said, stays in (("# 2. Start here in the shell", True), ("# what streaming needs", False)):
        middle = tail.replace("ssc = S", f"\n{said}\n{imported}ssc = S")
        assert (said in native(head + middle)) is stays


def test_what_ends_above_a_statement_that_moves_stays_with_it() -> None:
    ends = "print(1)\n# ---- end of the settings ----\n\n# the lines\nlines.pprint()"
    new = new_text(native_result(socket_program(ends)))
    assert "\n# ---- end of the settings ----\n" in new
    assert "\n# the lines\nquery = " in new


def test_what_is_said_of_the_end_is_said_of_the_session_where_that_is_what_stops() -> None:
    source = socket_program("lines.pprint()") + "# SparkContext Stop\nssc.stop()\n"
    assert "# SparkSession Stop\nspark.stop()" in native(source)


def test_what_stands_right_below_a_source_stays_there() -> None:
    words = "lines.flatMap(str.split).countByValue().pprint()"
    new = native(socket_program(f"# print(lines)\n\n# the words\n{words}"))
    assert new.index("# print(lines)") < new.index("def process_batch") < new.index("# the words")


def test_a_comment_on_the_context_goes_with_it_where_the_query_stands_for_it() -> None:
    source = socket_program("lines.pprint()").replace(
        "ssc = S", "# a spark context with the above settings\nssc = S"
    )
    result = native_result(source)
    assert "above settings" not in new_text(result)
    assert "above settings" in " ".join(note for note in result.graphs[0].notes if "left out" in note)


def test_a_comment_apart_from_the_file_s_header_names_the_session() -> None:
    header = "#\n# Words\n#\n\n# Import what is needed, create a SparkContext and Streaming Contexts\n"
    new = native(header + socket_program("lines.pprint()"))
    assert new.startswith("#\n# Words\n#\n\n# Import what is needed, create a SparkSession\nfrom pyspark.sql")


def test_what_a_line_of_a_source_ends_in_stays_with_its_path() -> None:
    source = socket_program("lines.pprint()").replace(
        'socketTextStream("localhost", 9999)', 'textFileStream("log")  # of the servers'
    )
    assert 'lines = (\n    spark.readStream.text("log")  # of the servers\n    .where(' in native(source)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["# keep the hashtags, then map each hashtag to be a pair of (hashtag,1)"], ["# keep the hashtags"]),
        (["# Map every word to a tuple (word, 1)."], [""]),
        (["# split into words and map each word to (word, 1)"], ["# split into words"]),
        (["# the hashtags, and creating a tuple (hashtag, 1) from each hashtag."], ["# the hashtags"]),
        (["# map each line to its words"], ["# map each line to its words"]),
        (["#making pairs like (hashtag, 1)"], [""]),
        (["# take the hashtags, then create a key-value pair (tag, 1)"], ["# take the hashtags"]),
        (["# pairs of (word, 1)"], [""]),
        (["# (word, 1)"], [""]),
        (["# DStream of (status, 1)"], [""]),
        (["# pairs of (word, 1) are sent"], ["# pairs of (word, 1) are sent"]),
        (["## put one for each word", "## sum them"], ["", "## sum them"]),
        (["# split,", "# then map each word to (word, 1)"], ["# split,", ""]),
    ],
)
def test_no_comment_says_that_words_are_paired(old: list[str], new: list[str]) -> None:
    assert without_pairs(old) == new


PAIRED = """
# keep the long words, then map each word to a pair of (word, 1)
pairs = lines.filter(lambda word: len(word) > 3).map(lambda word: (word, 1))
"""
COUNTS = "# count them\ncounts = pairs.reduceByKey(lambda a, b: a + b)\ncounts.pprint()\n"
TOTALS = (
    "# count them\n"
    "totals = pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0))\n"
    "totals.pprint()\n"
)


@pytest.mark.parametrize("then", [COUNTS, TOTALS], ids=["counts", "totals"])
def test_what_words_were_put_beside_is_gone(then: str) -> None:
    text = native(socket_program(PAIRED + then))
    assert "# keep the long words\n" in text and "(word, 1)" not in text
    assert "# count them" in text


def test_nor_are_there_pairs_where_a_window_counts_the_words() -> None:
    window = "counts = pairs.reduceByKeyAndWindow(lambda a, b: a + b, None, 4, 2)\ncounts.pprint()\n"
    text = native(socket_program(PAIRED + window))
    assert "# keep the long words\n" in text and "(word, 1)" not in text


def test_pairs_that_are_there_still_are_said_to_be() -> None:
    text = native(socket_program(PAIRED + "pairs.pprint()\n" + COUNTS))
    assert "# keep the long words, then map each word to a pair of (word, 1)" in text


def test_a_comment_that_has_other_words_is_not_said_to_be_left_out() -> None:
    comment = "# Create Streaming Context and set batch interval"
    head, _, tail = socket_program("lines.pprint()").partition("sc = SparkContext")
    conf = f"from pyspark import SparkConf\n{comment}\nconf = SparkConf().setAppName('a')\n"
    made = "sc = SparkContext.getOrCreate(conf=conf)\nsc.setCheckpointDir('kept')\n"
    made += "ssc = StreamingContext(sc, 1)\n"
    result = native_result(head + conf + made + tail[tail.index("lines =") :])
    assert "# Create SparkSession\n" in new_text(result)
    (note,) = (note for note in result.graphs[0].notes if comment in note)
    assert note.startswith("comments that name what is there now")


def test_a_context_of_another_one_with_its_interval_is_not_told_of_above_the_query() -> None:
    head, _, tail = socket_program("lines.pprint()").partition("sc = SparkContext")
    made = "from jobs import sc\n{}\nssc = StreamingContext(sc, 2)\n"
    comment = "# create the Streaming Context from the above spark context with interval size 2 seconds"
    new = native(head + made.format(comment) + tail[tail.index("lines =") :])
    assert new.count("size") == new.count(")  # interval size 2 seconds\n") == 1
    assert "# two seconds a batch" in native(
        head + made.format("# two seconds a batch") + tail[tail.index("lines =") :]
    )


STEPS = """\
# 1. Connect
lines = ssc.socketTextStream("localhost", 9999)
# 2. Checkpoint it
ssc.checkpoint("checkpoint")
# 3. Print the lines
lines.pprint()
# 4. Start the context
ssc.start()
ssc.awaitTermination()
"""


def stepped(steps: str) -> str:
    head = (
        "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
        'ssc = StreamingContext(SparkContext(appName="a"), 1)\n'
    )
    return native(head + steps)


def test_the_numbers_of_steps_follow_each_other_where_one_goes() -> None:
    new = stepped(STEPS)
    assert "# 1. Connect\n" in new and "# 2. Print the lines\n# 3. Start the query\n" in new


def test_a_step_that_moves_into_a_callback_keeps_its_number() -> None:
    new = native(
        "import json\nfrom pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n"
        "ssc = StreamingContext(SparkContext(), 1)\n\n\n"
        "def save(rdd):\n    for value in rdd.collect():\n        print(value['a'])\n\n\n"
        "# 1. read lines\nlines = ssc.socketTextStream('localhost', 9999)\n\n"
        "# 2. parse their JSON\nvalues = lines.map(lambda line: json.loads(line))\n\n"
        "# 3. save them\nvalues.foreachRDD(save)\n\nssc.start()\nssc.awaitTermination()\n"
    )
    assert "    # 2. parse their JSON\n" in new and "\n# 3. save them\n" in new


@pytest.mark.parametrize(("old", "new"), [("# 4. ", "# 5. "), ("# 1. ", "# 3. "), ("# 3. ", "# ")])
def test_numbers_that_do_not_count_steps_stay(old: str, new: str) -> None:
    steps = STEPS.replace(old, new)
    assert ("# 5. " if new == "# 5. " else "# 4. ") in stepped(steps)


def test_what_converts_an_rdd_to_a_dataframe_goes_where_batches_are_dataframes() -> None:
    body = """\
from pyspark.sql import Row, SparkSession
spark = SparkSession.builder.getOrCreate()

def show(rdd):
    # Convert RDD[String] to RDD[Row] to DataFrame
    if not rdd.isEmpty():
        words = spark.createDataFrame(rdd.map(lambda word: Row(word=word)))
        words.createOrReplaceTempView("words")
        spark.sql("SELECT * FROM words").show()

lines.foreachRDD(show)
"""
    result = native_result(socket_program(body))
    assert "Convert" not in new_text(result)
    assert any("left out" in note and "`# Convert RDD" in note for note in result.graphs[0].notes)


def test_no_comment_warns_of_imports_that_are_gone() -> None:
    warning = "# May cause deprecation warnings, safe to ignore"
    source = socket_program("lines.pprint()")
    result = native_result(f"import sys\n{warning}\n# Spark\n{source}print(sys)")
    assert warning not in new_text(result) and "# Spark\n" in new_text(result)
    assert any("left out" in note and f"`{warning}`" in note for note in result.graphs[0].notes)
    assert f"{warning}\nimport os\n" in native(f"{source}{warning}\nimport os\nprint(os)")


def test_an_empty_comment_above_what_goes_goes_too() -> None:
    body = "words = lines.map(str)\n#\npairs = words.map(lambda w: (w, 1))\n\n# of all\n"
    new = native(socket_program(f"{body}pairs.reduceByKey(lambda a, b: a + b).pprint()"))
    assert "#\n" not in new and "# of all\n" in new


def test_what_a_stream_was_told_apart_from_is_gone() -> None:
    source = socket_program("lines.pprint()").replace(
        "lines = ", "# Lines is not a rdd but a sequence of rdd, which changes\nlines = "
    )
    assert "# Lines is a streaming DataFrame, which changes\nlines = (" in native(source)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            ["# Print the first ten elements of each RDD generated in this DStream to", "# the console"],
            ["# Print the first ten elements of each batch to the console"],
        ),
        (
            ["# Print the first ten elements of each RDD generated in this DStream to", "# The console"],
            ["# Print the first ten elements of each batch to", "# The console"],
        ),
    ],
)
def test_what_is_shorter_is_filled_up(old: list[str], new: list[str]) -> None:
    assert retold(old, Makes.FRAME, "spark") == new
