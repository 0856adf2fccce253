"""Streams that have elements only with input, and code of callbacks that runs only then."""

from __future__ import annotations

import ast

from migrate.graph.program import Operation, upstream
from migrate.knowledge import methods, rdd, streaming
from migrate.proofs.facts import Facts
from migrate.proofs.roles import Callback, NotTheSame, given, is_rdd
from migrate.syntax.nodes import walk

_AT_LEAST_ONE = {(ast.Gt, 0), (ast.NotEq, 0), (ast.GtE, 1)}
_NONE = {(ast.Eq, 0), (ast.Lt, 1), (ast.LtE, 0)}


def may_come_without_input(operation: Operation, facts: Facts) -> bool:
    """Whether the stream that an operator reads may have elements in an interval without input.

    New code runs no batch then, except for a queue, so a side effect would miss these elements.
    """
    above = upstream(operation) - {operation}
    if any(step.operator == "queueStream" for step in above):
        return False
    return not all(step.is_source or _makes_nothing_of_nothing(step, facts) for step in above)


def _makes_nothing_of_nothing(operation: Operation, facts: Facts) -> bool:
    if operation.operator != "transform":
        return operation.operator in streaming.NONE_WITHOUT_INPUT
    called = given(operation.call.args[0], facts) if len(operation.call.args) == 1 else None
    try:
        callback = called.callback() if called is not None else None
    except NotTheSame:
        callback = None
    if callback is None:
        return False
    rdds = Rows(callback).rdds
    if isinstance(callback.node, ast.Lambda):
        returned: list[ast.expr | None] = [callback.node.body]
    else:
        returned = [node.value for node in callback.walk() if isinstance(node, ast.Return)]
    made = [value is not None and is_rdd(value, rdds, rdd.NO_MORE) for value in returned]
    return bool(made) and all(made)


