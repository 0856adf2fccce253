"""A new job goes on where the old one stopped, and the old one where the new one did: nothing is lost or
read twice."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyspark
import pytest
from click.testing import CliRunner, Result
from kazoo.client import KazooClient
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from compat.handover import load_state, save_state
from compat.streaming import StreamingContext
from compat.streaming.kafka import KafkaUtils
from compat.testing import BatchClock
from migrate.cli import commands
from migrate.errors import EnvironmentProblemError
from migrate.kafka.broker import free_ports
from tests.e2e.kafka.broker import Broker
from tests.statements import wait_until

pytestmark = [pytest.mark.timeout(600), pytest.mark.full]

Counts = dict[str, int]


def handover(broker: Broker, *arguments: str) -> str:
    """What the command prints, which is the option `startingOffsets`."""
    result = invoked(broker, *arguments)
    if result.exception is not None:
        raise result.exception
    return result.stdout


def invoked(broker: Broker, *arguments: str) -> Result:
    return CliRunner().invoke(
        commands, ["handover", "--broker", broker.address, *arguments], standalone_mode=False
    )


def old_job(
    sc: SparkContext, broker: Broker, topic: str, group: str, batches: int, states: Path, initial: Any = None
) -> Counts:
    """How often each message was taken: a running count by a receiver, from where its group stands."""
    ssc = StreamingContext(sc, 1, engine="structured")
    params = {"bootstrap.servers": broker.address, "auto.offset.reset": "smallest"}
    conf: Any = sc._jsc.sc().conf()  # type: ignore[attr-defined]
    conf.set("spark.streaming.receiver.maxRate", "6")
    try:
        stream = KafkaUtils.createStream(ssc, "zookeeper:2181", group, {topic: 1}, params)
    finally:
        conf.remove("spark.streaming.receiver.maxRate")
    taken = stream.map(lambda pair: (pair[1], 1))
    counts = taken.updateStateByKey(lambda new, last: sum(new) + (last or 0), initialRDD=initial)
    save_state(counts, str(states))
    clock = BatchClock(ssc)
    ssc.start()
    for _ in range(batches):
        clock.next_batch()
    ssc.stop(stopSparkContext=False, stopGraceFully=True)
    return dict(load_state(sc, str(states)).collect())


def new_job(
    sc: SparkContext, broker: Broker, topic: str, starting: str, work: Path, limit: int, states: Path
) -> Any:
    """The same in native code, which goes on with what was saved: one micro-batch of so many messages."""
    spark = SparkSession(sc).newSession()
    spark.conf.set("spark.sql.shuffle.partitions", "2")
    before = load_state(sc, str(states)).toDF("value STRING, count LONG")

    def process_batch(batch: DataFrame, batch_id: int) -> None:
        counts = batch.unionByName(before).groupBy("value").agg(F.sum("count").alias("count"))
        counts.rdd.map(tuple).saveAsPickleFile(str(work / f"counts-{batch_id}"))

    reader = spark.readStream.format("kafka").option("kafka.bootstrap.servers", broker.address)
    reader = reader.option("subscribe", topic).option("startingOffsets", starting)
    messages = reader.option("maxOffsetsPerTrigger", limit).load()
    counted = messages.select(F.col("value").cast("string")).groupBy("value").agg(F.count("*").alias("count"))
    writer = counted.writeStream.outputMode("complete").option("checkpointLocation", str(work / "checkpoint"))
    query = writer.foreachBatch(process_batch).trigger(processingTime="1 hour").start()
    wait_until((work / "checkpoint/commits/0").exists, "a micro-batch")
    query.stop()
    return sc.pickleFile(str(work / "counts-0"))


def test_there_and_back_again(spark_context: SparkContext, broker: Broker, tmp_path: Path) -> None:
    """All messages are counted once, whoever counted them."""
    rng = random.Random(7)
    topic, first = broker.topic(3), tmp_path / "first"
    sent = [f"message {number}" for number in range(60)]
    for value in sent:
        broker.send(topic, value, partition=rng.randrange(3))
    counts = old_job(spark_context, broker, topic, "there", rng.randint(1, 3), first)
    assert set(counts.values()) == {1} and len(counts) < len(sent)
    starting = handover(broker, topic, "--group", "there", "--unread", "earliest")
    state = new_job(spark_context, broker, topic, starting, tmp_path, rng.randint(5, 20), first)
    assert len(counts) < state.count() < len(sent)
    handover(broker, topic, "--checkpoint", str(tmp_path / "checkpoint"), "--commit", "there")
    counts = old_job(spark_context, broker, topic, "there", 12, tmp_path / "second", state)
    assert counts == dict.fromkeys(sent, 1)


def test_what_would_lose_messages_is_refused(broker: Broker, tmp_path: Path) -> None:
    topic = broker.topic(2)
    broker.send(topic, "a", "b")
    broker.send(topic, "c", partition=1)
    offsets = tmp_path / "offsets.csv"
    offsets.write_text(f"topic,partition,offset\n{topic},0,7\n")
    with pytest.raises(EnvironmentProblemError) as raised:
        handover(broker, topic, "--offsets", str(offsets))
    assert str(raised.value).splitlines() == [
        f"topic {topic}, partition 0: the old job stopped at 7, and Kafka has come to 2 only",
        f"topic {topic}, partition 1: the old job has left no offset, and there are messages from 0 to 0:"
        " begin with the earliest, or with what comes (unread)",
    ]


def test_offsets_in_a_file_are_those_of_the_last_message_if_it_is_said(
    broker: Broker, tmp_path: Path
) -> None:
    topic = broker.topic()
    broker.send(topic, "a", "b", "c")
    offsets = tmp_path / "offsets.json"
    offsets.write_text(json.dumps({topic: {"0": 1}}))
    assert json.loads(handover(broker, topic, "--offsets", str(offsets))) == {topic: {"0": 1}}
    told = invoked(broker, topic, "--offsets", str(offsets), "--last-read", "--commit", "written")
    assert json.loads(told.stdout) == {topic: {"0": 2}}
    assert "1 partitions, 1 messages wait for the new job" in told.stderr
    assert broker.committed("written", topic) == {0: 2}


def test_offsets_in_a_database(
    spark_context: SparkContext, broker: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # Derby logs to where it is started
    topic = broker.topic()
    broker.send(topic, "a", "b", "c")
    url = f"jdbc:derby:{tmp_path}/offsets"
    jvm: Any = spark_context._jvm
    jvm.java.lang.System.setProperty("derby.stream.error.file", str(tmp_path / "derby.log"))
    connection = jvm.java.sql.DriverManager.getConnection(f"{url};create=true")
    statement = connection.createStatement()
    statement.execute("CREATE TABLE offsets (t VARCHAR(99), p INT, o BIGINT)")
    statement.execute(f"INSERT INTO offsets VALUES ('{topic}', 0, 1), ('{topic}', 0, 2)")
    connection.close()
    with pytest.raises(Exception, match="shutdown"):
        jvm.java.sql.DriverManager.getConnection(f"{url};shutdown=true")
    query = 'SELECT t AS "topic", p AS "partition", o AS "offset" FROM offsets'
    assert json.loads(handover(broker, topic, "--jdbc", url, "--query", query)) == {topic: {"0": 2}}
    with pytest.raises(EnvironmentProblemError, match="cannot be read"):
        handover(broker, topic, "--jdbc", url, "--query", "SELECT nothing FROM nowhere")


@pytest.fixture
def zookeeper(tmp_path: Path) -> Iterator[str]:
    """The address of a ZooKeeper server, which PySpark carries along."""
    port, _ = free_ports()
    classes = str(Path(pyspark.__file__).parent / "jars" / "*")
    command = [
        "java",
        "-cp",
        classes,
        "org.apache.zookeeper.server.ZooKeeperServerMain",
        str(port),
        str(tmp_path),
    ]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    yield f"127.0.0.1:{port}"
    server.kill()
    server.wait()


def test_offsets_in_zookeeper(broker: Broker, zookeeper: str) -> None:
    topic = broker.topic(2)
    broker.send(topic, "a", "b", "c")
    client = KazooClient(zookeeper)
    client.start(timeout=60)
    client.create(f"/consumers/old/offsets/{topic}/0", b"2", makepath=True)
    client.stop()
    client.close()
    found = handover(broker, topic, "--zookeeper", zookeeper, "--group", "old")
    assert json.loads(found) == {topic: {"0": 2, "1": 0}}
    with pytest.raises(EnvironmentProblemError, match="has no offsets of group other"):
        handover(broker, topic, "--zookeeper", zookeeper, "--group", "other")
    # and back: the new job went on to the end
    broker.commit("new", topic, {0: 3, 1: 0})
    back = ("--commit", "old", "--commit-zookeeper", zookeeper)
    assert json.loads(handover(broker, topic, "--group", "new", *back)) == {topic: {"0": 3, "1": 0}}
    assert json.loads(handover(broker, topic, "--zookeeper", zookeeper, "--group", "old")) == {
        topic: {"0": 3, "1": 0}
    }
    assert broker.committed("old", topic) == {0: -1001}
