"""A split that a batch function writes several times: a variable holds its column."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from migrate.columns.texts import literal_regex
from migrate.plan.attempt import Attempt
from migrate.plan.code import Chain, Written
from migrate.syntax.nodes import of_kinds, parsed

_SEVERAL = 3
_PARTS = "parts"


def with_splits_once(attempt: Attempt, statements: Sequence[Written]) -> list[Written]:
    """Statements of a batch function with each split that they write several times in a variable above them.

    Args:
        attempt: gets the names of the variables.
        statements: all of them.
    """
    found = list(statements)
    if sum(_code(one).count("split(") for one in found) < _SEVERAL:  # a parse takes longer
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
    """The splits of columns by their names, at patterns that are written out, as they stand in code."""
    for call in of_kinds(parsed(code), ast.Call) if code else ():
        match call:
            case ast.Call(
                ast.Attribute(ast.Name("F"), "split"), [ast.Constant(), ast.Constant(), *more], []
            ) if all(isinstance(one, ast.Constant) for one in more):
                yield ast.get_source_segment(code, call) or ""


def _name(text: str, attempt: Attempt) -> str:
    """The name by which the program has what it splits at the same separator; else a plain one."""
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    pattern = ast.literal_eval(call.args[1])
    for assignment in attempt.basis.program.tree.of_kinds(ast.Assign):
        match assignment:
            case ast.Assign(
                [ast.Name(name)], ast.Call(ast.Attribute(attr="split"), [ast.Constant(str(separator)), *_])
            ) if literal_regex(separator) == pattern:
                return name
    return _PARTS
