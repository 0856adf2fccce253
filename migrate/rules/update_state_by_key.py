"""``updateStateByKey``: a running sum or count is a ``groupBy().agg()`` over the stream, in complete mode.

A query has one such aggregate, and its batch function sees nothing else of the source. Where other outputs or
states read the source too, or RDD code comes before, the batch function keeps the state itself.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import (
    Derivation,
    Element,
    Fold,
    Record,
    Refusal,
    Scalar,
    after_select,
    column_named,
    compile_expression,
    compile_update,
    keeps_state,
    leaves,
    name_columns,
    projection,
    renamed,
)
from migrate.columns.code import argument, build
from migrate.columns.shapes import Int, List
from migrate.frozen import replace
from migrate.graph.operations import source_of_keys
from migrate.graph.program import Operation
from migrate.knowledge.rdd import KEYS_ONCE, SORTS
from migrate.knowledge.streaming import ONE_OF_EACH
from migrate.plan.draft.conditions import sums_for
from migrate.plan.draft.every_interval import need_every_interval
from migrate.plan.draft.needs import Update
from migrate.plan.draft.rule import Merged
from migrate.plan.draft.step import Step
from migrate.plan.elements.column_functions import need_compiled
from migrate.plan.elements.pairs import check_keys, pair
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.frames.stages import Stage, check_not_within
from migrate.plan.frames.tokens import carry_tokens, check_kept, renumbered, tokens_of
from migrate.plan.new_code.code import Call
from migrate.plan.new_code.spark_types import type_name
from migrate.plan.sources.reduce_order import reduce_in_order
from migrate.plan.states.typed_states import is_of_any_order, merged_by, updated_by, with_structs
from migrate.plan.typed.json_keys import of_json_keys
from migrate.plan.typed.returned_names import OF_STATE, with_returned_names
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import is_rdd
from migrate.proofs.values.loop_invariant import is_loop_invariant
from migrate.rules._aggregates import aggregate
from migrate.rules._float_sums import add_in_order, may_be_in_order
from migrate.rules._initial_state import Initial, check_shown, initial_of, initial_pairs, with_others
from migrate.rules._listed_values import listed_values, values_in_any_order
from migrate.rules._register import Example, StateRule, register, state_to_console
from migrate.rules._same import ORDER, is_dealt_out_alike
from migrate.rules._updated import PARAMETERS, updated
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import is_none, parameter_names

WHOLE_ZERO = "a sum of floats that is 0 is shown as 0.0, also where the state function makes it 0"
WHOLE_AS_FLOATS = (
    "a sum of whole numbers that begins with 0.0 is a float, and beyond 2**53 may be rounded in other digits"
)
NO_STATE = "a batch failed at a key that the initial state has not; now the sums of such a key begin at 0"


@register
class UpdateStateByKey(StateRule):
    """A proven fold is an aggregate; any other state function is called for all keys.

    It is a typed function where the types of its states are proven, else it is called on an RDD.

    It is called in every interval unless it is proven to return the last state where there are no new values.
    """

    operator = "updateStateByKey"
    summary = "a running sum by updateStateByKey becomes groupBy().agg() over the stream, in complete mode"
    examples = (
        Example(
            "def update(new, last):\n"
            "    return sum(new) + (last or 0)\n"
            "\n"
            "counts = lines.map(lambda line: (line, 1)).updateStateByKey(update)\n"
            "counts.pprint()",
            'counts = lines.groupBy(F.col("value").alias("line")).count()\n' + state_to_console("counts"),
        ),
        Example(
            "def update(new, last):\n"
            "    return sum(new) + (last or 0)\n"
            "\n"
            "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
            "totals = counts.updateStateByKey(update)\n"
            "totals.pprint()",
            'totals = lines.groupBy(F.col("value").alias("line")).count()\n' + state_to_console("totals"),
        ),
        Example(
            "# where to begin\n"
            "initial = sc.parallelize([])\n"
            "\n"
            "def update(new, last):\n"
            "    return sum(new) + (last or 0)\n"
            "\n"
            "counts = lines.map(lambda line: (line, 1)).updateStateByKey(update, initialRDD=initial)\n"
            "counts.pprint()",
            'counts = lines.groupBy(F.col("value").alias("line")).count()\n' + state_to_console("counts"),
        ),
        Example(
            "def update(new, last):\n"
            "    return sum(new) + (last or 0)\n"
            "\n"
            "counts = lines.map(lambda line: (line, 1)).updateStateByKey(update)\n"
            "counts.pprint()\n"
            "lines.pprint(5)",
            'counts = spark.createDataFrame([], "line string, count bigint")\n'
            "\n"
            "def process_batch(batch, batch_id):\n"
            "    global counts\n"
            "    batch.persist()\n"
            '    added = batch.groupBy(F.col("value").alias("line")).count()\n'
            "    counts = (\n"
            "        counts.union(added)\n"
            '        .groupBy("line").agg(F.sum("count").alias("count"))\n'
            "        .localCheckpoint()\n"
            "    )\n"
            "    counts.show(10, truncate=False)\n"
            "    batch.show(5, truncate=False)\n"
            "    batch.unpersist()\n"
            "\n"
            'query = lines.writeStream.trigger(processingTime="1 second")'
            ".foreachBatch(process_batch).start()",
        ),
        Example(
            "def longest(new, last):\n"
            "    return max(new + [last or 0])\n"
            "\n"
            "longest_lines = lines.map(lambda line: (line[:1], len(line))).updateStateByKey(longest)\n"
            "longest_lines.pprint()",
            'longest_udf = F.udf(longest, "bigint")\n'
            'longest_lines = spark.createDataFrame([], "key string, state bigint")\n'
            "def process_batch(batch, batch_id):\n"
            "    global longest_lines\n"
            "    if batch_id == 0 and batch.isEmpty():  # at the start, before any batch is due\n"
            "        return\n"
            "    added = (\n"
            '        batch.groupBy(F.col("value").substr(1, 1).alias("key"))\n'
            '        .agg(F.collect_list(F.length("value")).alias("value"))\n'
            "    )\n"
            "    longest_lines = (\n"
            '        longest_lines.join(added, "key", "full")  # all keys, also those without new values\n'
            "        .select(\n"
            '            "key", longest_udf(F.coalesce("value", F.array()), "state").alias("state")\n'
            "        )\n"
            "        .localCheckpoint()\n"
            "    )\n"
            "    longest_lines.show(10, truncate=False)",
        ),
    )

    def column(self, step: Step, *frames: Frame) -> Frame:
        frame = frames[0]
        if not frame.within:
            return self._of_columns(step, frame)
        if initial_of(step, step.arguments(*PARAMETERS)) is not None:
            check_not_within(frame)
        return of_json_keys(step, frame, lambda pairs: self._of_columns(step, pairs), is_pair=True)

    def _of_columns(self, step: Step, frame: Frame) -> Frame:
        """The running aggregates of columns."""
        found = step.arguments(*PARAMETERS)
        function = step.function(*PARAMETERS)
        if any(leaf.is_plain for leaf in leaves(pair(frame.element, step)[0])):
            frame = frame.materialised()
        key, value = pair(frame.element, step)
        check_keys(step, key)
        (parent,) = step.operation.parents
        one_each = step.operation in step.basis.kept and _has_each_key_once(parent, step.facts)
        initial = initial_of(step, found)
        in_order = initial is None and may_be_in_order(step)
        fold = compile_update(function, value, step.scope, one_each=one_each, in_order=in_order)
        if step.operation is step.basis.state and sums_for(parent, step.operation):
            if not fold.sums:
                raise Refusal("it counts the sums of batches", function)
            step.need(reasons={parent.use: "a running sum of each batch's sums is one of all values"})
        before = tokens_of(frame.element)
        names = _names(step, fold, function)
        made = Record((key, renamed(fold.element, names[0]) if fold.derived else fold.element))
        check_kept(before, tokens_of(made), function, "the state function")
        need_compiled(step, fold.demands)
        step.partitions(found)
        if fold.fails_at_first:
            if initial is None:
                raise Refusal("it raises an error for a key that has no state", function)
            step.note(NO_STATE)
        if fold.whole_zero:
            check_shown(step, function, WHOLE_ZERO)
        if fold.begins_as_float:
            if step.options.strict:
                raise Refusal("it adds whole numbers to a float, and large ones may be rounded", function)
            step.note(WHOLE_AS_FLOATS)
        if fold.adds_floats:
            add_in_order(step, function, fold)
        if fold.derived and initial is not None:
            raise Refusal("it makes something of the sums of an initial state", function)
        if initial is not None:
            given = initial_pairs(step, initial, *made.items)
            made = Record(with_others(key, fold.element, given))
        step.need(folds={step.operation: (initial, fold)})
        if one_each and fold.is_value:
            return frame
        totals = aggregate(step, frame, made, before)
        if fold.derived:
            step.need(derivations={step.operation: _derived(step, fold, totals.element, names[1])})
        return totals

    def python(self, step: Step, *frames: Frame) -> Frame:
        function, frame = step.function(*PARAMETERS), frames[0]
        found = step.arguments(*PARAMETERS)
        if any(leaf.is_plain for leaf in leaves(pair(frame.element, step)[0])):
            frame = frame.materialised()
        if step.operation not in step.basis.kept or frame.within:
            raise Refusal("the batch function does not keep it", function)
        initial = initial_of(step, found)
        added = self._values(step, frame, function)
        update = updated_by(step, frame, added, function)
        if initial is not None:
            update = _beginning_with(step, update, added, initial)
        step.partitions(found)
        if not keeps_state(function, step.scope):
            need_every_interval(step)
        step.need(updates={step.operation: update})
        return added

    @staticmethod
    def _values(step: Step, frame: Frame, function: ast.expr) -> Frame:
        """The keys of a batch, with lists of their values."""
        key, value = pair(frame.element, step)
        check_keys(step, key)
        if isinstance(value, Record):
            frame = with_structs(frame.elements_only())
            key, value = pair(frame.element, step)
        assert isinstance(value, Scalar)
        (parent,) = step.operation.parents
        if _has_each_key_once(parent, step.facts):
            listed = build(f"F.array({argument(value)})", List(value.shape, 1), value, name=value.name)
            return frame.holding(Record((key, listed))).materialised()
        if is_of_any_order(step, function, value):
            return values_in_any_order(step, frame)
        return listed_values(step, frame, function)

    def rdd(self, step: Step, *rdds: Rdd) -> Rdd:
        function = step.function(*PARAMETERS)
        found = step.arguments(*PARAMETERS)
        initial = initial_of(step, found)
        if initial is not None and not is_loop_invariant(initial, step.facts):
            raise step.blocked("its initial state may be another one where the batch function is made")
        adds = _is_sum(function, step)
        if not (adds or keeps_state(function, step.scope)):
            need_every_interval(step)
        (parent,) = step.operation.parents
        ints = adds and isinstance(rdds[0].value, Int)
        if not (rdds[0].exact or ints or _has_each_key_once(parent, step.facts)):
            reduce_in_order(step, ORDER, merges=False, behind_shuffles=rdds[0].shuffled)
        return replace(rdds[0], shuffled=is_dealt_out_alike(step, rdds))

    def with_initial(self, step: Step, frame: Frame, changed: str) -> Merged:
        node, _ = step.known.folds[step.operation]
        assert node is not None
        initial = initial_pairs(step, node, *self._columns(frame))
        name = step.fresh("initial_state")
        columns = "[" + ", ".join(f'"{leaf.name}"' for leaf in leaves(frame.element)) + "]"
        # a DataFrame of the program's session would not go to Spark Connect's batch function
        first = f"{step.names.batch}.sparkSession.createDataFrame({initial.code}, {columns})"
        other = f'{name}.join({frame.base}, {changed}, "left_semi")' if changed else name
        return Merged(self._merged(step, frame, frame.base, other, initial), name, first, initial.statement)

    def with_state(self, step: Step, added: Stage, name: str) -> Merged:
        if isinstance(added, Rdd):
            return self._with_rdd(step, added, name)
        update = step.known.updates.get(step.operation)
        if update is not None:
            return merged_by(step, update, added, name)
        node, _ = step.known.folds[step.operation]
        initial = None if node is None else initial_pairs(step, node, *self._columns(added))
        fields = ", ".join(f"{leaf.name} {type_name(leaf.shape)}" for leaf in leaves(added.element))
        merged = self._merged(step, added, name, added.base, initial)
        # the checkpoint computes all of it, so no step that may raise is left out
        merged = merged.checkpointed(element=after_select(merged.element))
        pairs = "[]" if initial is None else initial.code
        first = f'{step.names.session}.createDataFrame({pairs}, "{fields}")'
        return Merged(merged, name, first, None if initial is None else initial.statement)

    def _with_rdd(self, step: Step, added: Rdd, name: str) -> Merged:
        """The state of an RDD whose values are unknown: the program's own function updates it."""
        function = step.argument(step.function(*PARAMETERS))
        found = step.arguments(*PARAMETERS)
        initial, number = initial_of(step, found), found.get("numPartitions")
        more = "" if number is None or is_none(number) else f", {step.argument(number)}"
        call = f"{step.helper(updated(step.basis.kept))}({name}, {added.base}, {function}{more})"
        empty = f"{step.names.session}.sparkContext.parallelize([])"
        first = empty if initial is None else quoted(initial)
        # the keys of an initial RDD would lie in another order
        shuffled = added.shuffled and initial is None
        merged = Rdd(call, (), sure=True, shuffled=shuffled, origin=added.origin, is_made=True)
        return Merged(merged, name, first)

    @staticmethod
    def _columns(frame: Frame) -> tuple[Element, Element]:
        assert isinstance(frame.element, Record)
        key, value = frame.element.items
        return key, value

    def _merged(self, step: Step, frame: Frame, base: str, other: str, initial: Initial | None) -> Frame:
        """The sums of two frames of keys and sums, of which one may have had those of an initial state."""
        key, value = self._columns(frame)
        _, fold = step.known.folds[step.operation]
        names = [leaf.name or "value" for leaf in leaves(value)]
        large, below = (initial.is_large, initial.is_below) if initial is not None else (False, False)
        merged = fold.merge(names, step.scope, other=large, below=below)
        need_compiled(step, merged.demands)
        named = name_columns(Record((key, renamed(merged.element, names))))
        assert isinstance(named, Record)
        return replace(frame.named(base), origin=frame.origin).call(
            Call("union", other),
            Call("groupBy", ", ".join(projection(named.items[0]))),
            Call("agg", ", ".join(projection(named.items[1]))),
            shuffles=True,
            element=carry_tokens(named, after_select(named)),
        )


