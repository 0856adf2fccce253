"""Texts that name what the Spark of the new code has not: packages for its old Scala, ``s3n://``, masters."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.knowledge.kafka_connector import coordinate, of_receivers, other_scala, renewed
from migrate.knowledge.spark_version import SparkVersion
from migrate.plan.code import Inner
from migrate.plan.draft import Draft
from migrate.plan.spark_conf import names_receivers
from migrate.syntax.nodes import of_kinds

OTHER_SCALA = "{}: {} is for another Scala than the {} of this Spark: name the one for it"
LEFT_OUT = "`{}` is a connector of DStreams, which nothing needs any more, and is left out"
OF_RECEIVERS = "{}: {} is a connector of DStreams, which nothing needs any more: leave it out"
OLD_MASTER, MASTER = "yarn-client", "yarn"
RENAMED_MASTER = (
    f"the master `{OLD_MASTER}` is `{MASTER}` since Spark 3, in client mode where nothing else is asked for"
)
CLUSTER = "{}: the master `yarn-cluster` went with Spark 3: submit with `--master yarn --deploy-mode cluster`"
OLD_S3 = "{}: `s3n://` went with Hadoop 3: write `s3a://`, and name its credentials `fs.s3a.*`"


def leave_old_platform(draft: Draft) -> None:
    """Mend the texts that keep a program from running where it is, or have the report tell of their lines."""
    basis = draft.basis
    for module in basis.program.modules:
        masters = [node for node in _texts(module.tree) if OLD_MASTER in str(node.value)]
        if masters:
            words = ((OLD_MASTER, MASTER),)
            inner = Inner(reworded=tuple((node, words) for node in masters))
            draft.needs = draft.needs.with_more({"inner": inner})
            draft.note(RENAMED_MASTER)
        texts = list(_texts(module.tree))
        left_out = [node for node in texts if names_receivers(basis.program.tree.above[node], node)]
        for node in left_out:
            draft.note(LEFT_OUT.format(node.value))
        told = [
            text.format(module.where(node.lineno), *more)
            for node in texts
            if node not in left_out
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
    if "yarn-cluster" in text:
        yield CLUSTER, ()
    if ":" not in text:
        return
    if receivers := of_receivers(text):
        yield OF_RECEIVERS, (", ".join(receivers),)
    others = other_scala(renewed(text, coordinate(spark)), spark)
    if others := [package for package in others if package not in receivers]:
        yield OTHER_SCALA, (", ".join(others), spark.scala)
    if "s3n://" in text:
        yield OLD_S3, ()
