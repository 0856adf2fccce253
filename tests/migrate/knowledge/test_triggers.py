"""What ``--trigger`` can say."""

from __future__ import annotations

import pytest

from migrate.knowledge.triggers import Trigger


@pytest.mark.parametrize(
    ("text", "argument"),
    [
        ("", ""),
        ("available-now", "availableNow=True"),
        ("continuous=1s", 'continuous="1 second"'),
        ("continuous=200ms", 'continuous="200 milliseconds"'),
        ("realtime", 'realTime="5 seconds"'),
        ("realtime=1m", 'realTime="1 minute"'),
    ],
)
def test_triggers_are_read(text: str, argument: str) -> None:
    assert Trigger.parse(text).argument == argument


@pytest.mark.parametrize("text", ["once", "continuous", "continuous=0s", "continuous=1h", "available-now=1s"])
def test_others_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="it can be available-now"):
        Trigger.parse(text)


@pytest.mark.parametrize("text", ["realtime=4s", "realtime=100ms"])
def test_real_time_has_batches_of_five_seconds_at_least(text: str) -> None:
    with pytest.raises(ValueError, match="no shorter batches"):
        Trigger.parse(text)
