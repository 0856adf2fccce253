"""Saving the RDD of a batch: where it goes, and whether a query may write there as DStreams do.

Spark lets the batches of a DStream write over what is there (`JobScheduler` turns the check of output
directories off); a query's batch fails where the directory exists. So each batch must have a directory of its
own, or the output be no directory.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.knowledge.rdd import SAVES_BY_FORMAT, SAVES_FILES
from migrate.proofs.analysis.aliases import arguments_of
from migrate.proofs.analysis.called_functions import calls_of
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.callbacks.roles import Callback, NotTheSame
from migrate.proofs.callbacks.unique_per_batch import UniquePerBatch
from migrate.syntax.nodes import of_kinds, position
from migrate.syntax.tree import parameter_names

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
        given = [call.args[1] if len(call.args) > 1 else named.get("outputFormatClass")]
    else:
        given = [*_configured(call.args[0] if call.args else named.get("conf"), facts)]
    if not all(_is_elsewhere(_value(one, facts)) for one in given):
        raise NotTheSame(
            f"`{name}` may write files, and a query fails where their directory exists, which batches of a "
            "DStream write over"
        )


def _is_elsewhere(value: ast.expr | None) -> bool:
    """Whether an output format is known, and writes no files."""
    known = isinstance(value, ast.Constant) and isinstance(value.value, str)
    return known and not str(value.value).startswith(_TO_FILES)  # type: ignore[union-attr]


def _configured(conf: ast.expr | None, facts: Facts) -> Iterator[ast.expr | None]:
    """The output formats in the dicts of Hadoop's settings that an argument may be; None for one not known.

    The program may set their other keys, as that of the table, before each call.
    """
    for value in _settings(conf, facts):
        items = zip(value.keys, value.values, strict=True) if isinstance(value, ast.Dict) else ()
        formats = [
            entry for key, entry in items if isinstance(key, ast.Constant) and key.value in _FORMAT_KEYS
        ]
        yield formats[-1] if formats else None


def _settings(conf: ast.expr | None, facts: Facts) -> Iterator[ast.expr | None]:
    """The values of a variable, or of the arguments for a parameter; None for one that is not known."""
    if not isinstance(conf, ast.Name):
        yield conf
        return
    if _may_set_format(conf.id, facts):
        yield None
        return
    function = facts.home(conf)
    if isinstance(function, ast.FunctionDef) and conf.id in parameter_names(function):
        calls = calls_of(function, facts) or ()
        for call in calls:
            yield from _settings(dict(arguments_of(call, parameter_names(function))).get(conf.id), facts)
        if not calls:
            yield None
        return
    yield _last_value(conf, facts)


def _may_set_format(name: str, facts: Facts) -> bool:
    """Whether code gives a dict of that name another output format: it sets a key, or many."""
    for node in of_kinds(facts.tree, ast.Name):
        above = facts.above[node]
        if node.id != name or isinstance(node.ctx, ast.Store):
            continue
        if isinstance(above, ast.Attribute) and above.attr in ("update", "setdefault"):
            return True
        if isinstance(above, ast.Subscript) and isinstance(above.ctx, ast.Store):
            key = above.slice
            if not isinstance(key, ast.Constant) or key.value in _FORMAT_KEYS:
                return True
    return False


def _last_value(name: ast.Name, facts: Facts) -> ast.expr | None:
    """The value that a variable has when the program runs: of a module's, that of its last statement."""
    value = _value(name, facts)
    if value is not name or facts.home(name) is not None:
        return value
    others = (node for node in facts.bindings.get(name.id, ()) if not isinstance(node, ast.arg))
    bound = [node for node in others if not isinstance(node, ast.Name) or facts.home(node) is None]
    statements = [facts.statement_of(node) for node in bound]
    if facts.is_declared_elsewhere(name.id) or not all(one in facts.tree.body for one in statements):
        return None
    last = max(statements, key=position, default=None)
    return last.value if isinstance(last, ast.Assign) and len(last.targets) == 1 else None


def _value(node: ast.expr | None, facts: Facts) -> ast.expr | None:
    """The value of a name that one assignment binds; any other expression as it is."""
    if not isinstance(node, ast.Name):
        return node
    bound = facts.only_binding(node.id)
    if not isinstance(bound, ast.Name):
        return node
    statement = facts.statement_of(bound)
    return statement.value if isinstance(statement, ast.Assign) and statement.targets == [bound] else node
