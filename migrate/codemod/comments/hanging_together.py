"""Which of the code in a module's comments goes: what hangs together goes as a whole, or stays as it was."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import field
from types import MappingProxyType

from migrate.codemod.comments.commented_code import NO_NAMES, Names, OldCode
from migrate.codemod.comments.commented_units import Unit, units
from migrate.frozen import dataclass


@dataclass(frozen=True)
class Piece:
    """The lines of a comment without a blank line between them."""

    lines: Sequence[str]
    """Each with its ``#``."""
    frames: Mapping[str, str] = field(default_factory=dict)
    """The variables that held streams, with those of their DataFrames where it stands."""
    beside: object = None
    """The statement that it stands above."""
    stays: bool = False
    """Whether it stands beside nothing that changes."""
    in_rdd_code: bool = False
    """Whether it stands in a function that makes RDDs of its batch."""


def told_pieces(
    pieces: Sequence[Piece], contexts: frozenset[str], query: str, names: Names
) -> list[dict[int, str | None] | None]:
    """What code of the old API in comments says now: None for each line that goes.

    Args:
        pieces: all comments of a module that have code, or some of them.
        contexts: the variables that held a StreamingContext.
        query: the variable of the query; empty if there is none in reach.
        names: the names that the program had, and those that it has.

    Returns:
        for each piece the lines that change, by their positions; None where code of the old API stays.
    """
    found = [[*units(piece.lines)] for piece in pieces]
    old = OldCode(contexts, query, names)
    every = [one for own in found for one in own]
    of_session = {id(one): new for one in every if (new := old.of_session(one))}
    of_rdds = {id(one) for piece, own in zip(pieces, found, strict=True) if piece.in_rdd_code for one in own}
    others = [one for one in every if id(one) not in of_session]
    gone = _old_units(others, lambda unit, names: old.has(unit, names, of_rdds=id(unit) in of_rdds), names)
    goes = gone | _only_read_by(every, gone, names.there) | of_session.keys()
    has_old = {n for n, own in enumerate(found) if not gone.isdisjoint(map(id, own))}
    leaving = {
        n
        for group in _groups(pieces, found, has_old, names.there)
        if not has_old.isdisjoint(group)
        and all(goes.issuperset(map(id, found[n])) and not pieces[n].stays for n in group)
        for n in group
    }
    said = old.said([(pieces[n].frames, found[n]) for n in sorted(leaving)])
    return [
        _rows(own, said)
        if n in leaving
        else None
        if n in has_old
        else {one.first: of_session[id(one)] for one in own if id(one) in of_session and not piece.stays}
        for n, (piece, own) in enumerate(zip(pieces, found, strict=True))
    ]


def _rows(units: Sequence[Unit], said: Mapping[int, str]) -> dict[int, str | None]:
    """The lines of code that goes, with what is said in the place of some."""
    rows: dict[int, str | None] = {row: None for one in units for row in range(one.first, one.end)}
    return rows | {one.first: said[id(one)] for one in units if id(one) in said}


def old_code(
    block: Sequence[str],
    contexts: frozenset[str],
    query: str,
    frames: Mapping[str, str] = MappingProxyType({}),
    names: Names = NO_NAMES,
) -> dict[int, str | None]:
    """The lines of one comment that are code of the old API, if all code there is, with what they say now."""
    (told,) = told_pieces([Piece(block, frames)], contexts, query, names)
    return told or {}


def _old_units(
    every: Sequence[Unit], is_old: Callable[[Unit, frozenset[str]], bool], names: Names
) -> set[int]:
    """The code that calls the old API, or reads what is gone, or what only such code makes.

    Args:
        every: all code in comments.
        is_old: whether some is of the old API, or reads what is gone.
        names: the names that the program had, and those that it has.
    """
    found: set[int] = set()
    while True:
        made = {name for one in every if id(one) in found for name in one.made} - names.there
        made -= {name for one in every if id(one) not in found for name in one.made}
        gone = names.gone | made
        more = {id(one) for one in every if id(one) not in found and is_old(one, gone)}
        if not more:
            return found
        found |= more


def _only_read_by(every: Sequence[Unit], old: Collection[int], there: Collection[str]) -> set[int]:
    """The definitions of what the program has not, and only code of the old API reads."""
    found = {
        id(one)
        for one in every
        if id(one) not in old and one.is_definition and one.made and one.made.isdisjoint(there)
    }
    while True:
        left = set(found)
        for one in every:
            if id(one) in found:
                readers = [id(other) for other in every if not one.made.isdisjoint(other.read)]
                if not readers or not all(reader in old or reader in found for reader in readers):
                    left.discard(id(one))
        if left == found:
            return found
        found = left


def _groups(
    pieces: Sequence[Piece],
    found: Sequence[Sequence[Unit]],
    has_old: Set[int],
    there: Collection[str],
) -> Iterator[list[int]]:
    """The pieces that hang together: one makes what another one reads, or makes too.

    Variables that the program has link those above the same statement, and those with code of the old API.
    """
    made = [{name for one in own for name in one.made} for own in found]
    used = [{name for one in own for name in (*one.made, *one.read)} for own in found]
    left = [n for n, own in enumerate(found) if own]
    while left:
        group = [left.pop(0)]
        for n in group:  # grows while it is walked
            for m in [*left]:
                names = (made[n] & used[m]) | (made[m] & used[n])
                near = pieces[n].beside is not None and pieces[n].beside is pieces[m].beside
                if names if near or {n, m} <= has_old else names - {*there}:
                    left.remove(m)
                    group.append(m)
        yield group
