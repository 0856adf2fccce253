"""Skip an empty first batch where a callback tells it from an RDD without partitions."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Mapping

from migrate.knowledge import models, sessions
from migrate.knowledge.rdd import FAILS_EMPTY, FAILS_UNPARTITIONED
from migrate.plan.draft.step import Step
from migrate.proofs.analysis.call_graph import Reached
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.guards import only_with_rows
from migrate.proofs.callbacks.learnt_columns import names_missing_columns
from migrate.proofs.callbacks.roles import Callback, forwarded, is_rdd, taker_of
from migrate.proofs.callbacks.rows import Rows
from migrate.syntax.tree import parameter_names, tries_around

NO_VALUE = (
    "an interval without input failed, as the callback reads a variable that only a loop over the elements "
    "gives a value; no batch runs for it now, unless something else wants one"
)
_FAILING = FAILS_EMPTY | sessions.FAILS_EMPTY | models.FAILS_EMPTY
"""Methods that fail on an RDD without elements, or that may."""


def skip_first_batch(step: Step, callback: Callback, made: Container[ast.AST] = ()) -> None:
    """Skip an empty first batch, where a DStream has none and an RDD without partitions after it.

    What fails for any RDD without elements, and is caught, does so in both.

    Args:
        step: the operator that the callback is given to.
        callback: the function.
        made: the calls that become a DataFrame, which may have no rows.
    """
    handed = forwarded(callback, step.facts)
    if handed is not None:
        callback = handed.callback
        step = step.within(callback.node)
    rows, parents = Rows(callback), callback.parents
    own = [
        node
        for node in callback.walk()
        if isinstance(node, ast.Attribute | ast.Name) and not _makes_frame(node, parents, made)
    ]
    telling = [
        node
        for node in own
        if (_tells(node) and not _has_schema(node, parents, step.facts))
        or called_function(node, step.facts) is not None
    ]
    without_rows = [node for node in telling if not only_with_rows(node, rows, parents)]
    named, raised = _attributes(without_rows, parents, step.facts)
    fails = (named & FAILS_UNPARTITIONED) | (raised & _FAILING)
    unbound = any(not only_with_rows(read, rows, parents) for read in rows.reads_behind_loops)
    if unbound:
        step.note(NO_VALUE)
    fails_at_first = bool(fails) and "isEmpty" not in named
    fails_at_first |= _reads_missing(callback, step.facts, frozenset())
    if unbound or fails_at_first or names_missing_columns(callback):
        step.need(first_guard=True)


def _reads_missing(callback: Callback, facts: Facts, inside: frozenset[ast.AST]) -> bool:
    """Whether a callback, or a function that it calls, reads an item of what has none without elements."""
    rows, parents, around = Rows(callback), callback.parents, inside | {callback.node}
    for node in callback.walk():
        inner = _called_with(node, callback, rows, facts) if isinstance(node, ast.Call) else None
        fails = rows.fails_without(node) or (
            inner is not None
            and inner.node not in around
            and _reads_missing(inner, facts.of(inner.node), around)
        )
        if fails and not _is_caught(node, parents) and not only_with_rows(node, rows, parents):
            return True
    return False


def _called_with(call: ast.Call, callback: Callback, rows: Rows, facts: Facts) -> Callback | None:
    """A function of the program that is given RDDs, or what was collected of one."""
    target = called_function(call.func, facts)
    if target is None:
        return None
    given = [*zip(parameter_names(target.node)[target.bound :], call.args, strict=False)]
    rdds = {name for name, value in given if is_rdd(value, callback.rdds_at(call))}
    elements = {name for name, value in given if rows.are_elements(value)}
    if not rdds | elements:
        return None
    taker = taker_of(target.node, min(rdds, default=""), bound=target.bound)
    taker.rdds, taker.elements = rdds, elements
    return taker


def _attributes(
    nodes: Iterable[ast.AST], parents: Mapping[ast.AST, ast.AST], facts: Facts
) -> tuple[set[str], set[str]]:
    """The attributes of nodes and of the functions that they name, and those whose errors nobody catches."""
    named: set[str] = set()
    raised: set[str] = set()
    for node in nodes:
        called = called_function(node, facts) if isinstance(node, ast.expr) else None
        caught = _is_caught(node, parents)
        if isinstance(node, ast.Attribute):
            named.add(node.attr)
            raised |= set() if caught else {node.attr}
        if called is not None:
            for one, summary in Reached([called.node], facts).of(ast.Attribute):
                if _has_schema(one, summary.facts.above, summary.facts):
                    continue
                named.add(one.attr)
                raised |= set() if caught or _is_caught(one, summary.facts.above) else {one.attr}
    return named, raised


def _makes_frame(
    node: ast.Attribute | ast.Name, parents: Mapping[ast.AST, ast.AST], made: Container[ast.AST]
) -> bool:
    """Whether a method is that of a call which becomes a DataFrame: ``rdd.toDF()``."""
    makes = sessions.FAILS_EMPTY | {"toDF"}
    return isinstance(node, ast.Attribute) and node.attr in makes and parents.get(node) in made


def _has_schema(node: ast.expr, above: Mapping[ast.AST, ast.AST], facts: Facts) -> bool:
    """Whether a method is ``createDataFrame(rdd, StructType(...))``, which needs no element for the types."""
    call = above.get(node)
    if not (
        isinstance(node, ast.Attribute) and node.attr == "createDataFrame" and isinstance(call, ast.Call)
    ):
        return False
    schema = next((one.value for one in call.keywords if one.arg == "schema"), None)
    schema = call.args[1] if len(call.args) > 1 else schema
    if isinstance(schema, ast.Name):
        schema = facts.value_of(facts.only_binding(schema.id))
    match schema:
        case ast.Call(ast.Name("StructType") | ast.Attribute(attr="StructType")) | ast.Constant(str()):
            return True
    return False


def _is_caught(node: ast.AST, above: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a handler of its function may catch what a node raises."""
    return any(one.handlers for one in tries_around(node, above))


def _tells(node: ast.expr) -> bool:
    """Whether an expression is a method that may fail without elements, or that asks for some."""
    return isinstance(node, ast.Attribute) and node.attr in _FAILING | FAILS_UNPARTITIONED | {"isEmpty"}
