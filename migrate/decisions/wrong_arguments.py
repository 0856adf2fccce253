"""Calls that do not fit the parameters of what they call: a TypeError wherever they run."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from migrate.decisions.spark_classes import SparkClasses
from migrate.model import Module
from migrate.syntax.nodes import code_of, of_kinds
from migrate.syntax.tree import goes_on_after
from migrate.trace import Trace
from migrate.trace.values import Function

NOT_FITTING = (
    "{}: `{}` does not fit the parameters of `{}`: a TypeError where this runs; mend it, or leave it out"
)
TOO_MANY = "{}: `{}` takes {}, and is given {}: a TypeError where this runs; mend it, or leave it out"
_MOST = {
    **dict.fromkeys(("RDD.filter", "RDD.foreach", "RDD.foreachPartition", "RDD.mapValues", "RDD.reduce"), 1),
    **dict.fromkeys(("DStream.filter", "DStream.mapValues", "DStream.reduce", "DStream.foreachRDD"), 1),
    **dict.fromkeys(("DStream.flatMap", "DStream.map", "RDD.flatMap", "RDD.map"), 2),
}
"""The number of arguments that methods of RDDs and streams take at most."""


def wrong_arguments(module: Module, trace: Trace, classes: SparkClasses) -> Iterator[str]:
    """What the report says of such calls, of the program's own functions and of methods that take functions.

    Args:
        module: the module.
        trace: of the modules that were read.
        classes: those of its expressions.
    """
    bound = _bindings(module.tree)
    for call in of_kinds(module.tree, ast.Call):
        if _is_open(call) or goes_on_after(call, classes.above, "TypeError"):
            continue
        where = module.where(call.end_lineno or call.lineno)
        match call.func:
            case ast.Name(name) if bound[name] == 1:
                function = _only(call.func, trace)
                if function is not None and not _fits(call, function.args):
                    yield NOT_FITTING.format(module.where(call.lineno), code_of(call), name)
            case ast.Attribute(value, name):
                owner = classes.of(value) if len(call.args) > 1 else ""
                most = _MOST.get(f"{owner}.{name}", len(call.args))
                if len(call.args) > most:
                    number = "one argument" if most == 1 else f"{most} arguments at most"
                    yield TOO_MANY.format(where, f"{owner}.{name}", number, len(call.args))


def _bindings(tree: ast.Module) -> Counter[str]:
    """How often a module binds each name, as a variable, a parameter, an import or a definition."""
    found = Counter(one.id for one in of_kinds(tree, ast.Name) if not isinstance(one.ctx, ast.Load))
    found.update(one.arg for one in of_kinds(tree, ast.arg))
    found.update(one.name for one in of_kinds(tree, ast.FunctionDef))
    found.update(one.name for one in of_kinds(tree, ast.AsyncFunctionDef))
    found.update(one.name for one in of_kinds(tree, ast.ClassDef))
    found.update((one.asname or one.name).split(".")[0] for one in of_kinds(tree, ast.alias))
    return found


def _is_open(call: ast.Call) -> bool:
    """Whether it is not written out how many arguments a call has."""
    starred = any(isinstance(one, ast.Starred) for one in call.args)
    return starred or any(one.arg is None for one in call.keywords)


def _only(called: ast.Name, trace: Trace) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None:
    """The function that a name stands for, which nothing wraps."""
    values = [*trace.kinds.get(called, ())]
    if len(values) != 1 or not isinstance(values[0], Function):
        return None
    function = values[0].node
    return None if not isinstance(function, ast.Lambda) and function.decorator_list else function


def _fits(call: ast.Call, parameters: ast.arguments) -> bool:
    """Whether a call gives each parameter one value, and no other."""
    places = [one.arg for one in (*parameters.posonlyargs, *parameters.args)]
    given, named = places[: len(call.args)], [one.arg for one in call.keywords]
    if len(call.args) > len(places) and parameters.vararg is None:
        return False
    by_name = {one.arg for one in (*parameters.args, *parameters.kwonlyargs)} - {*given}
    if parameters.kwarg is None and not by_name.issuperset(named):
        return False
    needed = places[: len(places) - len(parameters.defaults)]
    pairs = zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
    needed += [one.arg for one, default in pairs if default is None]
    return {*given, *named}.issuperset(needed)
