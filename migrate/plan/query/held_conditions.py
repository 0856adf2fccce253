"""Conditions on lists that the program fills before it starts: they are made once, above the batch function.

    in_words = F.col("word").isin(words)

Each item of such a list becomes a literal by a call of the JVM. For thousands of them that takes seconds, in
each batch if the batch function makes the condition.
"""

from __future__ import annotations

from functools import partial

from migrate.columns.pieces import pieces_in, with_variables, written_out
from migrate.frozen import replace
from migrate.plan.draft.attempt import Attempt
from migrate.plan.new_code.code import Chain, Written
from migrate.plan.new_code.planned_module import PlannedModule


def with_held_conditions(attempt: Attempt, changes: PlannedModule) -> PlannedModule:
    """The new code with such conditions above the batch function, named after their lists.

    All other columns that a variable might have held are written out.

    Args:
        attempt: gives the names.
        changes: all new code.
    """
    if not any(map(pieces_in, changes.texts())):
        return changes
    function = changes.function
    if function is not None:
        texts = (text for written in function.body for text in written.texts())
        conditions = dict.fromkeys(piece for text in texts for piece in pieces_in(text) if piece.among)
        held = {piece: attempt.fresh(_name(piece.among)) for piece in conditions}
        made = (Written(Chain(piece.code, target=name)) for piece, name in held.items())
        by_name = partial(with_variables, variables=held)
        body = tuple(written.with_texts(by_name) for written in function.body)
        changes = replace(changes, function=replace(function, body=body, above=(*made, *function.above)))
    return changes.with_texts(written_out)


def _name(among: str) -> str:
    """A name for a condition on a list: `in_words` for ``words``, for ``WORDS`` and for ``words.value``."""
    name = among.removesuffix(".value").rpartition(".")[2]
    return f"in_{name.lower() if name.isupper() else name}"
