"""Whether reduced values may hold floats: their sums depend on the partitions in the last digits.

They hold none if they are made of ints and texts, or if nothing between the source, which gives texts, and
the reduction makes a float.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from migrate.graph.program import Operation, upstream
from migrate.knowledge import builtins, functions, methods, rdd
from migrate.proofs.analysis.call_graph import Reached
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import given_to
from migrate.proofs.callbacks.roles import Callback
from migrate.proofs.elements.element_parts import elements_of, reduced_by, value_of
from migrate.proofs.elements.value_parts import Parts, are_numbers, has_no_floats
from migrate.proofs.values.constants import constant
from migrate.syntax.nodes import walk

_METHODS = methods.NO_NEW_FLOATS | rdd.KEEPS_ORDER | rdd.REDUCING
"""Methods of texts, collections, regular expressions and RDDs that never make a new float."""
_SETS = methods.SETS | {"set", "frozenset"}
"""Methods and builtins that make sets, or views that are compared like sets."""
_DECODING = frozenset({"keyDecoder", "valueDecoder", None})
_PLAIN = 4
"""The number of arguments of a Kafka source before its decoders."""


def may_be_floats(operation: Operation, callback: Callback | None, facts: Facts) -> bool:
    """Whether the values that an operator or the `reducing` calls of a callback reduce may hold floats."""
    reducing = [operation.call] if callback is None else callback.reducing
    outer = _functions_around(reducing, facts) if callback is not None else set()
    parts = reduced_parts(operation, callback, facts)
    if parts and all(map(has_no_floats, parts)):
        return _make_floats([node for call in reducing for node in given_to(call)], set(), outer, facts)
    steps = upstream(operation)
    sources = [step.call for step in steps if step.is_source]
    if any(
        len(call.args) > _PLAIN or any(word.arg in _DECODING for word in call.keywords) for call in sources
    ):
        return True
    calls = [step.call for step in steps if not step.is_source]
    if callback is not None:
        calls.remove(operation.call)
    given = [node for call in calls for node in given_to(call)]
    if callback is None:
        return _make_floats(given, set(), outer, facts)
    return _make_floats([*given, *reducing], set(map(_base, reducing)), outer, facts)


def reduces_numbers(
    operation: Operation, callback: Callback | None, facts: Facts, *, whole: bool = False
) -> bool:
    """Whether the values that are reduced are certainly numbers or tuples of them, whole ones if asked."""
    parts = reduced_parts(operation, callback, facts)
    fit = all(map(are_numbers, parts)) and (not whole or all(map(has_no_floats, parts)))
    return bool(parts) and fit


def _functions_around(calls: list[ast.Call], facts: Facts) -> set[ast.AST]:
    """The functions that calls are in: a callback, or one that it hands its RDD to."""
    found: set[ast.AST] = set()
    for call in calls:
        step = facts.above.get(call)
        while step is not None:
            if isinstance(step, ast.Lambda | ast.FunctionDef):
                found.add(step)
            step = facts.above.get(step)
    return found


def reduced_parts(operation: Operation, callback: Callback | None, facts: Facts) -> list[Parts]:
    """The parts of the values that an operator or each of the `reducing` calls of a callback reduces."""
    if callback is not None:
        return [reduced_by(call, operation, callback, facts) for call in callback.reducing]
    parts = [elements_of(parent, facts) for parent in operation.parents]
    by_key = operation.operator in ("reduceByKey", "reduceByKeyAndWindow")
    return [value_of(part) for part in parts] if by_key else parts


def _base(call: ast.expr) -> ast.expr:
    """The object that a chain of method calls starts from."""
    while isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        call = call.func.value
    return call


def _make_floats(given: Iterable[ast.AST], rdds: set[ast.expr], outer: set[ast.AST], facts: Facts) -> bool:
    """Whether code may make new floats.

    Args:
        given: the code.
        rdds: variables in it that are RDDs.
        outer: the functions that it is in, whose variables it may read.
        facts: the names of a module.
    """
    reached = _with_variables(list(given), rdds, outer, facts)
    if reached is None:
        return True
    within = outer | reached.scopes
    safe: set[ast.AST] = set()
    for call, _ in reached.of(ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in _METHODS:
            safe.add(call.func.value)
    for node, summary in reached.of(ast.Attribute):
        if node.attr in functions.RE_FLAGS or _is_plain(node, summary.facts):
            safe.add(node.value)
    return any(
        _is_float(node, within, safe, summary.facts) for summary in reached.code for node in summary.nodes
    )


def _with_variables(
    given: list[ast.AST], rdds: set[ast.expr], outer: set[ast.AST], facts: Facts
) -> Reached | None:
    """Code with the values of the variables that it reads of the functions around it.

    Returns:
        None where one of them has values that no assignment shows.
    """
    known: set[tuple[ast.AST, str]] = set()
    while True:
        reached = Reached(given, facts)
        more: list[ast.expr] = []
        for name, summary in reached.of(ast.Name):
            home = summary.facts.home(name)
            if home is None or home not in outer or home in reached.scopes or (home, name.id) in known:
                continue
            known.add((home, name.id))
            values = _values(name.id, home, name in rdds)
            if values is None:
                return None
            rdds = rdds | set(map(_base, values)) if name in rdds else rdds
            more += values
        if not more:
            return reached
        given = [*given, *more]


def _values(name: str, function: ast.AST, is_rdd: bool) -> list[ast.expr] | None:
    """The values that a function assigns to a local variable, without an RDD that is its parameter.

    Returns:
        None where it has values that no assignment shows.
    """
    values = []
    for node in walk(function):
        if isinstance(node, ast.arg) and node.arg == name and not is_rdd:
            return None
        stored = isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        if stored and not any(
            isinstance(made, ast.Assign) and node in made.targets for made in walk(function)
        ):
            return None
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in node.targets
        ):
            values.append(node.value)
    return values


_OPERATIONS = (ast.BinOp, ast.AugAssign)


def _is_float(node: ast.AST, within: set[ast.AST], safe: set[ast.AST], facts: Facts) -> bool:
    """Whether a float may come from an expression.

    Args:
        node: the expression.
        within: the functions that elements go through, whose own variables hold nothing else than elements.
        safe: objects whose methods make no floats.
        facts: the names of a module.
    """
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float | complex)
    if isinstance(node, _OPERATIONS):
        return isinstance(node.op, ast.Div | ast.Pow)
    if isinstance(node, ast.Attribute):
        plain = node.attr in _METHODS | functions.RE_FLAGS or _is_plain(node, facts)
        return not plain and called_function(node, facts) is None
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return False
    if facts.home(node) in within or called_function(node, facts) is not None:
        return False
    if not facts.bindings.get(node.id):
        return node.id not in builtins.NO_NEW_FLOATS | builtins.CONSTANTS or node.id in facts.shadowed
    if _is_plain(node, facts) or (node in safe and _has_texts(node, facts)):
        return False
    known, value = constant(node.id, node.lineno, facts)
    return not known or _holds_float(value)


def _is_plain(node: ast.expr, facts: Facts) -> bool:
    """Whether an expression is a function or a text of Python's library that never gives a float."""
    name = facts.qualified(node) or ""
    return name in functions.JOINS or name.startswith("string.")


