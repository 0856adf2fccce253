"""Variables of other modules of the project that a module imports by their names.

from settings import TAGS
"""

from __future__ import annotations

import ast

from migrate.columns import Scope as ColumnScope
from migrate.frozen import dataclass
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.left_alone import is_changeable, is_left_alone
from migrate.proofs.values.settled import variable_of
from migrate.proofs.values.variable_types import Variable
from migrate.read.modules import Imports
from migrate.syntax.nodes import of_kinds
from migrate.typed.types import NEVER


@dataclass(frozen=True)
class Imported:
    """A variable of another module.

    Attributes:
        there: the facts of that module.
        name: its name there.
        alias: what binds it in the module that reads it.
        beside: whether both modules are in one folder, where Python looks first.
    """

    there: Facts
    name: str
    alias: ast.alias
    beside: bool


def imported_from(name: ast.Name, facts: Facts) -> Imported | None:
    """The variable of another module of the project that a name is; None for any other name."""
    alias = facts.only_binding(name.id)
    if not isinstance(alias, ast.alias) or facts.home(name) is not None:
        return None
    statement = facts.above[alias]
    if not isinstance(statement, ast.ImportFrom) or facts.above[statement] is not facts.tree:
        return None
    modules = facts.trace.modules
    here = next(module for module in modules if module.tree is facts.tree)
    there = Imports(modules).find(statement.module or "", here, statement.level)
    if there is None or not there.tree.body:
        return None
    folder, _, _ = here.relative.rpartition("/")
    beside = there.relative.rpartition("/")[0] == folder
    return Imported(facts.of(there.tree.body[0]), alias.name, alias, beside)


def value_of(imported: Imported, scope: ColumnScope, facts: Facts) -> Variable | None:
    """What is known of a variable that is imported; None where a module may change it.

    Args:
        imported: the variable.
        scope: the constants and functions of its module.
        facts: the names of the module that imports it.
    """
    there, name = imported.there, imported.name
    if imported.beside and _is_missing(name, there):
        return Variable(NEVER, 0, NEVER)  # the import fails
    found = variable_of(None, name, scope, there)
    if found is None or _may_be_bound(imported, facts):
        return None
    if is_changeable(found.end) and not _is_only_read(imported, facts):
        return None
    return Variable(found.type, 0, found.end)


def _is_missing(name: str, there: Facts) -> bool:
    """Whether nothing in a module can bind a name."""
    dynamic = there.stars or there.is_declared_elsewhere(name) or {"globals", "exec"} & there.loads.keys()
    return not dynamic and not {name, "__getattr__"} & (there.bindings.keys() | there.starred)


def _may_be_bound(imported: Imported, facts: Facts) -> bool:
    """Whether a module may bind it anew from outside: ``settings.TAGS = []``."""
    return any(
        node.attr == imported.name and not isinstance(node.ctx, ast.Load)
        for module in facts.trace.modules
        for node in of_kinds(module.tree, ast.Attribute)
    )


def _is_only_read(imported: Imported, facts: Facts) -> bool:
    """Whether no other module can change the list, set or dict that it is."""
    for module in facts.trace.modules:
        if any(node.attr == imported.name for node in of_kinds(module.tree, ast.Attribute)):
            return False
        aliases = of_kinds(module.tree, ast.alias)
        if any(alias.name == imported.name and alias is not imported.alias for alias in aliases):
            return False
    name = imported.alias.asname or imported.name
    return all(is_left_alone(load, facts) for load in facts.loads.get(name, ()))
