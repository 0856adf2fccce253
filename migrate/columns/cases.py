"""Letters: ``lower``, ``upper``, and tests of the characters of a text: ``isdigit``.

Python, Java and ICU each carry a Unicode of their own age. They agree on every letter that had case in the
oldest of them: Unicode 6.2 in Java 8, which Spark 3.5 runs on; 13 in Python 3.10 and Java 17, for Spark 4.
Letters that got case later fail, and so does the capital sigma, whose small form depends on what the runtime
takes for a word.

All of these are beyond ASCII in either case, so that they decide nothing where a text is compared with one of
ASCII: there Spark's functions are enough.
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


def _guarded(helper: str, shape: Shape, note: str, *more: str, older: str | None = None) -> Rule:
    def rule(compiler: Compiler, node: ast.AST, receiver: Scalar, arguments: Sequence[Value]) -> Scalar:
        only(node, arguments, 0)
        if node in compiler.by_ascii:
            return code.build(f"F.{helper}({code.argument(receiver)})", shape, receiver, name=receiver.name)
        called = helper if older is None or compiler.scope.by_unicode else older
        call = f"{compiler.helper(called)}({', '.join((receiver.code, *map(code.quote, more)))})"
        name = receiver.name if shape == receiver.shape else None
        return compiler.raising(code.build(call, shape, receiver, name=name), note)

    return rule


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
