"""``saveToCassandra``, which ``pyspark_cassandra`` adds to streams: a write with Cassandra's connector.

Both hand each value to the same converters of the connector, by the type of its column, and write null for
None. The library takes the columns of the table out of each element; a DataFrame names its columns itself.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from shlex import quote

from migrate.columns import Element, Record, Scalar
from migrate.columns.shapes import Bool, Float, Int, Maybe, Str
from migrate.graph.cassandra import other_members
from migrate.graph.connectors import reads
from migrate.graph.operations import Operation
from migrate.knowledge.cassandra import (
    FORMAT,
    LIBRARY,
    NEWEST,
    SAVE,
    SETTINGS,
    WRITE_OPTIONS,
    WRITTEN_FOR,
    coordinate,
    named_in,
)
from migrate.knowledge.connectors import KAFKA
from migrate.plan.code import Inner
from migrate.plan.every_interval import need_every_interval
from migrate.plan.outputs import Printed
from migrate.plan.stages import Frame, Stage
from migrate.plan.step import Step
from migrate.proofs.constants import constant
from migrate.rules._register import Example, OutputRule, register
from migrate.rules._same import is_none
from migrate.syntax.copies import changed
from migrate.syntax.nodes import of_kinds

NEEDED = "start it with Cassandra's connector: spark-submit --packages {} {}"
NEEDED_TOO = f"name Cassandra's connector among the packages, in the place of `{LIBRARY}`: {{}}"
UNPUBLISHED = (
    "no connector for Cassandra is published for Spark {} yet: {} is the newest that is known to run on it"
)
CHECK = (
    "see to it that the table {} has the columns {} and no others: `{}` passed by a key that is no column, "
    "where the connector fails, and wrote null into the other columns, which the connector leaves alone"
)
NO_COLUMNS = "its elements are made by Python code, and no types of columns are known for them"
NO_NAMES = "its elements have no names for columns: a dict with literal keys, a `Row`, or `columns=` would"
NO_VALUE = "the part `{}` of its elements is of a type that may be written otherwise from a column"
OTHERS = f"`{{}}` is a member of `{LIBRARY}`, too, which would have to stay"
TWICE = "another output writes to its table: each wrote null into the columns of the other"
SETTING = f"the setting `{{}}` is one that `{LIBRARY}` passed by, and that the connector reads"
NOT_WRITTEN_OUT = "its argument `{}` has no equal that is known"
_NAME = re.compile(r"\w+")
_POSITIONAL = ("keyspace", "table", "columns", "row_format", "keyed", "write_conf")


@register
class SaveToCassandra(OutputRule):
    """The keys of dicts are the columns; values are texts, numbers and truths, or None."""

    operator = SAVE
    summary = "saveToCassandra becomes a write with Cassandra's connector"
    examples = (
        Example(
            "import pyspark_cassandra.streaming\n"
            "\n"
            "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
            'counts.map(lambda x: {"line": x[0], "n": x[1]}).saveToCassandra("logs", "lines")',
            'counts = batch.groupBy(F.col("value").alias("line")).count()\n'
            "(\n"
            '    counts.select("line", F.col("count").alias("n"))\n'
            '    .write.format("org.apache.spark.sql.cassandra")\n'
            '    .options(keyspace="logs", table="lines")\n'
            '    .mode("append")\n'
            "    .save()\n"
            ")",
        ),
    )

    def output(self, step: Step, stage: Stage) -> Printed:
        found = step.arguments(*_POSITIONAL, *WRITE_OPTIONS)
        if not {"keyspace", "table"} <= found.keys():
            raise step.blocked("its keyspace or table is missing")
        columns = _columns(step, found.pop("columns", None))
        options = list(_options(step, found))
        _check_library(step)
        if not isinstance(stage, Frame):
            raise step.blocked(NO_COLUMNS)
        _check_intervals(step)
        frame = stage.holding(_named(step, stage.element, columns)).materialised()
        if not columns:
            _check_table(step, found, frame)
        _tell_connector(step)
        keyspace, table = (step.argument(found[name], name) for name in ("keyspace", "table"))
        source = (f'format("{FORMAT}")', f"options(keyspace={keyspace}, table={table})")
        frame = frame.call("write", *source, *options, 'mode("append")', "save()")
        return Printed(frame.chain, column=True, whole=True)


def _columns(step: Step, node: ast.expr | None) -> tuple[str, ...]:
    """The columns that the call names; none where the library asks the table for them."""
    if is_none(node):
        return ()
    items = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    names = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    if not names or len(names) < len(items) or len(set(names)) < len(names):
        raise step.blocked(NOT_WRITTEN_OUT.format("columns"))
    return tuple(names)


def _options(step: Step, found: dict[str, ast.expr]) -> Iterator[str]:
    """The calls of ``option`` for the arguments on how to write."""
    for name, node in found.items():
        if name in WRITE_OPTIONS and not is_none(node):
            value: object = node.value if isinstance(node, ast.Constant) else None
            if isinstance(node, ast.Name):
                _, value = constant(node.id, node.lineno, step.facts)
            if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
                raise step.blocked(NOT_WRITTEN_OUT.format(name))
            yield f'option("{WRITE_OPTIONS[name]}", {step.argument(node, name)})'
        elif name not in ("keyspace", "table") and not is_none(node):
            raise step.blocked(NOT_WRITTEN_OUT.format(name))


def _named(step: Step, element: Element, columns: tuple[str, ...]) -> Record:
    """The element with the names of columns for its parts, in their order.

    Raises:
        Blocked: it has none, or a value may be written otherwise.
    """
    items = element.items if isinstance(element, Record) else ()
    names = (element.fields if isinstance(element, Record) else ()) or columns
    if not names or len(names) != len(items) or (columns and {*columns} != {*names}):
        raise step.blocked(NO_NAMES)
    if len({name.lower() for name in names}) < len(names) or not all(map(_NAME.fullmatch, names)):
        raise step.blocked(NO_NAMES)
    by_name = dict(zip(names, items, strict=True))
    for name, item in by_name.items():
        shape = item.shape if isinstance(item, Scalar) else None
        if not isinstance(shape.of if isinstance(shape, Maybe) else shape, Str | Int | Float | Bool):
            raise step.blocked(NO_VALUE.format(name))
    return Record(tuple(changed(by_name[name], name=name) for name in columns or names))


def _check_intervals(step: Step) -> None:
    """Have a batch in every interval where one without input writes something: a state, a count of 0.

    Raises:
        RatherError: there is none in some yet.
    """
    if step.repeats and step.basis.event_time is None:
        need_every_interval(step)


def _check_library(step: Step) -> None:
    """Refuse a program that needs more of the library, or whose settings it passed by.

    Raises:
        Blocked: it does.
    """
    modules = step.program.modules
    other = next(other_members(modules, step.program.graph), None)
    if other is not None:
        raise step.blocked(OTHERS.format(step.shown(other)))
    texts = (node.value for module in modules for node in of_kinds(module.tree, ast.Constant))
    setting = next((text for text in texts if isinstance(text, str) and text.startswith(SETTINGS)), None)
    if setting is not None:
        raise step.blocked(SETTING.format(setting))
    step.need(libraries=frozenset({LIBRARY}))


def _check_table(step: Step, found: dict[str, ast.expr], frame: Frame) -> None:
    """Tell of the columns that the table must have, as the call does not name them.

    Raises:
        Blocked: another output writes to the table.
    """
    outputs = (one for one in step.program.outputs if one.operator == SAVE and one is not step.operation)
    if _table_of(step.operation) in map(_table_of, outputs):
        raise step.blocked(TWICE)
    shown = ".".join(_value(step, found[name]) for name in ("keyspace", "table"))
    assert isinstance(frame.element, Record)
    names = ", ".join(f"`{item.name}`" for item in frame.element.items)
    step.must_change(CHECK.format(f"`{shown}`", names, LIBRARY))


def _value(step: Step, node: ast.expr) -> str:
    """The value of an argument if it is known, or else its code."""
    value: object = node.value if isinstance(node, ast.Constant) else None
    if isinstance(node, ast.Name):
        _, value = constant(node.id, step.operation.use.node.lineno, step.facts)
    return value if isinstance(value, str) else step.shown(node)


def _table_of(save: Operation) -> list[str]:
    """The keyspace and the table of an output, as the program writes them."""
    call = save.call
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    given = [*call.args[:2], *(named[name] for name in _POSITIONAL[len(call.args) : 2] if name in named)]
    return list(map(ast.unparse, given))


def _tell_connector(step: Step) -> None:
    """Name the connector in texts that name the library's package, or have the report name it."""
    spark = step.options.spark
    texts = [node for module in step.program.modules for node in of_kinds(module.tree, ast.Constant)]
    named = [(node, named_in(node.value)) for node in texts if isinstance(node.value, str)]
    words = [(node, tuple((old, coordinate(spark)) for old in olds)) for node, olds in named if olds]
    step.need(inner=Inner(reworded=tuple(words)))
    package, job = coordinate(spark), quote(step.program.graph.files[0])
    if not words:
        too = reads(KAFKA, step.program.graph)
        step.must_change(NEEDED_TOO.format(package) if too else NEEDED.format(package, job))
    if spark.release != WRITTEN_FOR:
        step.note(UNPUBLISHED.format(".".join(map(str, spark.release)), NEWEST))
