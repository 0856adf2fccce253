"""Expressions of a callback that hold all elements of its RDD, and those that compute all of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from migrate.knowledge.rdd import SORTS
from migrate.knowledge.sessions import DEPRECATED
from migrate.syntax.nodes import walk
from migrate.syntax.sql import sorted_view
from migrate.syntax.tree import parameter_names

_ALL = frozenset({"collect", "collectAsMap", "count", "countByKey", "countByValue", "toPandas"})
"""Actions that compute all elements, and call nothing of the program's."""
_CALLING = frozenset({"foreach", "max", "mean", "min", "reduce", "stats", "sum", "takeOrdered", "top"})
"""Those that fail for some elements, or may."""
_FIRST = frozenset({"first", "head", "show", "take"})
"""Actions that compute what gives the first rows."""
_WRITES = frozenset({"csv", "insertInto", "jdbc", "json", "orc", "parquet", "save", "saveAsTable"})
_BY_ELEMENT = frozenset({"map", "mapValues"})
_KEEPS = frozenset({"cache", "persist", "select", "toDF", "withColumnRenamed"})
_SORTS = SORTS | {"orderBy", "sort"}
ACTIONS = _ALL | _CALLING | _FIRST | _WRITES | {"foreachPartition", "isEmpty"}
"""Methods that compute some or all of a DataFrame or an RDD."""
_PLAIN = (ast.Attribute, ast.Call, ast.Constant, ast.Lambda, ast.Load, ast.Name, ast.Subscript, ast.Tuple)
_PLAIN_ARGUMENTS = (ast.arg, ast.arguments, ast.keyword, ast.UnaryOp, ast.USub)


class Made(NamedTuple):
    """Elements of the RDD, all of them."""

    is_sorted: bool = False
    is_sure: bool = True
    """Whether making them cannot fail."""


class AllElements:
    """The variables and views of a callback that hold all elements, as far as it has been read.

    Args:
        rdd: the parameter that is the RDD.
        only_grow: whether its numbers only grow, so that one which has no type fails later, too.
        at_once: whether all of a partition is computed as soon as its first row is.
    """

    def __init__(self, rdd: str, *, only_grow: bool, at_once: bool) -> None:
        self.made = {rdd: Made()}
        self._calling = _CALLING | {"foreachPartition"} if at_once else _CALLING
        self._only_grow = only_grow
        self.views: dict[str, Made] = {}

    def of(self, node: ast.expr) -> Made | None:
        """What an expression holds of the elements, if that is all of them."""
        match node:
            case ast.Name(name):
                return self.made.get(name)
            case ast.Call(ast.Attribute(_, "createDataFrame"), [of, *others]):
                made = self.of(of)
                typed = bool(others or node.keywords) and not self._only_grow
                return made and made._replace(is_sure=made.is_sure and not typed)
            case ast.Call(ast.Attribute(_, "sql"), [ast.Constant(str(query))]):
                made = self.views.get(sorted_view(query))
                return made and made._replace(is_sorted=True)
            case ast.Call(ast.Attribute(receiver, method), arguments):
                made = self.of(receiver)
                if made is None or method in _KEEPS:
                    return made
                sure = made.is_sure and all(map(_is_plain, arguments))
                if method in _BY_ELEMENT:
                    return made._replace(is_sure=sure)
                if method == "sortByKey" or (method in _SORTS and _sorts(arguments)):
                    return Made(is_sorted=True, is_sure=sure)
        return None

    def view(self, node: ast.expr) -> tuple[str, Made] | None:
        """The view that a call makes, and of what: ``df.createOrReplaceTempView("words")``."""
        match node:
            case ast.Call(ast.Attribute(frame, method), [ast.Constant(str(name))]):
                made = self.of(frame)
                known = method == "createOrReplaceTempView" or method in DEPRECATED
                return (name.lower(), made) if made is not None and known else None
            case ast.Call(
                ast.Attribute(attr="registerDataFrameAsTable"), [frame, ast.Constant(str(name))], []
            ):
                made = self.of(frame)
                return (name.lower(), made) if made is not None else None
        return None

    def computed_by(self, node: ast.AST, *, caught: bool) -> bool:
        """Whether a call computes all elements.

        Args:
            node: the call, or something else.
            caught: whether a handler goes on where it fails: then only what fails for no element does.
        """
        match node:
            case ast.Call(ast.Attribute(receiver, method), arguments):
                if method in _WRITES and not caught and not node.keywords and self._written(receiver):
                    return True
                made = self.of(receiver)
                if made is None or (caught and not made.is_sure):
                    return False
                some = all(map(_is_some, arguments[:1]))
                first = method in _FIRST and made.is_sorted and some
                best = method in ("takeOrdered", "top")
                return (
                    first or method in _ALL or (method in self._calling and not caught and (some or not best))
                )
        return False

    def _written(self, node: ast.expr) -> bool:
        """Whether an expression writes all elements: ``df.write.mode("append")``, not in mode ``ignore``."""
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            modes = [one.value for one in node.args if isinstance(one, ast.Constant)]
            if node.func.attr == "mode" and (not modes or modes[0] == "ignore"):
                return False
            node = node.func.value
        return isinstance(node, ast.Attribute) and node.attr == "write" and self.of(node.value) is not None


def _is_some(number: ast.expr) -> bool:
    """Whether a number of rows is one above 0."""
    return isinstance(number, ast.Constant) and type(number.value) is int and number.value > 0


def _sorts(arguments: Sequence[ast.expr]) -> bool:
    """Whether rows are sorted by something of theirs: a column's name, or what a lambda reads of them."""
    for one in arguments[:1]:
        if isinstance(one, ast.Lambda):
            names = parameter_names(one)
            return any(isinstance(node, ast.Name) and node.id in names for node in walk(one.body))
        words = {node.attr if isinstance(node, ast.Attribute) else node.id for node in _named(one)}
        text = any(isinstance(node, ast.Constant) and isinstance(node.value, str) for node in walk(one))
        return text and words - {"F", "f", "functions"} <= {"asc", "col", "desc"}
    return False


def _named(node: ast.expr) -> list[ast.Attribute | ast.Name]:
    return [one for one in walk(node) if isinstance(one, ast.Attribute | ast.Name)]


def _is_plain(node: ast.expr) -> bool:
    """Whether an argument is a function that only takes elements apart and puts them together, or is none.

    >>> _is_plain(ast.parse("lambda w: Row(word=w[0], n=w[1])", mode="eval").body)
    True
    """
    if not isinstance(node, ast.Lambda):
        return isinstance(node, ast.Constant)
    plain = all(isinstance(one, (*_PLAIN, *_PLAIN_ARGUMENTS)) for one in walk(node))
    calls = [one.func for one in walk(node) if isinstance(one, ast.Call)]
    return plain and all(isinstance(one, ast.Name) and one.id == "Row" for one in calls)
