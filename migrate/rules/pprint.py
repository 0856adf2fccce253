"""``pprint``: a ``show`` of the same number of rows."""

from __future__ import annotations

import ast

from migrate.plan.outputs import Printed, exact_pprint, printed_elements
from migrate.plan.stages import Frame, Stage, to_rdd
from migrate.plan.step import Step
from migrate.rules._register import Example, OutputRule, register
from migrate.syntax.quoting import quoted

NO_HEADER = (
    "what pprint printed comes without its header `Time: ...`, and rows as a table; "
    "--pprint exact keeps the old text"
)
EXACT = "pprint becomes a function that prints the elements as DStream did"
LOOP = "pprint becomes a loop over the first elements of RDD code"


@register
class PPrint(OutputRule):
    """The rows are the same; the header's text is kept by ``--pprint exact``."""

    operator = "pprint"
    summary = "pprint becomes show(n, truncate=False)"
    examples = (
        Example(
            "lines.pprint(5)",
            "batch.show(5, truncate=False)",
        ),
    )

    def output(self, step: Step, stage: Stage) -> Printed:
        number = self._number(step)
        exact = step.options.pprint_exact
        if not exact:
            step.note(NO_HEADER)
        if isinstance(stage, Frame) and not exact:
            frame = stage.materialised()
            return Printed(frame.call(f"show({number or 10}, truncate=False)").chain, column=True)
        rdd = to_rdd(stage) if isinstance(stage, Frame) else stage
        step.refused = EXACT if exact else LOOP
        return exact_pprint(step, rdd, number) if exact else printed_elements(step, rdd, number)

    def _number(self, step: Step) -> str | None:
        node = step.arguments("num").get("num")
        if node is None:
            return None
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, int)
            and not isinstance(node.value, bool)
        ):
            return quoted(node)
        if step.facts.unchanging(node):
            return quoted(node)
        raise step.blocked("the number of records is not known to stay the same")
