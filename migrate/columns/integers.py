"""Ints: Python's have no end, a Column's have 64 bits.

Bounds are carried through every operation: where the result provably fits, the plain operator is right; where
it may not, it is right in ANSI mode, where it raises; else a ``try_`` function gives null beyond 64 bits and
`required` makes that an error.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from migrate.columns import code
from migrate.columns.compiler import Compiler, Names
from migrate.columns.constants import fold_operator
from migrate.columns.element import Display, Record, Scalar, Value, Written, shape_of
from migrate.columns.floats import float_operator
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, covers, function, syntax
from migrate.columns.shapes import (
    INT32_MAX,
    INT32_MIN,
    INT_MAX,
    INT_MIN,
    Bool,
    Date,
    Float,
    Int,
    List,
    Shape,
    Str,
    Timestamp,
    join,
)
from migrate.columns.texts import concat
from migrate.frozen import replace

BEYOND = "int beyond 64 bits"
WHAT = "ints beyond 64 bits"
_PLAIN: dict[type[ast.operator], tuple[str, int, str]] = {
    ast.Add: ("+", code.SUM, "try_add"),
    ast.Sub: ("-", code.SUM, "try_subtract"),
    ast.Mult: ("*", code.PRODUCT, "try_multiply"),
}
_BITS: dict[type[ast.operator], str] = {
    ast.BitAnd: "bitwiseAND",
    ast.BitOr: "bitwiseOR",
    ast.BitXor: "bitwiseXOR",
}


@syntax(ast.BinOp)
@covers(
    Production(
        "n + m, n - m, n * m",
        "ints; a result beyond 64 bits raises",
        (
            "lambda n: n + 1",
            "lambda n, m: n + m",
            "lambda n, m: n - m",
            "lambda n, m: n * m",
            "lambda s: len(s) * len(s)",
            "lambda n: 3 - n",
            "lambda s: 2 * (len(s) + 1)",
        ),
        partial=True,
        sensitive="Spark 3.5 wraps around without ANSI mode",
    ),
    Production(
        "n // m, n % m",
        "ints, a divisor above 0; another divisor raises",
        (
            "lambda n: n // 3",
            "lambda n: n % 10",
            "lambda n, m: n % m",
            "lambda n, m: n // m",
            "lambda s: len(s) % 2",
        ),
        partial=True,
        sensitive="Spark's division truncates, Python's rounds down; by zero it gives null without ANSI mode",
    ),
    Production(
        "n & m, n | m, n ^ m",
        "ints",
        (
            "lambda n: n & 31",
            "lambda n, m: n & m",
            "lambda n, m: (n | m) - 1",
            "lambda n, m: n ^ m",
            "lambda n: 4294967296 | n",
            "lambda s: (len(s) & 1) + (len(s) ^ 3) * 2",
            "lambda n: (n & -2) // 2",
        ),
        partial=True,
    ),
    Production(
        "n >> 15",
        "ints, a constant from 0 to 31",
        ("lambda n: n >> 15", "lambda s: (len(s) >> 1) + 1"),
        partial=True,
    ),
    Production("n ** 2", "ints, a constant power from 0 to 4", ("lambda n: n ** 2",), partial=True),
)
def _binary(compiler: Compiler, node: ast.BinOp, names: Names) -> Value:
    from migrate.columns.formats import percent

    left, right = compiler.value(node.left, names), compiler.value(node.right, names)
    folded = fold_operator(node, type(node.op), left, right)
    if folded is not None:
        return _by_names(node, folded, left, right)
    if isinstance(node.op, ast.Mod) and isinstance(shape_of(left), Str):
        return percent(compiler, node, left, right)
    return operate(compiler, node, node.op, left, right)


def _by_names(node: ast.BinOp, number: Value, left: Value, right: Value) -> Value:
    """A number that is computed of constants, as the program writes it where new code reads their names."""
    if not isinstance(number, Scalar) or not isinstance(number.constant, int | float):
        return number
    parts = [
        (value, part) for value, part in ((left, node.left), (right, node.right)) if isinstance(value, Scalar)
    ]
    names = [value.variable.strip("()") for value, _ in parts if value.variable]
    written = [ast.unparse(part) for _, part in parts if not isinstance(part, ast.Constant)]
    if not names or names != written:
        return number
    text = ast.unparse(node)
    return replace(number, code=f"F.lit({text})", variable=f"({text})")


def operate(compiler: Compiler, node: ast.AST, operator: ast.operator, left: Value, right: Value) -> Value:
    """Return a binary operator between two values of which one is no constant."""
    match operator, left, right:
        case ast.Add(), Record(), Record():
            return Record((*left.items, *right.items))
        case ast.Add(), Display(kind=kind), Display(kind=same) if kind is same is list:
            return Display(list, (*left.items, *right.items))
    one = compiler.present(compiler.as_scalar(left, node))
    other = compiler.present(compiler.as_scalar(right, node))
    match one.shape, other.shape:
        case Str(), Str() if isinstance(operator, ast.Add):
            return concat(compiler, one, other)
        case List(of, least), List(like, more) if isinstance(operator, ast.Add) and _alike(of, like):
            text = f"F.concat({code.argument(one)}, {code.argument(other)})"
            shape = List(join(of, like) or of, least + more)
            return code.build(text, shape, one, other, written=Written("F.concat", (one, other)))
        case Int(), Int() if not isinstance(operator, ast.Div):
            return _integers(compiler, node, operator, one, other)
        case (Int() | Float(), Int() | Float()):
            return float_operator(compiler, node, operator, one, other)
    raise refusal(node, "this operator is not covered for values of these types")


def _alike(one: Shape, other: Shape) -> bool:
    """Whether items of two lists are of one type, so that nothing is cast."""
    return one == other or (isinstance(one, Str) and isinstance(other, Str))


def _integers(
    compiler: Compiler, node: ast.AST, operator: ast.operator, left: Scalar, right: Scalar
) -> Scalar:
    if type(operator) in _PLAIN:
        return arithmetic(compiler, operator, left, right)
    if isinstance(operator, ast.FloorDiv | ast.Mod):
        return _divided(compiler, node, operator, left, right)
    if type(operator) in _BITS:
        return _bitwise(operator, left, right)
    if isinstance(operator, ast.RShift) and type(right.constant) is int and 0 <= right.constant < 32:
        assert isinstance(left.shape, Int)
        low, high = left.shape.low >> right.constant, left.shape.high >> right.constant
        call = f"F.shiftright({code.argument(left)}, {right.constant})"
        return code.build(call, Int(low, high, left.shape.width), left)
    if isinstance(operator, ast.Pow) and type(right.constant) is int and 1 <= right.constant <= 4:
        power = left
        for _ in range(right.constant - 1):
            power = arithmetic(compiler, ast.Mult(), power, left)
        return power
    raise refusal(node, "this operator has no Column form for ints")


def arithmetic(compiler: Compiler, operator: ast.operator, left: Scalar, right: Scalar) -> Scalar:
    """Return ``+``, ``-`` or ``*`` of two ints."""
    symbol, binds, careful = _PLAIN[type(operator)]
    assert isinstance(left.shape, Int) and isinstance(right.shape, Int)
    low, high = _bounds(operator, left.shape, right.shape)
    width = max(left.shape.width, right.shape.width)
    if width == 32 and low >= INT32_MIN and high <= INT32_MAX:
        return code.binary(left, symbol, right, Int(low, high, 32), binds)
    if width == 32:
        left, right = (
            (_widened(compiler, left), right) if not left.is_constant else (left, _widened(compiler, right))
        )
    if low >= INT_MIN and high <= INT_MAX:
        return code.binary(left, symbol, right, Int(low, high, 64), binds)
    result = code.build(f"F.{careful}({code.argument(left)}, {code.argument(right)})", Int(), left, right)
    bare = code.binary(left, symbol, right, Int(), binds)
    return compiler.beyond(WHAT, bare, lambda: compiler.required(result, BEYOND, WHAT))


def _bitwise(operator: ast.operator, left: Scalar, right: Scalar) -> Scalar:
    """Return ``&``, ``|`` or ``^`` of two ints, which have 64 bits where both have."""
    if left.is_constant:
        left, right = right, left
    one, other = left.shape, right.shape
    assert isinstance(one, Int) and isinstance(other, Int)
    width = max(one.width, other.width)
    low, high = (INT_MIN, INT_MAX) if width == 64 else (INT32_MIN, INT32_MAX)
    if isinstance(operator, ast.BitAnd):
        limits = [shape.high for shape in (one, other) if shape.low >= 0]
        low, high = (0, min(limits)) if limits else (low, high)
    elif one.low >= 0 and other.low >= 0:
        low, high = 0, 2 ** max(one.high, other.high).bit_length() - 1
    text = f"{code.column(left)}.{_BITS[type(operator)]}({code.operand(right)})"
    return code.build(text, Int(low, high, width), left, right)


def _bounds(operator: ast.operator, left: Int, right: Int) -> tuple[int, int]:
    a, b, c, d = left.low, left.high, right.low, right.high
    if isinstance(operator, ast.Add):
        return a + c, b + d
    if isinstance(operator, ast.Sub):
        return a - d, b - c
    products = (a * c, a * d, b * c, b * d)
    return min(products), max(products)


def _widened(compiler: Compiler, scalar: Scalar) -> Scalar:
    assert isinstance(scalar.shape, Int)
    wide = code.cast(scalar, "bigint")
    return code.build(wide, replace(scalar.shape, width=64), scalar, name=scalar.name)


def _divided(
    compiler: Compiler, node: ast.AST, operator: ast.operator, left: Scalar, right: Scalar
) -> Scalar:
    assert isinstance(left.shape, Int) and isinstance(right.shape, Int)
    if right.is_constant and right.shape.low <= 0:
        raise refusal(node, "a divisor that is not above 0 has no Column form")
    value = _floor_div(compiler, left, right) if isinstance(operator, ast.FloorDiv) else _modulo(left, right)
    if right.shape.low > 0:
        return value
    condition = code.binary(right, ">", code.ZERO, value.shape, code.COMPARISON)
    guarded = f"F.when({condition.code}, {value.code})"
    return compiler.required(
        value.with_code(guarded, skips=True),
        "a divisor must be above 0",
        "`//` and `%` by a divisor that is not above 0",
    )


def _modulo(left: Scalar, right: Scalar) -> Scalar:
    assert isinstance(left.shape, Int) and isinstance(right.shape, Int)
    shape = Int(0, max(right.shape.high - 1, 0), max(left.shape.width, right.shape.width))
    if left.shape.low >= 0 and not left.is_constant:
        return code.binary(left, "%", right, shape, code.PRODUCT)
    return code.build(f"F.pmod({code.argument(left)}, {code.argument(right)})", shape, left, right)


def _floor_div(compiler: Compiler, left: Scalar, right: Scalar) -> Scalar:
    assert isinstance(left.shape, Int)
    low, high = min(left.shape.low, 0), max(left.shape.high, 0)
    if low == 0:
        call = f'F.call_function("div", {left.code}, {right.code})'
        return code.build(call, Int(low, high, 64), left, right)
    name = compiler.helper("floor_div")
    return code.build(f"{name}({left.code}, {right.code})", Int(low, high, 64), left, right, calls=name)


def negative(compiler: Compiler, node: ast.AST, value: Scalar) -> Scalar:
    """Return ``-value``."""
    if value.is_constant and isinstance(value.constant, int | float):
        negated = code.constant(-value.constant)
        if negated is None:
            raise refusal(node, "no column holds this int")
        return negated
    match value.shape:
        case Int(low=low) if low > (INT32_MIN if value.shape.width == 32 else INT_MIN):
            shape = Int(-value.shape.high, -low, value.shape.width)
            return _negative(value, shape)
        case Int():
            bare = _negative(value, Int())
            return compiler.beyond(WHAT, bare, lambda: arithmetic(compiler, ast.Sub(), code.ZERO, value))
        case Float(finite):
            return _negative(value, Float(finite))
    raise compiler.unlike(node, value)


def _negative(value: Scalar, shape: Shape) -> Scalar:
    made = code.build(f"-{code.column(value, code.UNARY)}", shape, value, precedence=code.UNARY)
    return replace(made, negated=value)


@function(
    "abs",
    Production("abs(n)", "a number; the lowest 64-bit int raises", ("lambda n: abs(n)", "lambda x: abs(x)")),
)
def _abs(compiler: Compiler, node: ast.AST, arguments: list[Value]) -> Value:
    if len(arguments) != 1:
        raise refusal(node, "abs takes one argument")
    value = compiler.as_scalar(arguments[0], node)
    if isinstance(value.shape, Float):
        return code.build(f"F.abs({code.argument(value)})", value.shape, value)
    if not isinstance(value.shape, Int):
        raise compiler.unlike(node, value)
    opposite = negative(compiler, node, value)
    if not opposite.partial or value.partial:
        assert isinstance(opposite.shape, Int)
        shape = Int(0, max(value.shape.high, -value.shape.low), value.shape.width)
        return code.build(f"F.abs({code.argument(value)})", shape, value)
    below = code.binary(value, "<", code.ZERO, Bool(), code.COMPARISON)
    bare = code.build(f"F.abs({code.argument(value)})", Int(0), value)
    return compiler.beyond(WHAT, bare, lambda: code.when(below, opposite, value, Int(0)))


@function(
    "max",
    Production(
        "max(n, m)",
        "ints, texts, dates, or finite floats",
        (
            "lambda when: max(when, when)",
            "lambda n, m: max(n, m)",
            "lambda s, t: max(s, t)",
            "lambda s, t: max(float(len(s)), float(len(t)))",
        ),
    ),
)
def _max(compiler: Compiler, node: ast.AST, arguments: list[Value]) -> Value:
    return _extreme(compiler, node, "greatest", max, arguments)


@function(
    "min",
    Production(
        "min(n, m)",
        "ints, texts, dates, or finite floats",
        (
            "lambda day, when: min(day, when.date())",
            "lambda n, m: min(n, m)",
            "lambda s, t: min(s, t)",
            "lambda s, t: min(float(len(s)), float(len(t)))",
        ),
    ),
)
def _min(compiler: Compiler, node: ast.AST, arguments: list[Value]) -> Value:
    return _extreme(compiler, node, "least", min, arguments)


def _extreme(
    compiler: Compiler, node: ast.AST, name: str, pick: Callable[..., int], arguments: list[Value]
) -> Value:
    values = [compiler.as_scalar(argument, node) for argument in arguments]
    shapes = [value.shape for value in values]
    if len(values) < 2:
        raise refusal(node, "it is covered for two and more values only")
    text = f"F.{name}({', '.join(code.argument(value) for value in values)})"
    written = Written(f"F.{name}", tuple(values))
    if all(isinstance(shape, Str) for shape in shapes):
        return code.build(text, Str(), *values, written=written)
    for kind in (Date, Timestamp):
        if all(isinstance(shape, kind) for shape in shapes):
            return code.build(text, kind(), *values, written=written)
    if all(isinstance(shape, Float) and shape.finite for shape in shapes):
        return code.build(text, Float(finite=True), *values, written=written)
    ints = [shape for shape in shapes if isinstance(shape, Int)]
    if len(ints) != len(shapes):
        raise refusal(node, "it is covered for ints, texts, dates and finite floats only")
    low, high = pick(shape.low for shape in ints), pick(shape.high for shape in ints)
    shape = Int(low, high, max(shape.width for shape in ints))
    return code.build(text, shape, *values, written=written)
