"""Python source of Columns: literals, references and operators, with no more parentheses than needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from migrate.columns.element import ATOM, NOT_CONSTANT, Element, Record, Scalar, Written
from migrate.columns.pieces import Piece, named
from migrate.columns.shapes import (
    INT32_MAX,
    INT32_MIN,
    INT_MAX,
    INT_MIN,
    Bool,
    Float,
    Int,
    Nothing,
    Shape,
    Str,
    Tuple,
)
from migrate.frozen import replace

COMPARISON, OR, AND, SUM, PRODUCT, UNARY = 1, 2, 3, 4, 5, 6
"""The precedence of Python's operators: a comparison binds less tightly than ``|`` and ``&``."""

_PLAIN = re.compile(r"[ !#-\[\]-~]*")
"""Texts of ASCII with nothing to escape, as most are."""


def quote(text: str) -> str:
    """Return a Python literal in double quotes, or in single ones where the text has double ones alone."""
    if '"' in text and "'" not in text:
        return "'" + in_double_quotes(text)[1:-1].replace('\\"', '"') + "'"
    return in_double_quotes(text)


def in_double_quotes(text: str) -> str:
    """Return a Python literal in double quotes."""
    if _PLAIN.fullmatch(text):
        return f'"{text}"'
    return (
        '"' + "".join('\\"' if char == '"' else repr(char)[1:-1].replace("\\'", "'") for char in text) + '"'
    )


def pattern(regex: str) -> str:
    """Return a regular expression as a Python literal, raw where it holds backslashes."""
    mark = "'" if '"' in regex else '"'
    if "\\" not in regex or mark in regex or regex.endswith("\\") or not regex.isprintable():
        return quote(regex)
    return f"r{mark}{regex}{mark}"


def reference(name: str) -> str:
    """Return a column's name as the literal that functions take, in backticks where Spark needs them."""
    return quote(name if name.isidentifier() else f"`{name}`")


def column_named(name: str, shape: Shape) -> Scalar:
    """Return the column of that name as it stands: ``F.col("word")``."""
    text = reference(name)
    return Scalar(f"F.col({text})", shape, name, column=None if "\\" in text or '"' in name else text[1:-1])


def field_named(struct: str, name: str, shape: Shape) -> Scalar:
    """Return the field of that name of a struct in a column: ``F.col("state.total")``."""
    text = f"{struct}.{name}"
    return Scalar(f"F.col({quote(text)})", shape, name, column=text)


def element_of(shape: Shape, name: str = "value") -> Element:
    """Return an element of a shape, in columns of that name."""
    if isinstance(shape, Tuple):
        items = (element_of(item, f"{name}_{position}") for position, item in enumerate(shape.items))
        return Record(tuple(items))
    return column_named(name, shape)


def literal(value: object) -> str:
    """Return a constant as a plain Python literal."""
    return quote(value) if isinstance(value, str) else repr(value)


def item_in(item: Scalar, read: str, column: str | None) -> Scalar:
    """Return an item of an array as code reads it: by a lambda's parameter, or as a column of that name."""
    names = frozenset({read} if column is None else ())
    return replace(item, code=read, column=column, names=names)


def known(value: str | int | float | None) -> Scalar:
    """Return a constant of ours, which a column can hold."""
    scalar = constant(value)
    assert scalar is not None
    return scalar


def constant(value: object) -> Scalar | None:
    """Return a constant as a Scalar, or None where no column type holds exactly this value."""
    shape = _constant_shape(value)
    return None if shape is None else Scalar(f"F.lit({literal(value)})", shape, constant=value)


def settled(variable: str, shape: Shape) -> Scalar:
    """Return what the program binds before it starts, a variable or an attribute of one, as a Scalar."""
    root, _, attribute = variable.partition(".")
    name = attribute.rpartition(".")[2] or root
    return Scalar(f"F.lit({variable})", shape, name, variable=variable, names=frozenset({root}))


def settled_text(parts: Sequence[str | Scalar], shape: Shape) -> Scalar | None:
    """Return texts one after the other that are all known before the program starts: ``f"#{word}"``.

    None where some are no constants and no variables that new code reads.
    """
    code, pieces = "", tuple(piece for part in parts for piece in _pieces(part))
    for piece in pieces:
        if piece.variable:
            code += f"{{{piece.variable}}}"
        elif isinstance(piece.constant, str):
            code += in_double_quotes(piece.constant)[1:-1].replace("{", "{{").replace("}", "}}")
        else:
            return None
    if not any(piece.variable for piece in pieces):
        return None
    text = f'f"{code}"'
    names = frozenset().union(*(piece.names for piece in pieces))
    return Scalar(f"F.lit({text})", shape, variable=text, written=Written("f-string", pieces), names=names)


def _pieces(part: str | Scalar) -> tuple[Scalar, ...]:
    """The pieces of a text, those of an f-string that it is in place of that."""
    if isinstance(part, str):
        return (Scalar(quote(part), Str(), constant=part),)
    is_made = part.written is not None and part.written.call == "f-string"
    return part.written.parts if part.written is not None and is_made else (part,)


