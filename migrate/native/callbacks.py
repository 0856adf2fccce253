"""Functions that are given an RDD of each batch: whether they do the same on an RDD of Structured
Streaming's.

That RDD has the same elements in other partitions and another order, and a batch without input may not come
at all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrate.columns import Refusal, Scalar, compile_reduce
from migrate.columns import Scope as ColumnScope
from migrate.native.facts import Called, Facts
from migrate.native.syntax import parameter_names
from migrate.shapes import Shape

FunctionNode = ast.Lambda | ast.FunctionDef

_RDDS = frozenset(
    {
        *("map", "flatMap", "filter", "mapValues", "flatMapValues", "keys", "values", "distinct"),
        *("sortBy", "sortByKey", "keyBy", "union", "join", "leftOuterJoin", "rightOuterJoin"),
        *("fullOuterJoin", "subtract", "subtractByKey", "intersection", "cache", "persist"),
        *("unpersist", "coalesce", "repartition", "reduceByKey"),
    }
)
"""Methods of an RDD that give an RDD, whose elements do not depend on the partitions."""
_ACTIONS = frozenset(
    {
        *("collect", "take", "first", "count", "isEmpty", "foreach", "foreachPartition"),
        *("takeOrdered", "top", "collectAsMap", "toDF", "context", "ctx", "max", "min"),
        *("countByKey", "countByValue", "toLocalIterator", "lookup", "countApproxDistinct"),
    }
)
_TAKING = frozenset({"createDataFrame", "json", "csv"})
"""Methods of a session or a reader that take an RDD."""
_MUTATORS = frozenset(
    {
        *("append", "add", "update", "extend", "insert", "pop", "popleft", "appendleft", "remove"),
        *("discard", "clear", "setdefault", "popitem", "sort", "reverse", "put", "put_nowait"),
        *("increment", "inc"),
    }
)
_LOGGING = frozenset({"debug", "info", "warning", "warn", "error", "critical"})
_EMPTY_LOOPS = frozenset({"collect", "take", "toLocalIterator", "collectAsMap", "top", "takeOrdered"})


class NotTheSame(Exception):  # noqa: N818  (it is an answer, not a failure)
    """Why a callback may do something else on the batches of Structured Streaming."""


@dataclass
class Callback:
    """A function that is called with the RDD of each batch."""

    node: FunctionNode
    rdd: str
    """The parameter that is the RDD."""
    time: str | None
    """The parameter that is the batch time."""
    rdds: set[str] = field(default_factory=set)
    """Local names that are RDDs."""
    bound: bool = False
    """Whether its first parameter is the object that it is a method of."""

    @property
    def body(self) -> list[ast.AST]:
        """The statements, or the one expression."""
        return [self.node.body] if isinstance(self.node, ast.Lambda) else list(self.node.body)

    def walk(self) -> Iterator[ast.AST]:
        """All nodes of the body."""
        for part in self.body:
            yield from ast.walk(part)


@dataclass(frozen=True)
class Given:
    """A callback as the program gives it to an operator."""

    node: FunctionNode
    name: str | None
    """How to call it; None for a lambda that is written in place."""
    bound: bool = False
    editable: bool = False
    """Whether its code may be changed: it is a function of this file, by its plain name."""

    def callback(self) -> Callback:
        """The roles of its parameters.

        Raises:
            NotTheSame: PySpark would not call it with an RDD, or not only.
        """
        return callback_of(self.node, bound=self.bound)


def given(node: ast.expr, facts: Facts) -> Given | None:
    """The function that an operator is given; None where that is not certain."""
    if isinstance(node, ast.Lambda):
        return Given(node, None, editable=True)
    name = ast.unparse(node)
    called = facts.function(node)
    if called is not None:
        binding = facts.only_binding(name) if isinstance(node, ast.Name) else None
        return Given(called.node, name, called.bound, binding is called.node)
    binding = facts.only_binding(node.id) if isinstance(node, ast.Name) else None
    statement = facts.statement_of(binding) if isinstance(binding, ast.Name) else None
    if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda):
        return Given(statement.value, name) if statement.targets == [binding] else None
    return None


def callback_of(node: FunctionNode, *, bound: bool = False) -> Callback:
    """The roles of a callback's parameters, by PySpark's rule: one is the RDD, two are the time and the RDD.

    PySpark counts the parameters of a method with its object, so one of an RDD alone fails there.

    Raises:
        NotTheSame: it has another number of parameters, or takes any number.
    """
    every = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    names = every[1:] if bound else every
    if node.args.vararg or node.args.kwarg or len(names) not in (1, 2):
        raise NotTheSame("the callback does not have one or two parameters")
    if bound and len(names) == 1:
        raise NotTheSame("PySpark calls a method with the batch time too, and this one takes the RDD alone")
    callback = Callback(node, names[-1], names[0] if len(names) == 2 else None, {names[-1]}, bound)
    if any(
        isinstance(inner, ast.Name) and inner.id in names and isinstance(inner.ctx, ast.Store)
        for inner in callback.walk()
    ):
        raise NotTheSame("the callback assigns to its own parameter")
    return callback


def check(
    callback: Callback,
    facts: Facts,
    scope: ColumnScope,
    value: Shape | None = None,
    *,
    depth: int = 5,
    exact: bool = False,
) -> None:
    """See that a callback does the same with the batches of Structured Streaming.

    Raises:
        NotTheSame: it depends on partitions, on the order of elements, on the batch time, or on batches
        without input.
    """
    _find_rdds(callback)
    parents = {
        child: node
        for part in callback.body
        for node in ast.walk(part)
        for child in ast.iter_child_nodes(node)
    }
    for node in () if exact else callback.walk():
        if isinstance(node, ast.Attribute) and is_rdd(node.value, callback.rdds):
            _check_method(node, parents, scope, value)
        elif isinstance(node, ast.Name) and node.id in callback.rdds and isinstance(node.ctx, ast.Load):
            _check_handing_on(node, parents, facts, scope, depth)
    _check_time(callback, parents, facts)
    _check_state(callback, parents, facts)


# --- the RDD ------------------------------------------------------------------------------------------------


def is_rdd(node: ast.AST, names: set[str]) -> bool:
    """Whether an expression is an RDD made of one of `names`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _RDDS:
        node = node.func.value
    return isinstance(node, ast.Name) and node.id in names


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
    node: ast.Attribute, parents: dict[ast.AST, ast.AST], scope: ColumnScope, value: Shape | None
) -> None:
    if node.attr not in _RDDS and node.attr not in _ACTIONS:
        raise NotTheSame(f"`{node.attr}` may depend on the partitions or the order of an RDD")
    call = parents.get(node)
    if not isinstance(call, ast.Call) or call.func is not node:
        if node.attr in ("context", "ctx"):
            return
        raise NotTheSame(f"`{node.attr}` is used without being called")
    if node.attr == "reduceByKey":
        known = pair_value(node.value) or (value if isinstance(node.value, ast.Name) else None)
        if known is None or not call.args:
            raise NotTheSame("the result of `reduceByKey` may depend on the order of the values")
        try:
            compile_reduce(call.args[0], Scalar('F.col("value")', known, "value"), scope)
        except Refusal as refusal:
            raise NotTheSame(
                f"the result of `reduceByKey` may depend on the order: {refusal.reason}"
            ) from None


