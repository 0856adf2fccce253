"""Apply functions: lambdas, pure functions of the project by inlining, and library functions by name."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from migrate.columns.before_start import before_start
from migrate.columns.bodies import run_body
from migrate.columns.compiler import INLINE_DEPTH, Compiler, Names
from migrate.columns.constants import constant_value, library_constant
from migrate.columns.element import Display, Generator, Record, Refusal, Scalar, Settled, Value
from migrate.columns.letters import joined, translated
from migrate.columns.memberships import as_membership, goes_through_list
from migrate.columns.messages import refusal
from migrate.columns.registry import syntax
from migrate.columns.shapes import Bool, Bytes, Float, Int, List, Maybe, Shape, Str
from migrate.columns.tuples import named
from migrate.columns.types_asked import is_instance
from migrate.frozen import replace
from migrate.knowledge.libraries import JSON_READERS

FunctionNode = ast.expr | ast.FunctionDef
"""A lambda, a def, or an expression that names a function."""

_TYPES: dict[str, type[Shape]] = {"str": Str, "int": Int, "float": Float, "bool": Bool, "list": List}


def apply(compiler: Compiler, function: FunctionNode, arguments: Sequence[Value], names: Names) -> Value:
    """Apply a function to values.

    Raises:
        Refusal: it is not known or not pure, takes other arguments, or holds what no production covers.
    """
    match function:
        case ast.Lambda() | ast.FunctionDef():
            return _inline(compiler, function, arguments, names if isinstance(function, ast.Lambda) else {})
        case ast.Name(id) if id in compiler.scope.functions and id not in names:
            own = compiler.scope.functions[id]
            with compiler.assumed.testing(own if function in compiler.assumed.tested else None):
                return _inline(compiler, own, arguments, {})
    method = _static_method(compiler, function)
    if method is not None:
        return _inline(compiler, method, arguments, {})
    name = compiler.qualified(function, names)
    if name is None:
        raise refusal(function, "it is not known which function this is")
    owner, _, member = name.rpartition(".")
    if owner in _TYPES and arguments:
        return compiler.call_method(function, member, arguments[0], arguments[1:])
    return compiler.call_function(function, name, arguments)


def _static_method(compiler: Compiler, function: ast.expr) -> ast.FunctionDef | None:
    """The function of this module that a class has for a static method, if the expression names one."""
    own = compiler.scope.defined(function) if isinstance(function, ast.Attribute) else None
    if own is None or own.bound or own.scope.functions is not compiler.scope.functions:
        return None
    return own.node


def _inline(
    compiler: Compiler, function: ast.Lambda | ast.FunctionDef, arguments: Sequence[Value], names: Names
) -> Value:
    if compiler.depth >= INLINE_DEPTH:
        raise Refusal("the functions call each other too deeply, or without end", function)
    bound = {**names, **_bind(compiler, function, arguments, names)}
    compiler.depth += 1
    try:
        with compiler.assumed.narrowing(None):
            if isinstance(function, ast.Lambda):
                return compiler.framed(function.body, lambda: compiler.value(function.body, bound))
            return compiler.framed(function, lambda: run_body(compiler, function, bound))
    finally:
        compiler.depth -= 1


def _bind(
    compiler: Compiler, function: ast.Lambda | ast.FunctionDef, arguments: Sequence[Value], names: Names
) -> dict[str, Value]:
    signature = function.args
    if signature.vararg or signature.kwarg or signature.kwonlyargs:
        raise Refusal("a function with *, ** or keyword-only parameters has no Column form", function)
    parameters = [parameter.arg for parameter in (*signature.posonlyargs, *signature.args)]
    missing = parameters[len(arguments) :]
    if len(arguments) > len(parameters) or len(missing) > len(signature.defaults):
        raise Refusal(f"it takes {len(parameters)} arguments and is given {len(arguments)}", function)
    if any(isinstance(argument, Generator) for argument in arguments):
        raise Refusal("a generator is gone through once, which a parameter does not show", function)
    bound = dict(zip(parameters, arguments, strict=False))
    for name, default in zip(
        missing, signature.defaults[len(signature.defaults) - len(missing) :], strict=True
    ):
        bound[name] = compiler.value(default, names)
    return bound


@syntax(ast.Call)
def _call(compiler: Compiler, node: ast.Call, names: Names) -> Value:
    is_method = isinstance(node.func, ast.Attribute) and _static_method(compiler, node.func) is None
    if isinstance(node.func, ast.Attribute) and is_method and compiler.qualified(node.func, names) is None:
        return _method_call(compiler, node, node.func, names)
    name = compiler.qualified(node.func, names)
    if name == "isinstance":
        return is_instance(compiler, node, names)
    if name in ("any", "all"):
        membership = as_membership(node, name, compiler.scope.constants)
        if membership is not None:
            return compiler.value(membership, names)
        if goes_through_list(node, compiler.scope.constants):
            raise refusal(node, "a condition for each item would say again what the list says by its name")
    if name is not None and name.startswith("re."):
        from migrate.columns.only_ascii import searched

        searched(compiler, node, name, names)
    if name in JSON_READERS and (text := _encoded(node)) is not None:
        from migrate.columns.codecs import recoded

        (encoded,) = node.args
        assert isinstance(encoded, ast.Call)
        return compiler.call_function(
            node.func, str(name), [recoded(compiler, encoded, encoded, compiler.value(text, names))]
        )
    if name is not None and node.keywords and not any(keyword.arg is None for keyword in node.keywords):
        positional = [compiler.value(argument, names) for argument in node.args]
        keywords = {str(keyword.arg): compiler.value(keyword.value, names) for keyword in node.keywords}
        return compiler.call_function(node.func, name, positional, keywords)
    if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
        raise refusal(node, "keyword and starred arguments have no Column form")
    return apply(compiler, node.func, [compiler.value(argument, names) for argument in node.args], names)


def _encoded(node: ast.Call) -> ast.expr | None:
    """The text whose bytes are the only argument of a call: ``json.loads(text.encode("utf-8"))``."""
    match node:
        case ast.Call(args=[ast.Call(ast.Attribute(text, "encode"))], keywords=[]):
            return text
    return None


def _method_call(compiler: Compiler, node: ast.Call, function: ast.Attribute, names: Names) -> Value:
    from migrate.columns.only_ascii import LOOKING, compared, without_case

    if function.attr in ("startswith", "endswith"):
        function = without_case(function, node.args)
    if function.attr in LOOKING:
        compared(compiler, function.value, node.args, names)
    match function:
        case ast.Attribute(ast.Call(ast.Attribute(text, "encode")) as encoded, "decode"):
            from migrate.columns.codecs import recoded

            return recoded(compiler, node, encoded, compiler.value(text, names))
        case ast.Attribute(text, "encode") if compiler.scope.has_bytes:
            from migrate.columns.codecs import encoded_text

            return encoded_text(compiler, node, compiler.value(text, names))
        case ast.Attribute(text, "translate"):
            match node.args:
                case [ast.Call(made, [_, _, _] as table, [])] if _is_maketrans(compiler, made, names):
                    return translated(compiler, node, compiler.value(text, names), table, names)
        case ast.Attribute(ast.Constant(""), "join"):
            if (without := joined(compiler, node, names)) is not None:
                return without
    receiver = compiler.value(function.value, names)
    own = named(function.attr, receiver.methods) if isinstance(receiver, Record) else None
    if own is not None and not node.args and not node.keywords:
        return apply(compiler, own, [receiver], names)
    if (
        function.attr == "decode"
        and isinstance(receiver, Scalar)
        and receiver.shape in (Bytes(), Maybe(Bytes()))
    ):
        from migrate.columns.codecs import decoded_bytes

        return decoded_bytes(compiler, node, compiler.present(receiver))
    keywords = {keyword.arg: compiler.value(keyword.value, names) for keyword in node.keywords}
    if function.attr == "format":
        from migrate.columns.formats import format_call

        return format_call(
            compiler, node, receiver, [compiler.value(item, names) for item in node.args], keywords
        )
    starred = any(isinstance(argument, ast.Starred) for argument in node.args)
    if isinstance(receiver, Settled) and receiver.kind is re.Pattern and not starred and None not in keywords:
        from migrate.columns.compiled_patterns import method_of_pattern

        given = [compiler.value(item, names) for item in node.args]
        named_so = {str(name): value for name, value in keywords.items()}
        return method_of_pattern(compiler, node, function.attr, receiver, given, named_so)
    if keywords or starred:
        raise refusal(node, "keyword and starred arguments have no Column form")
    return compiler.call_method(
        node, function.attr, receiver, [compiler.value(item, names) for item in node.args]
    )


def _is_maketrans(compiler: Compiler, function: ast.expr, names: Names) -> bool:
    return compiler.qualified(function, names) == "str.maketrans"


@syntax(ast.Name)
def _name(compiler: Compiler, node: ast.Name, names: Names) -> Value:
    if node.id in names:
        return names[node.id]
    if node.id in compiler.scope.constants:
        value = constant_value(compiler.scope.constants[node.id], node)
        return _by_name(value, node.id) if node.id in compiler.scope.readable else value
    if (found := library_constant(compiler, node, names)) is not None:
        return found
    if (known := before_start(compiler, node)) is not None:
        return known
    raise Refusal(f"`{node.id}` is not a constant that is known before the program starts", node)


def _by_name(value: Value, name: str) -> Value:
    """A number, a text, or a list or set of these, as code that reads the program's variable."""
    if isinstance(value, Scalar) and isinstance(value.constant, int | float | str):
        plain = isinstance(value.constant, bool)
        return (
            value if plain else replace(value, code=f"F.lit({name})", variable=name, names=frozenset({name}))
        )
    return replace(value, variable=name) if isinstance(value, Display) and value.kind is not dict else value


@syntax(ast.Constant)
def _constant(compiler: Compiler, node: ast.Constant, names: Names) -> Value:
    return constant_value(bool(node.value) if node in compiler.assumed.tested else node.value, node)
