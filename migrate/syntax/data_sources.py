"""The data sources of other projects that a module names."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.knowledge.data_sources import FORMATTED, RESOURCES, SOURCES, WORDS
from migrate.syntax.nodes import code_of, of_kinds, walk


def named_sources(tree: ast.Module) -> list[str]:
    """The names of `SOURCES` in a module, each once: words only as formats."""
    texts = (one for one in of_kinds(tree, ast.Constant) if isinstance(one.value, str))
    named = [(one, str(one.value)) for one in texts if one.value in SOURCES]
    if not named:
        return []
    formats = {value for call in of_kinds(tree, ast.Call) for value in _formats(call)}
    return list(dict.fromkeys(name for one, name in named if one in formats or name not in WORDS))


def _formats(call: ast.Call) -> Iterator[ast.expr]:
    """``"es"`` in ``format("es")`` and ``save(format="es")``; other calls have such keywords as well."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in FORMATTED:
        return
    if call.func.attr == "format" and not isinstance(call.func.value, ast.Constant | ast.JoinedStr):
        yield from call.args[:1]
    yield from (keyword.value for keyword in call.keywords if keyword.arg in ("format", "source"))


def resources_with_types(tree: ast.Module) -> list[str]:
    """The code of what a module gives Elasticsearch's connector as an index and its type, each once."""
    given = (value for name, value in _settings(tree) if name in RESOURCES)
    saved = (one.args[0] for one in of_kinds(tree, ast.Call) if one.args and _is_saved_there(one))
    return list(dict.fromkeys(code_of(value) for value in (*given, *saved) if _has_slash(value)))


def _settings(tree: ast.Module) -> Iterator[tuple[object, ast.expr]]:
    """The settings that a module writes out: ``{"a": x}``, ``d["a"] = x``, ``option("a", x)``."""
    pairs: list[tuple[ast.expr | None, ast.expr]] = []
    for table in of_kinds(tree, ast.Dict):
        pairs += zip(table.keys, table.values, strict=True)
    for call in of_kinds(tree, ast.Call):
        if len(call.args) == 2:
            pairs.append((call.args[0], call.args[1]))
    for statement in of_kinds(tree, ast.Assign):
        keys = (target.slice for target in statement.targets if isinstance(target, ast.Subscript))
        pairs += ((key, statement.value) for key in keys)
    yield from ((key.value, value) for key, value in pairs if isinstance(key, ast.Constant))


def _is_saved_there(call: ast.Call) -> bool:
    """Whether a call ends a write of a DataFrame, or a read, in Elasticsearch's format."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in ("load", "save"):
        return False
    chain = (one for one in walk(call) if isinstance(one, ast.Call))
    formats = (one.value for link in chain for one in _formats(link) if isinstance(one, ast.Constant))
    return any(name in SOURCES and SOURCES[name].project == "Elasticsearch" for name in formats)


def _has_slash(node: ast.expr) -> bool:
    texts = (one.value for one in walk(node) if isinstance(one, ast.Constant))
    return any(isinstance(text, str) and "/" in text for text in texts)
