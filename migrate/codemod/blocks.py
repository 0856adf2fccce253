"""Blocks of statements: what stands in them after a change, with the blank lines and comments between."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import libcst as cst

from migrate.codemod.ownership import begins_cell
from migrate.codemod.templates import Statement

Line = cst.EmptyLine
BLANK = cst.EmptyLine(indent=False)
_MOST = 2
"""The blank lines that are left where a statement goes."""


def comment_line(text: str) -> Line:
    """A line that holds a comment alone."""
    return cst.EmptyLine(indent=True, comment=cst.Comment(text))


@dataclass
class Block:
    """The statements of one block, put together from above to below."""

    is_top: bool
    """Whether it is the module's own."""
    body: list[Statement] = field(default_factory=list)
    _pending: list[Line] = field(default_factory=list)
    """Lines above statements that went, for the next one."""
    _lost: bool = False
    """Whether a statement went and none has come since."""
    _closes: bool = False
    """Whether a function or class went, around which stood more blank lines than around other statements."""
    _is_simple: bool = True
    """Whether the last statement has no block of its own."""
    _gap: int = 0
    """How many blank lines stand below the last statement at least."""
    _returns: bool = False
    """Whether that is new and returns, so that what stood at the end stands above it."""

    def keep(self, statement: Statement, *, is_simple: bool = False) -> None:
        """Add an old statement as it is.

        Args:
            statement: what stays, or a name that stands for it.
            is_simple: whether it is known to have no block of its own.
        """
        self._add(statement, list(statement.leading_lines), is_simple=is_simple)

    def put(
        self, statements: Sequence[Statement], above: Iterable[Line] = (), *, blank: int = 0, gap: int = 0
    ) -> None:
        """Add new statements.

        Args:
            statements: what is new.
            above: lines above the first one.
            blank: how many blank lines stand above it at least, unless it is the first of the block.
            gap: how many blank lines stand below the last one at least.
        """
        first, *others = statements
        lines = [line if line.comment is not None else BLANK for line in (*above, *first.leading_lines)]
        if self._gap and not self.is_top:  # what stood between old statements stands below new ones now
            lines = lines[max(_blank(lines) - self._gap, 0) :]
        if blank and (self.body or (self.is_top and self._pending)):
            lines = [*[BLANK] * (blank - _blank(lines)), *lines]
        self._add(first, lines, is_simple=isinstance(first, cst.SimpleStatementLine))
        for statement in others:
            is_simple = isinstance(statement, cst.SimpleStatementLine)
            self._add(statement, list(statement.leading_lines), is_simple=is_simple)
        self._gap = gap
        self._returns = isinstance(statements[-1], cst.SimpleStatementLine) and isinstance(
            statements[-1].body[0], cst.Return
        )

    def drop(self, above: Sequence[Line], *, defined: bool = False) -> None:
        """Leave an old statement out; the lines above it that are not its own stay for the next one.

        Args:
            above: those lines.
            defined: whether it was a function or a class.
        """
        self._closes |= defined
        self._pending = joined(self._pending, list(above))
        most = 2 if self.is_top else 1
        while len(self._pending) > most and all(line.comment is None for line in self._pending[-most - 1 :]):
            self._pending.pop()  # what stood between is gone
        self._lost = True

    def end(self, footer: Sequence[Line]) -> list[Line]:
        """The lines below the last statement."""
        left = [*self._pending, *footer] if any(line.comment for line in self._pending) else [*footer]
        if not self.body:
            self.body.append(cst.SimpleStatementLine([cst.Pass()]))
        said = [line for line in left if line.comment is not None]
        if self._returns and said and all(line.indent for line in said):
            last = self.body[-1]
            self.body[-1] = last.with_changes(leading_lines=joined(left, last.leading_lines))
            return []
        return left

    def _add(self, statement: Statement, lines: list[Line], *, is_simple: bool) -> None:
        if self._pending and _is_mark(self._pending[-1]):  # the statement that went stood right below it
            lines = lines[_blank(lines) :]
        above = joined(self._pending, lines)
        if self._lost and self.body:
            blank = _blank(above)
            above = above[blank - max(min(blank, _MOST) - _blank_at_end(self.body[-1]), 0) :]
        if self._lost and not self.body:
            above = above[_blank(above) :]
        elif self._gap:
            above = [*[BLANK] * (self._gap - _blank(above)), *above]
        elif self._closes and self._is_simple and is_simple:
            above = above[max(_blank(above) - 1, 0) :]
        same = above == [*statement.leading_lines]  # to copy a statement takes longer
        self.body.append(statement if same else statement.with_changes(leading_lines=above))
        self._pending, self._lost, self._closes, self._gap, self._returns = [], False, False, 0, False
        self._is_simple = is_simple


def _blank_at_end(node: cst.CSTNode) -> int:
    """How many blank lines end a statement, as the last block in it does."""
    if isinstance(node, cst.IndentedBlock):
        return _blank([*reversed(node.footer)]) if node.footer else _blank_at_end(node.body[-1])
    handlers = getattr(node, "handlers", ())
    parts = (getattr(node, "finalbody", None), getattr(node, "orelse", None), *handlers[-1:])
    last = next(filter(None, parts), getattr(node, "body", None))
    return _blank_at_end(last) if isinstance(last, cst.CSTNode) else 0


def _is_mark(line: Line) -> bool:
    return line.comment is not None and begins_cell(line.comment.value)


def _blank(lines: Sequence[Line]) -> int:
    """How many blank lines lines begin with."""
    return next((number for number, line in enumerate(lines) if line.comment is not None), len(lines))


def joined(above: Sequence[Line], below: Sequence[Line]) -> list[Line]:
    """Lines one below the other; where blank lines meet, the longer row of them stays."""
    end = len(above)
    while end and above[end - 1].comment is None:
        end -= 1
    met = len(above) - end
    start = _blank(below)
    return [*above[:end], *(above[end:] if met > start else below[:start]), *below[start:]]


def is_idle(block: cst.BaseSuite) -> bool:
    """Whether nothing but a ``pass`` is in a block, and no comment."""
    if not isinstance(block, cst.IndentedBlock) or any(line.comment for line in block.footer):
        return False
    match block.body:
        case [cst.SimpleStatementLine([cst.Pass()], leading_lines=lines)]:
            return not any(line.comment for line in lines)
    return False
