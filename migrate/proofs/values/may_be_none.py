"""Whether an argument may be None, as ``os.environ.get("SPARK_MASTER")`` is where nobody sets it."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.column_names import column_scope
from migrate.proofs.values.variable_types import VariableTypes
from migrate.syntax.tree import is_none, own_nodes, yields_among
from migrate.typed.types import Nothing, kinds_of

_DEPTH = 5
"""The number of variables and functions that a value is followed through at most."""
_ASKING = frozenset({"get", "getenv"})
"""Functions that return None for what is not there, unless they are told what else to return."""


def may_be_none(node: ast.expr, facts: Facts) -> bool:
    """Whether the code says that a value may be None.

    What it does not say, as of a function of a library, is taken for a value.
    """
    return _may_be_none(node, facts.of(node), _DEPTH)


def _may_be_none(node: ast.expr, facts: Facts, depth: int) -> bool:
    """See `may_be_none`; `depth` is the number of variables and functions to go through."""
    if not depth:
        return False
    match node:
        case ast.Constant(value):
            return value is None
        case ast.BoolOp(ast.Or(), [*_, last]):
            return _may_be_none(last, facts, depth)
        case ast.BoolOp(values=parts):
            return any(_may_be_none(part, facts, depth) for part in parts)
        case ast.IfExp(_, body, other):
            return _may_be_none(body, facts, depth) or _may_be_none(other, facts, depth)
        case ast.Name():
            return any(_bound_to_none(one, facts, depth - 1) for one in facts.bindings.get(node.id, ()))
        case ast.Attribute():
            found = facts.once(VariableTypes).attribute(node, column_scope(node.lineno, facts))
            return found is not None and any(isinstance(kind, Nothing) for kind in kinds_of(found.type))
        case ast.Call():
            return _gives_none(node, facts, depth - 1)
    return False


def _bound_to_none(binding: ast.AST, facts: Facts, depth: int) -> bool:
    """Whether a variable or a parameter may be None where it is bound."""
    if isinstance(binding, ast.arg):
        return is_missing_by_default(binding, facts)
    value = facts.part_of(binding)
    return value is not None and _may_be_none(value, facts, depth)


def is_missing_by_default(parameter: ast.arg, facts: Facts) -> bool:
    """Whether a parameter is None where a call does not give it."""
    given = facts.above[parameter]
    assert isinstance(given, ast.arguments)
    places = [*given.posonlyargs, *given.args]
    defaults = dict(zip(reversed(places), reversed(given.defaults), strict=False))
    defaults |= {one: value for one, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value}
    return parameter in defaults and is_none(defaults[parameter])


def _gives_none(call: ast.Call, facts: Facts, depth: int) -> bool:
    """Whether a call may return None: of a function that does, or that asks for what may not be there."""
    called = called_function(call.func, facts)
    if called is not None:
        return _returns_none(called.node, facts.of(called.node), depth)
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name not in _ASKING or not call.args:
        return False
    others = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
    return not others or (len(others) == 1 and _may_be_none(others[0], facts, depth))


def _returns_none(function: ast.FunctionDef, facts: Facts, depth: int) -> bool:
    """Whether a function may return None, or comes to its end."""
    own = [node for statement in function.body for node in own_nodes(statement)]
    if yields_among(own) or function.decorator_list:
        return False
    returned = [node.value for node in own if isinstance(node, ast.Return)]
    return comes_to_its_end(function.body) or any(
        value is None or _may_be_none(value, facts, depth) for value in returned
    )


def comes_to_its_end(block: Sequence[ast.stmt]) -> bool:
    """Whether what follows a block may run after it."""
    match block[-1]:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return False
        case ast.If(_, body, other):
            return not other or comes_to_its_end(body) or comes_to_its_end(other)
        case ast.With(body=body):
            return comes_to_its_end(body)
        case ast.While(ast.Constant(True | 1), body):
            return any(isinstance(node, ast.Break) for one in body for node in ast.walk(one))
        case ast.Try(body, handlers, other, final):
            if final and not comes_to_its_end(final):
                return False
            return comes_to_its_end(other or body) or any(comes_to_its_end(one.body) for one in handlers)
    return True
