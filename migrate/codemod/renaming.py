"""The new names of what held the StreamingContext, as text."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.codemod.edits import Edit, Text, apply_edits
from migrate.graph.carrying import Carriers


def session_text(carriers: Carriers, node: ast.expr, text: Text) -> str:
    """An expression that read the context, as it reads the session."""
    if isinstance(node, ast.Attribute):
        return f"{text.of(node.value)}.{carriers.attributes.get(node.attr, node.attr)}"
    assert isinstance(node, ast.Name)
    return carriers.names.get(node.id, node.id)


def renamed(carriers: Carriers, node: ast.expr, text: Text) -> str:
    """The text of an expression with the new names in it."""
    start, end = text.start(node), text.end(node)
    inside = [edit for edit in renaming_edits(carriers, text) if start <= edit.start and edit.end <= end]
    return apply_edits(
        text.of(node), [Edit(edit.start - start, edit.end - start, edit.text) for edit in inside]
    )


def renaming_edits(carriers: Carriers, text: Text) -> Iterator[Edit]:
    """The renaming of all that is not part of a statement that is written anew."""
    for node, name in carriers.renamings():
        start, end = text.start(node), text.end(node)
        if isinstance(node, ast.Attribute):
            start = end - len(node.attr)
        elif isinstance(node, ast.arg | ast.keyword):
            end = start + len(node.arg or "")
        yield Edit(start, end, name)
