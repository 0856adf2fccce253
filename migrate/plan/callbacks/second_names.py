"""Variables of a callback that would be second names of its DataFrame: ``df = batch``."""

from __future__ import annotations

import ast

from migrate.plan.callbacks.conversion import Conversion


def leave_out_second_names(to: Conversion) -> None:
    """Let a callback read its DataFrame where it made one of its RDD, if both are the same.

    The variable stays where it is bound again, or the parameter's name is another one inside.
    """
    callback = to.callback
    inner = (node for node in callback.walk() if isinstance(node, ast.arg) and node.arg == to.parameter)
    if callback.rebound or callback.binds(to.parameter) or any(inner):
        return
    for value in [node for node, code in to.replaced.items() if code == to.parameter]:
        match to.parents.get(value):
            case ast.Assign(targets=[ast.Name(name)]) as made:
                reads = [*callback.reads(name)]
                if callback.only_binding(name) is None or to.replaced.keys() & {*reads}:
                    continue
                if made in to.guards and not _hands_on_guard(to, made):
                    continue
                del to.replaced[value]
                to.dropped[made] = None
                to.renamed.update(dict.fromkeys(reads, to.parameter))


def _hands_on_guard(to: Conversion, statement: ast.stmt) -> bool:
    """Put what stands above a statement above the next one of its block; whether it can stand there."""
    above = to.parents.get(statement, to.callback.node)
    for block in (getattr(above, name, None) for name in ("body", "orelse", "finalbody")):
        if isinstance(block, list) and statement in block[:-1]:
            below = block[block.index(statement) + 1]
            if below in to.guards or below in to.dropped:
                return False
            to.guards[below] = to.guards.pop(statement)
            return True
    return False
