"""Texts and comments of a program that name a connector of DStreams, and what they name instead.

``os.environ["PYSPARK_SUBMIT_ARGS"] = "--packages ..."``, ``.config("spark.jars.packages", ...)``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from migrate.graph.program import Program
from migrate.knowledge.kafka_connector import (
    JAR_SETTING,
    JARS,
    PACKAGE_SETTING,
    PACKAGES,
    coordinate,
    is_jar,
    renewed,
    renewed_in_prose,
    renewed_of_queries,
)
from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Module
from migrate.syntax.lexical import pieces
from migrate.syntax.nodes import code_of, of_kinds, parents_of
from migrate.syntax.wording import Words, changed_alone, changed_words


@dataclass(frozen=True)
class Renewal:
    """A text that is written out, with its words that change."""

    text: ast.expr
    words: tuple[tuple[str, str], ...]
    runs: bool = True
    """Whether Spark sees it: it is no docstring, and no text that is assigned when Spark has been started."""
    whole: str = ""
    """What takes the place of a text that is computed: ``"group:name:1"`` for ``folder + "/name.jar"``."""


def renewals(program: Program, spark: SparkVersion) -> tuple[Renewal, ...]:
    """The texts that are to name the connector of a query, docstrings among them."""
    package = coordinate(spark)
    return tuple(one for module in program.modules for one in _of_module(module.tree, package))


def renewals_of_queries(module: Module, spark: SparkVersion) -> Iterator[tuple[ast.expr, Words]]:
    """The texts that name the connector of queries for another Spark, where no stream reads Kafka."""
    above = parents_of(module.tree)
    for node in of_kinds(module.tree, ast.Constant):
        if isinstance(node.value, str) and (new := renewed_of_queries(node.value, spark)) != node.value:
            around = above[node]
            yield around if isinstance(around, ast.JoinedStr) else node, changed_words(node.value, new)


def _of_module(tree: ast.Module, package: str) -> Iterator[Renewal]:
    above = parents_of(tree)
    for node in of_kinds(tree, ast.Constant):
        if not isinstance(node.value, str):
            continue
        new = renewed(node.value, package)
        if isinstance(above[node], ast.Expr):
            new = renewed_in_prose(new, package)
        text = above[node] if isinstance(above[node], ast.JoinedStr) else node
        assert isinstance(text, ast.expr)
        if new != node.value:
            runs = not isinstance(above[node], ast.Expr) and not _comes_late(text, above)
            yield Renewal(text, changed_words(node.value, new), runs)
        elif is_jar(node.value) and (setting := _setting(node, above)) is not None:
            name, value = setting
            yield Renewal(name, ((JAR_SETTING, PACKAGE_SETTING),))
            whole = "" if value is node else f'"{package}"'
            yield Renewal(value, () if whole else ((node.value, package),), whole=whole)


def _comes_late(text: ast.expr, above: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a text is assigned to an environment variable below what makes a context in the same block."""
    statement = above[text]
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Subscript):
        return False
    block = getattr(above[statement], "body", [])
    earlier = block[: block.index(statement)] if statement in block else []
    return any(_makes_context(one.value) for one in earlier if isinstance(one, ast.Assign))


def _makes_context(value: ast.expr) -> bool:
    """``SparkContext(...)``, ``SparkSession.builder...getOrCreate()``."""
    if not isinstance(value, ast.Call):
        return False
    made = ast.unparse(value.func)
    return made.endswith(("SparkContext", "getOrCreate", "StreamingContext"))


def _setting(jar: ast.Constant, above: Mapping[ast.AST, ast.AST]) -> tuple[ast.Constant, ast.expr] | None:
    """``"spark.jars"`` and the value of ``conf.set("spark.jars", value)``, which ends with the jar alone."""
    value: ast.expr = jar
    while isinstance(around := above[value], ast.expr) and _ends_with(around, value):
        value = around
    match around:
        case ast.Call(args=[ast.Constant(value="spark.jars") as name, given]) if given is value:
            return name, value
    return None


def _ends_with(around: ast.expr, part: ast.expr) -> bool:
    """Whether a text ends an expression for one path: ``folder + text``, ``os.path.join(folder, text)``."""
    match around:
        case ast.BinOp(op=ast.Add(), right=right) | ast.JoinedStr(values=[*_, right]):
            return right is part
        case ast.Call(func=ast.Attribute(attr="join"), args=[*_, last]):
            return last is part and code_of(around.func).endswith("path.join")
    return False


def renewed_comments(module: Module, spark: SparkVersion) -> Iterator[tuple[int, Words]]:
    """The comments that are to name the connector of a query, by their lines.

    A command may go on in the next comment: ``# spark-submit --jars \\``, ``#   kafka-assembly.jar \\``.
    """
    package = coordinate(spark)
    comments = {piece.line: piece.text for piece in pieces(module.source) if piece.is_comment}
    for line, text in comments.items():
        opening = comments.get(line - 1, "")
        jar = text.strip("#\\ \t")
        if is_jar(jar) and opening.rstrip("\\ \t").endswith(JARS):
            yield line - 1, ((JARS, PACKAGES),)
            yield line, ((jar, package),)
        elif (new := renewed_in_prose(renewed(text, package), package)) != text:
            yield line, changed_alone(text, new)


def comments_of_queries(module: Module, spark: SparkVersion) -> Iterator[tuple[int, Words]]:
    """The comments that name the connector of queries for another Spark, by their lines."""
    for piece in pieces(module.source) if "spark-sql-kafka" in module.source else ():
        if piece.is_comment and (new := renewed_of_queries(piece.text, spark)) != piece.text:
            yield piece.line, changed_alone(piece.text, new)
