"""Imports of names of the project, which new code in another module of it reads."""

from __future__ import annotations

import ast

from migrate.frozen import dataclass


@dataclass(frozen=True)
class OwnImport:
    """One name that is imported: ``from jobs.settings import INTERVAL as every``."""

    name: str
    alias: str | None = None
    package: str | None = None
    """The module that it is a name of; None where that is relative alone, or it is a module itself."""
    level: int = 0
    """How many dots stand before the module."""

    @property
    def bound(self) -> str:
        """The name that it binds."""
        return self.alias or self.name

    @property
    def statement(self) -> ast.Import | ast.ImportFrom:
        """It as a statement of its own."""
        names = [ast.alias(self.name, self.alias)]
        is_module = self.package is None and not self.level
        return ast.Import(names) if is_module else ast.ImportFrom(self.package, names, self.level)

    @property
    def code(self) -> str:
        """The statement as code."""
        return ast.unparse(self.statement)


def own_import(statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> OwnImport:
    """The import of one of the names of a statement."""
    if isinstance(statement, ast.Import):
        return OwnImport(alias.name, alias.asname)
    return OwnImport(alias.name, alias.asname, statement.module, statement.level)
