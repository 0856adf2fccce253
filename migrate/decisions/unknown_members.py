"""Methods that a program calls on PySpark's objects, and that their classes do not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.decisions.spark_classes import SparkClasses
from migrate.knowledge.spark_members import MEMBERS, meant
from migrate.model import Module
from migrate.syntax.nodes import of_kinds
from migrate.syntax.tree import goes_on_after

UNKNOWN = "{}: {} has no `{}` ({}): an AttributeError where this runs; mend it, or leave it out"


def unknown_members(module: Module, classes: SparkClasses) -> Iterator[str]:
    """What the report says of such calls.

    Only of names that are like one of the class, or that another class has: a package may add others.

    Args:
        module: the module.
        classes: those of its expressions.
    """
    for call in of_kinds(module.tree, ast.Call):
        method = call.func
        if not isinstance(method, ast.Attribute) or method.attr.startswith("_"):
            continue
        owner = classes.of(method.value)
        if owner in ("", "DStream") or method.attr in MEMBERS[owner]:  # the trace follows streams
            continue
        if goes_on_after(method, classes.above, "AttributeError"):
            continue
        if words := meant(owner, method.attr):
            shown = f"an {owner}" if owner == "RDD" else f"a {owner}"
            where = module.where(method.end_lineno or method.lineno)
            yield UNKNOWN.format(where, shown, method.attr, words)
