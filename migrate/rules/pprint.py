"""``pprint``: a ``show`` of the same number of rows."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable

from migrate.columns import Record, Refusal, leaves
from migrate.columns.shapes import Bool, Float, Int, Str
from migrate.frozen import replace
from migrate.graph.program import Operation, upstream
from migrate.knowledge import streaming
from migrate.plan.callbacks.collected_order import comes_of_files, is_cut_as_before, shuffles, sorts
from migrate.plan.draft.outputs import Printed, console, exact_pprint, printed_elements, shown_elements
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.stages import Stage, to_rdd
from migrate.plan.new_code.code import Call, Value
from migrate.plan.sources.only_elements import prints_one
from migrate.plan.typed.taken_elements import told_of_taken
from migrate.rules._register import Example, OutputRule, register, to_console
from migrate.syntax.quoting import quoted

NO_HEADER = (
    "what pprint printed comes without its header `Time: ...`, and rows as a table{}; "
    "--pprint exact keeps the old text"
)
TO_CONSOLE = (
    "what pprint printed comes as a table, below the number of its batch in place of the header `Time: ...`; "
    "Spark's console computes all rows of a batch and brings them to the driver, which prints the first; "
    "--pprint exact keeps the old text"
)
STATE_TO_CONSOLE = (
    "what pprint printed comes as a table, below the number of its batch in place of the header `Time: ...`, "
    "without the `...` that stood for further rows{}; --pprint exact keeps the old text"
)
OTHER_ORDER = ", those of a shuffle in another order, so that other ones may be the first"
EQUAL_ORDER = ", those that a sort leaves equal in another order, so that other ones may be the first"
ELEMENTS = (
    "what pprint printed of Python's objects comes without its header `Time: ...`, and without the `...` "
    "that stood for further elements{}; --pprint exact keeps the old text"
)
OTHER_PARTITIONS = (
    "RDD code deals out keys to as many partitions as a batch has, unless spark.default.parallelism is set, "
    "and DStream did to as many as there are cores: other elements may be the first that are printed"
)
OF_NUMBER = (
    "what pprint printed of the number of a window comes without its header `Time: ...`, which stood alone "
    "where there was none; --pprint exact keeps the old text"
)
OF_COUNT = (
    "what pprint printed of a count comes without its header `Time: ...`; --pprint exact keeps the old text"
)
EXACT = "pprint becomes a function that prints the elements as DStream did"
SORTED = "# sorted, as show alone updates few keys"
ONLY = "pprint prints the only element"
LARGEST = (
    "of several files in one interval the largest is read first, so that other rows may be shown; DStream "
    "takes them as their directory lists them"
)
OF_CONSOLE = 20
"""How many rows of a batch Spark's console shows, if it is not told."""
ROWS = "pprint becomes a loop over the first rows"
LOOP = "pprint becomes a loop over the first elements of RDD code"


def _is_shuffled(output: Operation, step: Step, *, by_sort: bool = False) -> bool:
    """Whether an output prints rows as a shuffle leaves them, or equal ones as a sort behind it does."""
    parent, is_sorted = output.parents[0], False
    while parent.operator in streaming.ROWWISE | streaming.ITSELF or (by_sort and sorts(parent, step)):
        is_sorted |= sorts(parent, step)
        parent = parent.parents[0]
    shuffled = parent.operator in streaming.SHUFFLES_SEVERAL or shuffles(parent, step)
    return output.operator == "pprint" and shuffled and is_sorted == by_sort


def _order(step: Step, outputs: Iterable[Operation]) -> str:
    """What is to be said of the order in which outputs print rows."""
    outputs = [*outputs]
    if any(_is_shuffled(output, step) for output in outputs):
        return OTHER_ORDER
    return EQUAL_ORDER if any(_is_shuffled(output, step, by_sort=True) for output in outputs) else ""


