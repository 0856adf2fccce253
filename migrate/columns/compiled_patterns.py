"""Regular expressions that are compiled: ``pattern.sub("", line)`` is ``re.sub(pattern, "", line)``."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from migrate.columns import code
from migrate.columns.compiler import Compiler
from migrate.columns.constants import python_value
from migrate.columns.element import Settled, Value
from migrate.columns.messages import refusal
from migrate.columns.regexes import DOMAIN, given
from migrate.columns.registry import FUNCTIONS, Production, function
from migrate.columns.shapes import Unknown

COMPILED = "it is a compiled regular expression"
_FROM = frozenset({"match", "fullmatch", "search", "findall"})
"""Methods that may be told where in the text they begin, as the functions may not."""


@function(
    "re.compile",
    Production(
        're.compile("[0-9]+").search(s)',
        f"{DOMAIN}; for the methods `findall`, `fullmatch`, `match`, `search`, `split` and `sub`",
        (
            "lambda s: bool(re.compile('#').match(s, 0))",
            "lambda s: re.compile('[^a-z]', re.I).sub('', s)",
            r"lambda s: re.compile(r'[\\s,]+').split(s)",
        ),
        sensitive="the pattern is written anew for Java",
    ),
    parameters={"pattern": ..., "flags": 0},
)
def _compile(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    pattern, flags = arguments
    return Settled("", Unknown(COMPILED), re.Pattern, pattern=given(node, pattern, flags))


def method_of_pattern(
    compiler: Compiler,
    node: ast.Call,
    name: str,
    receiver: Settled,
    arguments: Sequence[Value],
    keywords: Mapping[str, Value],
) -> Value:
    """The function of ``re`` that does what a method of a compiled pattern does.

    Raises:
        Refusal: there is none, or it has no Column form.
    """
    if receiver.pattern is None or f"re.{name}" not in FUNCTIONS or name == "compile":
        raise refusal(node, COMPILED)
    text, flags = receiver.pattern
    if name in _FROM and len(arguments) == 2 and python_value(arguments[1]) == 0:
        arguments = arguments[:1]
    elif name in _FROM and len(arguments) != 1:
        raise refusal(node, "it begins elsewhere than at the beginning of the text")
    known = [code.known(text), *arguments]
    return compiler.call_function(node.func, f"re.{name}", known, {**keywords, "flags": code.known(flags)})
