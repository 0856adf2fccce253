"""Decides that no other code can reach a graph's context or streams: every use of them was read."""

from __future__ import annotations

import ast

from migrate.graph.blocked import Blocked
from migrate.graph.call_graph import CallGraph
from migrate.graph.contexts import Contexts
from migrate.graph.failing import called_too_early, why_fails
from migrate.graph.nodes import Nodes
from migrate.graph.reading import Reading

NOT_FOLLOWED = (
    "`{}` is handed on in a way that is not followed: only names, attributes, arguments and results are"
)


def check_rest(nodes: Nodes, calls: CallGraph, contexts: Contexts, reading: Reading) -> None:
    """Check that every member was read, and that the context and the streams only get to code that was.

    Functions that only stop the context or wait for it are read on the way.

    Raises:
        Blocked: a member is used elsewhere, or the context or a stream gets to code that is not followed.
    """
    for use in nodes.graph.uses:
        scope = nodes.tree.scope_of(use.node)
        ends = contexts.is_life(use) and use.name not in ("start", "sparkContext")
        if use not in reading.done and ends and isinstance(scope, ast.FunctionDef):
            reading.scope = scope
            contexts.life(use)
    missed = [use for use in nodes.graph.uses if use not in reading.done]
    if missed:
        raise Blocked(
            f"`{missed[0].name}` is used outside the code that is followed from the context on: "
            "use it in code that the program runs once, after the context is made",
            missed[0],
        )
    for node in calls.carriers:
        if nodes.is_context(node):
            reading.contexts.add(node)
        if node in reading.followed or node in reading.operations:
            continue
        if early := called_too_early(node, nodes):
            raise Blocked(early, at=node)
        if not _hands_on(node, nodes, calls, reading):
            raise Blocked(why_fails(node, nodes, calls) or NOT_FOLLOWED.format(ast.unparse(node)), at=node)
        reading.plumbing.append(node)


def _hands_on(node: ast.AST, nodes: Nodes, calls: CallGraph, reading: Reading) -> bool:
    """Whether an expression is only assigned, returned, or given to a function that was read."""
    if not isinstance(node, ast.Name | ast.Attribute | ast.Call):
        return False
    if nodes.tree.scope_of(node) not in reading.walked:
        return False
    if isinstance(node, ast.Call) and calls.targets.get(node) not in reading.entered:
        return False
    parent = nodes.tree.above[node]
    if isinstance(parent, ast.keyword):
        parent = nodes.tree.above[parent]
    if isinstance(parent, ast.Tuple) and isinstance(nodes.tree.above[parent], ast.Return):
        return True
    if isinstance(parent, ast.Assign | ast.AnnAssign | ast.Return | ast.Expr):
        return True
    if not isinstance(parent, ast.Call):
        return False
    target = calls.targets.get(parent)
    if target is not None and nodes.is_context(node) and _only_ends(target, nodes, calls):
        reading.ended.append((target, parent))
        return True
    return target in reading.entered


def _only_ends(function: ast.AST, nodes: Nodes, calls: CallGraph) -> bool:
    """Whether a function beside the call of ``start`` is given the context by each call, to end or await."""
    starts = {nodes.tree.root_of(use.node) for use in nodes.graph.uses if use.name == "start"}
    if function not in calls.ending or starts != {nodes.tree.root_of(function)}:
        return False
    given = ([*site.args, *(word.value for word in site.keywords)] for site in calls.sites[function])
    return all(any(map(nodes.is_context, arguments)) for arguments in given)
