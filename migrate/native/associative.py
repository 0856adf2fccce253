"""Reduce functions that give the same however elements are cut, as long as they keep their order.

They pick one of two values, or join both: sums of anything but floats, texts and lists one after the other,
and tuples of such. ``reduceByKey`` may be given no others, but nobody has ever checked that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.native.facts import Facts
from migrate.native.program import Operation, upstream
from migrate.native.roles import Callback
from migrate.native.syntax import parameter_names
from migrate.nodes import walk

_OPERATORS = frozenset({"operator.add", "operator.concat", "operator.iadd", "operator.or_", "operator.and_"})
_JOINING = (ast.BitOr, ast.BitAnd)
_TWO = 2
_REDUCING = frozenset({"reduce", "treeReduce", "reduceByKey", "sum"})
_BUILTINS = frozenset(
    {
        *("int", "len", "str", "ord", "chr", "min", "max", "sorted", "list", "tuple", "set", "frozenset"),
        *("dict", "range", "zip", "enumerate", "reversed", "bool", "map", "filter", "any", "all", "sum"),
        *("isinstance", "print", "repr", "abs", "None", "True", "False"),
    }
)
"""Builtins that make no float of what is none."""
_METHODS = frozenset(
    {
        *("split", "rsplit", "splitlines", "strip", "lstrip", "rstrip", "lower", "upper", "title", "replace"),
        *("capitalize", "casefold", "swapcase", "startswith", "endswith", "find", "rfind", "index", "count"),
        *("join", "format", "encode", "decode", "isdigit", "isalpha", "isalnum", "isspace", "isnumeric"),
        *(
            "partition",
            "rpartition",
            "zfill",
            "ljust",
            "rjust",
            "translate",
            "get",
            "items",
            "keys",
            "values",
        ),
        *("append", "extend", "add", "update", "pop", "copy", "setdefault", "union", "intersection"),
        *("match", "search", "findall", "fullmatch", "sub", "group", "groups", "compile"),
        *("map", "flatMap", "filter", "mapValues", "flatMapValues", "cache", "persist", *_REDUCING),
    }
)
"""Methods of texts, collections, regular expressions and RDDs, that make no float of what is none."""
_FLAGS = frozenset({"UNICODE", "IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE", "ASCII", "U", "I", "M", "S"})
_DECODING = frozenset({"keyDecoder", "valueDecoder", None})
_PLAIN = 4
"""How many arguments a source of Kafka has before its decoders, at least."""


def is_associative(call: ast.Call, facts: Facts) -> bool:
    """Whether an operator of streams or RDDs is given a function that is certain to be associative."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if method == "sum":
        return True
    function = call.args[0] if call.args else next((word.value for word in call.keywords), None)
    return method in _REDUCING and function is not None and _is_associative(function, facts)


def _is_associative(function: ast.expr, facts: Facts) -> bool:
    if facts.qualified(function) in _OPERATORS:
        return True
    if isinstance(function, ast.Name) and function.id in ("max", "min"):
        return not facts.bindings.get(function.id)
    called = facts.function(function)
    node = called.node if called is not None else function
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
    return isinstance(body, ast.expr) and _joins(body, left, right, facts)


def _joins(node: ast.expr, left: str, right: str, facts: Facts) -> bool:
    """Whether an expression joins two values, whose code is given, or picks one of them."""
    both = {left, right}
    code = ast.unparse(node)
    if code in both:
        return True
    match node:
        case ast.BinOp(op=ast.Add()):
            terms = _terms(node)
            ends = {ast.unparse(terms[0]), ast.unparse(terms[-1])}
            return ends == both and not any(
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
            plain = not facts.bindings.get(name) and all(word.arg == "key" for word in words)
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


def _terms(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*_terms(node.left), *_terms(node.right)]
    return [node]


def _are_the_same_part(one: ast.expr, other: ast.expr, left: str, right: str) -> bool:
    """``a[1]`` and ``b[1]``: what is compared is of both values the same."""
    found = []
    for node in (one, other):
        rest = node
        while isinstance(rest, ast.Subscript) and isinstance(rest.slice, ast.Constant):
            rest = rest.value
        found.append((ast.unparse(rest), ast.unparse(node).removeprefix(ast.unparse(rest))))
    (first, path), (second, other_path) = found
    return {first, second} == {left, right} and path == other_path


# --- floats -------------------------------------------------------------------------------------------------


def may_be_floats(operation: Operation, callback: Callback | None, facts: Facts) -> bool:
    """Whether elements that start as texts may become floats on their way, or hold some."""
    steps = upstream(operation)
    sources = [step.call for step in steps if step.is_source]
    if any(
        len(call.args) > _PLAIN or any(word.arg in _DECODING for word in call.keywords) for call in sources
    ):
        return True
    calls = [step.call for step in steps if not step.is_source]
    if callback is not None:
        calls.remove(operation.call)
    given: list[ast.AST] = [
        node for call in calls for node in (*call.args, *(keyword.value for keyword in call.keywords))
    ]
    nodes = list(_code([*given, *(callback.reducing if callback is not None else ())], facts))
    within = {*nodes, *((callback.node,) if callback is not None else ())}
    safe: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
            safe.add(id(node.func.value))
        elif isinstance(node, ast.Attribute) and node.attr in _FLAGS:
            safe.add(id(node.value))
    return any(_is_float(node, within, safe, facts) for node in nodes)


def _is_float(node: ast.AST, within: set[ast.AST], safe: set[int], facts: Facts) -> bool:
    """Whether a float may come from an expression.

    Args:
        node: the expression.
        within: the functions that elements go through, whose own variables hold nothing else than elements.
        safe: objects whose methods make no floats.
        facts: what is known of names.
    """
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float | complex)
    if isinstance(node, ast.BinOp | ast.AugAssign):
        return isinstance(node.op, ast.Div | ast.Pow)
    if isinstance(node, ast.Attribute):
        return node.attr not in _METHODS | _FLAGS and facts.function(node) is None
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or id(node) in safe:
        return False
    if _binder(node, facts) in within or facts.function(node) is not None:
        return False
    if not facts.bindings.get(node.id):
        return node.id not in _BUILTINS
    if facts.qualified(node) in _OPERATORS:
        return False
    known, value = facts.constant(node.id, node.lineno)
    return not known or not isinstance(value, str | int | bool)


def _binder(name: ast.Name, facts: Facts) -> ast.AST | None:
    """The function or comprehension that a variable is of; None for one of the module."""
    step = facts.above.get(name)
    while step is not None:
        if isinstance(step, ast.Lambda | ast.FunctionDef):
            if any(isinstance(node, ast.arg) and node.arg == name.id for node in walk(step.args)):
                return step
            stores = isinstance(step, ast.FunctionDef) and any(
                isinstance(node, ast.Name) and node.id == name.id and isinstance(node.ctx, ast.Store)
                for node in walk(step)
            )
            if stores:
                return step
        elif isinstance(step, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            targets = [node for generator in step.generators for node in walk(generator.target)]
            if any(isinstance(node, ast.Name) and node.id == name.id for node in targets):
                return step
        step = facts.above.get(step)
    return None


def _code(given: list[ast.AST], facts: Facts) -> Iterator[ast.AST]:
    """All nodes of what operators are given, with the functions of this module that it calls."""
    pending = list(given)
    seen: set[ast.AST] = set()
    while pending:
        for node in walk(pending.pop()):
            yield node
            called = facts.function(node) if isinstance(node, ast.Name | ast.Attribute) else None
            if called is not None and called.node not in seen:
                seen.add(called.node)
                pending.append(called.node)
