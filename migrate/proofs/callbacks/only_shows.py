"""Callbacks that only show DataFrames and replace temp views: one without rows changes nothing by them."""

from __future__ import annotations

import ast

from migrate.knowledge import frames, rdd, sessions
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.tree import own_nodes

_STATEMENTS = (ast.Assign, ast.Expr, ast.If, ast.Import, ast.ImportFrom, ast.Pass, ast.Return, ast.Try)
_OTHERS = (ast.Subscript, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.comprehension)
"""Parts of expressions that may fail, or do anything."""
_OF_SPARK = "pyspark.sql."
_ASKS_FOR_VIEWS = frozenset({"listTables", "tableExists", "tableNames", "tables"})


def only_shows(callback: Callback, facts: Facts) -> bool:
    """Whether a callback only shows DataFrames and replaces temp views, and fails for none without rows.

    No view is there before the first batch is done; code that reads it then fails. So where something may
    catch that, or asks which views there are, it does more than that.
    """
    own = facts.of(callback.node)
    nodes = [node for part in callback.body for node in own_nodes(part)]
    if not all(_is_harmless(node, own) for node in nodes):
        return False
    named = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return named.isdisjoint(sessions.REPLACES_VIEWS) or _fails_without_views(callback, own)


def _is_harmless(node: ast.AST, facts: Facts) -> bool:
    match node:
        case ast.Call(function) if (facts.qualified(function) or "").startswith(_OF_SPARK):
            return True
        case ast.Call(ast.Attribute(_, name)) if name in sessions.READS_VIEWS:
            return len(node.args) == 1 and _selects(node.args[0])
        case ast.Call(ast.Attribute(_, name)):
            return name in frames.FINE_WITHOUT | sessions.REPLACES_VIEWS | rdd.NO_MORE
        case ast.Call(ast.Name("print")):
            return "print" not in facts.shadowed
        case ast.Call():
            return False
        case ast.Subscript(_, ast.Constant(str())) | ast.Attribute():
            return isinstance(node.ctx, ast.Load)
        case ast.stmt():
            return isinstance(node, _STATEMENTS)
    return not isinstance(node, _OTHERS)


def _selects(query: ast.expr) -> bool:
    """Whether a query of Spark's is written out and only reads."""
    text = query.value if isinstance(query, ast.Constant) else ""
    return isinstance(text, str) and text.lstrip()[:6].lower() == "select"


def _fails_without_views(callback: Callback, facts: Facts) -> bool:
    """Whether no code but the callback's may catch an error, or ask for views by their names."""
    inside = {node for part in callback.body for node in walk(part)}
    tries = [node for node in of_kinds(facts.tree, ast.Try) if node.handlers and node not in inside]
    members = {node.attr for node in of_kinds(facts.tree, ast.Attribute)}
    return not tries and members.isdisjoint(_ASKS_FOR_VIEWS)
