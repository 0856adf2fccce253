"""Statements: what a piece of a program gives, whichever engine runs it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import settings

from compat.testing import Batches, Output, assert_equal
from compat.testing.compare import Compare


@dataclass(frozen=True)
class Statement:
    """A sentence about an operator, and the program, input and output that make it true or false."""

    sentence: str
    build: Callable[..., Any]
    inputs: list[Batches]
    expected: Output
    compare: Compare = "order"

    def __str__(self) -> str:
        return self.sentence

    def check(self, outputs: dict[str, Output]) -> None:
        """Compare the batches up to the last that is expected; the module's `outputs` has no more."""
        assert_equal(self.expected, outputs[self.sentence], compare=self.compare)


def wait_until(condition: Callable[[], bool], what: str, timeout: float = 60.0) -> None:
    """Wait for something that another thread or process does."""
    end = time.monotonic() + timeout
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < end, f"{what}: not within {timeout:g} s"
        pause.wait(0.01)


def examples(quick: int, deep: int | None = None) -> int:
    """How many examples a test that runs Spark takes: in the deep profile `deep`, or ten times as many."""
    if settings.get_current_profile_name() != "deep":
        return quick
    return quick * 10 if deep is None else deep
