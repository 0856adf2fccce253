"""The JVM's exceptions as those that `compat.engine.Engine` promises."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from compat.engine import StreamingError

_KINDS: dict[str, type[Exception]] = {
    "java.lang.IllegalArgumentException": ValueError,
    "java.lang.IllegalStateException": RuntimeError,
    "java.lang.UnsupportedOperationException": RuntimeError,
    "java.io.NotSerializableException": pickle.PicklingError,
    "org.apache.spark.SparkException": RuntimeError,
}


@contextmanager
def translated() -> Iterator[None]:
    """Raise a refusal of Spark's as the Python exception of the same meaning."""
    try:
        yield
    except (Py4JJavaError, PySparkException) as error:
        java = _java(error)
        text = _text(error)
        kind = _KINDS.get(java.getClass().getName()) if java is not None else None
        if "PicklingError" in text:
            kind = pickle.PicklingError
        if kind is None:
            raise
        raise kind(text.removeprefix("requirement failed: ")) from error


@contextmanager
def failed_batch() -> Iterator[None]:
    """Raise the error of a batch as `StreamingError`."""
    try:
        yield
    except (Py4JJavaError, PySparkException) as error:
        raise StreamingError(_text(error)) from error


@contextmanager
def unreadable(directory: str) -> Iterator[None]:
    """Raise what keeps Spark from reading a checkpoint as RuntimeError, with its first cause."""
    try:
        yield
    except (Py4JJavaError, PySparkException) as error:
        cause = _java(error)
        while cause is not None and cause.getCause() is not None:
            cause = cause.getCause()
        reason = _text(error) if cause is None else cause.toString()
        raise RuntimeError(f"the checkpoint in {directory} cannot be recovered: {reason}") from error


def _java(error: Exception) -> Any:
    # py4j's own error, or the one that a SparkSession's handler made of it
    return getattr(error, "java_exception", None) or getattr(error, "_origin", None)


def _text(error: Exception) -> str:
    java = _java(error)
    return str(error) if java is None else str(java.getMessage() or java.toString())
