"""Rows of a shuffle that a program reads by their position: they are collected in the order of their keys.

A shuffle promises no order, but the old program had the same one in each batch, by Python's hashes of keys. A
DataFrame has one by Spark's.
"""

from __future__ import annotations

import ast

from migrate.columns import Refusal
from migrate.graph.operations import Operation
from migrate.knowledge import rdd, streaming
from migrate.plan.callbacks.old_key_order import old_key_order
from migrate.plan.callbacks.rdd_chain import sorted_by_key
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.proofs.callbacks.roles import Callback
from migrate.proofs.elements.read_by_position import read_by_position
from migrate.syntax.nodes import code_of, walk

READ = "rows of `{call}` are read by position ({reads})"
BY_KEY = (
    f"{READ}: they are sorted by key now, where DStream had them in the order of Python's hashes{{old}};"
    " check which key each position means, or read by key, `dict(rows)[key]`"
)
OTHERWISE = (
    f"{READ}, and a shuffle gives them in another order: that of Spark's hashes, not of Python's; sort them"
    " by what tells them apart, or read by key, `dict(rows)[key]`"
)
OF_RDD = (
    f"{READ}, and a shuffle gives them in another order: its RDD has as many partitions as the one before it,"
    " and DStream's had the default parallelism; sort them by what tells them apart, or read by key,"
    " `dict(rows)[key]`"
)
AS_BEFORE = f"{READ}: they are sorted by key, which is the order in which Python 2 had these keys: {{old}}"
COLLECTING = frozenset({"collect", "take"})
_SHOWN = 4
"""Places in a line of the report."""


def shown_reads(call: ast.Call, step: Step) -> str:
    """Where rows that a callback collects are read by position, in words; empty if no shuffle made them."""
    methods = _methods(call.func, step)
    shuffled = _shuffled(step.operation)[0] is not None or methods & streaming.SHUFFLES_SEVERAL
    if not shuffled or methods & rdd.SORTS:
        return ""
    reads, program = read_by_position(call, step.facts), step.program
    places = [f"{program.module_of(node).where(node.lineno)}: `{code_of(node)}`" for node in reads]
    more = [f"and {len(places) - _SHOWN} more"] if len(places) > _SHOWN else []
    return ", ".join([*places[:_SHOWN], *more])


def in_key_order(step: Step, callback: Callback, call: ast.Call, frame: Frame) -> Frame:
    """The DataFrame of an RDD that a callback collects, sorted if its rows are read by position.

    Args:
        step: the output.
        callback: its function.
        call: ``rdd.collect()`` or ``rdd.take(n)``.
        frame: the DataFrame of the RDD.
    """
    reads = shown_reads(call, step)
    if not reads:
        return frame
    words = {"call": code_of(call), "reads": reads}
    shuffle, keyed = _shuffled(step.operation)
    assert isinstance(call.func, ast.Attribute)
    own = (
        isinstance(call.func.value, ast.Name) and call.func.value.id == callback.rdd and not callback.rebound
    ) and _times_collected(callback) == 1  # the rows of all of them have one order
    old = old_key_order(shuffle, step.program) if shuffle is not None and keyed else ()
    down = len(old) > 1 and [*old] == sorted(old, reverse=True)
    try:
        if not (own and keyed):
            raise Refusal("its rows have no key of their own", call)
        frame = sorted_by_key(step, frame, down=down)
    except Refusal:
        step.must_change(OTHERWISE.format(**words))
        return frame
    if old and (down or [*old] == sorted(old)):
        step.note(AS_BEFORE.format(**words, old=", ".join(old)))
    else:
        step.must_change(BY_KEY.format(**words, old=f", {', '.join(old)}" if old else ""))
    return frame


def tell_positions(step: Step, callback: Callback, *, of_rdd: bool = False) -> None:
    """Tell where rows of an RDD, which stay as they are, are read by position.

    Args:
        step: the output.
        callback: its function.
        of_rdd: whether RDD code makes them.
    """
    parents = callback.parents
    for read in callback.reads(callback.rdd):
        method = parents.get(read)
        call = parents.get(method) if isinstance(method, ast.Attribute) else None
        if isinstance(method, ast.Attribute) and method.attr in COLLECTING and isinstance(call, ast.Call):
            reads = shown_reads(call, step)
            if reads:
                words = OF_RDD if of_rdd else OTHERWISE
                step.must_change(words.format(call=code_of(call), reads=reads))


def _methods(collecting: ast.expr, step: Step) -> set[str]:
    """The methods that make what is collected: ``rdd.sortBy(f).collect()``, also those behind a variable."""
    found: list[ast.AST] = [*walk(collecting)]
    names = [node.id for node in found if isinstance(node, ast.Name)]
    values = (step.facts.value_of(step.facts.only_binding(name)) for name in names)
    found += (node for value in values if value is not None for node in walk(value))
    return {node.attr for node in found if isinstance(node, ast.Attribute)}


def _times_collected(callback: Callback) -> int:
    """How many calls of a callback give it rows of its RDD."""
    methods = map(callback.parents.get, callback.reads(callback.rdd))
    return sum(isinstance(one, ast.Attribute) and one.attr in COLLECTING | {"first"} for one in methods)


def _shuffled(output: Operation) -> tuple[Operation | None, bool]:
    """The shuffle whose order an output sees, and whether its rows have a key each; None if there is none."""
    (parent,), keyed = output.parents, True
    while parent.operator in streaming.ROWWISE | streaming.ITSELF and len(parent.parents) == 1:
        keyed &= parent.operator in streaming.KEEPS_KEYS
        (parent,) = parent.parents
    if parent.operator not in streaming.SHUFFLES_SEVERAL:
        return None, False
    return parent, keyed and parent.operator in streaming.KEYED
