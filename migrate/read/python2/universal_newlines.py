"""``open(path, "rU")``: Python 3 reads the ends of all systems' lines without it, and 3.11 refuses it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.syntax.nodes import of_kinds
from migrate.syntax.text import Edit, Text

_MODE = re.compile(r"""(['"])(?:U|rU|Ur)\1""")


def universal_newlines(tree: ast.Module, text: Text) -> Iterator[Edit]:
    """The modes of files without what Python 3 has no need for."""
    for call in of_kinds(tree, ast.Call):
        if not (isinstance(call.func, ast.Name) and call.func.id == "open"):
            continue
        for mode in (*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "mode")):
            match = _MODE.fullmatch(text.of(mode))
            if match is not None:
                yield Edit(text.start(mode), text.end(mode), f"{match[1]}r{match[1]}")
