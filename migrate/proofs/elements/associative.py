"""Associative reduce functions: the result does not depend on the partitions, if the order is kept.

They pick one of two values, or join both: sums of anything but floats, texts and lists one after the other,
sums of both as whole numbers, and tuples of such. ``reduceByKey`` may be given no others, but nobody has ever
checked that.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from migrate.knowledge import functions, rdd, streaming
from migrate.proofs.analysis.call_graph import given_code
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.elements.value_parts import Kind, Parts
from migrate.syntax.nodes import walk
from migrate.syntax.tree import parameter_names

_Kind = Callable[[ast.expr, str, str, Facts], bool]
_JOINING = (ast.BitOr, ast.BitAnd)
_TWO = 2


def is_associative(call: ast.Call, facts: Facts) -> bool:
    """Whether an operator of streams or RDDs is given a function that is certain to be associative."""
    return _is_given(call, facts, _joins)


def adds(call: ast.Call, parts: Parts, facts: Facts) -> bool:
    """Whether an operator of streams or RDDs adds up two numbers, or the items of two tuples.

    Args:
        call: its call.
        parts: what is known of the values; two tuples that are added as they are make a longer one.
        facts: the names of a module.
    """

    def are_added(node: ast.expr, left: str, right: str, facts: Facts) -> bool:
        return _adds(node, left, right, facts, parts)

    return _is_given(call, facts, are_added)


def adds_as_whole(call: ast.Call, facts: Facts) -> bool:
    """Whether an operator of streams or RDDs adds up two values as whole numbers: ``int(a) + int(b)``.

    That gives the same in any order and in any partitions, whatever the values are.
    """
    return _is_given(call, facts, _adds_as_whole)


def adds_texts(call: ast.Call, facts: Facts) -> bool:
    """Whether an operator of streams or RDDs puts texts together, which numbers are not: ``a + "," + b``."""
    return _is_given(call, facts, _adds_texts)


def sums_and_firsts(call: ast.Call, facts: Facts) -> list[bool]:
    """For each item of the tuples that a function makes of two: whether it is their sum, or that of one.

    ``lambda a, b: (a[0], a[1] + b[1])``

    Returns:
        Nothing where an item is something else.
    """
    found: list[bool] = []

    def are_found(node: ast.expr, left: str, right: str, facts: Facts) -> bool:
        if not isinstance(node, ast.Tuple):
            return False
        for place, item in enumerate(node.elts):
            one, other = f"{left}[{place}]", f"{right}[{place}]"
            found.append(_adds(item, one, other, facts, Kind.UNKNOWN))
            if not found[-1] and ast.unparse(item) not in (one, other):
                return False
        return True

    return found if _is_given(call, facts, are_found) else []


def adds_beside_constants(call: ast.Call, whole: Sequence[bool], facts: Facts) -> bool:
    """Whether whole numbers are added up, beside what is the same for any two tuples.

    ``words.map(lambda w: (w, 1)).reduce(lambda a, b: ("words", a[1] + b[1]))``

    Args:
        call: a call of an operator of streams or RDDs.
        whole: for each item of the tuples, whether it is a whole number.
        facts: the names of a module.
    """
    written_out: list[ast.expr] = []

    def are_added(node: ast.expr, left: str, right: str, facts: Facts) -> bool:
        written_out.append(node)  # an operator such as `add` is asked for nothing
        if not isinstance(node, ast.Tuple) or len(node.elts) != len(whole):
            return False
        return all(
            isinstance(item, ast.Constant)
            or (whole[place] and _adds(item, f"{left}[{place}]", f"{right}[{place}]", facts, Kind.WHOLE))
            for place, item in enumerate(node.elts)
        )

    return _is_given(call, facts, are_added) and bool(written_out)


def _is_given(call: ast.Call, facts: Facts, kind: _Kind) -> bool:
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if method == "sum":
        return kind not in _ONLY_WRITTEN_OUT
    function = call.args[0] if call.args else next((word.value for word in call.keywords), None)
    if function is None or method not in rdd.REDUCING | streaming.REDUCING:
        return False
    return _is_of(kind, function, facts)


def compares(call: ast.Call, facts: Facts) -> bool:
    """Whether an operator's function picks one of two values by comparing them."""
    reached = given_code(call, facts)
    picks = {"max", "min"}
    return any(summary.of(ast.Compare) for summary in reached.code) or any(
        name.id in picks for name, _ in reached.of(ast.Name)
    )


def _is_of(kind: _Kind, function: ast.expr, facts: Facts) -> bool:
    if facts.qualified(function) in functions.JOINS:
        return kind not in _ONLY_WRITTEN_OUT
    if isinstance(function, ast.Name) and function.id in ("max", "min"):
        return kind is _joins and function.id not in facts.shadowed
    called = called_function(function, facts)
    node = called.node if called is not None else function
    facts = facts.of(node)
    if not isinstance(node, ast.Lambda | ast.FunctionDef):
        return False
    names = parameter_names(node)[called.bound if called is not None else 0 :]
    if len(names) != _TWO:
        return False
    body: ast.AST = node.body if isinstance(node, ast.Lambda) else node
    if isinstance(node, ast.FunctionDef):
        match node.body:
            case [ast.Return(value=ast.expr() as value)] | [
                ast.Expr(ast.Constant()),
                ast.Return(value=ast.expr() as value),
            ]:
                body = value
            case _:
                return False
    left, right = names
    return isinstance(body, ast.expr) and kind(body, left, right, facts)


