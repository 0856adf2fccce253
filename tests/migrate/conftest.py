"""The command line, run in this process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from migrate.cli import main

STREAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Blocks")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.glom().pprint()  # a list for each block
ssc.start()
ssc.awaitTermination()
"""
"""A program that only compat can take: what is in one partition has no exact native form."""


@dataclass(frozen=True)
class Done:
    """What a command left on its outputs."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()


Cli = Callable[..., Done]


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Cli:
    """Call the command with arguments and, if given, bytes on standard input."""
    monkeypatch.setattr("migrate.cli.collect_rarely", lambda: None)  # this process goes on

    def call(*arguments: str | Path, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        assert isinstance(left.value.code, int)
        return Done(left.value.code, out, err.decode())

    return call


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a streaming program and a file without streams, as the current directory."""
    (tmp_path / "job.py").write_text(STREAM)
    (tmp_path / "plain.py").write_text("print('no streams here')\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path
