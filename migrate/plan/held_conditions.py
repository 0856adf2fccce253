"""Conditions on lists that the program fills before it starts: they are made once, above the batch function.

    in_words = F.col("word").isin(*words)

Each item of such a list becomes a literal by a call of the JVM. For thousands of them that takes seconds, in
each batch if the batch function makes the condition.
"""

from __future__ import annotations

from migrate.frozen import replace
from migrate.plan.attempt import Attempt
from migrate.plan.planned_module import PlannedModule


def with_held_conditions(attempt: Attempt, changes: PlannedModule) -> PlannedModule:
    """The new code with such conditions above the batch function, named after their lists.

    Args:
        attempt: knows the conditions, and gives the names.
        changes: all new code.
    """
    function = changes.function
    if function is None or not attempt.known.membership:
        return changes
    texts = [text for written in function.body for text in written.texts()]
    held = {
        code: attempt.fresh(f"in_{name.lower() if name.isupper() else name}")
        for code, name in attempt.known.membership.items()
        if any(code in text for text in texts)
    }

    def by_name(text: str) -> str:
        for code, name in held.items():
            text = text.replace(code, name)
        return text

    made = (f"{name} = {code}" for code, name in held.items())
    body = tuple(written.with_texts(by_name) for written in function.body)
    return replace(changes, function=replace(function, body=body, above=(*made, *function.above)))
