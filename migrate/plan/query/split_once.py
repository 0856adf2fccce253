"""A split or a cast that a batch function writes several times: a variable holds its column."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from functools import partial

from migrate.columns.pieces import Piece, pieces_in, with_variables
from migrate.columns.texts import literal_regex
from migrate.plan.draft.attempt import Attempt
from migrate.plan.new_code.code import Chain, Written

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
    times = Counter(piece for one in found for piece in _pieces(one))
    for piece, number in times.items():
        if number < _SEVERAL or piece.among:
            continue
        variable = attempt.fresh(_name(piece, attempt))
        places = [place for place, one in enumerate(found) if piece in _pieces(one)]
        conditions = {found[place].when for place in places}
        for place in places:
            found[place] = found[place].with_texts(partial(with_variables, variables={piece: variable}))
        when = found[places[0]].when if len(conditions) == 1 else ()
        found.insert(places[0], Written(Chain(piece.code, target=variable), when=when))
    return found


def _pieces(one: Written) -> list[Piece]:
    return pieces_in(one.code.text) if isinstance(one.code, Chain) else []


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
