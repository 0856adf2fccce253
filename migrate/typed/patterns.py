"""Types of what regular expressions find: ``re.findall``, matches and compiled patterns, by their groups."""

from __future__ import annotations

import ast
import functools
import operator
import re
from collections.abc import Sequence

from migrate.typed.asking import Names, Typing
from migrate.typed.qualified import qualified
from migrate.typed.signatures import is_clean
from migrate.typed.types import (
    ANY_TEXT,
    NEVER,
    NOTHING,
    TEXT,
    DictOf,
    Items,
    Iterating,
    Kind,
    ListOf,
    Match,
    Nothing,
    Opaque,
    Pattern,
    Real,
    Text,
    Truth,
    Type,
    Whole,
    join,
    kinds_of,
    one,
)

MATCHING = frozenset({"re.finditer", "re.fullmatch", "re.match", "re.search"})
"""Functions that give matches of their first argument in the second."""


def compiled(typing: Typing, node: ast.Call, names: Names) -> Type | None:
    """The type of ``re.compile(...)``; None where it is not known how many groups the pattern has."""
    return _compiled(typing, node, [*node.args[1:], *(word.value for word in node.keywords)], names)


def _compiled(typing: Typing, node: ast.Call, given: Sequence[ast.expr], names: Names) -> Type | None:
    """The type of the pattern that a call's first argument is, with flags that are given by others."""
    pattern = known_value(typing, node.args[0], names) if node.args else None
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
    known, text = known_value(typing, node.args[0], names), typing.type_of(node.args[1], names)
    if isinstance(known, str):
        try:
            return found_all(re.compile(known).groups, text)
        except re.error:
            return NEVER
    kinds = [*kinds_of(typing.type_of(node.args[0], names))]
    return found_all(kinds[0].groups, text) if len(kinds) == 1 and isinstance(kinds[0], Pattern) else None


def matches_of(typing: Typing, node: ast.Call, found: Type, text: Type, names: Names) -> Type:
    """The type of what ``re.match(pattern, text)`` and the like give, with the groups of the pattern."""
    flags = [*node.args[2:], *(word.value for word in node.keywords)]
    made = _compiled(typing, node, flags, names)
    kinds = [*(typing.type_of(node.args[0], names) if made is None else made)]
    groups = kinds[0].groups if len(kinds) == 1 and isinstance(kinds[0], Pattern) else None
    return with_groups(found, groups, text)


def with_groups(found: Type, groups: int | None, text: Type) -> Type:
    """A type whose matches are of a pattern with so many groups, and of a text."""
    kinds: set[Kind] = set()
    for kind in found:
        if kind == Opaque("match"):
            kind = Match("match", groups, all(map(is_clean, kinds_of(text))))
        elif isinstance(kind, Iterating):
            kind = Iterating(with_groups(kind.of, groups, text))
        kinds.add(kind)
    return frozenset(kinds)


def groups_of(kind: Kind, name: str, arguments: Sequence[Type]) -> Type | None:
    """The type of ``match.groups()``, and of ``match.group(1, 2)``; None for anything else."""
    if not isinstance(kind, Match):
        return None
    text = TEXT if kind.clean else ANY_TEXT
    if name == "groups" and kind.groups is not None and len(arguments) < 2:
        return one(Items((join(text, *(arguments or [NOTHING])),) * kind.groups))
    if name == "group" and len(arguments) > 1:
        return one(Items((join(text, NOTHING),) * len(arguments)))
    return None


def _parts(flags: ast.expr) -> list[ast.expr]:
    """The flags of ``re.I | re.M``."""
    match flags:
        case ast.BinOp(left, ast.BitOr(), right):
            return [*_parts(left), *_parts(right)]
    return [flags]


def known_value(typing: Typing, node: ast.expr, names: Names) -> object:
    """The value of a literal, or of a variable that has one value for all elements; else None."""
    if isinstance(node, ast.Name) and node.id not in names:
        return typing.scope.constants.get(node.id)
    return node.value if isinstance(node, ast.Constant) else None
