"""The sample programs: where they are, and what each is run with."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True)
class Sample:
    """A program of ``samples/legacy``."""

    name: str
    arguments: tuple[str, ...]
    """With ``{host}``, ``{port}`` and ``{work}``, as `dstream-migrate verify` takes them."""
    input: str
    """The text that it reads: a key of `migrate.demo.material.TEXTS`."""
    kafka: bool = False
    """Whether the lines of the text are messages of a topic."""
    learn: bool = False
    """Whether its rewrite rests on types that are learnt."""


def directory() -> Path:
    """Where the samples are: beside the packages in a source tree, in `migrate` in a wheel."""
    package = Path(__file__).resolve().parent.parent
    installed, checkout = package / "samples", package.parent / "samples"
    return installed if installed.is_dir() else checkout


def samples() -> list[Sample]:
    """The programs, in the order in which they are shown."""
    table = tomllib.loads((directory() / "programs.toml").read_text(encoding="utf-8"))
    return [
        Sample(
            name,
            tuple(entry["arguments"]),
            entry["input"],
            entry.get("kafka", False),
            entry.get("learn", False),
        )
        for name, entry in table.items()
    ]
