"""Graphs that are built in several functions or in a class: what carries the context and the streams."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, run

RECOVERED = """\
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def create(host, port):
    sc = SparkContext("local[2]", "Boats")
    ssc = StreamingContext(sc, 5)
    lines = ssc.socketTextStream(host, port)
    lines.pprint()
    return ssc

if __name__ == "__main__":
    ssc = StreamingContext.getOrCreate("cp", lambda: create("localhost", int(sys.argv[2])))
    ssc.start()
    ssc.awaitTermination()
"""
RECOVERED_AFTER = """\
import sys
from pyspark.sql import SparkSession

def create(host, port):
    spark = SparkSession.builder.master("local[2]").appName("Boats").getOrCreate()
    lines = spark.readStream.format("socket").option("host", host).option("port", port).load()

    def process_batch(batch, batch_id):
        batch.show(10, truncate=False)

    return (
        lines.writeStream.outputMode("append")
        .trigger(processingTime="5 seconds")
        .foreachBatch(process_batch)
    )

if __name__ == "__main__":
    writer = create("localhost", int(sys.argv[2]))
    query = writer.start()
    query.awaitTermination()
"""

FACTORY = """\
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def create_context(name):
    sc = SparkContext(appName=name)
    ssc = StreamingContext(sc, 5)
    ssc.checkpoint("cp")
    return ssc


def main():
    ssc = create_context("Words")
    lines = ssc.socketTextStream(sys.argv[1], 9999)
    # count
    lines.flatMap(lambda l: l.split(" ")).map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b).pprint()
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main()
"""
FACTORY_AFTER = """\
import sys
from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def create_context(name):
    spark = SparkSession.builder.appName(name).getOrCreate()
    spark.conf.set("spark.sql.shuffle.partitions", spark.sparkContext.defaultParallelism)
    return spark


def main():
    spark = create_context("Words")
    lines = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", 9999)
        .load()
    )

    def process_batch(batch, batch_id):
        # count
        (
            batch.select(F.explode(F.split("value", " ")).alias("word"))
            .groupBy("word")
            .agg(F.count("*").alias("count"))
            .show(10, truncate=False)
        )

    query = (
        lines.writeStream.outputMode("append")
        .trigger(processingTime="5 seconds")
        .foreachBatch(process_batch)
        .start()
    )
    query.awaitTermination()


if __name__ == "__main__":
    main()
"""

CLASS = """\
from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext


class Job(object):
    def __init__(self, host, port, interval):
        self.host = host
        conf = SparkConf().setAppName("job")
        self.sc = SparkContext(conf=conf)
        self.interval = interval
        self.ssc = StreamingContext(self.sc, self.interval)
        self.stream = self.ssc.socketTextStream(host, port)
        self.seen = 0

    def process(self):
        words = self.stream.flatMap(lambda l: l.split(" "))
        words.foreachRDD(lambda rdd: self.save(rdd))

    def save(self, rdd):
        for w in rdd.take(5):
            print(self.host, w)

    def run(self):
        self.process()
        self.ssc.start()
        self.ssc.awaitTermination()


if __name__ == "__main__":
    job = Job("localhost", 9999, 5)
    job.run()
"""
CLASS_AFTER = """\
from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as F


class Job(object):
    def __init__(self, host, port, interval):
        self.host = host
        conf = SparkConf().setAppName("job")
        self.sc = SparkContext(conf=conf)
        self.interval = interval
        self.spark = SparkSession.builder.getOrCreate()
        self.stream = (
            self.spark.readStream.format("socket")
            .option("host", host)
            .option("port", port)
            .load()
        )
        self.seen = 0

    def process(self):
        def process_batch(batch, batch_id):
            words = batch.select(F.explode(F.split("value", " ")).alias("word"))
            rdd = words.rdd.map(lambda row: row[0])
            self.save(rdd)

        self.writer = (
            self.stream.writeStream.outputMode("append")
            .trigger(processingTime=f"{int(self.interval * 1000)} milliseconds")
            .foreachBatch(process_batch)
        )

    def save(self, rdd):
        for w in rdd.take(5):
            print(self.host, w)

    def run(self):
        self.process()
        query = self.writer.start()
        query.awaitTermination()


if __name__ == "__main__":
    job = Job("localhost", 9999, 5)
    job.run()
