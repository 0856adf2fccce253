"""What a checkpoint directory holds of a program, so that a new driver can go on with it."""

from __future__ import annotations

import io
import os
import pickle
import sys
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from pyspark import SparkConf, SparkContext
from pyspark.cloudpickle import CloudPickler

from compat import graph

if TYPE_CHECKING:
    from compat.directory import Directory
    from compat.graph import Stream

NAME = "graph"
_OF_ONE_RUN = (
    "spark.app.id",
    "spark.app.startTime",
    "spark.app.submitTime",
    "spark.driver.host",
    "spark.driver.port",
)
"""Settings that Spark makes for each SparkContext anew."""


@dataclass(frozen=True)
class Saved:
    """A program as it was started."""

    graph: graph.Graph
    conf: list[tuple[str, str]]
    zero_ms: int
    created_ms: dict[Stream, int]
    """When the file streams were created: older files are not theirs."""


def pickled(saved: Saved) -> bytes:
    """A program as it is written.

    Raises:
        pickle.PicklingError: it holds a function that cannot be pickled, or that captures an RDD, the
            SparkContext or the like; the text is PySpark's.
    """
    buffer = io.BytesIO()
    pickle.dump(_environment(), buffer)
    try:
        _Pickler(buffer).dump(saved)
    except pickle.PickleError:
        raise
    except Exception as error:
        text = f"Could not serialize object: {error.__class__.__name__}: {error}"
        raise pickle.PicklingError(text) from error
    return buffer.getvalue()


def exists(directory: Directory) -> bool:
    """Whether a program was written there."""
    return directory.has(NAME)


def load(directory: Directory) -> Saved | None:
    """Read a program back; None where there is none.

    Raises:
        RuntimeError: it reads a queue or was given a DataFrame, which are gone; or what it was written with
            cannot be gone on with by this Python.
    """
    if not exists(directory):
        return None
    content = io.BytesIO(directory.read(NAME))
    failure = f"Failed to read checkpoint from {directory.path(NAME)}: "
    for name, value in pickle.load(content).items():
        if value != _environment()[name]:
            raise RuntimeError(f"{failure}it was written with {name}={value}, not {_environment()[name]}")
    saved: Saved = pickle.load(content)
    for node in saved.graph.nodes:
        reason = unsupported(node)
        if reason is not None:
            raise RuntimeError(f"{failure}{reason}")
    return saved


def _environment() -> dict[str, str]:
    """What must not change between two runs: functions are byte code, and state is filed by hashes."""
    return {
        "Python": f"{sys.version_info[0]}.{sys.version_info[1]}",
        "PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "0"),  # Spark's own default for its workers
    }


def unsupported(node: graph.Node) -> str | None:
    """Why a program with this node cannot be recovered; None if it can."""
    if isinstance(node, graph.QueueStream):
        return (
            "queueStream doesn't support checkpointing. Please don't use queueStream when checkpointing is"
            " enabled."
        )
    if isinstance(node, graph.FromDF) and node.function is None:
        return "from_df doesn't support checkpointing of a DataFrame. Give it a function that makes one."
    return None


def context(saved: Saved) -> SparkContext:
    """The active SparkContext, or one with the settings of the one that the program ran on."""
    active = SparkContext._active_spark_context
    if active is not None and active._jsc is not None:
        return active
    conf = SparkConf().setAll([(name, value) for name, value in saved.conf if name not in _OF_ONE_RUN])
    return SparkContext(conf=conf)


class _Pickler(CloudPickler):
    """Leaves out the RDDs and DataFrames that nodes hold.

    Functions that capture one fail, as everywhere in PySpark.
    """

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, type) and obj.__module__.startswith("compat."):
            # Executors get some of them by value. A driver has `compat`, and its classes stay what they are.
            return obj.__qualname__
        if isinstance(obj, graph.QueueStream):
            return _without, (type(obj), _values(obj, rdds=(), default=None))
        if isinstance(obj, graph.FromDF) and obj.frame is not None:
            return _without, (type(obj), _values(obj, frame=None))
        if isinstance(obj, graph.UpdateStateByKey) and obj.initial_rdd is not None:
            # The state is written out as the version before the first batch.
            return _without, (type(obj), _values(obj, initial_rdd=None))
        return super().reducer_override(obj)


def _values(node: graph.Node, **replaced: Any) -> dict[str, Any]:
    return {
        entry.name: replaced.get(entry.name, getattr(node, entry.name)) for entry in fields(node)
    } | replaced


def _without(kind: type[graph.Node], values: dict[str, Any]) -> graph.Node:
    return kind(**values)
