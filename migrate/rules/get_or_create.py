"""``getOrCreate``: a call of the function that makes the context; a query goes on by its own checkpoint.

A receiver has no data to go on with after a restart, and Kafka's direct stream has its offsets.
"""

from __future__ import annotations

from migrate.rules._register import Example, Rule, register


@register
class GetOrCreate(Rule):
    """A receiver's data is gone after a restart; without a state the checkpoint holds nothing else.

    The option `checkpointLocation` keeps Kafka's offsets and a running aggregate.
    """

    operator = "getOrCreate"
    summary = (
        "getOrCreate becomes a call of the function that builds; Kafka and files go on by checkpointLocation"
    )
    examples = (
        Example(
            'ssc = StreamingContext.getOrCreate("checkpoint", build)\nssc.start()',
            "writer = build()\nquery = writer.start()",
        ),
    )
