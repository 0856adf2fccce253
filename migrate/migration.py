"""The codemod's core: modules in, what becomes of every graph, file and call site out."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from migrate.codemod.always import without_conditions
from migrate.codemod.comments import ignored_lines, mark_edit
from migrate.codemod.edits import Edit, Text, apply_edits
from migrate.graph.blocked import Blocked
from migrate.graph.connectors import compat_notes, reads
from migrate.graph.edges import edges
from migrate.knowledge.connectors import MQTT
from migrate.knowledge.streaming import rule_id
from migrate.model import FileResult, GraphResult, Module, Options, Outcome, Result, Site, Status, Tier
from migrate.plan.compat import connector_helpers, import_edits, obstacles
from migrate.plan.planner import migrate_graph
from migrate.plan.together import APART, rewrite_together
from migrate.read.form import ApartError
from migrate.read.modules import Imports
from migrate.read.python2 import python2_helpers, python2_names
from migrate.rules import rule_for
from migrate.syntax.nodes import walk
from migrate.trace import Graph, Trace, Use, trace

_ORDER = (Outcome.NATIVE, Outcome.COMPAT, Outcome.MANUAL)
_PLACE = re.compile(r"^(?:cell \d+, )?line \d+: ")
OUTSIDE = "it reaches files outside of the given PATHs, which must not be written: {}"
CONNECTING = "{} imports a connector that is gone, or that only DStreams have"
NEIGHBOUR = "another graph lives in its file, and is not native"
UNPROVEN = (
    "it was written in Python 2; that the step to Python 3 changes nothing is not proven. Values of unlike"
    " types have no order any more: comparing them raises"
)


@dataclass(frozen=True)
class Decision:
    """What becomes of one graph."""

    graph: Graph
    outcome: Outcome
    reasons: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    why: dict[Use, str] = field(default_factory=dict)
    """The reason at a call, where there is one of its own."""
    marked: bool = True
    """Whether a comment in the code says why the graph is left for a person."""
    ignored: bool = False
    """Whether a comment asked for it."""
    tiers: dict[Use, Tier] = field(default_factory=dict)
    """The tier of each call of a native graph."""
    unsafe: frozenset[Use] = frozenset()
    """Calls whose new form may give something else, which the user allowed."""
    texts: dict[str, str] = field(default_factory=dict)
    """The new text of each file of a native graph."""
    helpers: tuple[str, ...] = ()
    """Files that the graph's files import and that go with them: in Python 2, or with a connector's names."""

    @property
    def files(self) -> tuple[str, ...]:
        """All files that change with the graph."""
        return (*self.graph.files, *self.helpers)

    @property
    def marker(self) -> str:
        """The reason for the comment in the code: the first one, without lines, which a comment moves."""
        first = _PLACE.sub("", self.reasons[0])
        return first if len(self.reasons) == 1 else f"{first} (and more, see the report)"


def migrate(modules: Sequence[Module], options: Options) -> Result:
    """Decide what becomes of every graph of `modules` and write the new text of their files.

    All modules are linked: a graph may span any of them. Nothing is imported, run or written to disk.
    """
    by_path = {module.relative: module for module in modules}
    found = trace(modules)
    decisions = [_decide(graph, found, by_path, options) for graph in found.graphs]
    decisions = _settle_shared_files(_rewrite_shared_files(decisions, modules, options))
    changes = _edits(decisions, by_path)
    texts = {path: text for decision in decisions for path, text in decision.texts.items()}
    imports = Imports(modules)
    files = []
    for module in modules:
        own = [decision for decision in decisions if module.relative in decision.files]
        status = _status(own)
        code = texts.get(module.relative) or apply_edits(module.source, changes.get(module.relative, ()))
        adopted = status in (Status.NATIVE, Status.COMPAT)
        files.append(
            FileResult(
                path=module.relative,
                status=status,
                graphs=tuple(decision.graph.id for decision in own),
                python=module.python,
                old=module.text,
                new=module.form.restore(code, adopted=adopted),
                remarks=(*module.remarks, *python2_names(module, imports)),
            ).judged
        )
    return Result(
        graphs=tuple(_graph(decision, found, by_path) for decision in decisions),
        files=tuple(files),
        sites=tuple(site for decision in decisions for site in _sites(decision)),
    )


def _graph(decision: Decision, found: Trace, modules: dict[str, Module]) -> GraphResult:
    graph, notes = decision.graph, decision.notes
    if decision.outcome is not Outcome.MANUAL and any(modules[path].python == 2 for path in decision.files):
        notes = (*notes, UNPROVEN)
    return GraphResult(
        graph.id, decision.files, decision.outcome, decision.reasons, notes, edges(graph, found.kinds)
    )


def _status(decisions: Sequence[Decision]) -> Status:
    if not decisions:
        return Status.UNTOUCHED
    worst = max((decision.outcome for decision in decisions), key=_ORDER.index)
    return Status(worst.value)


def _decide(graph: Graph, found: Trace, modules: dict[str, Module], options: Options) -> Decision:
    ignored = _ignored(graph)
    if ignored is not None:
        return Decision(graph, Outcome.MANUAL, (ignored,), ignored=True)
    connecting = connector_helpers(graph.files, modules)
    helpers = tuple(dict.fromkeys((*python2_helpers(graph.files, modules), *connecting)))
    outside = [path for path in (*graph.files, *helpers) if modules[path].outside]
    if outside:
        return Decision(graph, Outcome.MANUAL, (OUTSIDE.format(", ".join(outside)),), marked=False)
    unproven = [(None, why) for path in (*graph.files, *helpers) for why in modules[path].limits]
    blocked = [*obstacles(graph, modules, found.kinds), *unproven]
    if blocked:
        reasons = tuple(dict.fromkeys(_located(use, why) for use, why in blocked))
        return Decision(graph, Outcome.MANUAL, reasons, why={use: why for use, why in blocked if use})
    if connecting:
        why = CONNECTING.format(", ".join(connecting))
        return Decision(graph, Outcome.COMPAT, (why,), compat_notes(graph, modules), helpers=helpers)
    decision = replace(_possible(graph, found, options), helpers=helpers)
    if decision.outcome is Outcome.COMPAT:
        return replace(decision, notes=compat_notes(graph, modules))
    return decision


def _possible(graph: Graph, found: Trace, options: Options) -> Decision:
    """What becomes of a graph that nothing keeps on the old API."""
    if options.target is not Outcome.NATIVE:
        return Decision(graph, Outcome.COMPAT, ("only the imports change: --target compat",))
    return _native(graph, found, options)


def _native(graph: Graph, found: Trace, options: Options) -> Decision:
    try:
        plan, text = migrate_graph(graph, found, options)
        plan.program.module.form.restore(text, adopted=True)
    except ApartError as apart:
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
        return Decision(graph, Outcome.COMPAT, (_reason(blocked, graph), *more), why=why)
    return Decision(
        graph,
        Outcome.NATIVE,
        notes=tuple(plan.notes),
        why=plan.reasons,
        tiers=plan.tiers,
        unsafe=frozenset(plan.unsafe),
        texts={plan.program.module.relative: text},
    )


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
    for use in sorted(graph.uses, key=lambda use: (use.module.relative, _line(use))):
        rule = None if use.constructor else rule_for(use.name)
        why = rule.refuses_all(options) if rule is not None else None
        if why is not None:
            found[use] = f"`{use.name}`: {why}"
    return found


def _reason(blocked: Blocked, graph: Graph) -> str:
    """Why a graph is not native, with the place."""
    if blocked.at is None:
        return _located(blocked.use, blocked.reason)
    module = blocked.use.module if blocked.use is not None else next(iter(graph.modules.values()))
    return f"{module.where(getattr(blocked.at, 'lineno', 1))}: {blocked.reason}"


def _located(use: Use | None, why: str) -> str:
    return why if use is None else f"{use.module.where(_line(use))}: {why}"


def _ignored(graph: Graph) -> str | None:
    """Why a comment leaves the graph as it is, or None."""
    for module in graph.modules.values():
        lines = ignored_lines(module.source)
        for use in graph.uses:
            rules = lines.get(_line(use)) if use.module is module else None
            if rules is not None and (not rules or rule_id(use.name) in rules):
                return f"{module.where(_line(use))}: a comment asks to leave `{use.name}` alone"
    return None


def _rewrite_shared_files(
    decisions: Sequence[Decision], modules: Sequence[Module], options: Options
) -> list[Decision]:
    """Graphs that share a file are native together, or none of them is."""
    settled = list(decisions)
    by_path = {module.relative: module for module in modules}
    for path in dict.fromkeys(path for decision in decisions for path in decision.texts):
        sharing = [number for number, decision in enumerate(settled) if path in decision.files]
        if len(sharing) > 1:
            group = [settled[number] for number in sharing]
            for number, decision in zip(
                sharing, _together(group, by_path[path], modules, options), strict=True
            ):
                notes = compat_notes(decision.graph, by_path)
                settled[number] = decision if decision.texts else replace(decision, notes=notes)
    return settled


def _together(
    group: Sequence[Decision], module: Module, modules: Sequence[Module], options: Options
) -> list[Decision]:
    """The decisions on all graphs of a file, of which one at least would be native if it were alone."""
    reason = NEIGHBOUR
    if all(decision.outcome is Outcome.NATIVE for decision in group):
        graphs, tiers = [decision.graph for decision in group], [decision.tiers for decision in group]
        try:
            text = rewrite_together(graphs, tiers, modules, options)
            module.form.restore(text, adopted=True)
        except (Blocked, ApartError, SyntaxError):
            reason = APART
        else:
            return [replace(decision, texts={module.relative: text}) for decision in group]
    return [
        Decision(decision.graph, Outcome.COMPAT, (reason,), helpers=decision.helpers)
        if decision.outcome is Outcome.NATIVE
        else decision
        for decision in group
    ]


def _settle_shared_files(decisions: list[Decision]) -> list[Decision]:
    """Graphs that share a file share its imports: what must stay as it is keeps the others from compat."""
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
                    decision, outcome=Outcome.MANUAL, reasons=(*decision.reasons, reason)
                )
                break
        else:
            return decisions


def _edits(decisions: Sequence[Decision], modules: dict[str, Module]) -> dict[str, list[Edit]]:
    edits: dict[str, list[Edit]] = {}
    moved = [decision for decision in decisions if decision.outcome is Outcome.COMPAT]
    for path in dict.fromkeys(path for decision in moved for path in decision.files):
        bahir = any(reads(MQTT, decision.graph) for decision in moved if path in decision.files)
        edits.setdefault(path, []).extend(import_edits(modules[path], bahir=bahir))
    for decision in decisions:
        if decision.outcome is Outcome.MANUAL and decision.marked and not decision.ignored:
            first = decision.graph.uses[0]
            text = Text(first.module.source)
            line = _statement_line(first)
            edits.setdefault(first.module.relative, []).append(mark_edit(text, line, decision.marker))
    return edits


def _statement_line(use: Use) -> int:
    """The first line of the innermost statement that holds a use and begins a line of its own."""
    text = Text(use.module.source)
    best = 1
    for node in walk(use.module.tree):
        if isinstance(node, ast.stmt) and node.lineno <= use.node.lineno <= (node.end_lineno or node.lineno):
            line = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            column = text.offset(node.lineno, node.col_offset) - text.line_start(node.lineno)
            if column == len(text.indent(node.lineno)):
                best = max(best, line)
    return best


def _line(use: Use) -> int:
    node = use.node
    return (node.end_lineno or node.lineno) if isinstance(node, ast.Attribute) else node.lineno


def _sites(decision: Decision) -> list[Site]:
    left = Tier.IGNORED if decision.ignored else Tier.MANUAL
    tier = Tier.COMPAT if decision.outcome is Outcome.COMPAT else left
    common = decision.reasons[0] if decision.reasons else ""
    return [
        _site(decision, use, decision.tiers.get(use, tier), decision.why.get(use, common))
        for use in decision.graph.uses
    ]


def _site(decision: Decision, use: Use, tier: Tier, reason: str) -> Site:
    text = Text(use.module.source)
    node = use.node
    if isinstance(node, ast.Attribute):
        line, column = node.end_lineno or node.lineno, (node.end_col_offset or 0) - len(node.attr.encode())
    else:
        line, column = node.lineno, node.col_offset
    place = use.module.place(line, text.column(line, column))
    return Site(
        graph=decision.graph.id,
        path=use.module.relative,
        cell=place.cell,
        line=place.line,
        column=place.column,
        operator=use.name,
        tier=tier,
        safe=tier is not Tier.MANUAL and use not in decision.unsafe,
        rule=rule_id(use.name),
        reason=reason,
    )
