"""A program that names the installation of Spark that it runs on: ``findspark.init("/opt/spark-2.4.0")``."""

from __future__ import annotations

import ast
import re

from migrate.plan.draft.draft import Draft
from migrate.plan.new_code.inner import Inner
from migrate.syntax.quoting import quoted

UNPINNED = "install PySpark {}, or set SPARK_HOME to it: the program looks there, and no more in {}"
PINNED = "see to it that what SPARK_HOME names is Spark {}: {}"
_VERSION = re.compile(r"spark-?(\d+(?:\.\d+)+)")


def find_spark(draft: Draft) -> None:
    """Have `findspark` find the installed Spark where the program names one that is older than the new code.

    Where it does not say how old that is, or sets ``SPARK_HOME``, the report tells of it.
    """
    tree, spark = draft.basis.program.tree, draft.basis.options.spark
    for call in tree.of_kinds(ast.Call):
        if not _is_member(call.func, "findspark", "init") or not (call.args or call.keywords):
            continue
        if len(call.args) == 1 and not call.keywords and _is_older(call.args[0], spark.release):
            draft.need(inner=Inner(((call, f"{quoted(call.func)}()"),)))
            _tell(draft, UNPINNED, call.args[0])
        else:
            _tell(draft, PINNED, *call.args, *(keyword.value for keyword in call.keywords))
    for assign in tree.of_kinds(ast.Assign):
        if any(map(_is_home, assign.targets)):
            _tell(draft, PINNED, assign.value)


def _is_home(target: ast.expr) -> bool:
    """``os.environ["SPARK_HOME"]``."""
    return (
        isinstance(target, ast.Subscript)
        and isinstance(target.slice, ast.Constant)
        and target.slice.value == "SPARK_HOME"
        and _is_member(target.value, "os", "environ")
    )


def _is_member(node: ast.expr, module: str, name: str) -> bool:
    """Whether an expression is spelled ``module.name``."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return False
    return node.attr == name and node.value.id == module


def _is_older(path: ast.expr, release: tuple[int, ...]) -> bool:
    """Whether a path names a Spark that is older than a release."""
    found = (
        _VERSION.search(path.value)
        if isinstance(path, ast.Constant) and isinstance(path.value, str)
        else None
    )
    return found is not None and tuple(map(int, found[1].split("."))) < release


def _tell(draft: Draft, text: str, *paths: ast.expr) -> None:
    basis = draft.basis
    named = " ".join(f"`{basis.shown(path)}`" for path in paths[:1])
    draft.must_change(text.format(basis.options.spark.text, named))
