"""Messages of producers that functions give, or that other modules hand over."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.model import Module, Options, Outcome
from migrate.read.parse import parse_bytes
from migrate.run import run

TOP = "from kafka import KafkaProducer\nimport json\nprint 'starting'\n"
ENCODED = 'producer.send(topic, json.dumps(x).encode("utf-8"))'
PLAIN = "producer.send(topic, json.dumps(x))"
SENDS = f"def send(x, producer, topic):\n    {PLAIN}\n"
MADE = "producer = KafkaProducer(bootstrap_servers=brokers)\n"


def module(text: str) -> Module:
    return parse_bytes(text.encode(), Path("/nowhere/job.py"), "job.py")


@pytest.mark.parametrize(
    "maker",
    [
        "def make(brokers):\n    return KafkaProducer(bootstrap_servers=brokers)",
        "def make(brokers):\n    try: return KafkaProducer()\n    except Exception: return None",
        "def make(brokers):\n    if brokers:\n        p = KafkaProducer()\n        return p\n    return",
        "def inner():\n    return KafkaProducer()\ndef make(brokers):\n    return inner()",
    ],
    ids=["plain", "or none", "a variable", "another function"],
)
@pytest.mark.parametrize("use", ["producer = make('b')\nsend(1, producer, 't')", "send(1, make('b'), 't')"])
def test_a_function_may_give_the_producer(maker: str, use: str) -> None:
    found = module(f"{TOP}{maker}\n{SENDS}{use}\n")
    assert ENCODED in found.source
    assert not found.limits


@pytest.mark.parametrize(
    "maker",
    [
        "def make(brokers):\n    return KafkaProducer(value_serializer=f)",
        "def make(brokers):\n    if brokers: return KafkaProducer()\n    return Other()",
        "def make(brokers):\n    return make(brokers)",
        "def make(brokers):\n    print 1",
        "def make(brokers): return KafkaProducer()\ndef make(brokers): return Other()",
    ],
    ids=["makes bytes", "or another", "itself", "nothing", "two"],
)
def test_else_its_messages_stay(maker: str) -> None:
    assert PLAIN in module(f"{TOP}{maker}\n{SENDS}producer = make('b')\nsend(1, producer, 't')\n").source


@pytest.mark.parametrize(
    ("sends", "new"),
    [
        (SENDS, ENCODED),
        ("def send(x, producer, topic): producer.send(topic, x)\n", "producer.send(topic, python2_bytes(x))"),
        (
            "class A(Base):\n    def send(self, x): self.p.send(self.topic, value=str(x), key=None)\n",
            'self.p.send(self.topic, value=python2_str(x).encode("utf-8"), key=None)',
        ),
    ],
)
def test_what_another_module_hands_over_is_taken_for_such_a_producer(sends: str, new: str) -> None:
    assert new in module(TOP + MADE + sends).source


@pytest.mark.parametrize(
    "code",
    [
        SENDS,
        f"producer = KafkaProducer(value_serializer=f)\n{SENDS}",
        MADE + "import channels\ndef send(x): channels.send('a', json.dumps(x))",
        MADE + "def send(x, channel): channel.send(json.dumps(x))",
        MADE + "def send(x, channel): channel.send(*x)",
        MADE + "def send(x): channel.send('a', json.dumps(x))\nchannel = Channel()",
        MADE + "class A:\n    def send(self, x):\n        self.p = P()\n        self.p.send('a', str(x))",
        MADE + "def send(x, channel):\n    channel = x[channel]\n    channel.send('a', json.dumps(x))",
    ],
    ids=["none made", "makes bytes", "a module", "no topic", "starred", "its own", "its attribute", "bound"],
)
def test_else_what_is_handed_over_stays(code: str) -> None:
    assert "encode" not in module(TOP + code).source


def test_a_text_of_such_a_producer_is_no_sign_of_python_2() -> None:
    assert module(TOP.replace("print 'starting'\n", "") + MADE + SENDS).python == 3


PROGRAM = """\
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from kafka import KafkaProducer
import sending
print "starting"
producer = KafkaProducer(bootstrap_servers="localhost:9092")
sc = SparkContext(appName="Sending")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.foreachRDD(lambda rdd: sending.send(rdd.count(), producer, "t"))
ssc.start()
ssc.awaitTermination()
"""
_UNKNOWN = "sending.py, line {}: if `producer` is a producer of Kafka without a serializer, it takes bytes"
_ASSUMED = "sending.py, line {}: `producer` is taken for a producer as its module makes them"


@pytest.mark.parametrize(
    ("top", "body", "said"),
    [
        ("", "producer.send(topic, str(x))", _UNKNOWN.format(2)),
        ("", "producer.send(str(x))", ""),
        (f"from kafka import KafkaProducer\n{MADE}", "producer.send(topic, str(x))", _ASSUMED.format(4)),
        (f"from kafka import KafkaProducer\n{MADE}", "producer.send(topic, str(x).encode('utf-8'))", ""),
    ],
    ids=["unknown", "no topic", "assumed", "encoded beside a producer"],
)
def test_a_note_names_where_nothing_says_what_sends(tmp_path: Path, top: str, body: str, said: str) -> None:
    (tmp_path / "job.py").write_text(PROGRAM)
    (tmp_path / "sending.py").write_text(f"{top}def send(x, producer, topic):\n    {body}\n")
    (graph,) = run([tmp_path], Options()).result.graphs
    assert graph.outcome is Outcome.NATIVE
    notes = [note for note in graph.notes if "takes bytes alone" in note]
    assert [said in note for note in notes] == [True] * bool(said)
