"""Programs whose helper module stores Kafka's offsets: it is emptied for all of them, or for none."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome, Result
from tests.migrate.programs import STORING, module

OFFSETS = (
    "from pyspark.streaming.kafka import TopicAndPartition\nfrom store import Store\n\n"
    f'store = Store("redis")\n{STORING.replace("client", "store")}'
)
STORE = """\
import logging
import redis

logger = logging.getLogger(__name__)


class Store(object):
    def __init__(self, host):
        self.client = redis.Redis(host)

    def exists(self, key):
        return self.client.exists(key)

    def hgetall(self, key):
        try:
            return self.client.hgetall(key)
        except Exception as e:
            logger.error(str(e))

    def hset(self, key, part, value):
        self.client.hset(key, part, value)
"""
PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils
from offsets import hold, read_offsets, save

sc = SparkContext(appName="{0}")
ssc = StreamingContext(sc, 5)
params = {{"metadata.broker.list": "broker:9092"}}
{0} = KafkaUtils.createDirectStream(ssc, ["{0}"], params, fromOffsets=read_offsets("{0}"))
{0}.transform(hold).foreachRDD(save)
{0}.map(lambda x: x[1]).pprint()
ssc.start()
ssc.awaitTermination()
"""
FILES = {
    "pages.py": PROGRAM.format("pages"),
    "clicks.py": PROGRAM.format("clicks"),
    "offsets.py": OFFSETS,
    "store.py": STORE,
}


def migrated(files: dict[str, str]) -> Result:
    """What becomes of several files."""
    return migrate([module(text, path) for path, text in files.items()], Options())


def new(result: Result) -> dict[str, str]:
    """The new texts by their paths."""
    return {file.path: file.new for file in result.files}


def test_the_helper_module_goes_with_both_programs() -> None:
    result = migrated(FILES)
    assert [graph.outcome for graph in result.graphs] == [Outcome.NATIVE, Outcome.NATIVE]
    texts = new(result)
    assert texts["offsets.py"] == "pass\n"
    assert texts["store.py"] == STORE
    assert "offsets import" not in texts["pages.py"]
    assert 'CHECKPOINT = "checkpoints/pages"' in texts["pages.py"]
    assert 'CHECKPOINT = "checkpoints/clicks"' in texts["clicks.py"]
    assert all(any("offsets.py" in note for note in graph.notes) for graph in result.graphs)


def test_a_star_import_hands_them_on() -> None:
    files = {**FILES, "tools.py": "from offsets import *\nfrom store import *\n"}
    files = {
        path: text.replace("from offsets import hold", "from tools import hold")
        for path, text in files.items()
    }
    result = migrated(files)
    assert {graph.outcome for graph in result.graphs} == {Outcome.NATIVE}
    assert new(result)["offsets.py"] == "pass\n"


def test_other_functions_of_the_module_stay() -> None:
    other = '\n\ndef clean(line):\n    return line.strip("x")\n'
    result = migrated({**FILES, "offsets.py": OFFSETS + other})
    assert {graph.outcome for graph in result.graphs} == {Outcome.NATIVE}
    assert new(result)["offsets.py"].strip() == other.strip()


@pytest.mark.parametrize(
    ("path", "old", "text"),
    [
        ("clicks.py", "ssc.start()", "clicks.foreachRDD(lambda rdd: print(rdd.offsetRanges()))\nssc.start()"),
        ("clicks.py", "ssc.start()", "save(None)\nssc.start()"),
        ("offsets.py", "def hold", "def show():\n    print(ranges)\n\n\ndef hold"),
        (
            "store.py",
            "def hset(",
            "def hset(self, key, part, value):\n        print(key)\n\n    def set_all(",
        ),
        ("offsets.py", "def hold", "def place(topic):\n    return TopicAndPartition(topic, 0)\n\n\ndef hold"),
    ],
    ids=["one prints", "one calls it", "the module shows them", "the tool prints", "another use"],
)
def test_both_stay(path: str, old: str, text: str) -> None:
    files = {**FILES, path: FILES[path].replace(old, text)}
    result = migrated(files)
    assert {graph.outcome for graph in result.graphs} == {Outcome.COMPAT}
    assert "hold" in new(result)["offsets.py"]


def test_another_module_that_uses_them() -> None:
    report = "from offsets import read_offsets\n\nprint(read_offsets('pages'))\n"
    result = migrated({**FILES, "report.py": report})
    assert {graph.outcome for graph in result.graphs} == {Outcome.COMPAT}
