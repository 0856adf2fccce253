"""compat.streaming against the installed pyspark.streaming, and the engines against the catalogue."""

from __future__ import annotations

import inspect
from typing import Any

import pyspark.streaming
import pytest

import compat._rdd.registry
import compat._structured.registry
import compat.streaming
from compat import graph
from compat.engine import load
from compat.streaming._missing import missing
from compat.streaming._operators import Operators

CLASSES = ["StreamingContext", "DStream"]

NOT_YET = {
    "StreamingContext": {"addStreamingListener", "binaryRecordsStream", "remember"},
    "DStream": {"slice"},
}
"""Members of pyspark.streaming that raise NotImplementedError here."""

ADDITIONS: dict[str, set[str]] = {"StreamingContext": set(), "DStream": set()}
"""Public members that pyspark.streaming does not have."""

ADDED_PARAMETERS = {
    "StreamingContext.__init__": ["engine"],
    "StreamingContext.getOrCreate": ["engine"],
    "StreamingContext.getActiveOrCreate": ["engine"],
}
"""Keyword-only parameters that pyspark.streaming does not have."""

COMPOSED = {
    "countByValueAndWindow",
    "countByWindow",
    "groupByKeyAndWindow",
    "reduceByWindow",
    "transformWith",
}
"""Operators that are made of others, as in pyspark.streaming, and thus are no class of the catalogue."""

NO_OPERATORS = {
    "addStreamingListener",
    "awaitTermination",
    "awaitTerminationOrTimeout",
    "cache",
    "checkpoint",
    "context",
    "getActive",
    "getActiveOrCreate",
    "getOrCreate",
    "persist",
    "remember",
    "sparkContext",
    "start",
    "stop",
}
"""The context's life, and what is asked of a stream without making a new one."""


def public(cls: type) -> set[str]:
    return {name for name in dir(cls) if not name.startswith("_")}


def ours(name: str) -> Any:
    return getattr(compat.streaming, name)


def theirs(name: str) -> Any:
    return getattr(pyspark.streaming, name)


@pytest.mark.parametrize("cls", CLASSES)
def test_members_are_those_of_pyspark(cls: str) -> None:
    assert public(ours(cls)) - public(theirs(cls)) == ADDITIONS[cls]
    assert public(theirs(cls)) - public(ours(cls)) == set()


@pytest.mark.parametrize("cls", CLASSES)
def test_no_member_is_inherited_from_pyspark(cls: str) -> None:
    inherited = {
        name for name in public(theirs(cls)) if getattr(ours(cls), name) is getattr(theirs(cls), name)
    }
    assert inherited == set()


@pytest.mark.parametrize("cls", CLASSES)
def test_what_is_missing_is_declared(cls: str) -> None:
    assert set(missing(ours(cls))) == NOT_YET[cls]


def signatures() -> list[tuple[str, str]]:
    members = [(cls, name) for cls in CLASSES for name in sorted(public(theirs(cls)) - NOT_YET[cls])]
    return [("StreamingContext", "__init__"), *members]


@pytest.mark.parametrize(("cls", "name"), signatures())
def test_signature(cls: str, name: str) -> None:
    mine, reference = getattr(ours(cls), name), getattr(theirs(cls), name)
    if isinstance(reference, property):
        assert isinstance(mine, property)
        return
    parameters = list(inspect.signature(mine).parameters.values())
    expected = list(inspect.signature(reference).parameters.values())
    added = parameters[len(expected) :]
    assert [(p.name, p.kind, p.default) for p in parameters[: len(expected)]] == [
        (p.name, p.kind, p.default) for p in expected
    ]
    assert [p.name for p in added] == ADDED_PARAMETERS.get(f"{cls}.{name}", [])
    assert all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in added)


@pytest.mark.parametrize("cls", CLASSES)
def test_every_member_is_documented(cls: str) -> None:
    bare = [name for name in public(ours(cls)) - NOT_YET[cls] if not inspect.getdoc(getattr(ours(cls), name))]
    assert bare == []


def test_modules_and_names() -> None:
    assert compat.streaming.__all__ == sorted(pyspark.streaming.__all__)
    from compat.streaming import context, dstream, listener

    assert context.__all__ == ["StreamingContext"]
    assert dstream.__all__ == ["DStream"]
    assert listener.StreamingListener is pyspark.streaming.StreamingListener


def test_isinstance_of_pysparks_dstream() -> None:
    assert issubclass(compat.streaming.DStream, pyspark.streaming.DStream)


def test_the_catalogue_names_every_operator_once() -> None:
    operators = public(theirs("DStream")) | public(theirs("StreamingContext"))
    not_yet = NOT_YET["DStream"] | NOT_YET["StreamingContext"]
    assert set(graph.catalogue()) == operators - NO_OPERATORS - COMPOSED - not_yet


def test_the_rdd_engine_builds_the_whole_catalogue() -> None:
    load("rdd")
    assert set(compat._rdd.registry.BUILDERS) == set(graph.catalogue().values())


def test_the_structured_engine_evaluates_the_whole_catalogue() -> None:
    load("structured")
    registered = set(compat._structured.registry.OPERATORS) | set(compat._structured.registry.OUTPUTS)
    sources = {kind for kind in graph.catalogue().values() if issubclass(kind, graph.Source)}
    assert registered | sources == set(graph.catalogue().values())


def test_an_unknown_attribute_is_named() -> None:
    stream = object.__new__(compat.streaming.DStream)
    with pytest.raises(AttributeError, match="no attribute 'saveToCassandra'"):
        stream.saveToCassandra  # noqa: B018
    with pytest.raises(AttributeError, match="no JVM DStream behind it"):
        stream._jdstream  # noqa: B018
    assert isinstance(stream, Operators)