def _names(step: Step, fold: Fold, function: ast.expr) -> tuple[list[str | None], list[str | None]]:
    """The names that a state function returns its sums by, and what it makes of them."""
    sums = [replace(leaf, name=None) for leaf in leaves(fold.element)]
    whole: list[Element] = [*sums]
    for one in fold.derived:
        whole.insert(one.place, sums[0])
    named = with_returned_names(Record(tuple(whole)), function, step, OF_STATE)
    names = [leaf.name for leaf in leaves(named)]
    made = [names.pop(one.place) for one in reversed(fold.derived)]
    own = (name or leaf.name for name, leaf in zip(names, leaves(fold.element), strict=True))
    return list(own), made[::-1]


def _derived(step: Step, fold: Fold, totals: Element, names: Sequence[str | None]) -> Element:
    """The keys and states of running sums, with what the state function makes of these.

    Args:
        step: the ``updateStateByKey``.
        fold: its sums.
        totals: the columns of keys and sums.
        names: the names of what is made of them.
    """
    assert isinstance(totals, Record)
    key, value = totals.items
    sums = [
        # each key has been counted once
        replace(leaf, shape=replace(leaf.shape, low=1))
        if part is None and isinstance(leaf.shape, Int)
        else leaf
        for part, leaf in zip(fold.parts, leaves(value), strict=True)
    ]
    items: list[Element] = [*leaves(value)]
    for one, name in zip(fold.derived, names, strict=True):
        made = compile_expression(one.node, {read: sums[place] for read, place in one.of}, step.scope)
        need_compiled(step, made.demands)
        name = name or ("mean" if _is_mean(fold, one) else None)
        items.insert(one.place, replace(renumbered(made.element, frozenset()), name=name))
    return Record((key, Record(tuple(items))))


