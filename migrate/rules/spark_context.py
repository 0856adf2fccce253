"""``sparkContext`` of a StreamingContext: that of the session."""

from __future__ import annotations

from migrate.rules._register import Example, Rule, register


@register
class SparkContext(Rule):
    """The SparkContext is that of the session."""

    operator = "sparkContext"
    summary = "sparkContext becomes that of the session"
    examples = (
        Example(
            'ssc.sparkContext.setLogLevel("WARN")',
            'spark.sparkContext.setLogLevel("WARN")',
        ),
    )
