"""The data sources of other projects that a module names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.knowledge.data_sources import SOURCES, WORDS
from migrate.syntax.nodes import of_kinds


def named_sources(tree: ast.Module) -> list[str]:
    """The names of `SOURCES` in a module, each once: words only as formats."""
    formats = {value for call in of_kinds(tree, ast.Call) for value in _formats(call)}
    texts = (one for one in of_kinds(tree, ast.Constant) if isinstance(one.value, str))
    named = (str(one.value) for one in texts if one in formats or one.value not in WORDS)
    return list(dict.fromkeys(name for name in named if name in SOURCES))


def _formats(call: ast.Call) -> Iterator[ast.expr]:
    """``"es"`` in ``format("es")`` and ``save(format="es")``."""
    if isinstance(call.func, ast.Attribute) and call.func.attr == "format":
        yield from call.args[:1]
    yield from (keyword.value for keyword in call.keywords if keyword.arg in ("format", "source"))
