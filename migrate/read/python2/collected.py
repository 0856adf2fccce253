"""The elements that a module collects from a stream's RDDs: numbers or pairs, by the operator that made them.

def send(rows):
    for row in rows:
        producer.send("counts", bytes(row))

words.map(lambda w: (w, 1)).reduceByKey(add).foreachRDD(lambda rdd: send(rdd.collect()))
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from migrate.read.python2.handed import Handed
from migrate.read.python2.of_spark import callbacks
from migrate.syntax.nodes import of_kinds, walk

_LISTS = frozenset({"collect", "take", "takeOrdered", "top"})
_KEEPING = frozenset({"cache", "filter", "persist", "repartition", "sortBy", "sortByKey", "window"})
_PAIRS = frozenset({"countByValue", "groupByKey", "mapValues", "reduceByKey", "updateStateByKey"})
_PAIR = ast.Tuple([ast.Constant(None), ast.Constant(None)])
_NUMBER = ast.Constant(0)


class Collected:
    """What the variables of loops over collected elements stand for."""

    def __init__(self, tree: ast.Module, bound: Callable[[ast.Name], Sequence[ast.expr | None]]) -> None:
        self._bound = bound
        """The values that a variable is bound to; None for one that is not written out."""
        self._handed = Handed(tree)
        self._lists = dict(_lists(tree))
        self._streams = dict(_streams(tree))
        self._open: set[str] = set()
        """The names that are about to be looked at."""

    def values(self, name: ast.Name) -> list[ast.expr]:
        """An expression of the kind of each value of a loop's variable; none where one is not known."""
        if name not in self._lists:
            return []
        found = [self._element_of_list(one) for one in self._values(self._lists[name])]
        known = [element for element in found if element is not None]
        return known if len(known) == len(found) else []

    def _values(self, node: ast.expr) -> list[ast.expr]:
        """An expression, or what a parameter may stand for."""
        handed = self._handed.values(node) if isinstance(node, ast.Name) else None
        return [node] if handed is None else handed

    def _element_of_list(self, node: ast.expr) -> ast.expr | None:
        match node:
            case ast.Call(ast.Attribute(owner, method)) if method in _LISTS:
                return self._element(owner)
            case ast.Name():
                return self._named(node, self._element_of_list)
        return None

    def _element(self, made: ast.expr) -> ast.expr | None:
        """An expression of the kind of the elements of a stream or an RDD."""
        match made:
            case ast.Call(ast.Attribute(_, "count"), [], []):
                return _NUMBER
            case ast.Call(ast.Attribute(_, method)) if method in _PAIRS:
                return _PAIR
            case ast.Call(ast.Attribute(ast.Name("KafkaUtils"), _), _, keywords):
                return None if any(one.arg == "messageHandler" for one in keywords) else _PAIR
            case ast.Call(ast.Attribute(owner, method)) if method in _KEEPING:
                return self._element(owner)
            case ast.Call(ast.Attribute(owner, "transform"), [ast.Lambda(_, body)], []):
                return self._element(owner) if _keeps(body) else None
            case ast.Call(ast.Attribute(_, "map"), [ast.Lambda(_, ast.Tuple() as pair)], []):
                return pair
            case ast.Name() if made in self._streams:
                return self._element(self._streams[made])
            case ast.Name():
                return self._named(made, self._element)
        return None

    def _named(self, name: ast.Name, of: Callable[[ast.expr], ast.expr | None]) -> ast.expr | None:
        """The same of a variable that is bound once."""
        values = self._bound(name)
        value = values[0] if len(values) == 1 else None
        if value is None or name.id in self._open:
            return None
        self._open.add(name.id)
        element = of(value)
        self._open.discard(name.id)
        return element


def _keeps(node: ast.expr) -> bool:
    """Whether an RDD has the elements of the one that a function is given: ``rdd.sortBy(f)``."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPING:
        node = node.func.value
    return isinstance(node, ast.Name)


def _lists(tree: ast.Module) -> Iterator[tuple[ast.Name, ast.expr]]:
    """The reads of the variables of loops, each with what the loop goes through."""
    for loop in of_kinds(tree, ast.For):
        match loop:
            case ast.For(ast.Name(name) as target, source):
                own = [node for node in walk(loop) if isinstance(node, ast.Name) and node.id == name]
                if all(isinstance(node.ctx, ast.Load) for node in own if node is not target):
                    yield from ((node, source) for node in own if node is not target)


def _streams(tree: ast.Module) -> Iterator[tuple[ast.Name, ast.expr]]:
    """The reads of ``rdd`` in the functions that ``stream.foreachRDD`` is given, each with the stream."""
    found = [*callbacks(tree)]
    given, defined = Counter(function for _, function in found), Counter(call for call, _ in found)
    for call, function in found:
        if isinstance(call.func, ast.Attribute) and given[function] == defined[call] == 1:
            for rdd in function.args.args[-1:]:
                yield from _reads(function, rdd.arg, call.func.value)


def _reads(
    function: ast.FunctionDef | ast.Lambda, name: str, stream: ast.expr
) -> Iterator[tuple[ast.Name, ast.expr]]:
    """The reads of a parameter that nothing else in its function binds, each with what it stands for."""
    names = [node for node in walk(function) if isinstance(node, ast.Name) and node.id == name]
    if all(isinstance(node.ctx, ast.Load) for node in names):
        yield from ((node, stream) for node in names)
