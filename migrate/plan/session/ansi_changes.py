"""What a program computes in SQL or on columns, of what ANSI mode makes fail."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import chain

from migrate.syntax.nodes import code_of, of_kinds, walk
from migrate.syntax.sql import without_texts

_CAST = re.compile(
    r"(?i)\bcast\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\bas\s+(?!string\b|varchar\b|char\b|binary\b)\w"
    r"|::\s*(?:int|bigint|double|float|date|timestamp)\b"
)
"""A cast to what a text may be no value of."""
_TEXTS = re.compile(r"'string'|\bStringType\b")
_CASTING = frozenset(
    {
        *("add_months", "date_add", "date_format", "date_sub", "date_trunc", "datediff", "dayofmonth"),
        *("dayofweek", "dayofyear", "from_utc_timestamp", "hour", "last_day", "minute", "month"),
        *("months_between", "quarter", "second", "to_date", "to_timestamp", "to_utc_timestamp"),
        *("unix_timestamp", "weekofyear", "year"),
    }
)
"""Functions of columns that ANSI mode has raise for what they made NULL, as `cast` does."""
_PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[dfirs]\b")
"""What ``%`` puts something in the place of: ``limit %d``."""
_QUERY = re.compile(r"(?is)\bselect\b.*\bfrom\b")
_IN_SQL = {
    "indexes arrays": re.compile(r"(?i)[\w)\]`]\[[^\]]+\]|\belement_at\s*\("),
    "divides columns": re.compile(r"(?i)[\w)`]\s*[/%]\s*(?!\d*[1-9])[\w(`]|\b(?:div|mod)\b"),
}
_COMPARES = re.compile(r"(?i)[\w)`]\s*(?:[<>]=?|!=|==?)\s*-?\d|\bbetween\s+-?\d")
_SUMS = re.compile(
    r"(?i)\b(?:avg|mean|std|stddev(?:_pop|_samp)?|sum|variance|var_pop|var_samp)\s*"
    r"\(\s*(?:distinct\s+)?(?:\w+\.)?(\w+)\s*\)"
)
"""An aggregate of numbers, and the column that it is of."""
_SUMMING = frozenset({"avg", "mean", "stddev", "sum", "sumDistinct", "variance"})
"""Methods and functions that are given columns by their names, and take texts for numbers."""
_OF_TEXTS = frozenset({"expr", "filter", "selectExpr", "where"})
"""Methods and functions that are given parts of queries."""
_COMPUTING = frozenset({"agg", "select", "withColumn", "withColumns"})
"""Methods of DataFrames that are given columns."""
_FUNCTIONS = "pyspark.sql.functions"
_USUAL = frozenset({"avg", "col", "column", "count", "element_at", "expr", "split", "stddev", "sum"})
"""Functions of columns that a star import is taken to bring in."""


def kinds_of(tree: ast.Module) -> frozenset[str]:
    """What a module does that ANSI mode changes, in SQL or with columns: ``casts columns``."""
    return frozenset(_found(tree))


def _found(tree: ast.Module) -> Iterator[str]:
    calls = of_kinds(tree, ast.Call)
    called = {getattr(call.func, "attr", getattr(call.func, "id", "")) for call in calls}
    texts = [node.value for node in of_kinds(tree, ast.Constant) if isinstance(node.value, str)]
    casts = called & _CASTING or any(is_cast(call) or _is_window(call) for call in calls)
    if casts or any(_CAST.search(text) for text in texts if "(" in text or "::" in text):
        yield "casts columns"
    queries = [*map(without_texts, _queries(tree))]
    if "json" in called and any(map(_COMPARES.search, queries)):
        yield "compares columns of JSON with numbers"
    for text in queries:
        yield from (kind for kind, pattern in _IN_SQL.items() if pattern.search(text))
    if any(map(_is_item, calls)):
        yield "indexes arrays"
    summed = {*_summed(calls, queries)}
    if summed and not summed.isdisjoint(_texts_of_rows(tree)):
        yield "sums columns of texts"
    yield from _on_columns(tree)


def _summed(calls: Sequence[ast.Call], queries: Sequence[str]) -> Iterator[str]:
    """The columns of which sums and the like are taken."""
    for text in queries:
        yield from (name.lower() for name in _SUMS.findall(text))
    for call in calls:
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        given = call.args if name in _SUMMING else ()
        yield from (str(one.value).lower() for one in given if isinstance(one, ast.Constant))


def _texts_of_rows(tree: ast.Module) -> set[str]:
    """The fields of Rows that are pieces of a text: ``rdd.map(split).map(lambda p: Row(size=p[1]))``."""
    found: set[str] = set()
    top: list[ast.stmt] = [part for part in tree.body if not isinstance(part, ast.FunctionDef | ast.ClassDef)]
    functions: list[list[ast.stmt]] = [[one] for one in of_kinds(tree, ast.FunctionDef)]
    for scope in (top, *functions):
        calls = [node for part in scope for node in walk(part) if isinstance(node, ast.Call)]
        if not any(map(_splits, calls)):
            continue
        rows = (call for call in calls if ast.unparse(call.func).endswith("Row"))
        words = (word for call in rows for word in call.keywords if isinstance(word.value, ast.Subscript))
        found |= {word.arg.lower() for word in words if word.arg is not None}
    return found


def _splits(call: ast.Call) -> bool:
    """Whether a call makes lists of the pieces of texts: ``rdd.map(lambda p: p.split(","))``."""
    match call:
        case ast.Call(ast.Attribute(attr="map"), [ast.Lambda(body=ast.Call(ast.Attribute(attr="split")))]):
            return True
    return False


def is_cast(call: ast.Call) -> bool:
    """Whether a call casts a column, and not to a text, which all have.

    ``tf.cast(image, tf.uint8)`` gets what it casts as an argument.
    """
    if getattr(call.func, "attr", "") != "cast" or len(call.args) + len(call.keywords) != 1:
        return False
    return not any(_TEXTS.search(code_of(one)) for one in call.args)


def _is_window(call: ast.Call) -> bool:
    """Whether a call makes windows over a column of times, ``"5 minutes"``, and not over batches."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    duration = call.args[1] if len(call.args) > 1 else None
    return name == "window" and isinstance(duration, ast.Constant) and isinstance(duration.value, str)


