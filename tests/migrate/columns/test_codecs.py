"""Texts that are encoded and decoded again: what is refused, and what needs no column."""

from __future__ import annotations

import ast

import pytest

from migrate.columns import Refusal, column_named, compile_map, leaves
from migrate.columns.shapes import Bytes
from tests.migrate.columns.both_ways import SCOPE, elements


def compiled(source: str) -> str:
    """The code of a function with one result."""
    (leaf,) = leaves(compile_map(function(source), [elements()["s"]], SCOPE).element)
    return leaf.code


def function(source: str) -> ast.Lambda:
    """A lambda as a node."""
    node = ast.parse(source, mode="eval").body
    assert isinstance(node, ast.Lambda)
    return node


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (
            "lambda s: s.encode('ascii', 'ignore').decode('ascii')",
            r'F.regexp_replace("s", r"[^\x00-\x7F]", "")',
        ),
        (
            "lambda s: s.encode(encoding='US-ASCII', errors='replace').decode('latin-1')",
            r'F.regexp_replace("s", r"[^\x00-\x7F]", "?")',
        ),
        ("lambda s: s.encode().decode('utf8')", 'F.col("s")'),
        ("lambda s: 'a\u00e9'.encode('ascii', 'ignore').decode('ascii')", 'F.lit("a")'),
    ],
)
def test_what_is_left_of_a_text(source: str, code: str) -> None:
    assert compiled(source) == code


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("s.encode('ascii').decode('ascii')", "no proven Column form"),
        ("s.encode('ascii', 'xmlcharrefreplace').decode('ascii')", "no proven Column form"),
        ("s.encode('latin-1', 'ignore').decode('latin-1')", "no proven Column form"),
        ("s.encode('utf-8').decode('ascii')", "no proven Column form"),
        ("s.encode('ascii', 'ignore').decode('utf-16')", "no proven Column form"),
        ("s.encode('no such', 'ignore').decode('ascii')", "which codec"),
        ("s.encode(s, 'ignore').decode('ascii')", "which codec"),
        ("s.encode('ascii', 'ignore', 1).decode('ascii')", "which codec"),
        ("s.encode(*['ascii', 'ignore']).decode('ascii')", "which codec"),
        ("s.encode(**{}).decode('ascii')", "which codec"),
        ("s.split(',').encode('ascii', 'ignore').decode('ascii')", "not covered for"),
        ("s.encode('ascii', 'ignore')", "no proven Column form"),
        ("'\u00e9'.encode('ascii').decode('ascii')", "always raises UnicodeEncodeError"),
    ],
)
def test_what_is_refused(call: str, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        compiled(f"lambda s: {call}")


BYTES = column_named("data", Bytes())


def test_bytes_are_decoded_and_counted() -> None:
    decoded = compile_map(function("lambda data: data.decode('utf8')"), [BYTES], SCOPE)
    assert [leaf.code for leaf in leaves(decoded.element)] == ['F.decode("data", "UTF-8")']
    assert decoded.partial
    counted = compile_map(function("lambda data: len(data)"), [BYTES], SCOPE)
    assert [leaf.code for leaf in leaves(counted.element)] == ['F.length("data")']


@pytest.mark.parametrize("call", ["data.decode('latin-1')", "data.decode('utf-8', 'ignore')", "data + data"])
def test_what_bytes_have_no_column_for(call: str) -> None:
    with pytest.raises(Refusal):
        compile_map(function(f"lambda data: {call}"), [BYTES], SCOPE)
