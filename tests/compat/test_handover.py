"""Offsets of an old job, held against Kafka."""

from __future__ import annotations

import pytest

from compat.handover import HandoverError, complete, starting_offsets
from compat.kafka.places import Place
from tests.compat.kafka.cluster import Cluster

KAFKA = Cluster(pages=[(10, 50), (0, 20)], empty=[(5, 5)])
PAGES = {Place("pages", 0): 42, Place("pages", 1): 17}


def test_a_job_that_has_read_all_partitions() -> None:
    assert complete({**PAGES, Place("other", 0): 9}, ["pages"], KAFKA) == PAGES
    ends = {Place("pages", 0): 10, Place("pages", 1): 20}
    assert complete(ends, ["pages"], KAFKA) == ends


def test_a_partition_without_messages_needs_no_offset() -> None:
    assert complete(PAGES, ["pages", "empty"], KAFKA) == {**PAGES, Place("empty", 0): 5}


@pytest.mark.parametrize(("unread", "offset"), [("earliest", 0), ("latest", 20)])
def test_a_partition_with_messages_and_no_offset(unread: str, offset: int) -> None:
    stopped = {Place("pages", 0): 42}
    with pytest.raises(
        HandoverError, match=r"pages, partition 1: the old job has left no offset, and .* 0 to 19"
    ):
        complete(stopped, ["pages"], KAFKA)
    assert complete(stopped, ["pages"], KAFKA, unread=unread)[Place("pages", 1)] == offset


def test_messages_that_are_gone() -> None:
    stopped = {**PAGES, Place("pages", 0): 9}
    with pytest.raises(HandoverError, match="partition 0: the messages from 9 to 9 are gone, unread"):
        complete(stopped, ["pages"], KAFKA)
    assert complete(stopped, ["pages"], KAFKA, expired="earliest") == {**PAGES, Place("pages", 0): 10}


def test_all_that_is_wrong_is_said_at_once() -> None:
    stopped = {Place("pages", 0): 51, Place("pages", 1): 21, Place("pages", 2): 1}
    with pytest.raises(HandoverError) as raised:
        complete(stopped, ["pages", "no"], KAFKA, unread="latest", expired="earliest")
    assert str(raised.value).splitlines() == [
        "topic no does not exist",
        "topic pages, partition 0: the old job stopped at 51, and Kafka has come to 50 only",
        "topic pages, partition 1: the old job stopped at 21, and Kafka has come to 20 only",
        "topic pages, partition 2: there is no such partition",
    ]


def test_the_option() -> None:
    offsets = {Place("b", 10): 3, Place("b", 2): 1, Place("a", 0): 7}
    assert starting_offsets(offsets) == '{"a": {"0": 7}, "b": {"2": 1, "10": 3}}'
