"""``StreamingContext``: a SparkSession."""

from __future__ import annotations

from migrate.rules._register import Example, Rule, register


@register
class StreamingContext(Rule):
    """The StreamingContext becomes a SparkSession; its batch interval becomes the trigger."""

    operator = "StreamingContext"
    summary = "the StreamingContext becomes a SparkSession; its batch interval becomes the trigger"
    examples = (
        Example(
            'sc = SparkContext(appName="Words")\nssc = StreamingContext(sc, 1)',
            'spark = SparkSession.builder.appName("Words").getOrCreate()',
        ),
    )
