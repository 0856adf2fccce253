"""``awaitTermination`` of a context."""

from __future__ import annotations

from migrate.rules._rule import Example, Rule, register


@register
class AwaitTermination(Rule):
    """AwaitTermination waits for the query."""

    operator = "awaitTermination"
    summary = "awaitTermination waits for the query"
    examples = (
        Example(
            "ssc.awaitTermination()",
            "query.awaitTermination()",
        ),
    )
