"""The decision on every graph: native, compat or manual, with the changes of its files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from migrate.codemod.always import without_conditions
from migrate.codemod.changes import Changes, UnwritableError
from migrate.codemod.compat import compat_imports
from migrate.codemod.marking import mark
from migrate.codemod.native import native_changes
from migrate.codemod.new_tree import new_tree
from migrate.codemod.ownership import Comment
from migrate.codemod.writing import written
from migrate.form import ApartError, Form
from migrate.graph.blocked import Blocked
from migrate.graph.connectors import compat_told, reads
from migrate.graph.program import Program
from migrate.knowledge.connectors import KAFKA, MQTT
from migrate.knowledge.streaming import rule_id
from migrate.model import READY, Callers, Module, Options, Outcome, Tier
from migrate.plan.code import PlannedModule
from migrate.plan.compat import connector_helpers, obstacles, unread
from migrate.plan.planner import plan_graph
from migrate.plan.unused_connectors import unused_connectors
from migrate.proofs.connect import not_on_connect, settings_of_server
from migrate.read.marks import ignored_lines
from migrate.read.python2 import python2_helpers
from migrate.rules import rule_for
from migrate.syntax.nodes import parsed
from migrate.syntax.tree import Tree
from migrate.together import APART, rewrite_together
from migrate.trace import Graph, Trace, Use, trace

_PLACE = re.compile(r"^(?:cell \d+, )?line \d+: ")
OUTSIDE = "it reaches files outside of the given PATHs, which must not be written: {}"
CONNECTING = "{} imports a connector that is gone, or that only DStreams have"
ASSUMED = (
    "--assume-compat: what makes its context, or gets one from it, must be on `compat.streaming`, too; where "
    "it is not, the program fails"
)
NEIGHBOUR = "another graph lives in its file, and is not native"
DROPPED = "comments left out with the code that they were about: {}"
REWORDED = "comments that name what is there now: {}"


@dataclass(frozen=True)
class Decision:
    """The decision on one graph."""

    graph: Graph
    outcome: Outcome
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    must_change: tuple[str, ...] = ()
    """What callers and deployments must change."""
    requires: tuple[str, ...] = ()
    """Packages of ours that native code imports."""
    callers: Callers | None = None
    """What callers pass no more; None where the report does not look for them."""
    why: dict[Use, str] = field(default_factory=dict)
    """The reasons of single calls."""
    marked: bool = True
    """Whether a comment in the code says why the graph is left for a person."""
    ignored: bool = False
    """Whether a comment asked for it."""
    tiers: dict[Use, Tier] = field(default_factory=dict)
    """The tier of each call of a native graph."""
    unsafe: frozenset[Use] = frozenset()
    """Calls whose new form may give something else, which the user allowed."""
    changes: Mapping[str, Changes] = field(default_factory=dict)
    """The changes of each file of a native graph."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """The new text of files that had to be written to decide: new code must fit into notebook cells."""
    connect: str | None = None
    """Whether a native graph runs on Spark Connect: ``ready``, or why not."""
    program: Program | None = None
    """The program of a native graph."""
    helpers: tuple[str, ...] = ()
    """Files that the graph's files import and that change with them: in Python 2, or using a connector."""

    @property
    def files(self) -> tuple[str, ...]:
        """All files that change with the graph."""
        return (*self.graph.files, *self.helpers)

    @property
    def marker(self) -> str:
        """The reason for the comment in the code: the first one without its line, which changes."""
        first = _PLACE.sub("", self.reasons[0])
        return first if len(self.reasons) == 1 else f"{first} (and more, see the report)"


@dataclass(frozen=True)
class Decided:
    """The decisions on all graphs of some modules."""

    trace: Trace
    decisions: tuple[Decision, ...]
    changes: Mapping[str, Changes]
    """The changes of each file that has some."""
    texts: Mapping[str, str]
    """The new text of files that had to be written to decide."""

    def of(self, path: str) -> list[Decision]:
        """The decisions on the graphs that a file changes with."""
        return [decision for decision in self.decisions if path in decision.files]


def decide(modules: Sequence[Module], options: Options) -> Decided:
    """Decide on every graph of `modules`, which are linked: a graph may span any of them."""
    by_path = {module.relative: module for module in modules}
    found = trace(modules)
    decisions = [_decide(graph, found, by_path, options) for graph in found.graphs]
    return _decided(found, _rewrite_shared_files(decisions, modules, options), by_path)


