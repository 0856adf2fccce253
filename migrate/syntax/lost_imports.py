"""Imports that a module needs, as star imports of PySpark do not bind what they did until Spark 3.5."""

from __future__ import annotations

import ast

from migrate.knowledge.lost_names import LOST
from migrate.syntax.bindings import bound_names
from migrate.syntax.nodes import of_kinds


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
    for star in stars:
        for name, home in LOST[star.module or ""].items():
            if name not in bound and any(one.id == name for one in names):
                found.setdefault(star, {})[name] = f"from {home} import {name}" if home else f"import {name}"
                bound.add(name)
    return found
