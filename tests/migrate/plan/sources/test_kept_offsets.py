"""Kafka's offsets that a program stores by itself: the checkpoint of the query holds them now."""

from __future__ import annotations

import pytest

from migrate.model import Outcome, Result
from tests.migrate.programs import STORING, flat, run

IMPORTS = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils, TopicAndPartition
"""
REDIS = f"import redis\n\nclient = redis.Redis()\n{STORING}\n\n"
SOURCE = """\
sc = SparkContext(appName="Pages")
ssc = StreamingContext(sc, 5)
params = {"metadata.broker.list": "broker:9092", "auto.offset.reset": "smallest"}
pages = KafkaUtils.createDirectStream(ssc, ["pages"], params, fromOffsets=read_offsets("pages"))
"""
PRINTING = 'pages.map(lambda x: x[1]).filter(lambda line: "ERROR" in line).pprint()\n'
START = "ssc.start()\nssc.awaitTermination()\n"
AFTER = """\
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# this query's own directory, which each start reaches: it keeps the offsets
CHECKPOINT = "checkpoints/job"

spark = SparkSession.builder.appName("Pages").getOrCreate()
pages = (
    spark.readStream.format("kafka")
    .option("kafka.bootstrap.servers", "broker:9092")
    .option("subscribe", "pages")
    .option("startingOffsets", "earliest")
    .load()
    .select(F.decode("value", "UTF-8").alias("value"))
)
query = (
    pages.where(F.col("value").contains("ERROR"))
    .writeStream.format("console")
    .options(truncate=False, numRows=10)
    .trigger(processingTime="5 seconds")
    .option("checkpointLocation", CHECKPOINT)
    .start()
)
query.awaitTermination()
"""


def program(store: str = REDIS, keeping: str = "pages.transform(hold).foreachRDD(save)\n") -> str:
    """A program that prints lines with errors and keeps its offsets in some way."""
    return IMPORTS + store + SOURCE + keeping + PRINTING + START


def native(text: str) -> Result:
    """What becomes of a program, which must be native."""
    result = run(text)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    return result


def test_a_store_that_the_next_start_reads() -> None:
    result = native(program())
    assert result.files[0].new == AFTER
    (graph,) = result.graphs
    assert any("handover" in one and "with the oldest messages" in one for one in graph.must_change)
    assert any("`CHECKPOINT`" in one for one in graph.must_change)
    assert any("compat.kafka.lag" in one for one in graph.notes)


ZOOKEEPER = """\
from kazoo.client import KazooClient

ROOT = "/consumers/"
zk = KazooClient("zookeeper:2181")
zk.start()


def read_offsets(topic):
    found = {}
    try:
        for partition in zk.get_children(ROOT + topic):
            found[TopicAndPartition(topic, int(partition))] = int(zk.get(ROOT + topic + "/" + partition)[0])
    except Exception as error:
        print("no offsets", error)
        return None
    return found


def save(rdd):
    for o in rdd.offsetRanges():
        path = f"{ROOT}{o.topic}/{o.partition}"
        zk.ensure_path(path)
        zk.set(path, str(o.untilOffset).encode())


"""
FILES = """\
import json
import os

PATH = "/data/offsets.json"


def read_offsets(topic):
    if not os.path.exists(PATH):
        return {}
    with open(PATH) as saved:
        return {TopicAndPartition(topic, int(k)): v for k, v in json.load(saved).items()}


def save(rdd):
    ranges = rdd.offsetRanges()
    with open(PATH, "w") as saved:
        json.dump({str(o.partition): o.untilOffset for o in ranges}, saved)
    return rdd


"""


@pytest.mark.parametrize(
    ("store", "keeping"),
    [
        (REDIS, "pages.transform(lambda rdd: hold(rdd)).foreachRDD(lambda rdd: save(rdd))\n"),
        (REDIS, "pages = pages.transform(hold)\npages.foreachRDD(lambda time, rdd: save(rdd))\n"),
        (ZOOKEEPER, "pages.foreachRDD(save)\n"),
        (ZOOKEEPER, "pages.foreachRDD(lambda rdd: save(rdd) if not rdd.isEmpty() else None)\n"),
        (FILES, "pages.foreachRDD(save)\n"),
        (FILES, "pages = pages.transform(save)\n"),
    ],
    ids=["lambdas", "same variable", "zookeeper", "not without rows", "file", "stored in transform"],
)
def test_stores_of_all_kinds(store: str, keeping: str) -> None:
    assert native(program(store, keeping)).files[0].new == AFTER


IN_MAIN = (
    IMPORTS
    + """\
