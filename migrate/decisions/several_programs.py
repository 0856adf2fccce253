"""Programs that share a module which makes their context: each is planned alone, and all change together.

`streams.py` has ``def source(topic): ...``, and `counts.py` and `alerts.py` call it, each for its own query.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import TypeVar

from migrate.codemod.changes import UnwritableError
from migrate.codemod.writing import written
from migrate.decisions.decision import Decision
from migrate.decisions.native import decide_native
from migrate.frozen import replace
from migrate.model import READY, Module, Options, Outcome
from migrate.plan.choices import Choices
from migrate.read.reach import reached
from migrate.syntax.nodes import code_of, of_kinds
from migrate.trace import Graph, Trace, Use, trace

OF_ONE = "`{}`, one of the programs that share {}: {}"
OTHER_CODE = (
    "{} would need other code for {} than for {}: give each what it alone needs in its own file, or make the "
    "calls alike"
)
_IMPORTING = frozenset({"__import__", "import_module", "run_module", "run_path", "exec", "execfile"})
"""Calls that run a module, which may be one that the program chooses."""
Value = TypeVar("Value")


def decide_programs(graph: Graph, found: Trace, options: Options) -> Decision | None:
    """The decision on a graph of several programs; None if it is one program's.

    The new code of a module that they share is the same for each of them, or all stay on compat.
    """
    modules = {module.relative: module for module in found.modules}
    programs = _programs(graph, modules)
    shared = sorted(set.intersection(*programs.values())) if len(programs) > 1 else []
    whole = {*graph.files} == {path for own in programs.values() for path in own}
    if not (shared and whole) or _run_in_one({*programs}, modules):
        return None
    alone = {path: _alone(own, graph, found) for path, own in programs.items()}
    if None in alone.values():
        return None
    why, choices = "", Choices()
    for for_others in (False, False, True):  # as each would be, with what one of them needs, with all
        choices |= Choices(for_others=for_others)
        decisions = {path: decide_native(*one, options, choices) for path, one in alone.items() if one}
        choices = reduce(or_, (one.choices.of_sources for one in decisions.values() if one.choices), choices)
        for path, decision in decisions.items():
            if decision.outcome is not Outcome.NATIVE:
                reasons = [OF_ONE.format(path, ", ".join(shared), reason) for reason in decision.reasons]
                return Decision(graph, Outcome.COMPAT, (why,) if why else tuple(reasons))
        why = _needs_other_code(decisions, modules)
        if not why:
            return _together(graph, [*decisions.values()])
    return Decision(graph, Outcome.COMPAT, (why,))


def _alone(own: Collection[str], graph: Graph, found: Trace) -> tuple[Graph, Trace] | None:
    """The graph of one of several programs, whose files are `own`, as if there were no others."""
    others = {*graph.files}.difference(own)
    beside = tuple(one for one in found.modules if one.relative in others)
    left = [one for one in found.modules if one.relative not in others]
    traced = replace(trace(left), beside=beside)
    graphs = [one for one in traced.graphs if any(path in own for path in one.files)]
    return (graphs[0], traced) if len(graphs) == 1 else None


def _programs(graph: Graph, modules: Mapping[str, Module]) -> dict[str, set[str]]:
    """The files of a graph that no other one of it imports, with all of its files that each reaches."""
    reach = {path: reached([path], modules) & {*graph.files} for path in graph.files}
    imported = {other for path, own in reach.items() for other in own - {path}}
    return {path: own for path, own in reach.items() if path not in imported}


def _run_in_one(programs: set[str], modules: Mapping[str, Module]) -> bool:
    """Whether some module may import more than one of some programs, which then run in one process."""
    calls = (call for module in modules.values() for call in of_kinds(module.tree, ast.Call))
    chosen = any(
        code_of(call.func).rpartition(".")[2] in _IMPORTING and not _is_named(call) for call in calls
    )
    return chosen or any(len(programs & reached([path], modules)) > 1 for path in modules)


def _is_named(call: ast.Call) -> bool:
    return bool(call.args) and isinstance(call.args[0], ast.Constant)


def _needs_other_code(decisions: Mapping[str, Decision], modules: Mapping[str, Module]) -> str:
    """Why the programs of some decisions cannot share a file; empty if they can."""
    texts: dict[str, dict[str, str]] = {}
    changed = {path for decision in decisions.values() for path in decision.files}
    for program, decision in decisions.items():
        for path in sorted(changed & reached([program], modules)):
            changes = decision.changes.get(path)
            try:
                text = decision.texts.get(path) or (written(changes) if changes else "")
            except UnwritableError as unwritable:
                return str(unwritable)
            texts.setdefault(path, {}).setdefault(text, program)
    for path, programs in texts.items():
        if len(programs) > 1:
            one, other, *_ = programs.values()
            return OTHER_CODE.format(path, one, other)
    return ""


def _together(graph: Graph, decisions: Sequence[Decision]) -> Decision:
    """The decision on a graph whose programs are native, each by itself."""
    callers = [one.callers for one in decisions if one.callers is not None]
    not_ready = [one.connect for one in decisions if one.connect not in (None, READY)]
    reasons = [why for one in not_ready if one for why in one.split("; ")]
    return replace(
        decisions[0],
        graph=graph,
        notes=_distinct(one.notes for one in decisions),
        must_change=_distinct(one.must_change for one in decisions),
        requires=_distinct(one.requires for one in decisions),
        callers=reduce(or_, callers) if callers else None,
        connect="; ".join(_distinct([reasons])) or READY,
        why=_of(graph, [one.why for one in decisions]),
        tiers=_of(graph, [one.tiers for one in decisions]),
        unsafe=frozenset(_of(graph, [dict.fromkeys(one.unsafe) for one in decisions])),
        learnt=frozenset(_of(graph, [dict.fromkeys(one.learnt) for one in decisions])),
        changes={path: one for decision in decisions for path, one in decision.changes.items()},
        texts={path: text for decision in decisions for path, text in decision.texts.items()},
        helpers=_distinct(one.helpers for one in decisions),
    )


def _of(graph: Graph, found: Iterable[Mapping[Use, Value]]) -> dict[Use, Value]:
    """What is known of calls, which each program's own trace has found, by the graph's uses."""
    uses = {use.node: use for use in graph.uses}
    return {uses[use.node]: value for one in found for use, value in one.items() if use.node in uses}


def _distinct(several: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for some in several for one in some))
