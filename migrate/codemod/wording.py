"""Puts other words in the places of some in texts that are written out."""

from __future__ import annotations

import libcst as cst

from migrate.syntax.wording import Words, other_words


def reworded(node: cst.CSTNode, words: Words) -> cst.CSTNode:
    """A string, of one piece or several, with other words; its quotes and lines stay."""
    new = node.visit(_Words(words))
    assert isinstance(new, cst.CSTNode)
    return new


class _Words(cst.CSTTransformer):
    def __init__(self, words: Words) -> None:
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
        return other_words(text, self._words)
