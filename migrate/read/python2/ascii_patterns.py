"""Patterns of ``re`` whose classes are those of ASCII in Python 2: ``re.split(r"\\s|=", line)``.

Python 3 knows more white space, letters and digits unless it is told ``re.ASCII``; Python 2 knew them only
if it was told ``re.UNICODE``. https://docs.python.org/2/library/re.html#re.UNICODE
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.text import Edit, Text

_FLAGS = {
    **dict.fromkeys(("findall", "finditer", "match", "search"), 2),
    "compile": 1,
    "split": 3,
    "sub": 4,
    "subn": 4,
}
"""The functions with a pattern, and how many parameters stand before their flags."""
_CLASSES = re.compile(r"(?<!\\)(?:\\\\)*\\[bBdDsSwW]")
_TOLD = re.compile(r"\(\?\w*[Lau]")
_ANY_CASE = re.compile("[iksIKS-]")
"""Where letters have another case beyond ASCII: that of Kelvin's sign is a k."""
_KNOWN = frozenset({"DOTALL", "I", "IGNORECASE", "M", "MULTILINE", "S", "VERBOSE", "X"})
_IGNORING = frozenset({"I", "IGNORECASE"})


def ascii_patterns(tree: ast.Module, text: Text) -> Iterator[Edit]:
    """The flags of the patterns that a module writes out, with ``re.ASCII``."""
    for call, before in _written_out(tree):
        yield from _told(call, before, text)


def patterns_of_ascii(tree: ast.Module) -> frozenset[ast.AST]:
    """The patterns that get ``re.ASCII``, so that they know the same white space as in Python 2."""
    return frozenset(call.args[0] for call, _ in _written_out(tree))


def _written_out(tree: ast.Module) -> Iterator[tuple[ast.Call, int]]:
    """The calls whose patterns get ``re.ASCII``, and how many parameters stand before their flags."""
    if not any(alias.name == "re" and alias.asname is None for alias in _imported(tree)):
        return
    for call in of_kinds(tree, ast.Call):
        match call:
            case ast.Call(ast.Attribute(ast.Name("re"), name), [ast.Constant(str(pattern)), *_]):
                if name in _FLAGS and _differs(pattern, _flags(call, _FLAGS[name])):
                    yield call, _FLAGS[name]


def _flags(call: ast.Call, before: int) -> list[ast.expr]:
    """The flags that a call is given, or what may be some."""
    return [*call.args[before:], *(one.value for one in call.keywords if one.arg in (None, "flags"))]


def _differs(pattern: str, flags: list[ast.expr]) -> bool:
    """Whether a pattern has classes that are others beyond ASCII, and its flags are known."""
    names = [part.attr for one in flags for part in walk(one) if isinstance(part, ast.Attribute)]
    known = len(flags) == (1 if names else 0) and _KNOWN.issuperset(names)
    if not known or _TOLD.match(pattern):
        return False
    any_case = not _IGNORING.isdisjoint(names) and _ANY_CASE.search(pattern)
    return bool(any_case or _CLASSES.search(pattern))


def _told(call: ast.Call, before: int, text: Text) -> Iterator[Edit]:
    given = _flags(call, before)
    if given:
        end = text.end(given[0])
        yield Edit(end, end, " | re.ASCII")
    else:
        last = max(map(text.end, (*call.args, *(keyword.value for keyword in call.keywords))))
        rest = text.source[last : text.end(call) - 1]
        end = last if "#" in rest else last + len(rest.rstrip())
        comma = "" if text.source[end - 1] == "," else ","
        named = "" if len(call.args) == before and not call.keywords else "flags="
        yield Edit(end, end, f"{comma} {named}re.ASCII")


def _imported(tree: ast.Module) -> Iterator[ast.alias]:
    yield from (alias for node in of_kinds(tree, ast.Import) for alias in node.names)
