"""Comments of a notebook's cells of which nothing is left; in a script ``# In[3]:``, where one began."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator
from itertools import pairwise, zip_longest

from migrate.codemod.changes import Changes
from migrate.codemod.comments.old_words import is_commented_code
from migrate.codemod.ownership import begins_cell
from migrate.syntax.cells import borders


def idle_marks(changes: Changes) -> Iterator[int]:
    """The lines of marks below which a rewrite leaves nothing."""
    marks = [one.line for one in changes.old_comments.all if begins_cell(one.text)]
    for mark, end in zip_longest(marks, marks[1:], fillvalue=sys.maxsize):
        if _is_idle(changes, mark, end):
            yield mark


def idle_comments(changes: Changes, moved: Collection[ast.stmt]) -> Iterator[int]:
    """The lines of the comments in cells whose code goes, all of it, unless some are code themselves.

    Args:
        changes: the changes of the module.
        moved: the statements whose comments go with new code.
    """
    lines = borders(changes.tree)
    for start, end in pairwise((0, *lines, sys.maxsize)) if lines else ():
        inside = [one for one in changes.tree.body if start < one.lineno < end]
        comments = [one for one in changes.old_comments.all if start < one.line < end]
        stay = {*changes.remaining, *changes.before, *changes.after, *moved}
        goes = inside and all(changes.statements.get(one) == () for one in inside) and stay.isdisjoint(inside)
        if goes and not any(is_commented_code(one.text) for one in comments):
            yield from (one.line for one in comments)


def _is_idle(changes: Changes, start: int, end: int) -> bool:
    """Whether all that stands between two lines goes, and is more than comments."""
    comments = changes.old_comments
    inside = [one for one in changes.tree.body if start < one.lineno < end]
    own = [comments.of(statement) for statement in inside]
    told = {one.line for found in own for one in (*found.above, *found.own)}
    stay = {*changes.remaining, *changes.before, *changes.after}
    return (
        bool(inside)
        and all(changes.statements.get(one) == () for one in inside)
        and stay.isdisjoint(inside)
        and all(one.line in told for one in comments.all if start < one.line < end)
    )
