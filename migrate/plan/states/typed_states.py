"""States by functions that are no sums: typed functions of a key's new values and its last state.

    update_udf = F.udf(update, "bigint")

    added = batch.groupBy("word").agg(F.collect_list("length").alias("length"))
    longest = (
        longest.join(added, "word", "full")  # all keys, also those without new values
        .select("word", update_udf(F.coalesce("length", F.array()), "state").alias("state"))
        .localCheckpoint()
        .where(F.col("state").isNotNull())  # None drops a key
    )

It is called for all keys, as DStream does: with an empty list for those without new values, and with None for
those without a state. A key is dropped for which it returns None.
"""

from __future__ import annotations

import ast

from migrate.columns import (
    Element,
    Record,
    Refusal,
    Scalar,
    after_select,
    leaves,
    name_columns,
    projection,
    renamed,
)
from migrate.columns.code import build, field_named
from migrate.columns.shapes import Int, Maybe, Nothing, Str, Tuple
from migrate.frozen import replace
from migrate.plan.draft.needs import Update
from migrate.plan.draft.rule import Merged
from migrate.plan.draft.step import Step
from migrate.plan.elements.pairs import pair
from migrate.plan.elements.row_functions import NewLambda
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.row_elements import is_flat
from migrate.plan.new_code.code import Call
from migrate.plan.new_code.spark_types import type_name, type_of
from migrate.plan.typed.result_checks import wrapped, wraps_of
from migrate.plan.typed.returned_names import OF_STATE, with_returned_names
from migrate.plan.typed.typed_calls import declared, declared_lines, names_of, quoted_name
from migrate.proofs.elements.any_order import takes_any_order
from migrate.proofs.elements.rows_as_tuples import takes_row, takes_rows
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import parameter_names
from migrate.typed import Held, Result, Type, result_of_state
from migrate.typed import type_of as type_of_values

ALL = "# all keys, also those without new values"
DROPS = "# None drops a key"
_PAIR = 2


def updated_by(step: Step, frame: Frame, added: Frame, function: ast.expr) -> Update:
    """How the function of ``updateStateByKey`` changes the state.

    Args:
        step: the operator.
        frame: the pairs.
        added: the keys of a batch, with lists of their new values.
        function: the function.

    Raises:
        Refusal: it is not proven to be pure, or states are of no type that a column holds.
    """
    _, value = pair(frame.element, step)
    key, values = pair(added.element, step)
    if any(isinstance(leaf.shape, Maybe | Nothing) for leaf in leaves(key)):
        raise Refusal("None may be among the keys, which no join finds", function)
    assert isinstance(values, Scalar)
    found, drops = _states(step, function, type_of_values(value))
    column = _free("state", added.element)
    if isinstance(found.element, Scalar):
        state: Element = after_select(replace(found.element, name=column))
        type_ = type_name(found.element.shape)
    else:
        returned = with_returned_names(found.element, function, step, OF_STATE)
        named = _named(returned, _definition(step, function))
        state, type_ = _fields(named, column), type_of(named)
    has_tuples = isinstance(value, Record) and not takes_rows(function, step.facts)
    name = _declared(step, function, type_, found, has_tuples=has_tuples)
    given = f"F.coalesce({quoted_name(values.name or 'value')}, F.array()), {quoted_name(column)}"
    return Update(f"{name}({given})", column, state, type_, drops)


def merged_by(step: Step, update: Update, added: Frame, name: str) -> Merged:
    """The state after a batch, which the function updates; see `StateRule.with_state`."""
    key, _ = pair(added.element, step)
    keys = [leaf.name or "key" for leaf in leaves(key)]
    fields = ", ".join(f"{leaf.name} {type_name(leaf.shape)}" for leaf in leaves(key))
    kept = ", ".join(map(quoted_name, keys))
    on = kept if len(keys) == 1 else f"[{kept}]"
    is_column = isinstance(update.state, Scalar)
    state = (
        replace(added.named(name), origin=added.origin)
        .call(
            Call("join", f'{added.base}, {on}, "full"', comment=ALL),
            Call("select", f'{kept}, {update.call}.alias("{update.column}")'),
            shuffles=True,
        )
        .checkpointed(element=Record((after_select(key), update.state)), pending=not is_column)
    )
    if update.drops:
        kept_keys = Call("where", f'F.col("{update.column}").isNotNull()', comment=DROPS)
        state = state.call(kept_keys, filtered=True)
    schema = f"{fields}, {update.column} {update.type}"
    first = f'{step.names.session}.createDataFrame({update.initial}, "{schema}")'
    return Merged(state, name, first, update.statement)


def with_structs(frame: Frame) -> Frame:
    """The frame of pairs with a struct for each value that is a tuple.

    Raises:
        Refusal: it has tuples inside of others.
    """
    named = name_columns(frame.element, frame.hint)
    assert isinstance(named, Record)
    key, value = named.items
    parts = leaves(value)
    if not is_flat(value):
        raise Refusal("the values are tuples inside of others", ast.Constant(None))
    name = _free("value", key)
    code = f"F.struct({', '.join(projection(value))})"
    struct = build(code, Tuple(tuple(part.shape for part in parts)), *parts, name=name)
    return frame.holding(Record((key, struct)))


