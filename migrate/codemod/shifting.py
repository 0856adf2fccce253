"""Expressions over several lines that move to a line with another indentation."""

from __future__ import annotations

import libcst as cst

from migrate.frozen import dataclass


@dataclass(frozen=True)
class Move:
    """From where to where an expression moves.

    LibCST indents lines inside of brackets with their statement; those behind a backslash it takes as they
    stand in the file.
    """

    old: str
    """What its lines are indented by, beyond their statement."""
    new: str
    """What they are to be indented by."""
    old_block: str
    """What the statement was indented by."""
    new_block: str
    """What that of the new place is indented by."""

    def moved(self, indent: str) -> str:
        """What a line is indented by then, beyond its statement."""
        return self.new + indent.removeprefix(self.old) if indent.startswith(self.old) else indent


def shifted(node: cst.BaseExpression, move: Move) -> cst.BaseExpression:
    """The expression with its lines after the first one indented as those around the new place."""
    if move.old == move.new and move.old_block == move.new_block:
        return node
    moved = node.visit(_Shift(move))
    assert isinstance(moved, cst.BaseExpression)
    return moved


def hangs(node: cst.BaseExpression, column: int, block: str) -> bool:
    """Whether the lines of an expression after the first one all begin right of where it begins itself.

    Args:
        node: the expression.
        column: where it begins, beyond the indentation of its statement.
        block: that indentation.
    """
    found = _Lines(block)
    node.visit(found)
    return bool(found.indents) and all(not one.strip(" ") and len(one) >= column for one in found.indents)


class _Lines(cst.CSTVisitor):
    """Finds what the lines of an expression are indented by, beyond its statement."""

    def __init__(self, block: str) -> None:
        super().__init__()
        self._block = block
        self.indents: list[str] = []

    def visit_ParenthesizedWhitespace(self, node: cst.ParenthesizedWhitespace) -> bool:
        self.indents.append(node.last_line.value if node.indent else "")
        return False

    def visit_SimpleWhitespace(self, node: cst.SimpleWhitespace) -> None:
        _, end, indent = node.value.rpartition("\n")
        if end:
            self.indents.append(indent.removeprefix(self._block) if indent.startswith(self._block) else "")


class _Shift(cst.CSTTransformer):
    def __init__(self, move: Move) -> None:
        super().__init__()
        self._move = move

    def visit_ParenthesizedWhitespace(self, node: cst.ParenthesizedWhitespace) -> bool:
        return False

    def leave_ParenthesizedWhitespace(
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.ParenthesizedWhitespace:
        lines = [
            line.with_changes(whitespace=self._moved(line.whitespace))
            if line.indent and line.comment
            else line
            for line in original_node.empty_lines
        ]
        last = original_node.last_line
        return updated_node.with_changes(
            empty_lines=lines, last_line=self._moved(last) if original_node.indent else last
        )

    def leave_SimpleWhitespace(
        self, original_node: cst.SimpleWhitespace, updated_node: cst.SimpleWhitespace
    ) -> cst.SimpleWhitespace:
        move = self._move
        before, end, indent = original_node.value.rpartition("\n")
        if not end or not indent.startswith(move.old_block):
            return updated_node
        inner = move.moved(indent.removeprefix(move.old_block))
        return cst.SimpleWhitespace(f"{before}{end}{move.new_block}{inner}")

    def _moved(self, space: cst.SimpleWhitespace) -> cst.SimpleWhitespace:
        return cst.SimpleWhitespace(self._move.moved(space.value))
