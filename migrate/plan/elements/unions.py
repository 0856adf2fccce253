"""Unions of as many DataFrames as there are when the program runs: ``reduce(DataFrame.union, frames)``."""

from __future__ import annotations

import ast

from migrate.plan.draft.step import Step


def union_of(step: Step, frames: str) -> str:
    """The union of DataFrames, of which there must be one at least.

    Args:
        step: what needs it.
        frames: code of a list of them.
    """
    step.imports("reduce")
    union = "lambda one, other: one.union(other)"
    if not _is_other(step, "DataFrame"):
        step.imports("DataFrame")
        union = "DataFrame.union"
    return f"reduce({union}, {frames})"


def _is_other(step: Step, name: str) -> bool:
    """Whether a name of PySpark is that of something else in the module, as of a class of pandas."""
    facts = step.facts
    bound = [
        facts.imported(one) if isinstance(one, ast.alias) else None for one in facts.bindings.get(name, ())
    ]
    return any(one is None or not one.startswith("pyspark.") for one in bound)
