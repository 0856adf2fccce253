"""Reduce functions: which aggregate a function of two values is.

A reduce meets its values in no fixed order, so only functions that do not depend on it are aggregates: not
the concatenation of texts, and not the sum of floats, whose last digits depend on it. The greatest of floats
depends on it if NaN is among them, which no float is above or below: the query fails for it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import code
from migrate.columns.compiler import Compiler
from migrate.columns.element import Compiled, Element, Record, Refusal, Scalar, Scope, Value, Written
from migrate.columns.entry import EMPTY
from migrate.columns.functions import FunctionNode, apply
from migrate.columns.integers import WHAT
from migrate.columns.shapes import INT_MIN, Bool, Date, Float, Int, Shape, Str, Timestamp
from migrate.columns.texts import concat
from migrate.frozen import replace

COUNT = "count"
"""What `Scalar.aggregate` says of a number of rows."""
_KINDS = {
    "+": "sum",
    "F.concat": "concat",
    "&": "bool_and",
    "|": "bool_or",
    "F.greatest": "max",
    "F.least": "min",
}
"""The aggregates by the call or the operator that makes one of two values."""
_ORDERED = (Int, Str, Date, Timestamp)
_FITTING: dict[str, tuple[type[Shape], ...]] = {
    "max": _ORDERED,
    "min": _ORDERED,
    "bool_and": (Bool,),
    "bool_or": (Bool,),
}
"""The types of columns whose aggregates do not depend on the order of the values."""
NAN = "NaN among floats of which the greatest or the least is taken"
MANY = 2**42
"""More rows than any batch or state holds."""
SMALL = 2**20
"""A sum of values up to here has 64 bits for so many rows."""


def compile_reduce(
    function: FunctionNode, value: Element, scope: Scope = EMPTY, *, floats: bool = False
) -> Compiled:
    """Compile a reduce function over the values of a group into aggregates: ``F.count("*")``, ``F.max("n")``.

    Args:
        function: a function of two values that returns a third of their shape.
        value: one value; a record is reduced item by item.
        scope: the names that the function may read.
        floats: whether sums of floats are taken, which are added in the order in which Python adds them.

    Raises:
        Refusal: the function is no known aggregate, or its result depends on the order of the values.
    """
    compiler = Compiler(scope)
    # two bounded symbols stand for any two values: their operators are seen in the result as they are written
    left, right = _symbol(value, "left"), _symbol(value, "right")
    function = _library(compiler, function)
    result = apply(compiler, function, [left, right], {})
    return compiler.compiled(_aggregate(compiler, function, value, result, floats))


def separator_of(function: FunctionNode, value: Element, scope: Scope = EMPTY) -> tuple[str, Compiled]:
    """The text that a reduce function puts between the texts of a group, ``","`` in ``a + "," + b``.

    The second result is the function on two texts, for what it demands.

    Raises:
        Refusal: it does not put its two arguments one after the other, with a constant text between them.
    """
    compiler = Compiler(scope)
    left, right = (compiler.as_scalar(_symbol(value, side), function) for side in ("left", "right"))
    function = _library(compiler, function)
    made = compiler.compiled(compiler.as_scalar(apply(compiler, function, [left, right], {}), function))
    named = scope.functions.get(function.id) if isinstance(function, ast.Name) else None
    constants = [node.value for node in ast.walk(named or function) if isinstance(node, ast.Constant)]
    texts = {constant for constant in constants if isinstance(constant, str)}
    for text in sorted({"", *texts}):
        # a function puts texts together if it compiles to the code that does
        parts = [left, *([code.known(text)] if text else []), right]
        if isinstance(made.element, Scalar) and made.element.code == concat(compiler, *parts).code:
            return text, made
    raise Refusal("it does not put texts together, with the same text between them", function)


def check_joins_lists(function: FunctionNode, value: Element, scope: Scope = EMPTY) -> Compiled:
    """Return a reduce function on two lists, for what it demands, if it puts one after the other.

    Raises:
        Refusal: it does something else.
    """
    compiler = Compiler(scope)
    left, right = (compiler.as_scalar(_symbol(value, side), function) for side in ("left", "right"))
    function = _library(compiler, function)
    made = compiler.compiled(compiler.as_scalar(apply(compiler, function, [left, right], {}), function))
    if not (isinstance(made.element, Scalar) and made.element.written == Written("F.concat", (left, right))):
        raise Refusal("it does not put lists together", function)
    return made


_LIBRARY = {"operator.add": ast.Add(), "operator.iadd": ast.Add()}


def _library(compiler: Compiler, function: FunctionNode) -> FunctionNode:
    """The function, as a lambda if it is one of `operator`."""
    if not isinstance(function, ast.Name | ast.Attribute):
        return function
    operator = _LIBRARY.get(compiler.qualified(function, {}) or "")
    if operator is None:
        return function
    plus = ast.parse("lambda a, b: a + b", mode="eval").body
    return ast.copy_location(plus, function)


def _symbol(value: Element, side: str, path: str = "") -> Element:
    if isinstance(value, Record):
        return Record(
            tuple(_symbol(item, side, f"{path}_{position}") for position, item in enumerate(value.items))
        )
    shape: Shape = Int(0, 1, 64) if isinstance(value.shape, Int) else value.shape
    shape = Float(finite=True) if isinstance(shape, Float) else shape
    return Scalar(f"{side}{path}", shape, columns=frozenset())


def row_count(least: int, name: str | None = "count") -> Scalar:
    """Return the number of rows, at least `least`."""
    return Scalar('F.count("*")', Int(least, MANY, amount=True), name, columns=frozenset(), aggregate=COUNT)


def _aggregate(
    compiler: Compiler, function: ast.AST, value: Element, result: Value, floats: bool, path: str = ""
) -> Element:
    if isinstance(value, Record):
        if not isinstance(result, Record) or len(result.items) != len(value.items):
            raise Refusal("the function does not return what it is given, a tuple of as many items", function)
        pairs = enumerate(zip(value.items, result.items, strict=True))
        return Record(
            tuple(
                _aggregate(compiler, function, item, made, floats, f"{path}_{position}")
                for position, (item, made) in pairs
            )
        )
    if not isinstance(result, Scalar):
        raise Refusal("the function does not return one value", function)
    kind = "max" if _is_each(result, value) else _kind(result.written, (f"left{path}", f"right{path}"))
    if kind == "sum":
        return total(compiler, function, value, floats=floats)
    if kind is None:
        raise Refusal(
            f"`{ast.unparse(function)}` is no aggregate that is known not to depend on the order", function
        )
    made = _simple(compiler, function, value, kind)
    alone = not path or made.name is not None or kind not in ("max", "min")
    return made if alone else replace(made, name=kind)  # of several aggregates, it says which


def _kind(made: Written | None, symbols: tuple[str, str]) -> str | None:
    """The aggregate that a function is, by what it makes of two symbols: ``a + b``, ``a if a > b else b``."""
    if made is None:
        return None
    if made.call != "F.when":
        return _KINDS.get(made.call) if _are(made.parts, symbols) else None
    condition, *chosen = made.parts
    compared = condition.written
    if compared is None or not (_are(compared.parts, symbols) and _are(chosen, symbols)):
        return None
    takes_first = chosen[0].code == compared.parts[0].code
    match compared.call:
        case ">" | ">=":
            return "max" if takes_first else "min"
        case "<" | "<=":
            return "min" if takes_first else "max"
    return None


def _is_each(made: Scalar, value: Scalar) -> bool:
    """Whether a function gives the number that each value is: ``lambda a, b: 1`` where all are 1."""
    number, shape = made.constant, value.shape
    if not isinstance(number, int) or isinstance(number, bool) or not isinstance(shape, Int):
        return False
    return shape.low == shape.high == number


def _are(parts: Sequence[Scalar], symbols: tuple[str, str]) -> bool:
    """Whether parts of code are two symbols, as they stand, in any order."""
    return sorted(part.code for part in parts) == sorted(symbols)


def total(compiler: Compiler, node: ast.AST, value: Scalar, *, floats: bool = False) -> Scalar:
    """Return the sum of a column of ints; a sum of ones is a count.

    Args:
        compiler: keeps what the code needs.
        node: what the sum is made for, as a refusal names it.
        value: the column.
        floats: whether it may be one of floats, which are added in the order in which Python adds them.

    Raises:
        Refusal: it holds no such numbers.
    """
    made = _total(compiler, node, value, floats=floats)
    return made if made.aggregate else replace(made, aggregate="sum")


def _total(compiler: Compiler, node: ast.AST, value: Scalar, *, floats: bool) -> Scalar:
    shape = value.shape
    if floats and isinstance(shape, Float):
        text, written = f"F.sum({code.argument(value)})", Written("F.sum", (value,))
        return code.build(text, Float(), value, name=value.name, written=written)
    if not isinstance(shape, Int):
        kinds = {
            "Float": "a sum of floats depends on their order",
            "Str": "the concatenation depends on the order",
        }
        raise Refusal(kinds.get(type(shape).__name__, "only ints are summed"), node)
    if value.constant == 1:
        return row_count(0)
    summed = f"F.sum({code.argument(value)})"
    if shape.amount:
        low = INT_MIN if shape.low < 0 else 0
        return code.build(summed, Int(low, amount=True), value, name=value.name)
    if max(abs(shape.low), abs(shape.high)) <= SMALL:
        bounds = Int(min(shape.low * MANY, 0), max(shape.high * MANY, 0), amount=_counts(shape))
        return code.build(summed, bounds, value, name=value.name)
    bare = code.build(summed, Int(), value, name=value.name)

    def guarded() -> Scalar:
        name = compiler.helper("exact_sum")
        call = f"{name}({code.argument(value)})"
        return compiler.raising(code.build(call, Int(), value, name=value.name, calls=name), WHAT)

    return compiler.beyond(WHAT, bare, guarded)


def _counts(shape: Int) -> bool:
    """Whether a sum of such ints is a number of rows: of ``1 if good else 0``, or less others, -1."""
    return shape.low >= -1 and shape.high <= 1


def _simple(compiler: Compiler, node: ast.AST, value: Scalar, kind: str) -> Scalar:
    if kind in ("max", "min") and isinstance(value.shape, Float):
        return _extreme(compiler, value, kind)
    if not isinstance(value.shape, _FITTING.get(kind, ())):
        raise Refusal("the result depends on the order of the values", node)
    made = code.build(f"F.{kind}({code.argument(value)})", value.shape, value, name=value.name)
    return replace(made, aggregate=kind)


def _extreme(compiler: Compiler, value: Scalar, kind: str) -> Scalar:
    """Return the greatest or the least of a column of floats."""
    if isinstance(value.shape, Float) and value.shape.finite:
        made = code.build(f"F.{kind}({code.argument(value)})", value.shape, value, name=value.name)
        return replace(made, aggregate=kind)
    name = compiler.helper("ordered")
    guarded = f"{name}({code.column(value)})"
    made = code.build(f"F.{kind}({guarded})", Float(), value, name=value.name, calls=name)
    return replace(compiler.raising(made, NAN), aggregate=kind)
