"""Functions of single elements that keep something from one element to the next.

Each task begins anew with what a function keeps, so how elements are dealt out to tasks shows; and a batch of
new code may have other partitions than that of a DStream, whose receiver cuts it by time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.native.blocked import Blocked
from migrate.native.effects import defaults_of
from migrate.native.facts import Facts, binder_of, code_of
from migrate.native.partitions import of_module
from migrate.native.plan import Plan
from migrate.native.program import Operation
from migrate.native.syntax import MUTATORS
from migrate.nodes import of_kinds, walk

KEEPS = "its function keeps `{}` from element to element, which shows how they are dealt out to partitions"
_OF_ELEMENTS = frozenset(
    {"map", "filter", "flatMap", "mapValues", "flatMapValues", "keyBy", "sortBy", "groupBy", "foreach"}
)
_OF_PARTITIONS = frozenset({"mapPartitions", "mapPartitionsWithIndex"})
"""Their rules see to it."""
_CALLBACKS = frozenset({"foreachRDD", "transform", "transformWith"})


def check_elements(plan: Plan, live: set[Operation]) -> None:
    """See that no function of single elements shows which of them were in one partition.

    Raises:
        Blocked: one may.
    """
    if not any(_may_keep(module.tree) for module in plan.trace.modules):
        return
    for operation in plan.program.operations:
        if operation not in live or operation.is_source or operation.operator in _OF_PARTITIONS:
            continue
        for given in _functions(operation, plan.facts):
            kept = _kept(given, plan.facts)
            if kept is not None:
                raise Blocked(f"`{operation.operator}`: {KEEPS.format(kept)}", operation.use)


def _may_keep(tree: ast.Module) -> bool:
    """Whether a module has anything that might keep something: a look at what is found already."""
    if of_kinds(tree, ast.Global, ast.Nonlocal, ast.AugAssign, ast.ClassDef):
        return True
    return any(node.attr in MUTATORS for node in of_kinds(tree, ast.Attribute)) or any(
        node.id in ("next", "TaskContext") for node in of_kinds(tree, ast.Name)
    )


def _functions(operation: Operation, facts: Facts) -> Iterator[list[ast.AST]]:
    """What an operator, or a callback's RDDs, are given to be called for each element."""
    given: list[ast.AST] = _given(operation.call)
    if operation.operator not in _CALLBACKS:
        yield given
        return
    for node in code_of(given, facts):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and isinstance(called, ast.Attribute) and called.attr in _OF_ELEMENTS:
            yield _given(node)


def _given(call: ast.Call) -> list[ast.AST]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _kept(given: list[ast.AST], facts: Facts) -> str | None:
    """A variable that functions change and read; None if there is none."""
    if not any(isinstance(node, ast.Lambda) or _may_be_function(node, facts) for node in given):
        return None
    nodes = list(code_of(given, facts))
    within = set(nodes)
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.Lambda)]
    functions += [step for node in given if (step := _defined(node, facts)) is not None]
    declared = {
        name
        for node in nodes
        if isinstance(node, ast.Global | ast.Nonlocal) and not _is_of_one_of(node, within, facts)
        for name in node.names
    }
    own = of_module(nodes, facts) | {name for function in functions for name, _ in defaults_of(function)}
    grown: set[str] = set()
    attributes: set[str] = set()
    updates: set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and node.id == "TaskContext":
            return node.id
        if isinstance(node, ast.Call):
            updated = _updated(node)
            if updated is not None and updated.id in own:
                grown.add(updated.id)
                updates.add(updated)
            if _is_next(node) and _is_outer(node.args[0], within, facts):
                return ast.unparse(node.args[0])
        target: ast.expr | None = node.target if isinstance(node, ast.AugAssign) else None
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and _reads_itself(node):
            target = node.targets[0]
        if isinstance(target, ast.Name) and target.id in declared:
            grown.add(target.id)
            updates |= {part for part in walk(node) if isinstance(part, ast.Name) and part.id == target.id}
        elif isinstance(target, ast.Attribute) and _is_outer(target, within, facts):
            attributes.add(target.attr)
        elif isinstance(target, ast.Subscript) and getattr(target.value, "id", None) in own:
            grown.add(ast.unparse(target.value))
            updates.add(target.value)
    for node in nodes:
        if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
            continue
        read = (
            node.id in grown and node not in updates
            if isinstance(node, ast.Name)
            else node.attr in attributes
        )
        if read:
            return ast.unparse(node)
    return None


def _is_of_one_of(node: ast.Global | ast.Nonlocal, functions: set[ast.AST], facts: Facts) -> bool:
    """Whether names are declared to be those of a function that is called anew for each element."""
    around = [step for step in _above(node, facts) if isinstance(step, ast.FunctionDef | ast.Lambda)]
    return isinstance(node, ast.Nonlocal) and len(around) > 1 and around[1] in functions


def _above(node: ast.AST, facts: Facts) -> Iterator[ast.AST]:
    step = facts.above.get(node)
    while step is not None:
        yield step
        step = facts.above.get(step)


def _may_be_function(node: ast.AST, facts: Facts) -> bool:
    return isinstance(node, ast.expr) and facts.function(node) is not None


def _defined(node: ast.AST, facts: Facts) -> ast.FunctionDef | None:
    called = facts.function(node) if isinstance(node, ast.expr) else None
    return called.node if called is not None else None


def _updated(call: ast.Call) -> ast.Name | None:
    """The variable whose method changes it."""
    function = call.func
    if (
        isinstance(function, ast.Attribute)
        and function.attr in MUTATORS
        and isinstance(function.value, ast.Name)
    ):
        return function.value
    return None


def _is_next(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "next" and bool(call.args)


def _reads_itself(node: ast.Assign) -> bool:
    """Whether a variable is made of itself: ``n = n + 1``."""
    target = ast.unparse(node.targets[0])
    return any(
        isinstance(part, ast.Name | ast.Attribute) and ast.unparse(part) == target
        for part in walk(node.value)
    )


def _is_outer(node: ast.expr, within: set[ast.AST], facts: Facts) -> bool:
    """Whether an expression is of something that is there before a function is called, or of its object."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    if not isinstance(node, ast.Name):
        return False
    binder = binder_of(node, facts)
    if binder is None or binder not in within:
        return True
    method = isinstance(binder, ast.FunctionDef) and isinstance(facts.above.get(binder), ast.ClassDef)
    return method and isinstance(binder, ast.FunctionDef) and node.id == next(iter(_parameters(binder)), None)


def _parameters(function: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
