"""Comments of statements whose functions became lines of one new function, or loop: each above its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from migrate.codemod.comments.telling import Telling, is_banner
from migrate.codemod.ownership import Comment, begins_cell, ends_section, link_of, stays_true, within
from migrate.plan.new_code.code import Function, Origin


class StepComments:
    """Moves comments into the functions and loops of new code.

    Args:
        telling: the changes of the module, which get the comments.
    """

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._changes = telling.changes

    def move(self) -> None:
        """Move them."""
        for _, new in self._telling.new:
            own = new.code.origins if isinstance(new.code, Function) else ()
            origins = [*own, *(one.origin for one in new.body if one.origin is not None)]
            if len(origins) > 1:
                self._into(origins)

    def _into(self, origins: Sequence[Origin]) -> None:
        """Move the comments of all statements whose calls some lines come from."""
        own = {call: origin for origin in origins for call in origin.calls}
        lines = {origin for origin in origins if origin.calls or origin.last is not None}
        here = [call for call in own if call in self._telling.above]
        for statement in dict.fromkeys(map(self._telling.statement_of, here)):
            chain = [*_calls(statement)]
            some = {own[call] for call in chain if call in own}
            if chain and own.keys() >= {*chain} and some < lines:
                self._whole(statement, own[chain[-1]])
            self._links(statement, own)

    def _whole(self, statement: ast.stmt, first: Origin) -> None:
        """Move what is said of a statement above the first of its lines."""
        found = self._telling.comments.of(statement)
        apart = [] if found.above else [*self._apart(statement, found.apart)]
        behind = [] if found.trailing is None or found.inner else [found.trailing]
        for said in (apart, found.above, behind):
            is_prose = not any(is_banner(one.text) or begins_cell(one.text) for one in said)
            if is_prose and stays_true(self._changes.told(said)):
                self._changes.hand_to_line(said, first)

    def _apart(self, statement: ast.stmt, apart: Sequence[Comment]) -> Iterator[Comment]:
        """The comments that a blank line sets off from a statement and from the one above it."""
        above = self._telling.previous.get(statement)
        end = 0 if above is None else above.end_lineno or 0
        if apart and apart[0].line > end + 1 and not any(ends_section(one.text) for one in apart):
            yield from apart

    def _links(self, statement: ast.stmt, lines: Mapping[ast.Call, Origin]) -> None:
        """Move what is said beside the links of a chain of several lines."""
        found = self._telling.comments.of(statement)
        if statement.lineno == statement.end_lineno:
            return
        chain = [*_calls(statement)][::-1]
        arguments = [one for call in chain for one in call.args]
        for one in found.beside:
            number = link_of(one, [(call, n) for n, call in enumerate(chain)])
            if number is not None and chain[number] in lines and not within(one, arguments):
                self._changes.hand_to_line([one], lines[chain[number]])


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls of the chain that a statement's value is, the last one first."""
    node = getattr(statement, "value", None)
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield node
        node = node.func.value
