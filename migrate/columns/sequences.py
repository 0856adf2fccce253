"""Functions over whole lists: ``list``, ``zip``, ``sorted``, ``sum``, ``any`` and ``all``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from migrate.columns import code
from migrate.columns.booleans import both, either, negate, truth
from migrate.columns.compiler import Compiler
from migrate.columns.element import (
    Display,
    Element,
    Generated,
    Generator,
    Record,
    Scalar,
    Value,
    gone_through,
)
from migrate.columns.integers import arithmetic
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, function
from migrate.columns.shapes import Bool, Int, List, Str
from migrate.columns.texts import only
from migrate.frozen import replace


@function("list", Production("list(words)", "a list", ("lambda s: list(w for w in s.split())",)))
def _list(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 1)
    match gone_through(arguments[0]):
        case Generated() as generated:
            return generated
        case Display(kind, _) as display if kind is list:
            return display
        case Record(items):
            return Display(list, items)
        case Scalar(shape=List()) as array:
            return array
    raise compiler.unlike(node, arguments[0])


@function("tuple", Production("tuple([s, n])", "a list of known items", ("lambda s, n: tuple([s, n])",)))
def _tuple(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 1)
    match gone_through(arguments[0]):
        case Display(kind, items) if kind is list:
            return Record(items)
        case Record() as record:
            return record
        case Generated() | Scalar(shape=List()) as array if node in compiler.scope.as_lists:
            return array
    raise compiler.unlike(node, arguments[0])


@function(
    "zip",
    Production(
        "zip((s, t), (t, s))",
        "tuples, or lists of known items",
        (
            "lambda s, t: [x + y for x, y in zip((s, t), [t, s])]",
            "lambda n, m: sum(x - y for x, y in zip((n, m, 1), (m, 2)))",
        ),
        partial=True,
    ),
)
def _zip(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    columns: list[Sequence[Element]] = []
    for argument in arguments:
        match gone_through(argument):
            case Record(items):
                columns.append(items)
            case Display(kind, items) if kind is list:
                columns.append(items)
            case _:
                raise compiler.unlike(node, argument)
    return Generator(Display(list, tuple(map(Record, zip(*columns, strict=False)))))


@function(
    "sorted",
    Production(
        "sorted(words)", "texts or ints", ("lambda words: sorted(words)", "lambda numbers: sorted(numbers)")
    ),
)
def _sorted(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 1)
    array = compiler.as_scalar(gone_through(arguments[0]), node)
    if not isinstance(array.shape, List) or not isinstance(array.shape.of, Str | Int):
        raise compiler.unlike(node, array)
    return code.build(f"F.sort_array({code.argument(array)})", array.shape, array)


@function(
    "sum",
    Production(
        "sum((n, m))",
        "ints that are known one by one",
        ("lambda n, m: sum([n, m])", "lambda n, m: sum((n, m, 1), 2)"),
        partial=True,
    ),
)
def _sum(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 2, 1)
    added = gone_through(arguments[0])
    if not isinstance(added, Record | Display):
        raise refusal(node, "a sum over a list of unknown length has no Column form")
    total = compiler.as_scalar(arguments[1], node) if len(arguments) > 1 else code.ZERO
    for item in added.items:
        value = compiler.as_scalar(item, node)
        if not isinstance(value.shape, Int) or not isinstance(total.shape, Int):
            raise compiler.unlike(node, value)
        if total.constant == 0:
            total = value
        elif value.is_constant and total.is_constant:
            raise refusal(node, "its first items are constants")
        else:
            total = arithmetic(compiler, ast.Add(), total, value)
    return total


def _quantifier(
    name: str, higher_order: str, link: Callable[[Scalar, Scalar], Scalar], empty: Scalar
) -> None:
    def rule(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
        only(node, arguments, 1)
        items = gone_through(arguments[0])
        if isinstance(items, Record | Display):
            result = empty
            for item in items.items:
                condition = truth(compiler, item, node)
                result = replace(link(result, condition), tokens=result.tokens | condition.tokens)
            return result
        if not isinstance(items, Generated) or items.partial:
            raise refusal(node, "it is covered for comprehensions that cannot raise")
        variable = compiler.variable(items.variable or "item")
        loop = items.loop(variable, None)
        held = truth(compiler, loop.element, node)
        held = both(loop.condition, held) if name == "any" else either(negate(loop.condition), held)
        text = f"F.{higher_order}({code.argument(items.source)}, lambda {variable}: {held.code})"
        return code.build(text, Bool(), items.source, held, skips=True)

    examples = (
        f"lambda words: {name}(w.startswith('a') for w in words if w)",
        f"lambda s: {name}(w in s for w in ('a', '1'))",
    )
    function(name, Production(f"{name}(c(w) for w in words)", "conditions that cannot raise", examples))(rule)


_quantifier("any", "exists", either, code.FALSE)
_quantifier("all", "forall", both, code.TRUE)
