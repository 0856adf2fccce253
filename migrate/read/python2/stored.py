"""Values that a program in Python 2 hands to redis, which made texts of all of them then."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.model import Module
from migrate.read.python2.kinds import Kind, Kinds, kinds_of
from migrate.read.python2.producers import assigned
from migrate.syntax.nodes import of_kinds, position, walk

_STORING = frozenset(
    {
        *("getset", "hset", "hsetnx", "linsert", "lpush", "lpushx", "lset", "publish", "psetex", "rpush"),
        *("rpushx", "sadd", "set", "setex", "setnx"),
    }
)
"""Methods of redis that take values behind a key, a channel or the name of a field."""
_NAMED = frozenset({"message", "value", "values"})
_PLAIN = frozenset({Kind.STR, Kind.INT, Kind.FLOAT})


def stored_in_redis(module: Module) -> Iterator[str]:
    """The calls that may hand redis something else than texts and numbers, with their places."""
    if "redis" not in module.source:
        return
    clients = _Clients(module.tree)
    kinds = kinds_of(module.tree, true_division=True)
    for call in sorted(clients.storing(), key=position):
        if not all(_is_plain(value, kinds) for value in _values(call)):
            yield f"{module.where(call.lineno)}: `{ast.unparse(call)}`"


class _Clients:
    """The clients of redis that a module holds."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._names = set(_imported(tree))
        self._held = assigned(tree)

    def storing(self) -> Iterator[ast.Call]:
        """The calls that store a value, also by what nothing is known of."""
        for call in of_kinds(self._tree, ast.Call) if self._names else ():
            match call.func:
                case ast.Attribute(value, name) if name in _STORING and self._may_be_client(value):
                    yield call

    def _may_be_client(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name | ast.Attribute):
            held = self._held.get(ast.unparse(node))
            return held is None or any(isinstance(one, ast.Call) and self._makes(one) for one in held)
        return isinstance(node, ast.Call) and self._makes(node)

    def _makes(self, call: ast.Call) -> bool:
        named = {node.id for node in walk(call.func) if isinstance(node, ast.Name)}
        return not self._names.isdisjoint(named) or getattr(call.func, "attr", "") == "pipeline"


def _imported(tree: ast.Module) -> Iterator[str]:
    """The names that a module has of redis."""
    for node in of_kinds(tree, ast.Import):
        yield from (alias.asname or "redis" for alias in node.names if alias.name.split(".")[0] == "redis")
    for members in of_kinds(tree, ast.ImportFrom):
        if (members.module or "").split(".")[0] == "redis" and not members.level:
            yield from (alias.asname or alias.name for alias in members.names)


def _values(call: ast.Call) -> list[ast.expr]:
    return [*call.args[1:], *(keyword.value for keyword in call.keywords if keyword.arg in _NAMED)]


def _is_plain(value: ast.expr, kinds: Kinds) -> bool:
    """Whether a value is stored as a text or number, or as what nothing is known of beyond a star."""
    return isinstance(value, ast.Starred) or kinds.of(value) in _PLAIN
