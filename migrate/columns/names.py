"""Names for result columns: the program's own names, never ``_1`` where one exists."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Sequence

from migrate.columns.code import column_named, quote, reference
from migrate.columns.element import ATOM, Element, Record, Scalar, leaves
from migrate.syntax.copies import changed

_SAME_IN_PLURAL = frozenset(
    {"series", "news", "status", "statistics", "analysis", "bus", "gas", "lens", "dns", "https"}
)
_VAGUE = frozenset(
    {
        *("stream", "dstream", "rdd", "drdd", "myrdd", "kvs", "kv", "pair", "tup", "tuple", "args", "elem"),
        *("element", "new", "input", "kafka", "mapped", "tmp", "temp", "obj"),
    }
)
_KIND = re.compile(
    r"(?:^|_)(?i:rdd|d?stream|ds|df|kvs?|key_?vals?)\d*$"
    r"|(?<=[a-z0-9])(?:RDD|Rdd|DStream|Dstream|Stream|DF|Df|KVs?|Kvs?|KeyVals?)\d*$"
)
"""The end of a stream's name that says what kind of object it is."""
_COUNTED = re.compile(r"(?<=[^\W\d_]{4})_?\d$")
"""The number of one of several variables, ``words2``, and not that of ``md5`` or ``base64``."""


def singular(plural: str) -> str:
    """Return the name of one of many: ``words`` -> ``word``, ``queries`` -> ``query``."""
    lower = plural.lower()
    if any(lower == word or lower.endswith("_" + word) for word in _SAME_IN_PLURAL) or lower.endswith(
        ("ss", "us", "is")
    ):
        return plural
    if lower.endswith("ies") and len(plural) > 4:
        return plural[:-3] + "y"
    if lower.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return plural[:-2]
    if lower.endswith("s") and len(plural) > 3:
        return plural[:-1]
    return plural


def name_of_one(stream: str | None) -> str | None:
    """Return the name of an element of a stream: ``words2`` -> ``word``, ``tweets_rdd`` -> ``tweet``.

    None where the name says nothing of the elements, as ``dstream1``.
    """
    bare = without_kind(stream or "")
    return singular(bare) if is_telling(bare) else None


def without_kind(variable: str) -> str:
    """Return a variable's name without what says that it is a stream, or one of several."""
    return _COUNTED.sub("", _KIND.sub("", variable))


def is_telling(name: str | None) -> bool:
    """Return whether a name says what the value is: not ``x``, ``_``, ``kv`` or ``t1``."""
    if name is None or not name.isidentifier() or keyword.iskeyword(name):
        return False
    return len(name.strip("_0123456789")) > 1 and name.lower() not in _VAGUE


def named_items(made: Record, names: Sequence[str]) -> Record:
    """The record with these names for its items."""
    items = zip(made.items, names, strict=True)
    return changed(made, items=tuple(changed(item, name=name) for item, name in items))


def name_columns(element: Element, hint: str | None = None, taken: Iterable[str] = ()) -> Element:
    """Give every column of an element a name of its own.

    A column keeps the name it has. A lone column without one takes the hint's singular (`words` gives
    `word`), then ``value``; in a pair the first column is the ``key``, the second the ``value``, also where
    a 1 stands beside it; else ``field1``, ``field2``.
    """
    columns = leaves(element)
    total = 2 if _is_pair(element) else len(columns)
    used = {name.lower() for name in taken}
    names: list[str] = []
    for position, column in enumerate(columns):
        name = _own_name(column, position, total, hint)
        number = 2
        unique = name
        while unique.lower() in used:
            unique, number = f"{name}{number}", number + 1
        used.add(unique.lower())
        names.append(unique)
    remaining = iter(names)
    return renamed(element, remaining)


def _is_pair(element: Element) -> bool:
    """Whether an element is a key with a value, and beside that a 1 or a count: ``(shop, (price, 1))``."""
    match element:
        case Record(items=(Scalar(), Record(items=(Scalar(), Scalar() as last)))):
            return last.constant == 1 or last.name == "count"
    return False


def _own_name(column: Scalar, position: int, total: int, hint: str | None) -> str:
    name = column.name or column.column
    if name is not None and name.isidentifier():
        return name
    if column.constant == 1 and column.constant is not True and total > 1:
        return "count"  # what a 1 beside a key is there for
    if total == 1:
        return name_of_one(hint) or "value"
    if total == 2:
        return "key" if position == 0 else "value"
    return f"field{position + 1}"


def renamed(element: Element, names: Iterable[str | None]) -> Element:
    """Return the element with these names, or none, for its columns, from left to right."""
    remaining = iter(names)
    if isinstance(element, Scalar):
        return element if element.unread else changed(element, name=next(remaining))
    return changed(element, items=tuple(renamed(item, remaining) for item in element.items))


def projection(element: Element) -> tuple[str, ...]:
    """Return the arguments of ``select`` for an element whose columns all have names.

    JSON that is parsed here is exploded, so that Spark does not parse again for each condition; a ``select``
    bears one explode.
    """
    columns = leaves(element)
    parsed = [column for column in columns if column.parse is not None]
    return tuple(_argument(column, exploded=column in parsed[:1]) for column in columns)


def _argument(column: Scalar, *, exploded: bool) -> str:
    name = column.name or "value"
    if column.column == name:
        return reference(name)
    if column.column is not None and column.column.endswith(f".{name}"):
        return quote(column.column)  # Spark calls the field of a struct by its own name
    code = column.code if column.precedence == ATOM else f"({column.code})"
    code = column.parse.once if exploded and column.parse is not None else code
    return f"{code}.alias({quote(name)})"


def after_select(element: Element) -> Element:
    """Return the element as the columns that `projection` selected."""
    if isinstance(element, Scalar):
        if element.unread:
            return element
        return column_named(element.name or "value", element.shape)
    return changed(element, items=tuple(after_select(item) for item in element.items))