"""

METHODS = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class Trainer:
    def __init__(self):
        self._init_spark()
        self._init_input()

    def start(self):
        self._prepare()
        self._out()
        self._start()

    def _init_spark(self):
        sc = SparkContext("local[2]", "x")
        ssc = StreamingContext(sc, 5)
        # where state goes
        ssc.checkpoint("cp")
        self._ssc = ssc

    def _init_input(self):
        raw = self._ssc.socketTextStream("h", 1)
        raw.pprint()
        self._raw = raw

    def _prepare(self):
        # split
        ds = self._raw.map(lambda l: l.split(","))
        self._ds = ds

    def _out(self):
        ds = self._ds
        ds.count().pprint()

    def _start(self):
        self._ssc.start()
        self._ssc.awaitTermination()


def main():
    Trainer().start()

if __name__ == "__main__":
    main()
"""
METHODS_AFTER = """\
from pyspark.sql import SparkSession
from pyspark.sql import functions as F


class Trainer:
    def __init__(self):
        self._init_spark()
        self._init_input()

    def start(self):
        self._out()
        self._start()

    def _init_spark(self):
        spark = SparkSession.builder.master("local[2]").appName("x").getOrCreate()
        self._spark = spark

    def _init_input(self):
        raw = (
            self._spark.readStream.format("socket")
            .option("host", "h")
            .option("port", 1)
            .load()
        )
        self._raw = raw

    def _out(self):
        def process_batch(batch, batch_id):
            if batch.isEmpty():
                return
            batch.persist()
            batch.show(10, truncate=False)
            # split
            ds = batch.select(F.split("value", ",").alias("ds"))
            ds.agg(F.count("*").alias("count")).show(10, truncate=False)
            batch.unpersist()

        self.writer = (
            self._raw.writeStream.outputMode("append")
            .trigger(processingTime="5 seconds")
            .foreachBatch(process_batch)
        )

    def _start(self):
        query = self.writer.start()
        query.awaitTermination()


def main():
    Trainer().start()

if __name__ == "__main__":
    main()
"""

BUILD = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def stream_of(ssc: StreamingContext, host):
    return ssc.socketTextStream(host, 1).map(lambda l: l.lower())

def words_of(lines):
    return lines.flatMap(lambda l: l.split(" "))

def build():
    sc = SparkContext("local[2]", "x")
    ssc = StreamingContext(sc, 5)
    lines = stream_of(ssc, "h")
    words = words_of(lines)
    words.pprint()
    return ssc

if __name__ == "__main__":
    context = build()
    context.start()
    context.awaitTermination()
"""
BUILD_AFTER = '''\
from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def lower(text):
    """text.lower(); the query fails on the few letters whose case Python and Spark do not agree on."""
    apart = (
        r"[\\u03a3\\u037f\\u0526-\\u052f\\u10c7\\u10cd\\u13a0-\\u13ff\\u1c80-\\u1cbf\\u2c2f\\u2cf2"
        r"\\ua660-\\ua7ff\\x{104b0}-\\x{16eff}\\x{1e900}-\\x{1e943}]"
    )
    message = F.concat(F.lit("lower() of: "), text)
    return F.coalesce(F.when(~text.rlike(apart), F.lower(text)), F.raise_error(message))


def stream_of(spark: SparkSession, host):
    return (
        spark.readStream.format("socket")
        .option("host", host)
        .option("port", 1)
        .load()
    )

def build():
    spark = SparkSession.builder.master("local[2]").appName("x").getOrCreate()
    lines = stream_of(spark, "h")

    def process_batch(batch, batch_id):
        (
            batch.select(lower(F.col("value")).alias("value"))
            .select(F.explode(F.split("value", " ")).alias("word"))
            .show(10, truncate=False)
        )

    return (
        lines.writeStream.outputMode("append")
        .trigger(processingTime="5 seconds")
        .foreachBatch(process_batch)
    )

if __name__ == "__main__":
    writer = build()
    query = writer.start()
    query.awaitTermination()
'''

HANDED = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def get_stream():
    sc = SparkContext("local[2]", "x")
    ssc = StreamingContext(sc, 5)
    lines = ssc.socketTextStream("h", 2)
    return ssc, lines


def run(ssc):
    ssc.start()
    ssc.awaitTermination()

ssc, lines = get_stream()
lines.pprint()
run(ssc)
"""
HANDED_AFTER = """\
from pyspark.sql import SparkSession


def get_stream():
    spark = SparkSession.builder.master("local[2]").appName("x").getOrCreate()
    lines = (
        spark.readStream.format("socket")
        .option("host", "h")
        .option("port", 2)
        .load()
    )
    return spark, lines


def run(writer):
    query = writer.start()
    query.awaitTermination()

spark, lines = get_stream()


def process_batch(batch, batch_id):
    batch.show(10, truncate=False)


writer = (
    lines.writeStream.outputMode("append")
    .trigger(processingTime="5 seconds")
    .foreachBatch(process_batch)
)
run(writer)
"""

GOLDEN = [
    pytest.param(RECOVERED, RECOVERED_AFTER, id="getOrCreate of a receiver without state builds anew"),
    pytest.param(FACTORY, FACTORY_AFTER, id="a function makes the context"),
    pytest.param(CLASS, CLASS_AFTER, id="a class holds context and stream"),
    pytest.param(METHODS, METHODS_AFTER, id="methods make streams one by one: they are made in one place"),
    pytest.param(BUILD, BUILD_AFTER, id="a function builds all of it and returns the context: the writer"),
    pytest.param(HANDED, HANDED_AFTER, id="context and stream are returned, and the context handed on"),
]


@pytest.mark.parametrize(("before", "after"), GOLDEN)
def test_a_graph_in_several_functions(before: str, after: str) -> None:
    assert file(before).new == after


