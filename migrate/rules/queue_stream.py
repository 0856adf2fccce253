"""``queueStream`` stays on compat."""

from __future__ import annotations

from migrate.native.outputs import Source
from migrate.native.plan import Step
from migrate.rules._rule import Example, SourceRule, register

WHY = "Structured Streaming has no source for a queue of RDDs, which is for tests"


@register
class QueueStream(SourceRule):
    """No native form is proven to be the same."""

    operator = "queueStream"
    summary = f"queueStream stays on compat: {WHY}"
    examples = (Example("numbers = ssc.queueStream(rdds)", "numbers = ssc.queueStream(rdds)"),)

    def load(self, step: Step) -> Source:
        raise step.blocked(WHY)
