"""Imports that lose names or get some, in the form that they have; comments stay with their names."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence

import libcst as cst

from migrate.codemod.changes import Names
from migrate.codemod.style import LEVEL

Import = cst.Import | cst.ImportFrom
Wide = cst.ParenthesizedWhitespace
White = cst.BaseParenthesizableWhitespace


def with_names(node: Import, old: ast.Import | ast.ImportFrom, names: Names) -> Import:
    """An import with other names in it."""
    if isinstance(node, cst.ImportFrom) and names.module is not None:
        assert node.module is not None
        node = node.with_changes(module=renamed(node.module, names.module))
    if isinstance(node.names, cst.ImportStar):
        return node
    kept = [number for number, alias in enumerate(old.names) if alias in names.kept]
    if len(kept) < len(node.names):
        node = _Brackets(node).only(kept)
    return _with_more(node, list(map(_alias, names.added))) if names.added else node


class _Brackets:
    """What stands between the names of an import, where each has the comments above and behind it."""

    def __init__(self, node: Import) -> None:
        assert not isinstance(node.names, cst.ImportStar)
        self._node = node
        self._names = list(node.names)
        self._rpar = node.rpar if isinstance(node, cst.ImportFrom) else None
        lpar = node.lpar if isinstance(node, cst.ImportFrom) else None
        self._opening: White = lpar.whitespace_after if lpar is not None else cst.SimpleWhitespace("")
        self._behind: list[White] = [
            alias.comma.whitespace_after if isinstance(alias.comma, cst.Comma) else self._closing
            for alias in self._names
        ]

    @property
    def _closing(self) -> White:
        return self._rpar.whitespace_before if self._rpar is not None else cst.SimpleWhitespace("")

    def _before(self, number: int) -> White:
        """What stands between a name and the one before it, or the bracket."""
        return self._behind[number - 1] if number else self._opening

    def only(self, kept: Sequence[int]) -> Import:
        """The import with some of its names, and their comments."""
        found = []
        for number, following in itertools.pairwise([*kept, len(self._names)]):
            alias, last = self._names[number], following == len(self._names)
            white = _joint(self._first_line(number, following), self._before(following))
            if not last:
                comma = alias.comma if isinstance(alias.comma, cst.Comma) else cst.Comma()
                found.append(alias.with_changes(comma=comma.with_changes(whitespace_after=white)))
            elif isinstance(self._names[-1].comma, cst.Comma):
                found.append(alias.with_changes(comma=cst.Comma(whitespace_after=white)))
            else:
                found.append(alias.with_changes(comma=cst.MaybeSentinel.DEFAULT))
                if self._rpar is not None:
                    rpar = self._rpar.with_changes(whitespace_before=white)
                    self._node = self._node.with_changes(rpar=rpar)
        if not isinstance(self._node, cst.ImportFrom) or self._node.lpar is None:
            return self._node.with_changes(names=found)
        on_one_line = not any(isinstance(white, Wide) for white in (self._opening, *self._behind))
        if on_one_line and len(found) == 1:
            found = [found[0].with_changes(comma=cst.MaybeSentinel.DEFAULT)]
            self._node = self._node.with_changes(lpar=None, rpar=None)
        elif kept and kept[0] and not on_one_line:
            first = self._opening.first_line if isinstance(self._opening, Wide) else None
            lpar = cst.LeftParen(whitespace_after=_joint(first, self._before(kept[0])))
            self._node = self._node.with_changes(lpar=lpar)
        return self._node.with_changes(names=found)

    def _first_line(self, number: int, following: int) -> cst.TrailingWhitespace | None:
        """The end of the line that a name stands on, which it may share with names that go."""
        wide = [white for white in self._behind[number:following] if isinstance(white, Wide)]
        return wide[0].first_line if wide else None


def _joint(first: cst.TrailingWhitespace | None, before: White) -> White:
    """The white space between two names: the end of the first one's line, and what stands above the other."""
    if isinstance(before, Wide):
        return before.with_changes(first_line=first or cst.TrailingWhitespace())
    if first is not None and first.comment is not None:
        return Wide(first_line=first, indent=True, last_line=cst.SimpleWhitespace(LEVEL))
    return before


def _with_more(node: Import, added: list[cst.ImportAlias]) -> Import:
    """The import with new names among the others: in order, if they are in order, else at the end."""
    assert not isinstance(node.names, cst.ImportStar)
    aliases = list(node.names)
    keys = [_key(alias) for alias in aliases]
    comma = _separator(aliases)
    for alias in added:
        place = len(aliases)
        if keys == sorted(keys):
            place = next((n for n, other in enumerate(aliases) if _key(other) > _key(alias)), place)
        if place < len(aliases):
            aliases.insert(place, alias.with_changes(comma=comma))
        else:
            last = aliases[-1]
            end, between = last.comma, comma
            if isinstance(end, cst.Comma) and isinstance(end.whitespace_after, Wide):
                # the comment behind the last name stays there
                wide = comma.whitespace_after
                inner = (
                    wide
                    if isinstance(wide, Wide)
                    else Wide(indent=True, last_line=cst.SimpleWhitespace(LEVEL))
                )
                between = comma.with_changes(
                    whitespace_after=inner.with_changes(first_line=end.whitespace_after.first_line)
                )
                end = end.with_changes(
                    whitespace_after=end.whitespace_after.with_changes(first_line=cst.TrailingWhitespace())
                )
            aliases[-1] = last.with_changes(comma=between)
            aliases.append(alias.with_changes(comma=end))
    return node.with_changes(names=aliases)


def _separator(aliases: Sequence[cst.ImportAlias]) -> cst.Comma:
    """What stands between two names, without the comments of others."""
    commas = [alias.comma for alias in aliases[:-1] if isinstance(alias.comma, cst.Comma)]
    if not commas:
        return cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    after = commas[0].whitespace_after
    if isinstance(after, Wide):
        after = after.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=())
    return commas[0].with_changes(whitespace_after=after)


def _key(alias: cst.ImportAlias) -> str:
    return cst.Module([]).code_for_node(alias.with_changes(comma=cst.MaybeSentinel.DEFAULT)).lower()


def _alias(new: ast.alias) -> cst.ImportAlias:
    """``functions as F`` as a node of LibCST."""
    asname = cst.AsName(name=cst.Name(new.asname)) if new.asname else None
    return cst.ImportAlias(name=_dotted(new.name), asname=asname)


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