def test_a_function_of_a_stream_returns_the_writer() -> None:
    new = file(
        _program(
            "def process(lines):\n    lines.pprint()\n\n",
            "lines = ssc.socketTextStream('h', 1)\nprocess(lines)\n",
        )
    ).new
    assert "writer = process(lines)\n" in new
    assert "query = writer.start()\n" in new
    assert "        .foreachBatch(process_batch)\n    )\n" in new


def test_a_context_of_the_module_is_used_in_a_function() -> None:
    new = file(
        _program(
            "", "def main():\n    ssc.socketTextStream('h', 1).pprint()\n    ssc.start()\n\nmain()\n", ""
        )
    ).new
    assert "spark = SparkSession" in new
    assert "        spark.readStream" in new
    assert "    query = (\n" in new


def _program(before: str, body: str, after: str = "ssc.start()\nssc.awaitTermination()\n") -> str:
    head = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n"
    return head + before + "sc = SparkContext()\nssc = StreamingContext(sc, 1)\n" + body + after


LINES = "lines = ssc.socketTextStream('h', 1)\n"
BLOCKED = [
    pytest.param(
        "def show(s):\n    s.pprint()\n\n",
        LINES + "show(lines)\nshow(lines.map(len))\n",
        "called in several places",
        id="one function, two streams",
    ),
    pytest.param(
        "def pairs_of(s):\n    print('building')\n    w = s.flatMap(str.split)\n    return w\n\n",
        LINES + "pairs = pairs_of(lines)\npairs.pprint()\n",
        "does more than make streams",
        id="a function that also does something else returns a stream",
    ),
    pytest.param(
        "def words_of(s, sep):\n    return s.flatMap(lambda l: l.split(sep))\n\n",
        LINES + "words_of(lines, ',').pprint()\n",
        "`sep`",
        id="a function of a stream with a parameter",
    ),
    pytest.param(
        "def kept(s):\n    seen.append(s)\n    s.pprint()\n\nseen = []\n",
        LINES + "kept(lines)\n",
        "handed on",
        id="a stream in a list",
    ),
    pytest.param(
        "def show(s):\n    s.pprint()\n\n",
        LINES + "if len(SparkContext.__name__) > 3:\n    show(lines)\n",
        "branch",
        id="a call that may not come",
    ),
    pytest.param(
        "def show(s):\n    for n in (1, 2):\n        s.pprint(n)\n\n",
        LINES + "show(lines)\n",
        "loop",
        id="outputs in a loop",
    ),
    pytest.param(
        "",
        LINES + "def late():\n    lines.pprint()\n\nssc.start()\nlate()\n",
        "started more than once",
        id="started twice",
    ),
    pytest.param(
        "",
        LINES + "a = lines.map(len)\nb = a\na = lines.filter(len)\na.pprint()\nb.pprint()\n",
        "bound again",
        id="a stream behind a name that is bound again",
    ),
    pytest.param(
        "class Job:\n    def __init__(self, ssc):\n        self.ssc = ssc\n\n",
        LINES + "Job(ssc)\nother = Job(ssc)\nlines.pprint()\n",
        "several places",
        id="two objects of a class",
    ),
]


@pytest.mark.parametrize(("before", "body", "why"), BLOCKED)
def test_what_cannot_be_followed_goes_to_compat(before: str, body: str, why: str) -> None:
    (graph,) = run(_program(before, body)).graphs
    assert graph.outcome.value == "compat"
    assert why in "; ".join(graph.reasons)


def test_a_context_that_nothing_uses_goes() -> None:
    head = "import sys\nfrom pyspark.streaming import StreamingContext\n"
    source = head + "\nssc = StreamingContext(sc, 1)\nprint(1)\n"
    assert file(source).new == "import sys\n\nprint(1)\n"


def test_a_context_that_nothing_starts_gives_a_writer() -> None:
    result = run(_program("", LINES + "lines.pprint()\n", ""))
    assert "writer = (\n    lines.writeStream" in result.files[0].new
    assert ".start()" not in result.files[0].new
    assert any("`writer.start()` starts the query" in note for note in result.graphs[0].notes)


RECOVERY = [
    pytest.param("    print('anew')\n", "would not run line", id="it does something else"),
    pytest.param(
        "    lines.map(lambda w: (w, 1)).updateStateByKey(lambda n, s: sum(n) + (s or 0)).pprint()\n",
        "state of the checkpoint",
        id="state",
    ),
    pytest.param("    ssc.textFileStream('in').pprint()\n", "in the source", id="files go on"),
]


@pytest.mark.parametrize(("line", "why"), RECOVERY)
def test_what_goes_on_from_a_checkpoint_stays_on_compat(line: str, why: str) -> None:
    source = RECOVERED.replace("    lines.pprint()\n", line + "    lines.pprint()\n")
    (graph,) = run(source).graphs
    assert graph.outcome.value == "compat"
    assert why in "; ".join(graph.reasons)
