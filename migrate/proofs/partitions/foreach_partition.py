"""Functions of ``foreachPartition``: whether their effect depends on the partitions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.proofs.analysis.aliases import root_of
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import How, Summary, is_call_of, summary_of
from migrate.proofs.callbacks.guards import is_in_handler, only_with_rows
from migrate.proofs.callbacks.outside import acts_without_rows
from migrate.proofs.callbacks.roles import Callback, FunctionNode
from migrate.proofs.callbacks.rows import Rows
from migrate.proofs.functions.left_over import left_over
from migrate.proofs.functions.new_objects import holds_new, is_new
from migrate.proofs.partitions.chunks import in_chunks
from migrate.proofs.partitions.collected_partition import collected_in, only_inserted, shows_nothing
from migrate.syntax.nodes import children, end_of, parents_of, position, walk
from migrate.syntax.tree import is_only_shown, parameter_names

WHY = (
    "the function of `foreachPartition` does more with its iterator than to go through it: a partition "
    "without elements may be there on one side only"
)
KEEPS = (
    "the function of `foreachPartition` keeps something from element to element, which shows how they are "
    "dealt out to partitions"
)
ACTS = (
    "the function of `foreachPartition` calls `{}` once per partition, outside of its loop over elements: "
    "a query has another number of partitions, also of such without elements; a call for each element, or "
    "one per batch in the callback, can be rewritten"
)
PRINTS = (
    "the function of `foreachPartition` prints once per partition, on an executor: a query has another "
    "number of partitions, also of such without elements"
)
CATCHES = (
    "the function of `foreachPartition` catches errors: what one of them ends, and how often they are "
    "handled, depends on the partitions, and a query has other ones"
)
EMPTY = "`foreachPartition` is called for a partition without elements, which a query has in every interval"


def why_not(function: ast.expr | None, facts: Facts, *, alike: bool = False) -> str:
    """Why the effect of a function depends on the partitions; empty if it only goes through the elements.

    Args:
        function: what takes the iterator.
        facts: the names of a module.
        alike: whether each partition with elements is the old program's, and only empty ones may be missing.
    """
    once = _called_once(function, facts)
    acts = (
        (*acts_without_rows(once, facts, on_errors=False), *_own_files(once, facts))
        if once is not None
        else ()
    )
    if acts:
        return ACTS.format(acts[0])
    pending: list[tuple[ast.expr | None, int, Facts]] = [(function, 0, facts)]
    seen: set[tuple[ast.AST, int]] = set()
    while pending:
        given, position, place = pending.pop()
        called = called_function(given, place) if given is not None else None
        node = called.node if called is not None else given
        names = parameter_names(node) if isinstance(node, ast.Lambda | ast.FunctionDef) else []
        if called is not None and called.bound:
            names = names[1:]
        if node is None or position >= len(names):
            return WHY
        if (node, position) not in seen:
            seen.add((node, position))
            why = _why_not(summary_of(node, place), names[position], pending, alike=alike)
            if why:
                return why
    return ""


def told_of(function: ast.expr | None, facts: Facts) -> frozenset[str]:
    """The notes on what a function does once per partition, also for one without elements."""
    once = _called_once(function, facts)
    if once is None:
        return frozenset()
    rows = Rows(once)
    printed = [node for node in once.walk() if isinstance(node, ast.Call) and is_call_of(node, "print")]
    shown = [call for call in printed if not only_with_rows(call, rows, once.parents)]
    plain = [call for call in shown if not is_in_handler(call, once.parents)]
    acts = [*acts_without_rows(once, facts)] != [*acts_without_rows(once, facts, on_errors=False)]
    notes = {PRINTS: bool(plain), CATCHES: acts or len(plain) < len(shown)}
    return frozenset(note for note, holds in notes.items() if holds)


def _own_files(once: Callback, facts: Facts) -> Iterator[str]:
    """The calls that make a file whose name differs by partition: ``open(str(uuid4()), "a")``."""
    facts = facts.of(once.node)
    rows = Rows(once)
    for call in once.walk():
        if not (isinstance(call, ast.Call) and is_call_of(call, "open") and len(call.args) > 1):
            continue
        mode, path = call.args[1], walk(call.args[0])
        makes = isinstance(mode, ast.Constant) and set(str(mode.value)) & set("ax")
        differs = any(
            isinstance(part, ast.Call) or (isinstance(part, ast.Name) and facts.home(part) is once.node)
            for part in path
        )
        if makes and differs and not only_with_rows(call, rows, once.parents):
            yield "open"


def _called_once(function: ast.expr | None, facts: Facts) -> Callback | None:
    """The function that is called with the iterator of each partition, if its code is known."""
    called = called_function(function, facts) if function is not None else None
    node = called.node if called is not None else function
    bound = called is not None and called.bound
    names = parameter_names(node)[bound:] if isinstance(node, FunctionNode) else []
    if not isinstance(node, FunctionNode) or not names:
        return None
    return Callback(node, names[0], None, elements={names[0]}, bound=bound)


def _why_not(
    summary: Summary, iterator: str, pending: list[tuple[ast.expr | None, int, Facts]], *, alike: bool
) -> str:
    """The same for one function; functions that get its iterator are added to `pending`."""
    above = parents_of(summary.facts.tree)
    reads = [name for name in summary.of(ast.Name) if name.id == iterator]
    for name in reads:
        parent, collected = above[name], collected_in(name, summary.facts)
        if isinstance(parent, ast.For) and parent.iter is name:
            if _keeps(summary, parent, iterator, alike=alike):
                return KEEPS
        elif collected is not None and only_inserted(collected.id, set(), summary, iterator):
            continue
        elif alike and collected is not None:
            if not _only_looks(collected, summary, iterator):
                return WHY
        elif isinstance(parent, ast.comprehension) and parent.iter is name:
            made = above[above[parent]]
            if not (isinstance(made, ast.Expr) or made is summary.node):
                return KEEPS
        elif isinstance(parent, ast.Call) and name in parent.args and not parent.keywords:
            if not is_only_shown(name, above, summary.facts.bindings):
                pending.append((parent.func, parent.args.index(name), summary.facts))
        else:
            return WHY
    return ""


def _keeps(summary: Summary, loop: ast.For, iterator: str, *, alike: bool) -> bool:
    """Whether something of a function's own lasts from element to element, or not all elements are read.

    Where partitions are alike it may, if nothing shows what is left of it behind a loop without elements.
    """
    inside = set(walk(loop))
    if summary.of(ast.Global, ast.Nonlocal) or any(n.id == "TaskContext" for n in summary.of(ast.Name)):
        return True
    leaves = bool(loop.orelse) or _breaks(loop) or any(node in inside for node in summary.of(ast.Return))
    if leaves and (not alike or loop.orelse):
        return True
    kept = _kept(summary, loop, inside, iterator)
    if not alike:
        names = (name for name in summary.of(ast.Name) if name not in inside)
        return bool(kept) or bool(left_over(loop) - {name.id for name in names})
    given = {argument.arg for argument in summary.of(ast.arg)}
    behind = [name for name in kept if position(name) > end_of(loop)]
    own = all(summary.owns(name) and name.id not in given for name in kept)
    return not own or not all(shows_nothing(name, summary.node, iterator) for name in behind)


def _kept(summary: Summary, loop: ast.For, inside: set[ast.AST], iterator: str) -> list[ast.Name]:
    """The reads of what a loop keeps and does not insert: what it grows, and behind it what it bound last."""
    made, methods = _made(summary, inside, iterator)
    grown, updates = _grown(summary, inside)
    for call in summary.of(ast.Call):
        if call in inside and isinstance(call.func, ast.Name):
            grown |= methods.get(call.func.id, set())
    last = {name.id for name in summary.of(ast.Name) if name in inside and isinstance(name.ctx, ast.Store)}
    after = end_of(loop)
    kept = [
        name
        for name in summary.of(ast.Name)
        if isinstance(name.ctx, ast.Load) and name not in updates
        if name.id in made & grown or (name.id in last and position(name) > after)
    ]
    inserted = {
        name.id for name in kept if name.id not in last and only_inserted(name.id, updates, summary, iterator)
    }
    inserted |= in_chunks(loop, summary)
    return [name for name in kept if name.id not in inserted]


def _only_looks(collected: ast.Name, summary: Summary, iterator: str) -> bool:
    """Whether a function does nothing with the list of its elements where it is empty but ask if it is."""
    facts = summary.facts
    named = [name for name in summary.of(ast.Name) if name.id == collected.id]
    reads = [name for name in named if isinstance(name.ctx, ast.Load)]
    if len(named) - len(reads) != 1 or not summary.owns(collected):
        return False
    for read in reads:
        parent = facts.above[read]
        if isinstance(parent, ast.For) and parent.iter is read:
            if _keeps(summary, parent, iterator, alike=True):
                return False
        elif not shows_nothing(read, summary.node, iterator):
            return False
    return True


def _breaks(loop: ast.For) -> bool:
    """Whether a ``break`` ends a loop, and not one inside of it."""
    pending: list[ast.AST] = [*loop.body]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, ast.For | ast.AsyncFor | ast.While):
            pending += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            pending += children(node)
    return False


def _made(summary: Summary, inside: set[ast.AST], iterator: str) -> tuple[set[str], dict[str, set[str]]]:
    """Variables with an object for all elements, and those of bound methods: ``add = rows.append``."""
    facts = summary.facts
    made = {argument.arg for argument in summary.of(ast.arg)} - {iterator}
    made |= {name.id for name in summary.of(ast.Name) if not summary.owns(name) and holds_new(name, facts)}
    methods: dict[str, set[str]] = {}
    for node in summary.nodes:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node not in inside and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {name.id for target in targets for name in walk(target) if isinstance(name, ast.Name)}
            parts = {name.id for name in walk(node.value) if isinstance(name, ast.Name)} & made
            if parts or is_new(node.value, facts):
                made |= names
            methods.update(dict.fromkeys(names, parts))
    return made, methods


def _grown(summary: Summary, inside: set[ast.AST]) -> tuple[set[str], set[ast.AST]]:
    """The variables that a loop changes, themselves or their objects, and the reads that only serve that."""
    grown: set[str] = set()
    updates: set[ast.AST] = set()
    for update in summary.updates:
        root = root_of(update.target)
        if update.where in inside and isinstance(root, ast.Name):
            grown.add(root.id)
            updates |= {root} if update.how is How.METHOD else set()
    for reference, _ in summary.references:
        if reference in inside:
            call = summary.facts.above[reference]
            given = call.args if isinstance(call, ast.Call) and call.func is reference else []
            holders = [*given, *([reference.value] if isinstance(reference, ast.Attribute) else [])]
            grown |= {holder.id for holder in holders if isinstance(holder, ast.Name)}
    return grown, updates