import redis


def read_offsets(client, topic):
    found = {}
    for k, v in client.hgetall(topic).items():
        found[TopicAndPartition(topic, int(k))] = int(v)
    return found


def save(rdd, client):
    for o in rdd.offsetRanges():
        client.hset(o.topic, o.partition, o.untilOffset)


def main(topic):
    client = redis.Redis()
    begin = read_offsets(client, topic)
    ssc = StreamingContext(SparkContext(appName="Pages"), 5)
    params = {"metadata.broker.list": "broker:9092", "auto.offset.reset": "smallest"}
    pages = KafkaUtils.createDirectStream(ssc, [topic], params, fromOffsets=begin)
    pages.foreachRDD(lambda rdd: save(rdd, client))
    pages.map(lambda x: x[1]).pprint()
    ssc.start()
    ssc.awaitTermination()


main("pages")
"""
)


def test_a_client_that_is_handed_on() -> None:
    new = native(IN_MAIN).files[0].new
    assert "redis" not in new
    assert "client" not in new
    assert "begin" not in new
    assert "CHECKPOINT" in new


def test_one_function_for_two_clients() -> None:
    """A function that is handed a store once, and something else later, is followed both times."""
    text = IN_MAIN.replace(
        "def save(rdd, client):\n", "def put(to, o):\n    to.hset(o.topic, o.partition)\n\n\n"
    )
    text = text.replace("import redis\n", "import redis\nimport monitor\n")
    text = text.replace(
        "    for o in rdd.offsetRanges():\n        client.hset(o.topic, o.partition, o.untilOffset)\n",
        "def save(rdd, client):\n"
        "    for o in rdd.offsetRanges():\n        put(client, o)\n        put({}, o)\n",
    )
    assert native(text.replace("put({}, o)", "put(client, o)"))
    (graph,) = run(text.replace("put({}, o)", "put(monitor.Client(), o)")).graphs
    assert graph.outcome is Outcome.COMPAT


STORE_CLASS = """\
from kazoo.client import KazooClient


class Offsets:
    ROOT = "/consumers/"

    def __init__(self, hosts):
        self.zk = KazooClient(hosts)
        self.zk.start()

    def read(self, topic):
        found = {}
        for partition in self.zk.get_children(self.ROOT + topic):
            value = self.zk.get(self.ROOT + topic + "/" + partition)[0]
            found[TopicAndPartition(topic, int(partition))] = int(value)
        return found

    def save(self, rdd):
        for o in rdd.offsetRanges():
            self.zk.set(self.ROOT + o.topic + "/" + str(o.partition), str(o.untilOffset).encode())


offsets = Offsets("zookeeper:2181")
"""
STATIC = """\
from kazoo.client import KazooClient


class Offsets:
    @staticmethod
    def client():
        zk = KazooClient("zookeeper:2181")
        zk.start()
        return zk

    @staticmethod
    def read(topic):
        zk = Offsets.client()
        found = {}
        for partition in zk.get_children(topic):
            found[TopicAndPartition(topic, int(partition))] = int(zk.get(topic + "/" + partition)[0])
        return found

    @staticmethod
    def save(rdd):
        zk = Offsets.client()
        for o in rdd.offsetRanges():
            zk.set(o.topic + "/" + str(o.partition), str(o.untilOffset).encode())


"""


@pytest.mark.parametrize(
    ("store", "owner", "keeping"),
    [
        (STORE_CLASS, "offsets", "pages.foreachRDD(offsets.save)\n"),
        (STATIC, "Offsets", "pages.foreachRDD(lambda rdd: Offsets.save(rdd))\n"),
    ],
    ids=["object", "static methods"],
)
def test_a_class_that_stores(store: str, owner: str, keeping: str) -> None:
    text = program(store, keeping).replace("read_offsets(", f"{owner}.read(")
    assert native(text).files[0].new == AFTER


JOB = (
    IMPORTS
    + """\
from kazoo.client import KazooClient


