"""Servers and programs that do not outlive their test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.processes import Program, Server


@pytest.fixture
def server() -> Iterator[Server]:
    """A text server on a free port."""
    made = Server()
    yield made
    made.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Program]]:
    """Start a program in the test's directory; it is killed at the end."""
    running: list[Program] = []

    def launch(path: Path, *arguments: object, **environment: str) -> Program:
        running.append(Program(path, *arguments, work=tmp_path, **environment))
        return running[-1]

    yield launch
    for program in running:
        program.kill()