@register
class PPrint(OutputRule):
    """The rows are the same; the header's text is kept by ``--pprint exact``."""

    operator = "pprint"
    summary = "pprint becomes show(n, truncate=False)"
    examples = (
        Example(
            "lines.pprint(5)",
            to_console("lines", 5),
        ),
        Example(
            'lines.map(lambda line: {"text": line, "length": len(line)}).pprint()',
            'for line in batch.take(10):\n    print({"text": line["value"], "length": len(line["value"])})',
        ),
    )

    def output(self, step: Step, stage: Stage) -> Printed:
        number, known = self._number(step), self._known(step)
        exact = step.options.pprint_exact
        of_rows = isinstance(stage, Frame) and stage.shown is None and not exact
        if not of_rows and comes_of_files(step.operation):
            step.note(LARGEST)
        if isinstance(stage, Frame) and stage.shown is not None:
            step.note(ELEMENTS.format(_order(step, [step.operation])))
            step.need(reasons={step.operation.use: ROWS})
            return shown_elements(step, stage, number)
        if isinstance(stage, Frame) and stage.only:
            step.note(OF_COUNT)
            step.need(reasons={step.operation.use: ONLY})
            return Printed(f"print({stage.only.code})", column=True)
        if isinstance(stage, Frame) and not exact:
            header = NO_HEADER.format(_order(step, step.program.outputs))
            step.note(self._to_console(step) if step.basis.prints else header)
            if not stage.shuffles and any(
                one.operator == streaming.TEXT_FILES for one in upstream(step.operation)
            ):
                step.note(LARGEST)
            frame = stage.materialised()
            if step.choices.sorts_state and not step.known.sorted_state:
                frame = _sorted(step, frame)
            return Printed(
                replace(frame.call(Call("show", f"{number or 10}, truncate=False")).chain, shows=True),
                column=True,
                sortable=bool(_sort_keys(frame)),
                whole=frame.whole,
                sink=console(number, is_limited=step.basis.state is not None and known <= OF_CONSOLE),
                first=(number or "10") if known > 0 else "",
            )
        if not exact:
            ties = _is_shuffled(step.operation, step, by_sort=True) and not is_cut_as_before(step)
            step.note(ELEMENTS.format(EQUAL_ORDER * ties), *told_of_taken(step.operation, step))
        if _is_shuffled(step.operation, step) and not is_cut_as_before(step):
            step.note(OTHER_PARTITIONS)
        rdd = to_rdd(stage) if isinstance(stage, Frame) else stage
        if rdd.only and not exact and prints_one(step.operation):
            step.refused = ONLY
            return Printed(f"print({rdd.only.code})", column=False)
        step.refused = EXACT if exact else LOOP
        return exact_pprint(step, rdd, number) if exact else printed_elements(step, rdd, number)

    def _to_console(self, step: Step) -> str:
        """What is to be said of what the console shows."""
        if step.basis.state is None:
            return TO_CONSOLE
        return STATE_TO_CONSOLE.format(_order(step, [step.operation]))

    def of_value(self, step: Step, value: Value) -> Value:
        if not prints_one(step.operation):
            raise Refusal("it may print no element", step.operation.call)
        step.note(OF_NUMBER)
        step.need(reasons={step.operation.use: ONLY})
        return Value(f"print({value.code})")

    def _number(self, step: Step) -> str | None:
        """Code of the number of records that are printed; None for Spark's default."""
        node = step.arguments("num").get("num")
        if node is None or self._known(step) != math.inf or step.facts.unchanging(node):
            return None if node is None else quoted(node)
        if isinstance(node, ast.Name | ast.Attribute) and step.scope.settled_type(node) is not None:
            return quoted(node)
        raise step.blocked("the number of records is not known to stay the same")

    def _known(self, step: Step) -> float:
        """The number of records that are printed, as far as it is written out."""
        match step.arguments("num").get("num"):
            case None:
                return 10
            case ast.Constant(int(number)) if not isinstance(number, bool):
                return number
        return math.inf


def _sorted(step: Step, frame: Frame) -> Frame:
    """The frame sorted by its keys, unless it has another order or none."""
    keys = _sort_keys(frame)
    if not keys or frame.whole:
        return frame
    step.need(sorted_state=True)
    return frame.call(Call("orderBy", ", ".join(keys), comment=SORTED), shuffles=True)


def _sort_keys(frame: Frame) -> list[str]:
    """The columns that rows of a state are sorted by, quoted: window and key; none where one has no order."""
    element = frame.element
    columns = leaves(element.items[0]) if isinstance(element, Record) else leaves(element)
    if not all(isinstance(column.shape, Str | Int | Bool | Float) for column in columns):
        return []
    keys = [column.name for column in columns if isinstance(element, Record) or not frame.kept]
    return [f'"{name}"' for name in (*frame.kept, *keys)]
