"""Several tests of one text as one pattern.

``w and len(w) > 1 and w[0] == "#" and re.match("^[a-z]*$", w[1:])`` asks for ``^#[a-z]+$``.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence

from migrate.columns.compiler import Compiler, Names
from migrate.columns.constants import python_value
from migrate.columns.element import Refusal, Scalar
from migrate.columns.regexes import NotCommon, parsed
from migrate.columns.shapes import Str
from migrate.frozen import dataclass

if sys.version_info >= (3, 11):
    from re import _constants as constants  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
else:
    import sre_constants as constants
    import sre_parse as parser

_BEGINNINGS = ("^", r"\A")


@dataclass(frozen=True)
class _Asked:
    """What an operand asks of a text: what it begins with, and how long it is at least."""

    prefix: str = ""
    at_least: int = 0
    raises: bool = False
    """Whether Python raises for an empty text."""


def in_one_pattern(compiler: Compiler, operands: Sequence[ast.expr], names: Names) -> list[ast.expr]:
    """The operands of an ``and``, where tests of a text before ``re.match`` become a part of its pattern."""
    for place, operand in enumerate(operands):
        match operand:
            case ast.Call(ast.Attribute() | ast.Name() as function, [pattern, text], []):
                if compiler.qualified(function, names) != "re.match":
                    continue
                name, skipped = _rest(text)
                tests = list(_before(operands[:place], name))
                made = _pattern(compiler, names, pattern, name, skipped, tests)
                if made is not None:
                    new = ast.Call(function, [ast.Constant(made), ast.Name(name, ast.Load())], [])
                    for node in (new, *new.args):
                        ast.copy_location(node, operand)
                    return [*operands[: place - len(tests)], new, *operands[place + 1 :]]
    return list(operands)


def _rest(text: ast.expr) -> tuple[str, int]:
    """The variable of ``w`` or ``w[1:]``, and how many characters are left out; no name for others."""
    match text:
        case ast.Name(name):
            return name, 0
        case ast.Subscript(ast.Name(name), ast.Slice(ast.Constant(int(skipped)), None, None)) if skipped > 0:
            return name, skipped
    return "", 0


def _before(operands: Sequence[ast.expr], name: str) -> Iterator[_Asked]:
    """What the last operands ask of a text, from behind, as far as they ask nothing else."""
    for operand in reversed(operands):
        asked = _asked(operand, name)
        if asked is None:
            return
        yield asked


def _asked(operand: ast.expr, name: str) -> _Asked | None:
    match operand:
        case ast.Name(same) if same == name:
            return _Asked(at_least=1)
        case ast.Compare(ast.Name(same), [ast.NotEq()], [ast.Constant("")]) if same == name:
            return _Asked(at_least=1)
        case ast.Compare(
            ast.Call(ast.Name("len"), [ast.Name(same)], []), [ast.Gt() | ast.GtE() as sign], [ast.Constant(n)]
        ) if same == name and type(n) is int:
            return _Asked(at_least=n + 1 if isinstance(sign, ast.Gt) else n)
        case ast.Compare(
            ast.Subscript(ast.Name(same), ast.Constant(0)), [ast.Eq()], [ast.Constant(str(first))]
        ) if same == name and len(first) == 1:
            return _Asked(first, 1, raises=True)
        case ast.Call(ast.Attribute(ast.Name(same), "startswith"), [ast.Constant(str(prefix))], []):
            return _Asked(prefix, len(prefix)) if same == name else None
    return None


def _pattern(
    compiler: Compiler, names: Names, given: ast.expr, name: str, skipped: int, tests: list[_Asked]
) -> str | None:
    """The pattern that asks for all of it; None where there is none.

    Args:
        compiler: the compiler.
        names: the values of names.
        given: the pattern of ``re.match``.
        name: the variable of the text.
        skipped: how many characters of it that pattern leaves out.
        tests: what is asked of it beside that, the last test first.
    """
    text = names.get(name)
    if not tests or not isinstance(text, Scalar) or not isinstance(text.shape, Str):
        return None
    prefix = max((test.prefix for test in tests), key=len)
    for place, test in enumerate(tests):
        if test.raises and not any(first.at_least > 0 and not first.raises for first in tests[place + 1 :]):
            return None  # Python fails for an empty text
    try:
        pattern = python_value(compiler.value(given, names))
        if not isinstance(pattern, str) or len(prefix) != skipped or "len" in compiler.scope.shadowed:
            return None
        least = max(test.at_least for test in tests) - skipped
        body = _of_length(pattern, least, ends_at_line="\n" not in text.shape.characters)
    except (NotCommon, Refusal):
        return None
    if body is None or any(not prefix.startswith(test.prefix) for test in tests):
        return None
    return f"^{re.escape(prefix)}{body}"


def _of_length(pattern: str, least: int, *, ends_at_line: bool) -> str | None:
    """A pattern without the sign for the beginning, which matches so many characters at least.

    Args:
        pattern: the pattern.
        least: the number of characters.
        ends_at_line: whether ``$`` stands for the end of the text alone.
    """
    body = next((pattern[len(sign) :] for sign in _BEGINNINGS if pattern.startswith(sign)), pattern)
    read = parsed(body, 0)
    if read.state.flags != re.UNICODE or any(kind is constants.BRANCH for kind, _ in read.data):
        return None
    if _asks_for_the_beginning(read.data):  # which is another one, where a prefix stands before it
        return None
    if read.getwidth()[0] >= least:
        return body
    if least == 1 and ends_at_line and body.endswith("*$"):
        longer = f"{body[:-2]}+$"
        read = parsed(longer, 0)
        items = list(read.data)
        if len(items) == 2 and items[0][0] is constants.MAX_REPEAT and read.getwidth()[0] == 1:
            return longer
    return None


def _asks_for_the_beginning(part: object) -> bool:
    """Whether a part of a pattern only matches at the beginning of a text."""
    if isinstance(part, parser.SubPattern):
        part = part.data
    if isinstance(part, list | tuple):
        return any(map(_asks_for_the_beginning, part))
    return part is constants.AT_BEGINNING or part is constants.AT_BEGINNING_STRING
