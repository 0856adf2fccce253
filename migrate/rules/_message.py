"""``messageHandler``: a function of Kafka's columns."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from migrate.columns import (
    Record,
    Refusal,
    after_select,
    column_named,
    leaves,
    name_columns,
    projection,
)
from migrate.columns.shapes import INT32_MAX, INT_MAX, Int, Shape, Str
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import map_columns
from migrate.plan.frames.tokens import carry_tokens
from migrate.plan.new_code.code import Call
from migrate.proofs.analysis.called_functions import called_function
from migrate.rules import _kafka as kafka
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names

_Function = ast.Lambda | ast.FunctionDef
FIELDS: dict[str, Shape] = {
    "topic": Str(),
    "partition": Int(0, INT32_MAX, 32),
    "offset": Int(0, INT_MAX),
    "key": kafka.TEXT,
    "message": kafka.TEXT,
}
"""The fields of a `KafkaMessageAndMetadata`, which are columns of the Kafka source, too."""


def handled(step: Step, handler: ast.expr, found: Mapping[str, ast.expr]) -> kafka.Decoded:
    """The results of a handler: on columns where that is proven, else on the rows of an RDD.

    A field that it does not read is not decoded, as in the old stream. One whose decoder gives back its bytes
    is a column of bytes.

    Raises:
        Blocked: the handler does more with a message than read what a row has too.
    """
    decoders = {"key": found.get("keyDecoder"), "message": found.get("valueDecoder")}
    raw = {name for name, decoder in decoders.items() if not kafka.is_default(step, decoder)}
    if not all(kafka.gives_bytes(step, decoders[name]) for name in raw):
        raise step.blocked("it has a message handler, and a decoder of its own that does not decode UTF-8")
    function = _function(step, handler)
    names = parameter_names(function)
    fields = _fields(function, names[0]) if len(names) == 1 else None
    if not fields:
        raise step.blocked("its message handler does more than read the fields of a message")
    columns = {name: _column(step, name, is_raw=name in raw) for name in fields}
    selected = tuple(columns.values())
    own = step.facts.of(function).tree is step.facts.tree  # else its names may be others here
    if own:
        shapes = FIELDS | dict.fromkeys(raw, kafka.BYTES)
        try:
            return _on_columns(step, _by_position(function, names[0]), columns, shapes)
        except Refusal as refused:
            step.refused = refused.reason
    return kafka.Decoded((selected,), None, (Call("rdd"), Call("map", step.argument(handler))))


def _on_columns(
    step: Step, function: _Function, columns: Mapping[str, str], shapes: Mapping[str, Shape]
) -> kafka.Decoded:
    """The handler as a ``select``, which is one with that of the columns where it only picks some."""
    items = [column_named(name, shape) for name, shape in shapes.items()]
    named = name_columns(map_columns(step, function, Record(tuple(items))))
    picked = [leaf.name or "" for leaf in leaves(named)]
    element = carry_tokens(named, after_select(named))
    if all(leaf.column is not None and leaf.column == leaf.name for leaf in leaves(named)):
        return kafka.Decoded((tuple(columns[name] for name in picked),), element)
    return kafka.Decoded((tuple(columns.values()), projection(named)), element)


def _column(step: Step, name: str, *, is_raw: bool) -> str:
    if is_raw:
        return '"key"' if name == "key" else f'F.col("value").alias("{name}")'
    if name == "message":
        return kafka.column(step, "value", "message")
    return kafka.column(step, "key") if name == "key" else f'"{name}"'


def _function(step: Step, handler: ast.expr) -> _Function:
    if isinstance(handler, ast.Lambda):
        return handler
    called = called_function(handler, step.facts)
    if called is None or called.bound:
        raise step.blocked("its message handler is not a function of this file")
    return called.node


def _fields(function: _Function, name: str) -> list[str] | None:
    """The fields that a function reads of its message; None where it takes more of it than fields."""
    body: list[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else list(function.body)
    nodes = [node for part in body for node in walk(part)]
    read = {
        node.value: node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and node.attr in FIELDS and isinstance(node.ctx, ast.Load)
    }
    whole = [node for node in nodes if isinstance(node, ast.Name) and node.id == name and node not in read]
    return None if whole else [field for field in FIELDS if field in read.values()]


def _by_position(function: _Function, name: str) -> _Function:
    """``lambda m: (m.topic, m.offset)`` as a function of a tuple: ``lambda m: (m[0], m[2])``."""

    class Positions(ast.NodeTransformer):
        def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
            if isinstance(node.value, ast.Name) and node.value.id == name:
                index = ast.Constant(list(FIELDS).index(node.attr))
                return ast.copy_location(ast.Subscript(node.value, index, node.ctx), node)
            return self.generic_visit(node)

    (statement,) = ast.parse(ast.unparse(function)).body
    made = Positions().visit(statement.value if isinstance(statement, ast.Expr) else statement)
    assert isinstance(made, _Function)
    return ast.fix_missing_locations(ast.copy_location(made, function))
