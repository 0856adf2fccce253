"""Functions of ``re`` with a constant pattern, of what Python's and Java's expressions have in common.

A pattern is read by Python's own parser and written anew for Java, part by part: characters, classes,
repetitions of one of those, alternatives, and both ends of the text. What depends on the version of Unicode
(``\\w``, ``\\d``, ``\\b``), captures, looks around or repeats a group is not covered; nor, where texts are
found, what matches the empty text, of which Python and Java find different ones.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from migrate.columns import characters, code
from migrate.columns.characters import ANY, NONE, TERMINATORS, Characters
from migrate.columns.compiler import Compiler, Names
from migrate.columns.constants import python_value
from migrate.columns.element import Scalar, Value
from migrate.columns.messages import refusal
from migrate.columns.regex_characters import matched, removed
from migrate.columns.registry import FUNCTIONS, Production, function
from migrate.columns.shapes import List, Str
from migrate.columns.texts import characters_of, constant_text
from migrate.frozen import dataclass

if sys.version_info >= (3, 11):
    from re import _constants as constants  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
else:
    import sre_constants as constants
    import sre_parse as parser

DOMAIN = "every text; a constant pattern of characters, classes, repetitions of those and alternatives"
_PLAIN = frozenset(" _,;:'!@#%=<>/~`\"")
_SPACE = r"\s\x1c-\x1f"
"""What Python's ``\\s`` matches, inside a class, under Java's flag (?U)."""
_OF_ASCII = {
    constants.CATEGORY_SPACE: r"\s",
    constants.CATEGORY_NOT_SPACE: r"\S",
    constants.CATEGORY_DIGIT: r"\d",
    constants.CATEGORY_NOT_DIGIT: r"\D",
    constants.CATEGORY_WORD: r"\w",
    constants.CATEGORY_NOT_WORD: r"\W",
}
"""Classes of characters that are the same in Java as in Python under ``re.ASCII``."""


class NotCommon(Exception):  # noqa: N818  (an answer, not an error)
    """A part of a pattern that means something else in Java, or is not known not to."""


@dataclass(frozen=True)
class _Pattern:
    """A pattern whose matches are read, as those of ``re.sub`` and ``re.findall`` are.

    Attributes:
        java: the same for Java.
        matched: the characters that these texts can hold.
        removed: the characters that are in no text once all matches are taken out of it.
    """

    java: str
    matched: Characters
    removed: Characters


def _read(pattern: str, flags: int, of: Characters, *, captures: bool) -> _Pattern:
    """Read a pattern.

    Args:
        pattern: the pattern for Python.
        flags: those that are given with it.
        of: the characters of the texts that are searched.
        captures: whether its groups may capture, as nothing asks for what they do.

    Raises:
        NotCommon: it is not in the part that both have in common.
    """
    read = parsed(pattern, flags)
    if read.state.groups > 1 and not captures:
        raise NotCommon("a group that captures is not covered")
    if read.getwidth()[0] == 0:
        raise NotCommon("Python and Java find different empty texts")
    items = flat(read.data)
    java = Writer(read.state.flags, of).sequence(items)
    if [kind for kind, _ in items] == [constants.BRANCH]:
        java = java.removeprefix("(?:").removesuffix(")")
    java = with_flag(java, read.state.flags)
    return _Pattern(java, matched(items, read.state.flags), removed(items, read.state.flags))


def parsed(pattern: str, flags: int) -> Any:
    """The parts of a pattern, as Python reads it.

    Raises:
        NotCommon: it cannot be read, or has flags that are not covered.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read = parser.parse(pattern, flags)
    except (re.error, OverflowError, RecursionError, ValueError):
        raise NotCommon("Python cannot read the pattern") from None
    if read.state.flags & ~_FLAGS:
        raise NotCommon("one of the flags is not covered")
    return read


def with_flag(pattern: str, flags: int) -> str:
    """A pattern for Java, with the flag that its white space needs beyond ASCII; `flags` are Python's."""
    return f"(?U){pattern}" if _SPACE in pattern and not flags & re.ASCII else pattern


