"""Truth: ``and``, ``or``, ``not``, conditional expressions, and the truth of values that are no bool.

Catalyst hoists a step that occurs twice out of the right side of ``&`` and ``|`` and then evaluates it for
every row, so a right side that may raise where the left one does not stands in ``F.when``, whose branches are
evaluated only where the condition holds.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from migrate.columns import code
from migrate.columns.compiler import Compiler, Names
from migrate.columns.element import (
    Display,
    Generated,
    Generator,
    Mixed,
    Record,
    Scalar,
    Settled,
    Value,
    Written,
    shape_of,
)
from migrate.columns.memberships import as_memberships
from migrate.columns.messages import refusal
from migrate.columns.narrowing import not_none
from migrate.columns.registry import Production, covers, function, syntax
from migrate.columns.shapes import Bool, Date, Float, Int, Json, List, Maybe, Nothing, Str, Timestamp, join
from migrate.columns.tells import joined, opposite, telling
from migrate.frozen import replace


def truth(compiler: Compiler, value: Value, node: ast.AST) -> Scalar:
    """Return the condition ``bool(value)``."""
    if isinstance(value, Record | Display):
        return code.TRUE if value.items else code.FALSE
    if isinstance(value, Mixed):
        return value.truth
    if isinstance(value, Generator):
        return code.TRUE
    if isinstance(value, Generated | Settled):
        return truth(compiler, compiler.as_scalar(value, node), node)
    if value.is_constant:
        return code.TRUE if value.constant else code.FALSE
    match value.shape:
        case Bool():
            return value
        case Str(at_least=0):
            filled = code.build(f'{code.column(value)} != ""', Bool(), value, precedence=code.COMPARISON)
            return telling(filled, value, holds=Str(at_least=1))
        case Str():
            return code.TRUE
        case Int() | Float():  # NaN is no 0 in both
            return code.build(
                f"{code.column(value, code.OR)} != 0", Bool(), value, precedence=code.COMPARISON
            )
        case List(at_least=0):
            text = f"F.size({code.argument(value)}) > 0"
            filled = code.build(text, Bool(), value, precedence=code.COMPARISON)
            return telling(filled, value, holds=List(value.shape.of, tested=1))
        case List() | Date() | Timestamp():
            return code.TRUE
        case Nothing():
            return code.FALSE
        case Maybe(of):
            present = code.build(f"{code.column(value)}.isNotNull()", Bool(), value)
            return both(present, truth(compiler, replace(value, shape=of), node))
    raise compiler.unlike(node, value)


def negate(condition: Scalar) -> Scalar:
    """Return ``not condition``."""
    if condition.is_constant:
        return code.FALSE if condition.constant else code.TRUE
    text = f"~{code.column(condition, code.UNARY)}"
    return opposite(code.build(text, Bool(), condition, precedence=code.UNARY), condition)


def both(left: Scalar, right: Scalar) -> Scalar:
    """Return ``left and right``; the right one is evaluated only where the left one holds."""
    return _short(left, right, stops=False)


def either(left: Scalar, right: Scalar) -> Scalar:
    """Return ``left or right``; the right one is evaluated only where the left one does not hold."""
    return _short(left, right, stops=True)


def _short(left: Scalar, right: Scalar, stops: bool) -> Scalar:
    if left.is_constant:
        return left if left.constant is stops else right
    if right.is_constant:  # Catalyst skips the left one just so: the frame refuses it if it may raise
        return right if right.constant is stops else left
    if right.partial and not _raises_with(left, right):
        condition = left if not stops else negate(left)
        guarded = code.when(condition, right, code.TRUE if stops else code.FALSE, Bool())
        return joined(replace(guarded, tokens=left.tokens), left, right, stops=stops)
    operator, binds = ("|", code.OR) if stops else ("&", code.AND)
    text = f"{code.column(left, binds)} {operator} {code.column(right, binds)}"  # in any order
    written = Written(operator, (left, right))
    both_ways = code.build(text, Bool(), left, right, precedence=binds, written=written)
    return joined(replace(both_ways, tokens=left.tokens), left, right, stops=stops)


def _raises_with(left: Scalar, right: Scalar) -> bool:
    """Whether the left side raises wherever the right one does: ``int(x) > 3 and int(x) < 9``.

    Both read one column, the same, so that Catalyst does not move one of them without the other.
    """
    columns = code.columns_read(left)
    return (
        bool(right.raises)
        and right.raises <= left.raises
        and len(columns) == 1
        and columns == code.columns_read(right)
        and not (left.skips or right.skips)
    )


def choose(
    compiler: Compiler,
    test: ast.expr,
    names: Names,
    then: Callable[[], Value],
    otherwise: Callable[[], Value],
) -> Value:
    """Return ``then() if test else otherwise()``; where the test is constant only its branch is compiled."""
    compiler.assumed.tests(test)
    tested = compiler.value(test, names)
    condition = truth(compiler, tested, test)
    if condition.is_constant:
        return then() if condition.constant else otherwise()
    with compiler.assumed.narrowing(not_none(test, True)), compiler.assumed.told(condition.tells.holds):
        chosen = compiler.branch(test, then)
    with compiler.assumed.narrowing(not_none(test, False)), compiler.assumed.told(condition.tells.fails):
        other = compiler.branch(test, otherwise)
    instead = _instead_of_none(tested, chosen, other)
    return conditional(compiler, test, condition, chosen, other) if instead is None else instead


def _instead_of_none(tested: Value, then: Value, otherwise: Value) -> Scalar | None:
    """Return ``n or 0`` and ``s or ""`` as the value itself, or what stands for None; None for others.

    Floats are none of them: ``-0.0 or 0.0`` is 0.0.
    """
    if not (isinstance(tested, Scalar) and isinstance(then, Scalar) and isinstance(otherwise, Scalar)):
        return None
    shape = tested.shape.of if isinstance(tested.shape, Maybe) else tested.shape
    false = 0 if isinstance(shape, Int) else "" if isinstance(shape, Str) else None
    is_false = type(otherwise.constant) is type(false) and otherwise.constant == false
    if false is None or not is_false or tested.code != then.code or tested.is_plain:
        return None
    if not isinstance(tested.shape, Maybe):
        return tested
    text = f"F.coalesce({code.argument(tested)}, {code.column(otherwise)})"
    return code.build(text, join(shape, otherwise.shape) or shape, tested, name=tested.name)


def conditional(compiler: Compiler, node: ast.AST, condition: Scalar, then: Value, otherwise: Value) -> Value:
    """Return the value of two branches, item by item where both are tuples of one length."""
    if isinstance(then, Record) and isinstance(otherwise, Record) and len(then.items) == len(otherwise.items):
        pairs = zip(then.items, otherwise.items, strict=True)
        items = [compiler.as_element(conditional(compiler, node, condition, *pair), node) for pair in pairs]
        return Record(tuple(items), then.name if then.name == otherwise.name else None)
    if then == otherwise:  # as above
        return then
    if (made := _either_tuple(compiler, node, condition, then, otherwise)) is not None:
        return Mixed(_either_truth(compiler, node, condition, then, otherwise), made)
    if not isinstance(then, Mixed) and not isinstance(otherwise, Mixed):
        shape = join(shape_of(then), shape_of(otherwise))
        if isinstance(shape.of if isinstance(shape, Maybe) else shape, Json):
            raise refusal(node, "it is not known what a JSON value is")
    if isinstance(then, Mixed) or isinstance(otherwise, Mixed) or shape is None:
        return Mixed(_either_truth(compiler, node, condition, then, otherwise))
    left, right = compiler.as_scalar(then, node), compiler.as_scalar(otherwise, node)
    if (
        isinstance(shape, Bool)
        and left.is_constant
        and right.is_constant
        and left.constant is not right.constant
    ):
        return condition if left.constant else negate(condition)
    name = (
        left.name
        if left.name == right.name or right.name is None
        else right.name
        if left.name is None
        else None
    )
    merged = code.when(condition, left, right, shape, name=name)
    return replace(merged, tokens=condition.tokens | (left.tokens & right.tokens))


def _either_tuple(
    compiler: Compiler, node: ast.AST, condition: Scalar, then: Value, otherwise: Value
) -> Record | None:
    """The tuple that the value of two branches is unless it is None; None where it may be anything else."""
    tuples: list[Record] = []
    for value in (then, otherwise):
        found = value.tuple if isinstance(value, Mixed) else value
        if isinstance(found, Record) and found.items:
            tuples.append(found)
        elif not (isinstance(found, Scalar) and isinstance(found.shape, Nothing)):
            return None
    if len(tuples) < 2:
        return tuples[0] if tuples else None
    if len({len(one.items) for one in tuples}) > 1:
        return None
    made = conditional(compiler, node, condition, *tuples)
    assert isinstance(made, Record)
    return made


def _either_truth(
    compiler: Compiler, node: ast.AST, condition: Scalar, then: Value, otherwise: Value
) -> Scalar:
    left, right = truth(compiler, then, node), truth(compiler, otherwise, node)
    if left.is_constant and not right.is_constant:
        return either(condition, right) if left.constant else both(negate(condition), right)
    if right.is_constant and not left.is_constant:
        return either(negate(condition), left) if right.constant else both(condition, left)
    result = conditional(compiler, node, condition, left, right)
    assert isinstance(result, Scalar)
    return result


@syntax(ast.IfExp)
@covers(
    Production(
        "a if c else b",
        "two values of one type; only the chosen one is evaluated",
        (
            "lambda s, n: s if n > 2 else 'x'",
            "lambda s, n: int(s) if s.startswith('1') else n",
            "lambda b: 1 if b else 2",
        ),
        sensitive="an optimizer that evaluates both branches",
    )
)
def _conditional(compiler: Compiler, node: ast.IfExp, names: Names) -> Value:
    return choose(
        compiler,
        node.test,
        names,
        lambda: compiler.value(node.body, names),
        lambda: compiler.value(node.orelse, names),
    )


@syntax(ast.BoolOp)
@covers(
    Production(
        "a and b, a or b",
        "conditions; or values of one type, of which the deciding one is the result",
        (
            "lambda s, n: bool(s and n > 2)",
            "lambda s, t: s or t",
            "lambda n, o: (n or 0, o or '')",
            "lambda n, s: n > 0 and int(s) > n and int(s) < 100",
            "lambda s: s.split(',')[0] != 'a' and s.split(',')[0] != 'b' and s != 'a'",
            "lambda s, o: s == 'a' or s == 'b' or o == 'c' or o == ''",
            "lambda o: o != 'a' and o != ''",
        ),
    )
)
def _bool_op(compiler: Compiler, node: ast.BoolOp, names: Names) -> Value:
    from migrate.columns.one_pattern import in_one_pattern

    constants = {name: value for name, value in compiler.scope.constants.items() if name not in names}
    operands = as_memberships(node, constants)
    if isinstance(node.op, ast.And):
        operands = in_one_pattern(compiler, operands, names)
    *before, last = operands
    value = _operand(compiler, last, names)
    # from the right, so that each right side is framed as a whole and is skipped as a whole
    result: Callable[[], Value] = value
    for part in reversed(before):
        result = _step(compiler, node, part, result, names)
    return result()


def _operand(compiler: Compiler, node: ast.expr, names: Names) -> Callable[[], Value]:
    return lambda: compiler.value(node, names)


def _step(
    compiler: Compiler, node: ast.BoolOp, part: ast.expr, rest: Callable[[], Value], names: Names
) -> Callable[[], Value]:
    stops = isinstance(node.op, ast.Or)

    def step() -> Value:
        left = whole = compiler.value(part, names)
        condition = truth(compiler, left, part)
        if condition.is_constant:
            return left if condition.constant is stops else rest()
        told = condition.tells.fails if stops else condition.tells.holds
        with compiler.assumed.narrowing(not_none(part, not stops)), compiler.assumed.told(told):
            right = compiler.branch(node, rest)
        if stops and isinstance(left, Scalar) and isinstance(left.shape, Maybe):
            left = replace(left, shape=left.shape.of)  # the result is this value only where it is true
        shape = shape_of(right)
        short = either if stops else both
        if isinstance(shape_of(left), Bool) and isinstance(right, Scalar) and isinstance(shape, Bool):
            return short(condition, right)
        if isinstance(left, Mixed) or isinstance(right, Mixed) or join(shape_of(left), shape) is None:
            return Mixed(short(condition, truth(compiler, right, node)))
        instead = _instead_of_none(whole, left, right) if stops else None
        if instead is not None:
            return instead
        then, otherwise = (left, right) if stops else (right, left)
        return conditional(compiler, node, condition, then, otherwise)

    return step


@syntax(ast.UnaryOp)
@covers(
    Production("not a", "a condition or any value with a truth", ("lambda s: not s", "lambda n: not n > 3"))
)
def _unary(compiler: Compiler, node: ast.UnaryOp, names: Names) -> Value:
    from migrate.columns.integers import negative

    if isinstance(node.op, ast.Not):
        compiler.assumed.tests(node.operand)
        return negate(truth(compiler, compiler.value(node.operand, names), node.operand))
    if isinstance(node.op, ast.USub):
        return negative(compiler, node, compiler.scalar(node.operand, names))
    raise refusal(node, "this operator has no Column form")


@function("bool", Production("bool(a)", "any value with a truth", ("lambda s: bool(s)", "lambda n: bool(n)")))
def _bool(compiler: Compiler, node: ast.AST, arguments: list[Value]) -> Value:
    if len(arguments) != 1:
        raise refusal(node, "bool takes one argument here")
    return truth(compiler, arguments[0], node)