def only_with_rows(node: ast.AST, callback: Callback, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a place in a callback is reached only for a batch with input."""
    if callback.repeated:
        return False
    rows = Rows(callback)
    if isinstance(callback.node, ast.FunctionDef) and rows.returns_before(callback.node.body, node):
        return True
    child: ast.AST = node
    step = parents.get(node)
    while step is not None:
        if isinstance(step, ast.If):
            if child in step.body and rows.some(step.test):
                return True
            if child in step.orelse and rows.none(step.test):
                return True
        if isinstance(step, ast.For) and child in step.body and rows.are_elements(step.iter):
            return True
        child, step = step, parents.get(step)
    return False


def adds_nothing(node: ast.AugAssign | ast.Call, callback: Callback) -> bool:
    """Whether a change changes nothing for a batch without input: ``total += rdd.count()``."""
    if callback.repeated:
        return False
    rows = Rows(callback)
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, ast.Add) and (rows.is_count(node.value) or rows.are_elements(node.value))
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return method in methods.ADDS_ITEMS and len(node.args) == 1 and rows.are_elements(node.args[0])


class Rows:
    """Questions to the expressions of a callback: which are empty for an RDD without elements.

    An RDD that a ``filter`` or ``flatMap`` made is one without elements for a batch without elements too; a
    ``union`` with others is not.
    """

    def __init__(self, callback: Callback) -> None:
        self.callback = callback
        self.rdds = self._empty_without_input()
        self.brought = self._brought()
        """Variables that hold elements, or their number, or whether there are none."""

    def _empty_without_input(self) -> set[str]:
        """The names of RDDs that have no elements for a batch without elements."""
        names = set(self.callback.rdds)
        made = [node for node in self.callback.walk() if isinstance(node, ast.Assign)]
        while True:
            more = {
                target.id
                for node in made
                for target in node.targets
                if isinstance(target, ast.Name) and target.id in names
                if not is_rdd(node.value, names, rdd.NO_MORE)
            }
            if not more:
                return names
            names -= more

    def _brought(self) -> dict[str, ast.expr]:
        stores: dict[str, list[ast.expr | None]] = {}
        for node in self.callback.walk():
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                target = node.targets[0]
                if isinstance(target, ast.Name):
                    stores.setdefault(target.id, []).append(node.value)
                    continue
            for inner in ast.iter_child_nodes(node):
                bound = isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
                if bound and not isinstance(node, ast.Assign):
                    stores.setdefault(inner.id, []).append(None)  # type: ignore[attr-defined]
        changed = {
            node.value.id
            for node in self.callback.walk()
            if isinstance(node, ast.Attribute)
            and node.attr in methods.CHANGES
            and isinstance(node.value, ast.Name)
        }
        return {
            name: values[0]
            for name, values in stores.items()
            if len(values) == 1 and values[0] and name not in changed
        }

    def _action(self, node: ast.AST) -> str | None:
        """The action of an RDD that an expression is, or that a variable was given."""
        if isinstance(node, ast.Name):
            value = self.brought.get(node.id)
            return self._action(value) if value is not None and not isinstance(value, ast.Name) else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return node.func.attr if is_rdd(node.func.value, self.rdds, rdd.NO_MORE) else None
        return None

    def are_elements(self, node: ast.AST) -> bool:
        """Whether an expression holds nothing for a batch without elements."""
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if self._action(node) in rdd.COLLECTED:
                return True
            if node.func.attr not in methods.NOT_MORE:
                return False
            node = node.func.value
        return self._action(node) in rdd.COLLECTED

    def is_count(self, node: ast.AST) -> bool:
        """Whether an expression is 0 for a batch without elements."""
        length = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"
        if isinstance(node, ast.Call) and length and len(node.args) == 1:
            return self.are_elements(node.args[0])
        return self._action(node) == "count"

    def _compared(self, test: ast.expr, how: set[tuple[type[ast.cmpop], int]]) -> bool:
        if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and self.is_count(test.left)):
            return False
        right = test.comparators[0]
        number = isinstance(right, ast.Constant) and type(right.value) is int
        return number and (type(test.ops[0]), right.value) in how  # type: ignore[attr-defined]

    def _is_empty_test(self, test: ast.expr, value: bool) -> bool:
        """``rdd.isEmpty()``, or compared with `value`."""
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq | ast.Is):
            right = test.comparators[0]
            same = isinstance(right, ast.Constant) and right.value is value
            return same and self._action(test.left) == "isEmpty"
        return value and self._action(test) == "isEmpty"

    def _is_no_list(self, test: ast.expr, how: type[ast.cmpop]) -> bool:
        """``rows == []``, or ``rows != []``."""
        match test:
            case ast.Compare(left=left, ops=[operator], comparators=[ast.List(elts=[])]):
                return isinstance(operator, how) and self._action(left) in rdd.LISTS
        return False

    def some(self, test: ast.expr) -> bool:
        """Whether a condition holds only with elements: ``not rdd.isEmpty()``, ``len(rows) > 0``."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._is_empty_test(test.operand, True)
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            return any(self.some(value) for value in test.values)
        if self._compared(test, _AT_LEAST_ONE) or self._is_empty_test(test, False):
            return True
        if self._is_no_list(test, ast.NotEq):
            return True
        return self.is_count(test) or (self.are_elements(test) and self._action(test) != "toLocalIterator")

    def none(self, test: ast.expr) -> bool:
        """Whether a condition holds whenever there are no elements: ``rdd.isEmpty()``, ``not rows``."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self.some(test.operand) and not isinstance(test.operand, ast.BoolOp)
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
            return any(self.none(value) for value in test.values)
        none = self._compared(test, _NONE) or self._is_empty_test(test, True)
        return none or self._is_no_list(test, ast.Eq)

    def returns_before(self, body: list[ast.stmt], node: ast.AST) -> bool:
        """Whether a function returns for a batch without elements before it comes to a place."""
        for statement in body:
            if any(inner is node for inner in walk(statement)):
                return False
            leaves = isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Return | ast.Raise)
            if leaves and isinstance(statement, ast.If) and self.none(statement.test):
                return True
        return False
