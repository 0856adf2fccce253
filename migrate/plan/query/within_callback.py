"""Callbacks that do what the batch function would do beside calling them, if that is little."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator, Sequence

from migrate.columns.pieces import written_out
from migrate.frozen import replace
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.outputs import Direct
from migrate.plan.names.function_names import is_of_batches
from migrate.plan.new_code.code import Chain, Makes, Written
from migrate.plan.new_code.inner import Inner, Put
from migrate.plan.new_code.planned_module import BatchFunction
from migrate.plan.query.straight import last_call
from migrate.plan.stream_functions.cached_rdds import released_by, releasing
from migrate.syntax.bindings import BINDING, bound_by
from migrate.syntax.nodes import position, walk
from migrate.syntax.quoting import quotes
from migrate.syntax.tree import is_idle, own_nodes

_MOST = 1
"""How many statements that make or print something a function takes whose name is about its own."""
_FEW = 2
"""How many early ends of a function may each release what it has persisted."""
_EVERYWHERE = frozenset({"F", "datetime", "time", *vars(builtins)})
"""Names that new code reads in any function."""


def within_callback(draft: Draft, function: BatchFunction) -> tuple[Direct, Written, BatchFunction] | None:
    """The batch function as the function of the program that it would call at its end.

    Returns:
        the call that goes, the same as a statement, and what stands before and after the function's own ones;
        None where the batch function does more, or names would mean something else there.
    """
    does, direct = draft.body, last_call(draft)
    node = direct.node if direct is not None else None
    if direct is None or not isinstance(node, ast.FunctionDef):
        return None
    if not is_of_batches(node.name) and not _does_little(draft, direct):
        return None
    if direct.rdd is not None and direct.name in function.parameters:
        return None
    if not all(map(_is_small, does.statements[:-1])):
        return None
    if not direct.alone or not _is_in_reach(node, function, draft):
        return None
    calls = [place for place, one in enumerate(function.body) if one is does.statements[-1]]
    if not calls:
        return None
    first, call, last = function.body[: calls[0]], function.body[calls[0]], function.body[calls[0] + 1 :]
    if direct.rdd is not None:
        made = Written(replace(direct.rdd, target=direct.name), call.replaces[:-1], makes=Makes.RDD)
        held, last = last, _releasing_as(direct.name, first, last)
        if last != held and direct.parameter.arg in _stored(node):
            return None
        first, call = _with_rdd(first, made), replace(call, replaces=call.replaces[-1:])
        bound = [one.code.target for one in first if isinstance(one.code, Chain)]
        if bound.count(direct.name) > 1 and direct.name in map(released_by, last):
            return None
    if direct.time is not None and draft.needs.batch_time:
        first = tuple(_renamed(one, draft.needs.batch_time, direct.time.arg) for one in first)
    if not _keeps_names(draft, direct, node, function.parameters, first):
        return None
    if last and direct.rdd is None and direct.parameter.arg in _stored(node):
        return None
    returns = _returns(node, draft.needs.inner) if last else []
    end = node.body[-1]
    tried = {*walk(end)} if isinstance(end, ast.Try) and not end.finalbody else set()
    released = end if returns and isinstance(end, ast.Try) else None
    if not tried.issuperset(returns):
        if not _can_release_above(returns, node, last):
            return None
        released = None
        puts = [(one, Put(text)) for one in returns for each in last for text in each.texts()]
        draft.need(inner=Inner(before=tuple(puts)))
    return (
        direct,
        call,
        replace(function, name=direct.function, body=first, within=node, last=last, released=released),
    )


def _does_little(draft: Draft, direct: Direct) -> bool:
    """Whether a function of a name of its own may do what stands above its call, too."""
    made = 0 if direct.rdd is None else len(direct.rdd.calls) - 1
    return max(made, len(draft.body.statements) - 1) <= _MOST


def _is_small(one: Written) -> bool:
    """Whether a statement makes a DataFrame or RDD, or shows some rows: no other output."""
    code = one.code
    return isinstance(code, Chain) and (bool(code.target) or code.shows)


def _is_in_reach(node: ast.FunctionDef, function: BatchFunction, draft: Draft) -> bool:
    """Whether a function is there where the query starts, and has statements to stand above."""
    program, scope = draft.basis.program, draft.basis.place.scope
    tree, start = program.tree, program.start
    around = tree.scope_of(node)
    if start is not None and around is tree.scope_of(start.node) and position(node) > position(start.node):
        return False
    here = tree.root_of(node) is tree.root_of(function.place)
    return here and around in (scope, tree.root_of(node)) and not is_idle(node.body[-1])


def _renamed(one: Written, old: str, new: str) -> Written:
    """A statement that binds another variable: the batch time by the name that the callback has for it."""
    if isinstance(one.code, Chain) and one.code.target == old:
        return replace(one, code=replace(one.code, target=new))
    return one


def _with_rdd(first: Sequence[Written], made: Written) -> tuple[Written, ...]:
    """Statements of which the last makes an RDD by the name that the callback has for it."""
    assert isinstance(made.code, Chain)
    last = first[-1].code if first else None
    if isinstance(last, Chain) and not made.code.calls and last.target == made.code.base:
        return (*first[:-1], replace(first[-1], code=replace(last, target=made.code.target)))
    return (*first, made)


def _releasing_as(name: str, first: Sequence[Written], last: Sequence[Written]) -> tuple[Written, ...]:
    """The last statements, which release what the first ones make by the callback's name for it."""
    made = first[-1].code if first else None
    target = made.target if isinstance(made, Chain) else ""
    return tuple(
        replace(one, code=releasing(name)) if target and released_by(one) == target else one for one in last
    )


