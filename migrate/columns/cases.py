"""Letters: ``lower``, ``upper``, and tests of the characters of a text: ``isdigit``.

Python, Java and ICU each carry a Unicode of their own age. They do not agree on letters that got case later,
nor on the capital sigma, whose small form depends on what the runtime takes for a word. So Python's own
functions are called for each row, which takes no longer than to look for those letters.

All of these are beyond ASCII in either case, so that they decide nothing where a text is compared with one of
ASCII, and a text of which no other characters are left has none of them: there Spark's functions are enough.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from migrate.columns import characters, code
from migrate.columns.characters import LOWERED_TO_ASCII, SPACE, Characters
from migrate.columns.compiler import Compiler
from migrate.columns.element import Scalar, Value
from migrate.columns.messages import refusal
from migrate.columns.regexes import end_of
from migrate.columns.registry import Production, method
from migrate.columns.shapes import Bool, Str
from migrate.columns.tells import telling
from migrate.columns.texts import characters_of, only
from migrate.frozen import replace

Rule = Callable[[Compiler, ast.AST, Scalar, Sequence[Value]], Scalar]


def _in_case(name: str) -> Rule:
    def rule(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Scalar:
        only(node, arguments, 0)
        shape = cased(receiver, name)
        if node in compiler.by_ascii or _becomes_ascii(characters_of(receiver), name):
            return code.build(f"F.{name}({code.argument(receiver)})", shape, receiver, name=receiver.name)
        if receiver.partial and compiler.in_branch:
            raise refusal(node, "Spark asks conditions after what it gives to functions of Python")
        called = compiler.helper(name)
        text = f"{called}({code.argument(receiver)})"
        return replace(code.build(text, shape, receiver, name=receiver.name, calls=called), in_python=True)

    return rule


def _consists_of(ranges: str, kind: str, note: str) -> Rule:
    def rule(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Scalar:
        only(node, arguments, 0)
        if characters_of(receiver).is_ascii:
            return _of_class(receiver, ranges)
        given = f"{receiver.code}, {code.quote(ranges)}, {code.pattern(kind)}"
        name = compiler.helper("consists_of")
        found = code.build(f"{name}({given})", Bool(), receiver, calls=name)
        made = telling(found, receiver, holds=_class_shape(ranges))
        return compiler.raising(made, note)

    return rule


def cased(text: Scalar, name: str) -> Str:
    """Return the shape of ``lower`` or ``upper`` of a text: white space stays, and no letter becomes it."""
    found = characters_of(text)
    if _becomes_ascii(found, name):
        ascii_ = "".join(chr(point) for first, last in found.ranges for point in range(first, last + 1))
        return Str(characters.of(getattr(ascii_, name)()))
    return Str(~SPACE | found)


def _becomes_ascii(found: Characters, name: str) -> bool:
    """Whether ``lower`` or ``upper`` gives ASCII for each of some characters, in Python and in Spark."""
    return found.is_ascii or (name == "lower" and found - LOWERED_TO_ASCII == characters.NONE)


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
            "text; a function of Python where a letter beyond ASCII decides, of which Spark knows others",
            (f"lambda s: s.{_name}()",),
        ),
    )(_in_case(_name))

for _name, _chars, _kind in (
    ("isdigit", "0-9", r"\pN"),
    ("isdecimal", "0-9", r"\pN"),
    ("isalpha", "A-Za-z", r"\pL"),
    ("isalnum", "0-9A-Za-z", r"\pL\pN"),
):
    method(
        Str,
        _name,
        Production(
            f"s.{_name}()",
            "text; raises where digits or letters beyond ASCII decide",
            (f"lambda s: s.{_name}()",),
            partial=True,
        ),
    )(_consists_of(_chars, _kind, f"text for {_name}() that characters beyond ASCII decide"))
