"""The shapes of the results of functions in RDD code: ints, with their bounds, and tuples of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import reduce

from migrate.cached import cached_property
from migrate.columns.shapes import Int, Shape, Tuple, join
from migrate.frozen import dataclass, replace
from migrate.knowledge.builtins import INTS
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import walk
from migrate.syntax.tree import is_none, own_nodes, yields_among

_DEPTH = 5


def value_shape(function: ast.expr, facts: Facts) -> Shape | None:
    """The shape of the values of pairs that a function returns: of ``1``, for ``lambda w: (w, 1)``.

    None instead of a pair has no value: what reads the pairs fails at it, or has left it out before.
    """
    return _of_results(function, facts, _value, _DEPTH)


def value_shape_of_items(function: ast.expr, facts: Facts) -> Shape | None:
    """The same of pairs in the lists that a function returns, or that it yields."""
    return _of_results(function, facts, _value_of_items, _DEPTH)


def result_shape(function: ast.expr, facts: Facts) -> Shape | None:
    """The shape of the result of a function, or None."""
    return _of_results(function, facts, _shape, _DEPTH)


@dataclass(frozen=True)
class _Body:
    """The code of a function.

    Attributes:
        function: the function.
        facts: those of its module.
        depth: how many functions more may call one another.
        counters: its variables that are taken for ints while they are proven to be.
    """

    function: ast.Lambda | ast.FunctionDef
    facts: Facts
    depth: int
    counters: frozenset[str] = frozenset()

    @cached_property
    def nodes(self) -> frozenset[ast.AST]:
        """All of its nodes."""
        return frozenset(walk(self.function))

    @cached_property
    def own(self) -> frozenset[str]:
        """The parameters and variables of the function and of all functions in it."""
        names = (node for node in self.nodes if isinstance(node, ast.Name))
        stored = (node for node in names if not isinstance(node.ctx, ast.Load))
        parameters = (node.arg for node in self.nodes if isinstance(node, ast.arg))
        return frozenset({*parameters, *(node.id for node in stored)})

    def calls_builtin(self, node: ast.Call) -> bool:
        """Whether it is a call of a builtin that gives an int."""
        return isinstance(node.func, ast.Name) and node.func.id in INTS - self.facts.shadowed - self.own


_Read = Callable[[ast.expr, _Body], Shape | None]


def _of_results(function: ast.expr, facts: Facts, read: _Read, depth: int) -> Shape | None:
    """The shape of all that a lambda, or a function of the program, returns."""
    if isinstance(function, ast.Lambda):
        return _read(function.body, _Body(function, facts, depth), read)
    called = called_function(function, facts) if depth else None
    if called is None or called.node not in facts.above or called.node.decorator_list:
        return None
    body = _Body(called.node, facts, depth)
    yields = yields_among(walk(called.node))
    if yields:
        if read is not _value_of_items or not all(isinstance(node, ast.Yield) for node in yields):
            return None
        return _of_all(_read(node.value, body, _value) for node in yields)
    return _of_all(_read(node, body, read) for node in _returned(called.node))


def _read(node: ast.expr | None, body: _Body, read: _Read) -> Shape | None:
    """The shape of an expression; of a call, that of all results of the function."""
    if node is None:
        return None
    shape = read(node, body)
    if shape is None and isinstance(node, ast.Call) and not _named(node.func, body.own):
        return _of_results(node.func, body.facts, read, body.depth - 1) if body.depth else None
    return shape


def _returned(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """What a function returns, but for None and empty lists."""
    for node in (node for statement in function.body for node in own_nodes(statement)):
        if isinstance(node, ast.Return) and node.value is not None and not _is_nothing(node.value):
            yield node.value


def _is_nothing(node: ast.expr) -> bool:
    return is_none(node) or (isinstance(node, ast.List | ast.Tuple) and not node.elts)


def _named(node: ast.expr, names: frozenset[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _value(pair: ast.expr, body: _Body) -> Shape | None:
    match pair:
        case ast.IfExp(_, one, other):
            pairs = (each for each in (one, other) if not _is_nothing(each))
            return _of_all(_read(each, body, _value) for each in pairs)
        case ast.Tuple([_, value]):
            return _read(value, body, _shape)
    return None


def _value_of_items(made: ast.expr, body: _Body) -> Shape | None:
    match made:
        case ast.IfExp(_, one, other):
            return _of_all(
                _read(each, body, _value_of_items) for each in (one, other) if not _is_nothing(each)
            )
        case ast.List(items) | ast.Tuple(items):
            return _of_all(_read(item, body, _value) for item in items)
        case ast.ListComp(item) | ast.GeneratorExp(item):
            return _read(item, body, _value)
    return None


def _shape(node: ast.expr, body: _Body) -> Shape | None:
    match node:
        case ast.Constant(int(value)) if not isinstance(value, bool):
            return Int(value, value)
        case ast.UnaryOp(ast.USub(), operand):
            shape = _read(operand, body, _shape)
            if not isinstance(shape, Int) or shape.low != shape.high:
                return None
            return Int(-shape.high, -shape.low)
        case ast.Call() if body.calls_builtin(node):
            return Int()
        case ast.IfExp(_, one, other):
            return _either(_read(one, body, _shape), _read(other, body, _shape))
        case ast.BinOp(one, ast.Add() | ast.Sub() | ast.Mult(), other):
            both = _read(one, body, _shape), _read(other, body, _shape)
            return Int() if all(isinstance(shape, Int) for shape in both) else None
        case ast.Tuple(items):
            shapes = [_read(item, body, _shape) for item in items]
            known = tuple(shape for shape in shapes if shape is not None)
            return Tuple(known) if known and len(known) == len(shapes) else None
        case ast.Name(name) if _is_counter(name, body):
            return Int()
    return None


def _is_counter(name: str, body: _Body) -> bool:
    """Whether a variable of a function is an int: ``n = 0``, ``n += 1``."""
    if name in body.counters:
        return True
    facts = body.facts
    if isinstance(body.function, ast.Lambda) or facts.is_declared_elsewhere(name):
        return False
    bindings = [node for node in facts.bindings.get(name, ()) if node in body.nodes]
    assumed = replace(body, counters=body.counters | {name})
    return bool(bindings) and all(_is_int(binding, assumed) for binding in bindings)


def _is_int(binding: ast.AST, body: _Body) -> bool:
    """Whether an assignment gives a variable an int."""
    statement = body.facts.statement_of(binding)
    given: ast.expr | None = None
    match statement:
        case ast.Assign([target], value) if target is binding:
            given = value
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(values):
            given = next(
                (value for target, value in zip(targets, values, strict=True) if target is binding), None
            )
        case ast.AugAssign(target, ast.Add() | ast.Sub() | ast.Mult(), value) if target is binding:
            given = value
    return given is not None and isinstance(_read(given, body, _shape), Int)


def _of_all(shapes: Iterable[Shape | None]) -> Shape | None:
    """The shape of a value that is of one of some shapes; None for none of them."""
    found = [*shapes]
    return reduce(_either, found) if found else None


def _either(one: Shape | None, other: Shape | None) -> Shape | None:
    return join(one, other) if one is not None and other is not None else None