def pair_value(node: ast.AST) -> Shape | None:
    """The shape of the values of ``rdd.map(lambda w: (w, 1))``."""
    from migrate.rules._proofs import value_shape

    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "map"
        and node.args
    ):
        return value_shape(node.args[0])
    return None


def _check_handing_on(
    node: ast.Name, parents: dict[ast.AST, ast.AST], facts: Facts, scope: ColumnScope, depth: int
) -> None:
    parent = parents.get(node)
    if isinstance(parent, ast.Attribute):
        return
    if isinstance(parent, ast.Assign):
        return
    call = parents.get(parent) if isinstance(parent, ast.keyword) else parent
    if isinstance(call, ast.Call) and call.func is not node:
        if isinstance(call.func, ast.Attribute) and (call.func.attr in _TAKING or call.func.attr in _RDDS):
            return
        target = facts.function(call.func)
        if target is not None and depth and node in call.args and not call.keywords:
            _check_inner(target, call.args.index(node), facts, scope, depth)
            return
    shown = ast.unparse(call.func) if isinstance(call, ast.Call) else f"line {node.lineno}"
    raise NotTheSame(f"the RDD is handed to `{shown}`, which is not followed")


def _check_inner(target: Called, position: int, facts: Facts, scope: ColumnScope, depth: int) -> None:
    """A function that was read and that the RDD is passed to."""
    names = parameter_names(target.node)[target.bound :]
    if position >= len(names):
        raise NotTheSame(f"`{target.node.name}` takes the RDD in a way that is not followed")
    inner = Callback(target.node, names[position], None, {names[position]}, target.bound)
    check(inner, facts, scope, depth=depth - 1)


