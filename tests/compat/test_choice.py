"""Which engine a context gets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import compat
from compat.engine import load
from compat.streaming import StreamingContext


@pytest.fixture(autouse=True)
def nothing_chosen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("COMPAT_ENGINE", raising=False)
    compat.use_engine(None)
    yield
    compat.use_engine(None)


def test_structured_is_the_default() -> None:
    assert compat.chosen_engine() == "structured"


def test_an_empty_variable_chooses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPAT_ENGINE", "")
    assert compat.chosen_engine() == "structured"


def test_the_argument_wins_over_use_engine_and_that_over_the_variable(monkeypatch) -> None:
    monkeypatch.setenv("COMPAT_ENGINE", "rdd")
    assert compat.chosen_engine() == "rdd"
    compat.use_engine("structured")
    assert compat.chosen_engine() == "structured"
    assert compat.chosen_engine("rdd") == "rdd"


def test_an_unknown_engine_is_named_with_where_it_came_from(monkeypatch: pytest.MonkeyPatch) -> None:
    message = "unknown engine 'flink'; use one of rdd, structured"
    with pytest.raises(ValueError, match=f"^engine: {message}"):
        compat.chosen_engine("flink")
    with pytest.raises(ValueError, match=f"^use_engine: {message}"):
        compat.use_engine("flink")
    monkeypatch.setenv("COMPAT_ENGINE", "flink")
    with pytest.raises(ValueError, match=f"^COMPAT_ENGINE: {message}"):
        compat.chosen_engine()
    with pytest.raises(ValueError, match="unknown engine 'flink'"):
        load("flink")


def test_a_jvm_context_is_not_taken_over() -> None:
    with pytest.raises(NotImplementedError, match="jssc"):
        StreamingContext(None, 1, jssc=object())  # type: ignore[arg-type]
