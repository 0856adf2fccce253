"""Callers of programs in the other files of a project: what each of them must pass after the rewrite."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from migrate.cached import cached_property
from migrate.frozen import replace
from migrate.knowledge import cassandra
from migrate.knowledge.connectors import KAFKA
from migrate.knowledge.kafka_connector import (
    OF_DSTREAMS,
    OF_KAFKA,
    changes_in_command,
    other_scala,
    receivers_in_command,
)
from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Callers, GraphResult, Result
from migrate.read.commands import Command, commands

OTHER_SCALA = "the package for Scala {}"
MORE = "{} more lines of other files name the old connector or this program"
_MOST = 20
"""Lines that are told of one program."""
_ADDRESS = re.compile(r"[\w.${}-]+:2181(?:,[\w.${}-]+:2181)*")
_PYSPARK = re.compile(r"^\W*(?:from|import) pyspark\b|pyspark-shell", re.MULTILINE)
_PROGRAM = re.compile(r"[\w./-]+\.(?:py|ipynb)\b")


@dataclass(frozen=True)
class _Line:
    """A command as it is looked at for every program."""

    command: Command

    @cached_property
    def started(self) -> set[str]:
        """The names of the files that it starts."""
        return {PurePosixPath(name).name for name in _PROGRAM.findall(self.command.whole)}

    @cached_property
    def may_start_any(self) -> bool:
        """Whether it starts a program by a variable, with the connector that those for DStreams need."""
        whole = self.command.whole
        return "spark-submit" in whole and OF_DSTREAMS in whole and not self.started

    @cached_property
    def is_code(self) -> bool:
        """Whether it stands in a program of PySpark, which speaks of its own connector."""
        path = self.command.path
        if path.suffix not in (".py", ".ipynb"):
            return False
        text = path.read_text(encoding="utf-8", errors="replace")
        return "spark-submit" not in text or _PYSPARK.search(text) is not None


def with_callers(result: Result, base: Path, roots: Sequence[Path], spark: SparkVersion) -> Result:
    """A result that names the callers of its programs with connectors, and what they must change.

    Args:
        result: the result.
        base: the directory that its paths are relative to.
        roots: the directories in which callers are looked for.
        spark: the version that the new code is for.
    """
    graphs = [graph for graph in result.graphs if graph.callers is not None]
    if not graphs:
        return result
    words = {OF_DSTREAMS, *OF_KAFKA, *(PurePosixPath(path).name for graph in graphs for path in graph.files)}
    words |= {old for graph in graphs for old, _ in (graph.callers or Callers()).variables}
    own = {(base / path).resolve() for graph in graphs for path in graph.files}
    there = (one for root in roots for one in commands(root, sorted(words)))
    found = [_Line(one) for one in there if one.path.resolve() not in own]
    told = {graph.id: _fewest(_told(graph, found, base, spark)) for graph in graphs}
    return replace(
        result,
        graphs=tuple(
            replace(graph, must_change=(*graph.must_change, *told.get(graph.id, ())))
            for graph in result.graphs
        ),
    )


def _fewest(told: Iterable[str]) -> tuple[str, ...]:
    """The first of many lines: a program may stand in a directory of many projects."""
    lines = [*told]
    more = len(lines) - _MOST
    return (*lines[:_MOST], *([MORE.format(more)] if more > 0 else ()))


def _told(graph: GraphResult, found: Sequence[_Line], base: Path, spark: SparkVersion) -> Iterator[str]:
    """A line for each command that is about a program."""
    own = {PurePosixPath(path).name for path in graph.files}
    for line in found:
        starts = not own.isdisjoint(line.started)
        if not starts and (line.started or line.is_code):
            continue
        command = line.command
        starts |= line.may_start_any
        changes = _changes(command.text, graph.callers or Callers(), spark, starts=starts)
        if changes:
            place = Path(os.path.relpath(command.path, base)).as_posix()
            yield f"{place}:{command.line}: {', '.join(f'`{old}` -> {new}' for old, new in changes.items())}"


def _changes(text: str, callers: Callers, spark: SparkVersion, *, starts: bool) -> dict[str, str]:
    """What a command has, with what must stand in its place; `starts`: it names the program."""
    found: dict[str, str] = {}
    if KAFKA in callers.connectors:
        found.update(changes_in_command(text, spark))
    if starts or callers.connectors - {KAFKA}:
        found.update((old, "left out") for old in receivers_in_command(text))
    found.update((old, f"`{new}`") for old, new in callers.variables if _has(text, old))
    if starts:
        found.update((old, f"`{new}`") for old, new in callers.flags if _has(text, old))
        if callers.address and (address := _ADDRESS.search(text)) is not None:
            found[address[0]] = "Kafka's brokers"
        found.update(
            (old, f"`{cassandra.coordinate(spark)}`") for old in cassandra.others_of_connector(text, spark)
        )
        others = (one for one in other_scala(text, spark) if not any(one in old for old in found))
        found.update((old, OTHER_SCALA.format(spark.scala)) for old in others if OF_DSTREAMS not in old)
    return found


def _has(text: str, word: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None
