"""Floats: IEEE doubles on both sides, so ``+ - *`` agree; NaN, division by zero and printing do not."""

from __future__ import annotations

import ast
from dataclasses import replace

from migrate.columns import code
from migrate.columns.compiler import Compiler
from migrate.columns.element import Scalar
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, covers
from migrate.columns.shapes import Float, Int

NOTE = "an int beyond 2**53 raises where it meets floating-point arithmetic"
EXACT = 2**53
"""Up to here every int is a double."""
_SYMBOLS: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: ("+", code.SUM),
    ast.Sub: ("-", code.SUM),
    ast.Mult: ("*", code.PRODUCT),
}


def not_nan(compiler: Compiler, scalar: Scalar) -> Scalar:
    """Return the value guarded against NaN, which Spark takes for equal to itself and above all else."""
    if not isinstance(scalar.shape, Float) or scalar.shape.finite or scalar.is_constant:
        return scalar
    number = scalar.code
    checked = replace(scalar, code=f"F.when(~F.isnan({code.argument(scalar)}), {number})")
    return compiler.required(checked, "not a number", "comparing a float that is not a number raises")


def as_float(compiler: Compiler, node: ast.AST, scalar: Scalar) -> Scalar:
    """Return a number as a double.

    Raises:
        Refusal: it is no number.
    """
    match scalar.shape:
        case Float():
            return scalar
        case Int(low, high) if low >= -EXACT and high <= EXACT:
            if scalar.is_constant and isinstance(scalar.constant, int):
                return code.known(float(scalar.constant))
            return code.build(
                f'{code.column(scalar)}.cast("double")', Float(finite=True), scalar, name=scalar.name
            )
        case Int():
            call = f"{compiler.helper('exact_double')}({scalar.code})"
            return compiler.raising(code.build(call, Float(finite=True), scalar, name=scalar.name), NOTE)
    raise compiler.unlike(node, scalar)


@covers(
    Production(
        "x + y, x - y, x * y",
        "floats, and ints up to 2**53 with floats; other ints raise",
        (
            "lambda x: x + 0.5",
            "lambda n, x: n * x",
            "lambda x: x * 2",
            "lambda x: 1 - x",
            "lambda s, x: len(s) * x",
        ),
        partial=True,
    ),
    Production(
        "x / y",
        "floats, and ints up to 2**53; other ints and a divisor of 0 raise",
        (
            "lambda n: n / 2",
            "lambda n, m: n / m",
            "lambda x: x / 2",
            "lambda x: 1 / x",
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
    """Return an operator between two numbers of which one is a float, or a true division."""
    one, other = as_float(compiler, node, left), as_float(compiler, node, right)
    if isinstance(operator, ast.Div):
        return _divide(compiler, one, other)
    if type(operator) not in _SYMBOLS:
        raise refusal(node, "this operator has no Column form for floats")
    return code.binary(one, _SYMBOLS[type(operator)][0], other, Float(), _SYMBOLS[type(operator)][1])


def _divide(compiler: Compiler, left: Scalar, right: Scalar) -> Scalar:
    if right.is_constant and right.constant != 0:
        return code.binary(left, "/", right, Float(), code.PRODUCT)
    quotient = code.binary(left, "/", right, Float(), code.PRODUCT)
    condition = code.binary(right, "!=", code.ZERO, Float(), code.COMPARISON)
    guarded = replace(quotient, code=f"F.when({condition.code}, {quotient.code})")
    return compiler.required(guarded, "division by zero", "a division by zero raises, as it does in Python")
