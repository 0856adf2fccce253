"""A split or a cast that a batch function writes several times: a variable holds its column."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from migrate.columns.texts import literal_regex
from migrate.plan.attempt import Attempt
from migrate.plan.code import Chain, Written
from migrate.syntax.nodes import of_kinds, parsed

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
    several = [
        word for word in ("split(", ".cast(") if sum(_code(one).count(word) for one in found) >= _SEVERAL
    ]
    if not several:  # a parse takes longer
        return found
    written = Counter(text for one in statements for text in _splits(_code(one)))
    for text, times in written.items():
        if times < _SEVERAL:
            continue
        variable = attempt.fresh(_name(text, attempt))
        places = [number for number, one in enumerate(found) if text in _code(one)]
        conditions = {found[number].when for number in places}
        for number in places:
            found[number] = found[number].with_texts(lambda code: code.replace(text, variable))  # noqa: B023
        when = found[places[0]].when if len(conditions) == 1 else ()
        found.insert(places[0], Written(f"{variable} = {text}", when=when))
    return found


def _code(one: Written) -> str:
    return one.code.text if isinstance(one.code, Chain) else ""


def _splits(code: str) -> Iterator[str]:
    """The splits and casts of columns by their names, with arguments that are written out, as in code."""
    for call in of_kinds(parsed(code), ast.Call) if code else ():
        match call:
            case ast.Call(
                ast.Attribute(
                    ast.Call(ast.Attribute(ast.Name("F"), "col"), [ast.Constant()], [])
                    | ast.Subscript(
                        ast.Call(ast.Attribute(ast.Name("F"), "col"), [ast.Constant()], []), ast.Constant()
                    ),
                    "cast",
                ),
                [ast.Constant()],
                [],
            ):
                yield ast.get_source_segment(code, call) or ""
            case ast.Call(
                ast.Attribute(ast.Name("F"), "split"), [ast.Constant(), ast.Constant(), *more], []
            ) if all(isinstance(one, ast.Constant) for one in more):
                yield ast.get_source_segment(code, call) or ""


def _name(text: str, attempt: Attempt) -> str:
    """The name by which the program has what it splits at the same separator; else a plain one."""
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    if isinstance(call.func, ast.Attribute) and call.func.attr == "cast":
        kind = call.args[0]
        return _name_of_number(attempt, kind.value if isinstance(kind, ast.Constant) else "")
    pattern = ast.literal_eval(call.args[1])
    for assignment in attempt.basis.program.tree.of_kinds(ast.Assign):
        match assignment:
            case ast.Assign(
                [ast.Name(name)], ast.Call(ast.Attribute(attr="split"), [ast.Constant(str(separator)), *_])
            ) if literal_regex(separator) == pattern:
                return name
    return _PARTS


def _name_of_number(attempt: Attempt, kind: object) -> str:
    """The variable of the only such number that the program makes, ``n = float(v)``; else a plain one."""
    made = [_made(assignment, kind) for assignment in attempt.basis.program.tree.of_kinds(ast.Assign)]
    names = {*made} - {""}
    return names.pop() if len(names) == 1 else _NUMBER


def _made(assignment: ast.Assign, kind: object) -> str:
    match assignment:
        case ast.Assign([ast.Name(name)], ast.Call(ast.Name(function), [_], [])):
            return name if _KINDS.get(function) == kind else ""
    return ""