def _adds(node: ast.expr, left: str, right: str, facts: Facts, parts: Parts) -> bool:
    """Whether an expression is the sum of two values, if they are no tuples, or a tuple of such sums.

    Of whole numbers it may be the product, too.
    """
    match node:
        case ast.BinOp(left=one, op=operator, right=other):
            sums = isinstance(operator, ast.Add) or (isinstance(operator, ast.Mult) and parts is Kind.WHOLE)
            return (
                sums
                and {ast.unparse(one), ast.unparse(other)} == {left, right}
                and not isinstance(parts, tuple)
            )
        case ast.Tuple(elts=items):
            each = parts if isinstance(parts, tuple) else (Kind.UNKNOWN,) * len(items)
            return len(items) <= len(each) and all(
                _adds(item, f"{left}[{place}]", f"{right}[{place}]", facts, part)
                for place, (item, part) in enumerate(zip(items, each, strict=False))
            )
    return False


def _adds_as_whole(node: ast.expr, left: str, right: str, facts: Facts) -> bool:
    match node:
        case ast.BinOp(
            left=ast.Call(args=[one]) as first, op=ast.Add(), right=ast.Call(args=[other]) as last
        ):
            whole = _converted(first, facts) == _converted(last, facts) == "int"
            return whole and {ast.unparse(one), ast.unparse(other)} == {left, right}
        case ast.Tuple(elts=items):
            return bool(items) and all(
                _adds_as_whole(item, f"{left}[{place}]", f"{right}[{place}]", facts)
                for place, item in enumerate(items)
            )
    return False


def _joins(node: ast.expr, left: str, right: str, facts: Facts) -> bool:
    """Whether an expression joins two values, whose code is given, or picks one of them."""
    both = {left, right}
    code = ast.unparse(node)
    if code in both:
        return True
    match node:
        case ast.BinOp(op=ast.Add()):
            terms = _terms(node)
            first, last = terms[0], terms[-1]
            if (converts := _converted(first, facts)) and _converted(last, facts) == converts:
                assert isinstance(first, ast.Call) and isinstance(last, ast.Call)
                first, last = first.args[0], last.args[0]
            return {ast.unparse(first), ast.unparse(last)} == both and not any(
                isinstance(part, ast.Name) for t in terms[1:-1] for part in walk(t)
            )
        case ast.BinOp(left=one, op=operator, right=other) if isinstance(operator, _JOINING):
            return {ast.unparse(one), ast.unparse(other)} == both
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return bool(items) and all(
                _joins(item, f"{left}[{place}]", f"{right}[{place}]", facts)
                for place, item in enumerate(items)
            )
        case ast.Call(func=ast.Name(id="max" | "min" as name), args=[one, other], keywords=words):
            plain = name not in facts.shadowed and all(word.arg == "key" for word in words)
            return plain and {ast.unparse(one), ast.unparse(other)} == both
        case ast.Call(
            func=ast.Attribute(value=one, attr="union" | "intersection"), args=[other], keywords=[]
        ):
            return {ast.unparse(one), ast.unparse(other)} == both
        case ast.IfExp(test=ast.Compare(left=one, ops=[by], comparators=[other]), body=first, orelse=second):
            picks = {ast.unparse(first), ast.unparse(second)} == both
            picks = picks and isinstance(by, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
            return picks and _are_the_same_part(one, other, left, right)
    return False


def _adds_texts(node: ast.expr, left: str, right: str, facts: Facts) -> bool:
    terms = _terms(node)
    return any(isinstance(term, ast.Constant) and isinstance(term.value, str) for term in terms)


_ONLY_WRITTEN_OUT = (_adds_as_whole, _adds_texts)
"""Kinds of functions that show in their code alone."""


def _converted(node: ast.expr, facts: Facts) -> str:
    """The type of numbers that an expression converts its only part to, if it does: ``int(a)``.

    A sum of such parts is one of these numbers, whatever the values are that it begins with.
    """
    match node:
        case ast.Call(func=ast.Name(id="int" | "float" as name), args=[_], keywords=[]):
            return name if name not in facts.shadowed else ""
    return ""


def _terms(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*_terms(node.left), *_terms(node.right)]
    return [node]


def _are_the_same_part(one: ast.expr, other: ast.expr, left: str, right: str) -> bool:
    """Whether two expressions are the same part of both values: ``a[1]`` and ``b[1]``."""
    found = []
    for node in (one, other):
        rest = node
        while isinstance(rest, ast.Subscript) and isinstance(rest.slice, ast.Constant):
            rest = rest.value
        found.append((ast.unparse(rest), ast.unparse(node).removeprefix(ast.unparse(rest))))
    (first, path), (second, other_path) = found
    return {first, second} == {left, right} and path == other_path
