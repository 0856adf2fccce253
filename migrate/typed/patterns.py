"""Types of what regular expressions find: ``re.findall`` and compiled patterns, by their groups."""

from __future__ import annotations

import ast
import functools
import operator
import re

from migrate.typed.asking import Names, Typing
from migrate.typed.qualified import qualified
from migrate.typed.types import (
    NEVER,
    DictOf,
    Items,
    ListOf,
    Nothing,
    Pattern,
    Real,
    Text,
    Truth,
    Type,
    Whole,
    kinds_of,
    one,
)


def compiled(typing: Typing, node: ast.Call, names: Names) -> Type | None:
    """The type of ``re.compile(...)``; None where it is not known how many groups the pattern has."""
    pattern = _known(typing, node.args[0], names) if node.args else None
    given = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
    known = [_flag(typing, part, names) for flag in given for part in _parts(flag)]
    flags = [flag for flag in known if flag is not None]
    if not isinstance(pattern, str) or len(flags) < len(known):
        return None
    try:
        made = re.compile(pattern, functools.reduce(operator.or_, flags, 0))
    except (re.error, ValueError):
        return NEVER
    return one(Pattern("pattern", made.groups, pattern, made.flags))


def _flag(typing: Typing, node: ast.expr, names: Names) -> int | None:
    """The flag that ``re.IGNORECASE`` is; None for anything else."""
    library, _, name = (qualified(node, names, typing.scope) or "").partition(".")
    flag = getattr(re, name, None) if library == "re" else None
    return int(flag) if isinstance(flag, re.RegexFlag) else None


def found_all(groups: int, text: Type) -> Type | None:
    """The type of all that a pattern finds in a text: texts, or tuples of them for several groups."""
    kinds = [kind for kind in kinds_of(text) if isinstance(kind, Text)]
    others = [kind for kind in kinds_of(text) if not isinstance(kind, Text)]
    if not all(isinstance(kind, Whole | Real | Truth | Nothing | ListOf | DictOf) for kind in others):
        return None
    found = frozenset(kinds)
    return one(ListOf(found if groups < 2 else one(Items((found,) * groups)))) if kinds else NEVER


def found_in(typing: Typing, node: ast.Call, names: Names) -> Type | None:
    """The type of ``re.findall(pattern, text)``, for a pattern that is a text or compiled."""
    known, text = _known(typing, node.args[0], names), typing.type_of(node.args[1], names)
    if isinstance(known, str):
        try:
            return found_all(re.compile(known).groups, text)
        except re.error:
            return NEVER
    kinds = [*kinds_of(typing.type_of(node.args[0], names))]
    return found_all(kinds[0].groups, text) if len(kinds) == 1 and isinstance(kinds[0], Pattern) else None


def _parts(flags: ast.expr) -> list[ast.expr]:
    """The flags of ``re.I | re.M``."""
    match flags:
        case ast.BinOp(left, ast.BitOr(), right):
            return [*_parts(left), *_parts(right)]
    return [flags]


def _known(typing: Typing, node: ast.expr, names: Names) -> object:
    """The value of a literal, or of a variable that has one value for all elements; else None."""
    if isinstance(node, ast.Name) and node.id not in names:
        return typing.scope.constants.get(node.id)
    return node.value if isinstance(node, ast.Constant) else None
