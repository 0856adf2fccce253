"""Changes inside code of the program that stays, or that new code quotes."""

from __future__ import annotations

import ast
from typing import TypeVar

from migrate.frozen import dataclass


@dataclass(frozen=True)
class Put:
    """Code that stands above a statement of the program."""

    code: str
    looks: bool = False
    """Whether it looks for rows of a DataFrame, which computes them."""
    returns: bool = False
    """Whether the function around it may return there."""
    moved: ast.stmt | None = None
    """The statement of another place of the program that it is."""
    replaces: tuple[ast.stmt, ...] = ()
    """Statements of the program whose comments it takes over."""


@dataclass(frozen=True)
class Inner:
    """Changes inside code of the program that stays or is quoted."""

    replaced: tuple[tuple[ast.AST, str], ...] = ()
    """Expressions, each with its replacement, which may quote parts of it; parameters, each with those in its
    place: ``batch, batch_id``, or none."""
    renamed: tuple[tuple[ast.AST, str], ...] = ()
    """Names, attributes, parameters and keywords, each with its new name."""
    before: tuple[tuple[ast.stmt, Put], ...] = ()
    """Statements, each with what is put before it."""
    dropped: tuple[ast.stmt, ...] = ()
    """Statements to remove; their comments go to the next statement."""
    reworded: tuple[tuple[ast.expr, tuple[tuple[str, str], ...]], ...] = ()
    """Texts that are written out, each with words of it and what stands in their places."""
    comments: tuple[tuple[tuple[ast.Module, int], tuple[tuple[str, str], ...]], ...] = ()
    """Comments by their modules and lines, with words that change in the same way."""
    beside: tuple[tuple[ast.stmt, str], ...] = ()
    """Assignments without comments, each with what is to be said behind it."""

    def __or__(self, more: Inner) -> Inner:
        """The changes of both; where both replace or rename one node, `more` wins."""
        if not any(vars(more).values()):
            return self
        return Inner(
            tuple({**dict(self.replaced), **dict(more.replaced)}.items()),
            tuple({**dict(self.renamed), **dict(more.renamed)}.items()),
            (*self.before, *(put for put in more.before if put not in self.before)),
            tuple(dict.fromkeys((*self.dropped, *more.dropped))),
            _words(self.reworded, more.reworded),
            _words(self.comments, more.comments),
            tuple(dict.fromkeys((*self.beside, *more.beside))),
        )


Text = TypeVar("Text")
_Words = tuple[tuple[Text, tuple[tuple[str, str], ...]], ...]


def _words(one: _Words[Text], other: _Words[Text]) -> _Words[Text]:
    """The words of both, text by text."""
    found = dict(one)
    for text, words in other:
        found[text] = tuple(dict.fromkeys((*found.get(text, ()), *words)))
    return tuple(found.items())


NOTHING = Inner()
