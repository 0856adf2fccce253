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


class _Shift(cst.CSTTransformer):
    def __init__(self, old: str, new: str) -> None:
        super().__init__()
        self._old = old
        self._new = new

    def leave_ParenthesizedWhitespace(
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.ParenthesizedWhitespace:
        space = original_node.last_line.value
        if not original_node.indent or not space.startswith(self._old):
            return updated_node
        inner = cst.SimpleWhitespace(self._new + space.removeprefix(self._old))
        return updated_node.with_changes(last_line=inner)
