"""What a program that reads a source with a connector needs beside its code, and must be told of."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from shlex import quote

from migrate.graph.connector_texts import Renewal, renewed_comments
from migrate.graph.program import Program
from migrate.knowledge.connectors import FLUME, KAFKA, KINESIS, MQTT, connector_of
from migrate.knowledge.kafka_connector import (
    NAMED,
    OF_KAFKA,
    changes_in_command,
    coordinate,
    others_of_queries,
)
from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Callers, Module
from migrate.syntax.bindings import BINDING, bound_by, bound_names
from migrate.syntax.nodes import code_of, of_kinds, walk
from migrate.trace import Graph

NEEDED = "start it with Spark's connector for Kafka: spark-submit --packages {} {}"
IN_SHELL = "start the shell that {1} runs in with Spark's connector for Kafka: pyspark --packages {0}"
OLD = "`{}` names the connector of DStreams, which no Spark since 3.0 has; the new one is {}"
OF_OTHER_SPARK = "`{}` names the connector of another Spark; the new one is {}"
UNPUBLISHED = "no connector is published for Spark {} yet: {} is the newest that is known to run on it"
ZOOKEEPER = (
    "set the environment variable COMPAT_KAFKA_BOOTSTRAP to Kafka's brokers, host:port,...: `createStream` "
    "names ZooKeeper, which no client of Kafka asks any more"
)
RECEIVED = {
    MQTT: "pip install 'dstream-migrate[mqtt]' on the driver: compat receives from MQTT with paho-mqtt",
    KINESIS: (
        "pip install 'dstream-migrate[kinesis]' on the driver and the executors: compat reads Kinesis with "
        "boto3, in place of spark-streaming-kinesis-asl"
    ),
    FLUME: (
        "pip install 'dstream-migrate[flume]' on the driver: compat receives from Flume there, whose sink "
        "must have that address"
    ),
}


@dataclass(frozen=True)
class Told:
    """Lines of the report."""

    must_change: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def reads(connector: str, graph: Graph) -> bool:
    """Whether a graph has a stream of that connector, by the name of its module."""
    return any(connector_of(use.connector) == connector for use in graph.uses)


def callers_of(graph: Graph, given: Callers | None = None) -> Callers | None:
    """What callers of a graph pass no more, with the packages of its connectors; None if that is nothing."""
    read = frozenset(one for one in (KAFKA, *RECEIVED) if reads(one, graph))
    return (given or Callers()) | Callers(connectors=read) if read or given else None


def _named(module: Module, package: str, renewed: Collection[int] = ()) -> Iterator[tuple[int, str]]:
    """The lines of a module but those in `renewed` that name a connector that is gone, with a sentence."""
    lines = module.source.splitlines() if NAMED.search(module.source) else ()
    for number, line in enumerate(lines, 1):
        if NAMED.search(line) and number not in renewed:
            yield number, OLD.format(line.strip(), package)


def _running(tree: ast.Module) -> set[int]:
    """The lines of texts that a module's code reads, which docstrings are not."""
    alone = {node.value for node in of_kinds(tree, ast.Expr)}
    texts = [one for one in of_kinds(tree, ast.Constant) if isinstance(one.value, str) and one not in alone]
    return {number for one in texts for number in range(one.lineno, (one.end_lineno or 0) + 1)}


def _named_anywhere(module: Module, spark: SparkVersion) -> Iterator[str]:
    """Where a module that keeps its lines names a connector that does not fit, one sentence for each line."""
    for _, told in _named(module, coordinate(spark)):
        yield told
    for line in module.source.splitlines() if others_of_queries(module.source, spark) else ():
        if others_of_queries(line, spark) and not NAMED.search(line):
            yield OF_OTHER_SPARK.format(line.strip(), coordinate(spark))


def in_foreign_lines(module: Module, spark: SparkVersion) -> Iterator[str]:
    """What to change in the lines of a notebook that name a connector and are not Python: ``%%configure``."""
    for place, line in module.form.foreign_lines():
        if changes := _changes(line, spark):
            yield f"{place}: {', '.join(f'`{old}` -> {new}' for old, new in changes.items())}"


