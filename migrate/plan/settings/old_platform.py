"""Texts that name what the Spark of the new code, or its Python, has not: packages for an old Scala, masters.

``open(path, "rU")`` fails from Python 3.11 on.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence

from migrate.graph.cassandra import UNPUBLISHED
from migrate.graph.connector_texts import comments_of_queries, renewals_of_queries
from migrate.graph.connectors import in_foreign_lines, reads, unpublished
from migrate.knowledge import cassandra
from migrate.knowledge.connectors import KAFKA
from migrate.knowledge.kafka_connector import (
    coordinate,
    may_name_receivers,
    of_messages,
    of_receivers,
    other_scala,
    renewed,
    without_receivers,
)
from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Module
from migrate.plan.draft.draft import Draft
from migrate.plan.new_code.inner import Inner
from migrate.plan.session.spark_conf import OLD_CLUSTER, is_of_dstreams, names_receivers
from migrate.syntax.lexical import pieces
from migrate.syntax.nodes import of_kinds
from migrate.syntax.quoting import quoted
from migrate.syntax.text import Text
from migrate.syntax.wording import Words, other_words

OTHER_SCALA = "{} is for another Scala than the {} of this Spark: name the one for it"
LEFT_OUT = "`{}` is a connector of DStreams, which nothing needs any more, and is left out"
OF_RECEIVERS = "{} is a connector of DStreams, which nothing needs any more: leave it out"
OLD_MASTER, MASTER = "yarn-client", "yarn"
RENAMED_MASTER = (
    f"the master `{OLD_MASTER}` is `{MASTER}` since Spark 3, in client mode where nothing else is asked for"
)
CLUSTER = f"the master `{OLD_CLUSTER}` went with Spark 3: submit with `--master yarn --deploy-mode cluster`"
OLD_S3, S3 = "s3n://", "s3a://"
RENAMED_S3 = (
    "give the credentials of S3 as `fs.s3a.*`: `s3n://` went with Hadoop 3, and the program says `s3a://` now"
)
_UNIVERSAL = re.compile("[rbt]*U[rbt]*")
"""Modes of files with universal newlines, which is what text has in Python 3."""
_NOTHING = "pyspark-shell"
"""Arguments for a shell that are what it has without them."""


def leave_old_platform(draft: Draft) -> None:
    """Mend the texts that keep a program from running where it is, or have the report tell of them."""
    basis = draft.basis
    has_kafka = reads(KAFKA, basis.program.graph)
    reading = {path for graph in basis.trace.graphs if reads(KAFKA, graph) for path in graph.files}
    for module in basis.program.modules:
        uses_kafka = has_kafka or module.relative in reading
        texts = list(_texts(module.tree))
        if _say(draft, texts, OLD_MASTER, MASTER):
            draft.note(RENAMED_MASTER)
        _say(draft, texts, OLD_S3, S3)
        if not has_kafka:  # else the rule of its source does it
            _renew_queries(draft, module)
        if foreign := tuple(in_foreign_lines(module, basis.options.spark)):
            draft.must_change(*foreign)
            draft.note(*unpublished(basis.options.spark))
        _leave_out_receivers(draft, module, kafka=not uses_kafka)
        _open_as_text(draft, module)
        _leave_out_settings(draft, module)
        left = {node: str(node.value) for node in texts}
        for node in texts:
            if names_receivers(basis.program.tree.above[node], node):
                draft.note(LEFT_OUT.format(node.value))
                del left[node]
        left |= _submit_without_receivers(draft, module, [*left], kafka=not uses_kafka)
        left |= _renew_cassandra(draft, module, left)
        told = [
            text.format(*more)
            for value in left.values()
            for text, more in _named(value, basis.options.spark, has_kafka)
        ]
        draft.must_change(*dict.fromkeys(told))


def _renew_queries(draft: Draft, module: Module) -> None:
    """Let texts and comments name the connector of the program's own queries for this Spark."""
    spark = draft.basis.options.spark
    texts = tuple(renewals_of_queries(module, spark))
    comments = tuple(((module.tree, line), words) for line, words in comments_of_queries(module, spark))
    if texts or comments:
        draft.note(*unpublished(spark))
        draft.need(inner=Inner(reworded=texts, comments=comments))


def _leave_out_receivers(draft: Draft, module: Module, *, kafka: bool) -> None:
    """Take connectors of DStreams out of the commands in docstrings and comments: nothing needs them."""
    if not may_name_receivers(module.source):
        return
    source, tree = Text(module.source), module.tree
    docstrings = [one.value for one in of_kinds(tree, ast.Expr) if isinstance(one.value, ast.Constant)]
    texts = tuple(
        (node, words) for node in docstrings if (words := without_receivers(source.of(node), kafka=kafka))
    )
    comments = tuple(
        ((tree, piece.line), words)
        for piece in pieces(module.source)
        if piece.is_comment and (words := without_receivers(piece.text, kafka=kafka))
    )
    draft.need(inner=Inner(reworded=texts, comments=comments))


