"""Free names for new code."""

from __future__ import annotations

import ast
import builtins
import itertools
from collections.abc import Container, Iterator

from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import of_kinds
from migrate.syntax.tree import identifiers

_BUILTINS = frozenset(dir(builtins))


_OTHERS = {
    "batch": ("micro_batch",),
    "batch_time": ("time_of_batch",),
    "frame": ("data_frame",),
    "interval": ("batch_interval",),
    "lines": ("text_lines",),
    "pprint": ("print_batch",),
    "prefix": ("path_prefix",),
    "query": ("streaming_query",),
    "queue": ("waiting",),
    "rdd": ("elements",),
    "rows": ("batch_rows",),
    "started": ("start_time",),
    "ticks": ("heartbeat",),
    "totals": ("running_totals",),
    "window_length": ("length_of_window",),
    "window_slide": ("slide_of_window",),
    "writer": ("stream_writer",),
}
"""What a person would say instead, where a name is taken."""


def free_name(facts: Facts, wanted: str, given: Container[str], *, anywhere: bool = False) -> str:
    """`wanted`, or another word where that name is taken, or one with a number.

    Args:
        facts: the names of the module.
        wanted: the name.
        given: names that other new code has already.
        anywhere: no function of the module may use it, not only that of the batch function.
    """
    names: Iterator[str] = itertools.chain(
        (wanted, *_OTHERS.get(wanted, ())), (f"{wanted}_{number}" for number in itertools.count(2))
    )
    name: str = next(names)
    modules = [module.tree for module in facts.program.modules if module.tree.body] if anywhere else []
    everywhere = [facts.of(tree.body[0]) for tree in modules]
    beside = identifiers(*(module.tree for module in facts.trace.beside if anywhere))
    while (
        name in given
        or name in beside
        or _is_taken(facts, name)
        or any(name in other.identifiers for other in everywhere)
    ):
        name = next(names)
    return name


def _is_taken(facts: Facts, name: str) -> bool:
    """Whether a name is used in the graph's function or its module, where new code stands."""
    if name in _BUILTINS or facts.is_declared_elsewhere(name):
        return True
    bindings = facts.bindings.get(name, ())
    if not bindings:
        return name in facts.loads and all(node.arg != name for node in of_kinds(facts.tree, ast.arg))
    return any(
        facts.above[facts.above[node]] is facts.program.scope
        if isinstance(node, ast.arg)
        else facts.visible(node)
        for node in bindings
    )
