"""Letters: ``lower``, ``upper``, and tests of the characters of a text: ``isdigit``.

Python, Java and ICU each carry a Unicode of their own age. They agree on every letter that had case in the
oldest of them: Unicode 6.2 in Java 8, which Spark 3.5 runs on; 13 in Python 3.10 and Java 17, for Spark 4.
Letters that got case later fail, and so does the capital sigma, whose small form depends on what the runtime
takes for a word.

All of these are beyond ASCII in either case, so that they decide nothing where a text is compared with one of
ASCII, and a text of which no other characters are left has none of them: there Spark's functions are enough.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from migrate.columns import characters, code
from migrate.columns.characters import SPACE
from migrate.columns.compiler import Compiler
from migrate.columns.element import Scalar, Value
from migrate.columns.regexes import end_of
from migrate.columns.registry import Production, method
from migrate.columns.shapes import Bool, Shape, Str
from migrate.columns.tells import telling
from migrate.columns.texts import characters_of, only

Rule = Callable[[Compiler, ast.AST, Scalar, Sequence[Value]], Scalar]


def _guarded(helper: str, shape: Shape, note: str, *more: str, older: str | None = None) -> Rule:
    def rule(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Scalar:
        only(node, arguments, 0)
        of_ascii = characters_of(receiver).is_ascii
        if more and of_ascii:
            return _of_class(receiver, more[0])
        if node in compiler.by_ascii or of_ascii:
            text = f"F.{helper}({code.argument(receiver)})"
            return code.build(text, cased(receiver, helper), receiver, name=receiver.name)
        called = helper if older is None or compiler.scope.by_unicode else older
        call = f"{compiler.helper(called)}({', '.join((receiver.code, *map(code.quote, more)))})"
        name = None if more else receiver.name
        made = code.build(call, shape if more else cased(receiver, helper), receiver, name=name)
        if more:
            made = telling(made, receiver, holds=_class_shape(more[0]))
        return compiler.raising(made, note)

    return rule


def cased(text: Scalar, name: str) -> Str:
    """Return the shape of ``lower`` or ``upper`` of a text: white space stays, and no letter becomes it."""
    found = characters_of(text)
    if found.is_ascii:
        ascii_ = "".join(chr(point) for first, last in found.ranges for point in range(first, last + 1))
        return Str(characters.of(getattr(ascii_, name)()))
    return Str(~SPACE | found)


def _of_class(text: Scalar, ranges: str) -> Scalar:
    """Return the condition that a text is of some characters and not empty."""
    regex = code.pattern(f"^[{ranges}]+{end_of(characters_of(text))}")
    condition = code.build(f"{code.column(text)}.rlike({regex})", Bool(), text)
    return telling(condition, text, holds=_class_shape(ranges))


def _class_shape(ranges: str) -> Str:
    pairs = zip(ranges[::3], ranges[2::3], strict=True)
    return Str(characters.of_ranges((ord(first), ord(last)) for first, last in pairs), 1)


for _name in ("lower", "upper"):
    method(
        Str,
        _name,
        Production(
            f"s.{_name}()",
            "letters with case in Unicode 6.2, or 13 from Spark 4.0 on, but for the oldest scripts; a "
            "capital sigma from Spark 4.0 on, but beside rare letters; no Turkish JVM; other text raises",
            (f"lambda s: s.{_name}()",),
            partial=True,
            sensitive="Python and Spark follow different versions of Unicode",
        ),
    )(
        _guarded(
            _name,
            Str(),
            f"letters for {_name}() that Python and Spark do not agree on",
            older=f"{_name}_by_java",
        )
    )

for _name, _chars in (
    ("isdigit", "0-9"),
    ("isdecimal", "0-9"),
    ("isalpha", "A-Za-z"),
    ("isalnum", "0-9A-Za-z"),
):
    method(
        Str,
        _name,
        Production(
            f"s.{_name}()",
            "text that ASCII characters decide; other text raises",
            (f"lambda s: s.{_name}()",),
            partial=True,
        ),
    )(_guarded("consists_of", Bool(), f"text for {_name}() that characters beyond ASCII decide", _chars))
