"""The entry points of the compiler: one for each kind of operator."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from migrate.columns import (  # noqa: F401  (each module registers its productions)
    bodies,
    booleans,
    cases,
    casts,
    comparisons,
    compiled_patterns,
    comprehensions,
    dicts,
    floats,
    formats,
    integers,
    lists,
    objects,
    regex_tests,
    regexes,
    sequences,
    slices,
    splitting,
    texts,
    tuples,
)
from migrate.columns.booleans import truth
from migrate.columns.compiler import Compiler
from migrate.columns.element import Compiled, Element, Mixed, Refusal, Scalar, Scope, Value
from migrate.columns.functions import FunctionNode, apply
from migrate.columns.json_values import as_learnt, bare_value, only_keys
from migrate.columns.names import is_telling
from migrate.columns.shapes import Str
from migrate.frozen import replace

EMPTY = Scope()


def compile_map(function: FunctionNode, arguments: Sequence[Element], scope: Scope = EMPTY) -> Compiled:
    """Compile a function applied to elements, as for ``map``.

    Args:
        function: a lambda, a def, or an expression that names a function.
        arguments: one element for each parameter; mostly one.
        scope: the names that the function may read.

    Returns:
        the result as a column, or as a record of columns where it is a tuple.

    Raises:
        Refusal: part of the function is not covered.
    """
    compiler = Compiler(scope)
    value = apply(compiler, function, named_after_parameters(function, arguments), {})
    return compiler.compiled(as_learnt(compiler, compiler.as_element(value, function), scope.learnt))


def compile_some(
    function: FunctionNode, arguments: Sequence[Element], scope: Scope = EMPTY
) -> tuple[Scalar, Compiled]:
    """Compile a function that gives tuples for some elements, and None for all others.

    Args:
        function: as for `compile_map`.
        arguments: as for `compile_map`.
        scope: as for `compile_map`.

    Returns:
        the condition under which there is a tuple, and the tuple.

    Raises:
        Refusal: part of the function is not covered, or it gives something else.
    """
    compiler = Compiler(scope)
    value = apply(compiler, function, named_after_parameters(function, arguments), {})
    if not isinstance(value, Mixed) or value.tuple is None:
        raise Refusal("it does not give tuples or None", function)
    return value.truth, compiler.compiled(as_learnt(compiler, value.tuple, scope.learnt))


def compile_int(text: Scalar, scope: Scope = EMPTY) -> Compiled:
    """Compile ``int(text)``."""
    compiler = Compiler(scope)
    return compiler.compiled(casts.int_of_text(compiler, text))


def compile_text(part: Scalar, scope: Scope = EMPTY) -> Compiled:
    """Compile a part of bare JSON that is a text or None."""
    compiler = Compiler(scope)
    return compiler.compiled(bare_value(compiler, ast.Constant(None), part, Str(), null=True))


def compile_only_keys(part: Scalar, keys: Sequence[str], scope: Scope = EMPTY) -> Compiled:
    """Compile the condition that an object of JSON, which a value is read of, has these keys alone."""
    compiler = Compiler(scope)
    return compiler.compiled(only_keys(compiler, part, keys))


def compile_filter(function: FunctionNode, arguments: Sequence[Element], scope: Scope = EMPTY) -> Compiled:
    """Compile a predicate: the condition under which ``filter`` keeps an element, of shape Bool.

    Raises:
        Refusal: part of the function is not covered.
    """
    compiler = Compiler(scope)
    compiler.assumed.tests(function)
    if isinstance(function, ast.Name):
        compiler.assumed.tested.add(function)
    value = apply(compiler, function, named_after_parameters(function, arguments), {})
    return compiler.compiled(compiler.using(value, truth(compiler, value, function), function))


def compile_expression(node: ast.expr, names: Mapping[str, Value], scope: Scope = EMPTY) -> Compiled:
    """Compile an expression that reads named elements.

    Raises:
        Refusal: part of the expression is not covered.
    """
    compiler = Compiler(scope)
    value = compiler.framed(node, lambda: compiler.value(node, names))
    return compiler.compiled(compiler.as_element(value, node))


def named_after_parameters(function: FunctionNode, arguments: Sequence[Element]) -> list[Value]:
    """Return the elements under their parameters' names where these say more than ``x`` or its column's."""
    if not isinstance(function, ast.Lambda | ast.FunctionDef):
        return list(arguments)
    parameters = [parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)]
    named: list[Value] = []
    for position, element in enumerate(arguments):
        name = parameters[position] if position < len(parameters) else None
        named.append(replace(element, name=name) if is_telling(name) and not _is_named(element) else element)
    return named


def _is_named(element: Element) -> bool:
    """Whether an element is a column with a name that the program gave it."""
    name = element.column if isinstance(element, Scalar) else None
    return name not in ("key", "value") and is_telling(name)