def flat(items: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """The parts of a pattern with those of groups in their places, but of alternatives."""
    found: list[tuple[Any, Any]] = []
    for kind, value in items:
        plain = kind is constants.SUBPATTERN and not value[1] and not value[2]
        if plain and all(inner is not constants.BRANCH for inner, _ in value[3]):
            found += flat(value[3])
        elif kind is constants.BRANCH:
            found.append((kind, (value[0], [flat(branch) for branch in value[1]])))
        elif kind is constants.MAX_REPEAT or kind is constants.MIN_REPEAT:
            found.append((kind, (*value[:2], flat(value[2]))))
        else:
            found.append((kind, value))
    return found


_FLAGS = re.ASCII | re.UNICODE | re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE
_SINGLE = frozenset({constants.LITERAL, constants.NOT_LITERAL, constants.ANY, constants.IN})
"""The parts that match one character."""
ENDS = {
    constants.AT_BEGINNING: "^",
    constants.AT_BEGINNING_STRING: "^",
    constants.AT_END: r"(?=\n?\z)",
    constants.AT_END_STRING: r"\z",
}
_ENDS_OF_LINES = {constants.AT_BEGINNING: r"(?:^|(?<=\n))", constants.AT_END: r"(?=\n|\z)"}


def end_of(found: Characters) -> str:
    """The end of a text of some characters in Java, whose ``$`` stands before what ends a line, too."""
    return "$" if found & TERMINATORS == NONE else r"\z"


class Writer:
    """Writes the parts of a pattern for Java.

    Args:
        flags: those that hold for all of it. None of them becomes a flag of Java, which means other letters.
        of: the characters of the texts.
    """

    def __init__(self, flags: int, of: Characters = ANY) -> None:
        self._any_case = bool(flags & re.IGNORECASE)
        self._ascii = bool(flags & re.ASCII)
        self._any = r"[\s\S]" if flags & re.DOTALL else r"[^\n]"
        self._ends = {**ENDS, **(_ENDS_OF_LINES if flags & re.MULTILINE else {})}
        if "\n" not in of:
            self._ends = {**ENDS, constants.AT_END: end_of(of), constants.AT_END_STRING: end_of(of)}
        if of & TERMINATORS == NONE:
            self._any = "."

    def is_beginning(self, item: tuple[Any, Any]) -> bool:
        """Whether a part of a pattern is the beginning of the text."""
        return item[0] is constants.AT and self._ends.get(item[1]) == ENDS[constants.AT_BEGINNING]

    def is_end(self, item: tuple[Any, Any]) -> bool:
        """Whether a part of a pattern is the end of the text, or what stands before a line feed there."""
        return item == (constants.AT, constants.AT_END) and self._ends[item[1]] == ENDS[item[1]]

    def sequence(self, items: Iterable[tuple[Any, Any]]) -> str:
        """Some parts one after the other.

        Raises:
            NotCommon: one of them is not in the part that both have in common.
        """
        return "".join(self._item(kind, value) for kind, value in items)

    def _item(self, kind: Any, value: Any) -> str:
        if kind is constants.MAX_REPEAT or kind is constants.MIN_REPEAT:
            least, most, inner = value
            if len(inner) != 1 or inner[0][0] not in _SINGLE:
                raise NotCommon("a group that is repeated is not covered")
            lazy = "?" if kind is constants.MIN_REPEAT else ""
            return self._item(*inner[0]) + _times(least, most) + lazy
        if kind is constants.BRANCH:
            return "(?:" + "|".join(self.sequence(branch) for branch in value[1]) + ")"
        if kind is constants.SUBPATTERN and not value[1] and not value[2]:
            inner = self.sequence(value[3])
            return inner if [one for one, _ in value[3]] == [constants.BRANCH] else f"(?:{inner})"
        if kind is constants.AT and value in self._ends:
            return self._ends[value]
        if kind is constants.LITERAL:
            others = self._others(value, value)
            return f"[{_character(value)}{others}]" if others else _character(value)
        if kind is constants.NOT_LITERAL:
            return f"[^{_character(value)}{self._others(value, value)}]"
        if kind is constants.ANY:
            return self._any
        if kind is constants.IN:
            if self._ascii and len(value) == 1 and value[0][0] is constants.CATEGORY:
                return _OF_ASCII[value[0][1]]
            negated = value[0][0] is constants.NEGATE
            return f"[{'^' if negated else ''}{''.join(self._member(*one) for one in value[negated:])}]"
        raise NotCommon("a part of the pattern means something else in Java, or may do so")

    def _member(self, kind: Any, value: Any) -> str:
        if kind is constants.LITERAL:
            return _character(value) + self._others(value, value)
        if kind is constants.RANGE:
            return f"{_character(value[0])}-{_character(value[1])}{self._others(*value)}"
        if kind is constants.CATEGORY and self._ascii:
            return _OF_ASCII[value]
        if kind is constants.CATEGORY and value is constants.CATEGORY_SPACE:
            return _SPACE
        raise NotCommon("what is a letter or a digit beyond ASCII differs by version of Unicode")

    def _others(self, first: int, last: int) -> str:
        """The characters that are taken for those of a range where the case does not matter."""
        if not self._any_case:
            return ""
        if last > 127:
            raise NotCommon("the case of letters beyond ASCII is not covered")
        flags = re.IGNORECASE | (re.ASCII if self._ascii else re.UNICODE)
        ignoring = re.compile(f"[{re.escape(chr(first))}-{re.escape(chr(last))}]", flags)
        return "".join(
            _character(ord(char))
            for char in _cased()
            if not first <= ord(char) <= last and ignoring.fullmatch(char)
        )


@cache
def _cased() -> tuple[str, ...]:
    """All characters with an upper or a lower case."""
    points = (chr(point) for point in range(sys.maxunicode + 1) if not 0xD800 <= point < 0xE000)
    return tuple(char for char in points if char.lower() != char or char.upper() != char)


def _times(least: int, most: int) -> str:
    if most == constants.MAXREPEAT:
        return {0: "*", 1: "+"}.get(least, f"{{{least},}}")
    return "?" if (least, most) == (0, 1) else f"{{{least}}}" if least == most else f"{{{least},{most}}}"


def _character(point: int) -> str:
    char = chr(point)
    if "\ud800" <= char <= "\udfff":
        raise NotCommon("a surrogate stands for no character")
    if char in _PLAIN or (char.isascii() and char.isalnum()) or (not char.isascii() and char.isprintable()):
        return char
    return f"\\x{point:02x}" if point < 256 and not char.isprintable() else "\\" + char


def _pattern(node: ast.AST, value: Value, flags: Value, text: Scalar, *, captures: bool = False) -> _Pattern:
    try:
        return _read(*given(node, value, flags), characters_of(text), captures=captures)
    except NotCommon as why:
        raise refusal(node, str(why)) from None


def given(node: ast.AST, value: Value, flags: Value) -> tuple[str, int]:
    """A pattern and its flags.

    Raises:
        Refusal: they are not constant.
    """
    text = constant_text(node, value, "the pattern")
    known = python_value(flags)
    if not isinstance(known, int):
        raise refusal(node, "its flags are not constant")
    return text, known


def flag(compiler: Compiler, node: ast.Attribute, names: Names) -> Value:
    """``re.IGNORECASE``.

    Raises:
        Refusal: it is another attribute.
    """
    library, _, name = (compiler.qualified(node, names) or "").partition(".")
    if library != "re" or not isinstance(getattr(re, name, None), re.RegexFlag):
        raise refusal(node, "this kind of expression has no Column form")
    return code.known(int(getattr(re, name)))


@function(
    "re.sub",
    Production(
        're.sub("[^a-z]", "", s)',
        f"{DOMAIN}; it matches no empty text; what is put in is a constant without backslashes",
        (
            "lambda s: re.sub('[^a-zA-Z0-9 ]', '', s)",
            r"lambda s: re.sub('\\s+', ' ', s)",
            "lambda s: re.sub('a|b.', '$1', s)",
            r"lambda s: re.sub('[\\[\\]&^a-]{1,2}?', '<>', s)",
            r"lambda s: re.sub('^ +|[\\s,]+$', '', s)",
            r"lambda s: re.sub('\\s+', '', s, flags=re.UNICODE)",
            "lambda s: re.sub('[a-k]s|I', '_', s, flags=re.I | re.M)",
            r"lambda s: re.sub('(a[a-c]+)|([^a-z ])|(b|1)\\.', ' ', s)",
            "lambda o: re.sub('a', '_', o)",
        ),
        sensitive="the pattern is written anew for Java, whose \\s, . and $ differ, and the case of letters",
    ),
    parameters={"pattern": ..., "repl": ..., "string": ..., "count": 0, "flags": 0},
)
def _sub(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    pattern, put_in, whole, count, flags = arguments
    if python_value(count) != 0:
        raise refusal(node, "with a count it has no proven Column form")
    text = compiler.scalar_text(compiler.present(whole), node)
    found = _pattern(node, pattern, flags, text, captures=True)
    new = constant_text(node, put_in, "what is put in")
    if "\\" in new:
        raise refusal(node, "a backslash in what is put in is not covered")
    put = code.quote(new.replace("$", "\\$"))
    left = Str((characters_of(text) - found.removed) | characters.of(new))
    replaced = f"F.regexp_replace({code.argument(text)}, {compiler.pattern(found.java)}, {put})"
    reads = compiler.pattern_reads(found.java)
    return code.build(replaced, left, text, name=text.name, reads=reads)


@function(
    "re.split",
    Production(
        're.split("[, ]", s)',
        f"{DOMAIN}; it matches no empty text",
        (
            "lambda s: re.split(' ', s)",
            r"lambda s: re.split('[,.\\s]+', s)",
            r"lambda s: re.split('\\s|=', s, flags=re.ASCII)",
            "lambda s: re.split('a+?|=', s)",
            "lambda o: re.split('a', o)",
        ),
        sensitive="the pattern is written anew for Java",
    ),
    parameters={"pattern": ..., "string": ..., "maxsplit": 0, "flags": 0},
)
def _split(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    pattern, whole, most, flags = arguments
    if python_value(most) != 0:
        raise refusal(node, "with a number of splits it has no proven Column form")
    text = compiler.scalar_text(compiler.present(whole), node)
    found = _pattern(node, pattern, flags, text)
    pieces = List(Str(characters_of(text) - found.removed), 1)
    split = compiler.split(text, found.java)
    return code.build(split, pieces, text, reads=compiler.pattern_reads(found.java))


@function(
    "re.findall",
    Production(
        're.findall("[a-z]+", s)',
        f"{DOMAIN}; it matches no empty text",
        (
            *("lambda s: re.findall('[a-z]+', s)", r"lambda s: re.findall('[^\\s]{2,3}', s)"),
            *("lambda s: re.findall('(?im)^.', s)", "lambda o: re.findall('a', o)"),
            "lambda s: 'yes' if re.findall('(a)|b*', s) else 'no'",
        ),
        sensitive="the pattern is written anew for Java",
    ),
    parameters={"pattern": ..., "string": ..., "flags": 0},
)
def _findall(compiler: Compiler, node: ast.AST, arguments: Sequence[Value]) -> Value:
    if node in compiler.assumed.tested:
        return FUNCTIONS["re.search"](compiler, node, arguments)
    pattern, whole, flags = arguments
    text = compiler.scalar_text(compiler.present(whole), node)
    found = _pattern(node, pattern, flags, text)
    all_found = f"F.regexp_extract_all({code.argument(text)}, F.lit({compiler.pattern(found.java)}), 0)"
    texts = List(Str(characters_of(text) & found.matched, 1))
    return code.build(all_found, texts, text, reads=compiler.pattern_reads(found.java))
