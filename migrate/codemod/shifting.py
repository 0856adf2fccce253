"""Expressions over several lines that move to a line with another indentation."""

from __future__ import annotations

import libcst as cst


def shifted(node: cst.BaseExpression, old: str, new: str) -> cst.BaseExpression:
    """The expression with its lines after the first one indented by `new` instead of `old`."""
    if old == new:
        return node
    moved = node.visit(_Shift(old, new))
    assert isinstance(moved, cst.BaseExpression)
    return moved


def hangs(node: cst.BaseExpression, column: int) -> bool:
    """Whether the lines of an expression after the first one all begin right of where it begins itself."""
    found = _Lines()
    node.visit(found)
    return bool(found.indents) and all(not one.strip(" ") and len(one) >= column for one in found.indents)


class _Lines(cst.CSTVisitor):
    """Finds what the lines of an expression are indented by, beyond its statement."""

    def __init__(self) -> None:
        super().__init__()
        self.indents: list[str] = []

    def visit_ParenthesizedWhitespace(self, node: cst.ParenthesizedWhitespace) -> None:
        self.indents.append(node.last_line.value if node.indent else "")


class _Shift(cst.CSTTransformer):
    def __init__(self, old: str, new: str) -> None:
        super().__init__()
        self._old = old
        self._new = new

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

    def _moved(self, space: cst.SimpleWhitespace) -> cst.SimpleWhitespace:
        if not space.value.startswith(self._old):
            return space
        return cst.SimpleWhitespace(self._new + space.value.removeprefix(self._old))
