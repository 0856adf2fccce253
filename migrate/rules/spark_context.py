"""``sparkContext`` of a context."""

from __future__ import annotations

from migrate.rules._rule import Example, Rule, register


@register
class SparkContext(Rule):
    """SparkContext becomes that of the session."""

    operator = "sparkContext"
    summary = "sparkContext becomes that of the session"
    examples = (
        Example(
            'ssc.sparkContext.setLogLevel("WARN")',
            'spark.sparkContext.setLogLevel("WARN")',
        ),
    )
