"""Callbacks that bring the elements of their RDD to the driver, or hand each on, or count them, and no more.

Functions that made these elements can be called there as well, of the rows of a DataFrame:
``for t in [json.loads(row["value"]) for row in batch.collect()]:``.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Mapping, Sequence

from migrate.graph.operations import Operation
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback, NotTheSame, forwarded, given
from migrate.syntax.bindings import BINDING, bound_by
from migrate.syntax.nodes import walk
from migrate.syntax.tree import tries_around

BRINGING = frozenset({"collect", "collectAsMap", "take"})
"""Methods that bring elements to the driver."""
HANDING = frozenset({"foreach", "foreachPartition"})
"""Methods that hand them to a function on the workers."""
_COUNTING = frozenset({"count", "isEmpty"})
"""Methods that look at no element."""
_ARGUMENTS = {
    "collect": 0,
    "collectAsMap": 0,
    "take": 1,
    "foreach": 1,
    "foreachPartition": 1,
    "isEmpty": 0,
    "count": 0,
}
_LOOKING = frozenset({"exc_info", "exception", "format_exc", "print_exc", "print_exception"})
"""Functions that tell of the error that a handler has caught."""


def element_methods(output: Operation, functions: Iterable[ast.expr], facts: Facts) -> list[str]:
    """The methods of its RDD that a callback calls, if it collects or counts elements, or hands them on.

    Args:
        output: the ``foreachRDD``.
        functions: those that make the elements, which must mean the same inside the callback.
        facts: the names of the module.

    Returns:
        one for each call; none where the callback does anything else with the RDD.
    """
    callback = _changed(output, facts)
    if callback is None or callback.binds(callback.rdd):
        return []
    calls = [_call(read, callback) for read in callback.reads(callback.rdd)]
    if not all(call is not None and _fits(call, facts) for call in calls):
        return []
    brought = [call for call in calls if call is not None and _method(call) in BRINGING]
    if any(telling_handler(call, callback.parents) is not None for call in brought):
        return []
    counting = [call for call in calls if call is not None and _method(call) in _COUNTING]
    if any(one.handlers for call in counting for one in tries_around(call, callback.parents)):
        return []  # to count rows fails for none of them
    if not all(_means_the_same(function, callback, facts) for function in functions):
        return []
    return [_method(call) for call in calls if call is not None]


def may_call(callback: Callback, functions: Iterable[ast.expr], facts: Facts) -> bool:
    """Whether a callback may call the functions that make its elements, whose names mean the same in it."""
    return all(_means_the_same(function, callback, facts) for function in functions)


def tells_errors(callback: Callback) -> bool:
    """Whether a handler of a callback sees whether an error is Spark's or a function's own."""
    calls = (node for node in callback.walk() if isinstance(node, ast.Call))
    return any(telling_handler(call, callback.parents) is not None for call in calls)


def telling_handler(call: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> ast.ExceptHandler | None:
    """The handler around a call that tells errors apart; it sees that one is Spark's or a function's own."""
    for above in tries_around(call, parents):
        for handler in above.handlers:
            every = handler.type is None or ast.unparse(handler.type) in ("Exception", "BaseException")
            names = {node.id for node in walk(handler) if isinstance(node, ast.Name)}
            names |= {node.attr for node in walk(handler) if isinstance(node, ast.Attribute)}
            if not every or handler.name in names or names & _LOOKING:
                return handler
    return None


def _fits(call: ast.Call, facts: Facts) -> bool:
    """Whether a call has its arguments alone, and a function among them is named."""
    name = _method(call)
    if name not in _ARGUMENTS:
        return False
    if name == "collectAsMap" and "dict" in facts.shadowed:
        return False
    named = name not in HANDING or all(isinstance(one, ast.Name | ast.Attribute) for one in call.args)
    return len(call.args) == _ARGUMENTS[name] and not call.keywords and named


def _changed(output: Operation, facts: Facts) -> Callback | None:
    """The function of this module that reads the RDD, if its code may be changed."""
    called = given(output.call.args[0], facts) if len(output.call.args) == 1 else None
    if called is None or not called.editable:
        return None
    try:
        callback = called.callback()
    except NotTheSame:
        return None
    handed = forwarded(callback, facts) if isinstance(callback.node, ast.Lambda) else None
    found = callback if handed is None else handed.callback
    return found if found.node in facts.above else None


def _call(read: ast.Name, callback: Callback) -> ast.Call | None:
    """The call of a method of the RDD, where it is read."""
    method = callback.parents.get(read)
    call = callback.parents.get(method) if isinstance(method, ast.Attribute) else None
    return call if isinstance(call, ast.Call) and call.func is method else None


def _method(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return call.func.attr


def _means_the_same(function: ast.expr, callback: Callback, facts: Facts) -> bool:
    """Whether the names that a function reads are those of a callback's module or of functions around it."""
    own, there = {*walk(function)}, facts.of(callback.node)
    facts = facts.of(function)
    outer = [node for node in own if isinstance(node, ast.Name) and facts.home(node) not in own]
    if facts is not there and not all(_is_builtin(name.id, facts, there) for name in outer):
        return False
    around = {None, *_around(callback.node, facts)}
    bound = {bound_by(node) for node in walk(callback.node) if isinstance(node, BINDING)}
    return all(
        facts.home(name) in around and name.id not in bound and not callback.binds(name.id) for name in outer
    )


def _is_builtin(name: str, *modules: Facts) -> bool:
    return hasattr(builtins, name) and not any(name in facts.shadowed for facts in modules)


def _around(node: ast.AST, facts: Facts) -> Sequence[ast.AST]:
    """What a function stands in."""
    found = []
    step = facts.above.get(node)
    while step is not None:
        found.append(step)
        step = facts.above.get(step)
    return found
