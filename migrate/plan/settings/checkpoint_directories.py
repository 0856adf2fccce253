"""``sc.setCheckpointDir("checkpoints")`` of a program that checkpoints nothing any more: it is left out.

DStreams with a state or a window had their RDDs there. Those of the program, DataFrames and MLlib may, too.
"""

from __future__ import annotations

import ast
import sys

from migrate.plan.draft.basis import Basis
from migrate.plan.names.kept import Kept, is_idle_value
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.syntax.nodes import code_of

NOTE = "`{}` is left out: nothing of the program is checkpointed there"
_METHOD = "setCheckpointDir"
_READS = frozenset({"checkpoint", "getCheckpointDir", "setCheckpointInterval"})
"""Methods that need the directory, or read its name."""
_HARMLESS = sys.stdlib_module_names | {"findspark", "kafka"}
"""Packages that get no RDD and no DataFrame."""
_OF_SPARK = ("pyspark.ml", "pyspark.mllib", "pyspark.pandas")
"""Packages of Spark that may use the directory."""


def idle_directory(basis: Basis, kept: Kept, changes: PlannedModule) -> ast.Expr | None:
    """The statement that names the directory, if nothing reads it.

    Args:
        basis: the graph.
        kept: what stays of the program, without the code that made its contexts.
        changes: its new code.
    """
    program, session = basis.program, basis.session
    methods = [node for node in program.tree.of_kinds(ast.Attribute) if node.attr == _METHOD]
    if len(methods) != 1 or len(program.modules) != 1 or not all(map(_is_harmless, _imported(basis))):
        return None
    (method,) = methods
    statement = program.tree.above.get(program.tree.above[method])
    contexts = {
        session.spark_context,
        f"{code_of(program.target)}.sparkContext",
        f"{session.name}.sparkContext",
    }
    if not isinstance(statement, ast.Expr) or code_of(method.value) not in contexts:
        return None
    match statement.value:
        case ast.Call(func=func, args=[directory], keywords=[]) if func is method and is_idle_value(
            directory
        ):
            attributes = (node for node in program.tree.of_kinds(ast.Attribute) if node.attr in _READS)
            reads = any(node in kept.nodes for node in attributes) or changes.names.members & _READS
            return None if reads else statement
    return None


def _imported(basis: Basis) -> list[str]:
    """The modules that a program imports."""
    tree = basis.program.tree
    own = [alias.name for one in tree.of_kinds(ast.Import) for alias in one.names]
    return own + ["." * one.level + (one.module or "") for one in tree.of_kinds(ast.ImportFrom)]


def _is_harmless(module: str) -> bool:
    root = module.partition(".")[0]
    return root in _HARMLESS or (root == "pyspark" and not module.startswith(_OF_SPARK))
