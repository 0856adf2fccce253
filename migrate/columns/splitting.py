"""``split``: Python's separator is a text, Spark's a regular expression; without one Python drops empties."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import characters, code
from migrate.columns.characters import NONE, SPACE
from migrate.columns.compiler import Compiler
from migrate.columns.element import Scalar, Value
from migrate.columns.helpers import WHITESPACE
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, method
from migrate.columns.shapes import List, Str
from migrate.columns.texts import characters_of, constant_text, literal_regex, only


@method(
    Str,
    "split",
    Production(
        "s.split(sep)",
        "every text; sep is a constant, not empty; at most a constant number of times",
        (
            "lambda s: s.split(' ')",
            "lambda s: s.split('.')",
            "lambda s: s.split('|', 1)",
            "lambda s: s.split(', ')",
            r"lambda s: s.split('\\')",
            r"lambda s: s.split('\t')",
            "lambda s: s.split('a' 'a')",
        ),
        sensitive="the separator is quoted as a regular expression",
    ),
    Production(
        "s.split()",
        "every text; Unicode's whitespace and U+001C to U+001F",
        ("lambda s: s.split()", "lambda s: s.split(None)"),
    ),
)
def _split(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Value:
    only(node, arguments, 2, 0)
    if not arguments or (isinstance(arguments[0], Scalar) and arguments[0].constant is None):
        if len(arguments) > 1:
            raise refusal(node, "splitting at whitespace a limited number of times has no Column form")
        pieces = compiler.split(receiver, WHITESPACE)
        words = List(Str(characters_of(receiver) - SPACE, 1))
        reads = compiler.pattern_reads(WHITESPACE)
        return code.build(f'F.array_remove({pieces}, "")', words, receiver, reads=reads)
    separator = constant_text(node, arguments[0], "the separator")
    if not separator:
        raise refusal(node, "an empty separator always raises ValueError")
    most = _at_most(node, arguments)
    gone = characters.of(separator) if len(separator) == 1 and most is None else NONE
    text = compiler.split(receiver, literal_regex(separator), "" if most is None else f", {most}")
    parts = List(Str(characters_of(receiver) - gone), 1, at_most=most)
    return code.build(text, parts, receiver)


def _at_most(node: ast.AST, arguments: Sequence[Value]) -> int | None:
    """How many parts there are at most; None where all separators count."""
    if len(arguments) == 1:
        return None
    limit = arguments[1].constant if isinstance(arguments[1], Scalar) else None
    if type(limit) is not int or not -1 <= limit < 2**31 - 1 or limit == 0:
        raise refusal(node, "how often it is split is not a constant from 1 on")
    return None if limit == -1 else limit + 1
