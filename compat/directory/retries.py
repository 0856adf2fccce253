"""Work on a file system that may be away for a while: it is tried again."""

from __future__ import annotations

import itertools
import logging
import time
from collections.abc import Callable
from typing import Any, TypeVar

from py4j.java_gateway import is_instance_of
from py4j.protocol import Py4JJavaError
from pyspark import SparkContext

T = TypeVar("T")
Wait = Callable[[float], None]
"""Waits so many seconds; raises if there must be no further try."""

ATTEMPTS = 3
"""As often does Spark's CheckpointWriter try to write."""
PATIENCE_SECONDS = 120.0
"""About as long as Hadoop's client waits until another name node has taken over."""
_FIRST_SECONDS, _LONGEST_SECONDS = 0.5, 10.0
_LASTING = (
    "java.io.FileNotFoundException",
    "java.nio.file.AccessDeniedException",
    "org.apache.hadoop.fs.ChecksumException",
    "org.apache.hadoop.security.AccessControlException",
)
"""Errors of Java's that do not pass by themselves."""
_logger = logging.getLogger(__name__)


def insist(work: Callable[[], T], what: str, wait: Wait | None = None) -> T:
    """Do `work`, and do it again if it fails; the last error is raised.

    Args:
        work: whose OSError or Py4JJavaError is one of the file system; others are raised at once.
        what: its name in warnings, after "could not".
        wait: called before each further try, with longer and longer pauses, for two minutes in all. None: it
            is tried three times in a row.
    """
    begun = time.monotonic()
    pause = _FIRST_SECONDS
    for attempt in itertools.count(1):
        try:
            if attempt > 1 and wait is not None:
                wait(pause)
                pause = min(2 * pause, _LONGEST_SECONDS)
            return work()
        except (OSError, Py4JJavaError) as error:  # noqa: PERF203 - the file system takes longer
            over = attempt >= ATTEMPTS if wait is None else time.monotonic() - begun >= PATIENCE_SECONDS
            if over or _lasts(error):
                raise
            _logger.warning("Could not %s, trying again: %s", what, line(error))
    raise AssertionError("the loop has no end")


def _lasts(error: OSError | Py4JJavaError) -> bool:
    gateway: Any = SparkContext._gateway
    return isinstance(error, Py4JJavaError) and any(
        is_instance_of(gateway, error.java_exception, name) for name in _LASTING
    )


def line(error: Exception) -> str:
    """The first line of what it says, without Java's stack."""
    text = error.java_exception.toString() if isinstance(error, Py4JJavaError) else error
    return str(text).partition("\n")[0]
