"""Run functions both ways: Python on Python values, and the compiled Columns on the same values in Spark.

Spark stops at the first error, but a test wants to know for each row whether it raises. `TryEval`, the
Catalyst expression behind the ``try_`` functions, gives null for what raises; so the compiled code itself
runs unchanged, for all rows and programs in one job. What does not raise then runs once more as migrated code
would, without it.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from hypothesis import strategies as st
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DateType,
    DoubleType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
)

from migrate.columns import Compiled, Element, Record, Scope, column_named, compile_map, leaves
from migrate.columns.guards import Guards
from migrate.columns.pieces import written_out
from migrate.columns.shapes import Bool, Date, Float, Int, List, Maybe, Shape, Str, Timestamp

SHAPES: dict[str, Shape] = {
    "s": Str(),
    "t": Str(),
    "n": Int(),
    "m": Int(),
    "x": Float(),
    "b": Bool(),
    "words": List(Str()),
    "numbers": List(Int()),
    "o": Maybe(Str()),
    "day": Date(),
    "when": Timestamp(),
}
SCHEMA = StructType(
    [
        StructField("s", StringType()),
        StructField("t", StringType()),
        StructField("n", LongType()),
        StructField("m", LongType()),
        StructField("x", DoubleType()),
        StructField("b", BooleanType()),
        StructField("words", ArrayType(StringType())),
        StructField("numbers", ArrayType(LongType())),
        StructField("o", StringType()),
        StructField("day", DateType()),
        StructField("when", TimestampNTZType()),
        StructField("id", IntegerType()),
    ]
)
RAISED = "raised"
SCOPE = Scope(
    imports={"operator": "operator", "add": "operator.add", "re": "re"},
)
POSITIONS = (
    (Guards.STRICT, "true"),
    (Guards.STRICT, "false"),
    (Guards.ANSI, "true"),
    (Guards.SHORT, "true"),
    (Guards.SHORT, "false"),
)
"""The positions of the compiler's switch, with each setting of ANSI mode that they must be right in."""

_HOSTILE = " ,a1.|\t\n\r\\$^[]{}()*+?-=%'\"\0\x1c\x1f\x85\xa0\u2028\u3000\u200b\u180ebBéÉßİıΣσς٣²½Ωǅﬁ😀𝐀"  # noqa: RUF001
_NUMERIC = [
    "0",
    "-0",
    "+5",
    " 7 ",
    "007",
    "1_0",
    "1d",
    "1f",
    "7.0",
    "1e3",
    "-.5",
    "5.",
    "nan",
    "inf",
    "0x1",
    "٣",
    "\x1c1",
]
_NUMERIC += [
    "9" * 18,
    "9" * 19,
    "-" + "9" * 18,
    "1\u2028",
    "1\x85",
    "1\n",
    "--1",
    "+",
    "1,2",
    "10,-3,x",
    "12,",
    "a,b,c",
]
texts = st.one_of(
    st.text(st.sampled_from(_HOSTILE), max_size=8),
    st.sampled_from(["", "a", "ab", "aa a", "a,b", "1", "12", "True", *_NUMERIC]),
    st.text(st.characters(codec="utf-8"), max_size=5),
    st.integers(-(10**19), 10**19).map(str),
)
ints = st.one_of(
    st.integers(-5, 20),
    st.sampled_from(
        [0, 1, -1, 2**31 - 1, 2**31, -(2**31), 2**32, 2**53, 2**62, 2**63 - 1, -(2**63), -(2**63) + 1]
    ),
    st.integers(-(2**63), 2**63 - 1),
)
floats = st.one_of(
    st.floats(), st.sampled_from([0.0, -0.0, 0.1, 1.0, math.inf, -math.inf, math.nan, 2.0**53])
)
rows = st.tuples(
    *(texts, texts, ints, ints, floats, st.booleans(), st.lists(texts, max_size=4)),
    *(st.lists(ints, max_size=4), st.none() | texts, st.dates(), st.datetimes()),
)
Row = tuple[Any, ...]

_EDGE_TEXTS = [
    "",
    "a",
    "ab",
    "aa a",
    "a,b",
    "a.b|c",
    " a\u2003b\x1c",
    "\ta\n",
    "a\\b",
    "É😀x",
    "ΑΣ",
    "İ",
    "ß",
    "\u1c89",
    "True",
    "1",
]
_EDGE_INTS = [0, 1, -1, 7, -7, 2**31 - 1, -(2**31), 2**53 + 1, 2**62, 2**63 - 1, -(2**63), -(2**63) + 1]
_EDGE_FLOATS = [0.0, -0.0, 0.1, 1e16, -2.5, math.inf, -math.inf, math.nan, 2.0**53]
_EDGE_TIMES = [
    datetime(2024, 2, 29, 23, 59, 59, 999999),
    datetime(2021, 3, 28, 2, 30),
    datetime(1970, 1, 1),
    datetime(1969, 12, 31, 23, 59, 59, 1),
    datetime(1582, 10, 10, 3),
    datetime.min,
    datetime.max,
]
_EDGE_LISTS: list[list[str]] = [[], [""], ["a"], ["a", "b"], ["1", "a", ""], ["b", "a", "a", "É"]]


