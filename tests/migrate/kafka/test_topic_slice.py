"""Slices of a topic, and the lines that stand for records."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.kafka.record import Record
from migrate.kafka.topic_slice import Slice
from migrate.verify.batches import batches_of


def test_a_slice_of_the_command_line() -> None:
    found = Slice.parse("b:9092", "pages", "0:1000-1500, 3:7-7")
    assert found.offsets == {"0": (1000, 1500), "3": (7, 7)}


@pytest.mark.parametrize("offsets", ["", "0", "0:5", "0:5-", "a:1-2", "0:9-8", "0:1-2;1:1-2"])
def test_offsets_that_say_nothing(offsets: str) -> None:
    with pytest.raises(ValueError, match="PARTITION:FROM-UNTIL"):
        Slice.parse("b:9092", "pages", offsets)


@given(st.none() | st.binary(), st.none() | st.binary(), st.none() | st.integers(0, 9))
def test_a_record_as_a_line(key: bytes | None, value: bytes | None, partition: int | None) -> None:
    record = Record(key, value, partition)
    assert "\n" not in record.line()
    assert Record.of(record.line()) == record


@given(st.text(st.characters(codec="utf-8")))
def test_a_text_is_a_value(line: str) -> None:
    record = Record.of(line)
    assert record.value == line.encode()
    assert record.partition is None
    assert record == Record.of(line), "both programs get the same"


def test_records_go_to_their_partitions() -> None:
    assert [Record(None, b"").partition_of(place, 2) for place in range(4)] == [0, 1, 0, 1]
    assert Record(None, b"", 5).partition_of(0, 4) == 1


def test_batches_of_records() -> None:
    lines = [Record(None, str(number).encode()).line() for number in range(5)]
    assert [len(batch) for batch in batches_of(lines, 2)] == [0, 3, 0, 2]
    with pytest.raises(ValueError, match="no records"):
        batches_of([], 2)
