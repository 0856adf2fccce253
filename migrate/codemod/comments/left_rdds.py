"""Where a module has RDDs or a SparkContext still: comments elsewhere do not speak of them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from migrate.codemod.changes import Changes
from migrate.knowledge.sessions import OF_RDDS
from migrate.plan.new_code.code import Makes
from migrate.syntax.nodes import walk


class LeftRdds:
    """Tells of functions whether they have some.

    Args:
        changes: the changes of the module.
        given_frames: the functions that are given DataFrames in place of RDDs.
        per_batch: those that are given the streams of each batch, as DataFrames or RDDs.
    """

    def __init__(
        self,
        changes: Changes,
        given_frames: Iterable[ast.FunctionDef],
        per_batch: Collection[ast.FunctionDef],
    ) -> None:
        self._changes = changes
        self._functions = {*given_frames, *per_batch}
        self._per_batch = per_batch
        self._found: dict[ast.FunctionDef, bool] = {}

    def at(self, line: int) -> bool:
        """Whether there may be RDDs or a SparkContext at a line."""
        return self._inmost(line) is None or self.inside(line)

    def inside(self, line: int) -> bool:
        """Whether a line is in a function that may have some."""
        inmost = self._inmost(line)
        if inmost is None:
            return False
        if inmost not in self._found:
            self._found[inmost] = self._has_some(inmost)
        return self._found[inmost]

    def _inmost(self, line: int) -> ast.FunctionDef | None:
        """The innermost of the functions around a line."""
        around = [one for one in self._functions if one.lineno <= line <= (one.end_lineno or one.lineno)]
        return max(around, key=lambda one: one.lineno, default=None)

    def _has_some(self, function: ast.FunctionDef) -> bool:
        inside = {*walk(function)}
        changes = self._changes
        new = [one for place, one in changes.new() if place in inside]
        made = {one.makes for one in new}
        if Makes.RDD in made or (function in self._per_batch and Makes.FRAME not in made):
            return True
        if any(one.makes_rdd for one in new) or not inside.isdisjoint((*changes.rdds, *changes.contexts)):
            return True
        return any(map(_is_of_rdds, self._left(function)))

    def _left(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes of some code that stay as they are."""
        changes = self._changes
        if node in changes.statements or node in changes.expressions or node in changes.parameters:
            return
        yield node
        for inner in ast.iter_child_nodes(node):
            yield from self._left(inner)


def _is_of_rdds(node: ast.AST) -> bool:
    is_member = isinstance(node, ast.Attribute) and node.attr in OF_RDDS
    return is_member or (isinstance(node, ast.Name) and node.id in ("RDD", "sc"))
