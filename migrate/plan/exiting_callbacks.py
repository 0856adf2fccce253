"""Callbacks that call ``exit()``, which failed their batch: a query's function would never come back."""

from __future__ import annotations

import ast

from migrate.plan.code import Inner
from migrate.plan.step import Step
from migrate.proofs.call_graph import Reached
from migrate.proofs.facts import Facts
from migrate.proofs.roles import Callback
from migrate.syntax.nodes import walk

RAISES = 'raise RuntimeError("exit")  # a query waits for ever for a function that exits'
NOTE = "a callback that exits raises an error instead: DStream failed its batch, a query would wait for ever"
_EXITS = frozenset({"exit", "quit"})


def raise_in_place_of_exits(step: Step, callback: Callback) -> None:
    """Replace the calls that exit by errors, as DStream takes them for.

    Raises:
        Blocked: something else would take an error for its own, or calls the function as well.
    """
    own = {*walk(callback.node)} if isinstance(callback.node, ast.FunctionDef) else set()
    for call, summary in Reached([callback.node], step.facts, handed=False).of(ast.Call):
        if not _exits(call, summary.facts):
            continue
        statement = summary.facts.above[call]
        caught = any(isinstance(node, ast.Try) and call in {*walk(node)} for node in own)
        if call not in own or caught or not isinstance(statement, ast.Expr):
            raise step.blocked(f"`{step.shown(call)}` in its function would leave a query waiting for ever")
        step.need(inner=Inner(before=((statement, RAISES),), dropped=(statement,)))
        step.note(NOTE)


def _exits(call: ast.Call, facts: Facts) -> bool:
    """Whether a call raises `SystemExit`."""
    function = call.func
    if isinstance(function, ast.Name) and function.id in _EXITS:
        return not facts.bindings.get(function.id)
    return facts.qualified(function) == "sys.exit"
