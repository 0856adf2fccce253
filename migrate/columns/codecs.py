"""Texts that are encoded, and decoded again or put into a DataFrame as bytes."""

from __future__ import annotations

import ast
import codecs

from migrate.columns import characters, code
from migrate.columns.characters import ASCII
from migrate.columns.compiler import Compiler
from migrate.columns.constants import fold
from migrate.columns.element import Scalar, Value
from migrate.columns.json_values import as_text
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, covers
from migrate.columns.shapes import Bytes, Json, Str
from migrate.columns.texts import characters_of

_ASCII, _UTF_8 = "ascii", "utf-8"
_LIKE_ASCII = frozenset({_ASCII, _UTF_8, "iso8859-1", "cp1252"})
"""Codecs that read ASCII as it is."""
_BEYOND = code.pattern(r"[^\x00-\x7F]")
_FOR_OTHERS = {"ignore": "", "replace": "?"}
"""The text that stands for each character beyond ASCII."""


@covers(
    Production(
        's.encode("ascii", "ignore").decode("ascii")',
        "every text; ASCII with `ignore` or `replace`, or UTF-8",
        (
            "lambda s: s.encode('ascii', 'ignore').decode('ascii')",
            "lambda s: s.encode('ascii', 'replace').decode()",
            "lambda s: s.encode('ASCII', errors='ignore').decode('utf-8').split(' ')",
            "lambda s: s.encode('utf-8').decode('utf-8')",
            "lambda o: o.encode('ascii', 'ignore').decode('ascii')",
        ),
        partial=True,
        sensitive="one character of two UTF-16 units goes as a whole",
    )
)
def recoded(compiler: Compiler, node: ast.Call, encoded: ast.Call, receiver: Value) -> Value:
    """Return ``text.encode(...).decode(...)``, called on a value.

    Raises:
        Refusal: it is not known to be a text, or the codecs are not covered.
    """
    codec, errors = _codec(encoded)
    back, _ = _codec(node)
    value = compiler.present(receiver)
    if isinstance(value, Scalar) and isinstance(value.shape, Json):
        value = as_text(compiler, value)
    text = compiler.scalar_text(value, node)
    folded = fold(node, lambda constant: constant.encode(codec, errors).decode(back), text)
    if folded is not None:
        return folded
    if (codec, back) == (_UTF_8, _UTF_8):
        return text
    if codec != _ASCII or errors not in _FOR_OTHERS or back not in _LIKE_ASCII:
        raise refusal(node, "these codecs have no proven Column form")
    put = code.quote(_FOR_OTHERS[errors])
    replaced = f"F.regexp_replace({code.argument(text)}, {_BEYOND}, {put})"
    left = characters_of(text) & ASCII | characters.of(_FOR_OTHERS[errors])
    return code.build(replaced, Str(left), text, name=text.name)


def encoded_text(compiler: Compiler, node: ast.Call, receiver: Value) -> Scalar:
    """Return ``text.encode("utf-8")``, called on a value.

    Raises:
        Refusal: it is not known to be a text, or the codec is another one.
    """
    codec, _ = _codec(node)
    text = compiler.scalar_text(compiler.present(receiver), node)
    if codec != _UTF_8:
        raise refusal(node, "this codec has no proven Column form")
    return code.build(f'F.encode({code.argument(text)}, "UTF-8")', Bytes(), text, name=text.name)


def decoded_bytes(compiler: Compiler, node: ast.Call, receiver: Scalar) -> Scalar:
    """Return ``data.decode("utf-8")``, called on bytes; both raise where they are no UTF-8.

    Raises:
        Refusal: the codec is another one, or errors are none.
    """
    if _codec(node) != (_UTF_8, "strict"):
        raise refusal(node, "this codec has no proven Column form")
    made = f'F.decode({code.argument(receiver)}, "UTF-8")'
    return code.build(made, Str(), receiver, name=receiver.name).may_raise


def _codec(call: ast.Call) -> tuple[str, str]:
    """The codec of a call, by the name that Python knows it by, and what it does with other characters.

    Raises:
        Refusal: they are not written out, or Python knows no such codec.
    """
    given = dict(zip(("encoding", "errors"), call.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    whole = len(given) == len(call.args) + len(call.keywords)
    match given.get("encoding", ast.Constant(_UTF_8)), given.get("errors", ast.Constant("strict")):
        case ast.Constant(str(codec)), ast.Constant(str(errors)) if whole:
            try:
                return codecs.lookup(codec).name, errors
            except LookupError:
                pass
    raise refusal(call, "it is not known which codec this is")