def _configures(module: Module, spark: SparkVersion) -> bool:
    """Whether such a line is about the notebook's own session, and not about another program."""
    return any(
        "spark-submit" not in line and _changes(line, spark) for _, line in module.form.foreign_lines()
    )


def _changes(line: str, spark: SparkVersion) -> dict[str, str]:
    named = any(word in line for word in OF_KAFKA)
    return dict(changes_in_command(line, spark)) if named else {}


def unpublished(spark: SparkVersion) -> Iterator[str]:
    """Why the connector has the number of an older release, if it has."""
    version = coordinate(spark).rpartition(":")[2]
    if SparkVersion.parse(version).release != spark.release:
        yield UNPUBLISHED.format(".".join(map(str, spark.release)), version)


def _runs_in_shell(module: Module) -> bool:
    """Whether a module has its SparkContext from a shell: it reads ``sc``, and nothing binds it above."""
    if _reads_first(module.tree, "sc"):
        return True
    calls = (call for call in of_kinds(module.tree, ast.Call) if call.args)
    given = (call.args[0] for call in calls if _last_of(call.func).endswith("StreamingContext"))
    names = {node.id for node in given if isinstance(node, ast.Name)}
    starred = any(one.names[0].name == "*" for one in of_kinds(module.tree, ast.ImportFrom))
    parameters = {one.arg for one in of_kinds(module.tree, ast.arg)}
    return not starred and bool(names - bound_names(module.tree) - parameters)


def _last_of(node: ast.expr) -> str:
    """The name of a member, or all code of another expression."""
    return node.attr if isinstance(node, ast.Attribute) else code_of(node)


def _reads_first(tree: ast.Module, name: str) -> bool:
    """Whether a plain statement of a module reads a name that none above binds: ``sc.stop()``."""
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            continue
        inside = [*walk(statement)]
        names = [node for node in inside if isinstance(node, ast.Name) and node.id == name]
        starred = isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"
        if starred or any(bound_by(node) == name for node in inside if isinstance(node, BINDING)):
            return False
        if any(not isinstance(node.ctx, ast.Load) for node in names):
            return False
        if names and isinstance(statement, ast.Assign | ast.Expr):
            return True
    return False


def connector_told(program: Program, renewals: Collection[Renewal], spark: SparkVersion) -> Told:
    """What to know of the connector of a native program that reads Kafka."""
    package, job = coordinate(spark), quote(program.graph.files[0])
    needed = IN_SHELL if any(_runs_in_shell(one) or one.form.has_cells for one in program.modules) else NEEDED
    configured = any(_configures(module, spark) for module in program.modules)
    runs = configured or any(one.runs for one in renewals)
    must = [] if runs else [needed.format(package, job)]
    notes = [*unpublished(spark)]
    for module in program.modules:
        own = [one.text for one in renewals if program.module_of(one.text) is module]
        lines = {number for text in own for number in range(text.lineno, (text.end_lineno or 0) + 1)}
        running = _running(module.tree)
        for number, told in _named(module, package, {*lines, *dict(renewed_comments(module, spark))}):
            (must if number in running else notes).append(told)
    return Told(tuple(must), tuple(notes))


def compat_told(graph: Graph, modules: Mapping[str, Module], spark: SparkVersion) -> Told:
    """What to know of a graph that reads sources of connectors through `compat.streaming`."""
    received = tuple(note for connector, note in RECEIVED.items() if reads(connector, graph))
    if not reads(KAFKA, graph):
        return Told(received)
    package = coordinate(spark)
    receiver = any(connector_of(use.connector) == KAFKA and use.name == "createStream" for use in graph.uses)
    in_cells = any(modules[path].form.has_cells for path in graph.files)
    needed = (IN_SHELL if in_cells else NEEDED).format(package, quote(graph.files[0]))
    named = tuple(note for path in graph.files for note in _named_anywhere(modules[path], spark))
    foreign = tuple(told for path in graph.files for told in in_foreign_lines(modules[path], spark))
    must = (*([ZOOKEEPER] if receiver else []), needed, *foreign, *received)
    return Told(must, (*unpublished(spark), *named))
