"""Numbers of comments that count the steps of a program, ``# 3. Print them``, after one of them goes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.codemod.changes import Changes
from migrate.codemod.ownership import Comment

_STEP = re.compile(r"(#+\s*(?:step\s*)?)(\d+)(?=\s*[.):]\s)", re.IGNORECASE)


def renumbered_steps(changes: Changes) -> Iterator[tuple[Comment, str]]:
    """The comments that get another number, with their new texts.

    Args:
        changes: the changes of a module, with what all comments say now.
    """
    steps = [(one, found) for one in changes.old_comments.all if (found := _STEP.match(one.text))]
    numbers = [int(found[2]) for _, found in steps]
    if numbers != list(range(1, len(steps) + 1)):
        return  # other lists may be among them
    gone = {one.line for one in changes.dropped()}
    elsewhere = changes.handed_lines
    number = 0
    for one, found in steps:
        text = changes.retold.get(one.line, changes.said(one))
        if one.line in elsewhere:
            number += 1  # it has its number there
            continue
        if text is None or one.line in gone:
            continue
        number += 1
        now = _STEP.match(text)
        if now is not None and now[2] == found[2] and int(found[2]) != number:
            yield one, f"{now[1]}{number}{text[now.end() :]}"
