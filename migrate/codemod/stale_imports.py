"""The imports that a rewrite leaves without a use."""

from __future__ import annotations

import ast
from bisect import bisect
from collections.abc import Container, Mapping, Sequence, Set

from migrate.cached import cached_property
from migrate.codemod.changes import Changes
from migrate.codemod.wanted_imports import Import, module_of
from migrate.knowledge.connectors import KAFKA_NAMES
from migrate.knowledge.models import MODELS
from migrate.syntax.cells import borders
from migrate.syntax.nodes import around, of_kinds, parents_of
from migrate.syntax.text_names import named_in_texts

STREAMING = ("pyspark.streaming", "compat.streaming")
_KAFKA = ("pyspark.streaming.kafka", "compat.streaming.kafka")
_OLD = frozenset({"HiveContext", "Row", "SQLContext", "SparkConf", "SparkContext", "StorageLevel"})
"""Names that code of the old API needs, and new code less often."""


class StaleImports:
    """Tells which names imported by a module go.

    Args:
        changes: the changes of the module.
        statements: its imports that stay, in order.
        lines: the names that the new module reads, with the old line of each one's first read.
        needed: names that new code needs imported.
        libraries: packages whose imports go where nothing reads their names, though they extend others.
        moved: names that other statements bind now, with these.
    """

    def __init__(
        self,
        changes: Changes,
        statements: Sequence[Import],
        lines: Mapping[str, int],
        needed: Set[str],
        libraries: Container[str],
        moved: Mapping[ast.alias, str],
    ) -> None:
        self._changes = changes
        self._tree = changes.tree
        self._statements = statements
        self._lines = lines
        self._needed = needed
        self._libraries = libraries
        self._moved = moved
        self._parents = parents_of(changes.tree)
        self._before = {node.id for node in of_kinds(self._tree, ast.Name)}

    def is_moved(self, alias: ast.alias) -> bool:
        """Whether another statement binds an imported name now that something reads."""
        return bool(self._moved.get(alias)) and (alias.asname or alias.name) in self._lines

    def is_left_over(self, statement: Import, alias: ast.alias) -> bool:
        """Whether the rewrite took away the last use of an import, or passes by one without a use."""
        new = self._lines
        if alias.name == "*":
            if module_of(statement) in _KAFKA:
                return not KAFKA_NAMES & new.keys()
            return module_of(statement) in STREAMING
        if alias in self._moved:
            return True
        bound = alias.asname or self._changes.renamed.get(alias) or alias.name.split(".")[0]
        module = statement.module if isinstance(statement, ast.ImportFrom) else alias.name
        if self._hides(statement, bound):
            return True
        if bound in new or bound in named_in_texts(self._tree):
            return False
        return (
            (alias.asname or alias.name.split(".")[0]) in self._before
            or (module or "").startswith(STREAMING)
            or (module or "").partition(".")[0] in self._libraries
            or self._passed_by(statement, alias)
        )

    def _passed_by(self, statement: Import, alias: ast.alias) -> bool:
        """Whether an import that nothing ever used is the old API's, or stands beside one that goes.

        So is that of Spark's functions by their own name, which new code calls ``F``.
        In a notebook it is left alone in cells that have nothing of the program.
        MLlib's streaming models are the old API's: their modules import `pyspark.streaming`.
        """
        if module_of(statement).split(".")[0] != "pyspark" or isinstance(statement, ast.Import):
            return False
        if bisect(self._borders, statement.lineno) not in self._cells:
            return False
        others = (alias.asname or alias.name for alias in statement.names)
        qualified = f"{module_of(statement)}.{alias.name}"
        old = alias.name in _OLD or qualified in MODELS
        old |= qualified == "pyspark.sql.functions" and not alias.asname and "F" in self._needed
        return old or any(name in self._before and name not in self._lines for name in others)

    @cached_property
    def _borders(self) -> list[int]:
        return borders(self._tree)

    @cached_property
    def _cells(self) -> set[int]:
        """The cells of a notebook that the program stands in, by the borders above each."""
        streaming = (one for one in self._statements if module_of(one).startswith(STREAMING))
        places = (*self._changes.statements, *self._changes.expressions, *streaming)
        lines = (place.lineno for place in places if isinstance(place, ast.stmt | ast.expr))
        return {bisect(self._borders, line) for line in lines}

    def _hides(self, statement: Import, name: str) -> bool:
        """Whether an import in a function keeps new code there from the one at the top of the module.

        It makes the name the function's own, which has no value before the import runs.
        """
        if name not in self._needed:
            return False
        function = self._function_of(statement)
        if function is None:
            return False
        runs_always = statement in function.body
        return any(
            read == name and function in around(place, self._parents)
            for place, read in self._changes.names_read()
            if not runs_always or place.lineno < statement.lineno  # type: ignore[attr-defined]
        )

    def _function_of(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The function whose own names a statement binds."""
        for above in around(node, self._parents):
            if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef):
                return above
            if isinstance(above, ast.ClassDef):
                return None
        return None
