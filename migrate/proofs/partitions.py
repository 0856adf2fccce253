"""Functions of ``foreachPartition``: whether they show how elements are dealt out to partitions."""

from __future__ import annotations

import ast

from migrate.proofs.facts import Facts, binder_of
from migrate.syntax.nodes import walk
from migrate.syntax.tree import MUTATORS, is_only_shown, parameter_names

WHY = (
    "the function of `foreachPartition` does more with its iterator than to go through it: a partition "
    "without elements may be there on one side only"
)
KEEPS = (
    "the function of `foreachPartition` keeps something from element to element, which shows how they are "
    "dealt out to partitions"
)
EMPTY = "`foreachPartition` is called for a partition without elements, which a query has in every interval"
_MAKERS = frozenset(
    {"list", "dict", "set", "tuple", "deque", "Counter", "defaultdict", "OrderedDict", "int", "str", "len"}
)


def why_not(function: ast.AST | None, facts: Facts, position: int = 0, depth: int = 5) -> str:
    """Why a function may show its partitions; empty if all that it does is to go through their elements.

    Args:
        function: what takes the iterator.
        facts: what is known of names.
        position: of the iterator among its arguments.
        depth: how many functions further it is followed.
    """
    bound = 0
    if isinstance(function, ast.Name | ast.Attribute):
        target = facts.function(function)
        function, bound = (target.node, target.bound) if target is not None else (None, 0)
    if not isinstance(function, ast.Lambda | ast.FunctionDef):
        return WHY
    names = parameter_names(function)[bound:]
    if position >= len(names):
        return WHY
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    parents = {child: node for part in body for node in walk(part) for child in ast.iter_child_nodes(node)}
    for part in body:
        for node in walk(part):
            if not isinstance(node, ast.Name) or node.id != names[position]:
                continue
            parent = parents.get(node)
            if isinstance(parent, ast.For) and parent.iter is node:
                if isinstance(function, ast.FunctionDef) and _keeps(function, parent, names[position], facts):
                    return KEEPS
                continue
            if isinstance(parent, ast.comprehension) and parent.iter is node:
                if not isinstance(parents.get(parents[parent]), ast.Expr | None):
                    return KEEPS
                continue
            if is_only_shown(node, parents, facts.bindings):
                continue
            handed = isinstance(parent, ast.Call) and node in parent.args and not parent.keywords
            if not (handed and depth and isinstance(parent, ast.Call)):
                return WHY
            why = why_not(parent.func, facts, parent.args.index(node), depth - 1)
            if why:
                return why
    return ""


def _keeps(function: ast.FunctionDef, loop: ast.For, iterator: str, facts: Facts) -> bool:
    """Whether something of the function's own lasts from element to element, or not all elements are read."""
    inside = set(walk(loop))
    nodes = list(walk(function))
    if loop.orelse or any(
        isinstance(node, ast.Break | ast.Return | ast.Global | ast.Nonlocal) and node in inside
        for node in nodes
    ):
        return True
    if any(isinstance(node, ast.Global | ast.Nonlocal) or _is_task_context(node) for node in nodes):
        return True
    made = {node.arg for node in nodes if isinstance(node, ast.arg)} - {iterator} | of_module(nodes, facts)
    methods: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node not in inside and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {name.id for target in targets for name in walk(target) if isinstance(name, ast.Name)}
            parts = {name.id for name in walk(node.value) if isinstance(name, ast.Name)} & made
            if _is_new(node.value, facts) or parts:
                made |= names
            methods.update(dict.fromkeys(names, parts))
    grown: set[str] = set()
    updates: set[ast.AST] = set()
    for node in inside:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in MUTATORS or not isinstance(node.ctx, ast.Load) or _is_own_method(node, facts):
                grown.add(node.value.id)
            if node.attr in MUTATORS:
                updates.add(node.value)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            grown.add(node.id)
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            grown |= {name.id for name in walk(node.value) if isinstance(name, ast.Name)}
        elif isinstance(node, ast.Call) and (
            facts.function(node.func) is not None or _is_builtin(node.func, "next")
        ):
            grown |= {part.id for part in node.args if isinstance(part, ast.Name)}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            grown |= methods.get(node.func.id, set())  # `add = rows.append`
    read = {
        node
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in updates
    }
    after = loop.end_lineno or loop.lineno
    last = {node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return any(node.id in made & grown or (node.id in last and node.lineno > after) for node in read)


def of_module(nodes: list[ast.AST], facts: Facts) -> set[str]:
    """The variables of the module that a function reads which are Python's own: each task has them anew."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and binder_of(node, facts) is None:
            binding = facts.only_binding(node.id)
            made = facts.statement_of(binding) if isinstance(binding, ast.Name) else None
            if isinstance(made, ast.Assign) and _is_new(made.value, facts):
                found.add(node.id)
    return found


def _is_task_context(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "TaskContext"


def _is_builtin(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_own_method(node: ast.Attribute, facts: Facts) -> bool:
    """Whether a method of a class of the program is called."""
    values = facts.trace.kinds.get(node, frozenset())
    return bool(values)


def _is_new(value: ast.expr, facts: Facts) -> bool:
    """Whether an expression makes a value of Python's own types, or of a class of the program."""
    if isinstance(value, ast.Tuple):
        return any(_is_new(part, facts) for part in value.elts)
    if isinstance(value, ast.Call):
        if isinstance(value.func, ast.Attribute):
            return value.func.attr in _MAKERS | {"StringIO", "BytesIO", "count", "SimpleNamespace"}
        if not isinstance(value.func, ast.Name):
            return False
        own = any(isinstance(node, ast.ClassDef) for node in facts.bindings.get(value.func.id, ()))
        return own or value.func.id in _MAKERS
    return isinstance(
        value,
        ast.Constant
        | ast.List
        | ast.Dict
        | ast.Set
        | ast.ListComp
        | ast.DictComp
        | ast.SetComp
        | ast.UnaryOp
        | ast.BinOp
        | ast.JoinedStr,
    )
