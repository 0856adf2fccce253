"""The names in new code, which is text until it is written: each part of it is parsed once."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from migrate.frozen import dataclass
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.text import Edit, Text, apply_edits

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class CodeNames:
    """The names in some code, by what they are the names of; one may stand in several sets."""

    variables: frozenset[str] = _NONE
    """Variables that it reads or binds, and functions that it calls."""
    bound: frozenset[str] = _NONE
    """Those of them that it binds."""
    parameters: frozenset[str] = _NONE
    """Parameters of its functions."""
    defined: frozenset[str] = _NONE
    """Functions that it defines, names that it imports, and errors that it catches."""
    members: frozenset[str] = _NONE
    """Members, as ``rdd`` of ``batch.rdd``."""
    texts: frozenset[str] = _NONE
    """What its texts say, and the variables that f-strings read."""

    @property
    def taken(self) -> frozenset[str]:
        """All that is no member: such a name means something in it."""
        return self.variables | self.parameters | self.defined

    @property
    def all(self) -> frozenset[str]:
        """All names but those that only texts hold."""
        return self.taken | self.members


def names_in_code(*codes: str) -> CodeNames:
    """The names in code, each part of which can be parsed.

    Raises:
        SyntaxError: one cannot.
    """
    return _names(codes[0]) if len(codes) == 1 else together(map(_names, codes))


def together(parts: Iterable[CodeNames]) -> CodeNames:
    """The names of several parts of code."""
    found = [*parts]
    return CodeNames(
        _NONE.union(*(one.variables for one in found)),
        _NONE.union(*(one.bound for one in found)),
        _NONE.union(*(one.parameters for one in found)),
        _NONE.union(*(one.defined for one in found)),
        _NONE.union(*(one.members for one in found)),
        _NONE.union(*(one.texts for one in found)),
    )


@lru_cache(maxsize=1024)
def _names(code: str) -> CodeNames:
    tree = ast.parse(code)
    names, functions = of_kinds(tree, ast.Name), of_kinds(tree, ast.FunctionDef)
    imported = (one.asname or one.name for one in of_kinds(tree, ast.alias))
    caught = (one.name for one in of_kinds(tree, ast.ExceptHandler) if one.name)
    texts = (one.value for one in of_kinds(tree, ast.Constant) if isinstance(one.value, str))
    return CodeNames(
        frozenset((*(one.id for one in names), *(name for one in _declarations(tree) for name in one.names))),
        frozenset(one.id for one in names if isinstance(one.ctx, ast.Store)),
        frozenset(one.arg for one in of_kinds(tree, ast.arg)),
        frozenset((*(one.name for one in functions), *imported, *caught)),
        frozenset(one.attr for one in of_kinds(tree, ast.Attribute)),
        frozenset((*texts, *(one.id for one in _formatted(tree)))),
    )


def _declarations(tree: ast.Module) -> list[ast.Global | ast.Nonlocal]:
    return [*of_kinds(tree, ast.Global), *of_kinds(tree, ast.Nonlocal)]


def _formatted(tree: ast.Module) -> Iterator[ast.Name]:
    """The variables in f-strings."""
    found = (node for one in of_kinds(tree, ast.JoinedStr) for node in walk(one))
    return (node for node in found if isinstance(node, ast.Name))


def with_names(code: str, new: Mapping[str, str]) -> str:
    """Code with other names for variables and functions.

    Members and named arguments of the same names stay, as do texts. So do f-strings: before Python 3.12
    nobody knows where they have their parts.
    """
    if names_in_code(code).taken.isdisjoint(new):
        return code
    tree, text = ast.parse(code), Text(code)
    formatted = {*_formatted(tree)}
    places = [(text.start(node), node.id) for node in of_kinds(tree, ast.Name) if node not in formatted]
    places += [(text.start(node), node.arg) for node in of_kinds(tree, ast.arg)]
    for node in of_kinds(tree, ast.FunctionDef):
        places.append((_after(text, text.start(node), node.name), node.name))
    for declaration in _declarations(tree):
        place = text.start(declaration)
        for name in declaration.names:
            place = _after(text, place, name)
            places.append((place, name))
    return apply_edits(
        code, [Edit(start, start + len(name), new[name]) for start, name in places if name in new]
    )


def _after(text: Text, start: int, name: str) -> int:
    """Where a name stands behind ``def``, ``global`` or a comma."""
    return text.source.index(f" {name}", start) + 1
