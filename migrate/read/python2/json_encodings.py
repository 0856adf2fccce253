"""``json.loads(text, encoding="utf-8")``: texts need no decoding, and Python 3.9 refuses the argument."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.syntax.json_calls import encoding_of
from migrate.syntax.nodes import of_kinds
from migrate.syntax.text import Edit, Text

_DEFAULT = frozenset({"utf-8", "utf8", "utf_8"})


def json_encodings(tree: ast.Module, text: Text) -> Iterator[Edit]:
    """The calls without the encoding that was the one without it as well."""
    for call in of_kinds(tree, ast.Call):
        given = encoding_of(call)
        if given is None or not isinstance(given.value, ast.Constant):
            continue
        before = [
            one for one in (*call.args, *(word.value for word in call.keywords)) if one is not given.value
        ]
        ends = [text.end(one) for one in before if text.end(one) < text.start(given)]
        if str(given.value.value).lower() in _DEFAULT and ends:
            yield Edit(max(ends), text.end(given), "")