def _free(name: str, element: Element) -> str:
    """A name that no column of an element has."""
    while name in {one.lower() for one in names_of(element)}:
        name += "_"
    return name


def is_of_any_order(step: Step, function: ast.expr, value: Scalar) -> bool:
    """Whether the state is the same whatever the order of a key's new values, of which none is None."""
    node = _definition(step, function)
    if node is None or isinstance(value.shape, Maybe | Nothing):
        return False
    new = parameter_names(node)[:1]
    is_int, is_text = isinstance(value.shape, Int), isinstance(value.shape, Str)
    facts = step.facts.of(node)
    return bool(new) and takes_any_order(node, new[0], facts, of_ints=is_int, of_texts=is_text)


def _states(step: Step, function: ast.expr, value: Type) -> tuple[Result, bool]:
    """What is known of the states, and whether a key may be dropped."""
    # nothing else holds the list and the state that it is given
    scope = replace(step.scope, new=(Held.ITSELF, Held.ITSELF))
    found, drops = result_of_state(function, value, scope)
    if isinstance(found.element, Record) and found.element.of_object:
        raise Refusal("its state is an object, for which it would be given a row", function)
    if isinstance(found.element, Record) and not is_flat(found.element):
        raise Refusal("its state has tuples inside of others", function)
    return found, drops


def _definition(step: Step, function: ast.expr) -> ast.Lambda | ast.FunctionDef | None:
    """The function itself, as far as it is one of the program."""
    if isinstance(function, ast.Name):
        found = step.scope.functions.get(function.id)
        return found if isinstance(found, ast.FunctionDef) else None
    return function if isinstance(function, ast.Lambda) else None


def _declared(step: Step, function: ast.expr, type_: str, found: Result, *, has_tuples: bool) -> str:
    """The name of the typed function, which is given tuples for the Rows of structs, if it shows which.

    Args:
        step: the operator.
        function: the program's function.
        type_: Spark's name of the type of states.
        found: what is known of them.
        has_tuples: whether it is to be given tuples as new values.
    """
    wraps = wraps_of(step, found)
    wanted = f"{function.id}_udf" if isinstance(function, ast.Name) else "update_udf"
    is_tuple = isinstance(found.element, Record) and not takes_row(function, step.facts, 1)
    if not (is_tuple or has_tuples or wraps):
        return declared(step, function, quoted(function), type_, found, wanted)
    if isinstance(function, ast.Lambda):
        new, last = parameter_names(function)
        lines = [f"{new} = {_TUPLES.format(new)}"] if has_tuples else []
        lines += [f"{last} = {_TUPLE.format(last)}"] if is_tuple else []
        lines.append(f"return {wrapped(quoted(function.body), wraps, new, last)}")
        return declared_lines(step, function, f"{new}, {last}", lines, type_, found, wanted)
    new = _TUPLES.format("new") if has_tuples else "new"
    last = _TUPLE.format("last") if is_tuple else "last"
    made = wrapped(f"{quoted(function)}({new}, {last})", wraps, "new", "last")
    return declared(step, function, NewLambda(("new", "last"), made), type_, found, wanted)


_TUPLES = "list(map(tuple, {}))"
_TUPLE = "{0} and tuple({0})"


def _named(state: Element, node: ast.Lambda | ast.FunctionDef | None) -> Record:
    """A tuple that is a state, with the names that the function unpacks it to: ``total, count = last``.

    Those that it returns it by go before: ``return (total, count, total / count)``.
    """
    assert isinstance(state, Record)
    own = [item.name for item in leaves(state)]
    if not all(own):
        unpacked = _unpacked(node, len(own)) if isinstance(node, ast.FunctionDef) else []
        parts = [f"part{place + 1}" for place in range(len(own))]
        names = [
            name if name.strip("_") else part for name, part in zip(unpacked or parts, parts, strict=True)
        ]
        state = renamed(state, [one or other for one, other in zip(own, names, strict=True)])
    named = name_columns(state)
    assert isinstance(named, Record)
    return named


def _unpacked(node: ast.FunctionDef, number: int) -> list[str]:
    """The names that a function unpacks its last parameter to, if it does; none else."""
    last = parameter_names(node)[-1:]
    for one in walk(node):
        match one:
            case ast.Assign([ast.Tuple(targets)], value) if len(targets) == number:
                names = [target.id for target in targets if isinstance(target, ast.Name)]
                reads = [read.id for read in walk(value) if isinstance(read, ast.Name)]
                if len({*names}) == number and reads == last:
                    return names
    return []


def _fields(named: Record, column: str) -> Record:
    """The items of a tuple that is a state, as the fields of its column."""
    items = [item for item in named.items if isinstance(item, Scalar)]
    return replace(
        named,
        items=tuple(field_named(column, item.name or "", item.shape) for item in items),
    )
