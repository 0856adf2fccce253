"""The modules of its own that a program imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path


def imported(path: Path) -> list[str]:
    """The texts of the modules in a program's directory that it imports, also by way of others."""
    found: dict[Path, str] = {}
    waiting = [path]
    while waiting:
        module = waiting.pop()
        try:
            text = module.read_text(encoding="utf-8")
            tree = ast.parse(text)
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if module != path:
            found[module] = text
        places = (place for node in ast.walk(tree) for place in _places(node, module, path.parent))
        waiting += {place for place in places if place.is_file()} - found.keys() - {path, *waiting}
    return [found[module] for module in sorted(found)]


def _places(node: ast.AST, module: Path, top: Path) -> Iterator[Path]:
    """The files that an import statement may run."""
    if isinstance(node, ast.Import):
        wanted = [(top, alias.name) for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        base = module.parents[node.level - 1] if node.level else top
        wanted = [(base, f"{node.module or ''}.{alias.name}") for alias in node.names]
    else:
        return
    for base, name in wanted:
        place = base
        for part in filter(None, name.split(".")):
            place /= part
            yield from (place.with_suffix(".py"), place / "__init__.py")
