"""The arguments of a benchmark over directories of programs, each of which is migrated as `check` would."""

from __future__ import annotations

import argparse
from pathlib import Path

from migrate.model import Options


def arguments(description: str) -> tuple[list[Path], Options]:
    """The directories that the command line names, and the options of their migration."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--event-time", metavar="COLUMN")
    parser.add_argument("--unsafe", action="store_true")
    chosen = parser.parse_args()
    return chosen.repositories, Options(unsafe=chosen.unsafe, event_time=chosen.event_time)