# --- the batch time -----------------------------------------------------------------------------------------


def _check_time(callback: Callback, parents: dict[ast.AST, ast.AST], facts: Facts, depth: int = 5) -> None:
    if callback.time is None:
        return
    for node in callback.walk():
        read = isinstance(node, ast.Name) and node.id == callback.time and isinstance(node.ctx, ast.Load)
        if read and not _printed(node, parents) and not _handed_time(node, parents, facts, depth):
            raise NotTheSame(f"the batch time `{callback.time}` is used for more than printing")


def _handed_time(node: ast.AST, parents: dict[ast.AST, ast.AST], facts: Facts, depth: int) -> bool:
    """Whether the time is handed to a function that was read, which only prints it."""
    call = parents.get(node)
    target = facts.function(call.func) if isinstance(call, ast.Call) else None
    if not isinstance(call, ast.Call) or target is None or not depth or node not in call.args:
        return False
    names = parameter_names(target.node)[target.bound :]
    position = call.args.index(node)
    if position >= len(names):
        return False
    inner = Callback(target.node, "", names[position], bound=target.bound)
    above = {
        child: part for body in inner.body for part in ast.walk(body) for child in ast.iter_child_nodes(part)
    }
    stores = [n for n in inner.walk() if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    if any(store.id == names[position] for store in stores):
        return False
    _check_time(inner, above, facts, depth - 1)
    return True


def _printed(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    step = parents.get(node)
    while step is not None and isinstance(step, ast.expr | ast.keyword | ast.FormattedValue):
        if isinstance(step, ast.Lambda | ast.Compare | ast.Subscript | ast.IfExp):
            return False
        if isinstance(step, ast.Call) and _prints(step.func):
            return isinstance(parents.get(step), ast.Expr) or parents.get(step) is None
        step = parents.get(step)
    return False


def _prints(function: ast.expr) -> bool:
    """``print`` or ``logger.info``."""
    if isinstance(function, ast.Attribute):
        return function.attr in _LOGGING and "log" in ast.unparse(function.value).lower()
    return isinstance(function, ast.Name) and function.id == "print"


# --- what outlives a batch ----------------------------------------------------------------------------------


def _check_state(callback: Callback, parents: dict[ast.AST, ast.AST], facts: Facts) -> None:
    """What outlives a batch changes without input too, unless the callback does nothing then."""
    for where, why in changes(callback, facts, set()):
        if not _only_with_rows(where, callback, parents):
            raise NotTheSame(f"{why}, also for a batch without input, which may not come")


def changes(callback: Callback, facts: Facts, seen: set[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
    """Where a function changes something outside itself, directly or through functions of the same file."""
    local = _locals(callback.node)
    if callback.bound:
        local -= set(parameter_names(callback.node)[:1])
    for node in callback.walk():
        if isinstance(node, ast.Global | ast.Nonlocal):
            for name, place in _stores(callback, set(node.names)):
                yield place, f"it changes `{name}`"
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.Delete):
            targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
            for target in targets:
                root = _root(target)
                if (
                    isinstance(target, ast.Attribute | ast.Subscript)
                    and root not in local
                    and not _once(node, root)
                ):
                    yield node, f"it changes `{ast.unparse(target)}`"
        elif isinstance(node, ast.Call):
            yield from _changing_call(node, local, facts, seen)


def _changing_call(
    node: ast.Call, local: set[str], facts: Facts, seen: set[ast.AST]
) -> Iterator[tuple[ast.AST, str]]:
    if isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATORS:
        root = _root(node.func.value)
        if root is not None and root not in local:
            yield node, f"it changes `{ast.unparse(node.func.value)}`"
    function = facts.function(node.func)
    if function is not None and function.node not in seen:
        seen.add(function.node)
        inner = Callback(function.node, "", None, bound=function.bound)
        for _, why in changes(inner, facts, seen):
            yield node, why


def _stores(callback: Callback, names: set[str]) -> Iterator[tuple[str, ast.AST]]:
    for node in callback.walk():
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Store | ast.Del):
            yield node.id, node


def _once(node: ast.AST, root: str | None) -> bool:
    """``globals()["x"] = ...``: something made at its first use, which is the same whenever that is."""
    return root == "globals()"


def _locals(node: FunctionNode) -> set[str]:
    """Names that a function binds to something of its own: not to a part of something outer."""
    names = {argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    if isinstance(node, ast.Lambda):
        return names
    outer: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            names.add(inner.id)
        elif isinstance(inner, ast.Global | ast.Nonlocal):
            outer |= set(inner.names)
    for inner in ast.walk(node):
        if (
            isinstance(inner, ast.Assign)
            and isinstance(inner.value, ast.Name | ast.Attribute | ast.Subscript)
            and _root(inner.value) not in names
        ):
            outer |= {target.id for target in inner.targets if isinstance(target, ast.Name)}
    return names - outer


def _root(node: ast.AST) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "globals":
        return "globals()"
    return node.id if isinstance(node, ast.Name) else None


def _only_with_rows(node: ast.AST, callback: Callback, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a place in a callback is reached only for a batch with elements."""
    if not isinstance(callback.node, ast.Lambda) and _returns_early(callback):
        return True
    child: ast.AST = node
    step = parents.get(node)
    while step is not None:
        if isinstance(step, ast.If) and child in step.body and has_rows(step.test, callback.rdds):
            return True
        if isinstance(step, ast.For) and child in step.body and _loops_over(step.iter, callback.rdds):
            return True
        child, step = step, parents.get(step)
    return False


def _returns_early(callback: Callback) -> bool:
    assert isinstance(callback.node, ast.FunctionDef)
    for statement in callback.node.body:
        leaves = isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Return)
        if leaves and isinstance(statement, ast.If) and _is_empty(statement.test, callback.rdds):
            return True
        if not isinstance(statement, ast.Expr):
            return False
    return False


def _is_empty(node: ast.AST, rdds: set[str]) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "isEmpty"
        and is_rdd(node.func.value, rdds)
    )


def has_rows(test: ast.expr, rdds: set[str]) -> bool:
    """Whether a condition holds only for an RDD with elements: ``not rdd.isEmpty()``, ``rdd.count() > 0``."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _is_empty(test.operand, rdds)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(has_rows(value, rdds) for value in test.values)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        right = test.comparators[0]
        zero = isinstance(right, ast.Constant) and right.value == 0
        return _is_count(test.left, rdds) and zero and isinstance(test.ops[0], ast.Gt | ast.NotEq)
    return _is_count(test, rdds)


def _is_count(node: ast.AST, rdds: set[str]) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "count"
        and is_rdd(node.func.value, rdds)
    )


def _loops_over(node: ast.AST, rdds: set[str]) -> bool:
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in _EMPTY_LOOPS and is_rdd(node.func.value, rdds):
            return True
        node = node.func.value
    return False
