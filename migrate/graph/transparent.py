"""Decorators that only do something around the function: each call of it is one call of what they decorate.

def timed(function):
    def wrapper(*args, **kwargs):
        started = time.time()
        result = function(*args, **kwargs)
        print(time.time() - started)
        return result

    return wrapper
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.knowledge.builtins import SHOWS
from migrate.syntax.nodes import walk
from migrate.syntax.tree import is_idle, parameter_names, yields_among
from migrate.trace import Trace
from migrate.trace.values import Function

_OF_CLASSES = frozenset({"staticmethod", "classmethod"})


def wrapping(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    """The decorators of a function, but for those that say what its first parameter is."""
    return [one for one in function.decorator_list if ast.unparse(one) not in _OF_CLASSES]


def is_transparent(decorator: ast.expr, trace: Trace) -> bool:
    """Whether a decorator hands all arguments on, once, and gives back what the function returns."""
    match [*trace.called(decorator)]:
        case [Function(ast.FunctionDef(decorator_list=[], body=body) as node)]:
            given = parameter_names(node)
            match [one for one in body if not is_idle(one)]:
                case [ast.FunctionDef(name) as inner, ast.Return(ast.Name(returned))] if name == returned:
                    return len(given) == 1 and _calls_once(inner, given[0])
    return False


def _calls_once(wrapper: ast.FunctionDef, function: str) -> bool:
    """Whether a function calls another one once, with all that it is given, and returns what that returns."""
    wraps = {f"wraps({function})", f"functools.wraps({function})"}
    nodes = [*walk(wrapper)]
    if not wraps.issuperset(map(ast.unparse, wrapper.decorator_list)) or yields_among(nodes):
        return False
    match wrapper.args:
        case ast.arguments([], [], ast.arg(rest), [], [], ast.arg(named), []):
            handing = f"{function}(*{rest}, **{named})"
        case _:
            return False
    calls = [one for one in nodes if isinstance(one, ast.Call) and ast.unparse(one) == handing]
    times = {function: 1, rest: 1, named: 1}
    match wrapper.body[-1]:
        case ast.Return(value) if [value] == calls:
            pass
        case ast.Return(ast.Name(result)):
            held = [one for one in wrapper.body if isinstance(one, ast.Assign) and [one.value] == calls]
            if [ast.unparse(target) for one in held for target in one.targets] != [result]:
                return False
            times[result] = 2
        case _:
            return False
    shown = _shown(nodes, wrapper)
    names = [
        one.id for one in nodes if isinstance(one, ast.Name) and (one.id != function or one not in shown)
    ]
    leaves = [one for one in nodes if isinstance(one, ast.Return | ast.Global | ast.Nonlocal)]
    return len(leaves) == 1 and all(names.count(name) == count for name, count in times.items())


def _shown(nodes: Sequence[ast.AST], wrapper: ast.FunctionDef) -> set[ast.expr]:
    """The expressions that are only shown: ``print(function.__name__)``."""
    shown: set[ast.expr] = set()
    for node in nodes:
        match node:
            case ast.Attribute(attr="__name__") | ast.FormattedValue():
                shown.add(node.value)
            case ast.Call(ast.Name(name), given) if name == "print" or name in SHOWS:
                shown.update(given)
            case ast.Call(_, given) if node in wrapper.decorator_list:
                shown.update(given)
    return shown
