"""Names in texts of a module: in annotations that are texts, and in ``__all__``."""

from __future__ import annotations

import ast

from migrate.syntax.nodes import of_kinds, once, walk
from migrate.syntax.text import words


def named_in_texts(tree: ast.Module) -> set[str]:
    """The words of such texts."""
    return once(tree, _named)


def _named(tree: ast.Module) -> set[str]:
    places: list[ast.expr | None] = [node.annotation for node in of_kinds(tree, ast.arg)]
    places += [node.annotation for node in of_kinds(tree, ast.AnnAssign)]
    places += [node.returns for node in of_kinds(tree, ast.FunctionDef)]
    places += [node.returns for node in of_kinds(tree, ast.AsyncFunctionDef)]
    places += [
        node.value
        for node in of_kinds(tree, ast.Assign)
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)
    ]
    parts = (part for place in places if place is not None for part in walk(place))
    texts = (part.value for part in parts if isinstance(part, ast.Constant))
    return words(*(text for text in texts if isinstance(text, str)))
