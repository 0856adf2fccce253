"""Reads sources that a comprehension or a loop makes, as many as there are values when the program runs.

    streams = [ssc.socketTextStream(host, port) for host, port in senders]
    lines = ssc.union(*streams)

What unites the streams is read as the source: one stands for all of them.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from migrate.graph.blocked import Blocked
from migrate.graph.nodes import Nodes
from migrate.graph.operations import Operation, Repeated
from migrate.graph.reading import Reading
from migrate.knowledge.streaming import ROWWISE
from migrate.syntax.nodes import walk
from migrate.syntax.tree import own_nodes
from migrate.trace import Use

_LISTS = ("list", "tuple")
_BOUND_AND_READ = 2
MORE = (
    "streams that a comprehension or a loop makes are united natively if each is a source, and `map` or"
    " `filter` and the like of it: do the rest with their union"
)
EACH = "a function of a stream that a comprehension or a loop makes reads a variable of that"
ELSEWHERE = (
    "`{}` holds streams of a comprehension or a loop, and something else than one `union(*{})` reads it: "
    "which of them that takes is not known"
)


@dataclass(frozen=True)
class _Made:
    """Streams that are made again and again."""

    name: ast.Name | None
    """The variable of their list; None where it has none."""
    chain: ast.expr
    target: ast.expr | None
    values: ast.expr | None
    bound: frozenset[str]


class RepeatedSources:
    """Remembers such sources until they are united."""

    def __init__(self, nodes: Nodes, reading: Reading) -> None:
        self.nodes = nodes
        self.reading = reading
        self._waiting: dict[ast.AST, tuple[_Made, ast.stmt]] = {}
        """By the calls of ``union``."""

    def takes(self, statement: ast.stmt, uses: list[Use]) -> bool:
        """Remember a statement that makes streams for a ``union``, with which they are read.

        Returns:
            whether it is one, and makes nothing else.

        Raises:
            Blocked: the list is read in another way, too.
        """
        made = self._of_statement(statement)
        if made is None or made.name is None or {*self.nodes.uses_in(made.chain)} != {*uses}:
            return False
        union = self._union_of(made.name, statement)
        self._waiting[union] = made, statement
        return True

    def united(self, union: ast.Call, use: Use) -> tuple[ast.expr, Repeated]:
        """The chain that makes each stream of a ``union(*streams)``, and its place.

        Raises:
            Blocked: it is not known which streams it is given.
        """
        given = union.args[0] if len(union.args) == 1 and not union.keywords else None
        if not isinstance(given, ast.Starred) or self.reading.when:
            raise Blocked(
                f"`{ast.unparse(union)}` is not followed: which streams it unites is not known", use
            )
        made, statement = self._waiting.get(union, (None, self.nodes.tree.statement_of(union)))
        made = made or _of_comprehension(given.value, None)
        if made is None:
            raise Blocked(f"`{ast.unparse(given)}` is not followed: which streams it has is not known", use)
        place = Repeated(made.chain, statement, given.value, use, made.target, made.values, made.bound)
        return made.chain, place

    def check(self, operations: list[Operation], place: Repeated, about: Use) -> None:
        """Check that what is made of each stream can be made of all of them together.

        Raises:
            Blocked: it cannot.
        """
        others = operations[1:]
        of_source = bool(operations) and operations[0].is_source
        if not of_source or any(one.operator not in ROWWISE for one in others):
            raise Blocked(MORE, about)
        read = {node.id for one in others for node in _given(one.call) if isinstance(node, ast.Name)}
        if read & place.bound:
            raise Blocked(EACH, about)

    def _of_statement(self, statement: ast.stmt) -> _Made | None:
        match statement:
            case ast.Assign([ast.Name() as name], value):
                return _of_comprehension(value, name)
            case ast.For() | ast.While():
                return self._of_loop(statement)
        return None

    def _of_loop(self, loop: ast.For | ast.While) -> _Made | None:
        """``for host in hosts: streams.append(ssc.socketTextStream(host, 9999))``."""
        bound = frozenset(_stored(loop))
        for node in own_nodes(loop):
            match node:
                case ast.Call(ast.Attribute(ast.Name() as name, "append"), [chain], []):
                    if self.nodes.called(chain) is not None:
                        target, values = _over(loop, node)
                        return _Made(name, chain, target, values, bound)
                    held = self._held(chain, loop) if self.nodes.is_stream(chain) else None
                    if held is not None:
                        self.reading.followed.add(chain)
                        return _Made(name, held, None, None, bound)
        return None

    def _held(self, name: ast.expr, loop: ast.For | ast.While) -> ast.expr | None:
        """What the only statement of a loop that binds a variable gives it."""
        if not isinstance(name, ast.Name):
            return None
        bound = [one for one in own_nodes(loop) if isinstance(one, ast.Name) and one.id == name.id]
        match [self.nodes.tree.statement_of(one) for one in bound if not isinstance(one.ctx, ast.Load)]:
            case [ast.Assign([ast.Name()], value)] if len(bound) == _BOUND_AND_READ:
                return value
        return None

    def _union_of(self, name: ast.Name, statement: ast.stmt) -> ast.Call:
        """The only ``union`` that reads a list, which only `statement` fills.

        Raises:
            Blocked: something else reads or binds it.
        """
        tree, scopes = self.nodes.tree, self.nodes.trace.scopes
        home = scopes.home(name)
        own = [n for n in tree.of_kinds(ast.Name) if n.id == name.id and scopes.home(n) is home]
        others = [one for one in own if one is not name and not self._only_counts(one)]
        begun = [one for one in others if _begins(tree.statement_of(one), one)]
        unions = [union for one in others if (union := self._united_by(one)) is not None]
        filled = isinstance(statement, ast.For | ast.While)
        if len(unions) != 1 or len(begun) != filled or len(others) != 1 + filled:
            raise Blocked(ELSEWHERE.format(name.id, name.id), at=name)
        return unions[0]

    def _only_counts(self, name: ast.Name) -> bool:
        """Whether a name is read for the length of its list."""
        match self.nodes.tree.above[name]:
            case ast.Call(ast.Name("len"), [_], []):
                return True
        return False

    def _united_by(self, name: ast.Name) -> ast.Call | None:
        """The ``union(*streams)`` that a name is read by."""
        spread = self.nodes.tree.above[name]
        call = self.nodes.tree.above[spread]
        use = self.nodes.called(call) if isinstance(spread, ast.Starred) else None
        return call if use is not None and use.name == "union" and isinstance(call, ast.Call) else None


def _of_comprehension(node: ast.expr, name: ast.Name | None) -> _Made | None:
    """``[ssc.socketTextStream(host, 9999) for host in hosts]``, also in ``list(...)``."""
    match node:
        case ast.Call(ast.Name(function), [ast.ListComp() | ast.GeneratorExp() as inner], []):
            return _of_comprehension(inner, name) if function in _LISTS else None
        case ast.ListComp(chain, parts) | ast.GeneratorExp(chain, parts):
            plain = len(parts) == 1 and not parts[0].ifs
            target, values = (parts[0].target, parts[0].iter) if plain else (None, None)
            return _Made(name, chain, target, values, frozenset(_stored(node)))
    return None


def _over(loop: ast.For | ast.While, call: ast.Call) -> tuple[ast.expr | None, ast.expr | None]:
    """The variables of a loop that does nothing but make a call, and their values; None for other loops."""
    match loop:
        case ast.For(target, values, [ast.Expr(only)], []) if only is call:
            return target, values
    return None, None


def _stored(node: ast.AST) -> set[str]:
    """The names that some code binds."""
    return {n.id for n in walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}


def _given(call: ast.Call) -> list[ast.AST]:
    """All nodes of a call's arguments."""
    return [node for part in (*call.args, *call.keywords) for node in walk(part)]


def _begins(statement: ast.stmt, name: ast.Name) -> bool:
    """Whether a statement makes an empty list: ``streams = []``."""
    match statement:
        case ast.Assign([target], ast.List([]) | ast.Call(ast.Name("list"), [], [])):
            return target is name
    return False
