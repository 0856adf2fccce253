"""Imports that lose names or get some, in the form that they have; comments stay with their names."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from migrate.codemod.changes import Names

Import = cst.Import | cst.ImportFrom


def with_names(node: Import, old: ast.Import | ast.ImportFrom, names: Names) -> Import:
    """An import with other names in it."""
    if isinstance(node, cst.ImportFrom) and names.module is not None:
        assert node.module is not None
        node = node.with_changes(module=renamed(node.module, names.module))
    if isinstance(node.names, cst.ImportStar):
        return node
    aliases = [alias for alias, one in zip(node.names, old.names, strict=True) if one in names.kept]
    if len(aliases) == len(node.names) and not names.added:
        return node
    last = node.names[-1]
    if names.added:
        aliases = _merged(aliases, [_alias(name) for name in names.added], _separator(node))
    return node.with_changes(names=_ended(aliases, last, node))


def _separator(node: Import) -> cst.Comma:
    """What stands between two names."""
    commas = [alias.comma for alias in node.names if isinstance(alias.comma, cst.Comma)]  # type: ignore[union-attr]
    plain = [comma for comma in commas if not _has_comment(comma)]
    return (plain or [cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))])[0]


def _has_comment(comma: cst.Comma) -> bool:
    after = comma.whitespace_after
    return isinstance(after, cst.ParenthesizedWhitespace) and after.first_line.comment is not None


def _merged(
    aliases: list[cst.ImportAlias], added: list[cst.ImportAlias], comma: cst.Comma
) -> list[cst.ImportAlias]:
    """The names with new ones among them: in order, if they are in order, else at the end."""
    keys = [_key(alias) for alias in aliases]
    found = [
        alias if isinstance(alias.comma, cst.Comma) else alias.with_changes(comma=comma) for alias in aliases
    ]
    for alias in added:
        place = len(found)
        if keys == sorted(keys):
            place = next((n for n, other in enumerate(found) if _key(other) > _key(alias)), len(found))
        found.insert(place, alias.with_changes(comma=comma))
    return found


def _key(alias: cst.ImportAlias) -> str:
    return cst.Module([]).code_for_node(alias.with_changes(comma=cst.MaybeSentinel.DEFAULT)).lower()


def _ended(aliases: Sequence[cst.ImportAlias], last: cst.ImportAlias, node: Import) -> list[cst.ImportAlias]:
    """The names with what stood behind the last one; the comment of the new last one stays its own."""
    *others, end = aliases
    if end is last:
        return list(aliases)
    after = end.comma.whitespace_after if isinstance(end.comma, cst.Comma) else None
    closing = last.comma.whitespace_after if isinstance(last.comma, cst.Comma) else None
    if closing is None and isinstance(node, cst.ImportFrom) and node.rpar is not None:
        closing = node.rpar.whitespace_before
    if not isinstance(after, cst.ParenthesizedWhitespace):
        return [*others, end.with_changes(comma=last.comma)]
    if not isinstance(last.comma, cst.Comma) and after.first_line.comment is None:
        return [*others, end.with_changes(comma=cst.MaybeSentinel.DEFAULT)]
    if isinstance(closing, cst.ParenthesizedWhitespace):
        after = closing.with_changes(first_line=after.first_line)
    elif isinstance(last.comma, cst.Comma) and isinstance(node, cst.ImportFrom) and node.rpar is not None:
        after = after.with_changes(last_line=cst.SimpleWhitespace(""))
    return [*others, end.with_changes(comma=cst.Comma(whitespace_after=after))]


def _alias(code: str) -> cst.ImportAlias:
    """``functions as F`` as a node."""
    name, _, alias = code.partition(" as ")
    asname = cst.AsName(name=cst.Name(alias)) if alias else None
    return cst.ImportAlias(name=_dotted(name), asname=asname)


def renamed(node: cst.Name | cst.Attribute, name: str) -> cst.Name | cst.Attribute:
    """A dotted name that became another one; where only its first part did, the rest stays as it stands."""
    old, new = cst.Module([]).code_for_node(node).split("."), name.split(".")
    if len(old) != len(new) or [part.strip() for part in old[1:]] != new[1:]:
        return _dotted(name)
    if isinstance(node, cst.Attribute):
        assert isinstance(node.value, cst.Name | cst.Attribute)
        return node.with_changes(value=renamed(node.value, ".".join(new[:-1])))
    return node.with_changes(value=new[0])


def _dotted(name: str) -> cst.Name | cst.Attribute:
    found: cst.Name | cst.Attribute | None = None
    for part in name.split("."):
        found = cst.Name(part) if found is None else cst.Attribute(found, cst.Name(part))
    assert found is not None
    return found
