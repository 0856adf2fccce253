"""Names of columns, literals in emitted code, and the way from elements to ``select`` and back."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.columns import (
    Record,
    Scalar,
    after_select,
    column_named,
    leaves,
    name_columns,
    projection,
    singular,
)
from migrate.columns.code import pattern, quote, reference
from migrate.columns.names import is_telling, name_of_one
from migrate.columns.shapes import Int, Str

WORD = column_named("word", Str())
ONE = Scalar("F.lit(1)", Int(1, 1, 32), constant=1)


@given(st.text())
def test_literals_give_their_text_back(text: str) -> None:
    assert ast.literal_eval(quote(text)) == text
    assert ast.literal_eval(pattern(text)) == text
    assert quote(text).startswith("'") is ('"' in text and "'" not in text)


def test_a_regular_expression_is_raw_where_that_reads_better() -> None:
    assert pattern(r"\|") == r'r"\|"'
    assert pattern(" ") == '" "'


def test_odd_column_names_are_quoted_for_spark() -> None:
    assert reference("word") == '"word"'
    assert reference("a b") == '"`a b`"'


@pytest.mark.parametrize(
    ("plural", "expected"),
    [
        ("words", "word"),
        ("queries", "query"),
        ("classes", "class"),
        ("boxes", "box"),
        ("status", "status"),
        ("news", "news"),
        ("data", "data"),
        ("error_lines", "error_line"),
        ("as", "as"),
    ],
)
def test_singular(plural: str, expected: str) -> None:
    assert singular(plural) == expected


def test_telling_names() -> None:
    assert [
        name for name in ("word", "x", "_", "kv", "t1", "class", "user_id", None) if is_telling(name)
    ] == ["word", "user_id"]


def test_a_pair_of_a_word_and_one() -> None:
    named = name_columns(Record((WORD, ONE)))
    assert projection(named) == ('"word"', 'F.lit(1).alias("count")')
    assert [leaf.code for leaf in leaves(after_select(named))] == ['F.col("word")', 'F.col("count")']


def test_columns_of_one_name_are_told_apart() -> None:
    named = name_columns(Record((WORD, Record((WORD, Scalar('F.upper("word")', Str()))))))
    assert [leaf.name for leaf in leaves(named)] == ["word", "word2", "field3"]


def test_a_lone_column_takes_the_stream_s_name() -> None:
    length = Scalar('F.length("word")', Int())
    assert leaves(name_columns(length, "lengths"))[0].name == "length"
    assert leaves(name_columns(length, "x"))[0].name == "value"
    assert leaves(name_columns(length))[0].name == "value"


def test_an_operator_is_put_in_parentheses_before_its_alias() -> None:
    total = Scalar('F.col("n") + 1', Int(), "n", precedence=4)
    assert projection(total) == ('(F.col("n") + 1).alias("n")',)


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        ("words", "word"),
        ("ips_rdd", "ips"),
        ("data_RDD", "data"),
        ("inputStream", None),
        ("drdd", None),
        ("wordsDStream2", "word"),
        ("upstream", "upstream"),
        ("dstream1", None),
        ("words2", "word"),
        ("hashtags_3", "hashtag"),
        ("productKeyVal", "product"),
        ("product_kv", "product"),
        ("user_key_vals", "user"),
        ("interval", "interval"),
        ("input1", None),
        ("base64", "base64"),
        ("md5", "md5"),
        ("mp3", "mp3"),
        ("rdd", None),
        ("ds", None),
        ("df", None),
        ("", None),
        (None, None),
    ],
)
def test_an_element_is_not_named_after_the_kind_of_its_stream(
    stream: str | None, expected: str | None
) -> None:
    assert name_of_one(stream) == expected
