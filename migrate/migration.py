"""The codemod's core: modules in, the result of every graph, file and call site out."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from migrate.codemod.changes import Changes, UnwritableError
from migrate.decisions import Decided, Decision, decide, leave
from migrate.decisions.never_defined import still_undefined
from migrate.decisions.spark_classes import SparkClasses
from migrate.decisions.unbound_locals import unbound_locals
from migrate.decisions.unknown_members import unknown_members
from migrate.decisions.wrong_arguments import wrong_arguments
from migrate.graph.edges import edges
from migrate.knowledge.data_sources import WITH_TYPE, told_of_sources
from migrate.knowledge.spark_version import SparkVersion
from migrate.knowledge.streaming import rule_id
from migrate.model import FileResult, GraphResult, Module, Options, Outcome, Result, Site, Status, Tier
from migrate.plan.settings.old_pythons import old_pythons
from migrate.read.modules import Imports
from migrate.read.python2 import encoded_values, notes_on_2, notes_on_producers, python2_names
from migrate.syntax.data_sources import named_sources, resources_with_types
from migrate.syntax.lost_imports import gone_members
from migrate.syntax.refused_calls import refused_calls
from migrate.syntax.text import Text
from migrate.trace import Trace, Use
from migrate.trace.values import TRACED

_ORDER = (Outcome.NATIVE, Outcome.COMPAT, Outcome.MANUAL)
OUTPUTS = (
    "{}: what {} showed below {} code is left out, as other code stands there now; run it to see its own"
)
KNOWN_BY = "{}, which Python 3 can parse, was taken for Python 2 because of {}"
TABS = (
    "{}, which Python 3 refuses for a mix of tabs and blanks, was taken for Python 3 because of {}: the mix"
    " is gone"
)
OTHERS = "so were {}"
_SHOWN = 3
"""The files of Python 2 of which a note says by what they were known."""


def migrate(modules: Sequence[Module], options: Options, *, write: bool = True) -> Result:
    """Decide on every graph of `modules`, and write the new text of their files.

    All modules are linked: a graph may span any of them. Nothing is imported, run or written to disk.

    Args:
        modules: the files that were read.
        options: what the user asked for.
        write: whether the new texts are wanted; if not, a file that would change has its old text.
    """
    by_path = {module.relative: module for module in modules}
    decided, unwritable = decide(modules, options), dict[str, str]()
    new = _texts(decided, by_path, write=write)
    while failed := {path: str(text) for path, text in new.items() if isinstance(text, UnwritableError)}:
        unwritable |= failed
        decided = leave(decided, unwritable, by_path)
        new = _texts(decided, by_path, write=write)
    texts = {**decided.texts, **{path: text for path, text in new.items() if isinstance(text, str)}}
    shown = _outputs_left_out(decided, by_path, texts)
    imports = Imports(modules)
    files = (
        _unparsed(module, unwritable[module.relative])
        if module.relative in unwritable
        else _file(module, decided, texts, imports)
        for module in modules
    )
    return Result(
        graphs=tuple(
            _graph(decision, decided.trace, by_path, options.spark, shown.get(decision.graph.id, ()))
            for decision in decided.decisions
        ),
        files=tuple(files),
        sites=tuple(site for decision in decided.decisions for site in _sites(decision)),
        spark=options.spark,
    )


def _unparsed(module: Module, error: str) -> FileResult:
    return FileResult(
        module.relative,
        Status.UNPARSED,
        python=module.python,
        error=error,
        encoding=module.encoding,
        bom=module.bom,
    )


def _texts(
    decided: Decided, modules: Mapping[str, Module], *, write: bool
) -> dict[str, str | UnwritableError]:
    """The new text of each file that changes, or why it cannot be written.

    Without `write` of those alone of which a note says how many outputs they lose.
    """
    wanted = ((path, one) for path, one in decided.changes.items() if write or modules[path].form.has_outputs)
    return {path: _written(changes) for path, changes in wanted}


def _outputs_left_out(
    decided: Decided, modules: Mapping[str, Module], texts: Mapping[str, str]
) -> dict[str, list[str]]:
    """Notes on cells of notebooks that lose what they show, by the first graph that changes each file."""
    notes: dict[str, list[str]] = {}
    for path, code in texts.items():
        adopting = [one for one in decided.of(path) if one.outcome is not Outcome.MANUAL]
        number = modules[path].form.outputs_left_out(code) if adopting else 0
        if number:
            cells, its = ("a cell", "its") if number == 1 else (f"{number} cells", "their")
            notes.setdefault(adopting[0].graph.id, []).append(OUTPUTS.format(path, cells, its))
    return notes


def _written(changes: Changes) -> str | UnwritableError:
    from migrate.codemod.commands import rewrite_module  # LibCST, which is only for what is written

    try:
        return rewrite_module(changes)
    except UnwritableError as error:
        return error


def _file(module: Module, decided: Decided, texts: Mapping[str, str], imports: Imports[Module]) -> FileResult:
    own = decided.of(module.relative)
    status = _status(own)
    code = texts.get(module.relative, module.source)
    return FileResult(
        path=module.relative,
        status=status,
        graphs=tuple(decision.graph.id for decision in own),
        python=module.python,
        old=module.text,
        new=module.form.restore(code, adopted=status in (Status.NATIVE, Status.COMPAT)),
        remarks=(*module.remarks, *python2_names(module, imports)),
        encoding=module.encoding,
        bom=module.bom,
        pending=module.relative in decided.changes and module.relative not in texts,
    ).judged


def _graph(
    decision: Decision,
    found: Trace,
    modules: dict[str, Module],
    spark: SparkVersion,
    of_outputs: Iterable[str],
) -> GraphResult:
    graph, notes, must_change = decision.graph, (*decision.notes, *of_outputs), decision.must_change
    if decision.outcome is not Outcome.MANUAL:
        files = [graph.told(modules[path]) for path in decision.files]
        in_2 = [module for module in files if module.python == 2]
        streams = _streams(found) if in_2 else set()
        of_2 = dict.fromkeys(note for module in in_2 for note in notes_on_2(module, streams))
        of_2 |= dict.fromkeys(notes_on_producers(files))
        bytes_ = [value for module in files for value in encoded_values(module)]
        notes = (*notes, *of_2, *_signs(files), *(sentence for sentence, may_be_2 in bytes_ if not may_be_2))
        must_change = (*must_change, *(sentence for sentence, may_be_2 in bytes_ if may_be_2))
        gone = _fails(decision, files, found)
        sources = dict.fromkeys(name for module in files for name in named_sources(module.tree))
        typed = (code for module in files for code in resources_with_types(module.tree))
        told = (*told_of_sources(sources, spark), *(WITH_TYPE.format(f"`{code}`") for code in typed))
        pythons = (sentence for module in files for sentence in old_pythons(module, spark))
        must_change = (*must_change, *dict.fromkeys((*gone, *told, *pythons)))
    return GraphResult(
        graph.id,
        decision.files,
        decision.outcome,
        decision.reasons,
        notes,
        edges(graph, found.kinds),
        decision.connect if decision.outcome is Outcome.NATIVE else None,
        must_change,
        decision.callers,
        decision.requires,
        decision.fixtures,
    )


def _streams(found: Trace) -> set[ast.AST]:
    """The expressions that may be streams or contexts."""
    return {node for node, values in found.kinds.items() if any(isinstance(one, TRACED) for one in values)}


def _fails(decision: Decision, modules: Iterable[Module], found: Trace) -> Iterator[str]:
    """What fails wherever it runs, today or anyway, beside what the decision names already."""
    reasons = " ".join(decision.reasons)
    for module in modules:
        yield from gone_members(module.tree)
        yield from refused_calls(module.tree, module.where)
        classes = SparkClasses(module, found)
        yield from unknown_members(module, classes)
        yield from wrong_arguments(module, found, classes)
        yield from unbound_locals(module)
        undefined = still_undefined(module, module.tree) if decision.outcome is Outcome.COMPAT else ()
        yield from (text for name, text in undefined if f"`{name}` is never defined" not in reasons)


def _signs(modules: Iterable[Module]) -> Iterator[str]:
    """The places by which files were known to be Python 2, of the first ones of a program, or not to be."""
    for module in modules:
        if module.signs and module.python == 3:
            yield TABS.format(module.relative, module.signs[0])
    known = [module for module in modules if module.signs and module.python == 2]
    for module in known[:_SHOWN]:
        more = f", and {len(module.signs) - 1} more" if len(module.signs) > 1 else ""
        yield KNOWN_BY.format(module.relative, f"{module.signs[0]}{more}")
    if len(known) > _SHOWN:
        yield OTHERS.format(", ".join(module.relative for module in known[_SHOWN:]))


def _status(decisions: Sequence[Decision]) -> Status:
    if not decisions:
        return Status.UNTOUCHED
    worst = max((decision.outcome for decision in decisions), key=_ORDER.index)
    return Status(worst.value)


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
        safe=tier is not Tier.MANUAL and use not in decision.unsafe | decision.learnt,
        learnt=use in decision.learnt - decision.unsafe,
        rule=rule_id(use.operator),
        reason=reason,
    )
