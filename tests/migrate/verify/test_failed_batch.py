from __future__ import annotations

import pytest

from migrate.verify.failed_batch import comparable, without_failed_batch
from migrate.verify.recording import Batch, Recording


def run(*texts: str, status: str = "ended") -> Recording:
    batches = [Batch(index, input_rows=1, text=text) for index, text in enumerate(texts)]
    return Recording(batches, status=status, detail="Traceback\n  File x\nIndexError: list index\n")


def test_what_the_new_program_does_where_the_old_one_fails_is_a_note() -> None:
    old, new = run("a", "b", "", status="crashed"), run("a", "b", "c", "d")
    was, came, (note,) = without_failed_batch(old, new)
    assert [batch.text for batch in was.batches] == [batch.text for batch in came.batches] == ["a", "b"]
    assert (was.status, came.status) == ("ended", "ended")
    assert note == (
        "batch 2: the old program fails, and the new one does not; nothing is compared from there on: "
        "IndexError: list index"
    )


def test_both_may_fail() -> None:
    old, new = run("a", "", status="crashed"), run("a", "", status="crashed")
    was, came, (note,) = without_failed_batch(old, new)
    assert "the new one fails, too" in note
    assert (was.status, came.status) == ("ended", "ended")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (run("a", "b"), run("a", "", status="crashed")),
        (run("a", "b", "", status="crashed"), run("a", "", status="crashed")),
        (run("a", "b", "", status="crashed"), run("a", "b", status="timeout")),
        (run("", status="crashed"), run("a")),
        (run(status="crashed"), run("a")),
    ],
    ids=["the new one alone", "the new one before", "out of time", "at once", "before the first batch"],
)
def test_any_other_failure_counts(old: Recording, new: Recording) -> None:
    assert without_failed_batch(old, new) == (old, new, ())


@pytest.mark.parametrize("old", [run(status="crashed"), run("", status="crashed"), run(status="timeout")])
def test_an_old_program_without_a_whole_batch_is_compared_with_nothing(old: Recording) -> None:
    assert comparable(old, run("a", "b")) is None


def test_batches_before_the_failing_one_are_compared() -> None:
    old, new = run("", "", status="crashed"), run("a", "b", "c")
    found = comparable(old, new)
    assert found is not None
    assert [[batch.text for batch in one.batches] for one in found] == [[""], ["a"]]
    assert comparable(run("a"), new) == (run("a"), new)
