"""A callback on a DataFrame: what of its code is replaced, and the edits of that."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from migrate.syntax.text import Edit
from migrate.plan.stages import Frame
from migrate.plan.step import Step
from migrate.proofs.roles import Callback


@dataclass
class Conversion:
    """A callback on a DataFrame: replacements of its expressions, by node."""

    callback: Callback
    step: Step
    frame: Frame
    parameter: str
    """What the DataFrame is called in the callback."""
    replaced: dict[ast.AST, str] = field(default_factory=dict)
    guards: dict[ast.stmt, str] = field(default_factory=dict)
    """Statements to put before others: what an empty batch does in the original."""
    dropped: set[ast.stmt] = field(default_factory=set)
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)
    frames: dict[str, Frame] = field(default_factory=dict)
    """Local names of RDDs, and the frames that they stand for."""
    sessions: set[str] = field(default_factory=set)
    uses: int = 0
    used_session: bool = False


def edits_of(conversion: Conversion, indent: str) -> list[Edit]:
    """The edits of a callback that is a function of its own."""
    text = conversion.step.plan.text
    edits = [Edit(text.start(node), text.end(node), new) for node, new in conversion.replaced.items()]
    for statement in conversion.dropped:
        start = text.line_start(statement.lineno)
        end = text.line_start((statement.end_lineno or statement.lineno) + 1)
        edits.append(Edit(start, end, ""))
    for statement, guard in conversion.guards.items():
        own = text.indent(statement.lineno)
        where = text.line_start(statement.lineno)
        lines = guard.format(indent=indent).split("\n")
        edits.append(Edit(where, where, "".join(f"{own}{line}{text.newline}" for line in lines)))
    return edits
