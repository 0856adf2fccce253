"""What runs when in a batch: DStream makes all RDDs of a batch before the first of its callbacks runs.

So the functions of operators, and those of ``transform``, read what callbacks change as the batch before left
it; new code goes through its statements one after the other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.native.blocked import Blocked
from migrate.native.effects import changes
from migrate.native.facts import Facts, binder_of, code_of
from migrate.native.plan import Plan
from migrate.native.program import Operation
from migrate.native.roles import Callback, NotTheSame, given
from migrate.native.syntax import own_nodes
from migrate.nodes import of_kinds

READS = (
    "it reads `{}`, which a callback changes, and DStream makes the RDDs of a batch before its callbacks run"
)
CHANGES = "{}, and DStream runs it before the callbacks of its batch"
CALLS = (
    "it reads `{}`, whose methods a callback calls, and DStream makes the RDDs of a batch before its "
    "callbacks run"
)
VIEWS = (
    "it may read what callbacks leave in the session, and DStream runs it before the callbacks of its batch"
)
DOES = "it does more than to make an RDD, and DStream runs it before the outputs of its batch"
_READING = frozenset({"sql", "table"})
_MAKING = frozenset(
    {"createOrReplaceTempView", "createTempView", "createGlobalTempView", "createOrReplaceGlobalTempView"}
    | {"registerTempTable", "registerDataFrameAsTable", "saveAsTable", "insertInto"}
)
_VIEWS = frozenset({"keys", "values", "items"})
_UNCHANGING = ("re.", "logging.")
_HARMLESS = frozenset({"cache", "persist", "unpersist"})


def check_order_in_batch(plan: Plan, live: set[Operation]) -> None:
    """See that nothing shows that new code makes RDDs where they are read, and not before all callbacks.

    Raises:
        Blocked: something may.
    """
    operations = [operation for operation in plan.program.operations if operation in live]
    changed: set[str] = set()
    touched: set[str] = set()
    views = False
    for operation in operations:
        if operation.operator not in ("foreachRDD", "transform"):
            continue
        for callback in _callbacks(operation, plan.facts):
            found = list(changes(callback, plan.facts, everything=True))
            if found and operation.operator == "transform":
                raise _blocked(operation, CHANGES.format(found[0].why))
            changed.update(name for change in found for name in change.names)
            if operation.operator == "foreachRDD":
                nodes = list(code_of([callback.node], plan.facts))
                touched |= _touched(nodes, plan.facts)
                views |= any(isinstance(node, ast.Attribute) and node.attr in _MAKING for node in nodes)
    changed, touched = _with_aliases(changed, plan.facts), _with_aliases(touched, plan.facts)
    several = len([operation for operation in operations if operation.is_output]) > 1
    for operation in operations:
        if operation.is_source or operation.operator == "foreachRDD":
            continue
        nodes = list(code_of(_given(operation.call), plan.facts))
        read = _read(nodes, plan.facts)
        if read & changed:
            raise _blocked(operation, READS.format(min(read & changed)))
        called = {name for name in read & touched if not plan.facts.constant(name, operation.call.lineno)[0]}
        if called:
            raise _blocked(operation, CALLS.format(min(called)))
        if operation.operator != "transform":
            continue
        if views and any(isinstance(node, ast.Attribute) and node.attr in _READING for node in nodes):
            raise _blocked(operation, VIEWS)
        if several and any(_does_something(callback) for callback in _callbacks(operation, plan.facts)):
            raise _blocked(operation, DOES)


def _blocked(operation: Operation, why: str) -> Blocked:
    return Blocked(f"`{operation.operator}`: {why}", operation.use)


def _given(call: ast.Call) -> list[ast.AST]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _callbacks(operation: Operation, facts: Facts) -> Iterator[Callback]:
    for node in _given(operation.call):
        called = given(node, facts) if isinstance(node, ast.expr) else None
        try:
            if called is not None:
                yield called.callback()
        except NotTheSame:
            continue  # its rule says so


def _read(nodes: list[ast.AST], facts: Facts) -> set[str]:
    """The variables and attributes that code reads, without its own."""
    within = set(nodes)
    read: set[str] = set()
    for node in nodes:
        name = node.value if isinstance(node, ast.Attribute) else node
        if (
            isinstance(name, ast.Name)
            and isinstance(name.ctx, ast.Load)
            and binder_of(name, facts) not in within
        ):
            read.add(name.id if name is node else f"{name.id}.{node.attr}")  # type: ignore[attr-defined]
    return read


def _with_aliases(names: set[str], facts: Facts) -> set[str]:
    """Names, and those that are bound to the same objects, to their methods or to views of them."""
    found = set(names)
    grown = bool(found)
    while grown:
        grown = False
        for node in of_kinds(facts.tree, ast.Assign):
            value = node.value
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
                value = value.func.value if value.func.attr in _VIEWS else value
            while isinstance(value, ast.Attribute | ast.Subscript):
                value = value.value
            if not isinstance(value, ast.Name):
                continue
            same = {value.id, *(target.id for target in node.targets if isinstance(target, ast.Name))}
            if len(same) > 1 and same & found and not same <= found:
                found |= same
                grown = True
    return found


def _touched(nodes: list[ast.AST], facts: Facts) -> set[str]:
    """The variables of the module that code calls methods of, of which nobody knows what they do."""
    found: set[str] = set()
    for node in nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        name = node.func.value
        if isinstance(name, ast.Name) and any(
            isinstance(b, ast.Name) for b in facts.bindings.get(name.id, ())
        ):
            binding = facts.only_binding(name.id)
            made = facts.statement_of(binding) if isinstance(binding, ast.Name) else None
            call = made.value if isinstance(made, ast.Assign) else None
            known = isinstance(call, ast.Call) and (facts.qualified(call.func) or "").startswith(_UNCHANGING)
            if not known and binder_of(name, facts) is None:
                found.add(name.id)
    return found


def _does_something(callback: Callback) -> bool:
    """Whether a function calls something for nothing but its effect."""
    calls = [
        node.value
        for part in callback.body
        for node in own_nodes(part)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ]
    return any(not isinstance(call.func, ast.Attribute) or call.func.attr not in _HARMLESS for call in calls)
