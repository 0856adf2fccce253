"""RDDs of literals that nothing reads: ``initialStateRDD = sc.parallelize([("hello", 1)])``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.program import Program
from migrate.graph.session_expressions import named
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import of_kinds, walk

_CONTEXT = frozenset({"pyspark.SparkContext"})


def unread_rdds(program: Program, facts: Facts) -> Iterator[ast.stmt]:
    """The statements that make them, which needed a SparkContext and did nothing."""
    for module in program.modules:
        own = facts.of(module.tree)
        for statement in of_kinds(module.tree, ast.Assign):
            match statement:
                case ast.Assign(
                    [ast.Name(name)], ast.Call(ast.Attribute(ast.Name() as context, "parallelize"), given, [])
                ) if all(map(_is_literal, given)) and named(context, facts.trace) == _CONTEXT:
                    if _is_unread(name, own) and _has_others(own.above[statement], statement):
                        yield statement


def _is_unread(name: str, own: Facts) -> bool:
    """Whether nothing reads a variable, in its module or in another one."""
    if own.loads.get(name) or own.is_declared_elsewhere(name) or name in own.starred:
        return False
    others = (one.tree for one in own.trace.modules if one.tree is not own.tree)
    return not any(name in own.of(other).identifiers for other in others)


def _has_others(above: ast.AST, statement: ast.stmt) -> bool:
    """Whether the block of a statement has other ones."""
    blocks = (getattr(above, name, None) for name in ("body", "orelse", "finalbody"))
    return any(isinstance(block, list) and statement in block and len(block) > 1 for block in blocks)


def _is_literal(node: ast.expr) -> bool:
    """Whether an expression is made of constants alone."""
    plain = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.unaryop, ast.expr_context)
    return all(isinstance(one, plain) for one in walk(node))
