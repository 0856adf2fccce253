"""Functions of single elements that keep something from one element to the next.

Each task begins anew with what a function keeps, so how elements are dealt out to tasks shows; and a batch of
new code may have other partitions than that of a DStream, whose receiver cuts it by time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.blocked import Blocked
from migrate.graph.program import Operation
from migrate.plan.basis import Basis
from migrate.proofs.effects import defaults_of
from migrate.proofs.facts import Facts, binder_of, code_of
from migrate.proofs.partitions import of_module
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.tree import MUTATORS, parameter_names

KEEPS = "its function keeps `{}` from element to element, which shows how they are dealt out to partitions"
_OF_ELEMENTS = frozenset(
    {"map", "filter", "flatMap", "mapValues", "flatMapValues", "keyBy", "sortBy", "groupBy", "foreach"}
)
_OF_PARTITIONS = frozenset({"mapPartitions", "mapPartitionsWithIndex"})
"""Their rules see to it."""
_CALLBACKS = frozenset({"foreachRDD", "transform", "transformWith"})


def check_elements(plan: Basis, live: set[Operation]) -> None:
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
    if any(isinstance(node.ctx, ast.Store) for node in of_kinds(tree, ast.Subscript)):
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
    code = _Code(given, facts)
    return code.shown() or code.grown_and_read() if code.functions else None


class _Code:
    """The functions that are called for each element, with all that they call."""

    def __init__(self, given: list[ast.AST], facts: Facts) -> None:
        self.facts = facts
        self.nodes = list(code_of(given, facts))
        self.within = set(self.nodes)
        self.functions = [node for node in self.nodes if isinstance(node, ast.FunctionDef | ast.Lambda)]
        self.declared: set[str] = set()
        """Variables that outlive a call, by what functions declare."""
        self.own: set[str] = set()
        """Variables that outlive a call and hold an object of Python's own types."""
        self.grown: set[str] = set()
        self.attributes: set[str] = set()
        self.updates: set[ast.AST] = set()
        """Where a variable is read only to change it."""

    def shown(self) -> str | None:
        """What shows by itself where an element is: a task's context, an iterator's next item."""
        for node in self.nodes:
            if isinstance(node, ast.Name) and node.id == "TaskContext":
                return node.id
            if isinstance(node, ast.Call) and _is_next(node) and self._is_outer(node.args[0]):
                return ast.unparse(node.args[0])
        return None

    def grown_and_read(self) -> str | None:
        """A variable or an attribute that is made of what it was, and is read as well."""
        for node in self.nodes:
            if isinstance(node, ast.Global | ast.Nonlocal) and not self._is_of_call(node):
                self.declared.update(node.names)
        self.own = of_module(self.nodes, self.facts)
        self.own |= {name for function in self.functions for name, _ in defaults_of(function)}
        for node in self.nodes:
            self._grow(node)
        for node in self.nodes:
            read = isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
            if read and isinstance(node, ast.Name) and node.id in self.grown and node not in self.updates:
                return node.id
            if read and isinstance(node, ast.Attribute) and node.attr in self.attributes:
                return ast.unparse(node)
        return None

    def _grow(self, node: ast.AST) -> None:
        updated = _updated(node)
        if updated is not None and updated.id in self.own:
            self.grown.add(updated.id)
            self.updates.add(updated)
        target = _made_of_itself(node)
        if isinstance(target, ast.Name) and target.id in self.declared:
            self.grown.add(target.id)
            self.updates |= {
                part for part in walk(node) if isinstance(part, ast.Name) and part.id == target.id
            }
        elif isinstance(target, ast.Attribute) and self._is_outer(target):
            self.attributes.add(target.attr)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            if target.value.id in self.own:
                self.grown.add(target.value.id)
            self.updates.add(target.value)

    def _is_of_call(self, node: ast.Global | ast.Nonlocal) -> bool:
        """Whether names are declared to be those of a function that is called anew for each element."""
        around = [step for step in self._above(node) if isinstance(step, ast.FunctionDef | ast.Lambda)]
        return isinstance(node, ast.Nonlocal) and len(around) > 1 and around[1] in self.within

    def _above(self, node: ast.AST) -> Iterator[ast.AST]:
        step = self.facts.above.get(node)
        while step is not None:
            yield step
            step = self.facts.above.get(step)

    def _is_outer(self, node: ast.expr) -> bool:
        """Whether an expression is of something that is there before a function is called."""
        while isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        if not isinstance(node, ast.Name):
            return False
        binder = binder_of(node, self.facts)
        if binder is None or binder not in self.within:
            return True
        is_method = isinstance(self.facts.above.get(binder), ast.ClassDef)
        return is_method and isinstance(binder, ast.FunctionDef) and node.id in parameter_names(binder)[:1]


def _updated(node: ast.AST) -> ast.Name | None:
    """The variable whose method changes it."""
    function = node.func if isinstance(node, ast.Call) else None
    changes = isinstance(function, ast.Attribute) and function.attr in MUTATORS
    held = function.value if isinstance(function, ast.Attribute) and changes else None
    return held if isinstance(held, ast.Name) else None


def _is_next(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "next" and bool(call.args)


def _made_of_itself(node: ast.AST) -> ast.expr | None:
    """The target of ``n += 1``, ``n = n + 1`` and ``n[k] = n.get(k) + 1``."""
    if isinstance(node, ast.AugAssign):
        return node.target
    if not isinstance(node, ast.Assign) or len(node.targets) > 1:
        return None
    (target,) = node.targets
    code = ast.unparse(target.value if isinstance(target, ast.Subscript) else target)
    parts = (part for part in walk(node.value) if isinstance(part, ast.Name | ast.Attribute))
    return target if any(ast.unparse(part) == code for part in parts) else None