def _has_texts(name: ast.Name, facts: Facts) -> bool:
    """Whether a name is that of ``operator``, ``re`` or ``string``, or of a compiled pattern."""
    if facts.qualified(name) in functions.NO_NEW_FLOATS:
        return True
    made = facts.value_of(facts.only_binding(name.id))
    return isinstance(made, ast.Call) and facts.qualified(made.func) == "re.compile"


def _holds_float(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_float, (*value.keys(), *value.values())))
    if isinstance(value, list | tuple | set):
        return any(map(_holds_float, value))
    return isinstance(value, float | complex)


def may_be_sets(operation: Operation, callback: Callback | None, facts: Facts) -> bool:
    """Whether reduced values may be or hold sets, which have no total order."""
    parts = reduced_parts(operation, callback, facts)
    if parts and all(map(has_no_floats, parts)):
        return False
    calls = [step.call for step in upstream(operation) if not step.is_source]
    calls += callback.reducing if callback is not None else []
    reached = Reached([node for call in calls for node in given_to(call)], facts)
    if any(summary.of(ast.Set, ast.SetComp) for summary in reached.code):
        return True
    if any(node.attr in _SETS for node, _ in reached.of(ast.Attribute)):
        return True
    names = reached.of(ast.Name)
    return any(name.id in _SETS or _may_hold_sets(name, reached, summary.facts) for name, summary in names)


def _may_hold_sets(name: ast.Name, reached: Reached, facts: Facts) -> bool:
    """Whether a variable of the module may be a set, or hold one."""
    if facts.home(name) in reached.scopes or not any(
        isinstance(binding, ast.Name) for binding in facts.bindings.get(name.id, ())
    ):
        return False
    known, value = constant(name.id, name.lineno, facts)
    return not known or not isinstance(value, str | int | float | bytes | None)
