"""Expressions of a module that are certainly numbers or texts, in Python 2 and 3."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from enum import Enum, auto

from migrate.knowledge import builtins, functions
from migrate.syntax.nodes import walk


class Kind(Enum):
    """The kind of an expression."""

    INT = auto()
    FLOAT = auto()
    STR = auto()
    TIME = auto()
    """A ``datetime``."""
    OPEN = auto()
    """Whatever the other values of a variable are that is about to be looked at."""


_CALLS = {
    **dict.fromkeys(builtins.INTS, Kind.INT),
    **dict.fromkeys(builtins.FLOATS, Kind.FLOAT),
    **dict.fromkeys(builtins.TEXTS, Kind.STR),
}
_METHODS = {
    **dict.fromkeys(functions.FLOATS, Kind.FLOAT),
    **dict.fromkeys(functions.TEXTS, Kind.STR),
    **dict.fromkeys(("datetime.now", "datetime.datetime.now"), Kind.TIME),
}
_BATCH_TIME = ast.parse("datetime.now()", mode="eval").body
"""A value like the time that a callback of a batch gets."""
_NUMBERS = (Kind.INT, Kind.FLOAT)


class Kinds:
    """The kinds of a module's expressions; a name counts for the whole module, whatever its scope."""

    def __init__(self, tree: ast.Module, *, true_division: bool) -> None:
        self.true_division = true_division
        self.bound: dict[str, list[ast.expr | None]] = {}
        """The values that each name is bound to; None for one that is not written out."""
        self.called = {node.func for node in walk(tree) if isinstance(node, ast.Call)}
        self._known: dict[str, Kind | None] = {}
        self._pending: set[str] = set()
        for name, value in _bindings(tree):
            self.bound.setdefault(name, []).append(value)

    def of(self, node: ast.expr) -> Kind | None:
        """The kind of `node`, or None where it is not certain."""
        if isinstance(node, ast.Constant):
            types = {bool: Kind.INT, int: Kind.INT, float: Kind.FLOAT, str: Kind.STR}
            return types.get(type(node.value))
        if isinstance(node, ast.Name):
            return self._of_name(node.id)
        if isinstance(node, ast.BinOp):
            return self._of_operation(node.op, self.of(node.left), self.of(node.right), node.right)
        if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
            return self.of(node.operand)
        if isinstance(node, ast.IfExp):
            return _joined([self.of(node.body), self.of(node.orelse)])
        if isinstance(node, ast.Call):
            return self._of_call(node)
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("sys.argv", "os.environ"):
            return None if isinstance(node.slice, ast.Slice) else Kind.STR
        return None

    def _of_name(self, name: str) -> Kind | None:
        if name in self._pending:
            return Kind.OPEN
        if name not in self._known:
            self._pending.add(name)
            values = self.bound.get(name, [None])
            kind = _joined([self.of(value) if value is not None else None for value in values])
            self._pending.discard(name)
            if self._pending:
                return kind  # another name is half known: not to be kept
            self._known[name] = None if kind is Kind.OPEN else kind
        return self._known[name]

    def _of_operation(
        self, operator: ast.operator, left: Kind | None, right: Kind | None, node: ast.expr
    ) -> Kind | None:
        if isinstance(operator, ast.Mod) and left is Kind.STR:
            return Kind.STR
        if isinstance(operator, ast.Div) and self.true_division:
            return Kind.FLOAT if left in _NUMBERS and right in _NUMBERS else None
        if isinstance(operator, ast.Pow) and not isinstance(node, ast.Constant):
            return None
        kinds = {kind for kind in (left, right) if kind is not Kind.OPEN}
        if kinds <= {Kind.INT}:
            return Kind.INT if kinds else Kind.OPEN
        if Kind.FLOAT in kinds and kinds <= set(_NUMBERS):
            return Kind.FLOAT
        return Kind.STR if kinds == {Kind.STR} and isinstance(operator, ast.Add) else None

    def _of_call(self, node: ast.Call) -> Kind | None:
        if isinstance(node.func, ast.Name) and node.func.id not in self.bound:
            return _CALLS.get(node.func.id)
        if isinstance(node.func, ast.Attribute):
            if node.func.attr == "count" and "count" not in self.bound:
                return Kind.INT
            if node.func.attr in ("format", "join") and self.of(node.func.value) is Kind.STR:
                return Kind.STR
            return _METHODS.get(ast.unparse(node.func))
        return None


def _joined(kinds: Sequence[Kind | None]) -> Kind | None:
    found = {kind for kind in kinds if kind is not Kind.OPEN}
    if not found:
        return Kind.OPEN
    return found.pop() if len(found) == 1 else None


def _bindings(tree: ast.Module) -> Iterator[tuple[str, ast.expr | None]]:
    """Every binding of a name, with its value where that is an expression for it alone."""
    plain: set[ast.AST] = set()
    times = {*_times(tree)}
    for node in walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    plain.add(target)
                    yield target.id, node.value
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            plain.add(node.target)
            left = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
            yield node.target.id, ast.copy_location(ast.BinOp(left, node.op, node.value), node)
        elif isinstance(node, ast.For) and isinstance(node.target, ast.Name) and _is_range(node.iter):
            plain.add(node.target)
            yield node.target.id, ast.Constant(0)
    for node in walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in plain:
            yield node.id, None
        elif isinstance(node, ast.arg):
            yield node.arg, _BATCH_TIME if node in times else None
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0], None
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) or (
            isinstance(node, ast.ExceptHandler) and node.name
        ):
            yield node.name or "", None


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def _times(tree: ast.Module) -> Iterator[ast.arg]:
    """The parameters for the time of a batch: the first of ``process`` in ``foreachRDD(process)``.

    Nothing else may call them.
    """
    given = {
        call.args[0]
        for call in walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        if call.func.attr == "foreachRDD" and len(call.args) == 1 and not call.keywords
    }
    loads = [node for node in walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    named = {node.id for node in loads} - {node.id for node in loads if node not in given}
    for node in walk(tree):
        if isinstance(node, ast.FunctionDef):
            is_callback = node.name in named
        else:
            is_callback = isinstance(node, ast.Lambda) and node in given
        if is_callback and isinstance(node, ast.FunctionDef | ast.Lambda) and len(node.args.args) == 2:
            yield node.args.args[0]
