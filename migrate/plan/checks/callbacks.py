"""Callbacks: whether they do the same with the batches of Structured Streaming as with those of DStreams.

The RDD of such a batch has the same elements in other partitions and in another order, and an interval
without input may have no batch at all.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass

from migrate.columns import Scope as ColumnScope
from migrate.columns.messages import shown
from migrate.columns.shapes import Shape
from migrate.graph.program import Operation
from migrate.knowledge import rdd, sessions
from migrate.knowledge.builtins import OF_DATA
from migrate.plan.checks.frame_partitions import check_frames, told_of
from migrate.plan.checks.rdd_methods import INDEXED, check_method, pair_value
from migrate.plan.checks.saving import check_saving
from migrate.proofs.analysis.aliases import parameter_of
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import given_to
from migrate.proofs.callbacks.guards import gives_none_without_rows, only_with_rows
from migrate.proofs.callbacks.handed_elements import changes_with_elements_alone
from migrate.proofs.callbacks.mllib import calls_of_models, only_counts
from migrate.proofs.callbacks.outside import acts_without_rows
from migrate.proofs.callbacks.roles import Callback, NotTheSame, is_rdd, is_there, made_of, taker_of
from migrate.proofs.callbacks.rows import Rows
from migrate.proofs.callbacks.side_effects import shared_by, side_effects
from migrate.proofs.callbacks.unread_counters import is_unread_counter
from migrate.proofs.elements.arrival import in_order_of_arrival
from migrate.proofs.partitions import foreach_partition
from migrate.proofs.partitions.idle_partition import is_idle_without_elements
from migrate.proofs.values.column_names import column_scope
from migrate.syntax.nodes import around, code_of, walk
from migrate.syntax.tree import declared_among, goes_on_after, is_only_shown, own_nodes, parameter_names


class WithoutInput(NotTheSame):
    """The callback does something in intervals without input, which may have no batch."""


@dataclass(frozen=True)
class Batches:
    """The batches that a callback is called for."""

    exact: bool = False
    """Whether the RDD's partitions and their order are DStream's too."""
    of_kafka: bool = False
    """Whether each of their partitions with elements is one of Kafka's, as it is with DStream."""
    every_interval: bool = False
    """Whether there is a batch in every interval, with input or without."""
    skips_empty: bool = False
    """Whether what the callback does without input may be left out."""
    of_several: bool = False
    """Whether a batch may have no elements of this source because the input came from another one."""
    of_windows: bool = False
    """Whether they are windows over event time, which end with input only."""
    recovered: bool = False
    """Whether a restart goes on from a checkpoint, which holds what callbacks changed."""


def check(
    callback: Callback,
    facts: Facts,
    scope: ColumnScope,
    batches: Batches,
    value: Shape | None = None,
    *,
    above: frozenset[ast.AST] = frozenset(),
    inner: bool = False,
) -> None:
    """Check that a callback does the same with the batches of Structured Streaming.

    If it reduces elements in their order, `Callback.unordered` says so.

    Args:
        callback: the function.
        facts: the names of its module.
        scope: the same, for the compiler.
        batches: what it is called for.
        value: the shape of the values of an RDD of pairs, if it is known.
        above: the functions that have handed the RDD on to this one.
        inner: whether other code of the callback calls it and reads its result.

    Raises:
        NotTheSame: it depends on partitions or on the order of elements.
        WithoutInput: it depends on batches without input, and on nothing else.
    """
    own = facts.of(callback.node)
    if own is not facts:
        facts, scope = own, column_scope(callback.node.lineno, own)
    above |= {callback.node}
    callback.of_models = calls_of_models(callback, facts)
    _find_rdds(callback)
    parents = callback.parents
    for node in callback.walk():
        if is_only_shown(node, parents, facts.bindings):
            continue
        if isinstance(node, ast.Attribute) and node.attr in rdd.SAVES and _is_derived(node.value, callback):
            check_saving(node, parents.get(node), callback, facts)
        elif isinstance(node, ast.Attribute) and _is_derived(node.value, callback):
            if node.attr == "toDF":
                callback.frames.append(node)
            if batches.exact:
                continue
            first = isinstance(node.value, ast.Name) and node.value.id == callback.rdd
            known = value if first and not callback.rebound else None
            alike = batches.of_kafka and not callback.rebound and _keeps_order(node.value, callback)
            unordered = check_method(node, parents, facts, scope, known, alike=alike)
            callback.per_partition |= told_of(node, facts)
            each = node.attr == "foreachPartition" and (batches.every_interval or batches.of_several)
            each &= not callback.repeated  # a state has partitions without elements on both sides
            if each and not (_is_idle(parents, node, facts) or only_with_rows(node, Rows(callback), parents)):
                raise NotTheSame(foreach_partition.EMPTY)
            if unordered:
                _reduces(callback, node, parents[node], unordered)
        elif isinstance(node, ast.expr) and _is_derived(node, callback):
            if not inner and _is_result(parents.get(node), callback):
                continue  # foreachRDD does not read it, and transform looks at it
            handed = _check_handing_on(node, callback, parents, facts, scope, batches, above, inner=inner)
            if handed is not None:
                callback.frames += handed.frames
                callback.per_partition |= handed.per_partition
                callback.acts_without_rows |= handed.acts_without_rows
                callback.unordered = handed.unordered or callback.unordered
                callback.reducing += handed.reducing
                as_it_came = isinstance(node, ast.Name) and node.id == callback.rdd and not callback.rebound
                callback.shuffled |= handed.shuffled or bool(handed.reducing and not as_it_came)
    if not batches.exact:
        check_frames(callback, facts, lambda node: _is_derived(node, callback))
    _check_state(callback, parents, facts, batches)


