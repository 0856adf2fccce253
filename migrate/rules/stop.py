"""``stop`` of a context."""

from __future__ import annotations

from migrate.rules._rule import Example, Rule, register


@register
class Stop(Rule):
    """Stop ends the query and, unless told otherwise, the session."""

    operator = "stop"
    summary = "stop ends the query and, unless told otherwise, the session"
    examples = (
        Example(
            "ssc.stop()",
            "query.stop()\nspark.stop()",
        ),
    )
