"""Outputs of which each runs although one above it has failed, as their jobs do on DStreams."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence

from migrate.graph.program import Operation
from migrate.plan.draft.draft import Draft
from migrate.plan.new_code.code import Written
from migrate.plan.query.failed_batches import goes_on
from migrate.syntax.nodes import of_kinds, parsed

Parts = list[list[Written]]


def runs_apart(draft: Draft) -> bool:
    """Whether an output that fails keeps none below it from running."""
    return goes_on(draft) and len(outputs_apart(draft, draft.body.statements)) > 1


def outputs_apart(draft: Draft, statements: Sequence[Written]) -> Parts:
    """The statements of a batch function that catches errors, in parts with a handler each.

    Each part ends with an output. Prints in a row are one: a print alone is no loss.

    Args:
        draft: the plan.
        statements: what the batch function does, in order.

    Returns:
        One part where an output is in a function, or in a branch of the program, and where a part would read
        what another one leaves as it was.
    """
    ends: dict[Operation, int] = {}
    for place, one in enumerate(statements):
        ends |= {stream: place for stream in one.streams if stream.is_output}
    branches = any(when.branch is not None for one in statements for when in one.when)
    if branches or ends.keys() != {*draft.basis.program.outputs}:
        return [[*statements]]
    parts: Parts = []
    begin, last = 0, ""
    for output, end in sorted(ends.items(), key=lambda pair: pair[1]):
        if last == output.operator == "pprint":
            parts[-1] += statements[begin : end + 1]
        else:
            parts.append([*statements[begin : end + 1]])
        begin, last = end + 1, output.operator
    parts[-1] += statements[begin:]
    return [[*statements]] if _reads_what_was(parts) else parts


def _reads_what_was(parts: Parts) -> bool:
    """Whether a part reads a variable that several others bind, of which the last one may have failed."""
    names = [_names(part) for part in parts]
    times = Counter(name for _, bound in names for name in bound)
    return any(times[name] > 1 for read, _ in names for name in read)


def _names(part: Sequence[Written]) -> tuple[set[str], set[str]]:
    """The variables that a part reads before it binds them, and those that it binds."""
    read: set[str] = set()
    bound: set[str] = set()
    for one in part:
        names = of_kinds(parsed(one.text), ast.Name)
        read |= {name.id for name in names if isinstance(name.ctx, ast.Load)} - bound
        bound |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
    return read, bound