def _constant_shape(value: object) -> Shape | None:
    match value:
        case None:
            return Nothing()
        case bool():
            return Bool()
        case int() if INT_MIN <= value <= INT_MAX:
            return Int(value, value, 32 if INT32_MIN <= value <= INT32_MAX else 64)
        case float() if value - value == 0:
            return Float(finite=True)
        case str() if not any("\ud800" <= char <= "\udfff" for char in value):
            return Str()
        case _:
            return None


def argument(scalar: Scalar) -> str:
    """Return code for a parameter that takes a Column or the name of one."""
    return scalar.code if scalar.column is None else quote(scalar.column)


def is_read(scalar: Scalar) -> bool:
    """Return whether a value is a column as it stands, or an item of one."""
    made = scalar.written
    return scalar.column is not None or (
        made is not None and made.call == "[]" and made.parts[0].column is not None
    )


def cast(scalar: Scalar, type_: str) -> str:
    """Return ``F.col("n").cast("bigint")``, by its name where it is a piece."""
    made = f'{column(scalar)}.cast("{type_}")'
    return named(Piece(made, type=type_)) if is_read(scalar) else made


def operand(scalar: Scalar, binds: int = COMPARISON) -> str:
    """Return code for an operand next to a Column; a constant is a plain literal."""
    if scalar.is_plain:
        return scalar.variable or literal(scalar.constant)
    return column(scalar, binds)


def column(scalar: Scalar, binds: int = ATOM) -> str:
    """Return code for a Column, in parentheses where its operator binds less tightly than `binds`."""
    return scalar.code if scalar.precedence >= binds else f"({scalar.code})"


def build(
    code: str,
    shape: Shape,
    *parts: Scalar,
    precedence: int = ATOM,
    name: str | None = None,
    written: Written | None = None,
    skips: bool = False,
    calls: str = "",
    reads: Iterable[str] = (),
) -> Scalar:
    """Return a Scalar computed from all of `parts`: it can raise where they can.

    Args:
        code: the code.
        shape: the type of the value.
        parts: the values that it is computed from.
        precedence: how tightly its outermost operator binds.
        name: the name of the column.
        written: of what it is written.
        skips: whether it may leave some of them unevaluated.
        calls: the function of Python or of ours that it calls, which may as well.
        reads: the variables that it reads, beside those of its parts.
    """
    return Scalar(
        code,
        shape,
        name,
        precedence,
        NOT_CONSTANT,
        any(part.partial for part in parts),
        frozenset().union(*(part.tokens for part in parts)),
        frozenset().union(*(columns_read(part) for part in parts)),
        in_python=any(part.in_python for part in parts),
        raises=frozenset().union(*(part.raises for part in parts)),
        written=written,
        skips=skips or bool(calls) or any(part.skips for part in parts),
        names=frozenset({*reads, *({calls} - {""})}).union(*(part.names for part in parts)),
    )


def columns_read(scalar: Scalar) -> frozenset[str]:
    """Return the names of the columns that a value's code reads."""
    if scalar.columns is not None:
        return scalar.columns
    return frozenset() if scalar.column is None else frozenset({scalar.column})


def binary(left: Scalar, operator: str, right: Scalar, shape: Shape, precedence: int) -> Scalar:
    """Return ``left operator right``, at least one of them no constant."""
    first = column(left, precedence) if right.is_plain else operand(left, precedence)
    text = f"{first} {operator} {operand(right, precedence + 1)}"
    return build(text, shape, left, right, precedence=precedence, written=Written(operator, (left, right)))


def when(
    condition: Scalar, then: Scalar, otherwise: Scalar, shape: Shape, *, name: str | None = None
) -> Scalar:
    """Return ``F.when(condition, then).otherwise(otherwise)``, in one chain if `otherwise` is one itself.

    There is no ``otherwise`` for None.
    """
    parts = (condition, then, otherwise)
    written = Written("F.when", parts)
    return build(f"F{_links(written)}", shape, *parts, name=name, written=written, skips=True)


def without_otherwise(chain: Scalar) -> str:
    """Return the code of a `when` that is null where no condition holds."""
    assert chain.written is not None
    return f"F{_links(chain.written, is_open=True)}"


def _links(when: Written, *, is_open: bool = False) -> str:
    """The links of a chain of ``when``, with the ``otherwise`` unless it is to be open."""
    condition, then, otherwise = when.parts
    link = f".when({condition.code}, {operand(then)})"
    if otherwise.written is not None and otherwise.written.call == "F.when":
        return link + _links(otherwise.written, is_open=is_open)
    is_open |= otherwise.is_constant and otherwise.constant is None  # which it gives by itself
    return link if is_open else f"{link}.otherwise({operand(otherwise)})"


TRUE, FALSE, ZERO = known(True), known(False), known(0)
