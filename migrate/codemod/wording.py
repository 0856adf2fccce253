"""Puts other words in the places of some in texts that are written out."""

from __future__ import annotations

import libcst as cst

from migrate.syntax.wording import Words, other_words


def reworded(node: cst.CSTNode, words: Words) -> cst.CSTNode:
    """A string, of one piece or several, with other words; its quotes and lines stay.

    Pieces that have no words left go.
    """
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

    def leave_ConcatenatedString(
        self, original_node: cst.ConcatenatedString, updated_node: cst.ConcatenatedString
    ) -> cst.BaseString:
        for side, other in (("left", "right"), ("right", "left")):
            old, new = getattr(original_node, side), getattr(updated_node, side)
            if isinstance(new, cst.SimpleString) and not new.raw_value and old.raw_value:
                rest: cst.BaseString = getattr(updated_node, other)
                return rest.with_changes(
                    lpar=[*updated_node.lpar, *rest.lpar], rpar=[*rest.rpar, *updated_node.rpar]
                )
        return updated_node

    def leave_FormattedStringText(
        self, original_node: cst.FormattedStringText, updated_node: cst.FormattedStringText
    ) -> cst.FormattedStringText:
        return updated_node.with_changes(value=self._new(updated_node.value))

    def _new(self, text: str) -> str:
        return other_words(text, self._words)
