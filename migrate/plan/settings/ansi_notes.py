"""What a program computes in SQL or on columns that was NULL before Spark 4 and raises in ANSI mode."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.model import Module, Options
from migrate.plan.draft.draft import Draft
from migrate.plan.session.ansi import SETTING, computes, is_named
from migrate.plan.session.ansi_changes import is_cast, kinds_of
from migrate.read.reach import reached
from migrate.syntax.nodes import code_of, of_kinds, once, parsed, walk
from migrate.trace import Graph, Trace

TOLD = (
    f"set `{SETTING}` to false if {{}} may come in a batch: the program {{}}, which gave NULL for that "
    "before Spark 4, and in ANSI mode, its default now, ends the query, or the batch where a handler takes "
    "its error"
)
CAUGHT = (
    "{} in ANSI mode where it was NULL before Spark 4, and a handler catches that, so that the "
    "batch ends there and shows nothing; `try_cast` gives NULL"
)
_ALL_TOLD = 3
"""The casts of a program that are told of one by one."""
_KINDS = {
    "casts columns": "what has no value of the type",
    "indexes arrays": "an index beyond the end",
    "divides columns": "a division by zero",
    "compares columns of JSON with numbers": "a text that is no number",
    "sums columns of texts": "a text that is no number",
}
"""What a program does to columns, and what of it is NULL without ANSI mode."""
OWN_COLUMNS = (
    f"`{SETTING}` is set to true, Spark 4's default, also for what the program computes in SQL or on columns "
    "itself: a number beyond the range of its type fails there, where it wrapped before Spark 4"
)


def must_change_for_ansi(trace: Trace, options: Options, files: Sequence[str]) -> tuple[str, ...]:
    """What must change where a program computes on columns itself, and ANSI mode is new to it.

    Args:
        trace: the trace of all modules.
        options: the user's.
        files: those of the program, which may import others.
    """
    if not options.spark.has_ansi or is_named(trace):
        return ()
    modules = {module.relative: module for module in trace.modules}
    trees = {
        path: module.tree if module.origin is None else parsed(module.origin)
        for path, module in modules.items()
    }
    does = ((path, once(tree, kinds_of)) for path, tree in trees.items())
    computing = {path: some for path, some in does if some}
    own = reached(files, modules) if computing else ()
    found = {kind for path in own for kind in computing.get(path, ())}
    kinds = [kind for kind in _KINDS if kind in found]
    if not kinds:
        return ()
    comes = list(dict.fromkeys(_KINDS[kind] for kind in kinds))
    return (TOLD.format(_listed(comes, "or"), _listed(kinds, "and")),)


def ansi_notes(trace: Trace, options: Options, graph: Graph) -> tuple[str, ...]:
    """The casts whose errors a handler of the program takes, where ANSI mode is new to it.

    Args:
        trace: the trace of all modules.
        options: the user's.
        graph: the program, whose files may import others.
    """
    if not options.spark.has_ansi or is_named(trace):
        return ()
    modules = {module.relative: module for module in trace.modules}
    caught = {path: found for path, module in modules.items() if (found := [*_caught(graph.told(module))])}
    own = reached(graph.files, modules) if caught else ()
    casts = [one for path, found in caught.items() if path in own for one in dict.fromkeys(found)]
    if len(casts) > _ALL_TOLD:
        (where, code), *_, (last, _) = casts
        more = f"{where}: `{code}` and {len(casts) - 1} more casts, the last in {last}, raise"
        return (CAUGHT.format(more),)
    return tuple(CAUGHT.format(f"{where}: `{code}` raises") for where, code in casts)


def own_columns_notes(draft: Draft) -> Iterator[str]:
    """The note on what a program computes itself, where ANSI mode is set for new code."""
    basis = draft.basis
    if draft.needs.ansi and not is_named(basis.trace) and any(map(computes, basis.trace.modules)):
        yield OWN_COLUMNS


def _caught(module: Module) -> Iterator[tuple[str, str]]:
    """The casts of columns whose errors a handler takes: where each stands, and its code."""
    tree = module.tree if module.origin is None else parsed(module.origin)
    for tried in of_kinds(tree, ast.Try):
        raised = (node for handler in tried.handlers for node in walk(handler))
        if not tried.handlers or any(isinstance(node, ast.Raise) for node in raised):
            continue
        for node in (node for statement in tried.body for node in walk(statement)):
            if isinstance(node, ast.Call) and is_cast(node):
                yield module.where(node.lineno), code_of(node)


def _listed(parts: list[str], last: str) -> str:
    return f" {last} ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
