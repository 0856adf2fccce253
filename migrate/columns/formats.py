"""Formatting: ``%``, ``str.format`` and f-strings over texts, ints and bools, as `str` prints them."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Mapping, Sequence

from migrate.columns import code
from migrate.columns.compiler import Compiler, Names, refusal
from migrate.columns.conversions import text_of
from migrate.columns.element import Record, Scalar, Value
from migrate.columns.registry import Production, covers, syntax
from migrate.columns.texts import constant_text
from migrate.shapes import Int, Str

_DIRECTIVE = re.compile(r"%(?:(?P<plain>[sd])|(?P<percent>%)|(?P<other>.|\Z))", re.DOTALL)


def formatted(compiler: Compiler, node: ast.AST, parts: Sequence[str | Value]) -> Scalar:
    """Return literal texts and values, each as `str` gives it, one after the other."""
    texts = [part if isinstance(part, str) else text_of(compiler, node, part) for part in parts]
    columns = [part for part in texts if isinstance(part, Scalar) and not part.is_constant]
    fixed = [part if isinstance(part, str) else str(part.constant) for part in texts if part not in columns]
    if not columns:
        return code.known("".join(fixed))
    if len(columns) == len(texts) == 1:
        return columns[0]
    template = "".join(
        "%s"
        if part in columns
        else (part if isinstance(part, str) else str(part.constant)).replace("%", "%%")
        for part in texts
    )
    values = ", ".join(_printed(column) for column in columns)
    return code.build(f"F.format_string({code.quote(template)}, {values})", Str(), *columns)


def _printed(column: Scalar) -> str:
    """Spell a value for ``%s``, which prints a whole number as the cast to a text does."""
    return code.argument(_uncast(column))


def _uncast(column: Scalar) -> Scalar:
    inner = column.code.removesuffix('.cast("string")')
    return column if code.column_name(inner) is None else code.build(inner, Int(), column)


@covers(
    Production(
        "'%s=%d' % (s, n)",
        "%s of texts, ints and bools, %d of ints",
        (
            "lambda s, n: '%s=%d%%' % (s, n)",
            "lambda s: 'a %s' % s",
            "lambda n: '%s' % (n,)",
            "lambda b: '%s!' % b",
        ),
    )
)
def percent(compiler: Compiler, node: ast.AST, template: Value, values: Value) -> Value:
    """Return ``template % values``."""
    text = constant_text(node, template, "the format")
    given = list(values.items) if isinstance(values, Record) else [values]
    parts: list[str | Value] = []
    position = 0
    for match in _DIRECTIVE.finditer(text):
        parts.append(text[position : match.start()])
        position = match.end()
        if match["percent"]:
            parts.append("%")
        elif match["plain"] and given:
            parts.append(_taken(compiler, node, given.pop(0), match["plain"]))
        else:
            raise refusal(node, "only %s and %d are covered, one for each value")
    if given:
        raise refusal(node, "there are more values than conversions: this always raises TypeError")
    return formatted(compiler, node, [*parts, text[position:]])


def _taken(compiler: Compiler, node: ast.AST, value: Value, conversion: str) -> Value:
    if conversion == "d" and not isinstance(compiler.as_scalar(value, node).shape, Int):
        raise refusal(node, "%d is covered for ints only")
    return value


@covers(
    Production(
        "'{}={}'.format(s, n)",
        "plain fields, by order, number or name, of texts, ints and bools",
        (
            "lambda s, n: '{}: {}'.format(s, n)",
            "lambda s, n: '{1}%{0}{{}}'.format(s, n)",
            "lambda s: '{a}'.format(a=s)",
        ),
    )
)
def format_call(
    compiler: Compiler,
    node: ast.AST,
    receiver: Value,
    values: Sequence[Value],
    named: Mapping[str | None, Value],
) -> Value:
    """Return ``receiver.format(*values, **named)``."""
    text = constant_text(node, receiver, "the format")
    parts: list[str | Value] = []
    automatic = 0
    try:
        fields = list(string.Formatter().parse(text))
    except ValueError as error:
        raise refusal(node, f"this always raises ValueError: {error}") from None
    for before, name, spec, conversion in fields:
        parts.append(before)
        if name is None:
            continue
        if spec or conversion not in (None, "s"):
            raise refusal(node, "only plain fields are covered, without `:` and `!r`")
        key: str | int = name
        if name == "" or name.isdecimal():
            key, automatic = (automatic, automatic + 1) if name == "" else (int(name), automatic)
        parts.append(_field(node, key, values, named))
    return formatted(compiler, node, parts)


def _field(
    node: ast.AST, key: str | int, values: Sequence[Value], named: Mapping[str | None, Value]
) -> Value:
    if isinstance(key, int) and key < len(values):
        return values[key]
    if isinstance(key, str) and key in named:
        return named[key]
    raise refusal(node, f"the field {{{key}}} is not one of its arguments")


@syntax(ast.JoinedStr)
@covers(
    Production(
        "f'{s}={n}'",
        "texts, ints and bools without a format",
        ("lambda s, n: f'{s}={n}'", "lambda s: f'100% {s!s}'", "lambda n: f'{n}'"),
    )
)
def _f_string(compiler: Compiler, node: ast.JoinedStr, names: Names) -> Value:
    parts: list[str | Value] = []
    for part in node.values:
        match part:
            case ast.Constant(str() as text):
                parts.append(text)
            case ast.FormattedValue(value, conversion, None) if conversion in (-1, ord("s")):
                parts.append(compiler.value(value, names))
            case _:
                raise refusal(node, "only plain fields are covered, without `:` and `!r`")
    return formatted(compiler, node, parts)
