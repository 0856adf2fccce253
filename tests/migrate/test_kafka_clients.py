"""Brokers that other files of a project name for the topic that a program reads by ZooKeeper."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.model import GraphResult, Options
from migrate.run import run

PROGRAM = """\
import yaml
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

config = yaml.safe_load(open("config.yaml"))
TOPIC = "pages"
ssc = StreamingContext(SparkContext(), 1)
messages = KafkaUtils.createStream(ssc, config["zookeeper"], "group", {TOPIC: 1})
messages.pprint()
ssc.start()
ssc.awaitTermination()
"""
SETTINGS = 'import yaml\nfrom kafka import KafkaClient\nconfig = yaml.safe_load(open("config.yaml"))\n'
JOINED = '"%s:%s" % (config["kafka"], config["port"])'
ENVIRONMENT = 'os.environ["KAFKA_BOOTSTRAP_SERVERS"]'


def read_at(root: Path, **clients: str) -> tuple[str, GraphResult]:
    """The brokers that the new code has, beside some files, and what is said of it."""
    (root / "jobs").mkdir()
    (root / "jobs" / "pages.py").write_text(PROGRAM)
    for name, text in clients.items():
        (root / f"{name}.py").write_text(text)
    result = run([root], Options()).result
    new = next(file.new for file in result.files if file.path == "jobs/pages.py")
    start = new.index('"kafka.bootstrap.servers"')
    (graph,) = result.graphs
    return new[start : new.index("subscribe")].partition(",")[2].strip(), graph


@pytest.mark.parametrize(
    ("client", "code"),
    [
        ('KafkaProducer(bootstrap_servers="kafka:9092").send("pages", b"")\n', '"kafka:9092"'),
        (
            'HOSTS = ["a:9092", "b:9092"]\nKafkaConsumer("pages", bootstrap_servers=HOSTS)\n',
            '"a:9092,b:9092"',
        ),
        ('import kafka\nkafka.KafkaClient("kafka:9092").send("pages")\n', '"kafka:9092"'),
        ('from pykafka import KafkaClient\nKafkaClient(hosts="a:9092").topics["pages"]\n', '"a:9092"'),
        ('Producer({"bootstrap.servers": "kafka:9092"}).produce("pages")\nprint "sent"\n', '"kafka:9092"'),
        (f'{SETTINGS}KafkaClient({JOINED}).send("pages")\n', JOINED),
        (f'{SETTINGS}BROKER = {JOINED}\nKafkaClient(BROKER).send("pages")\n', JOINED),
    ],
)
def test_a_client_for_the_same_topic_names_the_brokers(tmp_path: Path, client: str, code: str) -> None:
    new, graph = read_at(tmp_path, producer=client)
    assert new.startswith(code)
    assert any(
        line == f"check that Kafka's brokers are at `{code}`: `../producer.py` has them for that topic"
        for line in graph.must_change
    )


def test_settings_go_before_an_address(tmp_path: Path) -> None:
    consumer = 'KafkaConsumer("pages", bootstrap_servers="a:9092")\n'
    producer = f'{SETTINGS}KafkaClient({JOINED}).send("pages")\n'
    new, _ = read_at(tmp_path, consumer=consumer, producer=producer)
    assert new.startswith(JOINED)


@pytest.mark.parametrize(
    "clients",
    [
        ('KafkaProducer(bootstrap_servers="kafka:9092").send("users", b"")\n',),
        (
            'KafkaProducer(bootstrap_servers="a:9092").send("pages", b"")\n',
            'KafkaProducer(bootstrap_servers="b:9092").send("pages", b"")\n',
        ),
        ('for at in ("a:9092", "b:9092"):\n    KafkaProducer(bootstrap_servers=at).send("pages", b"")\n',),
        ('def send(at):\n    KafkaProducer(bootstrap_servers=at).send("pages", b"")\nat = "a:9092"\n',),
        ('from elasticsearch import Elasticsearch as KafkaClient\nKafkaClient("a:9200", "pages")\n',),
        (f'{SETTINGS.replace("config.yaml", "other.yaml")}KafkaClient({JOINED}).send("pages")\n',),
        (f'{SETTINGS}KafkaClient(config["kafka"]).send("pages")\n',),
        ('import sys\nKafkaProducer(bootstrap_servers=sys.argv[1]).send("pages", b"")\n',),
        ("KafkaClient(\n",),
    ],
    ids=[
        *("another topic", "two brokers", "a loop", "a parameter", "another library", "other settings"),
        *("a setting that may be a list", "another program's argument", "no Python"),
    ],
)
def test_what_is_not_sure_names_none(tmp_path: Path, clients: tuple[str, ...]) -> None:
    new, _ = read_at(tmp_path, **{f"client_{n}": text for n, text in enumerate(clients)})
    assert ENVIRONMENT in new


def test_files_that_git_ignores_name_none(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("producer.py\n")
    new, _ = read_at(tmp_path, producer='KafkaProducer(bootstrap_servers="kafka:9092").send("pages")\n')
    assert ENVIRONMENT in new
