"""The columns that a schema of ``createDataFrame`` names, and the types that it gives them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from migrate.columns import Refusal, Scalar
from migrate.columns.shapes import Bool, Float, Int, Maybe, Shape, Str
from migrate.plan.step import Step
from migrate.proofs.constants import constant

NONES = "None in the first 100 rows for `createDataFrame`"
NARROW = "ints beyond 32 bits for an `IntegerType`"
_TYPES = "pyspark.sql.types."
_SHAPES: dict[str, type[Shape]] = {
    "StringType": Str,
    "IntegerType": Int,
    "LongType": Int,
    "DoubleType": Float,
    "BooleanType": Bool,
}
_INFERRED = (Str, Int, Float, Bool)
_LOW, _HIGH = -(2**31), 2**31 - 1


@dataclass(frozen=True)
class Field:
    """A column of a schema."""

    name: str
    type: str = ""
    """The class of its type; empty if the schema leaves it to the values."""
    nullable: bool = True


def schema_of(node: ast.expr, step: Step) -> list[Field] | None:
    """The columns of ``["word", "n"]`` or ``StructType([StructField("word", StringType())])``.

    None for any other schema, also one that is not known before the program starts.
    """
    facts = step.facts
    if isinstance(node, ast.Name):
        known, value = constant(node.id, node.lineno, facts)
        if known:
            return _named(value if isinstance(value, list | tuple) else [None])
        binding = facts.only_binding(node.id)
        made = facts.value_of(binding)
        only = binding is not None and facts.visible(binding) and not _changed(node.id, step)
        return _struct(made, step) if made is not None and only else None
    if isinstance(node, ast.List | ast.Tuple):
        return _named([item.value if isinstance(item, ast.Constant) else None for item in node.elts])
    return _struct(node, step)


def as_given(column: Scalar, field: Field, step: Step) -> Scalar:
    """The column as the schema names and types it; with the type that Spark infers, if it gives none.

    Raises:
        Refusal: its values are not known to be of that type.
    """
    shape, column = column.shape, replace(column, name=field.name)
    if isinstance(shape, Maybe) and field.nullable and (field.type or _inferred(step)):
        shape = shape.of
    known: type[Shape] | tuple[type[Shape], ...] = _SHAPES.get(field.type, _INFERRED)
    if not isinstance(shape, known):
        raise Refusal("the type of a column is not that of its values", ast.Constant(None))
    if not isinstance(shape, Int):
        return column
    width = 32 if field.type == "IntegerType" else 64
    if width == 32 and not _LOW <= shape.low <= shape.high <= _HIGH:
        _narrow(step)
    if shape.width == width:
        return column
    code = column.code if column.precedence == 100 else f"({column.code})"
    return replace(column, code=f'{code}.cast("{"int" if width == 32 else "bigint"}")', precedence=100)


def _inferred(step: Step) -> bool:
    """Whether a column may be one whose type Spark infers of values that are not None, and fails without."""
    if step.basis.guards.fail_as_python_does:
        return False
    step.need(gives=(NONES,), looser=frozenset({step.operation}))
    return True


def _narrow(step: Step) -> None:
    """Have the query fail on ints beyond 32 bits, as Spark's check of the schema does."""
    guards = step.basis.guards
    if guards.fail_as_python_does:
        raise Refusal("ints may be beyond 32 bits", ast.Constant(None))
    if guards.left_to_spark:
        step.need(ansi=True)
    else:
        step.need(gives=(NARROW,), looser=frozenset({step.operation}))


def _named(values: Sequence[object]) -> list[Field] | None:
    names = [value for value in values if isinstance(value, str)]
    return [Field(name) for name in names] if names and len(names) == len(values) else None


def _changed(name: str, step: Step) -> bool:
    """Whether a variable of a schema may get more fields: ``schema.add("n", "int")``."""
    above = step.facts.above
    return any(isinstance(above[load], ast.Attribute) for load in step.facts.loads.get(name, ()))


def _struct(node: ast.expr, step: Step) -> list[Field] | None:
    """The fields of a StructType that is written out, or whose list of fields is."""
    match node:
        case ast.Call(args=[given], keywords=[]) if _is(node.func, "StructType", step):
            items = _listed(given, step)
            fields = [_field(item, step) for item in items]
            return [field for field in fields if field] if items and all(fields) else None
    return None


def _listed(node: ast.expr, step: Step) -> list[ast.expr]:
    """The items of a list that is written out, or of a variable that holds one and nothing else."""
    if isinstance(node, ast.Name):
        binding = step.facts.only_binding(node.id)
        made = step.facts.value_of(binding)
        only = binding is not None and step.facts.visible(binding) and len(step.facts.loads[node.id]) == 1
        return _listed(made, step) if only and isinstance(made, ast.List) else []
    return list(node.elts) if isinstance(node, ast.List) else []


def _field(node: ast.expr, step: Step) -> Field | None:
    match node:
        case ast.Call(args=[ast.Constant(value=str(name)), ast.Call(args=[], keywords=[]) as kind, *rest]):
            given = [*rest, *(keyword.value for keyword in node.keywords if keyword.arg == "nullable")]
            types = [one for one in _SHAPES if _is(kind.func, one, step)]
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
