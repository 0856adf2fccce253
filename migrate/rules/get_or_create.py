"""``getOrCreate``: a call of the function that makes the context, if a restart has no data to go on with."""

from __future__ import annotations

from migrate.rules._register import Example, Rule, register


@register
class GetOrCreate(Rule):
    """A receiver's data is gone after a restart; without a state the checkpoint holds nothing else."""

    operator = "getOrCreate"
    summary = "getOrCreate becomes a call of the function that builds, for receivers without state"
    examples = (
        Example(
            'ssc = StreamingContext.getOrCreate("checkpoint", build)\nssc.start()',
            "writer = build()\nquery = writer.start()",
        ),
    )
