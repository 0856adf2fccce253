"""``updateStateByKey``: a running sum or count is a ``groupBy().agg()`` over the stream, in complete mode."""

from __future__ import annotations

import ast
from dataclasses import replace

from migrate.columns import (
    Record,
    Refusal,
    Scalar,
    after_select,
    compile_update,
    leaves,
    name_columns,
    projection,
)
from migrate.native.conditions import sums_for
from migrate.native.stage import Frame, carry_tokens, check_kept, tokens_of
from migrate.native.step import Step
from migrate.rules._proofs import aggregate, check_keys, pair
from migrate.rules._rule import Example, Rule, register
from migrate.shapes import Str


@register
class UpdateStateByKey(Rule):
    """Only proven folds: other state functions need every key in every batch."""

    operator = "updateStateByKey"
    summary = "a running sum by updateStateByKey becomes groupBy().agg() over the stream, in complete mode"
    examples = (
        Example(
            "def update(new, last):\n"
            "    return sum(new) + (last or 0)\n"
            "\n"
            "counts = lines.map(lambda line: (line, 1)).updateStateByKey(update)\n"
            "counts.pprint()",
            'counts = lines.groupBy(F.col("value").alias("line")).agg(F.count("*").alias("count"))\n'
            "\n"
            "def process_batch(batch, batch_id):\n"
            "    batch.persist()\n"
            "    batch.count()  # the state is kept only if all of the batch is computed\n"
            "    batch.show(10, truncate=False)\n"
            "    batch.unpersist()\n"
            "\n"
            "query = (\n"
            '    counts.writeStream.outputMode("complete")\n'
            '    .trigger(processingTime="1 second")\n'
            "    .foreachBatch(process_batch)\n"
            "    .start()\n"
            ")",
        ),
        Example(
            "def update(new, last):\n"
            "    return sum(new) + (last or 0)\n"
            "\n"
            "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
            "totals = counts.updateStateByKey(update)\n"
            "totals.pprint()",
            'totals = lines.groupBy(F.col("value").alias("line")).agg(F.count("*").alias("count"))\n'
            "\n"
            "def process_batch(batch, batch_id):\n"
            "    batch.persist()\n"
            "    batch.count()  # the state is kept only if all of the batch is computed\n"
            "    batch.show(10, truncate=False)\n"
            "    batch.unpersist()\n"
            "\n"
            "query = (\n"
            '    totals.writeStream.outputMode("complete")\n'
            '    .trigger(processingTime="1 second")\n'
            "    .foreachBatch(process_batch)\n"
            "    .start()\n"
            ")",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        found = step.arguments("updateFunc", "numPartitions", "initialRDD")
        function = step.function("updateFunc", "numPartitions", "initialRDD")
        frame = frames[0]
        if any(leaf.is_constant for leaf in leaves(pair(frame.element, step)[0])):
            frame = frame.materialised()
        key, value = pair(frame.element, step)
        check_keys(step, key)
        fold = compile_update(function, value, step.scope)
        (parent,) = step.operation.parents
        if sums_for(parent, step.operation):
            if fold.kind != "sum":
                raise Refusal("it counts the sums of batches", function)
            step.plan.reasons[parent.use] = "a running sum of each batch's sums is one of all values"
        before = tokens_of(frame.element)
        made = Record((key, fold.element))
        check_kept(before, tokens_of(made), function, "the state function")
        step.note(fold.notes, fold.helpers)
        step.partitions(found)
        result = aggregate(step, frame, made, before)
        initial = found.get("initialRDD")
        if initial is not None and not (isinstance(initial, ast.Constant) and initial.value is None):
            step.plan.initial = (initial, fold)
        return result

    def with_initial(self, step: Step, frame: Frame) -> tuple[Frame, str, ast.stmt]:
        """The state in the batch function, merged with the initial one; its assignment, and what that
        replaces.

        Raises:
            Refusal: the initial state is not a list of pairs that is written out.
        """
        plan = step.plan
        assert plan.initial is not None and isinstance(frame.element, Record)
        node, fold = plan.initial
        key, value = frame.element.items
        if not (isinstance(key, Scalar) and isinstance(key.shape, Str) and isinstance(value, Scalar)):
            raise Refusal("with an initial state the keys must be texts", node)
        statement, pairs = self._pairs(step, node)
        name = plan.facts.fresh("initial_state")
        columns = f'["{key.name}", "{value.name}"]'
        merged = fold.merge(value.name or "value", step.scope)
        step.note(merged.notes, merged.helpers)
        named = name_columns(Record((key, replace(leaves(merged.element)[0], name=value.name))))
        assert isinstance(named, Record)
        frame = frame.call(
            f"union({name})",
            f"groupBy({', '.join(projection(named.items[0]))})",
            f"agg({', '.join(projection(named.items[1]))})",
            element=carry_tokens(named, after_select(named)),
        )
        return frame, f"{name} = {plan.session}.createDataFrame({pairs}, {columns})", statement

    def _pairs(self, step: Step, node: ast.expr) -> tuple[ast.stmt, str]:
        """The list in ``initial = sc.parallelize([...])``, whose only reader is this call."""
        facts = step.plan.facts
        binding = facts.only_binding(node.id) if isinstance(node, ast.Name) else None
        statement = facts.statement_of(binding) if binding is not None else None
        if not (
            isinstance(node, ast.Name)
            and isinstance(statement, ast.Assign)
            and step.plan.program.tree.scope_of(statement) is step.plan.program.scope
            and len(facts.loads.get(node.id, ())) == 1
            and isinstance(statement.value, ast.Call)
            and isinstance(statement.value.func, ast.Attribute)
            and statement.value.func.attr == "parallelize"
            and statement.value.args
        ):
            raise Refusal(
                "the initial state is not made by `parallelize` from a list that is written out", node
            )
        listed = statement.value.args[0]
        try:
            if isinstance(listed, ast.Name):
                known, pairs = facts.constant(listed.id, listed.lineno)
            else:
                known, pairs = True, ast.literal_eval(listed)
        except (ValueError, SyntaxError):
            known, pairs = False, None
        if not known:
            raise Refusal("the initial state is not a list that is written out", node)
        if not isinstance(pairs, list) or not _counts(pairs):
            raise Refusal(
                "the initial state is not a list of different texts with an int of 64 bits each", node
            )
        return statement, step.source(listed)


def _counts(pairs: list[object]) -> bool:
    """Whether a list holds pairs of a text and an int, each text once: of equal keys DStream takes one."""
    keys = []
    for item in pairs:
        if not (isinstance(item, tuple) and len(item) == 2):
            return False
        key, count = item
        if not isinstance(key, str) or type(count) is not int or not -(2**63) <= count < 2**63:
            return False
        keys.append(key)
    return bool(keys) and len(set(keys)) == len(keys)
