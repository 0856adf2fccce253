"""The new code of one module, as a plan holds it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from migrate.cached import cached_property
from migrate.columns import Helper
from migrate.frozen import dataclass, replace
from migrate.plan.new_code.code import Chain, Code, Written, text_of, with_text
from migrate.plan.new_code.inner import NOTHING, Inner
from migrate.plan.new_code.own_imports import OwnImport
from migrate.syntax.code_names import CodeNames, names_in_code, together


@dataclass(frozen=True)
class BatchFunction:
    """The function that a query calls for each batch: a new one, or one of the program."""

    name: str
    parameters: tuple[str, str]
    body: tuple[Written, ...]
    """Its statements; none where the program has the function."""
    place: ast.stmt
    """The statement that it follows, or whose place it takes if that one is removed."""
    above: tuple[Written, ...] = ()
    """Statements right above it, whose variables it reads."""
    below: Chain | None = None
    """The statement right below it."""
    within: ast.FunctionDef | None = None
    """The function of the program whose own statements stand below those of `body`."""
    last: tuple[Written, ...] = ()
    """What stands below these."""
    released: ast.Try | None = None
    """The last of them, in whose ``finally:`` that stands, as some of them return."""


@dataclass(frozen=True)
class PlannedModule:
    """The new code of one module."""

    replaced: Mapping[ast.stmt, tuple[Written, ...]] = field(default_factory=dict)
    """Statements, each with its replacement; comments around a replaced one stay."""
    removed: Mapping[ast.stmt, bool] = field(default_factory=dict)
    """Statements to remove, and whether the comments right above are removed, too."""
    after: Mapping[ast.stmt, tuple[Code, ...]] = field(default_factory=dict)
    """Statements, each with new ones to put after it in its block."""
    function: BatchFunction | None = None
    inner: Inner = NOTHING
    helpers: tuple[Helper, ...] = ()
    """Functions to add to the module, after its imports."""
    settings: tuple[Helper, ...] = ()
    """Assignments to add to the module, before those."""
    own_imports: frozenset[OwnImport] = frozenset()
    """Imports of names of the project that it needs."""
    imports: frozenset[str] = frozenset()
    """The names that new code needs imported: ``F``, ``SparkSession``."""
    contexts: frozenset[str] = frozenset()
    """The variables that held the StreamingContext."""
    sessions: Mapping[str, str] = field(default_factory=dict)
    """The variables that held the SparkContext and are gone, with that of the session."""
    unused: tuple[ast.stmt, ...] = ()
    """Functions and variables whose last use is removed: they are removed, too."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """The new names of variables, which commented-out code may read, too."""
    libraries: frozenset[str] = frozenset()
    """Packages that extend PySpark and that it has no use for: their imports go."""
    moved: Mapping[ast.alias, str] = field(default_factory=dict)
    """Imported names that go, as PySpark has them elsewhere now, each with the statement that binds it."""
    puts_out: bool = True
    """Whether the program has outputs."""
    rdds: bool = True
    """Whether the program has RDDs or a SparkContext still."""
    per_batch: frozenset[ast.AST] = frozenset()
    """The functions that are given the DataFrames of each batch."""
    begin: int = 0
    """The line above which a notebook has cells that do not run with the program."""

    @cached_property
    def names(self) -> CodeNames:
        """The names in all new code but helpers and settings."""
        return names_in_code(*self.texts())

    @cached_property
    def all_names(self) -> CodeNames:
        """The names in all new code."""
        added = names_in_code(*(one.source for one in (*self.helpers, *self.settings)))
        return together((self.names, added))

    def texts(self) -> Sequence[str]:
        """All new code, in parts that can be parsed."""
        return self._texts

    @cached_property
    def _texts(self) -> list[str]:
        found: list[str] = []
        for written in (part for parts in self.replaced.values() for part in parts):
            found += written.texts()
        for codes in self.after.values():
            found += map(text_of, codes)
        if self.function is not None:
            for written in (*self.function.body, *self.function.last, *self.function.above):
                found += written.texts()
            if self.function.below is not None:
                found.append(self.function.below.text)
        found += self.inner.texts()
        return found

    def with_texts(self, change: Callable[[str], str]) -> PlannedModule:
        """The new code of the module with each part of it changed, helpers and settings as well."""
        function = self.function
        if function is not None:
            below = function.below
            function = replace(
                function,
                body=tuple(one.with_texts(change) for one in function.body),
                last=tuple(one.with_texts(change) for one in function.last),
                above=tuple(one.with_texts(change) for one in function.above),
                below=None if below is None else below.with_texts(change),
            )
        return replace(
            self,
            replaced={
                old: tuple(one.with_texts(change) for one in written)
                for old, written in self.replaced.items()
            },
            after={
                old: tuple(with_text(code, change) for code in codes) for old, codes in self.after.items()
            },
            function=function,
            inner=self.inner.with_texts(change),
            helpers=tuple(replace(one, source=change(one.source)) for one in self.helpers),
            settings=tuple(replace(one, source=change(one.source)) for one in self.settings),
        )
