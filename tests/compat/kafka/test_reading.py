"""What executors read messages with."""

from __future__ import annotations

import pytest

from compat.kafka.reading import consumer_settings


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param({}, "10", id="it is not asked for what is not there: no fetch may wait"),
        pytest.param({"fetch.max.wait.ms": "300"}, "300", id="the user's setting"),
    ],
)
def test_fetches_do_not_wait_unless_the_user_says_so(given: dict[str, str], expected: str) -> None:
    assert consumer_settings(given, "messages")["fetch.max.wait.ms"] == expected


def test_what_the_connector_needs_is_not_the_users_choice() -> None:
    given = {"group.id": "g", "auto.offset.reset": "latest", "enable.auto.commit": "true"}
    found = consumer_settings({"bootstrap.servers": "a:1", **given}, "messages")
    assert found["bootstrap.servers"] == "a:1"
    assert [found[name] for name in given] == ["messages-executor", "none", "false"]