def _is_mean(fold: Fold, one: Derivation) -> bool:
    """Whether what is made of sums is one of them through the number of values."""
    if not isinstance(one.node, ast.BinOp) or not isinstance(one.node.op, ast.Div):
        return False
    places = dict(one.of)
    sides = [
        [part.id for part in walk(side) if isinstance(part, ast.Name)]
        for side in (one.node.left, one.node.right)
    ]
    counted = [[fold.parts[places[name]] is None for name in side if name in places] for side in sides]
    return counted == [[False], [True]]


def _beginning_with(step: Step, update: Update, added: Frame, node: ast.expr) -> Update:
    """How a typed function changes a state that an initial one comes before.

    Raises:
        Refusal: a state of that may be none that the function makes.
    """
    state = update.state
    if not isinstance(state, Scalar) or not isinstance(state.shape, Int):
        raise Refusal("with an initial state the states must be whole numbers", node)
    key, _ = pair(added.element, step)
    initial = initial_pairs(step, node, key, state)
    if not state.shape.low <= initial.least <= initial.greatest <= state.shape.high:
        raise Refusal("the initial state has numbers that the state function is not known to make", node)
    return replace(update, initial=initial.code, statement=initial.statement)


def _has_each_key_once(stream: Operation, facts: Facts) -> bool:
    """Whether no batch of a stream has a key twice, so that a state function gets one new value at most."""
    stream = source_of_keys(stream)
    if stream.operator != "transform" or not stream.call.args:
        return stream.operator in ONE_OF_EACH
    function = stream.call.args[0]
    match function:
        case ast.Lambda(body=ast.Call(ast.Attribute(ast.Name(rdd), method))) if method in SORTS:
            is_sorted = [rdd] == parameter_names(function) and len(stream.parents) == 1
            return is_sorted and _has_each_key_once(stream.parents[0], facts)
        case ast.Lambda(body=ast.Call(ast.Attribute(attr=method)) as body):
            return method in KEYS_ONCE and is_rdd(body, set(parameter_names(function)))
    return False


def _is_sum(function: ast.expr, step: Step) -> bool:
    """Whether a state function is a running sum or count of whatever can be added."""
    try:
        compile_update(function, column_named("value", Int()), step.scope)
    except Refusal:
        return False
    return True
