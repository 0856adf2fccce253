"""Sources that are made in a ``try``, or again until one is there."""

from __future__ import annotations

import pytest

from migrate.model import GraphResult, Outcome
from tests.migrate.programs import file, run

PROGRAM = """\
import sys
import time
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

ssc = StreamingContext(SparkContext(), 5)
{made}messages.map(lambda message: message[1]).pprint()
ssc.start()
ssc.awaitTermination()
"""
DIRECT = 'messages = KafkaUtils.createDirectStream(ssc, ["t"], {"metadata.broker.list": "b:9092"})'
SOCKET = 'messages = ssc.socketTextStream("localhost", 9999)'
LOOP = """\
while True:
    try:
        {made}
        break
    except Exception as error:
        print("no Kafka", error)
        time.sleep(1)
"""
TRY = "try:\n    {made}\nexcept Exception as error:\n    print(error)\n    sys.exit(1)\n"
TAKEN = "the `try` around it took its failure"


def graph(made: str) -> GraphResult:
    (found,) = run(PROGRAM.format(made=made)).graphs
    return found


def test_a_loop_that_makes_a_source_until_one_is_there_makes_one() -> None:
    made = LOOP.format(made=DIRECT)
    found = graph(made)
    assert found.outcome is Outcome.NATIVE, found.reasons
    new = str(file(PROGRAM.format(made=made)).new)
    assert new.index("while True:") < new.index("readStream") < new.index("break") < new.index("time.sleep")
    assert any(TAKEN in note and note.endswith("and the loop does not wait for one") for note in found.notes)


@pytest.mark.parametrize(
    ("made", "told"),
    [(TRY.format(made=DIRECT), True), (TRY.format(made=SOCKET), False), (f"{DIRECT}\n", False)],
    ids=["in a try", "a socket, which is asked later", "in the open"],
)
def test_a_handler_that_took_a_failure_of_kafka_is_told_of(made: str, told: bool) -> None:
    notes = graph(made).notes
    assert any(TAKEN in note and "the loop" not in note for note in notes) is told


def test_a_try_around_the_whole_program_takes_the_failure_of_the_query() -> None:
    head, _, rest = PROGRAM.format(made=f"{DIRECT}\n").partition("ssc =")
    inner = "".join(f"    {row}\n" for row in f"ssc ={rest}".splitlines())
    (found,) = run(f"{head}try:\n{inner}except Exception as error:\n    print(error)\n").graphs
    assert found.outcome is Outcome.NATIVE, found.reasons
    assert not any(TAKEN in note for note in found.notes)


@pytest.mark.parametrize(
    "made",
    [
        LOOP.format(made=DIRECT).replace("        break\n", ""),
        LOOP.format(made=DIRECT).replace("while True", "while tries < 5"),
        LOOP.format(made=f"{DIRECT}\n        messages.count().pprint()"),
        LOOP.format(made=DIRECT).replace("time.sleep(1)", SOCKET),
        f"for i in range(2):\n    {DIRECT}\n",
    ],
    ids=["no end", "another test", "with an output", "another source", "several"],
)
def test_but_no_loop_that_may_make_more(made: str) -> None:
    assert graph(made).outcome is Outcome.COMPAT
