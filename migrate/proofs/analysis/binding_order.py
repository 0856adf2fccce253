"""In which order a program binds and changes a variable: ``words = []``, then ``words.append("a")``."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from migrate.proofs.analysis.facts import Facts

Change = ast.Call | ast.Assign
"""What changes a value in place."""
_STEPS = (ast.Name, ast.Call, ast.Assign)


class Place:
    """The function that holds a variable, or the module for None: what runs in it, and in which order."""

    def __init__(self, facts: Facts, home: ast.AST | None) -> None:
        self._facts = facts
        self._home = home

    def in_order(
        self, bindings: Sequence[ast.AST], changes: Mapping[ast.Name, Change], loads: Sequence[ast.Name]
    ) -> list[ast.Name | Change] | None:
        """The bindings and changes of a variable in the order in which they run, in a block that runs once.

        None where it is not known in which order they run.
        """
        facts = self._facts
        steps = [*bindings, *changes.values()]
        statements = [facts.statement_of(step) for step in steps]
        blocks = {facts.above[statement] for statement in statements}
        block = blocks.pop()
        if blocks or len(set(statements)) < len(steps) or not self._runs_once(block):
            return None
        if isinstance(block, ast.If) and len({statement in block.body for statement in statements}) > 1:
            return None
        if not all(
            isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr) for node in statements
        ):
            return None
        last = max(statement.end_lineno or statement.lineno for statement in statements)
        inside = [load for load in loads if self.function_of(load) is not self._home]
        if any(load.lineno <= last for load in inside):
            return None
        ordered = sorted(steps, key=lambda step: facts.statement_of(step).lineno)
        return [step for step in ordered if isinstance(step, _STEPS)]

    def _runs_once(self, block: ast.AST) -> bool:
        """Whether a block of the variable's function runs once, all of it or none."""
        while isinstance(block, ast.If):
            block = self._facts.above[block]
        return block is (self._home or self._facts.tree)

    def last_line(self, node: ast.AST) -> int:
        """The last line of a node's statement, or of the outermost loop around it in the variable's function.

        Code below it runs later: a branch, a ``with`` or a ``try`` that holds both runs once.
        """
        if isinstance(node, ast.arg):
            return node.lineno
        last = self._facts.statement_of(node)
        above = self._facts.above.get(last)
        while above is not None and above is not self._home:
            if isinstance(above, ast.For | ast.AsyncFor | ast.While):
                last = above
            above = self._facts.above.get(above)
        return last.end_lineno or last.lineno

    def function_of(self, node: ast.AST) -> ast.AST | None:
        """The function that a node is in; None for the module."""
        step = self._facts.above.get(node)
        while step is not None and not isinstance(step, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            step = self._facts.above.get(step)
        return step