def leave(decided: Decided, unwritable: Mapping[str, str], modules: Mapping[str, Module]) -> Decided:
    """The decisions after it was found that some files cannot be written: their graphs stay as they are.

    Args:
        decided: the decisions before.
        unwritable: why, by the paths of these files.
        modules: all modules, by their paths.
    """
    left = []
    for decision in decided.decisions:
        why = tuple(f"{path}: {unwritable[path]}" for path in decision.files if path in unwritable)
        if why and decision.outcome is Outcome.MANUAL:
            left.append(replace(decision, marked=False))
        elif why:
            left.append(Decision(decision.graph, Outcome.MANUAL, why, marked=False, helpers=decision.helpers))
        else:
            left.append(decision)
    return _decided(decided.trace, left, modules)


def _decided(found: Trace, decisions: list[Decision], by_path: Mapping[str, Module]) -> Decided:
    decisions = _settle_shared_files(decisions)
    texts = {path: text for decision in decisions for path, text in decision.texts.items()}
    changes = {path: one for decision in decisions for path, one in decision.changes.items()}
    changes = {path: one for path, one in changes.items() if path not in texts}
    others = {path: one for path, one in _other_changes(decisions, by_path).items() if path not in changes}
    return Decided(found, tuple(decisions), {**changes, **others}, texts)


def _decide(graph: Graph, found: Trace, modules: dict[str, Module], options: Options) -> Decision:
    ignored = _ignored(graph)
    if ignored is not None:
        return Decision(graph, Outcome.MANUAL, (ignored,), ignored=True)
    connecting = connector_helpers(graph.files, modules)
    unused = unused_connectors(connecting, modules, found)
    helpers = tuple(dict.fromkeys((*python2_helpers(graph.files, modules), *connecting)))
    outside = [path for path in (*graph.files, *helpers) if modules[path].outside]
    if outside:
        return Decision(graph, Outcome.MANUAL, (OUTSIDE.format(", ".join(outside)),), marked=False)
    unproven = [(None, why) for path in (*graph.files, *helpers) for why in modules[path].limits]
    elsewhere = tuple(dict.fromkeys(unread(graph)))
    given = [(None, why) for why in elsewhere if not options.assume_compat]
    blocked = [*given, *obstacles(graph, modules, found.kinds), *unproven]
    if blocked:
        reasons = tuple(dict.fromkeys(_located(use, why) for use, why in blocked))
        return Decision(graph, Outcome.MANUAL, reasons, why={use: why for use, why in blocked if use})
    if elsewhere:
        decision = Decision(graph, Outcome.COMPAT, elsewhere, unsafe=frozenset(graph.uses), helpers=helpers)
        decision = _with_connectors(decision, modules, options)
        return replace(decision, notes=(*decision.notes, ASSUMED))
    if set(connecting) - unused:
        why = CONNECTING.format(", ".join(path for path in connecting if path not in unused))
        decision = Decision(graph, Outcome.COMPAT, (why,), helpers=helpers)
        return _with_connectors(decision, modules, options)
    decision = _possible(graph, found, options)
    decision = replace(decision, helpers=tuple(dict.fromkeys((*helpers, *decision.helpers))))
    if decision.outcome is Outcome.COMPAT:
        return _with_connectors(decision, modules, options)
    without = {path: native_changes(modules[path], PlannedModule()) for path in unused}
    return replace(decision, changes={**decision.changes, **without})


def _with_connectors(decision: Decision, modules: Mapping[str, Module], options: Options) -> Decision:
    """A graph on compat with what is to be known of the connectors that it needs."""
    told = compat_told(decision.graph, modules, options.spark)
    callers = Callers() if reads(KAFKA, decision.graph) else None
    return replace(decision, must_change=told.must_change, notes=told.notes, callers=callers)


def _possible(graph: Graph, found: Trace, options: Options) -> Decision:
    """The decision on a graph that can leave the old API."""
    if options.target is not Outcome.NATIVE:
        return Decision(graph, Outcome.COMPAT, ("only the imports change: --target compat",))
    return _native(graph, found, options)


