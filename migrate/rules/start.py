"""``start`` of a StreamingContext: the start of one streaming query."""

from __future__ import annotations

from migrate.rules._register import Example, Rule, register


@register
class Start(Rule):
    """The start of the context becomes that of the query."""

    operator = "start"
    summary = "start becomes the start of one streaming query"
    examples = (
        Example(
            "ssc.start()",
            'query = lines.writeStream.trigger(processingTime="1 second")'
            ".foreachBatch(process_batch).start()",
        ),
    )
