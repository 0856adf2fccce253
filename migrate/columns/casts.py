"""Conversions by ``int``, ``float`` and ``str``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import code
from migrate.columns.compiler import Compiler
from migrate.columns.constants import fold
from migrate.columns.element import Scalar, Value
from migrate.columns.floats import as_float
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, function
from migrate.columns.shapes import Bool, Float, Int, Str
from migrate.columns.texts import only

_INT_NOTE = "int() of anything but 1 to 18 ASCII digits with an optional sign raises"
_FLOAT_NOTE = "float() of anything but a plain decimal number of ASCII digits raises"
LARGEST = 10**18 - 1


@function(
    "int",
    Production(
        "int(s)",
        "1 to 18 ASCII digits, a sign before them, ASCII whitespace around them; other text raises",
        ("lambda s: int(s)", "lambda s: int(s.strip()) + 1", "lambda s: int(s.split(',')[-1])"),
        partial=True,
        sensitive="a cast gives null for other text without ANSI mode",
    ),
    Production("int(n)", "ints and bools", ("lambda n: int(n)", "lambda b: int(b)")),
    Production("int(x)", "floats whose int has 64 bits; others raise", ("lambda x: int(x)",), partial=True),
)
def _int(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 1)
    folded = fold(node, int, arguments[0])
    if folded is not None:
        return folded
    value = compiler.present(compiler.as_scalar(arguments[0], node))
    match value.shape:
        case Int():
            return value
        case Bool():
            return code.build(f'{code.column(value)}.cast("int")', Int(0, 1, 32), value, name=value.name)
        case Float():
            fits = f'F.when(F.abs({code.argument(value)}) < 2.0**63, {code.column(value)}.cast("bigint"))'
            number = code.build(fits, Int(), value, name=value.name)
            return compiler.required(
                number, "no int of 64 bits", "int() of a float beyond 64 bits or NaN raises"
            )
        case Str():
            call = f"{compiler.helper('parse_int')}({value.code})"
            number = code.build(call, Int(-LARGEST, LARGEST), value, name=value.name)
            return compiler.raising(number, _INT_NOTE)
    raise compiler.unlike(node, value)


@function(
    "float",
    Production(
        "float(s)",
        "decimal numbers of ASCII digits, perhaps with an exponent; other text raises, `nan` too",
        ("lambda s: float(s)", "lambda s: float(s) * 2 > 1"),
        partial=True,
        sensitive="a cast takes `1d` and gives null for other text without ANSI mode",
    ),
    Production(
        "float(n)",
        "ints up to 2**53; others raise",
        ("lambda s: float(len(s))", "lambda n: float(n)"),
        partial=True,
    ),
)
def _float(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 1)
    folded = fold(node, float, arguments[0])
    if folded is not None:
        return folded
    value = compiler.present(compiler.as_scalar(arguments[0], node))
    if isinstance(value.shape, Str):
        call = f"{compiler.helper('parse_float')}({value.code})"
        return compiler.raising(code.build(call, Float(finite=True), value, name=value.name), _FLOAT_NOTE)
    return as_float(compiler, node, value)


@function(
    "str",
    Production(
        "str(n)", "texts, ints and bools", ("lambda n: str(n)", "lambda s: str(s)", "lambda b: str(b)")
    ),
)
def _str(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 1)
    return text_of(compiler, node, arguments[0])


def text_of(compiler: Compiler, node: ast.AST, value: Value) -> Scalar:
    """Return ``str(value)``.

    Raises:
        Refusal: Spark prints such values otherwise: floats, tuples, lists, None.
    """
    folded = fold(node, str, value)
    if isinstance(folded, Scalar):
        return folded
    scalar = compiler.as_scalar(value, node)
    match scalar.shape:
        case Str():
            return scalar
        case Int():
            return code.build(f'{code.column(scalar)}.cast("string")', Str(), scalar, name=scalar.name)
        case Bool():
            text = f'F.when({scalar.code}, "True").otherwise("False")'
            return code.build(text, Str(), scalar)
        case Float():
            raise refusal(node, "Spark prints floats otherwise than Python does")
    raise compiler.unlike(node, scalar)
