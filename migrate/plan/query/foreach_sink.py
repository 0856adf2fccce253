"""Outputs that hand each element to a function, and do nothing else: a query with ``writeStream.foreach``.

``foreachRDD(lambda rdd: rdd.foreach(f))`` pickles ``f`` for each batch, and such a query once, when it
starts: both do the same where nothing that ``f`` takes along changes after that. In both a task calls ``f``
with its rows in their order, an error fails the task, and Spark may try it again from its first row.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from migrate.graph.program import Operation, Program, upstream
from migrate.knowledge.streaming import ITSELF, ROWWISE
from migrate.plan.draft.basis import Basis
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.variables import Variables
from migrate.proofs.callbacks.each_record import each_record
from migrate.proofs.callbacks.roles import NotTheSame, callback_of
from migrate.proofs.pickled import taken_along
from migrate.syntax.nodes import of_kinds

_BESIDE = frozenset({"threading", "_thread", "concurrent", "multiprocessing", "asyncio", "signal", "sched"})
"""Modules by which a program runs code beside its query, which may change what a function takes along."""
_SHARED = frozenset({"accumulator", "broadcast"})
"""Methods that make what a function shares with the driver."""


def foreach_function(basis: Basis) -> ast.expr | None:
    """The function that the graph's only output hands each element to; None where batches are needed.

    Args:
        basis: the graph, with its states.
    """
    program, choices = basis.program, basis.choices
    outputs = program.outputs
    if choices.in_batches or choices.every_interval or basis.options.trigger.is_by_record:
        return None
    if len(outputs) != 1 or outputs[0].operator != "foreachRDD" or basis.several or basis.state or basis.kept:
        return None
    if not all(is_row_by_row(one) for one in upstream(outputs[0]) - {outputs[0]}):
        return None
    if not _starts_here(basis) or not _only_waits(program):
        return None
    function = _handed(outputs[0], basis.facts)
    return function if function is not None and _lasts(function, basis) else None


def is_row_by_row(operation: Operation) -> bool:
    """Whether a stream has a row for some rows of the one that it is made of, or is read as a stream."""
    if operation.is_source:
        return operation.operator != "queueStream"
    return operation.operator in ROWWISE | ITSELF


def _starts_here(basis: Basis) -> bool:
    """Whether the output and the start are below each other in one block, and not in a branch."""
    program, place = basis.program, basis.place
    (output,) = program.outputs
    line = next(line for line in program.lines if output in line.operations)
    elsewhere = (place.attribute, place.assigned, place.passed)
    if program.start is None or line.when or any(part is not None for part in elsewhere):
        return False
    return program.home is program.scope and program.tree.scope_of(line.statement) is program.scope


def _only_waits(program: Program) -> bool:
    """Whether the program does nothing between its start and the end, but waits for an error, or to stop."""
    if not program.is_waited_for:
        return False
    assert program.start is not None
    statement = program.tree.statement_of(program.start.node)
    block = program.tree.block_of(statement)
    names = {use.call: use.name for use in program.lifecycle if use.call is not None}
    below = block[block.index(statement) + 1 :]
    calls = [one.value if isinstance(one, ast.Expr) else None for one in below]
    first, second, *_ = [*(names.get(one, "") if isinstance(one, ast.Call) else "" for one in calls), "", ""]
    if first == "awaitTermination" and _is_forever(below[0]):
        return "stop" not in names.values()
    is_timed = first in ("awaitTermination", "awaitTerminationOrTimeout") and second == "stop"
    return is_timed and [*names.values()].count("stop") == 1 and not stops_gracefully(program)


def stops_gracefully(program: Program) -> bool:
    """Whether the program may wait for the last batches before it stops."""
    stops = [use.call for use in program.lifecycle if use.name == "stop" and use.call is not None]
    given = [node for call in stops for node in (*call.args[1:], *(one.value for one in call.keywords))]
    return any(not (isinstance(node, ast.Constant) and node.value is False) for node in given)


def _is_forever(wait: ast.stmt) -> bool:
    """Whether a call of ``awaitTermination`` has no timeout."""
    return (
        isinstance(wait, ast.Expr)
        and isinstance(wait.value, ast.Call)
        and not wait.value.args + wait.value.keywords
    )


def _handed(output: Operation, facts: Facts) -> ast.expr | None:
    """``f``, in ``lambda rdd: rdd.foreach(f)``."""
    function = output.call.args[0] if output.call.args else None
    if not isinstance(function, ast.Lambda) or function not in facts.above:
        return None
    try:
        each = each_record(callback_of(function), facts)
    except NotTheSame:
        return None
    return each.function if each is not None and each.method == "foreach" else None


def _lasts(function: ast.expr, basis: Basis) -> bool:
    """Whether nothing that a function takes along changes between the start of the query and a batch."""
    program = basis.program
    imported = {name for module in program.modules for name in _imported(module.tree)}
    if imported & _BESIDE or not isinstance(function, ast.Name | ast.Lambda):
        return False
    variables = Variables(program.modules)
    found = variables.functions_of(function)
    variable = variables.of(function) if isinstance(function, ast.Name) else None
    if isinstance(function, ast.Name) and variable is None:
        return function.id in vars(builtins)
    if variable is not None and len(variables.bindings(variable)) != 1:
        return False
    taken = {variable for one in found for variable in taken_along(one, variables)}
    bindings = [one for variable in taken for one in variables.bindings(variable)]
    values = [value for one in bindings for value in variables.values_of(one)]
    return bool(found) and not any(map(_is_shared, values))


def _imported(tree: ast.Module) -> Iterator[str]:
    """The names of the packages that a module imports."""
    for one in of_kinds(tree, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in one.names)
    for other in of_kinds(tree, ast.ImportFrom):
        yield (other.module or "").partition(".")[0]


def _is_shared(value: ast.expr | None) -> bool:
    method = value.func if isinstance(value, ast.Call) else None
    return isinstance(method, ast.Attribute) and method.attr in _SHARED
