"""Parameters that nothing reads any more: they go, with what the function's calls give for them.

``def start(topic, group_id)`` whose consumer group a query has no use for becomes ``def start(topic)``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.frozen import replace
from migrate.model import Module
from migrate.plan.draft.attempt import Attempt
from migrate.plan.draft.basis import Basis
from migrate.plan.names.kept import Kept, is_idle_value
from migrate.plan.new_code.inner import GONE, Inner
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.syntax.code_names import CodeNames
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.quoting import quoted
from migrate.syntax.tree import default_of, parameter_names
from migrate.trace.taken import EVERYTHING
from migrate.trace.values import Function

LEFT_OUT = "`{}` of `{}` is left out: only code that is gone read it"


def without_parameters(basis: Basis, attempt: Attempt, changes: PlannedModule) -> PlannedModule:
    """The changes, without the parameters that only code read which goes.

    Those of functions are meant all of whose uses, also in other modules of the program, are calls that are
    seen to give them nothing but values.
    """
    kept, program = Kept(basis, changes), basis.program
    replaced, renamed = dict(changes.inner.replaced), dict(changes.inner.renamed)
    read = changes.names.taken
    new: dict[ast.AST, str] = {}
    given, gone = dict(changes.inner.parameters), list[ast.arg]()
    for module in program.modules:
        others = [one.relative for one in program.modules if one is not module]
        taken = basis.trace.taken.of_module(module, others)
        for function in of_kinds(module.tree, ast.FunctionDef):
            if function not in kept.nodes or function.name in taken or function.name in read:
                continue
            calls = _calls(function, module, kept)
            before = [one for one in function.args.args if given.get(one) == GONE]
            if not calls or not all(
                replaced[call] == _without(call, function, before) if call in replaced else call in kept.nodes
                for call in calls
            ):
                continue
            own = new_names_in(function, changes).taken
            idle = [
                parameter
                for parameter in function.args.args
                if parameter not in given
                and renamed.get(parameter, parameter.arg) not in own
                and _was_read(parameter, function)
                and is_value(default_of(parameter, function.args))
                and not any(node in kept.nodes for node in reads(parameter, function))
                and all(is_value(_given(parameter, function, call)) for call in calls)
            ]
            if idle:
                attempt.need(notes=tuple(LEFT_OUT.format(one.arg, function.name) for one in idle))
                new |= {call: _without(call, function, [*before, *idle]) for call in calls}
                gone += idle
    inner = Inner(tuple(new.items()), parameters=tuple((one, GONE) for one in gone))
    return replace(changes, inner=changes.inner | inner) if new else changes


def new_names_in(function: ast.FunctionDef, changes: PlannedModule) -> CodeNames:
    """The names in the new code in a function."""
    inside = {*walk(function)}
    made = changes.function
    return PlannedModule(
        {old: new for old, new in changes.replaced.items() if old in inside},
        after={old: codes for old, codes in changes.after.items() if old in inside},
        function=made if made is not None and {made.place, made.within} & inside else None,
        inner=changes.inner.within(inside.__contains__),
    ).names


def _calls(function: ast.FunctionDef, module: Module, kept: Kept) -> list[ast.Call]:
    """The calls of a function at the top of its module; none where it may be called in another way."""
    basis, arguments = kept.basis, function.args
    facts = basis.facts.of(function)
    others = (arguments.posonlyargs, arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    plain = function in module.tree.body and not function.decorator_list and not any(others)
    if not plain or facts.only_binding(function.name) is not function:
        return []
    reads = list[ast.Name | ast.Attribute]()
    taken = basis.trace.taken
    takers = taken.takers_of(module, function.name) | taken.takers_of(module, EVERYTHING)
    own = {function.name, *parameter_names(function)}
    for one in basis.program.modules:
        if kept.reads_by_name(one.tree, own):
            return []
        if one is module:
            reads += [node for node in of_kinds(one.tree, ast.Name) if node.id == function.name]
        elif one.relative not in takers and not _reads_of_unknown(function.name, one.tree, basis):
            continue
        elif (found := _reads_of_other(function, one.tree, basis)) is not None:
            reads += found
        else:
            return []
    above = basis.program.tree.above
    calls = [call for node in reads if isinstance(call := above[node], ast.Call) and call.func is node]
    starred = (
        any(isinstance(one, ast.Starred) for one in call.args)
        or any(keyword.arg is None for keyword in call.keywords)
        for call in calls
    )
    return calls if len(calls) == len(reads) and not any(starred) else []


def _reads_of_other(
    function: ast.FunctionDef, tree: ast.Module, basis: Basis
) -> list[ast.Name | ast.Attribute] | None:
    """The reads of a function in another module of the program; None where others may not be seen."""
    name, kinds = function.name, basis.trace.kinds
    aliases = [one for one in of_kinds(tree, ast.alias) if one.name in (name, EVERYTHING)]
    if any(one.asname is not None for one in aliases):
        return None
    reads: list[ast.Name | ast.Attribute] = [
        node for node in of_kinds(tree, ast.Attribute) if node.attr == name
    ]
    if aliases:
        reads += [node for node in of_kinds(tree, ast.Name) if node.id == name]
    found = all(kinds.get(node) == frozenset({Function(function)}) for node in reads)
    return reads if found else None


def _reads_of_unknown(name: str, tree: ast.Module, basis: Basis) -> bool:
    """Whether a module reads an attribute of an object of which nothing is known: it may be the function."""
    found = (node for node in of_kinds(tree, ast.Attribute) if node.attr == name)
    return any(not basis.trace.kinds.get(node.value) for node in found)


def reads(parameter: ast.arg, function: ast.FunctionDef) -> Iterator[ast.Name]:
    """Where the function reads a parameter, or binds it again."""
    return (node for node in walk(function) if isinstance(node, ast.Name) and node.id == parameter.arg)


def _was_read(parameter: ast.arg, function: ast.FunctionDef) -> bool:
    return any(reads(parameter, function))


def _given(parameter: ast.arg, function: ast.FunctionDef, call: ast.Call) -> ast.expr | None:
    """What a call gives for a parameter; None for its default."""
    position = function.args.args.index(parameter)
    if position < len(call.args):
        return call.args[position]
    return next((keyword.value for keyword in call.keywords if keyword.arg == parameter.arg), None)


def is_value(code: ast.expr | None) -> bool:
    """Whether nothing happens where an argument or a default is evaluated, if there is one."""
    return code is None or is_idle_value(code)


def _without(call: ast.Call, function: ast.FunctionDef, parameters: list[ast.arg]) -> str:
    """The call without some arguments."""
    gone = [_given(parameter, function, call) for parameter in parameters]
    positional = [quoted(one) for one in call.args if one not in gone]
    named = [f"{one.arg}={quoted(one.value)}" for one in call.keywords if one.value not in gone]
    return f"{quoted(call.func)}({', '.join((*positional, *named))})"
