"""SparkSessions that the program has itself, before its StreamingContext."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from migrate.graph.session_expressions import Is, SessionExpressions, makes_session, named
from migrate.knowledge.builtins import SETS_ATTRIBUTES
from migrate.syntax.nodes import code_of, of_kinds, position, walk
from migrate.syntax.tree import Tree, target_of
from migrate.trace import Trace


def existing_session(tree: Tree, construction: ast.stmt, trace: Trace) -> str | None:
    """The variable of a SparkSession that the program has before its context, in reach of it."""
    module = tree.root_of(construction)
    values = SessionExpressions(Tree(module), trace)
    names = [*sessions_above(construction, tree, values, trace)]
    left = [name for name, made in names if not is_stopped(name, made, construction, module, trace)]
    if left:
        return left[-1]
    contexts = list(_contexts(construction, tree))
    given = (
        _imported(contexts, construction, tree)
        or _held(contexts, construction, tree, values)
        or _of_module(contexts, construction, tree, values, trace)
    )
    if given is not None:
        return given
    is_read = any(name.id == "spark" for name in of_kinds(module, ast.Name))
    if not is_read or not values.is_predefined("spark"):
        return None
    # where the session is there from the beginning so is its context, and a second one cannot be made
    calls = of_kinds(module, ast.Call)
    return None if any("pyspark.SparkContext" in named(call.func, trace) for call in calls) else "spark"


def sessions_above(
    construction: ast.stmt, tree: Tree, values: SessionExpressions, trace: Trace
) -> Iterator[tuple[str, ast.Assign]]:
    """The sessions that are made before a context, in reach of it, with their variables."""
    block, end = tree.block_of(construction), position(construction)
    for node in of_kinds(tree.root_of(construction), ast.Assign):
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, ast.Name) or position(node) >= end:
            continue
        near = isinstance(tree.above[node], ast.Module) or node in block
        if near and _is_spark_session(node.value, values, trace):
            yield target.id, node


def is_stopped(name: str, made: ast.stmt, construction: ast.stmt, module: ast.Module, trace: Trace) -> bool:
    """Whether ``spark.stop()`` stands between the statement that made a session and the context.

    So does ``sc.stop()`` of a SparkContext, with which its sessions end, unless a function does that.
    """
    calls = [
        call
        for call in of_kinds(module, ast.Call)
        if position(made) < position(call) < position(construction)
    ]
    if any(code_of(call.func) == f"{name}.stop" for call in calls):
        return True
    defined = [node for node in of_kinds(module, ast.FunctionDef) if not _holds(node, construction)]
    stops = [call.func for call in calls if not any(_holds(node, call) for node in defined)]
    return any(
        isinstance(method, ast.Attribute)
        and method.attr == "stop"
        and any("SparkContext" in one for one in named(method.value, trace))
        for method in stops
    )


def _holds(function: ast.FunctionDef, node: ast.expr | ast.stmt) -> bool:
    return function.lineno <= node.lineno <= (function.end_lineno or 0)


def _is_spark_session(node: ast.expr, values: SessionExpressions, trace: Trace) -> bool:
    """Whether an expression is a session that can read streams, which an SQLContext has in an attribute."""
    made = node.func if isinstance(node, ast.Call) else node
    if any("SQLContext" in name or "HiveContext" in name for name in named(made, trace) | named(node, trace)):
        return False
    return values.is_session(node) is Is.YES


def _contexts(construction: ast.stmt, tree: Tree) -> Iterator[ast.Attribute]:
    """The ``spark.sparkContext`` of a construction, and of ``sc = spark.sparkContext`` above it."""
    yield from (node for node in walk(construction) if _is_context_of(node))
    read = {node.id for node in walk(construction) if isinstance(node, ast.Name)}
    for statement in tree.block_of(construction):
        if isinstance(statement, ast.Assign) and position(statement) < position(construction):
            target = statement.targets[0]
            if isinstance(target, ast.Name) and target.id in read and _is_context_of(statement.value):
                yield statement.value


def _imported(contexts: list[ast.Attribute], construction: ast.stmt, tree: Tree) -> str | None:
    """The session of a context, before the StreamingContext of that, where the module imports it."""
    module = tree.root_of(construction)
    names = {node.value.id for node in contexts if isinstance(node.value, ast.Name)}
    if len(names) != 1:
        return None
    imported = {
        alias.asname or alias.name
        for statement in of_kinds(module, ast.ImportFrom)
        for alias in statement.names
        if isinstance(tree.above[statement], ast.Module) and position(statement) < position(construction)
    }
    stored = {name.id for name in of_kinds(module, ast.Name) if not isinstance(name.ctx, ast.Load)}
    arguments = {argument.arg for argument in of_kinds(module, ast.arg)}
    found = names & imported - stored - arguments
    return found.pop() if found else None


def _held(
    contexts: list[ast.Attribute], construction: ast.stmt, tree: Tree, values: SessionExpressions
) -> str | None:
    """The attribute of an object that alone holds the session of a context: ``self.spark``."""
    if not _can_be_the_session(construction, tree):
        return None
    held = {code_of(node.value): node.value for node in contexts}
    if len(held) != 1:
        return None
    code, session = held.popitem()
    known = _holds_one_value(session, tree) and values.is_session(session) is Is.YES
    return code if known else None


def _of_module(
    contexts: list[ast.Attribute],
    construction: ast.stmt,
    tree: Tree,
    values: SessionExpressions,
    trace: Trace,
) -> str | None:
    """The session of a context that a function makes, where the module binds it below that function, once."""
    module, function = tree.root_of(construction), tree.scope_of(construction)
    names = {node.value.id for node in contexts if isinstance(node.value, ast.Name)}
    if len(names) != 1 or not isinstance(function, ast.FunctionDef):
        return None
    (name,) = names
    stores = [
        one for one in of_kinds(module, ast.Name) if one.id == name and not isinstance(one.ctx, ast.Load)
    ]
    others = [one.arg for one in of_kinds(module, ast.arg)]
    others += [
        alias.asname or alias.name for node in of_kinds(module, ast.ImportFrom) for alias in node.names
    ]
    others += [shared for node in of_kinds(module, ast.Global) for shared in node.names]
    if len(stores) != 1 or name in others:
        return None
    match tree.above[stores[0]]:
        case ast.Assign([ast.Name()], value) as made if isinstance(tree.above[made], ast.Module):
            return name if _is_spark_session(value, values, trace) else None
    return None


def _holds_one_value(node: ast.expr, tree: Tree) -> bool:
    """Whether an expression is an attribute that one statement gives its value."""
    if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
        return False
    given = (
        call.args
        for call in tree.of_kinds(ast.Call)
        if isinstance(call.func, ast.Name) and call.func.id in SETS_ATTRIBUTES
    )
    if any(len(args) < 2 or getattr(args[1], "value", node.attr) == node.attr for args in given):
        return False
    same = (other for other in tree.of_kinds(ast.Attribute) if other.attr == node.attr)
    return sum(not isinstance(other.ctx, ast.Load) for other in same) == 1


def _can_be_the_session(construction: ast.stmt, tree: Tree) -> bool:
    """Whether the attribute of a context, ``self.ssc``, can be that of a session: it gets one value."""
    target = target_of(construction) if isinstance(construction, ast.Assign | ast.AnnAssign) else None
    return not isinstance(target, ast.Attribute) or _holds_one_value(target, tree)


def held_later(construction: ast.stmt, tree: Tree, trace: Trace) -> str | None:
    """The attribute of a session that is made below a context, ``self.spark = SparkSession(self.sc)``."""
    if not _can_be_the_session(construction, tree):
        return None
    block = tree.block_of(construction)
    for statement in block[block.index(construction) + 1 :]:
        match statement:
            case ast.Assign([ast.Attribute() as target], value) if is_session(value, trace):
                return code_of(target) if _holds_one_value(target, tree) else None
    return None


def _is_context_of(node: ast.AST) -> TypeGuard[ast.Attribute]:
    """``spark.sparkContext``."""
    return isinstance(node, ast.Attribute) and node.attr == "sparkContext"


def is_session(node: ast.expr, trace: Trace) -> bool:
    """Whether an expression is ``SparkSession(sc)`` or ``SparkSession.builder....getOrCreate()``."""
    if not isinstance(node, ast.Call) or not makes_session(node, trace):
        return False
    return not named(node.func, trace) & {"pyspark.sql.SQLContext", "pyspark.sql.HiveContext"}


def is_external(node: ast.expr, name: str, trace: Trace) -> bool:
    """Whether an expression is the part of a package with a qualified name."""
    return name in named(node, trace)
