"""``awaitTerminationOrTimeout`` of a StreamingContext: ``awaitTermination`` of the query."""

from __future__ import annotations

from migrate.rules._register import Example, Rule, register


@register
class AwaitTerminationOrTimeout(Rule):
    """The program waits for the end of the query, or until the timeout."""

    operator = "awaitTerminationOrTimeout"
    summary = "awaitTerminationOrTimeout waits for the query with a timeout"
    examples = (
        Example(
            "done = ssc.awaitTerminationOrTimeout(60)",
            "done = query.awaitTermination(60)",
        ),
    )
