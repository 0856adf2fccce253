"""Functions of single elements that keep something from one element to the next.

Each task begins anew with what a function keeps, so how elements are dealt out to tasks shows; and a batch of
new code may have other partitions than that of a DStream, whose receiver cuts it by time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.blocked import Blocked
from migrate.graph.program import Operation
from migrate.knowledge import methods, rdd, streaming
from migrate.proofs.analysis.aliases import defaults_of, root_of
from migrate.proofs.analysis.call_graph import Reached, given_code
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import How, Summary, is_call_of
from migrate.proofs.functions.new_objects import attribute_holds_new, holds_new
from migrate.syntax.nodes import code_of, of_kinds, walk
from migrate.syntax.tree import parameter_names

KEEPS = "its function keeps `{}` from element to element, which shows how they are dealt out to partitions"
Variable = tuple[Facts, ast.AST | None, str]
"""A variable by its module, the function or comprehension that binds it, and its name."""


def check_kept_between_elements(facts: Facts, live: set[Operation]) -> None:
    """Refuse functions of single elements whose results show which elements share a partition.

    Raises:
        Blocked: one may.
    """
    if not any(_may_keep(module.tree) for module in facts.trace.modules):
        return
    for operation in facts.program.operations:
        if operation not in live or operation.is_source or operation.operator in streaming.OF_PARTITIONS:
            continue
        for code in _functions(operation, facts):
            kept = _shown(code) or _Kept(code).read()
            if kept is not None:
                raise Blocked(KEEPS.format(kept), operation.use, operator=operation.operator)


def _may_keep(tree: ast.Module) -> bool:
    """Whether a module has any code that may keep a value between elements; a quick look."""
    if of_kinds(tree, ast.Global, ast.Nonlocal, ast.AugAssign, ast.ClassDef):
        return True
    if any(isinstance(node.ctx, ast.Store) for node in of_kinds(tree, ast.Subscript)):
        return True
    return any(node.attr in methods.CHANGES for node in of_kinds(tree, ast.Attribute)) or any(
        node.id in ("next", "TaskContext") for node in of_kinds(tree, ast.Name)
    )


def _functions(operation: Operation, facts: Facts) -> Iterator[Reached]:
    """The functions that an operator, or the RDDs of a callback, call for each element."""
    given = given_code(operation.call, facts)
    found = [given]
    if operation.operator in streaming.CALLBACKS:
        found = [
            given_code(call, summary.facts)
            for call, summary in given.of(ast.Call)
            if isinstance(call.func, ast.Attribute) and call.func.attr in rdd.OF_ELEMENTS
        ]
    for code in found:
        if next(code.of(ast.FunctionDef, ast.Lambda), None) is not None:
            yield code


def _shown(code: Reached) -> str | None:
    """An expression that shows the partition by itself: a task's context, an iterator's next item."""
    for name, _ in code.of(ast.Name):
        if name.id == "TaskContext":
            return name.id
    for call, summary in code.of(ast.Call):
        if is_call_of(call, "next") and call.args and _is_outer(call.args[0], summary, code):
            return ast.unparse(call.args[0])
    return None


def _is_outer(node: ast.expr, summary: Summary, code: Reached) -> bool:
    """Whether an expression is of something that is there before a function is called."""
    root = root_of(node)
    if not isinstance(root, ast.Name):
        return False
    if not code.owns(root, summary):
        return True
    home = summary.facts.home(root)
    is_method = isinstance(home, ast.FunctionDef) and isinstance(summary.facts.above[home], ast.ClassDef)
    return is_method and isinstance(home, ast.FunctionDef) and root.id in parameter_names(home)[:1]


class _Kept:
    """Values that a function makes of themselves, so that the next call finds them."""

    def __init__(self, code: Reached) -> None:
        self._code = code
        self._variables: set[Variable] = set()
        self._attributes: set[str] = set()
        self._updates: set[ast.AST] = set()
        """The reads of variables that only serve a change of them."""
        for summary in code.code:
            for update in summary.updates:
                if update.how is How.METHOD:
                    self._fill(update.target, summary)
            for statement in summary.of(ast.AugAssign, ast.Assign):
                self._take(statement, summary)

    def read(self) -> str | None:
        """A variable or an attribute of these that is read for more than to change it."""
        for summary in self._code.code if self._variables or self._attributes else ():
            for node in summary.nodes:
                if node in self._updates or not isinstance(getattr(node, "ctx", None), ast.Load):
                    continue
                if isinstance(node, ast.Name) and _variable(node, summary) in self._variables:
                    return node.id
                if isinstance(node, ast.Attribute) and node.attr in self._attributes:
                    return ast.unparse(node)
        return None

    def _fill(self, target: ast.expr, summary: Summary) -> None:
        """Note a variable or an attribute whose object is changed in place and shared by all calls."""
        facts = summary.facts
        if isinstance(target, ast.Name):
            home = facts.home(target)
            defaults = defaults_of(home) if isinstance(home, ast.FunctionDef | ast.Lambda) else ()
            outer = not self._code.owns(target, summary)
            if target.id in dict(defaults) or (outer and holds_new(target, facts)):
                self._variables.add(_variable(target, summary))
                self._updates.add(target)
        elif isinstance(target, ast.Attribute) and _is_outer(target, summary, self._code):
            self._attributes |= {target.attr} if attribute_holds_new(target.attr, facts) else set()
            self._updates.add(target)

    def _take(self, statement: ast.AST, summary: Summary) -> None:
        """Note the variable that a statement makes of itself: ``n += 1``, ``n[k] = n.get(k) + 1``."""
        target = _made_of_itself(statement)
        if isinstance(target, ast.Name) and not self._code.owns(target, summary):
            self._variables.add(_variable(target, summary))
            names = (part for part in walk(statement) if isinstance(part, ast.Name))
            self._updates.update(name for name in names if name.id == target.id)
        elif isinstance(target, ast.Attribute) and _is_outer(target, summary, self._code):
            self._attributes.add(target.attr)
        elif isinstance(target, ast.Subscript):
            self._fill(target.value, summary)
            self._updates.add(target.value)


def _variable(name: ast.Name, summary: Summary) -> Variable:
    return summary.facts, summary.facts.home(name), name.id


def _made_of_itself(node: ast.AST) -> ast.expr | None:
    """The target of ``n += 1``, ``n = n + 1`` and ``n[k] = n.get(k) + 1``."""
    if isinstance(node, ast.AugAssign):
        return node.target
    if not isinstance(node, ast.Assign) or len(node.targets) > 1:
        return None
    (target,) = node.targets
    code = code_of(target.value if isinstance(target, ast.Subscript) else target)
    parts = (part for part in walk(node.value) if isinstance(part, ast.Name | ast.Attribute))
    return target if any(code_of(part) == code for part in parts) else None
