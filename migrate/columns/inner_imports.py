"""Imports in a function, ``import re``: of a library, under a name without another meaning."""

from __future__ import annotations

import ast
import sys

from migrate.columns.element import Scope
from migrate.knowledge.libraries import COMPUTING


def is_followed(statement: ast.Import | ast.ImportFrom, scope: Scope) -> bool:
    """Return whether each name that an import binds means that elsewhere in the program, too."""
    if isinstance(statement, ast.ImportFrom) and (statement.level or not statement.module):
        return False
    return all(_is_known(_meant(alias, statement), scope) for alias in statement.names)


def _meant(alias: ast.alias, statement: ast.Import | ast.ImportFrom) -> tuple[str, str]:
    """The name that is bound, and the qualified one of what it stands for."""
    if isinstance(statement, ast.ImportFrom):
        return alias.asname or alias.name, f"{statement.module}.{alias.name}"
    whole = alias.name if alias.asname else alias.name.partition(".")[0]
    return alias.asname or whole, whole


def _is_known(meant: tuple[str, str], scope: Scope) -> bool:
    name, qualified = meant
    library = qualified.partition(".")[0]
    if library not in sys.stdlib_module_names | COMPUTING:
        return False
    alone = name == qualified and name not in {*scope.constants, *scope.functions, *scope.namedtuples}
    return scope.imports.get(name, name if alone else None) == qualified
