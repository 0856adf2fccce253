"""``--trigger available-now``: the same batch function, on what is there when the query starts."""

from __future__ import annotations

import pytest

from migrate.knowledge.triggers import Trigger
from migrate.model import Options, Outcome, Result
from migrate.plan.draft.batch_time import APPROXIMATE
from migrate.plan.query.backfills import BACKFILL, CUT_OFF
from tests.migrate.programs import KAFKA, flat, kafka_program, run, socket_program

NOW = Options(trigger=Trigger.parse("available-now"))


def _run(source: str) -> Result:
    result = run(source, NOW)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    return result


def _files(body: str) -> str:
    program = socket_program(body)
    return program.replace('socketTextStream("localhost", 9999)', 'textFileStream("in")')


@pytest.mark.parametrize("reset", ["", "smallest", "largest"])
def test_a_backfill_of_kafka_begins_with_the_earliest_message(reset: str) -> None:
    more = f', "auto.offset.reset": "{reset}"' if reset else ""
    source = KAFKA.replace('9092"', f'9092"{more}').format(body="messages.map(lambda m: m[1]).pprint()")
    result = _run(source)
    new = result.files[0].new
    assert "messages.writeStream.trigger(availableNow=True).foreachBatch(process_batch).start()" in new
    assert '.option("startingOffsets", "earliest")' in new
    (graph,) = result.graphs
    assert BACKFILL in graph.notes
    assert not any("begins with the newest" in note or "an interval" in note for note in graph.notes)
    assert [site.operator for site in result.sites if not site.safe] == ["StreamingContext"]


def test_offsets_of_the_program_stay() -> None:
    source = kafka_program("messages.pprint()").replace(
        '["pages"], {', '["pages"], fromOffsets={TopicAndPartition("pages", 0): 7}, kafkaParams={'
    )
    source = source.replace("KafkaUtils\n", "KafkaUtils, TopicAndPartition\n", 1)
    new = _run(source).files[0].new
    assert "earliest" not in new
    assert "7" in new
    assert "availableNow=True" in new


def test_a_backfill_of_files_reads_those_that_are_there() -> None:
    new = _run(_files("lines.pprint()")).files[0].new
    assert 'lines = spark.readStream.text("in")\n' in new
    assert "started" not in new
    assert "datetime" not in new


def test_the_interval_goes() -> None:
    source = _files('lines.saveAsTextFiles("out")').replace(
        "ssc = StreamingContext(sc, 1)", "ssc = StreamingContext(sc, read_interval())"
    )
    new = _run(f"from lib import read_interval\n{source}").files[0].new
    assert "interval" not in new.replace("from lib import read_interval", "")


def test_batches_of_one_interval_have_times_of_their_own() -> None:
    result = _run(_files('lines.saveAsTextFiles("out")'))
    assert "batch_time = datetime.now()\n" in result.files[0].new
    assert APPROXIMATE.format("--trigger available-now") in result.graphs[0].notes


def test_a_program_that_waits_for_a_time_is_told_so() -> None:
    source = _files("lines.pprint()").replace("awaitTermination()", "awaitTerminationOrTimeout(60)")
    call = "ssc.awaitTerminationOrTimeout(60)"
    assert CUT_OFF.format(call=call) in _run(source).graphs[0].notes


def test_a_running_state_is_one_of_what_is_there() -> None:
    total = "map(lambda w: (w, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0))"
    new = flat(_run(_files(f"lines.{total}.pprint()")).files[0].new)
    assert 'writeStream.outputMode("complete").trigger(availableNow=True)' in new


UPDATE = "updateStateByKey(lambda new, last: lib.update(new, last))"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (socket_program("lines.pprint()"), "`socketTextStream`: --trigger available-now: it has nothing"),
        (kafka_program("messages.window(4).pprint()"), "no intervals, which `window` counts"),
        (kafka_program(f"import lib\nmessages.{UPDATE}.pprint()"), "which `updateStateByKey` counts"),
    ],
    ids=["a socket", "a window", "a state that is updated without input"],
)
def test_what_has_no_past_or_counts_intervals_goes_to_compat(source: str, why: str) -> None:
    (graph,) = run(source, NOW).graphs
    assert graph.outcome is Outcome.COMPAT
    assert why in "; ".join(graph.reasons)


def test_callbacks_without_input_are_not_called() -> None:
    body = "seen = []\ndef note(rdd):\n    seen.append(rdd.count())\nmessages.foreachRDD(note)"
    assert "every_interval" not in _run(kafka_program(body)).files[0].new
