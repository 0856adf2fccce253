"""``count``: one row with the number of elements; none for a batch that has no partition."""

from __future__ import annotations

import ast

from migrate.columns import Refusal, column_named
from migrate.columns.reduces import MANY
from migrate.columns.shapes import Int
from migrate.frozen import replace
from migrate.graph.program import Operation, upstream
from migrate.knowledge.streaming import ITSELF
from migrate.plan.callbacks.counted_values import SKIPS, UNCALLED, check_counted
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import Stage
from migrate.plan.new_code.code import Call, Chain, Value
from migrate.plan.sources.only_elements import is_only_printed, with_items, with_one
from migrate.plan.typed.composed import rows_left
from migrate.rules._register import Example, Rule, register
from migrate.rules.reduce import reduced
from migrate.syntax.nodes import of_kinds

SURE = "count becomes the number of rows"
WINDOW = "a window has a count of 0 if one of its batches had input, of which nothing is left, else none"
PARALLELISM = "spark.default.parallelism"
UNSET = (
    f"a batch without rows has no count, as in DStream where {PARALLELISM} is not set; where spark-submit or "
    "its defaults set that, DStream counted 0"
)
_SOME = Call("where", 'F.col("count") > 0')
_ONE_TO_ONE = ITSELF | {"map", "mapValues", "window"}


