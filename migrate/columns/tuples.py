"""Tuples, lists and dicts of known items: building them, and taking them apart again."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import code, dates
from migrate.columns.before_start import before_start, reads_outer
from migrate.columns.compiler import Compiler, Names
from migrate.columns.constants import library_constant, python_value
from migrate.columns.dicts import lookup
from migrate.columns.element import NOT_CONSTANT, Display, Generator, Record, Scalar, Value
from migrate.columns.json_values import item_of as json_item
from migrate.columns.lists import list_item, list_slice
from migrate.columns.messages import refusal
from migrate.columns.objects import item_of
from migrate.columns.regexes import flag
from migrate.columns.registry import Production, covers, syntax
from migrate.columns.shapes import Int, Json, List, Str, Struct
from migrate.columns.slices import text_item, text_slice


@syntax(ast.Tuple)
@covers(
    Production("(a, b)", "any values; a tuple becomes several columns", ("lambda s, n: (s, (n, 1))",)),
)
def _tuple(compiler: Compiler, node: ast.Tuple, names: Names) -> Value:
    return Record(tuple(compiler.element(item, names) for item in node.elts))


@syntax(ast.List, ast.Set)
def _display(compiler: Compiler, node: ast.List | ast.Set, names: Names) -> Value:
    items = tuple(compiler.element(item, names) for item in node.elts)
    return Display(list, items) if isinstance(node, ast.List) else Display(set, items)


@syntax(ast.Dict)
def _dict(compiler: Compiler, node: ast.Dict, names: Names) -> Value:
    keys = [None if key is None else python_value(compiler.value(key, names)) for key in node.keys]
    if None in node.keys or NOT_CONSTANT in keys:
        raise refusal(node, "a dict is only known where all its keys are constants")
    items = dict(zip(keys, (compiler.element(item, names) for item in node.values), strict=True))
    return Display(dict, tuple(items.values()), tuple(items))


def unpack(compiler: Compiler, target: ast.expr, value: Value) -> dict[str, Value]:
    """Bind the names of an assignment's target.

    Raises:
        Refusal: the target is an attribute or an item, or the number of items is not proven.
    """
    if isinstance(value, Generator):
        raise refusal(target, "a generator is gone through once, which a name does not show")
    if isinstance(target, ast.Name):
        return {target.id: value}
    if not isinstance(target, ast.Tuple | ast.List):
        raise refusal(target, "assigning to this has no Column form")
    if not isinstance(value, Record | Display) or len(value.items) != len(target.elts):
        raise refusal(target, "it is not proven that there are as many values as names")
    bound: dict[str, Value] = {}
    for part, item in zip(target.elts, value.items, strict=True):
        bound.update(unpack(compiler, part, item))
    return bound


def named(name: str, functions: Sequence[ast.FunctionDef]) -> ast.FunctionDef | None:
    """The function of that name."""
    return next((one for one in functions if one.name == name), None)


@syntax(ast.Attribute)
def _attribute(compiler: Compiler, node: ast.Attribute, names: Names) -> Value:
    """A field, a part of a date, what is set before the start, a constant of a library, or a flag of `re`."""
    if isinstance(node.value, ast.Name) and node.value.id in names:
        value = names[node.value.id]
        if isinstance(value, Record) and value.only_read and node.attr in value.fields:
            return value.items[value.fields.index(node.attr)]
        if isinstance(value, Record) and (own := named(node.attr, value.properties)) is not None:
            from migrate.columns.functions import apply

            return apply(compiler, own, [value], names)
    if node.attr in dates.NAMES and not reads_outer(node, names):
        part = dates.part_of_date(compiler, node, names)
        if part is not None:
            return part
    known = before_start(compiler, node) if reads_outer(node, names) else None
    if known is None:
        known = library_constant(compiler, node, names)
    return flag(compiler, node, names) if known is None else known


@syntax(ast.Subscript)
@covers(
    Production("pair[0]", "a constant index within the tuple", ("lambda s, n: ((s, n), n)[0][1]",)),
    Production(
        "{'a': 1}['a']", "a dict with constant keys, a constant key", ("lambda n: {'a': n, 'b': 2}['a']",)
    ),
)
def _subscript(compiler: Compiler, node: ast.Subscript, names: Names) -> Value:
    value = compiler.value(node.value, names)
    if isinstance(node.slice, ast.Slice):
        return _slice(compiler, node, value, names)
    index = compiler.value(node.slice, names)
    if isinstance(value, Display) and value.kind is dict and python_value(index) is NOT_CONSTANT:
        return lookup(compiler, node, value, index)
    if isinstance(value, Record | Display):
        return _known_item(node, value, python_value(index))
    scalar = compiler.present(compiler.as_scalar(value, node))
    if isinstance(scalar.shape, Struct):
        return item_of(compiler, node, scalar, python_value(index))
    if isinstance(scalar.shape, Json):
        return json_item(compiler, node, scalar, python_value(index))
    if not isinstance(index, Scalar) or not isinstance(index.shape, Int):
        raise refusal(node, "the index is not an int")
    if isinstance(scalar.shape, List):
        return list_item(compiler, node, scalar, index)
    if isinstance(scalar.shape, Str):
        return text_item(compiler, node, scalar, index)
    raise compiler.unlike(node, scalar)


def _known_item(node: ast.Subscript, value: Record | Display, index: object) -> Value:
    if index is NOT_CONSTANT:
        raise refusal(node, "the index is not a constant")
    if isinstance(value, Display) and value.kind is dict:
        if index not in value.keys:
            raise refusal(node, f"the key {index!r} is not there: this always raises KeyError")
        return value.items[value.keys.index(index)]
    if isinstance(value, Display) and value.kind is set:
        raise refusal(node, "a set has no items by index")
    if not isinstance(index, int) or not -len(value.items) <= index < len(value.items):
        raise refusal(node, f"there are {len(value.items)} items: this always raises")
    return value.items[index]


def _slice(compiler: Compiler, node: ast.Subscript, value: Value, names: Names) -> Value:
    assert isinstance(node.slice, ast.Slice)
    bounds: list[int | None] = []
    for part in (node.slice.lower, node.slice.upper, node.slice.step):
        bound = None if part is None else python_value(compiler.value(part, names))
        if not (bound is None or type(bound) is int):
            raise refusal(node, "a slice whose bounds are not constant ints has no Column form")
        bounds.append(bound)
    lower, upper, step = bounds
    if isinstance(value, Record):
        return Record(value.items[lower:upper:step])
    if isinstance(value, Display) and value.kind is list:
        return Display(list, value.items[lower:upper:step])
    scalar = compiler.present(compiler.as_scalar(value, node))
    if step == -1 and lower is None and upper is None and isinstance(scalar.shape, List | Str):
        return code.build(f"F.reverse({code.argument(scalar)})", scalar.shape, scalar)
    if step not in (None, 1):
        raise refusal(node, "a slice with a step has no Column form")
    if isinstance(scalar.shape, List):
        return list_slice(compiler, node, scalar, lower, upper)
    if isinstance(scalar.shape, Str):
        return text_slice(compiler, node, scalar, lower, upper)
    raise compiler.unlike(node, scalar)