def _native(graph: Graph, found: Trace, options: Options) -> Decision:
    try:
        plan = plan_graph(graph, found, options, rule_for)
        modules = {module.relative: module for module in plan.program.modules}
        changes = {path: native_changes(modules[path], one) for path, one in plan.modules.items()}
        changes = {path: one for path, one in changes.items() if one or path in graph.files}
        if outside := [path for path in changes if modules[path].outside]:
            raise Blocked(OUTSIDE.format(", ".join(outside)))
        texts = _placed(modules, changes)
    except (ApartError, UnwritableError) as apart:
        return Decision(graph, Outcome.COMPAT, (str(apart),))
    except Blocked as blocked:
        straight = _without_conditions(graph, found, options)
        if straight is not None:
            return straight
        why = _refused(graph, options)
        # one obstacle hides the others: each that is known without a plan is told of once, at its first call
        first = {reason: use for use, reason in reversed(why.items()) if reason != blocked.reason}
        more = (_located(use, reason) for reason, use in reversed(first.items()))
        if blocked.use is not None:
            why[blocked.use] = blocked.reason
        return Decision(graph, Outcome.COMPAT, (_reason(blocked, found.modules), *more), why=why)
    dropped = [comment for one in changes.values() for comment in one.dropped()]
    reworded = [comment for one in changes.values() for comment in one.said_anew()]
    connect, settings = _on_connect(plan.program, changes, texts)
    return Decision(
        graph,
        Outcome.NATIVE,
        must_change=plan.must_change,
        requires=plan.requires,
        callers=plan.callers,
        notes=(*plan.notes, *settings, *_listed(DROPPED, dropped), *_listed(REWORDED, reworded)),
        connect=connect,
        program=plan.program,
        why=dict(plan.reasons),
        tiers=dict(plan.tiers),
        unsafe=plan.unsafe,
        changes=changes,
        texts=texts,
        helpers=tuple(path for path in changes if path not in graph.files),
    )


def _on_connect(
    program: Program, changes: Mapping[str, Changes], texts: Mapping[str, str]
) -> tuple[str, tuple[str, ...]]:
    """Whether new code runs on Spark Connect, and the notes on it if it does."""
    trees = {path: new_tree(one) for path, one in changes.items()}
    trees |= {path: parsed(text) for path, text in texts.items()}
    modules = {module.relative: module for module in program.modules}
    news = [replace(module, tree=trees.get(path, module.tree)) for path, module in modules.items()]
    why = not_on_connect(news, program)
    return ("; ".join(why), ()) if why else (READY, settings_of_server(news))


def _listed(note: str, comments: Sequence[Comment]) -> tuple[str, ...]:
    """A note about comments, if there are any."""
    texts = [f"`{comment.text}`" for comment in comments]
    return (note.format(", ".join(texts)),) if texts else ()


def _placed(modules: Mapping[str, Module], changes: Mapping[str, Changes]) -> dict[str, str]:
    """The new code of notebooks: it must fit into their cells.

    Raises:
        ApartError: it does not.
        UnwritableError: LibCST cannot take the code.
    """
    texts = {}
    for path, one in changes.items():
        module = modules[path]
        if type(module.form) is not Form:
            texts[path] = written(one)
            module.form.restore(texts[path], adopted=True)
    return texts


def _without_conditions(graph: Graph, found: Trace, options: Options) -> Decision | None:
    """The decision on a graph that is native once branches that are always taken have no conditions."""
    module = without_conditions(graph)
    if module is None:
        return None
    same = [other for other in found.graphs if other.files == graph.files].index(graph)
    traced = trace([module if other.relative == module.relative else other for other in found.modules])
    again = [other for other in traced.graphs if other.files == graph.files][same]
    decision = _native(again, traced, options)
    if decision.outcome is not Outcome.NATIVE or [use.name for use in again.uses] != [
        use.name for use in graph.uses
    ]:
        return None
    olds = dict(zip(again.uses, graph.uses, strict=True))
    return replace(
        decision,
        graph=graph,
        why={olds[use]: reason for use, reason in decision.why.items()},
        tiers={olds[use]: tier for use, tier in decision.tiers.items()},
        unsafe=frozenset(olds[use] for use in decision.unsafe),
    )


def _refused(graph: Graph, options: Options) -> dict[Use, str]:
    """The calls that have no native form whatever their arguments are, and why."""
    found = {}
    for use in sorted(graph.uses, key=lambda use: (use.module.relative, use.line)):
        rule = None if use.constructor else rule_for(use.name)
        why = rule.refuses_all(options) if rule is not None else None
        if why is not None:
            found[use] = f"`{use.name}`: {why}"
    return found


def _reason(blocked: Blocked, modules: Sequence[Module]) -> str:
    """Why a graph is not native, with the place."""
    if blocked.at is None:
        return _located(blocked.use, blocked.reason)
    root = Tree(*(module.tree for module in modules)).root_of(blocked.at)
    module = next(module for module in modules if module.tree is root)
    return f"{module.where(getattr(blocked.at, 'lineno', 1))}: {blocked.reason}"


