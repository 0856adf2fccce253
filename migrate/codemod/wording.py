"""Puts other words in the places of some in a text that is written out; its quotes and lines stay."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst


def reworded(node: cst.CSTNode, words: Sequence[tuple[str, str]]) -> cst.CSTNode:
    """A string, of one piece or several, with other words."""
    new = node.visit(_Words(words))
    assert isinstance(new, cst.CSTNode)
    return new


class _Words(cst.CSTTransformer):
    def __init__(self, words: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._words = words

    def leave_SimpleString(
        self, original_node: cst.SimpleString, updated_node: cst.SimpleString
    ) -> cst.SimpleString:
        return updated_node.with_changes(value=self._new(updated_node.value))

    def leave_FormattedStringText(
        self, original_node: cst.FormattedStringText, updated_node: cst.FormattedStringText
    ) -> cst.FormattedStringText:
        return updated_node.with_changes(value=self._new(updated_node.value))

    def _new(self, text: str) -> str:
        for old, new in self._words:
            text = text.replace(old, new)
        return text
