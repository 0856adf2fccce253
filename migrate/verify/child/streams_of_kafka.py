"""`KafkaUtils` under the harness: streams of the run's own topics, at its broker.

PySpark has no Kafka any more, so a program that imports ``pyspark.streaming.kafka`` gets `compat.streaming`
on the engine ``rdd`` for all of ``pyspark.streaming``: on DStreams, as it ran before.
"""

from __future__ import annotations

import builtins
import os
import re
from collections.abc import Callable, Mapping
from typing import Any

from migrate.verify.child.patching import replace_for_programs
from migrate.verify.child.session import Session
from migrate.verify.child.topics import Topics

OLD, NEW = "pyspark.streaming", "compat.streaming"
_ADDRESSES = ("metadata.broker.list", "bootstrap.servers", "zookeeper.connect")
_SECURITY = ("security.", "sasl.", "ssl.")
_START = "auto.offset.reset"


def stand_in_for_pyspark(source: bytes) -> None:
    """Give a program that reads Kafka the old way what it needs."""
    if re.search(rb"\b(pyspark|compat)\.streaming\.kafka\b|streaming import .*\bkafka\b", source) is None:
        return
    os.environ["COMPAT_ENGINE"] = "rdd"
    if b"compat.streaming" in source:
        return

    def imported(
        original: Callable[..., Any],
        name: str,
        globals: Any = None,
        locals: Any = None,
        fromlist: Any = (),
        level: int = 0,
    ) -> Any:
        ours = not level and (name == OLD or name.startswith(OLD + "."))
        if ours and fromlist:
            name = NEW + name.removeprefix(OLD)
        elif ours:
            compat = original(NEW + name.removeprefix(OLD), globals, locals, fromlist, level)
            found = original("pyspark", globals, locals, fromlist, level)
            found.streaming = compat.streaming
            return found
        elif name == "pyspark" and not level and fromlist == ("streaming",):
            name = "compat"
        return original(name, globals, locals, fromlist, level)

    replace_for_programs(builtins, "__import__", imported)


def drive_kafka(session: Session, module: Any) -> None:
    """Take over the module `compat.streaming.kafka`."""
    utils, place = module.KafkaUtils, module.TopicAndPartition
    topics = session.topics
    if topics is None:
        return

    def create_stream(
        original: Callable[..., Any],
        ssc: Any,
        zkQuorum: str,  # noqa: N803 - Spark's names
        groupId: str,  # noqa: N803
        topics_: Any = None,
        kafkaParams: Mapping[str, Any] | None = None,  # noqa: N803
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        wanted = kwargs.pop("topics", topics_)
        params = kafkaParams or {}
        if not isinstance(wanted, dict):
            return original(ssc, zkQuorum, groupId, wanted, params, *args, **kwargs)
        _ready(topics, list(wanted), params)
        named = {topics.name(topic): count for topic, count in wanted.items()}
        return original(ssc, zkQuorum, groupId, named, _params(topics, params), *args, **kwargs)

    def create_direct(
        original: Callable[..., Any],
        ssc: Any,
        topics_: Any = None,
        kafkaParams: Any = None,  # noqa: N803
        fromOffsets: Any = None,  # noqa: N803
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        wanted = kwargs.pop("topics", topics_)
        if not isinstance(wanted, list) or not isinstance(kafkaParams, dict):
            return original(ssc, wanted, kafkaParams, fromOffsets, *args, **kwargs)
        offsets: dict[str, dict[int, int]] = {}
        for key, offset in (fromOffsets or {}).items():
            offsets.setdefault(key._topic, {})[key._partition] = offset
        _ready(topics, wanted, kafkaParams, offsets)
        started = {
            place(topics.name(key._topic), key._partition): n for key, n in (fromOffsets or {}).items()
        }
        named = [topics.name(topic) for topic in wanted]
        return original(ssc, named, _params(topics, kafkaParams), started, *args, **kwargs)

    for name, member in (("createStream", create_stream), ("createDirectStream", create_direct)):
        replace_for_programs(utils, name, member)


def _ready(
    topics: Topics,
    wanted: list[str],
    params: Mapping[str, Any],
    offsets: Mapping[str, Mapping[int, int]] | None = None,
) -> None:
    """Have the topics there before the stream looks for their ends."""
    topics.use(wanted, offsets)
    if not offsets and str(params.get(_START, "largest")).lower() not in ("smallest", "earliest"):
        topics.add_stale(wanted)


def _params(topics: Topics, given: Mapping[str, Any]) -> dict[str, Any]:
    """The program's parameters with the run's broker."""
    kept = {key: value for key, value in given.items() if key not in _ADDRESSES}
    kept = {key: value for key, value in kept.items() if not key.startswith(_SECURITY)}
    return {**kept, "bootstrap.servers": topics.address}
