"""``awaitTermination`` of a StreamingContext: that of the query."""

from __future__ import annotations

from migrate.rules._register import Example, Rule, register


@register
class AwaitTermination(Rule):
    """The program waits for the end of the query."""

    operator = "awaitTermination"
    summary = "awaitTermination waits for the query"
    examples = (
        Example(
            "ssc.awaitTermination()",
            "query.awaitTermination()",
        ),
    )
