"""The keys of a stream of pairs where its functions name them all, in the order in which the code does.

words.map(lambda word: ("good", 1) if word in good else ("bad", 1)).filter(lambda pair: pair[0] != "bad")
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from migrate.graph.operations import Operation
from migrate.knowledge.builtins import TEXT_OF_PYTHON_2
from migrate.knowledge.streaming import KEEPS_KEYS
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import walk

Keys = tuple[str | None, ...]
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Yield, ast.YieldFrom)
_TEXTS = frozenset({"str", TEXT_OF_PYTHON_2})
_UNKNOWN = object()
_DEEPEST = 5
"""How deeply functions are followed that call each other."""


def named_keys(operation: Operation, facts: Facts) -> Keys:
    """The keys, without those that a filter takes out; none where one of them is not known."""
    return _Names(facts, paired=True).of(operation)


def keys_left(keys: Keys, filters: Iterable[Operation], facts: Facts) -> Keys:
    """Those of some keys that filters do not take out for certain."""
    for one in filters:
        keys = tuple(_Names(facts, paired=True).kept(keys, one.call))
    return keys


class _Names:
    """The texts that a stream has as elements, or as keys.

    Args:
        facts: the names of the module.
        paired: whether they are keys.
    """

    def __init__(self, facts: Facts, *, paired: bool) -> None:
        self._facts = facts
        self._paired = paired
        self._depth = 0

    def of(self, operation: Operation) -> Keys:
        """The texts of a stream."""
        if operation.operator == "union":
            parts = [self.of(parent) for parent in operation.parents]
            return _once(key for part in parts for key in part) if all(parts) else ()
        if operation.operator in KEEPS_KEYS and len(operation.parents) == 1:
            keys = self.of(operation.parents[0])
            return tuple(self.kept(keys, operation.call)) if operation.operator == "filter" else keys
        match operation.operator, operation.call.args:
            case "map", [ast.Lambda(ast.arguments(args=[parameter]), ast.Tuple([ast.Name(name), _]))]:
                own = self._paired and name == parameter.arg
                return _Names(self._facts, paired=False).of(operation.parents[0]) if own else ()
            case "map" | "flatMap", [function]:
                own_body = [function.body] if isinstance(function, ast.Lambda) else None
                return self._all(own_body or self._returned(function), operation.operator == "flatMap") or ()
        return ()

    def _all(self, given: list[ast.expr] | None, several: bool) -> Keys | None:
        found = [self._one(node, several) for node in given] if given is not None else [None]
        return _once(key for keys in found for key in keys or ()) if None not in found else None

    def _one(self, node: ast.expr, several: bool) -> Keys | None:
        """The texts that an expression may give; None where they are not known.

        Args:
            node: the expression.
            several: whether it is a list of elements.
        """
        match node:
            case ast.IfExp(body=one, orelse=other):
                return self._all([one, other], several)
            case ast.List(elts=elements) | ast.Tuple(elts=elements) if several:
                return self._all(elements, False)
            case ast.Tuple(elts=[ast.Constant(value=str(key)), _]) if self._paired and key.isascii():
                return (key,)
            case ast.Tuple(elts=[ast.Call() | ast.IfExp() as key, _]) if self._paired:
                return _Names(self._facts, paired=False)._one(key, False)
            case ast.Constant(value=str(text)) if not (self._paired or several) and text.isascii():
                return (text,)
            case ast.Constant(None):  # where pairs are counted it has no key, and must not come
                return () if self._paired else (None,) if not several else None
            case ast.Call(func=function) if self._depth < _DEEPEST:
                self._depth += 1
                found = self._all(self._returned(function), several)
                self._depth -= 1
                return found
        return None

    def _returned(self, function: ast.expr) -> list[ast.expr] | None:
        """What a function of the program returns, if that is all that can be seen of it."""
        called = called_function(function, self._facts.of(function))
        if called is None:
            return None
        parts = [part for statement in called.node.body for part in walk(statement)]
        if any(isinstance(part, _INNER) for part in parts):
            return None
        given = [part.value for part in parts if isinstance(part, ast.Return)]
        found = [value for value in given if value is not None]
        # without a value it gives None, which is an error as a pair, and a key of its own
        gives_none = len(found) < len(given) or not _always_returns(called.node.body)
        return [*found, ast.Constant(None)] if gives_none and not self._paired else found

    def kept(self, keys: Keys, call: ast.Call) -> Iterator[str | None]:
        """The texts that the function of a filter does not take out for certain."""
        for key in keys:
            match call.args:
                case [ast.Lambda(ast.arguments(args=[ast.arg(element)]), body)]:
                    if self._holds(body, element, key) is not False:
                        yield key
                case _:
                    yield key

    def _holds(self, node: ast.expr, element: str, key: str | None) -> bool | None:
        """Whether a condition holds for all elements with a text; None where that is not known."""
        match node:
            case ast.BoolOp(operator, conditions):
                held = [self._holds(one, element, key) for one in conditions]
                decides = isinstance(operator, ast.Or)
                return decides if decides in held else None if None in held else not decides
            case ast.UnaryOp(ast.Not(), condition):
                held_not = self._holds(condition, element, key)
                return None if held_not is None else not held_not
            case ast.Compare(left, [operator], [right]):
                one, other = self._value(left, element, key), self._value(right, element, key)
                return _compared(one, operator, other) if _UNKNOWN not in (one, other) else None
            case ast.Constant(value):
                return bool(value)
        return None

    def _value(self, node: ast.expr, element: str, key: str | None) -> object:
        """What an expression is for an element with a text."""
        match node:
            case ast.Subscript(ast.Name(name), ast.Constant(0)) if name == element and self._paired:
                return key
            case ast.Name(name) if name == element and not self._paired:
                return key
            case ast.Call(ast.Name(function), [ast.Subscript() as inner], []) if function in _TEXTS:
                return self._value(inner, element, key)
            case ast.Constant(value):
                return value
            case ast.Tuple(parts) | ast.List(parts) | ast.Set(parts):
                values = [self._value(part, element, key) for part in parts]
                return tuple(values) if _UNKNOWN not in values else _UNKNOWN
        return _UNKNOWN


def _always_returns(body: Sequence[ast.stmt]) -> bool:
    """Whether the end of a block is never reached, as far as its last statement says."""
    match body[-1]:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(body=chosen, orelse=[*other]) if other:
            return _always_returns(chosen) and _always_returns(other)
    return False


def _once(keys: Iterable[str | None]) -> Keys:
    return tuple(dict.fromkeys(keys))


def _compared(left: object, operator: ast.cmpop, right: object) -> bool | None:
    match operator:
        case ast.Eq():
            return left == right
        case ast.NotEq():
            return left != right
        case ast.In() | ast.NotIn() if isinstance(right, tuple):
            return (left in right) is isinstance(operator, ast.In)
        case ast.Is() | ast.IsNot() if right is None:
            return (left is None) is isinstance(operator, ast.Is)
    return None
