"""Imports that a module needs today, as PySpark's modules have not all names any more that they had."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from migrate.knowledge.lost_names import GONE, LOST, MOVED
from migrate.syntax.bindings import BINDING, bound_by, bound_names
from migrate.syntax.nodes import of_kinds

NOT_ANY_MORE = "PySpark has no `{}` any more since Spark 3.0: {}"


def lost_imports(tree: ast.Module) -> dict[ast.ImportFrom, dict[str, str]]:
    """The imports that a module needs today: by its star imports, the names that it reads and statements."""
    stars = [
        node
        for node in of_kinds(tree, ast.ImportFrom)
        if node.module in LOST and not node.level and node.names[0].name == "*"
    ]
    if not stars:
        return {}
    names = of_kinds(tree, ast.Name)
    bound = bound_names(tree) | {one.arg for one in of_kinds(tree, ast.arg)}
    found: dict[ast.ImportFrom, dict[str, str]] = {}
    others = {
        node.module: node.lineno
        for node in of_kinds(tree, ast.ImportFrom)
        if node in tree.body and not node.level and node.names[0].name == "*"
    }
    for star in stars:
        for name, home in LOST[star.module or ""].items():
            reads = [one.lineno for one in names if one.id == name]
            is_starred = home in others and all(line > others[home] for line in reads)
            if reads and name not in bound and not is_starred:
                found.setdefault(star, {})[name] = f"from {home} import {name}" if home else f"import {name}"
                bound.add(name)
    return found


@dataclass(frozen=True)
class Moves:
    """What becomes of names that PySpark has elsewhere now, or under another name."""

    renamed: dict[ast.AST, str] = field(default_factory=dict)
    """The imported names and their readers that are called otherwise now."""
    dropped: dict[ast.alias, str] = field(default_factory=dict)
    """The imported names that go, each with the statement that binds it now; empty where nothing reads it."""


def moved_imports(tree: ast.Module, taken: Container[str]) -> Moves:
    """The names that a module imports and that PySpark has elsewhere now.

    Args:
        tree: the module.
        taken: names that other modules take of it; ``*`` if one takes all.
    """
    found = Moves()
    for statement in of_kinds(tree, ast.ImportFrom):
        for alias in statement.names:
            old = f"{statement.module}.{alias.name}"
            if old not in MOVED or statement.level:
                continue
            module, _, name = MOVED[old].now.rpartition(".")
            bound = alias.asname or alias.name
            is_own = not (bound in taken or "*" in taken or _is_in_text(bound, tree))
            reads: list[ast.AST] = [one for one in of_kinds(tree, ast.Name) if one.id == bound]
            if is_own and not reads:
                found.dropped[alias] = ""
            elif module == statement.module and alias.asname:
                found.renamed[alias] = name
            elif module == statement.module and is_own and _is_free(alias, name, tree):
                found.renamed.update(dict.fromkeys([alias, *reads], name))
            else:
                shown = name if name == bound else f"{name} as {bound}"
                found.dropped[alias] = f"from {module} import {shown}" if module else f"{bound} = {name}"
    return found


def _is_in_text(name: str, tree: ast.Module) -> bool:
    """Whether a text of a module has a name in it, as ``__all__`` and annotations may."""
    texts = (one.value for one in of_kinds(tree, ast.Constant) if isinstance(one.value, str))
    return any(name in text for text in texts)


def _is_free(alias: ast.alias, name: str, tree: ast.Module) -> bool:
    """Whether all readers of an imported name can read another one, which nothing else has."""
    names, parameters = of_kinds(tree, ast.Name), {one.arg for one in of_kinds(tree, ast.arg)}
    others = {one.id for one in names if one.id != alias.name or not isinstance(one.ctx, ast.Load)}
    others |= {bound_by(one) or "" for one in of_kinds(tree, *BINDING) if one is not alias}
    return not {name, alias.name} & (others | parameters)


def gone_members(tree: ast.Module) -> Iterator[str]:
    """What the report says of members that PySpark has no more."""
    imported = {one.module for one in of_kinds(tree, ast.ImportFrom)}
    imported |= {alias.name for one in of_kinds(tree, ast.Import) for alias in one.names}
    members = {one.attr for one in of_kinds(tree, ast.Attribute)}
    members |= {one.arg for one in of_kinds(tree, ast.keyword) if one.arg}
    for name in GONE:
        if name in members and GONE[name].module in imported:
            yield NOT_ANY_MORE.format(name, GONE[name].instead.replace("_", " "))
