"""kafkaParams of the Kafka 0.8 API, in words of today."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from compat.kafka.parameters import RENAMED, WITHOUT_MEANING, commits, from_earliest, settings


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param({}, {}, id="nothing"),
        pytest.param({"metadata.broker.list": "a:1,b:2"}, {"bootstrap.servers": "a:1,b:2"}, id="brokers"),
        pytest.param(
            {"bootstrap.servers": "a:1"}, {"bootstrap.servers": "a:1"}, id="brokers by the new name"
        ),
        pytest.param(
            {"metadata.broker.list": "a:1", "bootstrap.servers": "a:1"},
            {"bootstrap.servers": "a:1"},
            id="both names, one value",
        ),
        pytest.param({"fetch.message.max.bytes": 100}, {"max.partition.fetch.bytes": "100"}, id="a number"),
        pytest.param({"check.crcs": True}, {"check.crcs": "true"}, id="a boolean"),
        pytest.param(
            {
                "security.protocol": "SSL",
                "ssl.truststore.location": "/t",
                "isolation.level": "read_committed",
            },
            {
                "security.protocol": "SSL",
                "ssl.truststore.location": "/t",
                "isolation.level": "read_committed",
            },
            id="what Kafka 0.8 did not know is passed on",
        ),
        pytest.param(
            {"group.id": "g", "auto.offset.reset": "smallest", "auto.commit.enable": "false"},
            {},
            id="what the stream sees to",
        ),
    ],
)
def test_settings(given: dict[str, Any], expected: dict[str, str]) -> None:
    assert settings(given) == expected


def test_what_has_no_meaning_is_named_in_a_warning() -> None:
    given = {"zookeeper.connect": "z:2181", "bootstrap.servers": "a:1", "consumer.timeout.ms": "100"}
    with pytest.warns(RuntimeWarning, match=r"consumer\.timeout\.ms, zookeeper\.connect have no meaning"):
        assert settings(given) == {"bootstrap.servers": "a:1"}


def test_one_setting_by_two_names_with_two_values() -> None:
    with pytest.raises(ValueError, match="are one setting and have different values"):
        settings({"metadata.broker.list": "a:1", "bootstrap.servers": "b:1"})


def test_no_name_is_both_renamed_and_without_meaning() -> None:
    assert not WITHOUT_MEANING & {*RENAMED, *RENAMED.values()}


@pytest.mark.parametrize(
    ("reset", "expected"),
    [("smallest", True), ("SMALLEST", True), ("largest", False), ("latest", False)],
)
def test_where_a_stream_begins(reset: str, expected: bool) -> None:
    assert from_earliest({"auto.offset.reset": reset}) is expected


def test_a_new_word_means_what_it_says_and_not_what_it_meant() -> None:
    with pytest.warns(RuntimeWarning, match=r"earliest begins with the oldest message\. Spark 2\.4"):
        assert from_earliest({"auto.offset.reset": "earliest"})


def test_a_stream_begins_at_the_end_by_default() -> None:
    assert from_earliest({}) is False


def test_a_word_that_is_none_of_kafkas() -> None:
    with pytest.raises(ValueError, match="must be smallest or largest, not first"):
        from_earliest({"auto.offset.reset": "first"})


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, True),
        ({"auto.commit.enable": "true"}, True),
        ({"auto.commit.enable": "false"}, False),
        ({"enable.auto.commit": False}, False),
    ],
)
def test_whether_a_receiver_commits(given: dict[str, Any], expected: bool) -> None:
    assert commits(given) is expected


def test_settings_that_mean_something_warn_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        settings({"metadata.broker.list": "a:1", "group.id": "g"})
