"""Garbage is left to the end of a command, unless there is much of it."""

import gc
import subprocess
import sys

from migrate.garbage import OBJECTS

SHOWS = """
import atexit, gc
from migrate.cli import main
atexit.register(lambda: print(gc.get_threshold()[0], gc.get_freeze_count() > 0))
main(["rules", "map"])
"""


def test_a_command_collects_rarely_and_not_when_it_ends() -> None:
    """What is registered first runs last: it sees what is frozen by then."""
    done = subprocess.run([sys.executable, "-c", SHOWS], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == f"{OBJECTS} True"
    assert gc.get_threshold()[0] < OBJECTS
