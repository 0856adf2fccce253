"""``stop`` of a StreamingContext: the end of the query, and of the session."""

from __future__ import annotations

from migrate.rules._register import Example, Rule, register


@register
class Stop(Rule):
    """The query is stopped and, unless an argument says otherwise, the session."""

    operator = "stop"
    summary = "stop ends the query and, unless told otherwise, the session"
    examples = (
        Example(
            "ssc.stop()",
            "query.stop()\nspark.stop()",
        ),
    )
