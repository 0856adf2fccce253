"""The decision on one graph, as if no other shared its files: native, compat or manual."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from migrate.codemod.native import native_changes
from migrate.decisions.decision import Decision
from migrate.decisions.given_contexts import TOGETHER, fixtures_given
from migrate.decisions.native import OUTSIDE, decide_native, located
from migrate.decisions.resets import names_taken_away
from migrate.decisions.several_programs import decide_programs
from migrate.decisions.shared_stores import emptied, settle_stores, without_stores
from migrate.decisions.unknown_contexts import AS_GIVEN, imports_nothing, of_undefined
from migrate.frozen import replace
from migrate.graph.cassandra import is_saved, needs_library
from migrate.graph.cassandra_dicts import is_native_alone, told_of_dicts
from migrate.graph.connectors import callers_of, compat_told
from migrate.knowledge.streaming import rule_id
from migrate.model import Module, Options, Outcome
from migrate.plan.compat import connector_helpers, obstacles, unread
from migrate.plan.modules.unused_connectors import unused_connectors
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.read.marks import ignored_lines
from migrate.read.python2 import python2_helpers
from migrate.trace import Graph, Trace

CONNECTING = "{} imports a connector that is gone, or that only DStreams have"
RANGES = "offsetRanges"
ASSUMED = (
    "--assume-compat: what makes its context, or gets one from it, must be on `compat.streaming`, too; where "
    "it is not, the program fails"
)


def decide_alone(graph: Graph, found: Trace, modules: dict[str, Module], options: Options) -> Decision:
    """The decision on a graph of `modules`, which stand under their paths."""
    ignored = _ignored(graph)
    if ignored is not None:
        return Decision(graph, Outcome.MANUAL, (ignored,), ignored=True)
    connecting = connector_helpers(graph.files, modules)
    unused = unused_connectors(connecting, modules, found)
    helpers = tuple(dict.fromkeys((*python2_helpers(graph.files, modules), *connecting)))
    outside = [path for path in (*graph.files, *helpers) if modules[path].outside]
    if outside:
        return Decision(graph, Outcome.MANUAL, (OUTSIDE.format(", ".join(outside)),), marked=False)
    unproven = [
        (None, why if path == graph.files[0] else f"{path}, {why}")
        for path in (*graph.files, *helpers)
        for why in modules[path].limits
    ]
    elsewhere = tuple(dict.fromkeys(unread(graph)))
    fixtures = fixtures_given(graph, modules, found.scopes) if elsewhere else None
    together = options.whole_project and fixtures is not None
    given = [(None, why) for why in elsewhere if not (options.assume_compat or together)]
    blocked = [*given, *obstacles(graph, modules, found.kinds), *unproven]
    if given and blocked == given and imports_nothing(graph, modules, found):
        return Decision(graph, Outcome.COMPAT, tuple(map(AS_GIVEN.format, elsewhere)), helpers=helpers)
    of_compat = [(use, why) for use, why in blocked if use is not None and is_saved(use)]
    native_alone = bool(of_compat) and is_native_alone(graph)
    if len(of_compat) < len(blocked) or (native_alone and options.target is not Outcome.NATIVE):
        reasons = tuple(dict.fromkeys(located(graph, use, why) for use, why in blocked))
        waits = fixtures if blocked == given else None
        whys = {use: why for use, why in blocked if use}
        return Decision(graph, Outcome.MANUAL, reasons, why=whys, fixtures=waits)
    if together and not options.assume_compat:
        decision = Decision(graph, Outcome.COMPAT, tuple(map(TOGETHER.format, elsewhere)), helpers=helpers)
        return with_connectors(decision, modules, options)
    decision = _movable(graph, found, options, modules, elsewhere, helpers, connecting, unused)
    if not native_alone or decision.outcome is not Outcome.COMPAT:
        return decision
    reasons = (*dict.fromkeys(located(graph, use, why) for use, why in of_compat), *decision.reasons)
    return Decision(graph, Outcome.MANUAL, reasons, why={**decision.why, **dict(of_compat)})


def _movable(
    graph: Graph,
    found: Trace,
    options: Options,
    modules: dict[str, Module],
    elsewhere: tuple[str, ...],
    helpers: tuple[str, ...],
    connecting: Collection[str],
    unused: Collection[str],
) -> Decision:
    """The decision on a graph that can leave the old API, with the other files that change with it.

    Args:
        graph: the graph.
        found: the trace of the modules.
        options: the user's.
        modules: all modules, by their paths.
        elsewhere: what it has to do with code that was not read.
        helpers: the files that change with it.
        connecting: those of them that import a connector.
        unused: those of these that do nothing with it.
    """
    if elsewhere:
        decision = Decision(graph, Outcome.COMPAT, elsewhere, unsafe=frozenset(graph.uses), helpers=helpers)
        decision = with_connectors(decision, modules, options)
        return replace(decision, notes=(*decision.notes, ASSUMED))
    if (fails := of_undefined(graph, helpers)) is not None:
        return with_connectors(fails, modules, options)
    using = [path for path in connecting if path not in unused]
    stores = any(RANGES in modules[path].source for path in using)
    decision = _possible(graph, found, options) if stores or not using else _connecting(graph, using)
    is_native = decision.outcome is Outcome.NATIVE
    changed = without_stores(decision, using, modules) if using and is_native else {}
    if changed is None:
        decision, changed = _connecting(graph, using), {}
    if helpers:
        decision = replace(decision, helpers=tuple(dict.fromkeys((*helpers, *decision.helpers))))
    if decision.outcome is Outcome.COMPAT:
        return with_connectors(decision, modules, options)
    left = [path for path in unused if path not in decision.changes]
    without = {path: native_changes(modules[path], PlannedModule()) for path in left}
    if decision.outcome is Outcome.NATIVE and changed:
        without |= changed
        decision = replace(decision, notes=(*decision.notes, *emptied(changed)))
    return replace(decision, changes={**decision.changes, **without}) if without else decision


def _connecting(graph: Graph, paths: Sequence[str]) -> Decision:
    """The decision on a graph that needs modules which import a connector."""
    return Decision(graph, Outcome.COMPAT, (CONNECTING.format(", ".join(paths)),))


def with_shared_stores(
    decisions: Sequence[Decision], modules: Mapping[str, Module], options: Options
) -> list[Decision]:
    """The decisions where programs that share what stores their offsets are native together, or none is."""

    def left(decision: Decision) -> Decision:
        paths = [path for path in decision.helpers if path in decision.changes]
        decision = replace(_connecting(decision.graph, paths), helpers=decision.helpers)
        return with_connectors(decision, modules, options)

    return settle_stores(decisions, left)


def with_connectors(decision: Decision, modules: Mapping[str, Module], options: Options) -> Decision:
    """A graph on compat with what is to be known of the connectors that it needs."""
    told = compat_told(decision.graph, modules, options.spark)
    saved = told_of_dicts(decision.graph, modules, options.spark)
    gone = "" if saved.must_change else needs_library(decision.graph, modules)
    must_change = (*decision.must_change, *told.must_change, *saved.must_change, *([gone] if gone else ()))
    callers, notes = callers_of(decision.graph), (*told.notes, *saved.notes)
    return replace(decision, must_change=must_change, notes=notes, callers=callers)


def _possible(graph: Graph, found: Trace, options: Options) -> Decision:
    """The decision on a graph that can leave the old API."""
    if options.target is not Outcome.NATIVE:
        return Decision(graph, Outcome.COMPAT, ("only the imports change: --target compat",))
    if (why := names_taken_away(graph)) is not None:
        return Decision(graph, Outcome.COMPAT, (why,))
    decision = decide_native(graph, found, options)
    if decision.outcome is Outcome.COMPAT and options.facts:  # columns of what was learnt may not be enough
        without = decide_native(graph, found, replace(options, facts={}))
        decision = without if without.outcome is Outcome.NATIVE else decision
    several = decide_programs(graph, found, options) if decision.outcome is Outcome.COMPAT else None
    return several or decision


def _ignored(graph: Graph) -> str | None:
    """Why a comment leaves the graph as it is, or None."""
    for module in graph.modules.values():
        lines = ignored_lines(module.source)
        for use in graph.uses:
            rules = lines.get(use.line) if use.module is module else None
            if rules is not None and (not rules or rule_id(use.name) in rules):
                return f"{module.where(use.line)}: a comment asks to leave `{use.name}` alone"
    return None
