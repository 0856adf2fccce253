"""Floats: IEEE doubles on both sides, so ``+ - *`` agree; NaN, division by zero and printing do not."""

from __future__ import annotations

import ast

from migrate.columns import code
from migrate.columns.compiler import Compiler
from migrate.columns.element import Scalar, Written
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, covers
from migrate.columns.shapes import Bool, Float, Int
from migrate.frozen import replace

WHAT = "ints beyond 2**53 that meet floats"
EXACT = 2**53
"""Up to here every int is a double."""
_SYMBOLS: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: ("+", code.SUM),
    ast.Sub: ("-", code.SUM),
    ast.Mult: ("*", code.PRODUCT),
}


def compare_floats(one: Scalar, operator: str, other: Scalar) -> Scalar:
    """Return ``one operator other``; in Spark NaN equals itself and is above all else, in Python neither.

    A constant is never NaN, and stands on the right.
    """
    link = code.binary(one, operator, other, Bool(), code.COMPARISON)
    above = {"<": [other], "<=": [other], ">": [one], ">=": [one]}.get(operator)
    suspects = [one, other] if above is None else above
    if not all(isinstance(part.shape, Float) and not part.shape.finite for part in suspects):
        return link
    nan = f"F.isnan({code.argument(suspects[0])})"
    text = f"({link.code}) | {nan}" if operator == "!=" else f"({link.code}) & ~{nan}"
    return link.with_code(text, code.OR if operator == "!=" else code.AND)


def as_float(compiler: Compiler, node: ast.AST, scalar: Scalar) -> Scalar:
    """Return a number as the nearest double, as ``float`` does.

    Raises:
        Refusal: it is no number.
    """
    if isinstance(scalar.shape, Float):
        return scalar
    if not isinstance(scalar.shape, Int):
        raise compiler.unlike(node, scalar)
    if scalar.is_constant and isinstance(scalar.constant, int):
        return code.known(float(scalar.constant))
    written = Written("cast", (scalar,), type="double")
    return code.build(
        code.cast(scalar, "double"), Float(finite=True), scalar, name=scalar.name, written=written
    )


def exact(compiler: Compiler, node: ast.AST, scalar: Scalar) -> Scalar:
    """Return a number where it must be a double without being rounded.

    Raises:
        Refusal: it is no number, or a constant that no double holds.
    """
    if not isinstance(scalar.shape, Int):
        return as_float(compiler, node, scalar)
    if scalar.shape.low >= -EXACT and scalar.shape.high <= EXACT:
        return scalar
    if scalar.is_constant:
        raise refusal(node, "a float does not hold this int")
    name = compiler.helper("exact_double")
    call = f"{name}({scalar.code})"
    made = code.build(call, Float(finite=True), scalar, name=scalar.name, calls=name)
    return compiler.raising(made, WHAT)


@covers(
    Production(
        "x + y, x - y, x * y",
        "floats, and ints with floats",
        (
            "lambda x: x + 0.5",
            "lambda n, x: n * x",
            "lambda x: x * 2",
            "lambda x: 1 - x",
            "lambda s, x: len(s) * x",
        ),
    ),
    Production(
        "x / y",
        "floats, and ints up to 2**53; other ints and a divisor of 0 raise",
        (
            "lambda n: n / 2",
            "lambda n, m: n / m",
            "lambda x: x / 2",
            "lambda x: 1 / x",
            "lambda n, x: n / x",
            "lambda s: len(s) / 2",
            "lambda s, t: len(s) / len(t)",
        ),
        partial=True,
        sensitive="without ANSI Spark gives null for a division by zero",
    ),
)
def float_operator(
    compiler: Compiler, node: ast.AST, operator: ast.operator, left: Scalar, right: Scalar
) -> Scalar:
    """Return an operator between two numbers of which one is a float, or a true division.

    Spark makes doubles of whole numbers that meet a double, and of those that it divides, as Python does.
    """
    if isinstance(operator, ast.Div):
        if isinstance(left.shape, Int) and isinstance(right.shape, Int):  # Python rounds the quotient alone
            left, right = exact(compiler, node, left), exact(compiler, node, right)
        return _divide(compiler, _as_divided(left), _as_divided(right))
    if type(operator) not in _SYMBOLS:
        raise refusal(node, "this operator has no Column form for floats")
    return code.binary(left, _SYMBOLS[type(operator)][0], right, Float(), _SYMBOLS[type(operator)][1])


def _as_divided(number: Scalar) -> Scalar:
    """A number as Spark divides it, which makes doubles of whole numbers itself: ``total / float(count)``."""
    made = number.written
    if made is None or made.call != "cast" or not isinstance(made.parts[0].shape, Int):
        return number
    return replace(made.parts[0], name=number.name)


def _divide(compiler: Compiler, left: Scalar, right: Scalar) -> Scalar:
    quotient = code.binary(left, "/", right, Float(), code.PRODUCT)
    if right.is_constant and right.constant != 0:
        return quotient
    condition = code.binary(right, "!=", code.ZERO, Float(), code.COMPARISON)
    guarded = quotient.with_code(f"F.when({condition.code}, {quotient.code})", skips=True)
    return compiler.failing(
        "a division by zero",
        lambda: quotient,
        lambda: compiler.required(guarded, "division by zero"),
        raises_in_ansi=True,
    )