def _keeps_names(
    draft: Draft,
    direct: Direct,
    node: ast.FunctionDef,
    parameters: Sequence[str],
    first: Sequence[Written],
) -> bool:
    """Whether all names mean in a function what they do in the batch function, and in its own code."""
    bound, read = {*parameters}, set[str]()
    for one in first:
        written = ast.parse(written_out(one.text))
        read |= {*_read(draft, [written])} - bound
        bound |= {*_stored(written)}
    time = direct.time.arg if direct.time is not None else ""
    if direct.name != direct.given or direct.name not in bound or draft.needs.batch_time in read - {time}:
        return False
    given = {one.arg for one in walk(node.args) if isinstance(one, ast.arg)}
    if {*_stored(node), *_mentioned(node)} & (bound - {direct.name, time}):
        return False
    if {*_stored(node), *given} - {direct.parameter.arg} & read:
        return False
    scope, tree = draft.basis.place.scope, draft.basis.program.tree
    if isinstance(scope, ast.Module) or tree.scope_of(node) is scope:
        return True
    bindings, top = draft.basis.facts.bindings, tree.root_of(node)
    return all(name in _EVERYWHERE or {*map(tree.scope_of, bindings.get(name, ()))} == {top} for name in read)


def _stored(tree: ast.AST) -> Iterator[str]:
    """The names that code binds, without parameters."""
    for node in walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, BINDING) and not isinstance(node, ast.arg) and (name := bound_by(node)):
            yield name


def _mentioned(tree: ast.AST) -> Iterator[str]:
    """The names that code reads, declares or has for parameters."""
    for node in walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name):
                yield name
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names


def _read(draft: Draft, trees: Sequence[ast.Module]) -> Iterator[str]:
    """The names that new code reads, itself or in the quoted code of the program."""
    modules = draft.basis.program.modules
    user = {name: node for module in modules for name, node in quotes(module.tree).items()}
    waiting: list[ast.AST] = [*trees]
    for tree in waiting:  # grows while it is walked
        for node in walk(tree):
            if isinstance(node, ast.Name) and node.id in user:
                waiting.append(user[node.id])
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                yield node.id


def _returns(node: ast.FunctionDef, inner: Inner) -> list[ast.stmt]:
    """The statements at which a function ends early, or will with what stands above them."""
    inside = {*walk(node)}
    new = [old for old, put in inner.before if old in inside and put.returns]
    return [*new, *(one for part in node.body for one in own_nodes(part) if isinstance(one, ast.Return))]


def _can_release_above(returns: Sequence[ast.stmt], node: ast.FunctionDef, last: Sequence[Written]) -> bool:
    """Whether what stands at the end of a function can stand above its few ``return``, each on its own line.

    It runs to its end where none of them does, and they read nothing of what is released.
    """
    lines = Counter(one.lineno for one in walk(node) if isinstance(one, ast.stmt))
    ends = {*walk(node.body[-1])}
    return (
        len(returns) <= _FEW
        and not any(
            one.body or one.when or not (isinstance(one.code, str) or released_by(one)) for one in last
        )
        and all(
            isinstance(one, ast.Return)
            and (one.value is None or isinstance(one.value, ast.Constant))
            and lines[one.lineno] == 1
            and one not in ends
            for one in returns
        )
    )