class Job:
    def __init__(self, ssc, topic):
        self.ssc = ssc
        self.topic = topic
        self.ranges = []
        self.zk = KazooClient("zookeeper:2181")

    def read(self):
        found = {}
        for partition in self.zk.get_children(self.topic):
            value = self.zk.get(self.topic + "/" + partition)[0]
            found[TopicAndPartition(self.topic, int(partition))] = int(value)
        return found

    def hold(self, rdd):
        self.ranges = rdd.offsetRanges()
        return rdd

    def save(self, rdd):
        for o in self.ranges:
            self.zk.set(o.topic + "/" + str(o.partition), str(o.untilOffset).encode())

    def run(self):
        begin = self.read()
        params = {"metadata.broker.list": "broker:9092"}
        pages = KafkaUtils.createDirectStream(self.ssc, [self.topic], params, fromOffsets=begin)
        pages.transform(self.hold).foreachRDD(lambda rdd: self.save(rdd))
        pages.map(lambda x: x[1]).pprint()
        self.ssc.start()
        self.ssc.awaitTermination()


sc = SparkContext(appName="Pages")
ssc = StreamingContext(sc, 5)
Job(ssc, "pages").run()
"""
)


def test_methods_beside_the_streams() -> None:
    new = native(JOB).files[0].new
    assert "zk" not in new
    assert "ranges" not in new
    assert "def read" not in new
    assert "self.topic = topic" in new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("class Job:", "class Job(Base):"),
        ("self.ssc.start()", "print(self.ranges)\n        self.ssc.start()"),
        ("= KazooClient(", "= make_client("),
        ('self.zk = KazooClient("zookeeper:2181")', "self.zk = topic"),
    ],
    ids=["base class", "read elsewhere", "a function that prints", "given"],
)
def test_methods_that_may_do_more(old: str, new: str) -> None:
    head = "def make_client(hosts):\n    print(hosts)\n    return KazooClient(hosts)\n\n\n"
    head += "class Base:\n    pass\n\n\n"
    text = JOB.replace(old, new).replace("class Job", f"{head}class Job")
    (graph,) = run(text).graphs
    assert graph.outcome is Outcome.COMPAT


def test_a_variable_that_holds_what_was_read() -> None:
    text = (
        program()
        .replace("fromOffsets=read_offsets(", "fromOffsets=begin")
        .replace('begin"pages"))', "begin)")
    )
    assert (
        native(text.replace("pages = Kafka", 'begin = read_offsets("pages")\npages = Kafka')).files[0].new
        == AFTER
    )


def test_a_client_that_others_use_stays() -> None:
    used = "pages.foreachRDD(lambda rdd: client.set('errors', rdd.count()))\n"
    new = native(program() + "").files[0].new
    assert "client" not in new
    new = native(program(keeping="pages.transform(hold).foreachRDD(save)\n" + used)).files[0].new
    assert "client = redis.Redis()" in new
    assert "import redis" in new
    assert "hset" not in new


def test_a_list_that_nobody_reads_goes() -> None:
    source = SOURCE.replace(', fromOffsets=read_offsets("pages")', "")
    hold = "def hold(rdd):\n    for o in rdd.offsetRanges():\n        seen.append(o)\n    return rdd\n\n\n"
    text = IMPORTS + "seen = []\n\n\n" + hold + source + "pages = pages.transform(hold)\n" + PRINTING + START
    new = native(text).files[0].new
    assert "seen" not in new
    assert any("`transform(hold)` kept ranges" in one for one in native(text).graphs[0].notes)
    assert "checkpoint" not in new.lower()


def test_a_checkpoint_of_the_program_is_the_place() -> None:
    text = program().replace("ssc.start()", 'ssc.checkpoint("hdfs:///pages")\nssc.start()')
    new = flat(native(text).files[0].new)
    assert '.option("checkpointLocation","hdfs:///pages/query")' in new
    assert "CHECKPOINT" not in new


def test_a_state_begins_anew_as_it_did() -> None:
    counting = (
        "pages.map(lambda x: (x[1], 1)).updateStateByKey(lambda new, old: sum(new) + (old or 0)).pprint()\n"
    )
    new = native(program().replace(PRINTING, counting)).files[0].new
    assert ".foreachBatch(" in new
    assert "outputMode" not in new


def test_a_text_beside_the_store_is_told() -> None:
    text = program().replace("    for o in ranges:", '    print("saving")\n    for o in ranges:')
    (graph,) = native(text).graphs
    assert any('`print("saving")`' in one for one in graph.notes)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    for o in ranges:\n", "    for o in ranges:\n        print(o.untilOffset)\n"),
        ("    for o in ranges:\n", "    print(rdd.count())\n    for o in ranges:\n"),
        ("client.hset(", "client.publish("),
        ("        client.hset(", "        statsd.gauge('lag', 1)\n        client.hset("),
        ("ssc.start()", "print(ranges)\nssc.start()"),
        ("ssc.start()", "save(None)\nssc.start()"),
        ("    if not client", "    print('offsets of', topic)\n    if not client"),
        ("        return None\n", "        return {TopicAndPartition(topic, 0): 0}\n"),
        ("int(v) for", "int(v or 0) for"),
        ("    return rdd\n", "    return rdd.filter(lambda x: x[1])\n"),
        ("    return rdd\n", "    if ranges:\n        return rdd\n    return rdd.filter(bool)\n"),
        ("hold(rdd):\n", "hold(rdd):\n    global at\n    at = rdd.offsetRanges()[0].untilOffset\n"),
        (', fromOffsets=read_offsets("pages")', ""),
        ("ssc.awaitTermination()\n", ""),
    ],
    ids=[
        *(
            "prints",
            "elements",
            "tells",
            "metrics",
            "read elsewhere",
            "called elsewhere",
            "prints what it reads",
        ),
        *(
            "begins somewhere",
            "a default",
            "another RDD",
            "at times another RDD",
            "held twice",
            "nobody reads",
            "nobody waits",
        ),
    ],
)
def test_other_uses_stay(old: str, new: str) -> None:
    text = program().replace(old, new)
    assert text != program()
    text = text.replace("ranges = []", "ranges = []\nat = 0").replace("ssc.start()", "print(at)\nssc.start()")
    (graph,) = run(text).graphs
    assert graph.outcome is Outcome.COMPAT


def test_another_store_than_the_one_that_is_read() -> None:
    text = program().replace("client.hset(o.topic", "other.hset(o.topic")
    text = text.replace("ranges = []", 'import pymongo\nother = pymongo.MongoClient()["a"]\nranges = []')
    (graph,) = run(text).graphs
    assert graph.outcome is Outcome.COMPAT


def test_a_log_is_no_store() -> None:
    (graph,) = run(program(FILES.replace('"w"', '"a"'), "pages.foreachRDD(save)\n")).graphs
    assert graph.outcome is Outcome.COMPAT


def test_offsets_in_a_variable_that_may_be_a_constant() -> None:
    text = IN_MAIN.replace("int(v)\n", "begin\n").replace("    for k, v", "    begin = 0\n    for k, v")
    (graph,) = run(text).graphs
    assert graph.outcome is Outcome.COMPAT


def test_a_function_that_is_refused_once_stays_refused() -> None:
    connect = "def connect():\n    print(redis.__file__)\n    return redis.Redis()\n\n\n"
    text = program().replace("client = redis.Redis()", f"{connect}client = connect()")
    text = text.replace("    for o in ranges:", "    client.ping()\n    connect()\n    for o in ranges:")
    (graph,) = run(text).graphs
    assert graph.outcome is Outcome.COMPAT


GET_OR_CREATE = (
    IMPORTS
    + REDIS
    + "def create():\n"
    + "".join(f"    {line}\n" for line in SOURCE.splitlines())
    + "    pages.transform(hold).foreachRDD(save)\n"
    + f"    {PRINTING}"
    + '    ssc.checkpoint("pages")\n'
    + "    return ssc\n\n\n"
    + 'ssc = StreamingContext.getOrCreate("pages", create)\n'
    + START
)


def test_a_program_that_goes_on_from_its_checkpoint_already() -> None:
    result = native(GET_OR_CREATE)
    assert '.option("checkpointLocation","pages/query")' in flat(result.files[0].new)
    assert "CHECKPOINT" not in result.files[0].new
    assert any("compat.kafka.lag" in note for note in result.graphs[0].notes)


def test_a_stream_of_another_name_and_the_store_last() -> None:
    text = program(keeping="kept = pages.transform(hold)\n").replace("pages.map", "kept.map")
    assert native(text.replace("ssc.start()", "kept.foreachRDD(save)\nssc.start()")).files[0].new == AFTER


def test_both_outputs_and_the_store() -> None:
    outputs = "lines = pages.map(lambda x: x[1])\nlines.foreachRDD(lambda rdd: print(rdd.count()))\n"
    new = flat(native(program().replace(PRINTING, outputs + PRINTING)).files[0].new)
    assert '.option("checkpointLocation",CHECKPOINT)' in new
    assert "offset" not in new.replace("startingOffsets", "").replace("itkeepstheoffsets", "")
