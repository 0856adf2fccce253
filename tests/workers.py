"""Pythons for Spark's workers, whose tasks take no longer than what they do."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pyspark

ARCHIVES = str(Path(pyspark.__file__).parent / "python/lib")
# A worker collects garbage after each task and reads the archives of PySpark again before some; one for
# DataFrames imports pandas first. In tests that takes several times as long as the tasks.
CUSTOM = f"""\
import gc, os, sys

if any(name.endswith(".daemon") for name in sys.orig_argv):  # `verify` has one of its own
    gc.collect = lambda generation=2: 0
    sys.path[:] = [path for path in sys.path if not path.startswith({ARCHIVES!r})]
    if "SPARK_SIMPLIFIED_TRACEBACK" in os.environ:  # what forks workers for DataFrames
        import pandas, pyarrow
if "WITHOUT_COMPAT" in os.environ:
    sys.modules["compat"] = None
"""


def quick_workers() -> None:
    """Let the workers of all programs that tests start run short tasks quickly."""
    place = Path(tempfile.mkdtemp(prefix="worker-python-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    (place / "sitecustomize.py").write_text(CUSTOM)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(place), os.environ.get("PYTHONPATH")]))
    os.environ["PYSPARK_PYTHON"] = str(_without_compat(place))


def _without_compat(place: Path) -> Path:
    """A Python for workers that cannot import `compat`, like those of a cluster.

    A function that is pickled by reference to `compat` then fails in every test.
    """
    python = place / "python"
    python.write_text(
        f'#!/bin/sh\nWITHOUT_COMPAT=1 PYTHONPATH="{place}:$PYTHONPATH" exec {sys.executable} "$@"\n'
    )
    python.chmod(0o755)
    return python