def _submit_without_receivers(
    draft: Draft, module: Module, texts: Sequence[ast.Constant], *, kafka: bool
) -> dict[ast.Constant, str]:
    """Take such connectors out of arguments of ``spark-submit`` and lists of packages.

    Returns:
        Those texts, with what is left of each.
    """
    source, above = Text(module.source), draft.basis.program.tree.above
    changed = {}
    for node in texts:
        words = without_receivers(str(node.value), kafka=kafka)
        new = other_words(str(node.value), words)
        if (
            not words
            or of_receivers(new)
            or (kafka and of_messages(new))
            or isinstance(above[node], ast.JoinedStr)
        ):
            continue
        if new.strip() == _NOTHING and (setting := _is_submitted(above[node], above)):
            draft.need(inner=Inner(dropped=(setting,)))
        elif all(old in source.of(node) for old, _ in words):
            draft.need(inner=Inner(reworded=((node, words),)))
        else:  # they go over the ends of the strings that it is written as
            draft.need(inner=Inner(((node, json.dumps(new, ensure_ascii=False)),)))
        draft.note(*(LEFT_OUT.format(old.strip(" ,")) for old, _ in words))
        changed[node] = new
    return changed


def _is_submitted(statement: ast.AST, above: Mapping[ast.AST, ast.AST]) -> ast.Assign | None:
    """``os.environ["PYSPARK_SUBMIT_ARGS"] = ...``, if it is not all that its block has."""
    match statement:
        case ast.Assign([ast.Subscript(slice=ast.Constant("PYSPARK_SUBMIT_ARGS"))]):
            return statement if len(getattr(above[statement], "body", [])) > 1 else None
    return None


def _renew_cassandra(
    draft: Draft, module: Module, texts: Mapping[ast.Constant, str]
) -> dict[ast.Constant, str]:
    """Let texts, docstrings and comments name Cassandra's connector for this Scala.

    Returns:
        Those of the texts that run, with what they say then.
    """
    spark, source = draft.basis.options.spark, Text(module.source)

    def words_in(text: str) -> Words:
        return tuple((old, cassandra.coordinate(spark)) for old in cassandra.others_of_connector(text, spark))

    docstrings = [one.value for one in of_kinds(module.tree, ast.Expr) if isinstance(one.value, ast.Constant)]
    named = [(node, words_in(source.of(node))) for node in [*texts, *docstrings]]
    comments = tuple(
        ((module.tree, piece.line), words)
        for piece in pieces(module.source)
        if piece.is_comment and (words := words_in(piece.text))
    )
    reworded = tuple((_whole(draft, node), words) for node, words in named if words)
    if (reworded or comments) and spark.release != cassandra.WRITTEN_FOR:
        draft.note(UNPUBLISHED.format(".".join(map(str, spark.release)), cassandra.NEWEST))
    draft.need(inner=Inner(reworded=reworded, comments=comments))
    return {node: other_words(texts[node], words) for node, words in named if words and node in texts}


def _whole(draft: Draft, node: ast.Constant) -> ast.expr:
    """A text, or the f-string that it is a part of."""
    around = draft.basis.program.tree.above[node]
    return around if isinstance(around, ast.JoinedStr) else node


def _open_as_text(draft: Draft, module: Module) -> None:
    """Open files with the modes that Python still has: ``"r"`` for ``"rU"``."""
    modes = [
        mode
        for call in of_kinds(module.tree, ast.Call)
        if isinstance(call.func, ast.Name) and call.func.id == "open"
        for mode in [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "mode")]
        if isinstance(mode, ast.Constant) and _UNIVERSAL.fullmatch(str(mode.value))
    ]
    inner = Inner(reworded=tuple((mode, (_mode(str(mode.value)),)) for mode in modes))
    draft.need(inner=inner)


def _leave_out_settings(draft: Draft, module: Module) -> None:
    """Take settings of DStreams out of what makes a session, where no DStream is left that reads them."""
    if len(draft.basis.trace.graphs) > 1:
        return
    for call in of_kinds(module.tree, ast.Call):
        match call:
            case ast.Call(ast.Attribute(builder, "config"), [ast.Constant(str(key)), ast.Constant()], []):
                is_read = sum(one.source.count(key) for one in draft.basis.program.modules) > 1
                if is_of_dstreams(key) and not is_read and "builder" in ast.unparse(builder):
                    draft.need(inner=Inner(((call, quoted(builder)),)))


def _mode(old: str) -> tuple[str, str]:
    """A mode, and what it is called in Python 3.11."""
    new = old.replace("U", "")
    return old, new if "r" in new else f"r{new}"


def _say(draft: Draft, texts: Sequence[ast.Constant], old: str, new: str) -> bool:
    """Have the texts that say `old` say `new`; whether any does."""
    saying = dict.fromkeys(_whole(draft, node) for node in texts if old in str(node.value))
    draft.need(inner=Inner(reworded=tuple((node, ((old, new),)) for node in saying)))
    return bool(saying)


def renamed_s3(tree: ast.Module, stays: Container[ast.AST]) -> bool:
    """Whether a module says what `s3n://` is now in code that stays."""
    return any(node in stays and OLD_S3 in str(node.value) for node in _texts(tree))


def _texts(tree: ast.Module) -> Iterator[ast.Constant]:
    """The literals of a module that are texts, but for docstrings."""
    alone = {node.value for node in of_kinds(tree, ast.Expr)}
    for node in of_kinds(tree, ast.Constant):
        if isinstance(node.value, str) and node not in alone:
            yield node


def _named(text: str, spark: SparkVersion, has_kafka: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The sentences on a text, with what stands in them."""
    if OLD_CLUSTER in text:
        yield CLUSTER, ()
    if text.count(":") < 2:  # a package has a group, a name and a version
        return
    if gone := [*of_receivers(text), *([] if has_kafka else of_messages(text))]:
        yield OF_RECEIVERS, (", ".join(gone),)
    others = other_scala(renewed(text, coordinate(spark)), spark)
    if others := [package for package in others if package not in gone]:
        yield OTHER_SCALA, (", ".join(others), spark.scala)
