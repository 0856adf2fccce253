"""Records of a real broker that leave what was learnt: the error names topic, partition and offset."""

from __future__ import annotations

import re

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession

from migrate.knowledge.spark_version import installed
from tests.e2e.kafka.broker import Broker
from tests.migrate.planted import GOOD, OWN, PLANTED, Planted, from_function, on_columns

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(
        not installed().has_variant, reason="before 4.0 there is no VARIANT, so JSON stays in Python"
    ),
]
HEAD = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

sc = SparkContext(appName="Test")
ssc = StreamingContext(sc, 1)
params = {"metadata.broker.list": BROKER, "auto.offset.reset": "smallest"}
stream = KafkaUtils.createDirectStream(ssc, [TOPIC], params)
"""
LEARN = (
    "; to accept it: `dstream-migrate learn OLD --from-topic {} --from-broker BROKER --offsets 1:2-3"
    " -- ARGS`, `rewrite`, start again"
)


def failure(program: str, broker: Broker, text: str) -> tuple[str, str]:
    """What the query says that reads a topic with this record, and the topic."""
    topic = broker.topic(2)
    broker.send(topic, GOOD, GOOD, GOOD)
    broker.send(topic, GOOD, GOOD, text, partition=1)
    names = {"__name__": "__main__", "BROKER": broker.address, "TOPIC": topic}
    with pytest.raises(StreamingQueryException) as failed:
        exec(compile(program, "job.py", "exec"), names)
    return str(failed.value), topic


@pytest.mark.parametrize("by_schema", [pytest.param(False, marks=pytest.mark.full), True])
@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED)
def test_json_on_columns(spark: SparkSession, broker: Broker, planted: Planted, by_schema: bool) -> None:
    said, topic = failure(on_columns(HEAD, "m[1]", by_schema=by_schema), broker, planted.text)
    place = f'{{"fact":"events","topic":"{topic}","partition":1,"offset":2}}'
    assert re.search(f"{planted.on_columns}.* in {re.escape(place + LEARN.format(topic))}", said), said


@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED)
def test_the_result_of_a_function(spark: SparkSession, broker: Broker, planted: Planted) -> None:
    """What the function itself raises for is named as well; `learn` would fail for it."""
    if not planted.from_function:
        pytest.skip("the function does not read the key")
    said, topic = failure(from_function(HEAD, "m[1]"), broker, planted.text)
    advice = OWN if "Error" in planted.from_function else LEARN.format(topic)
    place = f" in rows Row(topic='{topic}', partition=1, offset=2){advice}"
    assert re.search(planted.from_function + re.escape(place), said), said
