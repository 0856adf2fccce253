"""Functions that are given an RDD of each batch: whether they do the same on an RDD of Structured
Streaming's.

That RDD has the same elements in other partitions and another order, and a batch without input may not come
at all.
"""

from __future__ import annotations

import ast

from migrate.columns import Refusal, Scalar, compile_reduce
from migrate.columns import Scope as ColumnScope
from migrate.native.effects import changes
from migrate.native.elementwise import is_elementwise
from migrate.native.facts import Called, Facts
from migrate.native.guards import only_with_rows
from migrate.native.roles import RDDS, Callback, Given, NotTheSame, callback_of, given, is_rdd
from migrate.native.saving import SAVING, check_saving
from migrate.native.syntax import SHOWING, parameter_names
from migrate.nodes import walk
from migrate.rules._proofs import value_shape
from migrate.shapes import Shape

_ACTIONS = frozenset(
    {
        *("collect", "take", "first", "count", "isEmpty", "foreach", "foreachPartition"),
        *("takeOrdered", "top", "collectAsMap", "toDF", "context", "ctx", "max", "min"),
        *("countByKey", "countByValue", "toLocalIterator", "lookup", "countApproxDistinct"),
    }
)
_IN_ANY_ORDER = frozenset({"reduce", "treeReduce", "sum", "mean", "stats", "variance", "stdev"})
"""Methods whose result shows the order of elements where a function of two values is not commutative."""
_FLOATS = frozenset({"mean", "stats", "variance", "stdev"})
"""Those that are floats, made of one float for each partition."""
_KEEPING = frozenset(
    {"map", "flatMap", "filter", "mapValues", "flatMapValues", "keys", "values", "cache", "persist"}
)
"""Methods of an RDD that give an RDD in the same order."""
_TAKING = frozenset({"createDataFrame", "json", "csv"})
"""Methods of a session or a reader that take an RDD."""
_RANGES = (
    "`offsetRanges`: a partition without new messages has a range as well, which no row of the batch shows"
)


def check(
    callback: Callback,
    facts: Facts,
    scope: ColumnScope,
    value: Shape | None = None,
    *,
    depth: int = 5,
    exact: bool = False,
    any_order: bool = False,
    inner: bool = False,
) -> None:
    """See that a callback does the same with the batches of Structured Streaming.

    Args:
        callback: the function.
        facts: what is known of its names.
        scope: the same, for the compiler.
        value: what is known of the values of an RDD of pairs.
        depth: how many functions further the RDD is followed.
        exact: whether the RDD's partitions and their order are DStream's too.
        any_order: whether elements may be reduced in another order; `Callback.unordered` says if they are.
        inner: whether the callback's own code calls it, and reads what it returns.

    Raises:
        NotTheSame: it depends on partitions, on the order of elements, or on batches without input.
    """
    _find_rdds(callback)
    parents = callback.parents()
    for node in callback.walk():
        if _only_shown(node, parents, facts):
            continue
        if isinstance(node, ast.Attribute) and node.attr in SAVING and is_rdd(node.value, callback.rdds):
            check_saving(node, parents.get(node), callback, facts)
        elif isinstance(node, ast.Attribute) and is_rdd(node.value, callback.rdds):
            if node.attr == "toDF":
                callback.frames.append(node)
            if exact:
                continue
            first = isinstance(node.value, ast.Name) and node.value.id == callback.rdd
            own = value if first and not callback.rebound else None
            unordered = _check_method(node, parents, facts, scope, own)
            if unordered and not any_order:
                raise NotTheSame(unordered)
            if unordered:
                _reduces(callback, node, parents[node], unordered)
        elif isinstance(node, ast.Name) and node.id in callback.rdds and isinstance(node.ctx, ast.Load):
            if not inner and isinstance(parents.get(node), ast.Return):
                continue  # foreachRDD does not read it, and transform looks at it
            handed = _check_handing_on(
                node,
                parents,
                facts,
                scope,
                depth,
                exact=exact,
                any_order=any_order,
                repeated=callback.repeated,
            )
            if handed is not None:
                callback.frames += handed.frames
                callback.unordered = handed.unordered or callback.unordered
                callback.reducing += handed.reducing
                as_it_came = node.id == callback.rdd and not callback.rebound
                callback.shuffled |= handed.shuffled or bool(handed.reducing and not as_it_came)
    _check_state(callback, parents, facts)


def _reduces(callback: Callback, node: ast.Attribute, call: ast.AST, unordered: str) -> None:
    """Keep a call whose result shows the order of elements."""
    assert isinstance(call, ast.Call)
    callback.unordered = unordered
    callback.reducing.append(call)
    own = is_rdd(node.value, {callback.rdd}, _KEEPING) and not callback.rebound
    callback.shuffled |= not own or node.attr in _FLOATS


def _only_shown(node: ast.AST, parents: dict[ast.AST, ast.AST], facts: Facts) -> bool:
    """Whether an object is only printed as what it is, which says no more than its class and a number.

    ``print(type(rdd))``; or ``print(rdd.count)``, where a call is missing.
    """
    call = parents.get(node)
    while isinstance(call, ast.Call) and node is not call.func and not call.keywords:
        if not (isinstance(call.func, ast.Name) and call.func.id in SHOWING) or facts.bindings.get(
            call.func.id
        ):
            return False
        if call.func.id == "print":
            return isinstance(parents.get(call), ast.Expr | None)
        node, call = call, parents.get(call)
    return False


def _check_state(callback: Callback, parents: dict[ast.AST, ast.AST], facts: Facts) -> None:
    """What outlives a batch changes without input too, unless the callback does nothing then."""
    for where, why in changes(callback, facts, set()):
        if not only_with_rows(where, callback, parents):
            raise NotTheSame(f"{why}, also for a batch without input, which may not come")