def edge_rows() -> list[Row]:
    """Return the same rows in every run, with each edge of each type among them."""
    texts_, ints_ = [*_EDGE_TEXTS, *_NUMERIC], _EDGE_INTS
    return [
        (
            text,
            texts_[(number * 7 + 3) % len(texts_)],
            ints_[number % len(ints_)],
            ints_[(number * 5 + number // len(ints_)) % len(ints_)],
            _EDGE_FLOATS[number % len(_EDGE_FLOATS)],
            number % 2 == 0,
            _EDGE_LISTS[number % len(_EDGE_LISTS)],
            ints_[: number % 4],
            None if number % 5 == 0 else texts_[(number * 3 + 1) % len(texts_)],
            _EDGE_TIMES[number * 3 % len(_EDGE_TIMES)].date(),
            _EDGE_TIMES[number % len(_EDGE_TIMES)],
        )
        for number, text in enumerate(texts_)
    ]


@dataclass(frozen=True)
class Program:
    """A function, and what the compiler made of it."""

    source: str
    function: Callable[..., Any]
    parameters: tuple[str, ...]
    compiled: Compiled
    guards: Guards = Guards.STRICT

    def python(self, row: Row) -> Any:
        """Return what Python makes of a row, flat; `RAISED` if it raises."""
        values = dict(zip(SHAPES, row, strict=True))
        try:
            result = self.function(*(values[name] for name in self.parameters))
        except Exception:
            return RAISED
        return flat(result, self.compiled.element)

    def columns(self) -> list[Column]:
        """Return the emitted code, evaluated."""
        namespace: dict[str, Any] = {"F": F}
        for helper in self.compiled.demands.helpers:
            exec(helper.source, namespace)
        return [eval(written_out(leaf.code), namespace) for leaf in leaves(self.compiled.element)]


def elements() -> dict[str, Element]:
    """Return the elements that the parameters' names stand for."""
    return {name: column_named(name, shape) for name, shape in SHAPES.items()}


def program(source: str, scope: Scope = SCOPE, guards: Guards | None = None) -> Program:
    """Compile a lambda whose parameters' names give their shapes."""
    scope = scope if guards is None else replace(scope, guards=guards)
    node = ast.parse(source, mode="eval").body
    assert isinstance(node, ast.Lambda)
    parameters = tuple(parameter.arg for parameter in node.args.args)
    compiled = compile_map(node, [elements()[name] for name in parameters], scope)
    names = {"add": lambda a, b: a + b, "re": re, **scope.constants}
    return Program(source, eval(source, names), parameters, compiled, scope.guards)


def flat(value: Any, element: Element) -> tuple[Any, ...]:
    """Return a tuple as the values of its columns."""
    if isinstance(element, Record):
        return tuple(
            part for item, inner in zip(value, element.items, strict=True) for part in flat(item, inner)
        )
    return (value,)


def table(spark: SparkSession, data: Sequence[Row]) -> DataFrame:
    """Return the rows as a DataFrame with their number."""
    return spark.createDataFrame([(*row, number) for number, row in enumerate(data)], SCHEMA).coalesce(1)


def tried(spark: SparkSession, columns: Sequence[Column]) -> Column:
    """Return a struct of the columns, or null where evaluating one of them raises."""
    jvm: Any = spark.sparkContext._jvm
    struct = F.struct(*(column.alias(f"c{number}") for number, column in enumerate(columns)))
    evaluate = jvm.org.apache.spark.sql.catalyst.expressions.TryEval
    if spark.version.startswith("3."):
        java: Any = struct._jc
        return Column(jvm.org.apache.spark.sql.Column(evaluate(java.expr())))
    utils = jvm.org.apache.spark.sql.classic.ExpressionUtils
    return type(struct)(utils.column(evaluate(utils.expression(struct._jc))))


def outcomes(spark: SparkSession, programs: Sequence[Program], frame: DataFrame) -> list[list[Any]]:
    """Return for each program and row what Spark makes of it, `RAISED` if it raises."""
    spark.conf.set(
        "spark.sql.subexpressionElimination.enabled", "false"
    )  # it would hoist steps out of the `TryEval`
    try:
        columns = [tried(spark, item.columns()).alias(f"p{number}") for number, item in enumerate(programs)]
        found = frame.select("id", *columns).collect()
    finally:
        spark.conf.unset("spark.sql.subexpressionElimination.enabled")
    ordered = sorted(found, key=lambda row: int(row["id"]))
    return [
        [RAISED if row[n + 1] is None else tuple(row[n + 1]) for row in ordered] for n in range(len(programs))
    ]


def same(one: Any, other: Any) -> bool:
    """Return whether two values are of one type and equal; NaN equals NaN, 0.0 does not equal -0.0."""
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return (
            math.copysign(1, one) == math.copysign(1, other)
            if one == other
            else one != one and other != other
        )
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def wrong(item: Program, row: Row, native: Any) -> str | None:
    """Say what is wrong with Spark's outcome for a row, or None where it is right."""
    python = item.python(row)
    codes = [written_out(leaf.code) for leaf in leaves(item.compiled.element)]
    shown = f"{item.source}\n  {codes}\n  row {row!r}: "
    if native == RAISED:
        if python != RAISED and not (item.compiled.partial and item.compiled.demands.raises):
            return f"{shown}Python gives {python!r}, Spark raises, and the code is not said to do so"
        return None
    if python == RAISED:
        allowed = item.guards is not Guards.STRICT and item.compiled.demands.gives
        return None if allowed else f"{shown}Python raises, Spark gives {native!r}"
    return None if same(python, native) else f"{shown}Python gives {python!r}, Spark {native!r}"


def in_every_position(spark: SparkSession, sources: Sequence[str], data: Sequence[Row]) -> list[str]:
    """Compile and run programs in each position of the switch, and say where they differ."""
    errors = []
    for guards, ansi in POSITIONS:
        spark.conf.set("spark.sql.ansi.enabled", ansi)
        programs = [program(source, guards=guards) for source in sources]
        errors += [f"{guards.name}, ANSI mode {ansi}: {error}" for error in check(spark, programs, data)]
    spark.conf.unset("spark.sql.ansi.enabled")
    return errors


def check(
    spark: SparkSession, programs: Sequence[Program], data: Sequence[Row], *, useful: bool = False
) -> list[str]:
    """Run programs both ways and say where they differ; if they are to be `useful`, also which always raise.

    Those that give a function of Python what may raise are left out: Spark computes it outside of `TryEval`.
    """
    programs = [one for one in programs if not (one.compiled.demands.in_python and one.compiled.partial)]
    frame = table(spark, data).cache()
    try:
        found = outcomes(spark, programs, frame)
        errors = [
            text
            for item, natives in zip(programs, found, strict=True)
            for row, native in zip(data, natives, strict=True)
            if (text := wrong(item, row, native)) is not None
        ]
        if useful:
            errors += [
                f"{item.source} raises on all rows"
                for item, natives in zip(programs, found, strict=True)
                if natives == [RAISED] * len(data)
            ]
        return errors or as_migrated(spark, programs, frame, found)
    finally:
        frame.unpersist()


def as_migrated(
    spark: SparkSession, programs: Sequence[Program], frame: DataFrame, found: Sequence[Sequence[Any]]
) -> list[str]:
    """Run rows that do not raise once more, without `TryEval` and with all optimisations."""
    errors = []
    for group, kept in groups(found):
        columns = [column for number in group for column in programs[number].columns()]
        named = [column.alias(f"c{number}") for number, column in enumerate(columns)]
        sources = [programs[number].source for number in group]
        try:
            natives = frame.where(F.col("id").isin(kept)).select("id", *named).collect()
        except Exception as error:
            errors.append(f"{sources} raises as a whole: {str(error)[:300]}")
            continue
        for native in natives:
            before = tuple(part for number in group for part in found[number][native["id"]])
            if not same(tuple(native)[1:], before):
                errors.append(
                    f"{sources} row {native['id']}: optimised {tuple(native)[1:]!r}, else {before!r}"
                )
    return errors


def groups(found: Sequence[Sequence[Any]], least: int = 4) -> list[tuple[list[int], list[int]]]:
    """Put programs together that share rows on which none of them raises: a job for each takes long."""
    made: list[tuple[list[int], list[int]]] = []
    for number, natives in enumerate(found):
        kept = [row for row, native in enumerate(natives) if native != RAISED]
        for group, shared in made:
            common = [row for row in shared if row in kept]
            if len(common) >= min(least, len(kept)):
                group.append(number)
                shared[:] = common
                break
        else:
            made.append(([number], kept))
    return [(group, kept) for group, kept in made if kept]
