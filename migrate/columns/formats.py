"""Formatting: ``%``, ``str.format`` and f-strings over texts, ints and bools, as `str` prints them."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Mapping, Sequence

from migrate.columns import code
from migrate.columns.casts import text_of
from migrate.columns.compiler import Compiler, Names
from migrate.columns.element import Record, Scalar, Value
from migrate.columns.messages import refusal
from migrate.columns.registry import Production, covers, syntax
from migrate.columns.shapes import Int, Str
from migrate.columns.texts import constant_text

_INT = r"(?:0?[1-9][0-9]{0,2})?"
"""The widths of ints that Java and Python print alike, negative ones too: blanks or zeros before them."""
_DIRECTIVE = re.compile(rf"%(?:(?P<plain>s|{_INT}d)|(?P<percent>%)|(?P<other>.|\Z))", re.DOTALL)
_INT_SPEC = re.compile(rf"(?P<width>{_INT}|,)d?")

Part = str | tuple[Value, str]
"""A literal text, or a value and its Java conversion: ``s``, ``d``, ``05d``."""


def formatted(compiler: Compiler, node: ast.AST, parts: Sequence[Part]) -> Scalar:
    """Return literal texts and formatted values, one after the other."""
    template, columns, texts = "", [], list[str | Scalar]()
    for part in parts:
        text, column = (part, None) if isinstance(part, str) else _piece(compiler, node, *part)
        texts.append(text if column is None else column)
        template += text.replace("%", "%%") if column is None else f"%{text}"
        columns += [] if column is None else [column]
    if not columns:
        return code.known(template.replace("%%", "%"))
    if template == "%s":
        return text_of(compiler, node, columns[0])
    if all(isinstance(part, str) or isinstance(part.shape, Str) for part in texts):
        known = code.settled_text(texts, Str())
        if known is not None:
            return known
    values = ", ".join(code.argument(column) for column in columns)
    return code.build(f"F.format_string({code.quote(template)}, {values})", Str(), *columns)


def _piece(compiler: Compiler, node: ast.AST, value: Value, conversion: str) -> tuple[str, Scalar | None]:
    """Return a constant's text, or a column with the conversion that prints it."""
    scalar = value if isinstance(value, Scalar) else None
    if conversion != "s":
        number = compiler.as_scalar(value, node)
        if not isinstance(number.shape, Int):
            raise refusal(node, "a format of numbers is covered for ints only")
        constant = number.constant
        return (format(constant, conversion), None) if isinstance(constant, int) else (conversion, number)
    if scalar is not None and isinstance(scalar.shape, Int) and not scalar.is_constant:
        return "s", scalar  # printed as `str` prints it
    text = text_of(compiler, node, value)
    return (str(text.constant), None) if text.is_constant else ("s", text)


def _checked_spec(node: ast.AST, spec: str) -> str:
    """Return the Java conversion of a format specification."""
    match = _INT_SPEC.fullmatch(spec)
    if spec and match is None:
        raise refusal(node, f"the format {spec!r} is not covered")
    return f"{match['width']}d" if spec and match is not None else "s"


@covers(
    Production(
        "'%s=%d' % (s, n)",
        "%s of texts, ints and bools, %d of ints, with a width too",
        (
            "lambda s, n: '%s=%d%%' % (s, n)",
            "lambda s: 'a %s' % s",
            "lambda n: '%s' % (n,)",
            "lambda b: '%s!' % b",
            "lambda n: '%05d|%3d' % (n, n)",
        ),
    )
)
def percent(compiler: Compiler, node: ast.AST, template: Value, values: Value) -> Value:
    """Return ``template % values``."""
    text = constant_text(node, template, "the format")
    given = list(values.items) if isinstance(values, Record) else [values]
    parts: list[Part] = []
    position = 0
    for match in _DIRECTIVE.finditer(text):
        parts.append(text[position : match.start()])
        position = match.end()
        if match["percent"]:
            parts.append("%")
        elif match["plain"] and given:
            parts.append((given.pop(0), match["plain"]))
        else:
            raise refusal(node, "only %s and %d are covered, one for each value")
    if given:
        raise refusal(node, "there are more values than conversions: this always raises TypeError")
    return formatted(compiler, node, [*parts, text[position:]])


@covers(
    Production(
        "'{}={}'.format(s, n)",
        "fields by order, number or name, of texts, ints and bools; a width or thousands for ints",
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
    parts: list[Part] = []
    automatic = 0
    try:
        fields = list(string.Formatter().parse(text))
    except ValueError as error:
        raise refusal(node, f"this always raises ValueError: {error}") from None
    for before, name, spec, conversion in fields:
        parts.append(before)
        if name is None:
            continue
        if conversion not in (None, "s") or (conversion == "s" and spec):
            raise refusal(node, "only plain fields are covered, without `!r`")
        key: str | int = name
        if name == "" or name.isdecimal():
            key, automatic = (automatic, automatic + 1) if name == "" else (int(name), automatic)
        parts.append((_field(node, key, values, named), _checked_spec(node, spec or "")))
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
        "texts, ints and bools; a width or thousands for ints",
        (
            "lambda s, n: f'{s}={n}'",
            "lambda s: f'100% {s!s}'",
            "lambda n: f'{n}'",
            "lambda n: f'{n:05d} {n:,} {n:4}'",
        ),
    )
)
def _f_string(compiler: Compiler, node: ast.JoinedStr, names: Names) -> Value:
    parts: list[Part] = []
    for part in node.values:
        match part:
            case ast.Constant(str() as text):
                parts.append(text)
            case ast.FormattedValue(value, conversion, None) if conversion in (-1, ord("s")):
                parts.append((compiler.value(value, names), "s"))
            case ast.FormattedValue(value, -1, ast.JoinedStr([ast.Constant(str() as spec)])):
                parts.append((compiler.value(value, names), _checked_spec(node, spec)))
            case _:
                raise refusal(node, "only plain fields are covered, without `!r`")
    return formatted(compiler, node, parts)
