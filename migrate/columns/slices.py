"""Characters and slices of texts, in code points on both sides."""

from __future__ import annotations

import ast

from migrate.columns import code
from migrate.columns.compiler import Compiler
from migrate.columns.element import Scalar
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, covers
from migrate.columns.shapes import LENGTH_MAX, Str

WHAT = "an index beyond the end of a text, which gives an empty one"


@covers(
    Production(
        "s[0]",
        "a constant index; beyond the end both raise",
        ("lambda s: s[0]", "lambda s: s[2]", "lambda s: s[-1]"),
        partial=True,
        sensitive="a Column gives an empty text beyond the end",
    )
)
def text_item(compiler: Compiler, node: ast.AST, text: Scalar, index: Scalar) -> Scalar:
    """Return ``text[index]``."""
    position = index.constant
    if not isinstance(position, int) or not -LENGTH_MAX <= position < LENGTH_MAX:
        raise refusal(node, "the index is not a constant")
    least = position if position >= 0 else -position - 1
    start = position + 1 if position >= 0 else position
    assert isinstance(text.shape, Str)
    of, longest = text.shape.characters, text.shape.at_least
    character = f"{code.column(text)}.substr({start:d}, 1)"
    bare = code.build(character, Str(of, int(least < longest)), text)
    if least < longest:
        return bare
    checked = f"F.when(F.length({code.argument(text)}) > {least:d}, {character})"
    found = code.build(checked, Str(of), text, skips=True)
    return compiler.failing(
        WHAT,
        lambda: bare,
        lambda: compiler.required(found, "string index out of range"),
        may_raise=False,
    )


@covers(
    Production(
        "s[1:3]",
        "constant bounds",
        (
            "lambda s: s[1:3]",
            "lambda s: s[:2]",
            "lambda s: s[1:]",
            "lambda s: s[-2:]",
            "lambda s: s[:-1]",
            "lambda s: s[1:-1]",
            "lambda s: s[-3:-1]",
            "lambda s: s.strip()[1:-1]",
            "lambda s: s.strip()[3:-2]",
            "lambda s: s.strip()[2:]",
            "lambda s: s.strip()[:-3]",
        ),
    )
)
def text_slice(
    compiler: Compiler, node: ast.AST, text: Scalar, lower: int | None, upper: int | None
) -> Scalar:
    """Return ``text[lower:upper]``."""
    start = lower or 0
    if max(abs(start), abs(upper or 0)) > LENGTH_MAX:
        raise refusal(node, "no text is that long")
    if start == 0 and upper is None:
        return text
    receiver = code.column(text)
    assert isinstance(text.shape, Str)
    part = Str(text.shape.characters)
    if upper is not None and upper >= 0 and start >= 0:
        return code.build(f"{receiver}.substr({start + 1}, {max(upper - start, 0)})", part, text)
    length = f"F.length({code.argument(text)})"
    if start < 0 and upper is None:
        return code.build(f"{receiver}.substr({start}, {-start})", part, text)
    if start >= 0 and upper is None:
        return code.build(f"F.substr({code.argument(text)}, F.lit({start + 1}))", part, text)
    if start >= 0 and upper is not None and text.column is None:
        ends = ("\\A." + _times(start)) * (start > 0) + "|" * (start > 0) + "." + _times(-upper) + "\\z"
        regex = code.pattern(f"(?s){ends}")
        return code.build(f'F.regexp_replace({code.argument(text)}, {regex}, "")', part, text)
    if start >= 0 and upper is not None:
        return code.build(f"{receiver}.substr(F.lit({start + 1}), {length} - {start - upper})", part, text)
    if upper is not None and upper < 0:
        return code.build(f"{receiver}.substr({start}, {max(upper - start, 0)})", part, text)
    raise refusal(node, "a slice from a negative to a positive bound has no Column form")


def _times(number: int) -> str:
    """The quantifier for at most so many characters, of which one has none: it is there or nothing is."""
    return "" if number == 1 else f"{{0,{number}}}"
