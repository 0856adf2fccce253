"""What docstrings say of parameters that have other names now, and of what is gone."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator

from migrate.codemod.changes import Changes
from migrate.codemod.old_words import is_commented_code
from migrate.codemod.retelling import without_streams
from migrate.codemod.subjects import speaks_of_old
from migrate.plan.code import Makes
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.wording import Words, other_words

_FIELDS = r":(?:param|type)(?: \w+)? {0}:|@(?:param|type) {0}\b|`{0}`"
"""Of Sphinx and of Epydoc, and a name in the text."""
_ROWS = r"^[ \t]*{0}(?: ?\([^()\n]*\))? ?:"
"""``ssc: the context`` and ``ssc (StreamingContext): the context``, as Google and NumPy write them."""
_FIELD = re.compile(r"[ \t]*(?:[:@](?:param|type) )?\w+(?: ?\([^()\n]*\))? ?:(?= )")
"""The name of a parameter before what is said of it."""
_TYPED = re.compile(r"( ?\()DStream(\) ?:)$")
"""The type of a parameter: ``words (DStream):``."""
_GONE = re.compile(r"rdd|d-?stream|context", re.IGNORECASE)
"""What a docstring may say of the old API."""
_IN_CODE = re.compile(r"[/\\`\"']|\w\.\w")
"""A word that is a path, an address or code."""


def docstring_words(
    changes: Changes, *, rdds: bool, per_batch: Collection[ast.AST]
) -> Iterator[tuple[ast.expr, Words]]:
    """The docstrings that name a parameter by its old name, or what is gone, with their other words.

    Args:
        changes: the changes of a module.
        rdds: whether the program has RDDs or a SparkContext still.
        per_batch: the functions that are given the DataFrames of each batch.
    """
    tree = changes.tree
    holders: list[ast.Module | ast.FunctionDef | ast.ClassDef] = [tree]
    holders += of_kinds(tree, ast.FunctionDef)
    holders += of_kinds(tree, ast.ClassDef)
    for holder in holders:
        match holder.body[:1]:
            case [ast.Expr(ast.Constant(str(text)) as docstring)]:
                renamed = [*_renamed(holder, changes)] if isinstance(holder, ast.FunctionDef) else []
                of_rdds = rdds and not any("rdd" in old.lower() for old, _ in renamed)
                stream = Makes.FRAME if holder in per_batch else Makes.SOURCE
                told = [*_of_gone(text, rdds=of_rdds, stream=stream)]
                if stream is Makes.FRAME and _makes_rdds(holder, changes):
                    told = []  # nor may it be a DataFrame what it returns
                words = [*told, *_of_renamed(other_words(text, tuple(told)), renamed)]
                if told and speaks_of_old(other_words(text, tuple(words)), rdds=of_rdds):
                    words = [*_of_renamed(text, renamed)]  # half of it in other words would be worse
                if words:
                    yield docstring, tuple(dict.fromkeys(words))


def _of_gone(text: str, *, rdds: bool, stream: Makes) -> Iterator[tuple[str, str]]:
    """The lines of a docstring that speak of what is gone, and what they say now."""
    for line in text.splitlines() if _GONE.search(text) else ():
        head = _FIELD.match(line)
        field = head[0] if head is not None else ""
        new = _TYPED.sub(r"\1DataFrame\2", field)
        new += without_streams(line.removeprefix(field), rdds=rdds, stream=stream)
        if new != line and not _has_code(line):
            yield line, new


def _makes_rdds(holder: ast.AST, changes: Changes) -> bool:
    """Whether the new code of a function makes an RDD of a DataFrame."""
    inside = {*walk(holder)}
    return any(place in inside and ".rdd" in code for place, code in changes.codes())


def _has_code(line: str) -> bool:
    """Whether a line of a docstring is code, or speaks of what is gone in some."""
    in_code = any(_GONE.search(word) and _IN_CODE.search(word) for word in line.split())
    return in_code or "\\" in line or is_commented_code(line)


def _renamed(function: ast.FunctionDef, changes: Changes) -> Iterator[tuple[str, str]]:
    for parameter in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        code = changes.expressions.get(parameter, parameter.arg)  # with its annotation
        name = changes.renamed.get(parameter, code.partition(":")[0].strip())
        if name != parameter.arg:
            yield parameter.arg, name


def _of_renamed(text: str, renamed: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """What a docstring calls its parameters, and what they are called now."""
    return (pair for old, new in renamed for pair in _words(text, old, new))


def _words(text: str, old: str, new: str) -> Iterator[tuple[str, str]]:
    for pattern in (_FIELDS, _ROWS):
        for found in re.findall(pattern.format(old), text, re.MULTILINE):
            yield found, re.sub(rf"\b{old}\b", new, found)
