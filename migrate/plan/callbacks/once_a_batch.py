"""Callbacks that keep one value of each batch, or take one step of a model with it.

Where batches begin late there are fewer of them, each with more elements.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.plan.callbacks.late_batches import LATE_BATCH, reads_of_rdd
from migrate.plan.draft.draft import Draft
from migrate.proofs.analysis.aliases import root_of
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import code_of, walk
from migrate.syntax.tree import declared_among

ONCE = (
    f"{LATE_BATCH}runs once for all of it, and not once for each interval; go through parts of its rows if"
    " the number of values, or of steps of a model, counts"
)
_STEP = "partial_fit"


def once_a_batch(draft: Draft) -> Iterator[str]:
    """A note on what callbacks do once for each batch of a source, and keep."""
    found: dict[str, None] = {}
    for output in draft.basis.program.outputs:
        for read in reads_of_rdd(output, draft):
            facts = draft.basis.facts.of(read)
            function = facts.home(read)
            if isinstance(function, ast.FunctionDef | ast.Lambda):
                found |= dict.fromkeys(_kept(function, facts))
    if found:
        yield ONCE.format(", ".join(f"`{code}`" for code in found))


def _kept(function: ast.FunctionDef | ast.Lambda, facts: Facts) -> Iterator[str]:
    """The methods by which a function keeps values of a batch in what outlives it: ``scores.append``."""
    inside = walk(function)
    own = {one.id for one in inside if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    own |= {one.arg for one in inside if isinstance(one, ast.arg)}
    own -= declared_among(inside)
    for call in inside:
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr not in (_STEP, "append") or not _names(*call.args) & own:
            continue
        targets = _targets(call, function, own, facts)
        root = root_of(call.func.value)
        if targets is not None and isinstance(root, ast.Name) and root.id not in own - targets:
            yield code_of(call.func)


def _targets(
    call: ast.Call, function: ast.FunctionDef | ast.Lambda, own: set[str], facts: Facts
) -> set[str] | None:
    """The variables of the loops around a call, all of which go through what outlives the function.

    None where one goes through something else, as elements, or it is not certain that the call runs once.
    """
    found: set[str] = set()
    node = facts.above[call]
    while node is not function:
        if isinstance(node, ast.For) and not _names(node.iter) & own:
            found |= _names(node.target)
        elif not isinstance(node, ast.Expr | ast.If | ast.Try | ast.With | ast.Assign):
            return None
        node = facts.above[node]
    return found


def _names(*nodes: ast.expr) -> set[str]:
    return {one.id for node in nodes for one in walk(node) if isinstance(one, ast.Name)}