def _is_item(call: ast.Call) -> bool:
    """Whether a call takes an item of an array: a map, which has texts for its keys, gives NULL still."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name not in ("element_at", "getItem"):
        return False
    return not any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in call.args[-1:])


def _queries(tree: ast.Module) -> Iterator[str]:
    """The queries of a module, and the parts of some, with ``x`` for what is put into them."""
    texts = [node.value for node in of_kinds(tree, ast.Constant) if isinstance(node.value, str)]
    for node in of_kinds(tree, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "x" for part in node.values)
        texts.append("".join(map(str, parts)))
    yield from (_PLACEHOLDER.sub("x", text) for text in texts if _QUERY.search(text))
    for call in of_kinds(tree, ast.Call):
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        given = call.args if name in _OF_TEXTS else ()
        yield from (
            one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)
        )


def _on_columns(tree: ast.Module) -> Iterator[str]:
    """What operators do to columns in the code of a module."""
    names = _Functions(tree)
    for item in of_kinds(tree, ast.Subscript):
        index = item.slice.value if isinstance(item.slice, ast.Constant) else None
        if isinstance(index, int) and names.makes(item.value):
            yield "indexes arrays"
    calls = (call for call in of_kinds(tree, ast.Call) if getattr(call.func, "attr", "") in _COMPUTING)
    given = chain.from_iterable((*call.args, *(word.value for word in call.keywords)) for call in calls)
    inside = {node for argument in given if not isinstance(argument, ast.Lambda) for node in walk(argument)}
    for node in of_kinds(tree, ast.BinOp):
        divides = isinstance(node.op, ast.Div | ast.Mod) and not isinstance(node.right, ast.Constant)
        if divides and (node in inside or names.makes(node.left) or names.makes(node.right)):
            yield "divides columns"


class _Functions:
    """The names by which a module calls functions of columns."""

    def __init__(self, tree: ast.Module) -> None:
        self._names: set[str] = set()
        self._modules: set[str] = set()
        for node in of_kinds(tree, ast.ImportFrom):
            for alias in node.names:
                if node.module == _FUNCTIONS:
                    self._names |= _USUAL if alias.name == "*" else {alias.asname or alias.name}
                elif f"{node.module}.{alias.name}" == _FUNCTIONS:
                    self._modules.add(alias.asname or alias.name)
        for statement in of_kinds(tree, ast.Import):
            self._modules |= {one.asname or one.name for one in statement.names if one.name == _FUNCTIONS}

    def makes(self, node: ast.expr) -> bool:
        """Whether an expression is a column that one of them makes, or is made of it."""
        match node:
            case ast.Call(func=ast.Name(name)):
                return name in self._names
            case ast.Call(func=ast.Attribute(value=value)):
                return ast.unparse(value) in self._modules or self.makes(value)
            case ast.BinOp(left=left, right=right):
                return self.makes(left) or self.makes(right)
            case ast.Subscript(value=value):
                return self.makes(value)
        return False
