"""Decides whether one graph becomes DataFrame code, and lists what that takes."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence

from migrate.codemod.always import without_conditions
from migrate.codemod.changes import Changes, UnwritableError
from migrate.codemod.comments.subjects import speaks_of_old
from migrate.codemod.named_context import with_named_context
from migrate.codemod.native import native_changes
from migrate.codemod.new_tree import new_tree
from migrate.codemod.ownership import Comment
from migrate.codemod.writing import written
from migrate.decisions.decision import Decision
from migrate.decisions.missing_imports import tell_missing
from migrate.decisions.never_defined import still_undefined, tell_defined
from migrate.decisions.other_graphs import lines_of_others
from migrate.form import ApartError
from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.graph.cassandra import library_left
from migrate.graph.connectors import callers_of
from migrate.graph.program import Line, Program, upstream
from migrate.knowledge.builtins import OF_PYTHON_2
from migrate.model import READY, Module, Options, Outcome
from migrate.plan.choices import Choices
from migrate.plan.draft.plan import Plan
from migrate.plan.names.kept import only_a_stream_fits
from migrate.plan.native_graph import DEAD, plan_graph
from migrate.proofs.connect import not_on_connect, settings_of_server
from migrate.rules import rule_for
from migrate.syntax.bindings import bound_names
from migrate.syntax.nodes import of_kinds, once, parsed, walk
from migrate.syntax.tree import Tree
from migrate.syntax.unbound_names import unbound_names
from migrate.trace import Graph, Trace, Use, trace

OUTSIDE = "it reaches files outside of the given PATHs, which must not be written: {}"
DROPPED = "comments left out with the code that they were about: {}"
_OF_ASCII = frozenset({"python2_decode", "python2_encode", "python2_hex", "python2_unhex"})
ON_BYTES = (
    "the query fails at text beyond ASCII here, as what came of its bytes in Python 2 is not known: {};"
    " write what is meant, such as the text itself"
)
ON_CONTROLS = (
    "the query fails at a few control characters here, which Python 3 takes for white space and Python 2's"
    " bytes did not: {}; write what is meant, such as the text itself"
)
DOCSTRINGS = "docstrings left out with functions that the new code has no use for: {}"
REWORDED = "comments that name what is there now: {}"
IDLE = "{} had no output operation, so {} never ran: they are left out"
LOST = "new code would read {}, which is left out: please report it"
UNCALLED = "functions left out that nothing calls, and that could be given nothing but a DStream: {}"
UNREAD = "`{}` is left out: no output reads its stream"
BOUND_ANEW = ", as `{}` is another one below"
_NAMED = 4
"""Comments that were left alone and are named in a note."""
STILL_PROSE = "text of the notebook left as it was, though it speaks of what is gone: {}"
STILL = "comments and docstrings left as they were, though they speak of what is gone: {}"


def decide_native(graph: Graph, found: Trace, options: Options, choices: Choices | None = None) -> Decision:
    """The decision on a graph that nothing keeps on the old API but what its own code does.

    Args:
        graph: the graph.
        found: the trace that it is of.
        options: the user's.
        choices: those that another program needs, with which this one shares code.
    """
    try:
        plan = plan_graph(graph, found, options, rule_for, choices)
        modules = {module.relative: module for module in plan.program.modules}
        changes = {
            path: native_changes(modules[path], one, lines_of_others(graph, found, modules[path]))
            for path, one in plan.modules.items()
        }
        changes = {path: one for path, one in changes.items() if one or path in graph.files}
        if outside := [path for path in changes if modules[path].outside]:
            raise Blocked(OUTSIDE.format(", ".join(outside)))
        texts = _placed(modules, changes)
        trees = {
            path: parsed(texts[path]) if path in texts else new_tree(one) for path, one in changes.items()
        }
        lost = [
            name
            for path, new in trees.items()
            for name in _surely_lost(modules[path], new, changes[path], texts.get(path))
        ]
    except (ApartError, UnwritableError) as apart:
        return Decision(graph, Outcome.COMPAT, (str(apart),))
    except Blocked as blocked:
        plainer = _in_plainer_code(graph, found, options, choices)
        return plainer or _kept_back(graph, found, options, blocked)
    if lost:
        return Decision(graph, Outcome.COMPAT, (LOST.format(listing(lost)),))
    connect, settings = on_connect(plan.program, trees)
    gone = _gone([modules[path].tree for path in trees], list(trees.values()))
    to_ascii, on_bytes = _of_ascii([*trees.values(), *_only_brought_to_3(found, trees)])
    return Decision(
        graph,
        Outcome.NATIVE,
        must_change=(
            *plan.must_change,
            *([library] if (library := library_left(trees.values())) else []),
            *(
                told
                for path, new in trees.items()
                for _, told in still_undefined(graph.told(modules[path]), new)
            ),
            *(told for path, new in trees.items() for told in tell_missing(graph.told(modules[path]), new)),
            *([ON_BYTES.format(calls)] if (calls := _listed(on_bytes)) else []),
        ),
        requires=plan.requires,
        callers=callers_of(graph, plan.callers),
        notes=(
            *plan.notes,
            *settings,
            *_of_comments(changes.values()),
            *_of_prose(plan),
            *_of_what_goes(plan, gone),
            *([ON_CONTROLS.format(calls)] if (calls := _listed(to_ascii)) else []),
            *(told for path, new in trees.items() for told in tell_defined(graph.told(modules[path]), new)),
        ),
        connect=connect,
        program=plan.program,
        choices=plan.choices,
        why=dict(plan.reasons),
        tiers=dict(plan.tiers),
        unsafe=plan.unsafe,
        learnt=plan.learnt,
        changes=changes,
        texts=texts,
        uncalled=_uncalled(plan, gone),
        helpers=tuple(path for path in changes if path not in graph.files),
    )


def _surely_lost(module: Module, new: ast.Module, changes: Changes, text: str | None) -> list[str]:
    """The names that new code lost.

    A tree is made without writing: what it seems to lose is looked for in the text.
    """
    if not lost_names(module.tree, new):
        return []
    return lost_names(module.tree, parsed(text or written(changes)))


def _kept_back(graph: Graph, found: Trace, options: Options, blocked: Blocked) -> Decision:
    """The decision on a graph that something keeps on the old API."""
    why = _refused(graph, options)
    # one obstacle hides the others: each that is known without a plan is told of once, at its first call
    first = {reason: use for use, reason in reversed(why.items()) if reason != blocked.reason}
    more = (located(graph, use, reason) for reason, use in reversed(first.items()))
    if blocked.use is not None:
        why[blocked.use] = blocked.reason
    return Decision(graph, Outcome.COMPAT, (_reason(graph, blocked, found.modules), *more), why=why)


def _of_comments(changes: Collection[Changes]) -> Iterator[str]:
    """The notes on comments that were left out, told anew, or left though they speak of what is gone."""
    yield from listed(DROPPED, [comment for one in changes for comment in one.gone])
    yield from listed(REWORDED, [comment for one in changes for comment in one.said_anew()])
    yield from listed(STILL, [comment for one in changes for comment in one.still], _NAMED)


def _of_prose(plan: Plan) -> Iterator[str]:
    """The note on the text of notebooks that speaks of what is gone."""
    rdds = any(module.rdds for module in plan.modules.values())
    lines = [line for module in plan.program.modules for line in module.form.prose]
    old = [Comment(0, 0, 0, line, alone=True) for line in lines if speaks_of_old(line, rdds=rdds)]
    yield from listed(STILL_PROSE, old, _NAMED)


def _of_what_goes(plan: Plan, gone: Mapping[str, ast.FunctionDef]) -> Iterator[str]:
    """The notes on streams without output, the functions that they called, and their sources."""
    idle_lines = dict.fromkeys(_idle(plan))
    ran = set().union(*(_names_in(line) for line in plan.program.lines if line not in idle_lines))
    called = {line: (gone.keys() & _names_in(line)) - ran for line in idle_lines}
    idle = {line: names for line, names in called.items() if names}
    yield from (IDLE.format(_stream(line), listing(names)) for line, names in idle.items())
    uncalled = _uncalled(plan, gone)
    yield from tell_uncalled(uncalled)
    yield from _without_docstrings(gone, frozenset(uncalled).union(*idle.values()))
    yield from dict.fromkeys(_unread_sources(list(idle_lines), plan))


def _uncalled(plan: Plan, gone: Mapping[str, ast.FunctionDef]) -> tuple[str, ...]:
    """The functions of streams that are gone because nothing calls them."""
    read = {node.id for one in plan.program.modules for node in of_kinds(one.tree, ast.Name)}
    return tuple(name for name, node in gone.items() if name not in read and only_a_stream_fits(node))


def tell_uncalled(names: Collection[str]) -> tuple[str, ...]:
    """A note on functions that are left out because nothing calls them, if there are any."""
    return (UNCALLED.format(listing(names)),) if names else ()


def on_connect(program: Program, trees: Mapping[str, ast.Module]) -> tuple[str, tuple[str, ...]]:
    """Whether new code runs on Spark Connect, by its modules that change, and the notes on it if it does."""
    modules = {module.relative: module for module in program.modules}
    news = [replace(module, tree=trees.get(path, module.tree)) for path, module in modules.items()]
    why = not_on_connect(news, program)
    return ("; ".join(why), ()) if why else (READY, settings_of_server(news))


def lost_names(old: ast.Module, new: ast.Module) -> list[str]:
    """The names that the old module binds by more than parameters, and the new one only reads.

    With those that the new one reads where nothing binds them, unless the old one did, too.
    """
    reads = {node.id for node in of_kinds(new, ast.Name) if isinstance(node.ctx, ast.Load)}
    given = {node.arg for node in of_kinds(new, ast.arg)}
    lost = (reads & once(old, bound_names)) - bound_names(new) - given - vars(builtins).keys()
    unbound = unbound_names(new)
    return sorted(lost | (unbound - once(old, unbound_names) if unbound else unbound))


def _gone(old: Sequence[ast.Module], new: Sequence[ast.Module]) -> dict[str, ast.FunctionDef]:
    """The functions of the program that are gone, by their names."""
    left = {node.name for tree in new for node in of_kinds(tree, ast.FunctionDef)}
    functions = (node for tree in old for node in of_kinds(tree, ast.FunctionDef))
    return {node.name: node for node in functions if node.name not in left}


def _without_docstrings(gone: Mapping[str, ast.FunctionDef], told: Container[str]) -> tuple[str, ...]:
    """A note on the functions with docstrings that are gone, if there are any that no other note tells of."""
    own = [name for name in gone if name not in told and not name.startswith(OF_PYTHON_2)]
    names = [name for name in own if ast.get_docstring(gone[name], clean=False)]
    return (DOCSTRINGS.format(listing(names)),) if names else ()


def _idle(plan: Plan) -> Iterator[Line]:
    """The lines of the program whose streams no output reads."""
    for line in plan.program.lines:
        if any(plan.reasons.get(operation.use) == DEAD for operation in line.operations):
            yield line


def _unread_sources(idle: Sequence[Line], plan: Plan) -> Iterator[str]:
    """A note on each source that no output reads, such as one whose variable is bound anew."""
    lines = plan.program.lines
    for line in idle:
        source, last = line.operations[0], line.operations[-1]
        if source.is_source and plan.reasons.get(source.use) == DEAD:
            others = (one for one in lines[lines.index(line) + 1 :] if one.target == line.target)
            anew = any(last not in upstream(other.operations[-1]) for other in others if line.target)
            more = BOUND_ANEW.format(line.target) if anew else ""
            yield UNREAD.format(f"{ast.unparse(source.call.func)}(...)") + more


def _names_in(line: Line) -> set[str]:
    """The names that the operators of a line are given."""
    arguments = (one for operation in line.operations for one in operation.call.args)
    return {node.id for one in arguments for node in walk(one) if isinstance(node, ast.Name)}


def _stream(line: Line) -> str:
    """A stream as a note calls it: by its variable, or by its operator."""
    return f"`{line.target or line.operations[-1].operator}`"


def listing(names: Iterable[str]) -> str:
    """Names as a note lists them."""
    return ", ".join(f"`{name}`" for name in names)


def _only_brought_to_3(found: Trace, changed: Container[str]) -> list[ast.Module]:
    """The modules beside those of a graph in which nothing changes but that Python 3 takes them."""
    return [one.tree for one in found.modules if one.python == 2 and one.relative not in changed]


def _of_ascii(new: Sequence[ast.Module]) -> tuple[list[ast.Call], list[ast.Call]]:
    """The calls that fail at some text, as Python 2's bytes of it are not known: to ASCII, and all others."""
    unused = _in_unused_functions(new)
    calls = [
        call
        for tree in new
        for call in of_kinds(tree, ast.Call)
        if isinstance(call.func, ast.Name) and call.func.id in _OF_ASCII and call not in unused
    ]
    to_ascii = [call for call in calls if _gives_ascii(call)]
    return to_ascii, [call for call in calls if call not in to_ascii]


