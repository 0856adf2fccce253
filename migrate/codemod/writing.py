"""The way to LibCST: it is imported where something is written, since that takes longer than many a check."""

from __future__ import annotations

from migrate.codemod.changes import Changes


def written(changes: Changes) -> str:
    """The text of a module after its changes; what does not change is as it was, byte for byte.

    Raises:
        UnwritableError: LibCST cannot take the text.
    """
    from migrate.codemod.outline import Outline
    from migrate.codemod.source import deep
    from migrate.codemod.transformer import applied

    outline = Outline(changes)
    with deep():
        return outline.text_of(applied(outline.module, changes))