# --- the RDD ------------------------------------------------------------------------------------------------


def _find_rdds(callback: Callback) -> None:
    found = True
    while found:
        found = False
        for node in callback.walk():
            if (
                isinstance(node, ast.Assign)
                and len(node.targets) == 1
                and isinstance(node.targets[0], ast.Name)
            ):
                name = node.targets[0].id
                if name not in callback.rdds and is_rdd(node.value, callback.rdds):
                    callback.rdds.add(name)
                    found = True


def _check_method(
    node: ast.Attribute,
    parents: dict[ast.AST, ast.AST],
    facts: Facts,
    scope: ColumnScope,
    value: Shape | None,
) -> str:
    """See that a method gives the same; why it may not in another order of elements, and only then."""
    if node.attr == "offsetRanges":
        raise NotTheSame(_RANGES)
    if node.attr not in RDDS | _ACTIONS | _IN_ANY_ORDER:
        raise NotTheSame(f"`{node.attr}` may depend on the partitions or the order of an RDD")
    call = parents.get(node)
    if not isinstance(call, ast.Call) or call.func is not node:
        if node.attr in ("context", "ctx"):
            return ""
        raise NotTheSame(f"`{node.attr}` is used without being called")
    if node.attr == "foreachPartition":
        function = call.args[0] if len(call.args) == 1 else None
        if not _only_iterates(function, facts):
            raise NotTheSame(
                "the function of `foreachPartition` does more with its iterator than to go through it: a "
                "partition without elements may be there on one side only"
            )
    if node.attr == "mapPartitions" and not (call.args and is_elementwise(call.args[0], facts)):
        raise NotTheSame(
            "the function of `mapPartitions` does more than to go through the elements one by one"
        )
    if node.attr == "reduceByKey":
        known = pair_value(node.value) or value
        if known is None or not call.args:
            return "the result of `reduceByKey` may depend on the order of the values"
        try:
            compile_reduce(call.args[0], Scalar('F.col("value")', known, "value"), scope)
        except Refusal as refusal:
            return f"the result of `reduceByKey` may depend on the order: {refusal.reason}"
    if node.attr in _IN_ANY_ORDER:
        return f"the result of `{node.attr}` may depend on the order of the elements"
    return ""


def _only_iterates(function: ast.AST | None, facts: Facts, position: int = 0, depth: int = 5) -> bool:
    """Whether all that a function does with its iterator is to go through it, once for each element."""
    bound = 0
    if isinstance(function, ast.Name | ast.Attribute):
        target = facts.function(function)
        function, bound = (target.node, target.bound) if target is not None else (None, 0)
    if not isinstance(function, ast.Lambda | ast.FunctionDef):
        return False
    names = parameter_names(function)[bound:]
    if position >= len(names):
        return False
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    parents = {child: node for part in body for node in walk(part) for child in ast.iter_child_nodes(node)}
    for part in body:
        for node in walk(part):
            if not isinstance(node, ast.Name) or node.id != names[position]:
                continue
            parent = parents.get(node)
            if isinstance(parent, ast.For | ast.comprehension) and parent.iter is node:
                continue
            handed = isinstance(parent, ast.Call) and node in parent.args and not parent.keywords
            if not (handed and depth and isinstance(parent, ast.Call)):
                return False
            if not _only_iterates(parent.func, facts, parent.args.index(node), depth - 1):
                return False
    return True


def pair_value(node: ast.AST) -> Shape | None:
    """The shape of the values of ``rdd.map(lambda w: (w, 1))``."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "map"
        and node.args
    ):
        return value_shape(node.args[0])
    return None


def _check_handing_on(
    node: ast.Name,
    parents: dict[ast.AST, ast.AST],
    facts: Facts,
    scope: ColumnScope,
    depth: int,
    *,
    exact: bool,
    any_order: bool,
    repeated: bool,
) -> Callback | None:
    """See that what is handed on is followed; the function that it gets to, if it is one that was read."""
    parent = parents.get(node)
    if isinstance(parent, ast.Attribute):
        return None
    if isinstance(parent, ast.Assign):
        return None
    call = parents.get(parent) if isinstance(parent, ast.keyword) else parent
    if isinstance(call, ast.Call) and call.func is not node:
        if isinstance(call.func, ast.Attribute) and (call.func.attr in _TAKING or call.func.attr in RDDS):
            return None
        target = facts.function(call.func)
        if target is not None and depth and node in call.args and not call.keywords:
            position = call.args.index(node)
            inner = _handed_to(target, position)
            inner.repeated = repeated
            check(inner, facts, scope, depth=depth - 1, exact=exact, any_order=any_order, inner=True)
            return inner
    if exact:
        return None
    if isinstance(call, ast.Call):
        raise NotTheSame(f"the RDD is handed to `{ast.unparse(call.func)}`, which is not followed")
    shown = ast.unparse(parent).partition("\n")[0] if parent is not None else node.id
    raise NotTheSame(f"what becomes of the RDD in `{shown}` is not followed")


def _handed_to(target: Called, position: int) -> Callback:
    """A function that was read and that the RDD is passed to."""
    names = parameter_names(target.node)[target.bound :]
    if position >= len(names):
        raise NotTheSame(f"`{target.node.name}` takes the RDD in a way that is not followed")
    return Callback(target.node, names[position], None, {names[position]}, target.bound)


__all__ = [
    "Callback",
    "Given",
    "NotTheSame",
    "callback_of",
    "check",
    "given",
    "is_rdd",
    "pair_value",
]
