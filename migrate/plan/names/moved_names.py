"""Names in code that moves into the batch function, which stand for something else or nothing there.

A name of another module is imported; a parameter of a function that is called once becomes its argument.
"""

from __future__ import annotations

import ast
import builtins

from migrate.graph.blocked import Blocked
from migrate.graph.place import Borrowed
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.imported_names import import_by_own_name, import_of
from migrate.plan.new_code.inner import GONE, Inner, Put
from migrate.plan.new_code.own_imports import OwnImport
from migrate.proofs.analysis.arguments import argument_of
from migrate.proofs.values.loop_invariant import is_loop_invariant
from migrate.syntax.nodes import position, root_of
from migrate.syntax.quoting import quoted

_BUILTINS = frozenset(dir(builtins))
_KNOWN = frozenset(map(OwnImport, ("copy", "json", "os", "time")))
"""Imports that have a place of their own among those of the standard library."""


def give_moved_names(draft: Draft) -> None:
    """Add the imports and arguments that code needs which moves into the batch function.

    Raises:
        Blocked: a name has no counterpart there.
    """
    once: dict[ast.expr, str] = {}
    for borrowed in draft.basis.place.borrowed:
        attempt = draft.attempt()
        imported = _imported(borrowed, draft)
        argument = _argument(borrowed, draft) if imported is None else None
        renamed = None
        if imported is None and argument is None and _is_of_module(borrowed, draft):
            renamed = import_by_own_name(borrowed.name, draft.basis)
        if argument is not None and not _lasts(argument, draft):
            if borrowed.function not in draft.basis.place.consumed:
                argument = None
            elif argument not in once:
                once[argument] = draft.fresh(borrowed.name.id)
        if renamed is not None:
            imported = frozenset({renamed[0]})
            attempt.need(inner=Inner(((borrowed.name, renamed[1]),)))
        if imported is None and argument is None:
            about = borrowed.use
            raise Blocked(
                f"`{about.name}` reads `{borrowed.name.id}` of another function than the one that starts: "
                "make the streams and start them in one function",
                about,
            )
        if imported is not None:
            known = {one for one in imported if one in _KNOWN}
            attempt.need(imports=frozenset(one.name for one in known), own_imports=imported - known)
        if argument is not None:
            source = draft.basis.program.module_of(argument).source
            text = ast.get_source_segment(source, argument) or ast.unparse(argument)
            is_read = argument in once or isinstance(root_of(argument), ast.Name)
            new = ((borrowed.name, once.get(argument, text)),)
            attempt.need(inner=Inner(new, reads=(borrowed.name,) if is_read else ()))
        draft.accept(attempt)
    tree = draft.basis.program.tree
    for argument in sorted(once, key=position):  # where the function was called
        put = Put(f"{once[argument]} = {quoted(argument)}")
        draft.need(inner=Inner(before=((tree.statement_of(argument), put),)))


def carry_variables(draft: Draft) -> None:
    """Bind variables that moved code takes along where the function was called that bound them."""
    found = [(_calls_of(carried.function, draft), carried.statement) for carried in draft.basis.place.carried]
    for calls, statement in sorted(found, key=lambda both: (len(both[0]), position(both[1]))):
        (target,) = statement.targets
        put = Put(f"{ast.unparse(target)} = {quoted(statement.value)}", moved=statement)
        draft.need(inner=Inner(before=((calls[-1], put),)))


def _calls_of(function: ast.AST, draft: Draft) -> list[ast.stmt]:
    """The statements that lead to a function, up to that of the graph's own function."""
    program = draft.basis.program
    found: list[ast.stmt] = []
    while function is not program.scope:
        found.append(program.tree.statement_of(program.reading.entered[function]))
        function = program.tree.scope_of(found[-1])
    return found


def leave_out_streams(draft: Draft) -> None:
    """Give functions that run once no streams any more, where these are made in each batch."""
    for call in dict.fromkeys(one.call for one in draft.basis.place.not_given):
        own = [one for one in draft.basis.place.not_given if one.call is call]
        gone = [one.argument for one in own]
        positional = [quoted(argument) for argument in call.args if argument not in gone]
        named = [
            f"{keyword.arg}={quoted(keyword.value)}" if keyword.arg else f"**{quoted(keyword.value)}"
            for keyword in call.keywords
            if keyword.value not in gone
        ]
        new = f"{quoted(call.func)}({', '.join((*positional, *named))})"
        draft.need(inner=Inner(((call, new),), parameters=tuple((one.parameter, GONE) for one in own)))


def _imported(borrowed: Borrowed, draft: Draft) -> frozenset[OwnImport] | None:
    """The import for a name of another module; none if it is there."""
    return import_of(borrowed.name, draft.basis) if _is_of_module(borrowed, draft) else None


def _is_of_module(borrowed: Borrowed, draft: Draft) -> bool:
    """Whether a name is a variable of the module that it stands in, and hides no builtin."""
    home = draft.basis.trace.scopes[borrowed.function].home(borrowed.name.id)
    of_module = home is not None and isinstance(home.node, ast.Module)
    return of_module and borrowed.name.id not in _BUILTINS


def _argument(borrowed: Borrowed, draft: Draft) -> ast.expr | None:
    """The argument that a parameter gets in the only call of its function.

    The name of the parameter means nothing else in the module of the batch function, where proofs look it up.
    """
    basis, name = draft.basis, borrowed.name
    found = argument_of(name, borrowed.function, basis.program)
    if found is None or len(basis.program.reading.entries[borrowed.function]) != 1:
        return None
    argument, scope = found
    if scope is not basis.program.scope:
        return None
    same = isinstance(argument, ast.Name) and argument.id == name.id
    tree = basis.program.tree
    others = [one for one in basis.facts.bindings.get(name.id, ()) if not isinstance(one, ast.arg)]
    own = any(tree.scope_of(one) is basis.program.scope for one in basis.facts.bindings.get(name.id, ()))
    return argument if same or not (others or own) else None


def _lasts(argument: ast.expr, draft: Draft) -> bool:
    """Whether an argument is the same in each batch, and short enough to stand where its parameter stood."""
    is_short = isinstance(argument, ast.Name | ast.Attribute | ast.Constant)
    return is_short and is_loop_invariant(argument, draft.basis.facts)
