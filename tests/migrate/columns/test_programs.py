"""Random functions, productions nested in each other, on hostile values."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from migrate.columns import Refusal
from migrate.columns.guards import Guards
from tests.migrate.columns import programs
from tests.migrate.columns.both_ways import POSITIONS, Program, Row, check, edge_rows, program, rows

DEEP = settings.default is not None and settings.default.max_examples > 100


def compiled(sources: Sequence[str], guards: Guards) -> list[Program]:
    """Compile what is not refused."""
    return [item for source in sources if (item := accepted(source, guards)) is not None]


def accepted(source: str, guards: Guards) -> Program | None:
    """Compile a function, or see it refused with a reason; another error fails the test."""
    try:
        return program(source, guards=guards)
    except Refusal as refusal:
        assert refusal.reason
        return None


# A test run gives the same result twice; other programs in each run are for the deep profile.
@settings(max_examples=100 if DEEP else 2, deadline=None, derandomize=not DEEP)
@given(data=st.lists(rows, max_size=20), sources=st.lists(programs.functions(), min_size=25, max_size=30))
def test_random_functions(spark: SparkSession, data: Sequence[Row], sources: Sequence[str]) -> None:
    for guards, ansi in POSITIONS:
        functions = compiled(sources, guards)
        spark.conf.set("spark.sql.ansi.enabled", ansi)
        if functions:
            assert check(spark, functions, [*edge_rows(), *data]) == []


@settings(max_examples=300)
@given(source=programs.functions(depth=4), guards=st.sampled_from(Guards))
def test_compiling_never_crashes(source: str, guards: Guards) -> None:
    """A function is compiled, or refused with a reason."""
    accepted(source, guards)


def test_a_comparison_that_its_bounds_decide_still_fails_outside_of_its_domain() -> None:
    """``1 // m`` is -1 for a negative `m`, for which its column raises: no bounds may hide that."""
    sources = ["lambda s, t, n, m, x, b, words: -1 < 1 // m", "lambda s, t, n, m, x, b, words: 1 // m <= 1"]
    for guards, _ in POSITIONS:
        programs_with_guard = compiled(sources, guards)
        assert len(programs_with_guard) == len(sources)
        assert all("required(" in str(one.compiled.element) for one in programs_with_guard)
