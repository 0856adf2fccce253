"""Typed functions that stand right above the callback which reads them.

    title_udf = F.udf(lambda value: value.title(), StringType())


    def show(batch):
        batch.select(title_udf("value")).show()

There may be no session yet, which parses types that are written as texts.
"""

from __future__ import annotations

import ast

from migrate.graph.blocked import Blocked
from migrate.knowledge.data_types import ARRAY, CLASSES
from migrate.plan.draft.step import Step
from migrate.plan.new_code.code import Code, with_name
from migrate.plan.new_code.inner import Inner, Put
from migrate.plan.new_code.our_names import check_names
from migrate.plan.typed.same_functions import named_before
from migrate.syntax.nodes import position, walk

_IN_ARRAYS = {f"array<{type_}>": name for type_, name in CLASSES.items()}
"""The classes of the items of arrays, by the types of these."""


def callback_below(step: Step, function: ast.expr | None = None) -> ast.FunctionDef | None:
    """The callback above which a typed function can stand that this method of its RDD is given.

    None where it reads variables of functions, or what the module binds below that place.

    Args:
        step: the method.
        function: the function, if it is not the method's first argument.
    """
    callback, facts = step.callback, step.facts
    if not isinstance(callback, ast.FunctionDef) or callback not in facts.tree.body or not has_lines(step):
        return None
    function = function or _function(step)
    if function is None:
        return None
    names = [node for node in walk(function) if isinstance(node, ast.Name)]
    if {home for name in names if (home := facts.home(name)) is not None} - {*walk(function)}:
        return None
    read = {"F", *(() if isinstance(function, ast.Lambda) else (name.id for name in names))}
    return callback if are_above(read, callback, step) else None


def is_in_reach(step: Step, function: ast.expr | None = None) -> bool:
    """Whether a callback sees the variables beside the batch function, and these what its function reads."""
    function, around = function or _function(step), _scopes_around(step.operation.call, step)
    if step.program.scope not in around or function is None:
        return False
    names = [node for node in walk(function) if isinstance(node, ast.Name)]
    homes = {home for name in names if (home := step.facts.home(name)) not in {*walk(function), None}}
    return homes <= {step.program.scope, *_scopes_around(step.program.scope, step)}


def type_above(step: Step, callback: ast.FunctionDef, type_: str) -> str | None:
    """The code of a function's type above a callback; None for a struct where there is no session yet."""
    if _has_session(step, callback):
        return f'"{type_}"'
    item = _IN_ARRAYS.get(type_)
    name = item or CLASSES.get(type_)
    if name is None:
        return None
    names = {name} if item is None else {name, ARRAY}
    try:
        check_names(step.facts, names)
    except Blocked:
        return None
    if not are_above(names, callback, step):
        return None
    step.need(imports=frozenset(names))
    return f"{name}()" if item is None else f"{ARRAY}({name}())"


def _has_session(step: Step, callback: ast.FunctionDef) -> bool:
    """Whether the module has made the session above a callback."""
    session = step.basis.session
    made: ast.stmt = session.statement or step.program.construction
    top = isinstance(step.program.tree.scope_of(made), ast.Module)
    return top and session.builder is not None and step.basis.has_session(callback)


def put_above(step: Step, callback: ast.FunctionDef, wanted: str, made: Code) -> str:
    """The name that a statement above a callback gives to a typed function, where `NAME` stands."""
    known = named_before(step, callback, made)
    if known is not None:
        return known
    name = step.fresh(wanted, anywhere=True)
    put = Put(with_name(made, name))
    step.need(inner=Inner(before=((callback, put),)), named={(callback, made): name})
    return name


def _function(step: Step) -> ast.expr | None:
    """The function that a method is given, by its name or in place."""
    arguments = step.operation.call.args
    named = bool(arguments) and isinstance(arguments[0], ast.Name | ast.Attribute | ast.Lambda)
    return arguments[0] if named else None


def are_above(names: set[str], function: ast.FunctionDef, step: Step) -> bool:
    """Whether nothing below a function binds some names of its module."""
    bindings = (binding for name in names for binding in step.facts.bindings.get(name, ()))
    return all(position(binding) < position(function) for binding in bindings)


def has_lines(step: Step) -> bool:
    """Whether the module is a file, whose imports stand above all of it."""
    modules = (module for module in step.program.modules if module.tree is step.facts.tree)
    return not any(module.form.has_cells for module in modules)


def _scopes_around(node: ast.AST, step: Step) -> list[ast.AST]:
    """The functions, classes and the module that a node is in, the inner ones first."""
    found: list[ast.AST] = []
    while not isinstance(node, ast.Module):
        node = step.program.tree.scope_of(node)
        found.append(node)
    return found
