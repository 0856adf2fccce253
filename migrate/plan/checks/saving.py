"""Saving the RDD of a batch: where it goes, and whether a query may write there as DStreams do.

Spark lets the batches of a DStream write over what is there (`JobScheduler` turns the check of output
directories off); a query's batch fails where the directory exists. So each batch must have a directory of its
own, or the output be no directory.
"""

from __future__ import annotations

import ast

from migrate.knowledge.rdd import SAVES_BY_FORMAT, SAVES_FILES
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback, NotTheSame
from migrate.proofs.callbacks.unique_per_batch import UniquePerBatch

_FORMAT_KEYS = (
    "mapreduce.job.outputformat.class",
    "mapreduce.outputformat.class",
    "mapred.output.format.class",
)
_TO_FILES = ("org.apache.hadoop.mapred.", "org.apache.hadoop.mapreduce.")
"""Packages of Hadoop's own formats, which write files."""


def check_saving(method: ast.Attribute, call: ast.AST | None, callback: Callback, facts: Facts) -> None:
    """Check that the batches of a query can save to where those of a DStream do.

    Args:
        method: ``rdd.saveAsTextFile`` or another of `migrate.knowledge.rdd.SAVES`.
        call: what the method stands in, its call.
        callback: the function that it stands in.
        facts: the names of its module.

    Raises:
        NotTheSame: batches may write to the same directory.
    """
    name = method.attr
    if not isinstance(call, ast.Call) or call.func is not method:
        raise NotTheSame(f"`{name}` is used without being called")
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    if name in SAVES_FILES:
        path = call.args[0] if call.args else named.get("path")
        if path is None or not UniquePerBatch(callback, facts)(path):
            raise NotTheSame(
                f"`{name}`: batches of a DStream write over the directory of the batch before, and a query "
                "fails where it exists"
            )
        return
    if name in SAVES_BY_FORMAT:
        given = call.args[1] if len(call.args) > 1 else named.get("outputFormatClass")
    else:
        given = _configured(call.args[0] if call.args else named.get("conf"), facts)
    value = _value(given, facts)
    known = isinstance(value, ast.Constant) and isinstance(value.value, str)
    if not known or str(value.value).startswith(_TO_FILES):  # type: ignore[union-attr]
        raise NotTheSame(
            f"`{name}` may write files, and a query fails where their directory exists, which batches of a "
            "DStream write over"
        )


def _configured(conf: ast.expr | None, facts: Facts) -> ast.expr | None:
    """The output format in a dict of Hadoop's settings."""
    value = _value(conf, facts)
    if not isinstance(value, ast.Dict):
        return None
    for key, entry in zip(value.keys, value.values, strict=True):
        if isinstance(key, ast.Constant) and key.value in _FORMAT_KEYS:
            return entry
    return None


def _value(node: ast.expr | None, facts: Facts) -> ast.expr | None:
    """The value of a name that one assignment binds; any other expression as it is."""
    if not isinstance(node, ast.Name):
        return node
    bound = facts.only_binding(node.id)
    if not isinstance(bound, ast.Name):
        return node
    statement = facts.statement_of(bound)
    return statement.value if isinstance(statement, ast.Assign) and statement.targets == [bound] else node
