"""Saving the RDD of a batch: where it goes, and whether a query may write there as DStreams do.

Spark lets the batches of a DStream write over what is there (`JobScheduler` turns the check of output
directories off); a query's batch fails where the directory exists. So each batch must have a directory of its
own, or the output be no directory.
"""

from __future__ import annotations

import ast
from typing import TypeGuard

from migrate.native.facts import Facts
from migrate.native.roles import Callback, NotTheSame
from migrate.nodes import walk

_FILES = frozenset({"saveAsTextFile", "saveAsPickleFile", "saveAsSequenceFile"})
_FORMATS = {
    "saveAsHadoopFile": "outputFormatClass",
    "saveAsNewAPIHadoopFile": "outputFormatClass",
}
_CONFIGURED = frozenset({"saveAsHadoopDataset", "saveAsNewAPIHadoopDataset"})
_FORMAT_KEYS = (
    "mapreduce.job.outputformat.class",
    "mapreduce.outputformat.class",
    "mapred.output.format.class",
)
_TO_FILES = ("org.apache.hadoop.mapred.", "org.apache.hadoop.mapreduce.")
"""Packages of Hadoop's own formats, which write files."""
_UNIQUE = frozenset({"time", "time_ns", "now", "utcnow", "uuid1", "uuid4", "token_hex", "getrandbits"})
"""Functions of Python's library that give another value in each batch."""
_TO_THE_SECOND = ("%S", "%s", "%f", "%X", "%T", "%c")

SAVING = _FILES | _FORMATS.keys() | _CONFIGURED


def check_saving(method: ast.Attribute, call: ast.AST | None, callback: Callback, facts: Facts) -> None:
    """See that a query's batches can save as DStream's do.

    Args:
        method: one of `SAVING`, of an RDD.
        call: what the method stands in, its call.
        callback: the function that it stands in.
        facts: what is known of the names in it.

    Raises:
        NotTheSame: batches may write to the same directory.
    """
    name = method.attr
    if not isinstance(call, ast.Call) or call.func is not method:
        raise NotTheSame(f"`{name}` is used without being called")
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    if name in _FILES:
        path = call.args[0] if call.args else named.get("path")
        if path is None or not _Differing(callback)(path):
            raise NotTheSame(
                f"`{name}`: batches of a DStream write over the directory of the batch before, and a query "
                "fails where it exists"
            )
        return
    if name in _FORMATS:
        given = call.args[1] if len(call.args) > 1 else named.get(_FORMATS[name])
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
    """What a name is bound to, if it is bound once, by an assignment; else the expression itself."""
    if not isinstance(node, ast.Name):
        return node
    bound = facts.only_binding(node.id)
    if not isinstance(bound, ast.Name):
        return node
    statement = facts.statement_of(bound)
    return statement.value if isinstance(statement, ast.Assign) and statement.targets == [bound] else node


class _Differing:
    """Which expressions of a callback give another value in each batch: the time to the second, or chance."""

    def __init__(self, callback: Callback) -> None:
        assigned = [node for node in callback.walk() if isinstance(node, ast.Assign)]
        stores = [node.id for node in callback.walk() if _is_stored(node)]
        self._time = callback.time
        self._values = {
            node.targets[0].id: node.value
            for node in assigned
            if len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name)
            and stores.count(node.targets[0].id) == 1
        }

    def __call__(self, node: ast.expr | None) -> bool:
        if isinstance(node, ast.Name):
            # a variable of the module has one value for all batches
            return node.id == self._time or self(self._values.pop(node.id, None))
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.BinOp):
            parts = [node.left, *(node.right.elts if isinstance(node.right, ast.Tuple) else [node.right])]
            return isinstance(node.op, ast.Add | ast.Mod | ast.Mult) and any(map(self, parts))
        if isinstance(node, ast.JoinedStr):
            return any(map(self._formatted, node.values))
        return isinstance(node, ast.Attribute) and node.attr == "hex" and self(node.value)

    def _call(self, node: ast.Call) -> bool:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _UNIQUE:
            return True
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        if name == "strftime":
            return bool(node.args) and _to_the_second(node.args[0])
        if name in ("isoformat", "timestamp", "replace") and self(receiver):
            return True
        whole = isinstance(receiver, ast.Constant) and ":" not in str(receiver.value)
        if (name == "format" and whole) or name == "join":
            return any(map(self, [*node.args, *(keyword.value for keyword in node.keywords)]))
        return name in ("str", "int", "repr") and len(node.args) == 1 and self(node.args[0])

    def _formatted(self, part: ast.expr) -> bool:
        if not isinstance(part, ast.FormattedValue):
            return False
        written = (
            [node for node in walk(part.format_spec) if isinstance(node, ast.Constant)]
            if part.format_spec
            else []
        )
        return self(part.value) and all(map(_to_the_second, written))


def _is_stored(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _to_the_second(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and any(part in str(node.value) for part in _TO_THE_SECOND)
