"""Names that a program imports of PySpark, and that the installed one has not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from migrate.model import Module
from migrate.syntax.nodes import around, of_kinds, parents_of

MISSING = "{}: the installed PySpark has no `{}` in `{}`: an ImportError where this runs"


def tell_missing(module: Module, new: ast.Module) -> Iterator[str]:
    """The notes on such imports that are left, each at its place in the old code.

    Args:
        module: the old module.
        new: its new tree.
    """
    left = {(one.module, alias.name) for one in of_kinds(new, ast.ImportFrom) for alias in one.names}
    parents = parents_of(module.tree)
    for statement in of_kinds(module.tree, ast.ImportFrom):
        home = statement.module or ""
        if statement.level or home.partition(".")[0] != "pyspark":
            continue
        if any(isinstance(one, ast.Try | ast.If) for one in around(statement, parents)):
            continue  # which may be for a PySpark that has it
        for alias in statement.names:
            if (home, alias.name) in left and _lacks(home, alias.name):
                yield MISSING.format(module.where(statement.lineno), alias.name, home)


def _lacks(module: str, name: str) -> bool:
    """Whether a module of PySpark is there, and does not even speak of a name."""
    place = _place(module)
    if place is None or name == "*":
        return False
    text = _text(place)
    is_open = "import *" in text or "__getattr__" in text
    return not (is_open or name in text or _place(f"{module}.{name}") is not None)


@lru_cache(maxsize=64)
def _place(module: str) -> Path | None:
    """The file of a module of PySpark."""
    spec = find_spec("pyspark")
    if spec is None or not spec.origin:
        return None
    folder = Path(spec.origin).parent.joinpath(*module.split(".")[1:])
    files = (folder / "__init__.py", folder.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


@lru_cache(maxsize=16)
def _text(place: Path) -> str:
    return place.read_text(encoding="utf-8")
