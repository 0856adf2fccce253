"""Programs that a batch which fails does not end at once: they wait late for their streams, or never."""

from __future__ import annotations

import ast

from migrate.plan.draft.basis import Basis


def logs_errors(basis: Basis) -> bool:
    """Whether DStreams went on with the next batch behind one that failed, if only for a time."""
    return not basis.program.is_waited_for or waits_late(basis)


def waits_late(basis: Basis) -> bool:
    """Whether the program does what takes time between its start and the wait, which raises what failed."""
    program, facts = basis.program, basis.facts
    if program.start is None or not program.is_waited_for:
        return False
    start = program.tree.statement_of(program.start.node)
    block = program.tree.block_of(start)
    waits = {use.node for use in program.lifecycle if use.name.startswith("awaitTermination")}
    for one in block[block.index(start) + 1 :]:
        if isinstance(one, ast.FunctionDef | ast.ClassDef):
            continue
        parts = {*ast.walk(one)}
        if parts & waits:
            return False
        calls = (part for part in parts if isinstance(part, ast.Call))
        loops = any(isinstance(part, ast.While) for part in parts)
        if loops or any(facts.of(call).qualified(call.func) == "time.sleep" for call in calls):
            return True
    return False
