"""Whether a regular expression matches: ``re.search``, ``re.match`` and ``re.fullmatch`` as conditions.

Which text it finds does not matter here, so that groups may capture, and that what may match nothing at the
end of a search is left out: ``Temperature.*`` is a search for a word.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Sequence
from typing import Any

from migrate.columns import characters, code
from migrate.columns.characters import NONE
from migrate.columns.compiler import Compiler
from migrate.columns.element import Mixed, Scalar, Value
from migrate.columns.messages import refusal
from migrate.columns.regex_characters import matched, removed
from migrate.columns.regexes import DOMAIN, NotCommon, Writer, end_of, flat, given, parsed, with_flag
from migrate.columns.registry import Production, function
from migrate.columns.shapes import Bool, Str
from migrate.columns.tells import telling
from migrate.columns.texts import characters_of

if sys.version_info >= (3, 11):
    from re import _constants as constants  # type: ignore[attr-defined]
else:
    import sre_constants as constants

Items = list[tuple[Any, Any]]
_REPEATS = (constants.MAX_REPEAT, constants.MIN_REPEAT)
_END = ((constants.AT, constants.AT_END), (constants.AT, constants.AT_END_STRING))
_BEGINNINGS = ((constants.AT, constants.AT_BEGINNING), (constants.AT, constants.AT_BEGINNING_STRING))


def _register(name: str, before: str, literal: str, *, whole_text: bool = False) -> None:
    """Register a test.

    Args:
        name: the function.
        before: what Java's pattern begins with.
        literal: the method of Column that does the same for a literal; empty for none.
        whole_text: whether it ends with the text.
    """

    @function(
        f"re.{name}",
        Production(
            f're.{name}("[0-9]+", s)',
            f"{DOMAIN}; only whether there is a match",
            (
                f"lambda s: 'yes' if re.{name}('[0-9]+', s) else 'no'",
                f"lambda s: bool(re.{name}('a|ab$', s))",
                f"lambda s: not re.{name}('[^a]*.', s)",
                f"lambda s: re.{name}('[^a]+k', s) is None",
                f"lambda s: re.{name}('a.?1', s) is not None",
                f"lambda s: bool(re.{name}('(a)b*', s))",
                f"lambda s: bool(re.{name}('ab.*', s))",
                f"lambda s: bool(re.{name}('.*a', s))",
                f"lambda s: bool(re.{name}('^(a|b)', s)) or bool(re.{name}('^(a)#.*', s))",
                f"lambda o: bool(re.{name}('a', o))",
            ),
            sensitive="the pattern is written anew for Java",
        ),
        parameters={"pattern": ..., "string": ..., "flags": 0},
    )
    def matches(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
        pattern, whole, flags = arguments
        text = compiler.scalar_text(compiler.present(whole), node)
        of = characters_of(text)
        try:
            read = parsed(*given(node, pattern, flags))
            items = _trimmed(flat(read.data), start=not before, end=not whole_text)
            writer = Writer(read.state.flags, of)
            ends = not whole_text and bool(items) and writer.is_end(items[-1])
            begins = bool(before and items) and writer.is_beginning(items[0])
            inner = writer.sequence(items[begins : len(items) - ends])
        except NotCommon as why:
            raise refusal(node, str(why)) from None
        after = end_of(of) if whole_text else ""
        asked, rest = ("startswith", items[1:]) if _begins(items, read.state.flags) else (literal, items)
        if asked and not after and not read.state.flags & re.IGNORECASE and _is_literal(rest):
            word = "".join(chr(point) for _, point in rest)
            return _condition(f"{code.column(text)}.{asked}({code.quote(word)})", text)
        end = after or (r"\n?\z" if ends else "")
        regex = code.pattern(with_flag(f"{before}{inner}{end}", read.state.flags))
        condition = code.build(f"{code.column(text)}.rlike({regex})", Bool(), text)
        least = read.getwidth()[0]
        found = _telling(condition, text, items, read.state.flags, least, start=before, end=after)
        return Mixed(found, or_none=True)


def _condition(text: str, of: Scalar) -> Mixed:
    return Mixed(code.build(text, Bool(), of), or_none=True)


def _telling(
    condition: Scalar, text: Scalar, items: Items, flags: int, least: int, *, start: str, end: str
) -> Scalar:
    """A condition that says how long a text is, and which characters it holds, if it asks about all of them.

    Args:
        condition: the condition.
        text: the text.
        items: the parts of the pattern.
        flags: those of the pattern.
        least: the length of the shortest text that it matches.
        start: what else says that it begins with the text.
        end: what else says that it ends with it.
    """
    last = items[-1] if items and not flags & re.MULTILINE else (None, None)
    if not (start or _begins(items, flags)) or not (end or last in _END):
        free = NONE if start or end else removed(items, flags)
        return telling(condition, text, holds=Str(at_least=least), fails=Str(~free))
    found = matched(items, flags)
    if not end and last[1] is constants.AT_END:
        found = found | characters.of("\n")
    return telling(condition, text, holds=Str(found, least))


def _begins(items: Items, flags: int) -> bool:
    """Whether a pattern is only looked for at the beginning of the text."""
    first = items[0] if items else (None, None)
    return first in _BEGINNINGS and not flags & re.MULTILINE


def _trimmed(items: Items, *, start: bool, end: bool) -> Items:
    """The parts of a pattern without those at its open ends that may match nothing.

    Args:
        items: the parts.
        start: whether it may match anywhere behind the beginning.
        end: whether anything may follow.
    """
    left = items
    while end and left and _may_be_nothing(left[-1]):
        left = left[:-1]
    while start and left and _may_be_nothing(left[0]):
        left = left[1:]
    return left or items


def _may_be_nothing(item: tuple[Any, Any]) -> bool:
    return item[0] in _REPEATS and item[1][0] == 0


def _is_literal(items: Items) -> bool:
    return bool(items) and all(kind is constants.LITERAL for kind, _ in items)


_register("search", "", "contains")
_register("match", "^", "startswith")
_register("fullmatch", "^", "", whole_text=True)
