"""Functions of streams that become functions of DataFrames, which the batch function calls.

``counts = count_words(lines)``: a function that only makes streams of those that it is given may run for
every batch.
"""

from __future__ import annotations

import ast
from collections.abc import Container

from migrate.graph.blocked import Blocked
from migrate.graph.leftovers import gives_nothing
from migrate.graph.operations import Entry, Line
from migrate.graph.own_values import OwnValues
from migrate.graph.place import Place, lines_of
from migrate.graph.reading import Reading
from migrate.knowledge.streaming import OF_SEVERAL_BATCHES
from migrate.syntax.nodes import walk
from migrate.syntax.tree import Tree

_OTHERS = OF_SEVERAL_BATCHES | {"queueStream"}
"""Operators whose new code is no expression of one batch."""


class PerBatch:
    """Finds the functions that the batch function may call."""

    def __init__(
        self,
        reading: Reading,
        tree: Tree,
        place: Place,
        dissolved: Container[ast.FunctionDef],
        values: OwnValues,
    ) -> None:
        self.dissolved = dissolved
        self.values = values
        self.reading = reading
        self.tree = tree
        self.place = place

    def functions(self) -> dict[ast.FunctionDef, list[ast.Call]]:
        """Those of the graph, each with its calls; the outer ones first.

        Raises:
            Blocked: one is called in several places, and is none of them.
        """
        calls = {function: self.reading.calls(function) for function in self.reading.entered}
        why = {function: self._why_not(function, calls[function]) for function in calls}
        grown = True
        while grown:
            good = {function for function in calls if not why[function]}
            apart = [one for one in good if not self._callers(calls[one]) <= {self.place.scope, *good}]
            why.update(dict.fromkeys(apart, "the batch function cannot call what calls it"))
            grown = bool(apart)
        for function, reason in why.items():
            if reason and len(calls[function]) > 1:
                name = getattr(function, "name", "")
                raise Blocked(
                    f"`{name}` has to do with the streams and is called in several places, "
                    f"and no function of DataFrames can be made of it: {reason}",
                    at=calls[function][1],
                )
        return {
            function: calls[function]
            for function in calls
            if isinstance(function, ast.FunctionDef) and not why[function]
        }

    def _callers(self, calls: list[ast.Call]) -> set[ast.AST]:
        return {self.tree.scope_of(call) for call in calls}

    def connected(
        self, functions: dict[ast.FunctionDef, list[ast.Call]], wanted: set[ast.FunctionDef]
    ) -> dict[ast.FunctionDef, list[ast.Call]]:
        """Some functions with their callers and the functions that they call, at any depth."""
        found = set(wanted)
        grown = True
        while grown:
            pairs = ((one, self.tree.scope_of(call)) for one, calls in functions.items() for call in calls)
            more = {one for pair in pairs if found & {*pair} for one in pair if one in functions}
            grown = not more <= found
            found |= more
        return {function: calls for function, calls in functions.items() if function in found}

    def _why_not(self, function: ast.AST, calls: list[ast.Call]) -> str:
        """Why the batch function cannot call a function; empty if it can."""
        if not isinstance(function, ast.FunctionDef):
            return "it is a coroutine"
        own = [line for line in lines_of(self.reading) if line.scope is function]
        steps = [operation for line in own for operation in line.operations]
        several = [step.operator for step in steps if step.operator in _OTHERS]
        sources = any(
            operation.is_source
            for line in self.reading.lines
            if line.scope is function
            for operation in line.operations
        )
        if sources or any(self.tree.scope_of(node) is function for node in self.reading.contexts):
            return "it makes a source, or uses the context"
        if several and (len(calls) > 1 or function in self.dissolved):
            return f"`{several[0]}` keeps something from batch to batch"
        plain = all(isinstance(target, ast.Name) for line in own for target in _targets(line.statement))
        if not own or not plain or not self._is_plain(function) or not self._is_only_lines(function, own):
            return "it does more than make streams in a straight line"
        if not all(self._is_called_simply(function, call) for call in calls):
            return "a call of it is part of something else: assign its result to a name"
        if not all(self._gives_one(function, entry) for entry in self.reading.entries[function]):
            return "it does not return one stream"
        return ""

    def _is_plain(self, function: ast.FunctionDef) -> bool:
        """Whether a function is called as it is written; a method too, of its object or of its class."""
        return not function.decorator_list or self.tree.is_static(function)

    def _is_only_lines(self, function: ast.FunctionDef, own: list[Line]) -> bool:
        """Whether a function does nothing beside its streams: it may run as often as it likes."""
        ours = {*self.reading.aliases, *self.reading.removed, *(line.statement for line in own)}
        calls = {entry.call for entries in self.reading.entries.values() for entry in entries}

        def only(statement: ast.stmt) -> bool:
            if isinstance(statement, ast.If):
                return all(map(only, (*statement.body, *statement.orelse)))
            value = statement.value if isinstance(statement, ast.Expr) else None
            harmless = isinstance(statement, ast.Pass | ast.Import | ast.ImportFrom | ast.FunctionDef)
            harmless |= gives_nothing(statement) or self.values.makes_one(statement, function)
            return harmless or isinstance(value, ast.Constant) or value in calls or statement in ours

        if not all(map(only, function.body)):
            return False
        returns = [node for node in walk(function) if isinstance(node, ast.Return)]
        early = [node for node in returns if self.tree.scope_of(node) is function]
        chosen = {statement for one in self.reading.chosen for statement in one.bound}
        return all(node is function.body[-1] or node in chosen for node in early)

    def _is_called_simply(self, function: ast.FunctionDef, call: ast.Call) -> bool:
        """Whether a call gives each parameter one thing, in a statement that can move."""
        statement = self.tree.statement_of(call)
        arguments = function.args
        plain = not (arguments.vararg or arguments.kwarg or arguments.kwonlyargs)
        plain &= not any(isinstance(argument, ast.Starred) for argument in call.args)
        plain &= not any(keyword.arg is None for keyword in call.keywords)
        plain &= isinstance(call.func, ast.Name) or (
            isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
        )
        if not plain or not isinstance(statement, ast.Assign | ast.Expr | ast.Return):
            return False
        if isinstance(statement, ast.Assign):
            return len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name)
        return True

    def _gives_one(self, function: ast.FunctionDef, entry: Entry) -> bool:
        """Whether a function returns one of its streams, or nothing to a statement that wants nothing."""
        last = function.body[-1]
        if entry.result is not None and entry.result.is_chosen:
            return True
        if not isinstance(last, ast.Return) or gives_nothing(last):
            assert entry.call is not None
            statement = self.tree.statement_of(entry.call)
            return isinstance(statement, ast.Expr) and statement.value is entry.call
        return entry.result is not None


def _targets(statement: ast.stmt) -> list[ast.expr]:
    """What a statement gives a value."""
    if isinstance(statement, ast.AnnAssign):
        return [statement.target]
    return statement.targets if isinstance(statement, ast.Assign) else []
