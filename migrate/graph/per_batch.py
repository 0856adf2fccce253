"""Functions of streams that become functions of DataFrames, which the batch function calls.

``counts = count_words(lines)``: a function that only makes streams of those that it is given may run for
every batch.
"""

from __future__ import annotations

import ast

from migrate.graph.operations import Line, Operation
from migrate.graph.place import Place, lines_of
from migrate.graph.reading import Reading
from migrate.knowledge.streaming import OF_SEVERAL_BATCHES
from migrate.syntax.nodes import walk
from migrate.syntax.tree import Tree
from migrate.trace import Trace

_OTHERS = OF_SEVERAL_BATCHES | {"queueStream"}
"""Operators whose new code is no expression of one batch."""


class PerBatch:
    """Finds the functions that the batch function may call."""

    def __init__(self, reading: Reading, trace: Trace, tree: Tree, place: Place) -> None:
        self.reading = reading
        self.trace = trace
        self.tree = tree
        self.place = place

    def functions(self) -> dict[ast.FunctionDef, ast.Call]:
        """Those of the graph, each with its call; the outer ones first."""
        found: dict[ast.FunctionDef, ast.Call] = {}
        for function, call in self.reading.entered.items():
            caller = self.tree.scope_of(call)
            if caller is not self.place.scope and caller not in found:
                continue
            if isinstance(function, ast.FunctionDef) and self._fits(function, call):
                found[function] = call
        return found

    def connected(
        self, functions: dict[ast.FunctionDef, ast.Call], wanted: set[ast.FunctionDef]
    ) -> dict[ast.FunctionDef, ast.Call]:
        """The wanted ones of some functions, with those that call them and those that they call."""
        found = set(wanted)
        grown = True
        while grown:
            pairs = ((function, self.tree.scope_of(call)) for function, call in functions.items())
            more = {one for pair in pairs if found & {*pair} for one in pair if one in functions}
            grown = not more <= found
            found |= more
        return {function: call for function, call in functions.items() if function in found}

    def _fits(self, function: ast.FunctionDef, call: ast.Call) -> bool:
        own = [line for line in lines_of(self.reading) if line.scope is function]
        steps = [operation for line in own for operation in line.operations]
        return (
            bool(own)
            and all(isinstance(target, ast.Name) for line in own for target in _targets(line.statement))
            and self.tree.class_of(function) is None
            and not function.decorator_list
            and not any(step.is_source or step.operator in _OTHERS for step in steps)
            and not any(self.tree.scope_of(node) is function for node in self.reading.contexts)
            and self._is_only_lines(function, own)
            and self._is_called_simply(function, call)
            and self._gives_one(function, call)
        )

    def _is_only_lines(self, function: ast.FunctionDef, own: list[Line]) -> bool:
        """Whether a function does nothing beside its streams: it may run as often as it likes."""
        ours = {*self.reading.aliases, *self.reading.removed, *(line.statement for line in own)}
        for statement in function.body:
            text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            harmless = isinstance(statement, ast.Pass | ast.Import | ast.ImportFrom | ast.FunctionDef)
            if not (text or harmless or statement in ours):
                return False
        returns = [node for node in walk(function) if isinstance(node, ast.Return)]
        early = [node for node in returns if self.tree.scope_of(node) is function]
        return all(node is function.body[-1] for node in early)

    def _is_called_simply(self, function: ast.FunctionDef, call: ast.Call) -> bool:
        """Whether a call gives each parameter one thing, in a statement that can move."""
        statement = self.tree.statement_of(call)
        arguments = function.args
        plain = not (arguments.vararg or arguments.kwarg or arguments.kwonlyargs)
        plain &= not any(isinstance(argument, ast.Starred) for argument in call.args)
        plain &= not any(keyword.arg is None for keyword in call.keywords) and isinstance(call.func, ast.Name)
        if not plain or not isinstance(statement, ast.Assign | ast.Expr | ast.Return):
            return False
        if isinstance(statement, ast.Assign):
            return len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name)
        return True

    def _gives_one(self, function: ast.FunctionDef, call: ast.Call) -> bool:
        """Whether a function returns one of its streams, or nothing to a statement that wants nothing."""
        last = function.body[-1]
        if not isinstance(last, ast.Return) or last.value is None:
            statement = self.tree.statement_of(call)
            return isinstance(statement, ast.Expr) and statement.value is call
        return result_of(function, self.reading, self.trace) is not None


def _targets(statement: ast.stmt) -> list[ast.expr]:
    """What a statement gives a value."""
    if isinstance(statement, ast.AnnAssign):
        return [statement.target]
    return statement.targets if isinstance(statement, ast.Assign) else []


def result_of(function: ast.FunctionDef, reading: Reading, trace: Trace) -> Operation | None:
    """The stream that a function returns in its last statement."""
    last = function.body[-1]
    if not isinstance(last, ast.Return) or last.value is None:
        return None
    made = (line.operations[-1] for line in reading.lines if line.statement is last)
    return next(made, None) or reading.operation_at(last.value, trace)