def _is_idle(parents: dict[ast.AST, ast.AST], method: ast.Attribute, facts: Facts) -> bool:
    """Whether what ``foreachPartition`` is given does nothing for a partition without elements."""
    call = parents.get(method)
    given = call.args[0] if isinstance(call, ast.Call) and call.args else None
    return given is not None and is_idle_without_elements(given, facts)


def _reduces(callback: Callback, node: ast.Attribute, call: ast.AST, unordered: str) -> None:
    """Note a call whose result depends on the order of elements."""
    assert isinstance(call, ast.Call)
    callback.unordered = unordered
    callback.reducing.append(call)
    callback.shuffled |= callback.rebound or not _keeps_order(node.value, callback)


def _keeps_order(made: ast.expr, callback: Callback) -> bool:
    """Whether an RDD has its elements in the order of the callback's, through local variables too."""
    if is_rdd(made, {callback.rdd}, rdd.KEEPS_ORDER):
        return True
    before = callback.made_as(made_of(made, rdd.KEEPS_ORDER))
    return before is not None and _keeps_order(before, callback)


def _check_state(callback: Callback, parents: dict[ast.AST, ast.AST], facts: Facts, batches: Batches) -> None:
    """Refuse side effects in intervals without input where a query may run no batch then; else note them."""
    if not batches.of_windows:
        for called in acts_without_rows(callback, facts):
            if not (batches.every_interval or batches.skips_empty):
                raise WithoutInput(f"it calls `{called}`, also for a batch without input, which may not come")
            callback.acts_without_rows = True
    rows = Rows(callback)
    for change in side_effects(callback, facts):
        if batches.recovered:
            raise NotTheSame(f"{change.why}, which the checkpoint keeps for the program that goes on from it")
        shows = not (
            only_with_rows(change.where, rows, parents)
            or is_unread_counter(change.where, facts)
            or changes_with_elements_alone(change.where, callback, facts)
        )
        if shows:
            if not (batches.every_interval or batches.skips_empty):
                raise WithoutInput(f"{change.why}, also for a batch without input, which may not come")
            callback.acts_without_rows = True


# --- the RDD ------------------------------------------------------------------------------------------------


def _find_rdds(callback: Callback) -> None:
    found = True
    while found:
        found = False
        for node in callback.walk():
            if (
                isinstance(node, ast.Assign)
                and len(node.targets) == 1
                and isinstance(node.targets[0], ast.Name)
            ):
                name = node.targets[0].id
                if name not in callback.rdds and _is_derived(node.value, callback):
                    callback.rdds.add(name)
                    found = True


def times_read(callback: Callback) -> int:
    """How often a callback may compute its RDD: where it reads it other than to derive an RDD from it."""
    assigned = [node for node in callback.walk() if isinstance(node, ast.Assign)]
    derived = {
        part
        for node in assigned
        if isinstance(node.targets[0], ast.Name) and _is_derived(node.value, callback)
        for part in walk(node.value)
    }
    reads = [
        node for node in callback.walk() if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    ]
    return sum(node.id in callback.rdds_at(node) and node not in derived for node in reads)


def times_computed(callback: Callback, operation: Operation) -> int:
    """How often a callback may compute its RDD.

    Where it is as it came, a row is enough to know that it is not empty, and nothing is worth keeping for it.
    Once, if it is read for an RDD behind a shuffle alone: Spark keeps what that wrote.
    """
    if _is_shuffled_once(callback):
        return 1
    looks = 0
    if in_order_of_arrival(operation):
        named = [
            node
            for node in callback.walk()
            if isinstance(node, ast.Name) and node.id in callback.rdds - callback.hidden_at(node)
        ]
        above = map(callback.parents.get, named)
        looks = sum(isinstance(one, ast.Attribute) and one.attr == "isEmpty" for one in above)
    return times_read(callback) - looks


def _is_shuffled_once(callback: Callback) -> bool:
    """Whether a callback reads its RDD once: ``sums = rdd.map(f).reduceByKey(add)``."""
    reads = [*callback.reads(callback.rdd)]
    if len(reads) != 1 or callback.rebound or any(map(_repeats, around(reads[0], callback.parents))):
        return False
    node: ast.AST = reads[0]
    while isinstance(method := callback.parents.get(node), ast.Attribute) and method.attr in rdd.RDDS:
        call = callback.parents.get(method)
        if not isinstance(call, ast.Call) or call.func is not method:
            return False
        if method.attr in rdd.SHUFFLES_ONCE:
            return True
        if method.attr in rdd.SORTS:
            return False
        node = call
    return False