def _listed(calls: Iterable[ast.Call]) -> str:
    """Calls as a note lists them; empty for none."""
    return ", ".join(dict.fromkeys(f"`{ast.unparse(call)}`" for call in calls))


def _gives_ascii(call: ast.Call) -> bool:
    """Whether a call encodes to ASCII, which has no other characters, or fails at them as in Python 2."""
    match call:
        case ast.Call(ast.Name("python2_encode"), [_, ast.Constant(str(codec)), *_]):
            return codec.lower() in ("ascii", "us-ascii")
        case ast.Call(ast.Name("python2_encode"), [_]):
            return True
    return False


def _in_unused_functions(trees: Sequence[ast.Module]) -> set[ast.AST]:
    """All that stands in functions of modules which nothing names."""
    named = {node.id for tree in trees for node in of_kinds(tree, ast.Name)}
    named |= {node.attr for tree in trees for node in of_kinds(tree, ast.Attribute)}
    named |= {node.name for tree in trees for node in of_kinds(tree, ast.alias)}
    return {
        node
        for tree in trees
        for function in tree.body
        if isinstance(function, ast.FunctionDef) and not function.decorator_list
        if function.name not in named
        for node in walk(function)
    }


def listed(note: str, comments: Sequence[Comment], most: int | None = None) -> tuple[str, ...]:
    """A note about comments, if there are any; one that stays where it was need not be told of by name."""
    texts = [*dict.fromkeys(f"`{comment.text}`" for comment in comments)]
    if most is not None and len(texts) > most:
        texts[most:] = [f"and {len(texts) - most} more"]
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
        if module.form.has_cells:
            texts[path] = written(one)
            module.form.restore(texts[path], adopted=True)
    return texts


