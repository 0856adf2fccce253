"""A split or a cast that a batch function writes several times: a variable holds its column."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from migrate.columns.element import Piece
from migrate.columns.texts import literal_regex
from migrate.plan.attempt import Attempt
from migrate.plan.code import Chain, Written

_SEVERAL = 3
_PARTS, _NUMBER = "parts", "number"
_KINDS = {"float": "double", "int": "bigint"}


def with_splits_once(attempt: Attempt, statements: Sequence[Written]) -> list[Written]:
    """Statements of a batch function with each split that they write several times in a variable above them.

    Args:
        attempt: gets the names of the variables.
        statements: all of them.
    """
    found = list(statements)
    for piece in _written_often(attempt.known.pieces.values(), found):
        variable = attempt.fresh(_name(piece, attempt))
        places = [number for number, one in enumerate(found) if piece.code in _code(one)]
        conditions = {found[number].when for number in places}
        for number in places:
            found[number] = found[number].with_texts(lambda code: code.replace(piece.code, variable))  # noqa: B023
        when = found[places[0]].when if len(conditions) == 1 else ()
        found.insert(places[0], Written(Chain(piece.code, target=variable), when=when))
    return found


def _written_often(pieces: Iterable[Piece], statements: Sequence[Written]) -> list[Piece]:
    """The splits and casts that statements write several times, in the order in which they are there."""
    whole = "\n".join(map(_code, statements)) if pieces else ""
    often = [piece for piece in pieces if whole.count(piece.code) >= _SEVERAL]
    return sorted(often, key=lambda piece: whole.index(piece.code))


def _code(one: Written) -> str:
    return one.code.text if isinstance(one.code, Chain) else ""


def _name(piece: Piece, attempt: Attempt) -> str:
    """The name by which the program has what it splits at the same separator; else a plain one."""
    if piece.pattern is None:
        return _name_of_number(attempt, piece.type)
    for assignment in attempt.basis.program.tree.of_kinds(ast.Assign):
        match assignment:
            case ast.Assign(
                [ast.Name(name)], ast.Call(ast.Attribute(attr="split"), [ast.Constant(str(separator)), *_])
            ) if literal_regex(separator) == piece.pattern:
                return name
    return _PARTS


def _name_of_number(attempt: Attempt, kind: str) -> str:
    """The variable of the only such number that the program makes, ``n = float(v)``; else a plain one."""
    made = [_made(assignment, kind) for assignment in attempt.basis.program.tree.of_kinds(ast.Assign)]
    names = {*made} - {""}
    return names.pop() if len(names) == 1 else _NUMBER


def _made(assignment: ast.Assign, kind: str) -> str:
    match assignment:
        case ast.Assign([ast.Name(name)], ast.Call(ast.Name(function), [_], [])):
            return name if _KINDS.get(function) == kind else ""
    return ""