def _located(use: Use | None, why: str) -> str:
    return why if use is None else f"{use.module.where(use.line)}: {why}"


def _ignored(graph: Graph) -> str | None:
    """Why a comment leaves the graph as it is, or None."""
    for module in graph.modules.values():
        lines = ignored_lines(module.source)
        for use in graph.uses:
            rules = lines.get(use.line) if use.module is module else None
            if rules is not None and (not rules or rule_id(use.name) in rules):
                return f"{module.where(use.line)}: a comment asks to leave `{use.name}` alone"
    return None


# --- graphs that share a file -------------------------------------------------------------------------------


def _rewrite_shared_files(
    decisions: Sequence[Decision], modules: Sequence[Module], options: Options
) -> list[Decision]:
    """Make graphs that share a file native together, or none of them."""
    settled = list(decisions)
    by_path = {module.relative: module for module in modules}
    for path in dict.fromkeys(path for decision in decisions for path in decision.changes):
        sharing = [number for number, decision in enumerate(settled) if path in decision.graph.files]
        if len(sharing) > 1:
            group = [settled[number] for number in sharing]
            for number, decision in zip(
                sharing, _together(group, by_path[path], modules, options), strict=True
            ):
                settled[number] = decision if decision.texts else _with_connectors(decision, by_path, options)
    return settled


def _together(
    group: Sequence[Decision], module: Module, modules: Sequence[Module], options: Options
) -> list[Decision]:
    """The decisions on all graphs of a file, of which one at least would be native if it were alone."""
    reason = NEIGHBOUR
    if all(decision.outcome is Outcome.NATIVE for decision in group):
        graphs, tiers = [decision.graph for decision in group], [decision.tiers for decision in group]
        try:
            text, dropped = rewrite_together(graphs, tiers, modules, options)
            module.form.restore(text, adopted=True)
        except (Blocked, ApartError, UnwritableError):
            reason = APART
        else:
            told = " ".join(note for decision in group for note in decision.notes)
            notes = _listed(DROPPED, [comment for comment in dropped if f"`{comment.text}`" not in told])
            *others, last = group
            group = [*others, replace(last, notes=(*last.notes, *notes))]
            texts = {module.relative: text}
            return [
                replace(
                    decision,
                    changes={path: one for path, one in decision.changes.items() if path not in texts},
                    texts=texts,
                    connect=_on_connect(decision.program, {}, texts)[0],
                )
                for decision in group
                if decision.program is not None
            ]
    return [
        Decision(decision.graph, Outcome.COMPAT, (reason,), helpers=decision.helpers)
        if decision.outcome is Outcome.NATIVE
        else decision
        for decision in group
    ]


def _settle_shared_files(decisions: list[Decision]) -> list[Decision]:
    """Leave all graphs of a file if one is left: they share its imports."""
    while True:
        kept = {
            path: decision.graph.id
            for decision in decisions
            if decision.outcome is Outcome.MANUAL
            for path in decision.files
        }
        for position, decision in enumerate(decisions):
            shared = next((path for path in decision.files if path in kept), None)
            if decision.outcome is not Outcome.MANUAL and shared is not None:
                reason = f"it shares the imports of {shared} with a graph that stays as it is"
                decisions[position] = replace(
                    decision,
                    outcome=Outcome.MANUAL,
                    reasons=(*decision.reasons, reason),
                    changes={},
                    texts={},
                )
                break
        else:
            return decisions


def _other_changes(decisions: Sequence[Decision], modules: Mapping[str, Module]) -> dict[str, Changes]:
    """The changes of files whose graphs go to compat, or are left for a person."""
    found: dict[str, Changes] = {}

    def of(path: str) -> Changes:
        return found.setdefault(path, Changes(modules[path].tree, modules[path].source))

    moved = [decision for decision in decisions if decision.outcome is Outcome.COMPAT]
    for path in dict.fromkeys(path for decision in moved for path in decision.files):
        bahir = any(reads(MQTT, decision.graph) for decision in moved if path in decision.files)
        compat_imports(of(path), modules[path], bahir=bahir)
    for decision in decisions:
        if decision.outcome is Outcome.MANUAL and decision.marked and not decision.ignored:
            first = decision.graph.uses[0]
            mark(of(first.module.relative), first.node, decision.marker)
    return {path: changes for path, changes in found.items() if changes}
