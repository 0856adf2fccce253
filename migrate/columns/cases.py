"""Letters: ``lower``, ``upper``, and tests of the characters of a text: ``isdigit``.

Python, Java and ICU each carry a Unicode of their own age. They agree on every letter that had case in
Unicode 6.2; letters that got case later, and the capital sigma, whose small form depends on what the runtime
takes for a word, fail.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from migrate.columns import code
from migrate.columns.compiler import Compiler
from migrate.columns.element import Scalar, Value
from migrate.columns.registry import Production, method
from migrate.columns.shapes import Bool, Shape, Str
from migrate.columns.texts import only

Rule = Callable[[Compiler, ast.AST, Scalar, Sequence[Value]], Scalar]


def _guarded(helper: str, shape: Shape, note: str, *more: str) -> Rule:
    def rule(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Scalar:
        only(node, arguments, 0)
        call = f"{compiler.helper(helper)}({', '.join((receiver.code, *map(code.quote, more)))})"
        name = receiver.name if shape == receiver.shape else None
        return compiler.raising(code.build(call, shape, receiver, name=name), note)

    return rule


for _name in ("lower", "upper"):
    method(
        Str,
        _name,
        Production(
            f"s.{_name}()",
            "letters with case in Unicode 6.2, but for the capital sigma; no Turkish JVM; other text raises",
            (f"lambda s: s.{_name}()",),
            partial=True,
            sensitive="Python and Spark follow different versions of Unicode",
        ),
    )(_guarded(_name, Str(), f"letters for {_name}() that Python and Spark do not agree on"))

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
