"""Each production on hostile values: Python and Spark agree, or Spark raises where the production says so."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from migrate.columns import Compiled, Scalar
from migrate.columns.element import Demands
from migrate.columns.guards import Guards
from migrate.columns.registry import CATALOGUE
from migrate.columns.shapes import Shape, Str
from tests.migrate.columns import both_ways
from tests.migrate.columns.both_ways import (
    RAISED,
    check,
    edge_rows,
    in_every_position,
    outcomes,
    program,
    rows,
    table,
)

EXAMPLES = [source for production in CATALOGUE for source in production.examples]
DEEP = settings.default is not None and settings.default.max_examples > 100


def test_every_production_says_what_it_covers() -> None:
    """The documentation is made of this."""
    assert len({production.title for production in CATALOGUE}) == len(CATALOGUE)
    assert all(isinstance(item.examples, tuple) and item.examples and item.domain for item in CATALOGUE)


@settings(
    max_examples=20 if DEEP else 1,
    deadline=None,
    suppress_health_check=[*settings().suppress_health_check, HealthCheck.function_scoped_fixture],
)
@given(data=st.lists(rows, min_size=40, max_size=50))
def test_edges_and_generated_values(
    spark: SparkSession, guards: Guards, data: Sequence[both_ways.Row]
) -> None:
    """A production that raised on everything would be right and useless."""
    programs = [program(source, guards=guards) for source in EXAMPLES]
    assert check(spark, programs, [*edge_rows(), *data], useful=True) == []


@pytest.mark.full
def test_edges_without_generated_code(spark: SparkSession) -> None:
    """Catalyst falls back to its interpreter for what is too large to compile: guards must hold there too."""
    interpreted = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
    for key, value in interpreted.items():
        spark.conf.set(key, value)
    try:
        assert in_every_position(spark, EXAMPLES, edge_rows()) == []
    finally:
        for key in interpreted:
            spark.conf.unset(key)


@pytest.mark.parametrize(
    ("source", "inside", "outside"),
    [
        ("lambda s: int(s)", ["7", "+7", " -7 ", "9" * 18, "007"], ["", "7.0", "1_0", "٣", "9" * 19, "1d"]),
        ("lambda s: float(s)", ["7", "-.5", "1e-3", "5."], ["", "1d", "nan", "inf", "1_0", "0x1"]),
        ("lambda s: s.lower()", ["ÀÉ", "İ", "ДЖ", "Ǆ", "ABC", "\u1c89", "ΑΣ\u0295", "ΑΣ"], []),
        ("lambda s: s.isdigit()", ["", "12", "1a", "é1a", "雪", "1—", "🎉", "\x00"], ["²", "1²"]),
        ("lambda s: s.isalpha()", ["", "ab", "a1", "é1", "a—", "²", "🎉"], ["é", "雪"]),
    ],
)
def test_domains(session: SparkSession, source: str, inside: Sequence[str], outside: Sequence[str]) -> None:
    """Native code takes what the documentation says it takes, and no more."""
    item = program(source)
    data = [(text, *edge_rows()[0][1:]) for text in (*inside, *outside)]
    natives = outcomes(session, [item], table(session, data))[0]
    assert [
        text for text, native in zip((*inside, *outside), natives, strict=True) if native == RAISED
    ] == outside


def planted(source: str, code: str, shape: Shape, partial: bool) -> both_ways.Program:
    """A program whose Column is wrong."""
    right = program(source)
    return both_ways.Program(
        source,
        right.function,
        right.parameters,
        Compiled(Scalar(code, shape), Demands(raises=("some",) if partial else ()), partial=partial),
    )


WRONG = [
    ("lambda s: s.split('.')", 'F.split("s", ".")', False),
    ("lambda s: s.split()", r'F.split(F.trim("s"), "\\s+")', False),
    ("lambda s: s.strip()", 'F.trim("s")', False),
    ("lambda s: len(s)", 'F.octet_length("s")', False),
    ("lambda s: int(s)", 'F.col("s").cast("bigint")', True),
    ("lambda s: s.lower()", 'F.lower(F.col("s").substr(1, 1))', True),
    ("lambda s: s.find('a')", "F.instr(\"s\", 'a')", False),
    ("lambda s: s[1:3]", 'F.col("s").substr(1, 2)', False),
    ("lambda words: words[0]", 'F.get("words", F.lit(0))', True),
    ("lambda words: words[-2]", 'F.get("words", F.size("words") - 1)', True),
    ("lambda n, m: n + m", 'F.col("n") + F.col("m")', True),
    ("lambda n: n // 3", 'F.call_function("div", F.col("n"), F.lit(3))', False),
    ("lambda n: n % 10", 'F.col("n") % 10', False),
    ("lambda n: str(n)", 'F.format_number("n", 0)', False),
    ("lambda b: str(b)", 'F.col("b").cast("string")', False),
    ("lambda x: 1 / x", '1 / F.col("x")', True),
    ("lambda n, m: n < m", 'F.col("n") <= F.col("m")', False),
    ("lambda s, t: s or t", 'F.coalesce("s", "t")', False),
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong[0])
def test_a_planted_error_is_found(spark: SparkSession, wrong: tuple[str, str, bool]) -> None:
    """The negative control: what people write without thinking of the domain."""
    spark.conf.set("spark.sql.ansi.enabled", "false")
    source, code, partial = wrong
    assert check(spark, [planted(source, code, Str(), partial)], edge_rows()) != []