def _in_plainer_code(
    graph: Graph, found: Trace, options: Options, choices: Choices | None
) -> Decision | None:
    """The decision on a graph whose context has a name now, or that is native without some conditions.

    The conditions are those of branches that are always taken.
    """
    named = with_named_context(graph)
    module = named or without_conditions(graph)
    if module is None:
        return None
    same = [other for other in found.graphs if other.files == graph.files].index(graph)
    modules = [module if other.relative == module.relative else other for other in found.modules]
    traced = replace(trace(modules), beside=found.beside)
    again = [other for other in traced.graphs if other.files == graph.files][same]
    decision = decide_native(again, traced, options, choices)
    if [use.name for use in again.uses] != [use.name for use in graph.uses]:
        return None
    if named is None and decision.outcome is not Outcome.NATIVE:
        return None
    olds = dict(zip(again.uses, graph.uses, strict=True))
    return replace(
        decision,
        graph=graph,
        why={olds[use]: reason for use, reason in decision.why.items()},
        tiers={olds[use]: tier for use, tier in decision.tiers.items()},
        unsafe=frozenset(olds[use] for use in decision.unsafe),
        learnt=frozenset(olds[use] for use in decision.learnt),
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


def _reason(graph: Graph, blocked: Blocked, modules: Sequence[Module]) -> str:
    """Why a graph is not native, with the place."""
    if blocked.at is None:
        return located(graph, blocked.use, blocked.reason)
    root = Tree(*(module.tree for module in modules)).root_of(blocked.at)
    module = next(module for module in modules if module.tree is root)
    return f"{graph.told(module).where(getattr(blocked.at, 'lineno', 1))}: {blocked.reason}"


def located(graph: Graph, use: Use | None, why: str) -> str:
    """A reason with the place of the call that it is about, if it is about one."""
    return why if use is None else f"{graph.told(use.module).where(use.line)}: {why}"
