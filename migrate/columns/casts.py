"""Conversions by ``int``, ``float`` and ``str``."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import code
from migrate.columns.compiler import Compiler
from migrate.columns.constants import fold
from migrate.columns.element import Scalar, Value, Written
from migrate.columns.floats import as_float
from migrate.columns.integers import WHAT
from migrate.columns.json_values import bare_value
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, function
from migrate.columns.shapes import Bool, Float, Int, Json, Maybe, Shape, Str
from migrate.columns.texts import only
from migrate.frozen import replace

KEPT_DIGITS = (
    "`int` of JSON keeps all digits of a number that is written with a point and is beyond 2**53, of which"
    " Python makes a float first"
)

DIGITS = "digits beyond ASCII or with _ between them"
NUMBERS = "text that is a number for Spark alone"
LARGEST = 10**18 - 1


@function(
    "int",
    Production(
        "int(s)",
        "ints of 64 bits in ASCII digits, a sign before them, ASCII whitespace around them; what else Python "
        "takes raises",
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
        case Json(bare=True):
            compiler.notes[KEPT_DIGITS] = None
            return bare_value(compiler, node, value, Int())
        case Int():
            return value
        case Bool():
            return code.build(code.cast(value, "int"), Int(0, 1, 32), value, name=value.name)
        case Float():
            name = compiler.helper("int_of")
            call = code.build(f"{name}({code.column(value)})", Int(), value, name=value.name, calls=name)
            return compiler.raising(call, WHAT)
        case Str():
            return int_of_text(compiler, value)
    raise compiler.unlike(node, value)


def int_of_text(compiler: Compiler, text: Scalar) -> Scalar:
    """Return ``int(text)``; what Python takes and a cast does not fails."""
    return _parsed(compiler, text, "bigint", Int(), "parse_int", Int(-LARGEST, LARGEST))


@function(
    "float",
    Production(
        "float(s)",
        "decimal numbers of ASCII digits, perhaps with an exponent, inf, nan; what else Python takes raises",
        ("lambda s: float(s)", "lambda s: float(s) * 2 > 1"),
        partial=True,
        sensitive="a cast takes `1d` and gives null for other text without ANSI mode",
    ),
    Production(
        "float(n)",
        "every int",
        ("lambda s: float(len(s))", "lambda n: float(n)"),
    ),
)
def _float(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 1)
    folded = fold(node, float, arguments[0])
    if folded is not None:
        return folded
    value = compiler.present(compiler.as_scalar(arguments[0], node))
    if isinstance(value.shape, Json) and value.shape.bare:
        return bare_value(compiler, node, value, Float())
    if isinstance(value.shape, Str):
        return _parsed(compiler, value, "double", Float(), "parse_float", Float(finite=True))
    return as_float(compiler, node, value)


def _parsed(
    compiler: Compiler, text: Scalar, kind: str, shape: Shape, strict: str, narrower: Shape
) -> Scalar:
    """Return the number that a text spells; what Python takes and a cast does not fails."""
    written = Written("cast", (text,), type=kind)
    number = code.build(code.cast(text, kind), shape, text, name=text.name, written=written)

    def called() -> Scalar:
        name = compiler.helper(strict)
        call = code.build(f"{name}({text.code})", narrower, text, name=text.name, calls=name)
        return compiler.raising(call, DIGITS)

    def cast() -> Scalar:
        return compiler.beyond(DIGITS, number, lambda: compiler.required(number, "not a number", DIGITS))

    return compiler.failing(NUMBERS, cast, called)


@function(
    "str",
    Production(
        "str(n)",
        "texts, ints and bools",
        ("lambda n: str(n)", "lambda s: str(s)", "lambda b: str(b)"),
    ),
    Production(
        "str(o) of what may be None",
        "texts and ints; None is the text None",
        ("lambda o: str(o)", "lambda o: str(o).split(',')[0]", "lambda o: str(o) == 'None'"),
    ),
)
def _str(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 1)
    return text_of(compiler, node, arguments[0])


def text_of(compiler: Compiler, node: ast.AST, value: Value) -> Scalar:
    """Return ``str(value)``.

    Raises:
        Refusal: Spark prints such values otherwise: floats, tuples, lists.
    """
    folded = fold(node, str, value)
    if isinstance(folded, Scalar):
        return folded
    scalar = compiler.as_scalar(value, node)
    match scalar.shape:
        case Str():
            return scalar
        case Maybe(Str() | Int() as shape) if scalar.within is None:
            known = text_of(compiler, node, replace(scalar, shape=shape))
            shown = f'F.coalesce({code.argument(known)}, F.lit("None"))'
            return code.build(shown, Str(), known, name=known.name, skips=True)
        case Int():
            written = Written("cast", (scalar,), type="string")
            return code.build(code.cast(scalar, "string"), Str(), scalar, name=scalar.name, written=written)
        case Bool():
            return code.when(scalar, code.known("True"), code.known("False"), Str())
        case Float():
            raise refusal(node, "Spark prints floats otherwise than Python does")
    raise compiler.unlike(node, scalar)
