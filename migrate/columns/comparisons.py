"""Comparisons, chained ones too, membership, and ``is None``.

Texts compare by code points in Python and by UTF-8 bytes in Spark, which is the same order.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import characters, code
from migrate.columns.before_start import before_start, reads_outer
from migrate.columns.booleans import both, either, negate
from migrate.columns.compiler import Compiler, Names
from migrate.columns.constants import fold_operator, python_value
from migrate.columns.element import NOT_CONSTANT, Display, Mixed, Record, Scalar, Settled, Value, shape_of
from migrate.columns.floats import EXACT, compare_floats, exact
from migrate.columns.json_values import bare_or_none, compared_number, compared_text, has_key
from migrate.columns.messages import refusal
from migrate.columns.only_ascii import compared
from migrate.columns.registry import Production, covers, syntax
from migrate.columns.shapes import Bool, Date, Float, Int, Json, List, Maybe, Nothing, Shape, Str, Timestamp
from migrate.columns.tells import also, telling, with_tells
from migrate.columns.types_asked import compared_type
from migrate.frozen import replace

SAME_TEXT = (
    "`{}` compares texts as `==` and `!=` do: Python has one object for a text of a character, unless methods"
    " as `lower` or `replace` have made another one"
)
_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


@syntax(ast.Compare)
@covers(
    Production(
        "a < b, a == b, a < b < c",
        "two values of one type; an int against a float up to 2**53; others raise",
        (
            "lambda n, m: n < m",
            "lambda s, t: s <= t",
            "lambda n: 0 < n <= 10",
            "lambda s: s == 'a'",
            "lambda s: 'b' > s",
            "lambda s, n: (s, n) == ('a', 1)",
            "lambda n, m: n != m",
            "lambda b: b == True",
            "lambda n: n > 0.5",
            "lambda day, when: (day < when.date(), when == when)",
        ),
        partial=True,
        sensitive="Spark casts unlike types before it compares them",
    ),
    Production(
        "a in b, a not in b",
        "a text in a text, a value in a list or in constants",
        (
            "lambda s: 'a' in s",
            "lambda s, t: s in t",
            "lambda s: s not in ('a', 'b')",
            "lambda n: n in [1, 2, 3]",
            "lambda s, words: s in words",
        ),
    ),
    Production("a is None", "any value", ("lambda s: s is None", "lambda n: n is not None")),
    Production(
        "a is True", "truth values and None", ("lambda n: (n > 2) is True", "lambda n: (n > 2) is not False")
    ),
)
def _compare(compiler: Compiler, node: ast.Compare, names: Names) -> Value:
    of_type = compared_type(compiler, node, names)
    if of_type is not None:
        return of_type
    if len(node.ops) == 1:
        _compare_letters(compiler, node, names)
    left = _side(compiler, node.left, names)
    result = code.TRUE
    for operator, right_node in zip(node.ops, node.comparators, strict=True):
        right = _keyed(compiler, operator, right_node, names) or _side(compiler, right_node, names)
        link = _one(compiler, node, left, operator, right)
        result = replace(both(result, link), tokens=result.tokens | link.tokens)
        left = right
    return _of_lowered(compiler, node, names, result)


def _of_lowered(compiler: Compiler, node: ast.Compare, names: Names, condition: Scalar) -> Scalar:
    """The condition that ``s.lower()`` is among texts of ASCII, and what it says of the characters of `s`."""
    match node:
        case ast.Compare(ast.Call(ast.Attribute(ast.Name() as text, "lower")) as call, [ast.Eq() | ast.In()]):
            lowered = compiler.value(text, names) if call in compiler.by_ascii else None
            if isinstance(lowered, Scalar):
                holds = also(dict(condition.tells.holds), {lowered.code: Str(characters.LOWERED_TO_ASCII)})
                return with_tells(condition, holds, dict(condition.tells.fails))
    return condition


def _compare_letters(compiler: Compiler, node: ast.Compare, names: Names) -> None:
    """Note what ``s.lower() == "a"`` and ``"a" in s.lower()`` compare."""
    (operator,), (right,) = node.ops, node.comparators
    if isinstance(operator, ast.Eq | ast.NotEq | ast.In | ast.NotIn):
        compared(compiler, node.left, [right], names)
    contains = isinstance(operator, ast.In | ast.NotIn)
    if contains or isinstance(operator, ast.Eq | ast.NotEq):
        compared(compiler, right, [node.left], names, in_pieces=contains)


def _keyed(compiler: Compiler, operator: ast.cmpop, right: ast.expr, names: Names) -> Value | None:
    """The dict of ``key in event.keys()``, where it is JSON; None for anything else."""
    match right:
        case ast.Call(ast.Attribute(owner, "keys"), [], []) if isinstance(operator, ast.In | ast.NotIn):
            whole = compiler.value(owner, names)
            return whole if isinstance(whole, Scalar) and isinstance(whole.shape, Json) else None
    return None


def _side(compiler: Compiler, node: ast.expr, names: Names) -> Value:
    """A side of a comparison: ints of 32 and 64 bits compare alike, and a literal of others raises."""
    if isinstance(node, ast.Name | ast.Attribute) and reads_outer(node, names):
        is_constant = isinstance(node, ast.Name) and node.id in compiler.scope.constants
        known = before_start(compiler, node, is_compared=True) if not is_constant else None
        if known is not None:
            return known
    return compiler.value(node, names)


def _one(compiler: Compiler, node: ast.Compare, left: Value, operator: ast.cmpop, right: Value) -> Scalar:
    folded = fold_operator(node, type(operator), left, right)
    if isinstance(folded, Scalar):
        return folded
    if isinstance(operator, ast.Is | ast.IsNot):
        if _are_truths(left, right) or _is_one_text(left, right):
            if isinstance(right, Scalar) and isinstance(right.constant, str) and right.constant:
                compiler.notes[SAME_TEXT.format(ast.unparse(node))] = None
            return compare(compiler, node, left, "==" if isinstance(operator, ast.Is) else "!=", right)
        return _identity(compiler, node, left, right, isinstance(operator, ast.IsNot))
    if isinstance(operator, ast.In):
        return _membership(compiler, node, left, right)
    if isinstance(operator, ast.NotIn):
        if (only := _only_choice(left, right)) is not None:
            return compare(compiler, node, left, "!=", only)
        return negate(_membership(compiler, node, left, right))
    return compare(compiler, node, left, _OPERATORS[type(operator)], right)


def _is_one_text(left: Value, right: Value) -> bool:
    """Whether ``left is right`` compares a text with ``""`` or one of a single ASCII character.

    CPython has one empty text, and one of such a character, but for some methods that make another one.
    """
    if not (isinstance(left, Scalar) and isinstance(right, Scalar) and isinstance(right.constant, str)):
        return False
    return isinstance(left.shape, Str) and len(right.constant) < 2 and right.constant.isascii()


def _are_truths(left: Value, right: Value) -> bool:
    """Whether ``left is right`` compares with True or False what is one of these, or None."""
    if not (isinstance(left, Scalar) and isinstance(right, Scalar) and isinstance(right.constant, bool)):
        return False
    return isinstance(left.shape.of if isinstance(left.shape, Maybe) else left.shape, Bool)


def compare(compiler: Compiler, node: ast.AST, left: Value, operator: str, right: Value) -> Scalar:
    """Return the condition ``left operator right``."""
    if isinstance(left, Record) and isinstance(right, Record):
        return _compare_tuples(compiler, node, left, operator, right)
    one, other = compiler.as_scalar(left, node), compiler.as_scalar(right, node)
    if operator in ("==", "!="):
        one = compared_text(compiler, node, one, other) or one
        other = compared_text(compiler, node, other, one) or other
    else:
        one = compared_number(compiler, node, one, other)
        other = compared_number(compiler, node, other, one)
    if operator in ("==", "!=") and isinstance(other.shape, Nothing):
        return _identity(compiler, node, one, other, operator == "!=")
    if operator in ("==", "!=") and (maybe := _maybe_equal(node, one, other)) is not None:
        return negate(maybe) if operator == "!=" else maybe
    if operator not in ("==", "!="):
        one, other = compiler.present(one), compiler.present(other)
    one, other = _comparable(compiler, node, one, other)
    ints = isinstance(one.shape, Int) and isinstance(other.shape, Int) and not compiler.scope.has_json
    if ints and not (one.partial or other.partial):  # what raises outside of its domain has to be evaluated
        assert isinstance(one.shape, Int) and isinstance(other.shape, Int)
        known = _by_bounds(one.shape, operator, other.shape)
        if known is not None:
            return code.TRUE if known else code.FALSE
    if isinstance(one.shape, Bool) and other.is_constant and operator in ("==", "!="):
        return one if (operator == "==") is other.constant else negate(one)
    if one.is_plain:
        one, operator, other = other, _MIRRORED[operator], one
    if isinstance(one.shape, Float) or isinstance(other.shape, Float):
        return compare_floats(one, operator, other)
    return _telling(code.binary(one, operator, other, Bool(), code.COMPARISON), one, operator, other)


def _telling(condition: Scalar, one: Scalar, operator: str, other: Scalar) -> Scalar:
    """The condition that a text, or the length of a text or a list, compares with a constant."""
    if isinstance(other.constant, str):
        same = Str(characters.of(other.constant), len(other.constant))
        filled = Str(at_least=1) if other.constant == "" else None
        if operator == "==":
            return telling(condition, one, holds=same, fails=filled)
        return telling(condition, one, holds=filled, fails=same) if operator == "!=" else condition
    if one.counted is None or not isinstance(other.constant, int):
        return condition
    number = other.constant
    least_where_it_holds = {">": number + 1, ">=": number, "==": number, "!=": int(number == 0)}
    least_where_it_fails = {"<": number, "<=": number + 1, "!=": number, "==": int(number == 0)}
    holds, fails = (
        _of_length(one.counted.shape, least.get(operator, 0))
        for least in (least_where_it_holds, least_where_it_fails)
    )
    return telling(condition, one.counted, holds=holds, fails=fails)


def _of_length(shape: Shape, least: int) -> Shape | None:
    """What is known of a text or list that is so long at least."""
    if least < 1:
        return None
    return List(shape.of, tested=least) if isinstance(shape, List) else Str(at_least=least)


def _by_bounds(left: Int, operator: str, right: Int) -> bool | None:
    """Return what a comparison always gives: Catalyst would find it too, and skip what stands beside it."""
    if operator in (">", ">="):
        return _by_bounds(right, _MIRRORED[operator], left)
    if operator in ("==", "!="):
        return operator == "!=" if left.high < right.low or right.high < left.low else None
    always, never = left.high - right.low, left.low - right.high
    if operator == "<":
        return True if always < 0 else False if never >= 0 else None
    return True if always <= 0 else False if never > 0 else None


def _compare_tuples(compiler: Compiler, node: ast.AST, left: Record, operator: str, right: Record) -> Scalar:
    if operator not in ("==", "!="):
        raise refusal(node, "an order of tuples has no Column form")
    result = code.TRUE if len(left.items) == len(right.items) else code.FALSE
    if result.constant:
        for one, other in zip(left.items, right.items, strict=True):
            link = compare(compiler, node, one, "==", other)
            result = replace(both(result, link), tokens=result.tokens | link.tokens)
    return negate(result) if operator == "!=" else result


def _maybe_equal(node: ast.AST, left: Scalar, right: Scalar) -> Scalar | None:
    """Return the condition that two values are equal, of which one may be None: None equals itself only."""
    shapes = [
        scalar.shape.of if isinstance(scalar.shape, Maybe) else scalar.shape for scalar in (left, right)
    ]
    if not any(isinstance(scalar.shape, Maybe) for scalar in (left, right)):
        return None
    if type(shapes[0]) is not type(shapes[1]) or not isinstance(
        shapes[0], Str | Int | Bool | Date | Timestamp
    ):
        raise refusal(node, "the two values are not known to be of one type")
    one, other = (right, left) if left.is_constant else (left, right)
    return code.build(f"{code.column(one)}.eqNullSafe({code.operand(other)})", Bool(), one, other)


def _comparable(compiler: Compiler, node: ast.AST, left: Scalar, right: Scalar) -> tuple[Scalar, Scalar]:
    shapes: tuple[Shape, Shape] = (left.shape, right.shape)
    for kind in (Str, Int, Bool, Float, Date, Timestamp):
        if all(isinstance(shape, kind) for shape in shapes):
            return left, right
    if all(isinstance(shape, Int | Float) for shape in shapes):
        return _against_floats(compiler, node, left, right)
    if any(isinstance(shape, Maybe) for shape in shapes):
        raise refusal(node, "one of the values may be None")
    raise refusal(node, "the two values are not known to be of one type")


def _against_floats(compiler: Compiler, node: ast.AST, left: Scalar, right: Scalar) -> tuple[Scalar, Scalar]:
    """Return an int and a float as what Spark compares as Python does.

    A constant below 2**53 is on the same side of an int and of the nearest double.
    """
    if any(isinstance(one.constant, int | float) and abs(one.constant) < EXACT for one in (left, right)):
        return left, right
    if any(isinstance(one.shape, Int) and one.variable for one in (left, right)):
        raise refusal(node, "it is not known whether a float holds this int")
    return exact(compiler, node, left), exact(compiler, node, right)


def _identity(compiler: Compiler, node: ast.AST, left: Value, right: Value, negated: bool) -> Scalar:
    if not isinstance(right, Scalar) or not isinstance(right.shape, Nothing):
        raise refusal(node, "`is` has a Column form for None only")
    if isinstance(left, Scalar) and isinstance(left.shape, Json) and left.shape.bare:
        left = bare_or_none(compiler, node, left)
    match shape_of(left):
        case Maybe():
            scalar = compiler.as_scalar(left, node)
            return code.build(
                f"{code.column(scalar)}.{'isNotNull' if negated else 'isNull'}()", Bool(), scalar
            )
        case Nothing():
            return code.FALSE if negated else code.TRUE
        case Str() | Int() | Float() | Bool() | List() | Date() | Timestamp():
            scalar = compiler.as_scalar(left, node)
            if compiler.scope.has_json and not scalar.is_constant:  # asked, so that a check of null is made
                text = f"{code.column(scalar)}.{'isNotNull' if negated else 'isNull'}()"
                return code.build(text, Bool(), scalar)
            return code.TRUE if negated else code.FALSE
    if isinstance(left, Record | Display):
        return code.TRUE if negated else code.FALSE
    if isinstance(left, Mixed) and left.or_none:
        return left.truth if negated else negate(left.truth)
    raise compiler.unlike(node, left)


def _membership(compiler: Compiler, node: ast.AST, item: Value, container: Value) -> Scalar:
    if isinstance(container, Record | Display):
        return _among(compiler, node, item, container)
    if isinstance(container, Settled):
        one = compiler.as_scalar(item, node)
        if type(one.shape) is not type(container.of):
            raise refusal(node, "`in` is not covered for values of these types")
        return compiler.is_in(one, container)
    one, whole = compiler.as_scalar(item, node), compiler.present(compiler.as_scalar(container, node))
    if isinstance(whole.shape, Json):
        return has_key(compiler, node, one, whole)
    if isinstance(whole.shape, Str):
        one = compiler.present(one)
    match one.shape, whole.shape:
        case Str(), Str():
            text = f"{code.column(whole)}.contains({code.operand(one)})"
            least = len(one.constant) if isinstance(one.constant, str) else 0
            return telling(code.build(text, Bool(), whole, one), whole, holds=Str(at_least=least))
        case (Str(), List(Str())) | (Int(), List(Int())):
            text = f"F.array_contains({code.argument(whole)}, {code.operand(one)})"
            return code.build(text, Bool(), whole, one)
    raise refusal(node, "`in` is not covered for values of these types")


def _among(compiler: Compiler, node: ast.AST, item: Value, container: Record | Display) -> Scalar:
    options: Sequence[object] | Sequence[Value] = container.items
    if isinstance(container, Display) and container.kind is dict:
        options = [code.constant(key) for key in container.keys]
    choices = [option for option in options if isinstance(option, Scalar | Record)]
    values = [python_value(choice) for choice in choices]
    if not values and not options:
        return code.FALSE
    if isinstance(item, Record) and (pairs := _texts_of_each(item, choices, len(options))) is not None:
        return _among_tuples(item, pairs, container)
    if len(choices) != len(options) or not isinstance(item, Scalar):
        raise refusal(node, "`in` is not covered for values of these types")
    if NOT_CONSTANT not in values and len(values) > 1 and not isinstance(item.shape, Json | Maybe):
        for choice in choices:
            _comparable(compiler, node, item, compiler.as_scalar(choice, node))
        named = container.variable if isinstance(container, Display) else ""
        texts = named or ", ".join(code.literal(value) for value in dict.fromkeys(values))
        among = code.build(f"{code.column(item)}.isin({texts})", Bool(), item)
        found = [value for value in values if isinstance(value, str)]
        if len(found) < len(values):
            return among
        return telling(among, item, holds=Str(characters.of("".join(found)), min(map(len, found))))
    result = code.FALSE
    for choice in choices:
        if not _are_unlike(item, choice):
            result = either(result, compare(compiler, node, item, "==", choice))
    return result


def _texts_of_each(
    item: Record, choices: Sequence[Scalar | Record], count: int
) -> list[tuple[str, ...]] | None:
    """The texts of constant tuples, if a tuple of as many texts is looked for among them; None else."""
    texts = all(isinstance(part, Scalar) and isinstance(part.shape, Str) for part in item.items)
    if not texts or item.of_object or len(choices) < count:
        return None
    found: list[tuple[str, ...]] = []
    for choice in choices:
        parts = [python_value(part) for part in choice.items] if isinstance(choice, Record) else []
        if len(parts) != len(item.items) or not all(isinstance(part, str) for part in parts):
            return None
        found.append(tuple(str(part) for part in parts))
    return found


def _among_tuples(item: Record, texts: Sequence[tuple[str, ...]], container: Record | Display) -> Scalar:
    """``(origin, dest) in [("LGA", "BOS"), ...]``: an array of the texts among others."""
    parts = [part for part in item.items if isinstance(part, Scalar)]
    named = container.variable if isinstance(container, Display) else ""
    each = (f"F.lit([{', '.join(map(code.literal, one))}])" for one in dict.fromkeys(texts))
    among = f"[F.lit(list(one)) for one in {named}]" if named else ", ".join(each)
    array = f"F.array({', '.join(map(code.argument, parts))})"
    return code.build(f"{array}.isin({among})", Bool(), *parts)


def _only_choice(item: Value, container: Value) -> Scalar | None:
    """The one item of a tuple that a value may be equal to: the text of ``" " not in (word, 1)``."""
    if not (isinstance(item, Scalar) and isinstance(container, Record)):
        return None
    choices = [one for one in container.items if isinstance(one, Record) or not _are_unlike(item, one)]
    unlike = len(choices) < len(container.items)
    return choices[0] if unlike and len(choices) == 1 and isinstance(choices[0], Scalar) else None


def _are_unlike(item: Scalar, choice: Scalar | Record) -> bool:
    """Whether two values are never equal, as a text and a number are; both are there in any case."""
    if not isinstance(choice, Scalar) or item.partial or choice.partial or choice.tokens:
        return False
    texts = [isinstance(one.shape, Str) for one in (item, choice)]
    numbers = [isinstance(one.shape, Int | Float | Bool) for one in (item, choice)]
    return any(texts) and any(numbers)
