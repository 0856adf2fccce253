"""Items and slices of lists: beyond the end Python raises; a Column does in ANSI mode, and is null else."""

from __future__ import annotations

import ast

from migrate.columns import code
from migrate.columns.compiler import Compiler
from migrate.columns.element import Scalar, Written
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, covers
from migrate.columns.shapes import LENGTH_MAX, List, Maybe

BEYOND = "list index out of range"
WHAT = "an index beyond the end"


@covers(
    Production(
        "words[1]",
        "a constant index; beyond the end both raise",
        (
            "lambda words: words[0]",
            "lambda s: s.split(',')[0]",
            "lambda s: s.split(',')[-1]",
            "lambda s: s.split(',')[1]",
            "lambda words: words[-2]",
            "lambda s: s.split()[0]",
        ),
        partial=True,
        sensitive="a Column gives null beyond the end without ANSI mode",
    )
)
def list_item(compiler: Compiler, node: ast.AST, array: Scalar, index: Scalar) -> Scalar:
    """Return ``array[index]`` of a list."""
    assert isinstance(array.shape, List)
    position = index.constant
    if not isinstance(position, int):
        raise refusal(node, "the index is not a constant")
    if isinstance(array.shape.of, Maybe):
        raise refusal(node, "an item of this list may be None")
    if not -LENGTH_MAX <= position < LENGTH_MAX:
        raise refusal(node, "no list is that long")
    shape = array.shape.of
    if 0 <= position < array.shape.at_least:
        return _indexed(array, position)
    if 0 < -position <= array.shape.at_least:
        return code.build(f"F.element_at({code.argument(array)}, {position:d})", shape, array)
    if position >= 0:
        bare = _indexed(array, position)
        found = code.build(f"F.get({code.argument(array)}, F.lit({position:d}))", shape, array)
    else:
        bare = code.build(f"F.element_at({code.argument(array)}, {position:d})", shape, array)
        found = code.build(
            f"F.get(F.reverse({code.argument(array)}), F.lit({-position - 1:d}))", shape, array
        )
    if -array.shape.tested <= position < array.shape.tested and not compiler.scope.guards.fail_as_python_does:
        return bare.may_raise
    return compiler.failing(WHAT, lambda: bare, lambda: compiler.required(found, BEYOND), raises_in_ansi=True)


def _indexed(array: Scalar, position: int) -> Scalar:
    assert isinstance(array.shape, List)
    written = Written("[]", (array,), position)
    return code.build(f"{code.column(array)}[{position:d}]", array.shape.of, array, written=written)


@covers(
    Production(
        "words[1:]",
        "constant bounds that are not negative",
        (
            "lambda words: words[1:]",
            "lambda words: words[:2]",
            "lambda words: words[1:3]",
            "lambda words: words[:]",
        ),
    )
)
def list_slice(
    compiler: Compiler, node: ast.AST, array: Scalar, lower: int | None, upper: int | None
) -> Scalar:
    """Return ``array[lower:upper]``."""
    assert isinstance(array.shape, List)
    start = lower or 0
    if start < 0 or (upper is not None and upper < 0) or max(start, upper or 0) > LENGTH_MAX:
        raise refusal(node, "a slice of a list with a negative bound has no Column form")
    if start == 0 and upper is None:
        return array
    name = code.argument(array)
    size = f"F.size({name})" if upper is None else str(max(upper - start, 0))
    least = max((array.shape.at_least if upper is None else min(upper, array.shape.at_least)) - start, 0)
    return code.build(f"F.slice({name}, {start + 1}, {size})", List(array.shape.of, least), array)
