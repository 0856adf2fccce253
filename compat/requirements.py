"""What must be installed, said where it is missed first and not where something breaks later."""

from __future__ import annotations

import importlib.util
import sys

import pyspark


def check(spark: str, python: tuple[int, int], *, has_distutils: bool) -> None:
    """Raise ImportError, naming the version that is needed, if this package cannot run.

    Args:
        spark: PySpark's version.
        python: major and minor version of Python.
        has_distutils: whether there is a module of that name; Python has none of its own since 3.12, but
            setuptools brings one.
    """
    release = tuple(int("".join(filter(str.isdigit, part))) for part in spark.split(".")[:2])
    if python < (3, 10):
        raise ImportError(f"compat needs Python 3.10 or later; this is {python[0]}.{python[1]}")
    if release < (3, 5):
        raise ImportError(f"compat needs PySpark 3.5 or later; this is {spark}")
    if release < (4, 0) and not has_distutils:
        raise ImportError(
            f"PySpark {spark} needs distutils, which Python {python[0]}.{python[1]} does not have:"
            " PySpark 4.0 does without it, and so does PySpark 3.5 up to Python 3.11"
        )


def check_installed() -> None:
    """Raise ImportError if this package cannot run with what is installed."""
    has_distutils = importlib.util.find_spec("distutils") is not None
    check(pyspark.__version__, sys.version_info[:2], has_distutils=has_distutils)
