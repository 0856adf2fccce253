"""compat.streaming against the installed pyspark.streaming, and the engines against the catalogue."""

from __future__ import annotations

import inspect
import pkgutil
from pathlib import Path
from typing import Any

import pyspark.streaming
import pytest
from pyspark.storagelevel import StorageLevel

import compat._rdd.registry
import compat._structured.batches.registry
import compat.streaming
from compat import graph
from compat._structured.batches.blocks import Block
from compat.engine import load
from compat.streaming import kafka
from compat.streaming.kafka import KafkaUtils, utf8_decoder

CLASSES = ["StreamingContext", "DStream", "StreamingListener"]
OURS = ["StreamingContext", "DStream"]
"""Those that are not PySpark's own."""

NONE = inspect.Parameter.empty

OTHER_MODULES = {"util": "internal", "tests": "internal"}
"""Modules of pyspark.streaming that are not in compat.streaming."""

ADDITIONS = {"StreamingContext": {"from_df"}, "DStream": {"foreachBatch", "to_df"}}
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
    "slice",
    "sparkContext",
    "start",
    "stop",
    "to_df",
}
"""The context's life, and what is asked of a stream without making a new one."""

KAFKA = {
    "createStream": {
        "ssc": NONE,
        "zkQuorum": NONE,
        "groupId": NONE,
        "topics": NONE,
        "kafkaParams": None,
        "storageLevel": StorageLevel.MEMORY_AND_DISK_2,
        "keyDecoder": utf8_decoder,
        "valueDecoder": utf8_decoder,
    },
    "createDirectStream": {
        "ssc": NONE,
        "topics": NONE,
        "kafkaParams": NONE,
        "fromOffsets": None,
        "keyDecoder": utf8_decoder,
        "valueDecoder": utf8_decoder,
        "messageHandler": None,
        "commitGroup": None,
    },
    "createRDD": {
        "sc": NONE,
        "kafkaParams": NONE,
        "offsetRanges": NONE,
        "leaders": None,
        "keyDecoder": utf8_decoder,
        "valueDecoder": utf8_decoder,
        "messageHandler": None,
    },
}
"""The functions of `KafkaUtils` in PySpark 2.4.8, which was the last to have it, with their defaults; and
what is added to them."""


def public(cls: type) -> set[str]:
    return {name for name in dir(cls) if not name.startswith("_")}


def ours(name: str) -> Any:
    return getattr(compat.streaming, name)


def theirs(name: str) -> Any:
    return getattr(pyspark.streaming, name)


@pytest.mark.parametrize("cls", CLASSES)
def test_members_are_those_of_pyspark(cls: str) -> None:
    assert public(ours(cls)) - public(theirs(cls)) == ADDITIONS.get(cls, set())
    assert public(theirs(cls)) - public(ours(cls)) == set()


@pytest.mark.parametrize("cls", OURS)
def test_no_member_is_inherited_from_pyspark(cls: str) -> None:
    inherited = {
        name for name in public(theirs(cls)) if getattr(ours(cls), name) is getattr(theirs(cls), name)
    }
    assert inherited == set()


def signatures() -> list[tuple[str, str]]:
    members = [(cls, name) for cls in CLASSES for name in sorted(public(theirs(cls)))]
    return [*((cls, "__init__") for cls in CLASSES), *members]


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


@pytest.mark.parametrize("cls", OURS)
def test_every_member_is_documented(cls: str) -> None:
    assert [name for name in public(ours(cls)) if not inspect.getdoc(getattr(ours(cls), name))] == []


@pytest.mark.parametrize("cls", OURS)
def test_every_member_is_annotated(cls: str) -> None:
    for name in public(ours(cls)):
        member = getattr(ours(cls), name)
        function: Any = member.fget if isinstance(member, property) else member
        annotated = inspect.signature(function)
        parameters = [p for p in annotated.parameters.values() if p.name not in ("self", "cls")]
        assert annotated.return_annotation is not inspect.Signature.empty, name
        assert all(p.annotation is not inspect.Parameter.empty for p in parameters), name


def test_annotations_are_shipped() -> None:
    assert (Path(compat.__file__).parent / "py.typed").exists()


def test_modules_are_those_of_pyspark() -> None:
    theirs = {module.name for module in pkgutil.iter_modules(pyspark.streaming.__path__)}
    mine = {module.name for module in pkgutil.iter_modules(compat.streaming.__path__)}
    assert theirs - mine <= OTHER_MODULES.keys()


def test_modules_and_names() -> None:
    assert compat.streaming.__all__ == sorted(pyspark.streaming.__all__)
    from compat.streaming import context, dstream, listener

    assert context.__all__ == ["StreamingContext"]
    assert dstream.__all__ == ["DStream"]
    assert listener.StreamingListener is pyspark.streaming.StreamingListener


def test_names_of_the_kafka_module() -> None:
    assert kafka.__all__ == [
        "Broker",
        "KafkaMessageAndMetadata",
        "KafkaUtils",
        "OffsetRange",
        "TopicAndPartition",
        "utf8_decoder",
    ]
    assert public(KafkaUtils) == KAFKA.keys()


@pytest.mark.parametrize("name", KAFKA)
def test_signatures_of_the_kafka_module(name: str) -> None:
    parameters = inspect.signature(getattr(KafkaUtils, name)).parameters
    assert {parameter.name: parameter.default for parameter in parameters.values()} == KAFKA[name]
    keyword_only = [p.name for p in parameters.values() if p.kind is inspect.Parameter.KEYWORD_ONLY]
    assert keyword_only == [added for added in ("commitGroup",) if added in parameters]
    assert inspect.getdoc(getattr(KafkaUtils, name))


def test_isinstance_of_pysparks_dstream() -> None:
    assert issubclass(compat.streaming.DStream, pyspark.streaming.DStream)


def test_the_catalogue_names_every_operator_once() -> None:
    operators = public(ours("DStream")) | public(ours("StreamingContext"))
    kinesis = "KinesisUtils.createStream"
    elsewhere = {"DStream", "createStream", "createDirectStream", "receiverStream", kinesis}
    assert set(graph.catalogue()) == (operators - NO_OPERATORS - COMPOSED) | elsewhere


def test_the_rdd_engine_builds_the_whole_catalogue() -> None:
    load("rdd")
    assert set(compat._rdd.registry.BUILDERS) == set(graph.catalogue().values())


def test_the_structured_engine_evaluates_the_whole_catalogue() -> None:
    load("structured")
    registered = set(compat._structured.batches.registry.OPERATORS) | set(
        compat._structured.batches.registry.OUTPUTS
    )
    sources = {kind for kind in graph.catalogue().values() if issubclass(kind, graph.Source)}
    within = {Block}  # what an operator uses within itself, and no program has
    assert registered | sources == set(graph.catalogue().values()) | within
