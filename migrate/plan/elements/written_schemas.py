"""Schemas of ``createDataFrame`` that a program writes out: the names and types of their columns."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from migrate.columns.shapes import Bool, Date, Float, Int, Shape, Str
from migrate.plan.draft.step import Step
from migrate.proofs.values.constants import constant

_TYPES = "pyspark.sql.types."
_HANDED_ON = frozenset(
    {"sorted", "StructType", "createDataFrame", "toDF", "schema", "from_json", "len", "print"}
)
"""Functions and methods that leave a list of fields, or a schema, as it is."""


@dataclass(frozen=True)
class Type:
    """A type of Spark's for values of one type of Python's."""

    sql: str
    of: type[Shape]
    bits: int = 64


TYPES = {
    "StringType": Type("string", Str),
    "ByteType": Type("tinyint", Int, 8),
    "ShortType": Type("smallint", Int, 16),
    "IntegerType": Type("int", Int, 32),
    "LongType": Type("bigint", Int),
    "FloatType": Type("float", Float, 32),
    "DoubleType": Type("double", Float),
    "BooleanType": Type("boolean", Bool),
    "DateType": Type("date", Date),
}


_DDL = {
    **{one.sql: name for name, one in TYPES.items()},
    "integer": "IntegerType",
    "long": "LongType",
    "byte": "ByteType",
    "short": "ShortType",
    "real": "FloatType",
}
"""The types by the words for them in a schema that is a text, ``word string, n int``."""
_COLUMN = re.compile(r"\s*(`?)(\w+)\1(?:\s*:\s*|\s+)(\w+)(\s+not\s+null)?\s*", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Field:
    """A column of a schema."""

    name: str
    type: str = ""
    """The class of its type; empty if the schema leaves it to the values."""
    nullable: bool = True


def schema_of(node: ast.expr, step: Step) -> list[Field] | None:
    """The columns of ``["word", "n"]``, ``"word string"`` or ``StructType([StructField("word", ...)])``.

    None for any other schema, also one that is not known before the program starts.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return _of_text(node.value)
    if isinstance(node, ast.Name):
        known, value = constant(node.id, node.lineno, step.facts)
        if isinstance(value, str):
            return _of_text(value)
        if known:
            return _named(value if isinstance(value, list | tuple) else [None])
        made = _value(node, step)
        return _struct(made, step) if made is not None else None
    if isinstance(node, ast.List | ast.Tuple):
        return _named([item.value if isinstance(item, ast.Constant) else None for item in node.elts])
    return _struct(node, step)


def value_of_type(node: ast.expr, step: Step) -> Field | None:
    """The only column, ``value``, of elements that are of one type: ``StringType()`` or ``"string"``."""
    name = ""
    match node:
        case ast.Constant(str(text)):
            name = _DDL.get(text.strip().lower(), "")
        case ast.Call(args=[], keywords=[]):
            name = next((one for one in TYPES if _is(node.func, one, step)), "")
    return Field("value", name) if name else None


def _of_text(text: str) -> list[Field] | None:
    """The columns of ``word string, n: int not null``, of types without parts."""
    found = [_COLUMN.fullmatch(column) for column in text.split(",")]
    fields = [Field(one[2], _DDL.get(one[3].lower(), ""), not one[4]) for one in found if one is not None]
    return fields if len(fields) == len(found) and all(field.type for field in fields) else None


def _named(values: Sequence[object]) -> list[Field] | None:
    names = [value for value in values if isinstance(value, str)]
    return [Field(name) for name in names] if names and len(names) == len(values) else None


def _value(name: ast.Name, step: Step) -> ast.expr | None:
    """What a variable was assigned last, if nothing but assignments changes it.

    Assignments of a module that stand below each other may give it several values:
    ``fields = sorted(fields, key=lambda field: field.name)``.
    """
    facts = step.facts
    loads = facts.loads.get(name.id, ())
    if not all(_is_handed_on(load, step) for load in loads):
        return None
    binding = facts.only_binding_of(name) if name in facts.above else facts.only_binding(name.id)
    if binding is not None:
        return facts.value_of(binding) if _is_seen(binding, name, step) else None
    bindings = facts.bindings.get(name.id, [])
    statements = [facts.above[one] for one in bindings]
    unclear = facts.is_declared_elsewhere(name.id) or name.id in facts.starred or name not in facts.above
    if unclear or any(facts.above.get(one) is not facts.tree for one in statements):
        return None
    read = facts.statement_of(name)
    until = read if facts.above[read] is facts.tree else _runs(step)
    values = [facts.value_of(one) for one in bindings if one.lineno < until.lineno]  # type: ignore[attr-defined]
    after = [one for one in bindings if one.lineno >= until.lineno]  # type: ignore[attr-defined]
    return values[-1] if values and (until is read or not after) else None


