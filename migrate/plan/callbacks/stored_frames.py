"""DataFrames that a callback stores for later batches: their rows are computed while their batch is at hand.

def process(rdd):
    global last
    last = spark.createDataFrame(rdd, ["word", "n"])

A DataFrame of a batch computes that when it is read: in a later batch the old one, with its state, once more.
"""

from __future__ import annotations

import ast

from migrate.plan.callbacks.conversion import Conversion
from migrate.syntax.nodes import code_of, walk
from migrate.syntax.tree import declared_among

STORED = (
    "`{}` keeps rows of a batch for later ones: `localCheckpoint()` computes them at once, where each read"
    " would compute the old batch again"
)
_MAKES_FRAMES = frozenset({"createDataFrame", "toDF"})


def keep_rows(conversion: Conversion, function: ast.AST, tree: ast.Module) -> None:
    """Compute the DataFrames that a callback makes and stores.

    Args:
        conversion: the callback on a DataFrame.
        function: its function.
        tree: the module of that.
    """
    inside = [*walk(function)]
    declared = declared_among(inside)
    for statement in inside:
        match statement:
            case ast.Assign([target], ast.Call(ast.Attribute(attr=method)) as made):
                if method not in _MAKES_FRAMES or made not in conversion.replaced:
                    continue
                if _outlasts(target, declared) and _is_read_later(target, statement, function, tree):
                    conversion.replaced[made] += ".localCheckpoint()"
                    conversion.uses += 1
                    conversion.step.note(STORED.format(code_of(target)))


def _outlasts(target: ast.expr, declared: set[str]) -> bool:
    """Whether what is bound is no local variable: ``globals()["last"]``, ``self.last``."""
    match target:
        case ast.Subscript(ast.Call(ast.Name("globals"))) | ast.Attribute(ast.Name("self")):
            return True
        case ast.Name(name):
            return name in declared
    return False


def _is_read_later(target: ast.expr, statement: ast.stmt, function: ast.AST, tree: ast.Module) -> bool:
    """Whether other code reads it, or the callback does so above, where it has that of the batch before."""
    inside, code = {*walk(function)}, ast.unparse(target)
    return any(
        isinstance(node, type(target))
        and isinstance(node.ctx, ast.Load)
        and ast.unparse(node) == code
        and (node not in inside or node.lineno < statement.lineno)
        for node in walk(tree)
        if isinstance(node, ast.Attribute | ast.Name | ast.Subscript)
    )
