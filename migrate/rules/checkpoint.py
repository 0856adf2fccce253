"""``checkpoint`` of a StreamingContext: left out."""

from __future__ import annotations

from migrate.rules._register import Example, Rule, register


@register
class Checkpoint(Rule):
    """A checkpoint directory alone has no effect: the program starts anew each time."""

    operator = "checkpoint"
    summary = "checkpoint alone is left out: the program starts afresh each time"
    examples = (
        Example(
            'ssc.checkpoint("dir")',
            "",
        ),
    )
