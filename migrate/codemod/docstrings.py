"""What docstrings say of parameters that have other names now."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.codemod.changes import Changes
from migrate.syntax.nodes import of_kinds
from migrate.syntax.wording import Words

_FIELDS = r":(?:param|type)(?: \w+)? {0}:|@(?:param|type) {0}\b|`{0}`"
"""Of Sphinx and of Epydoc, and a name in the text."""
_ROWS = r"^[ \t]*{0}(?: ?\([^()\n]*\))? ?:"
"""``ssc: the context`` and ``ssc (StreamingContext): the context``, as Google and NumPy write them."""


def renamed_in_docstrings(changes: Changes) -> Iterator[tuple[ast.expr, Words]]:
    """The docstrings that name a parameter by its old name, with their other words."""
    for function in of_kinds(changes.tree, ast.FunctionDef):
        match function.body[0]:
            case ast.Expr(ast.Constant(str(text)) as docstring):
                words = [pair for old, new in _renamed(function, changes) for pair in _words(text, old, new)]
                if words:
                    yield docstring, tuple(dict.fromkeys(words))


def _renamed(function: ast.FunctionDef, changes: Changes) -> Iterator[tuple[str, str]]:
    for parameter in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        code = changes.expressions.get(parameter, parameter.arg)  # with its annotation
        name = changes.renamed.get(parameter, code.partition(":")[0].strip())
        if name != parameter.arg:
            yield parameter.arg, name


def _words(text: str, old: str, new: str) -> Iterator[tuple[str, str]]:
    for pattern in (_FIELDS, _ROWS):
        for found in re.findall(pattern.format(old), text, re.MULTILINE):
            yield found, re.sub(rf"\b{old}\b", new, found)