@register
class Count(Rule):
    """DStream counts partitions and adds up: without a partition there is nothing, not 0."""

    operator = "count"
    summary = "count becomes the number of rows; a batch without rows gives no count, as in DStream"
    examples = (
        Example(
            "lines.count().pprint()",
            "if batch.isEmpty():  # DStreams gave no count then\n    return\nprint(batch.count())",
        ),
        Example(
            "sizes = lines.count()\nsizes.foreachRDD(lambda rdd: print(sum(rdd.collect())))",
            'sizes = batch.agg(F.count("*").alias("count")).where(F.col("count") > 0)\n'
            'print(sum([row["count"] for row in sizes.collect()]))',
        ),
        Example(
            "sizes = lines.filter(lambda line: len(line) > 3).count()\n"
            "sizes.foreachRDD(lambda rdd: print(sum(rdd.collect())))",
            "sizes = (\n"
            '    batch.where(F.length("value") > 3)\n'
            '    .agg(F.count("*").alias("count"))\n'
            "    .where(F.lit(not batch.isEmpty()))\n"
            ")\n"
            'print(sum([row["count"] for row in sizes.collect()]))',
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        frame = frames[0]
        if frame.within:
            if step.basis.guards.fail_as_python_does:
                raise Refusal(SKIPS, step.operation.call)
            frame = rows_left(step, frame)
            own = frozenset({step.operation})
            step.need(gives=(UNCALLED,), looser=own, often=own)
        is_number = frame.window is None and not step.options.pprint_exact
        is_number = is_number and is_only_printed(step, step.operation)
        has_name = step.facts.only_binding(step.basis.targets.get(step.operation, ""))
        tells = bool(is_number and has_name) and frame.sure is False and _asks(step) and _is_of_batch(step)
        made = counted(step, frame, tells=tells)
        if frame.sure:
            step.need(reasons={step.operation.use: SURE})
        if not is_number or len(made.calls) != len(frame.calls) + 1:
            return made
        return replace(made, only=Value(frame.call(Call("count", "")).chain.text), only_some=tells)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        rdd = rdds[0]
        if rdd.exact:
            ones = rdd.call(Call("mapPartitions", "lambda elements: [sum(1 for _ in elements)]"))
            return reduced(ones, "lambda a, b: a + b")
        if not rdd.sure and _is_of_window(step):
            raise step.blocked(WINDOW)
        count = f"{rdd.chain.text}.count()"
        if rows := _has_rows(step, rdd):
            return with_items(step, f"[{count}] if {rows} else []", rdd)
        _guard(step, rdd)
        return with_one(step, Value(count), rdd)


def number_of_rows(step: Step, stage: Stage) -> Chain:
    """The number of elements as a value in the driver.

    Raises:
        Refusal: counting would skip something that may raise.
    """
    if isinstance(stage, Frame):
        check_counted(step, stage, step.operation.call)
    return stage.call(Call("count", "")).chain


def has_always_count(step: Step, stage: Stage) -> bool | None:
    """Whether a window has a count without elements, too, which is 0; None if only some such windows have."""
    if isinstance(stage, Rdd) and stage.exact:
        return None
    if stage.sure is False:
        return False if _is_of_batch(step) else None
    return stage.sure


def counted(step: Step, frame: Frame, *, tells: bool = False) -> Frame:
    """The number of elements, or of each window's.

    Args:
        step: the operator.
        frame: the elements.
        tells: whether the number itself says that a batch has no rows, and no count.

    Raises:
        Refusal: counting would skip something that may raise.
    """
    check_counted(step, frame, step.operation.call)
    some: tuple[Call, ...] = ()
    if frame.window is not None:
        step.need(shuffles=True)
    elif not frame.sure and _is_of_window(step):
        if not _is_of_batch(step):
            raise step.blocked(WINDOW)
        some = (_SOME,)
    elif step.choices.counts_some and not frame.sure and _is_of_batch(step) and not _asks(step):
        some = (_SOME,)
    elif rows := _has_rows(step, frame):
        some = (Call("where", f"F.lit({rows})"),)
    elif not tells:
        _guard(step, frame)
    counted = column_named("count", Int(0, MANY, amount=True))
    frame = frame.grouped_by().call(Call("agg", 'F.count("*").alias("count")'), *some)
    return replace(frame, element=counted, pending=False, filtered=frame.filtered or bool(some))


def _asks(step: Step) -> bool:
    """Whether the output of a count asks for rows itself, which is the shorter code where it only prints."""
    chosen = step.choices.counts_ask or step.choices.counts_some
    return chosen and is_only_printed(step, step.operation)


def _is_of_batch(step: Step) -> bool:
    """Whether a count is 0 for a batch without rows alone, since no step before it leaves any out."""
    above = upstream(step.operation) - {step.operation}
    return all(one.is_source or one.operator in _ONE_TO_ONE or _gives_some(one) for one in above)


def _has_rows(step: Step, stage: Stage) -> str:
    """Code of whether the batch has rows, and so a count, be it 0; empty where that is not what says so.

    It stands in the batch function, and is true of a batch of one source.
    """
    basis = step.basis
    alone = not (basis.several or basis.beside_queues) and basis.state is None
    inside = basis.program.scope in basis.place.per_batch
    if not step.choices.counts_some or stage.sure is not False or not alone or inside or _asks(step):
        return ""
    return f"not {step.names.batch}.isEmpty()"


def _gives_some(operation: Operation) -> bool:
    """Whether something is left of each element: ``flatMap(lambda line: line.split(" "))``."""
    match operation.call.args:
        case [ast.Lambda(body=ast.Call(ast.Attribute(attr="split"), [ast.Constant(str()), *_]))]:
            return operation.operator == "flatMap"
    return False


def _is_of_window(step: Step) -> bool:
    """Whether the elements are those of several batches: they may be there where the last batch has none."""
    return not upstream(step.operation).isdisjoint(step.known.windows)


def _guard(step: Step, stage: Stage) -> None:
    """Have no count for a batch without rows, unless that has a partition, and so a count of 0.

    Raises:
        Blocked: the program says how many partitions a shuffle makes, and may say so of batches without rows.
    """
    if not stage.sure and (step.choices.counts_ask or _asks(step)):
        step.need(counted=frozenset({step.operation}))
    else:
        step.need(empty_guard=not stage.sure)
    if stage.sure is None:
        texts = [
            node.value for module in step.program.modules for node in of_kinds(module.tree, ast.Constant)
        ]
        if PARALLELISM in texts:
            raise step.blocked(f"an empty batch has a partition to count where `{PARALLELISM}` is set")
        step.note(UNSET)
