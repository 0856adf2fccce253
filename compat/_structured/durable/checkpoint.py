"""What a checkpoint directory holds of a program, so that a new driver can go on with it.

The file begins with a line of JSON that says what it was written with. Only if that fits is the rest, a
pickle, read at all."""

from __future__ import annotations

import importlib.metadata
import io
import json
import os
import pickle
import sys
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import pyspark
from pyspark import SparkConf, SparkContext
from pyspark.cloudpickle import CloudPickler

from compat import graph

if TYPE_CHECKING:
    from compat.directory import Directory
    from compat.graph import Stream

NAME = "graph"
FORMAT = 4
"""Changes whenever an older package could not go on with what is written, or this one not with what an older
one has written: the classes of `compat.graph`, the batch log, versions of state."""
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
    """Settings, without secrets: those come from whoever starts the program again."""
    zero_ms: int
    created_ms: dict[Stream, int]
    """When the file streams were created: older files are not theirs."""


def pickled(saved: Saved) -> bytes:
    """A program as it is written.

    Raises:
        pickle.PicklingError: it holds a function that cannot be pickled, or that captures an RDD, the
            SparkContext or the like; the text is PySpark's.
    """
    buffer = io.BytesIO(json.dumps(_written_with()).encode() + b"\n")
    buffer.seek(0, io.SEEK_END)
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
            cannot be gone on with by this Python and PySpark; or the file is not what was written.
    """
    if not exists(directory):
        return None
    failure = f"Failed to read checkpoint from {directory.path(NAME)}: "
    header, _, content = directory.read(NAME).partition(b"\n")
    _check(header, failure)
    try:
        saved: Saved = pickle.loads(content)
    except (ImportError, AttributeError) as error:
        raise RuntimeError(
            f"{failure}{error}. The program uses this module, or name of one; have it there, as it was"
        ) from error
    except (pickle.UnpicklingError, EOFError, IndexError, ValueError) as error:
        raise RuntimeError(f"{failure}the file is damaged ({error}). {_AFRESH}") from error
    for node in saved.graph.nodes:
        reason = unsupported(node)
        if reason is not None:
            raise RuntimeError(f"{failure}{reason}")
    return saved


_AFRESH = "Bring it back from a copy, or begin in another directory"


def _check(header: bytes, failure: str) -> None:
    try:
        found = json.loads(header)
        form = found["format"]
    except (ValueError, TypeError, KeyError) as error:
        raise RuntimeError(
            f"{failure}it is no checkpoint of this package, or one from before formats had numbers. {_AFRESH}"
        ) from error
    own = _written_with()
    if form != FORMAT:
        raise RuntimeError(
            f"{failure}it has format {form}, written by version {found.get('package')} of this package, and"
            f" version {own['package']} reads format {FORMAT}. {_way_on('that version')}"
        )
    for name in ("Python", "PySpark", "PYTHONHASHSEED"):
        if found.get(name) != own[name]:
            raise RuntimeError(
                f"{failure}it was written with {name}={found.get(name)}, not {own[name]}. {_way_on('that')}"
            )


def _way_on(old: str) -> str:
    return (
        f"Go on with {old}; or let the program keep its state there with compat.handover.save_state, stop it"
        " gracefully, and begin in another directory with load_state"
    )


def _written_with() -> dict[str, Any]:
    """What a checkpoint belongs to: functions are byte code, and state is filed by hashes."""
    return {
        "format": FORMAT,
        "package": _package(),
        "PySpark": ".".join(pyspark.__version__.split(".")[:2]),
        "Python": f"{sys.version_info[0]}.{sys.version_info[1]}",
        "PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "0"),  # Spark's own default for its workers
    }


def _package() -> str:
    try:
        return importlib.metadata.version("dstream-migrate")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"  # it was not installed, but put on the path


def settings(spark_context: SparkContext) -> list[tuple[str, str]]:
    """The settings that a program runs with, without what ``spark.redaction.regex`` takes for secret."""
    jvm: Any = spark_context._jvm
    java: Any = spark_context._jsc
    conf = java.sc().conf()
    redacted = jvm.org.apache.spark.util.Utils.redact(conf, jvm.PythonUtils.toSeq(_pairs(jvm, conf)))
    shown = {redacted.apply(i)._1(): redacted.apply(i)._2() for i in range(redacted.size())}
    return [(name, value) for name, value in spark_context.getConf().getAll() if shown.get(name) == value]


def _pairs(jvm: Any, conf: Any) -> Any:
    pairs = jvm.java.util.ArrayList()
    for pair in conf.getAll():
        pairs.add(pair)
    return pairs


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
