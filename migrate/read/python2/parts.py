"""The parts of the tuples that a function of elements is given: expressions of the function before it.

rdd.map(lambda x: (x.symbol, (float(x.price), 1))) \\
    .reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1])) \\
    .map(lambda kv: (kv[0], kv[1][0] / kv[1][1]))

Here ``kv[1][0]`` is a sum of what ``float(x.price)`` gives.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from migrate.syntax.nodes import of_kinds, walk

_KEEPING = frozenset({"cache", "filter", "persist", "repartition"})
_BOUND_AGAIN = (ast.Lambda, ast.comprehension)
"""What may give a parameter's name to something else."""


def parts_of_elements(
    tree: ast.Module, bound: Mapping[str, Sequence[ast.expr | None]]
) -> dict[ast.expr, ast.expr]:
    """Parts that lambdas read of their elements, each with an expression of the same kind.

    Args:
        tree: the module.
        bound: the values that each name is bound to; None for one that is not written out.
    """
    return dict(_Parts(tree, bound).found())


class _Parts:
    def __init__(self, tree: ast.Module, bound: Mapping[str, Sequence[ast.expr | None]]) -> None:
        self._tree = tree
        self._bound = bound
        self._open: set[str] = set()
        """The names of streams that are about to be looked at."""
        self._functions: dict[str, list[ast.FunctionDef]] = {}
        for node in of_kinds(tree, ast.FunctionDef):
            self._functions.setdefault(node.name, []).append(node)

    def found(self) -> Iterator[tuple[ast.expr, ast.expr]]:
        for call in of_kinds(self._tree, ast.Call):
            match call:
                case ast.Call(
                    ast.Attribute(owner, "map" | "mapValues" as method), [ast.Lambda() as function]
                ):
                    element = self._element(owner)
                    if method == "mapValues":
                        element = _item(element, 1)
                    if element is not None and len(function.args.args) == 1:
                        yield from _read(function, element)

    def _element(self, stream: ast.expr) -> ast.expr | None:
        """An expression of the kind of a stream's elements; None where it is not known."""
        match stream:
            case ast.Call(ast.Attribute(_, "map"), [function], []):
                return self._result(function)
            case ast.Call(ast.Attribute(owner, "reduceByKey"), [function, *_]) if _adds(function):
                return self._element(owner)
            case ast.Call(ast.Attribute(owner, method)) if method in _KEEPING:
                return self._element(owner)
            case ast.Name(name):
                return self._element_of(name)
        return None

    def _element_of(self, name: str) -> ast.expr | None:
        """The same of a name; None for one that is made of itself, by a cell or a module that is not read."""
        values = self._bound.get(name, ())
        value = values[0] if len(values) == 1 else None
        if value is None or isinstance(value, ast.Name) or name in self._open:
            return None
        self._open.add(name)
        element = self._element(value)
        self._open.discard(name)
        return element

    def _result(self, function: ast.expr) -> ast.expr | None:
        if isinstance(function, ast.Lambda):
            return function.body
        found = self._functions.get(function.id, []) if isinstance(function, ast.Name) else []
        if len(found) != 1:
            return None
        returns = [node for node in walk(found[0]) if isinstance(node, ast.Return)]
        return returns[0].value if len(returns) == 1 else None


def is_sum(function: ast.expr) -> bool:
    """Whether a function is ``lambda a, b: a + b``."""
    match function:
        case ast.Lambda(
            ast.arguments(args=[ast.arg(one), ast.arg(other)]),
            ast.BinOp(ast.Name(left), ast.Add(), ast.Name(right)),
        ):
            return {one, other} == {left, right}
    return False


def _adds(function: ast.expr) -> bool:
    """Whether a function adds two values, or two tuples item by item."""
    match function:
        case ast.Lambda(ast.arguments(args=[ast.arg(one), ast.arg(other)]), ast.Tuple([_, *_] as items)):
            return all(_is_sum_of(node, {one, other}, place) for place, node in enumerate(items))
    return is_sum(function)


def _is_sum_of(node: ast.expr, names: set[str], place: int) -> bool:
    """Whether an expression is ``a[place] + b[place]``."""
    match node:
        case ast.BinOp(
            ast.Subscript(ast.Name(left), ast.Constant(one)),
            ast.Add(),
            ast.Subscript(ast.Name(right), ast.Constant(other)),
        ):
            return {left, right} == names and one == other == place
    return False


def _read(function: ast.Lambda, element: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The parts of its parameter that a lambda reads."""
    name = function.args.args[0].arg
    if any(isinstance(node, _BOUND_AGAIN) for node in walk(function.body)):
        return
    for node in walk(function.body):
        if isinstance(node, ast.Subscript) and (part := _part(node, name, element)) is not None:
            yield node, part


def _part(node: ast.expr, name: str, element: ast.expr) -> ast.expr | None:
    if isinstance(node, ast.Name):
        return element if node.id == name else None
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return _item(_part(node.value, name, element), node.slice.value)
    return None


def _item(whole: ast.expr | None, place: object) -> ast.expr | None:
    if isinstance(whole, ast.Tuple) and isinstance(place, int) and 0 <= place < len(whole.elts):
        return whole.elts[place]
    return None
