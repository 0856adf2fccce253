"""What outlives a batch: where a callback changes something outside of itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.native.facts import Facts
from migrate.native.guards import adds_nothing
from migrate.native.roles import Callback, FunctionNode, is_rdd
from migrate.native.syntax import parameter_names
from migrate.nodes import walk

_MUTATORS = frozenset(
    {
        *("append", "add", "update", "extend", "insert", "pop", "popleft", "appendleft", "remove"),
        *("discard", "clear", "setdefault", "popitem", "sort", "reverse", "put", "put_nowait"),
        *("increment", "inc"),
    }
)


def changes(callback: Callback, facts: Facts, seen: set[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
    """Where a function changes something outside itself, directly or through functions of the same file."""
    local = _locals(callback.node)
    if callback.bound:
        local -= set(parameter_names(callback.node)[:1])
    for node in callback.walk():
        if isinstance(node, ast.Global | ast.Nonlocal):
            for name, place in _stores(callback, set(node.names)):
                yield place, f"it changes `{name}`"
        elif isinstance(node, ast.AugAssign) and adds_nothing(node, callback):
            continue
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.Delete):
            targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
            for target in targets:
                root = _root(target)
                if (
                    isinstance(target, ast.Attribute | ast.Subscript)
                    and root not in local
                    and not _is_made_once(node, root, callback)
                ):
                    yield node, f"it changes `{ast.unparse(target)}`"
        elif isinstance(node, ast.Call):
            yield from _changing_call(node, callback, local, facts, seen)


def _changing_call(
    node: ast.Call, callback: Callback, local: set[str], facts: Facts, seen: set[ast.AST]
) -> Iterator[tuple[ast.AST, str]]:
    changing = isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATORS
    if isinstance(node.func, ast.Attribute) and changing and not adds_nothing(node, callback):
        root = _root(node.func.value)
        if root is not None and root not in local:
            yield node, f"it changes `{ast.unparse(node.func.value)}`"
    function = facts.function(node.func)
    given_rdd = any(is_rdd(argument, callback.rdds) for argument in node.args)
    # a function that is given the RDD is checked by itself, with what it asks of the RDD before
    if function is not None and function.node not in seen and not given_rdd:
        seen.add(function.node)
        inner = Callback(function.node, "", None, bound=function.bound)
        for _, why in changes(inner, facts, seen):
            yield node, why


def _stores(callback: Callback, names: set[str]) -> Iterator[tuple[str, ast.AST]]:
    neutral = {
        node.target
        for node in callback.walk()
        if isinstance(node, ast.AugAssign) and adds_nothing(node, callback)
    }
    for node in callback.walk():
        stored = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del)
        if isinstance(node, ast.Name) and stored and node.id in names and node not in neutral:
            yield node.id, node


def _is_made_once(node: ast.AST, root: str | None, callback: Callback) -> bool:
    """``if "x" not in globals(): globals()["x"] = ...``: the same whenever its first use is, if it is made of
    nothing that a batch has but its context.
    """
    if root != "globals()" or not isinstance(node, ast.Assign):
        return False
    contexts = {
        n.value for n in walk(node.value) if isinstance(n, ast.Attribute) and n.attr in ("context", "ctx")
    }
    of_batch = {callback.time, *callback.rdds}
    if any(isinstance(n, ast.Name) and n.id in of_batch and n not in contexts for n in walk(node.value)):
        return False
    guards = [step for step in callback.walk() if isinstance(step, ast.If) and node in step.body]
    (target,) = node.targets if len(node.targets) == 1 else (None,)
    if not guards or not isinstance(target, ast.Subscript):
        return False
    key = ast.unparse(target.slice)
    tests = (f"{key} not in globals()", f"globals().get({key}) is None", f"not globals().get({key})")
    return ast.unparse(guards[0].test) in tests


def _locals(node: FunctionNode) -> set[str]:
    """Names that a function binds to something of its own: not to a part of something outer."""
    names = {argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    if isinstance(node, ast.Lambda):
        return names
    outer: set[str] = set()
    for inner in walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            names.add(inner.id)
        elif isinstance(inner, ast.Global | ast.Nonlocal):
            outer |= set(inner.names)
    for inner in walk(node):
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
