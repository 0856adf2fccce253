"""Calls of functions of the project: of the module, of another one, of a class, or of the function around."""

from __future__ import annotations

import ast

from migrate.syntax.tree import parameter_names
from migrate.typed.asking import Names, Typing
from migrate.typed.types import NEVER, own_function


def project_function(
    typing: Typing, function: ast.expr, names: Names
) -> tuple[ast.Lambda | ast.FunctionDef, bool] | None:
    """The function of the project that a call is of, and whether it is a method that gets its object."""
    if isinstance(function, ast.Name):
        own = own_function(names.get(function.id, NEVER))
        known = own if function.id in names else typing.scope.functions.get(function.id)
        if known is not None or function.id in names:
            return None if known is None else (known, False)
    elif not isinstance(function, ast.Attribute):
        return None
    defined = typing.scope.defined(function)
    return None if defined is None else (defined.node, defined.bound)


def in_order(node: ast.Call, function: ast.Lambda | ast.FunctionDef, bound: bool) -> list[ast.expr] | None:
    """The arguments of a call in the order of the parameters; None where one is not known."""
    given = list(node.args)
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    parameters = parameter_names(function)
    defaults = dict(zip(reversed(parameters), reversed(function.args.defaults), strict=False))
    for name in parameters[len(given) + bound :]:
        if not named:
            break
        default = defaults.get(name)
        argument = named.pop(name, default if isinstance(default, ast.Constant) else None)
        if argument is None:
            return None
        given.append(argument)
    return None if named else given
