"""Texts of a program that name what the Spark of the new code has not: packages for its old Scala, ``s3n://``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.knowledge.kafka_connector import coordinate, other_scala, renewed
from migrate.knowledge.spark_version import SparkVersion
from migrate.plan.draft import Draft
from migrate.syntax.nodes import of_kinds

OTHER_SCALA = "{}: {} is for another Scala than the {} of this Spark: name the one for it"
OLD_S3 = "{}: `s3n://` went with Hadoop 3: write `s3a://`, and name its credentials `fs.s3a.*`"


def tell_old_platform(draft: Draft) -> None:
    """Have the report tell, once for each line, of texts that keep the program from running as it stands."""
    basis = draft.basis
    for module in basis.program.modules:
        told = [
            text.format(module.where(node.lineno), *more)
            for node in _texts(module.tree)
            for text, more in _named(str(node.value), basis.options.spark)
        ]
        draft.must_change(*dict.fromkeys(told))


def _texts(tree: ast.Module) -> Iterator[ast.Constant]:
    """The literals of a module that are texts, but for docstrings."""
    alone = {node.value for node in of_kinds(tree, ast.Expr)}
    for node in of_kinds(tree, ast.Constant):
        if isinstance(node.value, str) and node not in alone:
            yield node


def _named(text: str, spark: SparkVersion) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The sentences on a text, with what stands in them."""
    if ":" not in text:
        return
    if others := other_scala(renewed(text, coordinate(spark)), spark):
        yield OTHER_SCALA, (", ".join(others), spark.scala)
    if "s3n://" in text:
        yield OLD_S3, ()
