"""Programs that share a module which makes their context: each is planned alone, and all change together.

`streams.py` has ``def source(topic): ...``, and `counts.py` and `alerts.py` call it, each for its own query.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping
from functools import reduce
from operator import or_
from typing import TypeVar

from migrate.codemod.changes import UnwritableError
from migrate.codemod.writing import written
from migrate.decisions.decision import Decision
from migrate.decisions.native import decide_native, tell_uncalled
from migrate.frozen import replace
from migrate.model import READY, Module, Options, Outcome
from migrate.plan.choices import Choices
from migrate.read.reach import reached
from migrate.syntax.nodes import code_of, of_kinds, parsed, parses
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
        try:
            texts = _texts(decisions, modules)
        except UnwritableError as unwritable:
            why = str(unwritable)
            continue
        with_all = {path: text for path, some in texts.items() if (text := _with_all(some)) is not None}
        why = next((_other_code(path, some) for path, some in texts.items() if path not in with_all), "")
        if not why:
            needing = {path: texts[path][text] for path, text in with_all.items()}
            return _together(graph, decisions, with_all, needing)
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


def _texts(decisions: Mapping[str, Decision], modules: Mapping[str, Module]) -> dict[str, dict[str, str]]:
    """The new texts of each file, with a program that needs it so.

    Raises:
        UnwritableError: LibCST cannot take the code of one.
    """
    texts: dict[str, dict[str, str]] = {}
    changed = {path for decision in decisions.values() for path in decision.files}
    for program, decision in decisions.items():
        for path in sorted(changed & reached([program], modules)):
            changes = decision.changes.get(path)
            text = decision.texts.get(path) or (written(changes) if changes else "")
            texts.setdefault(path, {}).setdefault(text, program)
    return texts


def _with_all(texts: Collection[str]) -> str | None:
    """The one of some texts of a file that has what the others have, and functions that they never call."""
    return next((text for text in texts if all(_is_part(other, text) for other in texts)), None)


def _is_part(text: str, whole: str) -> bool:
    """Whether all that a text lacks of another one are functions and imports."""
    if text == whole:
        return True
    if not (text and whole and parses(text) and parses(whole)):
        return False
    (own, imported), (every, brought) = map(_statements, (text, whole))
    code, left = [ast.dump(one) for one in own], iter(map(ast.dump, every))
    lacking = [one for one in every if ast.dump(one) not in code]
    idle = all(isinstance(one, ast.FunctionDef) and not one.decorator_list for one in lacking)
    return idle and imported <= brought and all(one in left for one in code)


def _statements(text: str) -> tuple[list[ast.stmt], set[str]]:
    """The statements of a module, and apart from them what it imports."""
    statements, imported = list[ast.stmt](), set[str]()
    for one in parsed(text).body:
        if isinstance(one, ast.Import | ast.ImportFrom):
            where = f"{'.' * one.level}{one.module or ''}" if isinstance(one, ast.ImportFrom) else ""
            imported |= {f"{where} {ast.dump(name)}" for name in one.names}
        else:
            statements.append(one)
    return statements, imported


def _other_code(path: str, texts: Mapping[str, str]) -> str:
    """Why a file has no text for all of its programs."""
    one, other, *_ = texts.values()
    return OTHER_CODE.format(path, one, other)


def _together(
    graph: Graph, programs: Mapping[str, Decision], texts: Mapping[str, str], needing: Mapping[str, str]
) -> Decision:
    """The decision on a graph whose programs are native, each by itself.

    Args:
        graph: the graph.
        programs: the decision on each program.
        texts: the new text of each file.
        needing: the program that needs it so.
    """
    decisions = [*programs.values()]
    of_file = {path: programs[program] for path, program in needing.items()}
    callers = [one.callers for one in decisions if one.callers is not None]
    not_ready = [one.connect for one in decisions if one.connect not in (None, READY)]
    reasons = [why for one in not_ready if one for why in one.split("; ")]
    return replace(
        decisions[0],
        graph=graph,
        notes=_notes(decisions, texts.values()),
        must_change=_distinct(one.must_change for one in decisions),
        requires=_distinct(one.requires for one in decisions),
        callers=reduce(or_, callers) if callers else None,
        connect="; ".join(_distinct([reasons])) or READY,
        why=_of(graph, [one.why for one in decisions]),
        tiers=_of(graph, [one.tiers for one in decisions]),
        unsafe=frozenset(_of(graph, [dict.fromkeys(one.unsafe) for one in decisions])),
        learnt=frozenset(_of(graph, [dict.fromkeys(one.learnt) for one in decisions])),
        changes={path: one.changes[path] for path, one in of_file.items() if path in one.changes},
        texts={path: one.texts[path] for path, one in of_file.items() if path in one.texts},
        helpers=_distinct(one.helpers for one in decisions),
    )


def _notes(decisions: Collection[Decision], texts: Iterable[str]) -> tuple[str, ...]:
    """The notes of several programs; what one of them never calls is there where another one does."""
    there = {one.name for text in texts for one in parsed(text).body if isinstance(one, ast.FunctionDef)}
    told = {note for one in decisions for note in tell_uncalled(one.uncalled)}
    gone = [name for one in decisions for name in one.uncalled if name not in there]
    notes = (note for note in _distinct(one.notes for one in decisions) if note not in told)
    return (*notes, *tell_uncalled(tuple(dict.fromkeys(gone))))


def _of(graph: Graph, found: Iterable[Mapping[Use, Value]]) -> dict[Use, Value]:
    """What is known of calls, which each program's own trace has found, by the graph's uses."""
    uses = {use.node: use for use in graph.uses}
    return {uses[use.node]: value for one in found for use, value in one.items() if use.node in uses}


def _distinct(several: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for some in several for one in some))
