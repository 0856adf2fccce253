"""Rows of a shuffle that a program reads by their position: they are collected in the order of their keys.

A shuffle promises no order, but the old program had the same one in each batch, by Python's hashes of keys. A
DataFrame has one by Spark's.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.columns import Refusal
from migrate.frozen import dataclass
from migrate.graph.operations import Operation
from migrate.knowledge import rdd, streaming
from migrate.plan.callbacks.keys_by_variables import order_by_variables
from migrate.plan.callbacks.named_keys import Keys, keys_left, named_keys
from migrate.plan.callbacks.old_key_order import order_of_python_2
from migrate.plan.callbacks.rdd_chain import sorted_by_key
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame
from migrate.proofs.callbacks.roles import Callback
from migrate.proofs.elements.read_by_position import read_by_position
from migrate.read.python2.recognition import is_for_3
from migrate.syntax.nodes import code_of, position, walk

READ = "rows of `{call}` are read by position ({reads})"
BY_KEY = (
    f"{READ}: they are sorted by key now{{now}}, where DStream had them in the order of Python's hashes;"
    " check which key each position means, or {better}"
)
AS_IN_2 = ", in the order in which Python 2 had these keys, {}"
AS_READ = ", in the order of the variables that they are read into, {}"
AS_NAMED = ", in the order in which the code names them, {}"
OTHERWISE = (
    f"{READ}, and a shuffle gives them in another order: that of Spark's hashes, not of Python's; sort them"
    " by what tells them apart, or {better}"
)
OF_RDD = (
    f"{READ}, and a shuffle gives them in another order: its RDD has as many partitions as the one before it,"
    " and DStream's had the default parallelism; sort them by what tells them apart, or {better}"
)
AS_BEFORE = f"{READ}: they are sorted by key, which is the order in which Python 2 had these keys: {{old}}"
OF_KEY = "read by key, `dict(rows)[key]`"
IN_LOOP = "do in the loop what is done with each row"
COLLECTING = frozenset({"collect", "take"})
_SHOWN = 4
"""Places in a line of the report."""


def told_reads(call: ast.Call, step: Step) -> dict[str, str]:
    """Where rows that a callback collects are read by position, in words; empty if no shuffle made them.

    Returns:
        The values of the fields of what is told of them.
    """
    methods, shuffle = _methods(call.func, step), _shuffled(step.operation)[0]
    shuffled = shuffle is not None or methods & streaming.SHUFFLES_SEVERAL
    if not shuffled or methods & rdd.SORTS:
        return {}
    reads, program = read_by_position(call, step.facts), step.program
    by_loops = all(isinstance(node, ast.Name | ast.stmt) for node in reads)
    if not reads or (by_loops and shuffle is not None and len(_keys_of(shuffle, step)) == 1):
        return {}
    places = [f"{program.module_of(node).where(position(node)[0])}: {_shown(node)}" for node in reads]
    more = [f"and {len(places) - _SHOWN} more"] if len(places) > _SHOWN else []
    return {
        "call": code_of(call),
        "reads": ", ".join([*places[:_SHOWN], *more]),
        "better": IN_LOOP if by_loops else OF_KEY,
    }


def _shown(node: ast.AST) -> str:
    """A place where rows are read by position, in words."""
    match node:
        case ast.Name():
            return f"`{code_of(node)}`, of the last row"
        case ast.stmt():
            return f"`{code_of(node)}` after the first rows"
    return f"`{code_of(node)}`"


def _keys_of(shuffle: Operation, step: Step) -> Keys:
    """The keys of a shuffle, if the code names them all."""
    return named_keys(shuffle.parents[0], step.facts) if len(shuffle.parents) == 1 else ()


def in_key_order(step: Step, callback: Callback, call: ast.Call, frame: Frame) -> Frame:
    """The DataFrame of an RDD that a callback collects, sorted if its rows are read by position.

    Args:
        step: the output.
        callback: its function.
        call: ``rdd.collect()`` or ``rdd.take(n)``.
        frame: the DataFrame of the RDD.
    """
    words = told_reads(call, step)
    if not words:
        return frame
    shuffle, keyed = _shuffled(step.operation)
    assert isinstance(call.func, ast.Attribute)
    own = (
        isinstance(call.func.value, ast.Name) and call.func.value.id == callback.rdd and not callback.rebound
    ) and _times_collected(callback) == 1  # the rows of all of them have one order
    order = _order(shuffle, call, step) if shuffle is not None and keyed else _Order()
    try:
        if not (own and keyed):
            raise Refusal("its rows have no key of their own", call)
        frame = sorted_by_key(step, frame, down=order.is_down)
    except Refusal:
        step.must_change(OTHERWISE.format(**words))
        return frame
    if order.is_old:
        step.note(AS_BEFORE.format(**words, old=", ".join(map(str, order.keys))))
    else:
        step.must_change(BY_KEY.format(**words, now=order.words))
    return frame


@dataclass(frozen=True)
class _Order:
    """The order of a few keys that a sort by key, up or down, gives."""

    keys: Keys = ()
    is_old: bool = False
    """Whether the old program had them in this order."""
    words: str = ""

    @property
    def is_down(self) -> bool:
        """Whether the last key of the alphabet comes first."""
        texts = sorted(key for key in self.keys if key is not None)
        return len(texts) > 1 and [*self.keys] == texts[::-1]


def _order(shuffle: Operation, call: ast.Call, step: Step) -> _Order:
    """The order that the old program had, or may have been written for, if a sort gives it.

    Python 3 has keys of one partition in the order in which they came, so a program that reads them by
    position was written for Python 2, or takes them to come in the order in which its code names them.
    """
    program = step.program
    named = _keys_of(shuffle, step)
    keys = keys_left(named, _filters(step.operation, shuffle), step.facts)
    if None in keys:
        return _Order()
    in_2 = tuple(key for key in order_of_python_2(shuffle, program, named) if key in keys)
    if _is_sorted(in_2) and all(module.python == 2 for module in program.modules):
        return _Order(in_2, is_old=True)
    if len(keys) == 1:
        return _Order()
    by_variables = order_by_variables(read_by_position(call, step.facts), keys, step.facts)
    if by_variables:
        words = AS_READ.format(", ".join(map(str, by_variables)))
        return _Order(by_variables, words=words) if _is_sorted(by_variables) else _Order()
    only_3 = any(is_for_3(module.source, module.tree) for module in program.modules)
    if _is_sorted(in_2) and not only_3:
        return _Order(in_2, words=AS_IN_2.format(", ".join(map(str, in_2))))
    return _Order(keys, words=AS_NAMED.format(", ".join(map(str, keys)))) if _is_sorted(keys) else _Order()


def _filters(output: Operation, shuffle: Operation) -> Iterator[Operation]:
    """The filters between a shuffle and an output, the last one first."""
    (stream,) = output.parents
    while stream is not shuffle:
        if stream.operator == "filter":
            yield stream
        (stream,) = stream.parents


def _is_sorted(keys: Keys) -> bool:
    """Whether there are keys, in the order of the alphabet or the other way round."""
    texts = sorted(key for key in keys if key is not None)
    return bool(keys) and [*keys] in (texts, texts[::-1])


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
        if not (isinstance(method, ast.Attribute) and method.attr in COLLECTING):
            continue
        if isinstance(call, ast.Call) and (words := told_reads(call, step)):
            step.must_change((OF_RDD if of_rdd else OTHERWISE).format(**words))


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
