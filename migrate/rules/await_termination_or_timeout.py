"""``awaitTerminationOrTimeout`` of a context."""

from __future__ import annotations

from migrate.rules._rule import Example, Rule, register


@register
class AwaitTerminationOrTimeout(Rule):
    """AwaitTerminationOrTimeout waits for the query with a timeout."""

    operator = "awaitTerminationOrTimeout"
    summary = "awaitTerminationOrTimeout waits for the query with a timeout"
    examples = (
        Example(
            "done = ssc.awaitTerminationOrTimeout(60)",
            "done = query.awaitTermination(60)",
        ),
    )
