"""``checkpoint`` of a context."""

from __future__ import annotations

from migrate.rules._rule import Example, Rule, register


@register
class Checkpoint(Rule):
    """Checkpoint alone is left out: the program starts afresh each time."""

    operator = "checkpoint"
    summary = "checkpoint alone is left out: the program starts afresh each time"
    examples = (
        Example(
            'ssc.checkpoint("dir")',
            "",
        ),
    )
