"""Names of functions that made the context, and make a session or a writer now: ``createContext``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.frozen import replace
from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.draft import Draft
from migrate.plan.names.function_names import is_free, is_text
from migrate.plan.new_code.code import Chain, Code
from migrate.plan.new_code.inner import Inner
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import of_kinds, walk

NAMED = "functions that make no context any more are called after what they return: {}"
_CAMEL = re.compile(
    r"(?:[Ss]park)?(?:Streaming|(?<=[a-z])Stream)?(?:Context|(?<=[a-z])(?:SSC|Ssc))(?=[A-Z\d_]|$)"
)
_SNAKE = re.compile(r"(?<![A-Za-z])(?:spark_)?(?:streaming_|stream_)?(?:context|ssc)(?![A-Za-z])")


def with_builder_names(draft: Draft, attempt: Attempt, changes: PlannedModule) -> PlannedModule:
    """The plan with ``createSession`` and ``create_writer`` for functions that return these now.

    A program of several files is left alone, as is a name that new code has, or one that is taken.
    """
    if len(draft.basis.program.modules) > 1:
        return changes
    (module,) = draft.basis.program.modules
    facts = draft.basis.facts.of(module.tree)
    written = changes.names.all
    renamed: list[tuple[ast.AST, str]] = []
    told: list[str] = []
    for function in of_kinds(module.tree, ast.FunctionDef):
        if builder_name(function.name, "") == function.name:
            continue  # as most, which says no context
        kinds = {*_returned(draft, changes, function)}
        kind = kinds.pop() if len(kinds) == 1 else None
        new = builder_name(function.name, kind) if kind is not None else function.name
        if new == function.name or not {function.name, new}.isdisjoint(written) or not is_free(new, facts):
            continue
        if is_text(function.name, facts):
            continue  # it may be asked for by its name
        bound = facts.bindings.get(function.name, ())
        if [*bound] != [function] or function.name in draft.basis.trace.taken.of_module(module):
            continue
        reads = _reads(function, draft, facts)
        if reads is None:
            continue
        renamed += [(node, new) for node in (function, *reads)]
        told.append(f"`{function.name}` is `{new}`")
    if not told:
        return changes
    attempt.need(notes=(NAMED.format(", ".join(told)),))
    return replace(changes, inner=changes.inner | Inner(renamed=tuple(renamed)))


def _reads(function: ast.FunctionDef, draft: Draft, facts: Facts) -> list[ast.AST] | None:
    """What reads a function, which may be a method; None where something may be another one of that name."""
    above, name = facts.above[function], function.name
    members = [node for node in of_kinds(facts.tree, ast.Attribute) if node.attr == name]
    if not isinstance(above, ast.ClassDef):
        return [*facts.loads.get(name, ())]
    if name in draft.basis.trace.taken.attributes or name in facts.loads:
        return None
    return [*members] if all(_is_of(above, node.value, facts) for node in members) else None


def _is_of(cls: ast.ClassDef, value: ast.expr, facts: Facts) -> bool:
    """Whether an expression is a class or an object of it: ``self``, ``App``, ``App()``."""
    match value:
        case ast.Call(called):
            return _is_of(cls, called, facts)
        case ast.Name(name):
            home = facts.home(value)
            if isinstance(home, ast.FunctionDef) and facts.above[home] is cls:
                return [one.arg for one in home.args.args[:1]] == [name]
            return name == cls.name and facts.only_binding(name) is cls
    return False


def builder_name(name: str, made: str) -> str:
    """A name that says what is made in place of the context; itself where it says no context.

    >>> [builder_name(name, "session") for name in ("functionToCreateContext", "create_streaming_context")]
    ['functionToCreateSession', 'create_session']
    >>> [builder_name(name, "writer") for name in ("createSSC", "setup_ssc", "contextual", "main")]
    ['createWriter', 'setup_writer', 'contextual', 'main']
    """
    return _SNAKE.sub(made, _CAMEL.sub(made.capitalize(), name))


def _returned(draft: Draft, changes: PlannedModule, function: ast.FunctionDef) -> Iterator[str | None]:
    """What a function returns now at each place: a session or a writer, or something else."""
    new = {**dict(changes.inner.renamed), **dict(changes.inner.replaced)}
    for node in walk(function):
        if isinstance(node, ast.stmt) and node in changes.after:
            yield from (_made(draft, code) for code in changes.after[node])
        if not isinstance(node, ast.Return) or node in changes.removed:
            continue
        if node in changes.replaced:
            yield from (_made(draft, one.code) for one in changes.replaced[node])
        else:
            yield _held(draft, new.get(node.value, "")) if node.value is not None else None


def _made(draft: Draft, code: Code) -> str | None:
    """What a statement of new code returns."""
    if not isinstance(code, Chain) or not code.returned:
        return None
    return "writer" if code.is_writer else _held(draft, "" if code.calls else code.base)


def _held(draft: Draft, name: str) -> str | None:
    """What a variable of new code holds."""
    return {draft.basis.session.name: "session", draft.basis.names.writer: "writer"}.get(name)