def _is_seen(binding: ast.AST, name: ast.Name, step: Step) -> bool:
    """Whether a read sees the only binding of its variable: the module's, or one in the same function."""
    facts = step.facts
    if facts.visible(binding):
        return True
    inside = isinstance(binding, ast.Name) and name in facts.above
    return inside and facts.home(name) is facts.home(binding)  # type: ignore[arg-type]


def _runs(step: Step) -> ast.stmt:
    """The statement of the module that all assignments must stand before, for functions to see the last."""
    facts, scope = step.facts, step.program.scope
    inside = scope if isinstance(scope, ast.stmt) else facts.statement_of(step.operation.call)
    while facts.above[inside] is not facts.tree:
        inside = facts.statement_of(facts.above[inside])
    return inside


def _is_handed_on(load: ast.Name, step: Step) -> bool:
    """Whether a read of a list of fields, or of a schema, cannot change it."""
    above = step.facts.above[load]
    call = step.facts.above[above] if isinstance(above, ast.keyword) else above
    if not isinstance(call, ast.Call) or call.func is load:
        return False
    function = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    return function in _HANDED_ON


def _struct(node: ast.expr, step: Step) -> list[Field] | None:
    """The fields of a StructType that is written out, or whose list of fields is."""
    match node:
        case (
            ast.Call(args=[given], keywords=[])
            | ast.Call(args=[], keywords=[ast.keyword(arg="fields", value=given)])
        ) if _is(node.func, "StructType", step):
            return _fields(given, step)
    return None


def _fields(node: ast.expr, step: Step) -> list[Field] | None:
    """The fields of a list that is written out, or sorted by their names, or of a variable that holds one."""
    match node:
        case ast.Name():
            made = _value(node, step)
            return _fields(made, step) if made is not None else None
        case ast.List(items) | ast.Tuple(items):
            fields = [_field(item, step) for item in items]
            return [field for field in fields if field] if fields and all(fields) else None
        case ast.Call(ast.Name("sorted"), [given], [ast.keyword("key", function)]) if (
            "sorted" not in step.facts.shadowed and _is_name_of(function)
        ):
            found = _fields(given, step)
            return sorted(found, key=lambda field: field.name) if found is not None else None
    return None


def _is_name_of(function: ast.expr) -> bool:
    """``lambda field: field.name``."""
    match function:
        case ast.Lambda(ast.arguments([], [ast.arg(given)], None, [], [], None, []), body):
            return isinstance(body, ast.Attribute) and ast.unparse(body) == f"{given}.name"
    return False


def _field(node: ast.expr, step: Step) -> Field | None:
    match node:
        case ast.Call(args=[ast.Constant(value=str(name)), ast.Call(args=[], keywords=[]) as kind, *rest]):
            given = [*rest, *(keyword.value for keyword in node.keywords if keyword.arg == "nullable")]
            types = [one for one in TYPES if _is(kind.func, one, step)]
            nullable = [one.value if isinstance(one, ast.Constant) else None for one in given]
            known = len(given) == len(rest) + len(node.keywords) < 2 and None not in nullable
            if known and types and _is(node.func, "StructField", step):
                return Field(name, types[0], all(nullable))
    return None


def _is(node: ast.expr, name: str, step: Step) -> bool:
    """Whether an expression is a class of `pyspark.sql.types`, and nothing else."""
    facts = step.facts
    starred = isinstance(node, ast.Name) and node.id == name and name not in facts.bindings
    return facts.qualified(node) == f"{_TYPES}{name}" or (starred and _TYPES[:-1] in facts.stars)
