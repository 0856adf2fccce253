"""Puts other words in the places of some in texts that are written out, and in comments."""

from __future__ import annotations

from collections.abc import Mapping

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


def with_comments(module: cst.Module, comments: Mapping[str, str]) -> cst.Module:
    """A module whose comments say something else, by what they said, wherever they stand."""
    new = module.visit(_Comments(comments))
    assert isinstance(new, cst.Module)
    return new


class _Comments(cst.CSTTransformer):
    def __init__(self, comments: Mapping[str, str]) -> None:
        super().__init__()
        self._comments = comments

    def leave_Comment(self, original_node: cst.Comment, updated_node: cst.Comment) -> cst.Comment:
        text = original_node.value.rstrip()
        return (
            updated_node.with_changes(value=self._comments[text]) if text in self._comments else updated_node
        )
