"""SparkSessions that the program makes itself."""

from __future__ import annotations

import ast

from migrate.syntax.nodes import of_kinds
from migrate.syntax.tree import Tree
from migrate.trace import Trace, canonical
from migrate.trace.values import External


def existing_session(tree: Tree, construction: ast.stmt, trace: Trace) -> str | None:
    """The variable of a SparkSession that the program made before its context, in reach of it."""
    names = []
    for node in of_kinds(tree.root_of(construction), ast.Assign):
        target = node.targets[0]
        if len(node.targets) > 1 or not isinstance(target, ast.Name):
            continue
        near = node in tree.block_of(construction) or isinstance(tree.above[node], ast.Module)
        if near and node.lineno < construction.lineno and is_session(node.value, trace):
            names.append(target.id)
    return names[-1] if len(set(names)) == 1 else None


def is_session(node: ast.expr, trace: Trace) -> bool:
    """Whether an expression is ``SparkSession(sc)`` or ``SparkSession.builder....getOrCreate()``."""
    if isinstance(node, ast.Call):
        if is_external(node.func, "pyspark.sql.SparkSession", trace):
            return True
        chain = node
        if isinstance(chain.func, ast.Attribute) and chain.func.attr == "getOrCreate":
            step: ast.expr = chain.func.value
            while isinstance(step, ast.Call | ast.Attribute):
                if is_external(step, "pyspark.sql.SparkSession.builder", trace):
                    return True
                step = step.func if isinstance(step, ast.Call) else step.value
    return False


def is_external(node: ast.expr, name: str, trace: Trace) -> bool:
    """Whether an expression is the part of a package with a qualified name."""
    return any(
        isinstance(value, External)
        and canonical(value.name).replace("pyspark.sql.session.", "pyspark.sql.") == name
        for value in trace.kinds.get(node, ())
    )
