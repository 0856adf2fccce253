"""The outcome compat: every import of `pyspark.streaming` becomes one of `compat.streaming`."""

from __future__ import annotations

import ast
from collections.abc import Container

from migrate.codemod.changes import Changes, Names, New
from migrate.knowledge.connectors import BAHIR
from migrate.model import Module
from migrate.syntax.lost_imports import Moves, lost_imports, moved_imports
from migrate.syntax.nodes import of_kinds

OLD = "pyspark.streaming"
NEW = "compat.streaming"


def compat_imports(changes: Changes, module: Module, taken: Container[str], *, bahir: bool) -> None:
    """Add the changes of a module's imports; one that imports compat already needs none.

    Args:
        changes: the module's.
        module: the module.
        taken: names that other modules take of it.
        bahir: whether its module ``mqtt`` is Apache Bahir's.
    """
    for statement in of_kinds(module.tree, ast.ImportFrom):
        if not statement.level:
            _from(changes, statement, bahir=bahir)
    for star, lost in lost_imports(module.tree).items():
        for code in lost.values():
            changes.put_after(star, New(code))
    _move_names(changes, moved_imports(module.tree, taken))
    dotted = [
        (statement, alias)
        for statement in of_kinds(module.tree, ast.Import)
        for alias in statement.names
        if _is_old(alias.name)
    ]
    for _, alias in dotted:
        changes.renamed[alias] = _renamed(alias.name)
    if any(alias.asname is None for _, alias in dotted):
        _dotted_uses(changes, module.tree, dotted[0][0])
    else:
        _uses_of_pyspark(changes, module.tree)


def _move_names(changes: Changes, moves: Moves) -> None:
    """Import names from where PySpark has them now."""
    changes.renamed.update(moves.renamed)
    for statement in of_kinds(changes.tree, ast.ImportFrom):
        kept = tuple(alias for alias in statement.names if alias not in moves.dropped)
        new = [New(moves.dropped[alias]) for alias in statement.names if moves.dropped.get(alias)]
        if not kept:
            changes.statements[statement] = tuple(new)
        elif len(kept) < len(statement.names):
            changes.imports[statement] = Names(kept)
            changes.put_after(statement, *new)


def _is_old(name: str) -> bool:
    return name == OLD or name.startswith(f"{OLD}.")


def _renamed(name: str) -> str:
    return NEW + name.removeprefix(OLD)


def _from(changes: Changes, statement: ast.ImportFrom, *, bahir: bool) -> None:
    names = tuple(statement.names)
    if statement.module and _is_old(statement.module):
        changes.imports[statement] = Names(names, module=_renamed(statement.module))
    elif statement.module == BAHIR and bahir:
        changes.imports[statement] = Names(names, module=f"{NEW}.{BAHIR}")
    elif statement.module == "pyspark":
        ours = [alias for alias in names if alias.name == "streaming"]
        if len(ours) == len(names):
            changes.imports[statement] = Names(names, module="compat")
        elif ours:
            kept = tuple(alias for alias in names if alias not in ours)
            changes.imports[statement] = Names(kept, moved=tuple(ours))
            comments = [one.text for alias in ours for one in changes.old_comments.of_name(alias, statement)]
            shown = ", ".join(map(ast.unparse, ours))
            changes.put_after(statement, New(f"from compat import {shown}", kept="  ".join(comments)))


def _uses_of_pyspark(changes: Changes, tree: ast.Module) -> None:
    """``pyspark.streaming.X`` where ``import pyspark`` is all that there is: it imports the rest itself."""
    imports = [
        (statement, alias.asname or alias.name)
        for statement in of_kinds(tree, ast.Import)
        for alias in statement.names
        if alias.name == "pyspark"
    ]
    ours = [node for node in _roots(tree) if node.id in {name for _, name in imports}]
    changes.renamed.update(dict.fromkeys(ours, "compat"))
    used = {node.id for node in ours}
    for statement in dict.fromkeys(statement for statement, name in imports if name in used):
        changes.put_before(statement, New("import compat.streaming"))


def _roots(tree: ast.Module) -> list[ast.Name]:
    """``x`` in ``x.streaming``."""
    return [
        node.value
        for node in of_kinds(tree, ast.Attribute)
        if node.attr == "streaming" and isinstance(node.value, ast.Name)
    ]


def _dotted_uses(changes: Changes, tree: ast.Module, first: ast.Import) -> None:
    """``pyspark.streaming.X`` where ``import pyspark.streaming`` bound ``pyspark``; others keep the name."""
    ours = [node for node in _roots(tree) if node.id == "pyspark"]
    changes.renamed.update(dict.fromkeys(ours, "compat"))
    others = any(node.id == "pyspark" and node not in ours for node in of_kinds(tree, ast.Name))
    imported = any(
        alias.asname is None and alias.name.split(".")[0] == "pyspark" and not alias.name.startswith(OLD)
        for statement in of_kinds(tree, ast.Import)
        for alias in statement.names
    )
    if others and not imported:
        changes.put_before(first, New("import pyspark"))
