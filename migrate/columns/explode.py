"""flatMap: a list becomes an explode, then a filter, then a select."""

from __future__ import annotations

from collections.abc import Sequence

from migrate.columns import code
from migrate.columns.compiler import Compiler
from migrate.columns.element import (
    Display,
    Element,
    Exploded,
    Generated,
    Loop,
    Record,
    Refusal,
    Scalar,
    Scope,
    gone_through,
    leaves,
)
from migrate.columns.entry import EMPTY, named_after_parameters
from migrate.columns.functions import FunctionNode, apply
from migrate.columns.json_values import as_learnt, bare_list
from migrate.columns.names import is_telling, name_of_one
from migrate.columns.shapes import Json, List


def compile_flat_map(
    function: FunctionNode, arguments: Sequence[Element], scope: Scope = EMPTY, hint: str | None = None
) -> Exploded:
    """Compile a function that makes a list of each element, as for ``flatMap``.

    Args:
        function: as for `compile_map`.
        arguments: as for `compile_map`.
        scope: as for `compile_map`.
        hint: what the program calls the new stream: ``words`` names the exploded column ``word``.

    Raises:
        Refusal: part of the function is not covered, or its result is not a list.
    """
    compiler = Compiler(scope)
    value = gone_through(apply(compiler, function, named_after_parameters(function, arguments), {}))
    if isinstance(value, Display | Record):
        value = _one_by_one(compiler, value, function) or value
    if isinstance(value, Generated):
        return _steps(compiler, value, _name(value.variable, hint))
    array = compiler.as_scalar(value, function)
    if isinstance(array.shape, Json) and array.shape.bare:
        array = bare_list(compiler, function, array)
    if not isinstance(array.shape, List):
        raise Refusal("the function is not known to return a list", function)
    name = _name(None, hint)
    item = code.column_named(name, array.shape.of)
    return _exploded(compiler, array, name, item)


def _one_by_one(compiler: Compiler, made: Display | Record, function: FunctionNode) -> Generated | None:
    """Tuples that differ in one part, as a comprehension over the different parts.

    ``[(x, 1) for x in [a, b]]`` for ``[(a, 1), (b, 1)]``.
    """
    rows = [item.items for item in made.items if isinstance(item, Record)]
    if len(rows) != len(made.items) or len({len(row) for row in rows}) != 1:
        return None
    columns = [*zip(*rows, strict=True)]
    differ = [place for place, parts in enumerate(columns) if any(part != parts[0] for part in parts)]
    beside = [part for place, part in enumerate(rows[0]) if place not in differ]
    if len(differ) != 1 or any(leaf.partial for part in beside for leaf in leaves(part)):
        return None
    (place,) = differ
    array = compiler.as_scalar(Display(list, columns[place]), function)
    assert isinstance(array.shape, List)
    item = Scalar("", array.shape.of, "value" if place else "key")

    def loop(item_code: str, column: str | None) -> Loop:
        found = code.item_in(item, item_code, column)
        return Loop(found, code.TRUE, Record((*rows[0][:place], found, *rows[0][place + 1 :])))

    return Generated(array, item.name, loop, False, array.tokens)


def _name(variable: str | None, hint: str | None) -> str:
    return next((name for name in (variable, name_of_one(hint)) if name and is_telling(name)), "value")


def _steps(compiler: Compiler, generated: Generated, name: str) -> Exploded:
    beside = _read(generated.loop("item", None))
    unique, number = name, 2
    while unique in beside:
        unique, number = f"{name}{number}", number + 1
    loop = generated.loop(f"F.col({code.quote(unique)})", unique)
    condition = None if loop.condition.is_constant and loop.condition.constant else loop.condition
    return _exploded(compiler, generated.source, unique, loop.element, condition, tuple(sorted(beside)))


def _read(loop: Loop) -> frozenset[str]:
    """Return the columns that a loop reads besides its item."""
    return frozenset().union(
        *(code.columns_read(scalar) for scalar in (loop.condition, *leaves(loop.element)))
    )


def _exploded(
    compiler: Compiler,
    array: Scalar,
    name: str,
    element: Element,
    condition: Scalar | None = None,
    kept: tuple[str, ...] = (),
) -> Exploded:
    element = as_learnt(compiler, element, compiler.scope.learnt)
    steps = [array, *leaves(element), *([] if condition is None else [condition])]
    partial = any(scalar.partial for scalar in steps)
    return Exploded(array, name, element, condition, kept, compiler.demands(), partial)
