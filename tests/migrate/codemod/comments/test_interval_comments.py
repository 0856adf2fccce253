"""What is said of the time between batches stands beside the trigger."""

from __future__ import annotations

import pytest

from migrate.codemod.comments.old_contexts import interval_in, seconds_in, without_owner
from migrate.knowledge.triggers import Trigger
from migrate.model import Options
from tests.migrate.codemod.written import native, native_result, new_text
from tests.migrate.programs import socket_program

PROGRAM = socket_program("lines.pprint()")


@pytest.mark.parametrize(
    ("comment", "part"),
    [
        (
            "# a local StreamingContext with two threads and batch interval of 5 seconds",
            "batch interval of 5 seconds",
        ),
        ("# SparkContext and StreamingContext (batch interval of 1 second)", "batch interval of 1 second"),
        ("# the StreamingContext, with\n#     batch interval of\n# 5 s", "batch interval of 5 s"),
        ("# a streaming context with interval size 4 seconds", "interval size 4 seconds"),
        ("# a StreamingContext object with the interval size 4 seconds.", "interval size 4 seconds"),
        ("# the Streaming Context from spark context, interval size 4 seconds", "interval size 4 seconds"),
        ("# a StreamingContext with a batch interval of step seconds", "batch interval of step seconds"),
        ("# Streaming context local con 2 hilos y un intervalo de 1 segundo", "intervalo de 1 segundo"),
        pytest.param("# a StreamingContext of 10 seconds", "", id="the trigger says that"),
        pytest.param("# Create Streaming Context and set batch interval", "", id="it says nothing"),
        pytest.param("# the batch interval of the context", "", id="it goes on"),
    ],
)
def test_a_part_of_a_sentence_that_can_stand_alone(comment: str, part: str) -> None:
    assert interval_in(comment) == part


def test_the_time_that_it_names() -> None:
    texts = (
        "window of 1.5 s",
        "intervalo de 1 minuto",
        "batch-intervall von 500 ms",
        "interval of two seconds",
    )
    assert [*map(seconds_in, texts)] == [1.5, 60, 0.5, None]


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("# 2 is a batchInterval prop of the DStream of this StreamingContext", "# 2 is a batchInterval"),
        ("# batch interval for the streaming context, in s", "# batch interval, in s"),
        ("# 2nd argument is batch duration", "# batch duration"),
        ("# 10 is the batch interval in seconds", "# 10 is the batch interval in seconds"),
    ],
)
def test_it_does_not_say_whose_it_is(comment: str, said: str) -> None:
    assert without_owner(comment) == said


@pytest.mark.parametrize(
    ("old", "beside"),
    [
        (
            "# StreamingContext with a batch interval of 1 second\nssc = StreamingContext(sc, 1)",
            "# batch interval of 1 second",
        ),
        (
            "# Create local StreamingContextwith batch interval of 1 second\nssc = StreamingContext(sc, 1)",
            "# batch interval of 1 second",
        ),
        (
            "ssc = StreamingContext(sc, 1)  # 1 is the batch interval of this context",
            "# 1 is the batch interval",
        ),
        ("ssc = StreamingContext(sc, 1)  # 1 second window", "# 1 second window"),
    ],
)
def test_it_is_kept_and_the_report_says_so(old: str, beside: str) -> None:
    result = native_result(PROGRAM.replace("ssc = StreamingContext(sc, 1)", old))
    new = new_text(result)
    assert new.count(beside) == new.count(f'.trigger(processingTime="1 second")  {beside}\n') == 1
    notes = [note for note in result.graphs[0].notes if "interval of" in note and "#" in note]
    assert all(note.startswith("comments that name what is there now") for note in notes)


def test_the_session_s_comment_keeps_the_rest() -> None:
    made = "# A SparkContext and StreamingContext (batch interval of 1 second)\nsc = SparkContext"
    new = native(PROGRAM.replace("sc = SparkContext", made))
    assert "\n# A SparkSession\nspark = " in new
    assert ")  # batch interval of 1 second\n" in new


@pytest.mark.parametrize("interval", ["2", "step"])
def test_what_is_not_known_to_be_true_is_not_said_beside_the_trigger(interval: str) -> None:
    said = "# a StreamingContext (batch interval of 1 second)"
    made = f"step = int(input())\n{said}\nssc = StreamingContext(sc, {interval})"
    result = native_result(PROGRAM.replace("ssc = StreamingContext(sc, 1)", made))
    assert "interval of" not in new_text(result)
    assert said in " ".join(result.graphs[0].notes)


def test_a_trigger_that_has_no_interval_is_not_said_to_have_one() -> None:
    old = PROGRAM.replace("ssc = S", "# a StreamingContext with a batch interval of 1 second\nssc = S")
    old = old.replace('socketTextStream("localhost", 9999)', 'textFileStream("in")')
    new = native(old, Options(trigger=Trigger.parse("available-now")))
    assert "interval of" not in new


@pytest.mark.parametrize("said", ["(sparkContext, batchDuration)", "sc, interval"])
def test_what_a_context_was_given_is_not_said(said: str) -> None:
    given = "StreamingContext(sc, 1)"
    assert said not in native(PROGRAM.replace(given, f"{given}  # {said}"))
