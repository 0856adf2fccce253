"""``start`` of a context."""

from __future__ import annotations

from migrate.rules._rule import Example, Rule, register


@register
class Start(Rule):
    """Start becomes the start of one streaming query."""

    operator = "start"
    summary = "start becomes the start of one streaming query"
    examples = (
        Example(
            "ssc.start()",
            'query = (\n    lines.writeStream.outputMode("append")\n    .trigger(processingTime="1 second")\n'
            "    .foreachBatch(process_batch)\n    .start()\n)",
        ),
    )