def _repeats(node: ast.AST) -> bool:
    """Whether what is in a node may run several times."""
    inside = ast.For | ast.While | ast.comprehension | ast.ListComp | ast.GeneratorExp
    return isinstance(node, inside | ast.FunctionDef | ast.Lambda)


def _is_derived(node: ast.AST, callback: Callback) -> bool:
    """Whether an expression is an RDD made from the batch's RDD, alone or with others."""
    if isinstance(node, ast.Name):
        return node.id in callback.rdds_at(node) and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Attribute) and node.attr == "rdd":
        return True  # that of a DataFrame, which may be made of the batch's
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    if node in callback.of_models:
        return any(_is_derived(part, callback) for part in node.args)
    given = (node.func.value, *given_to(node)) if node.func.attr in {*rdd.RDDS, INDEXED} else ()
    return any(_is_derived(part, callback) for part in given)


def _check_handing_on(
    node: ast.expr,
    callback: Callback,
    parents: dict[ast.AST, ast.AST],
    facts: Facts,
    scope: ColumnScope,
    batches: Batches,
    above: frozenset[ast.AST],
    *,
    inner: bool,
) -> Callback | None:
    """Check each use of the RDD beside its methods.

    Returns:
        The function that the RDD is passed to, if it was read and checked, too.
    """
    parent = parents.get(node)
    if isinstance(parent, ast.Attribute | ast.Expr) or _names(parent, callback) or is_there(parent):
        return None
    call = parents.get(parent) if isinstance(parent, ast.keyword) else parent
    if isinstance(call, ast.Call) and call.func is not node:
        if isinstance(call.func, ast.Attribute) and call.func.attr in sessions.TAKES_RDDS | rdd.RDDS:
            return None
        if call in callback.of_models or only_counts(call, facts):
            return None
        target = called_function(call.func, facts)
        names = parameter_names(target.node)[target.bound :] if target is not None else []
        name = parameter_of(node, call, names)
        if target is not None and target.node not in above and name is not None:
            handed = taker_of(target.node, name, bound=target.bound)
            handed.shared = shared_by(call, names, callback, facts) - {handed.rdd}
            rows = Rows(callback)
            handed.with_rows = only_with_rows(call, rows, parents)
            handed.repeated = callback.repeated or not is_rdd(node, rows.rdds, rdd.NO_MORE)
            # a result that is only returned again is not read either
            use = parents.get(call)
            read = inner or not (isinstance(use, ast.Expr) or _is_result(use, callback))
            check(handed, facts, scope, batches, pair_value(node, facts), above=above, inner=read)
            if gives_none_without_rows(handed):
                callback.idle.add(call)
            return handed
    if batches.exact:
        return None
    if not goes_on_after(node, parents, "TypeError") and (why := _why_fails(node, parent, facts)):
        raise NotTheSame(f"{why}: the program fails there as it is")
    if isinstance(call, ast.Call):
        name = ast.unparse(call.func)
        why = "never defined in the files that were read" if _is_undefined(name, facts) else "not followed"
        raise NotTheSame(f"the RDD is handed to `{name}`, which is {why}")
    match parent:
        case ast.Assign([ast.Attribute() | ast.Subscript() as kept]):
            place = ast.unparse(kept)
            raise NotTheSame(f"the RDD is kept in `{place}`, and what becomes of it there is not followed")
    raise NotTheSame(f"what becomes of the RDD in {shown(parent or node)} is not followed")


def _why_fails(node: ast.expr, parent: ast.AST | None, facts: Facts) -> str:
    """Why the code fails that an RDD stands in; empty if that is not known."""
    match parent:
        case ast.For(iter=iterated) | ast.comprehension(iter=iterated) if iterated is node:
            return "an RDD cannot be iterated over"
        case ast.Subscript(value) if value is node:
            return f"an RDD has no items, as `{ast.unparse(parent)}` asks for"
        case ast.Call(function, [first, *_]) if first is node and code_of(function) in OF_DATA:
            own = isinstance(function, ast.Name) and function.id in facts.bindings
            return "" if own else f"`{code_of(function)}` takes no RDD"
    return ""


def _is_undefined(name: str, facts: Facts) -> bool:
    """Whether a name is neither a builtin nor one that the module, or a star import of it, binds."""
    return facts.is_unbound(name) and not hasattr(builtins, name)


def _is_result(above: ast.AST | None, callback: Callback) -> bool:
    """Whether an expression is what the callback itself returns, by what stands above it."""
    return above is None or (isinstance(above, ast.Return) and above in _own_nodes(callback))


def _own_nodes(callback: Callback) -> list[ast.AST]:
    """The nodes of a callback without those of functions and classes in it."""
    return [node for part in callback.body for node in own_nodes(part)]


def _names(statement: ast.AST | None, callback: Callback) -> bool:
    """Whether a statement assigns to a local variable of the callback."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    if statement not in _own_nodes(callback):
        return False
    (target,) = statement.targets
    return isinstance(target, ast.Name) and target.id not in declared_among(callback.walk())
