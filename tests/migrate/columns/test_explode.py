"""flatMap: an explode, a filter and a select give what Python's lists give."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from migrate.columns import (
    Exploded,
    Refusal,
    Scope,
    column_named,
    compile_flat_map,
    leaves,
    name_columns,
    projection,
)
from migrate.columns.functions import FunctionNode
from migrate.columns.pieces import written_out
from migrate.columns.shapes import Str
from tests.migrate.columns.both_ways import texts

LINE = column_named("value", Str())


def compiled(source: str, hint: str | None = "words", scope: Scope | None = None) -> Exploded:
    statement = ast.parse(source).body[0]
    node: FunctionNode = statement.value if isinstance(statement, ast.Expr) else statement  # type: ignore[assignment]
    return compile_flat_map(node, [LINE], scope or Scope(), hint=hint)


def test_a_split_is_exploded_under_the_stream_s_name() -> None:
    found = compiled("lambda line: line.split(' ')")
    assert written_out(found.array.code) == 'F.split("value", " ")'
    assert (found.name, found.condition) == ("word", None)
    assert (leaves(found.element)[0].code, found.kept, found.partial) == ('F.col("word")', (), False)


def test_a_comprehension_becomes_steps_after_the_explode() -> None:
    found = compiled("lambda line: [(w.strip(), 1) for w in line.split(',') if w]")
    assert found.condition is not None
    assert found.condition.code == 'F.col("word") != ""'
    assert projection(name_columns(found.element))[1] == 'F.lit(1).alias("count")'


def test_the_variable_names_the_column_where_it_says_more_than_a_letter() -> None:
    assert compiled("lambda line: [token for token in line.split()]", hint=None).name == "token"
    assert compiled("lambda line: [w for w in line.split()]", hint=None).name == "value"


def test_columns_that_are_read_later_are_kept() -> None:
    found = compiled("lambda line: [(line, w) for w in line.split()]")
    assert found.kept == ("value",)
    assert compiled("lambda line: [(line, value) for value in line.split()]", hint=None).name == "value2"


def test_tuples_that_differ_in_one_part_are_a_loop_over_it() -> None:
    found = compiled("lambda line: [(line, 1), (line[:1], 1)]")
    assert found.array.code == 'F.array("value", F.col("value").substr(1, 1))'
    assert [leaf.code for leaf in leaves(found.element)] == ['F.col("key")', "F.lit(1)"]
    other = compiled("lambda line: [(line, 'a'), (line, line[:1])]")
    assert (other.name, other.kept) == ("value2", ("value",))


def test_what_a_loop_goes_on_without_is_a_condition() -> None:
    found = compiled(
        "def f(line):\n    for w in line.split(','):\n        if not w:\n"
        "            continue\n        yield w"
    )
    assert found.condition is not None
    assert found.condition.code == 'F.col("word") != ""'


def test_a_def_with_statements() -> None:
    found = compiled(
        "def parse(line):\n    words = line.lower().split()\n    return [(w, 1) for w in words if len(w) > 2]"
    )
    assert (found.name, found.partial, found.demands.in_python) == ("word", False, True)
    assert [helper.name for helper in found.demands.helpers] == ["WHITESPACE", "lower"]


@pytest.mark.parametrize(
    "source",
    [
        "lambda line: line",
        "lambda line: (line, 1)",
        "lambda line: [w for s in line.split() for w in s.split(',')]",
        "lambda line: [(line, 1), (line[:1], 2)]",
        "lambda line: [(line, 1), ('a',)]",
        "lambda line: [(line, 1), (3, 1)]",
        "lambda line: [(line, int(line)), (line[:1], int(line))]",
    ],
)
def test_what_is_no_list_of_elements_is_refused(source: str) -> None:
    with pytest.raises(Refusal):
        compiled(source)


FUNCTIONS = [
    "lambda line: line.split(' ')",
    "lambda line: line.split()",
    "lambda line: [w for w in line.split(',') if w]",
    "lambda line: [(w, len(w)) for w in line.split(' ')]",
    "lambda line: [(line, w) for w in line.split('a') if w in line]",
    "lambda line: [line, line + '!']",
    "lambda line: [(line, 1), (line + '!', 1), ('b', 1)]",
    "lambda line: ((line, line[:1]), (line, 'b'))",
    "lambda line: [(w + line, 1) for w in [v.strip() for v in line.split('1')]]",
    "lambda line: (w + '!' for w in line.split(',') if w)",
    "def f(line):\n    for w in line.split(' '):\n        yield (w, 1)",
    "def f(line):\n    for line in line.split(','):\n        if line:\n            yield line.strip()",
    "def f(line):\n    for w in line.split():\n        if w == 'a':\n            continue\n"
    "        if len(w) > 1:\n            if w != 'aa':\n                yield w, line",
    "def f(line):\n    words = []\n    for w in line.split(','):\n        if '1' in w:\n"
    "            words.append((w, 1))\n    return words",
    "def f(line):\n    kept = []\n    for part in line.split('a'):\n        kept.append(part)\n"
    "    words = [word for word in kept if word]\n    return words",
    "def f(line):\n    comma = ','\n    if line.startswith('a'):\n        return [line]\n    found = []\n"
    "    for w in line.split(comma):\n        found.append(w)\n    return [','.join(found), 'b']",
]


def _run(source: str) -> Any:
    names: dict[str, Any] = {}
    exec(source if source.startswith("def") else f"f = {source}", names)
    return names["f"]


LOOPS = [
    ("for w in s.split():\n        yield w\n    yield s", "more than one loop"),
    (
        "a = []\n    if True:\n        for w in s.split():\n            yield w\n"
        "    for v in s.split(','):\n        a.append(int(v))",
        "goes on behind",
    ),
    ("yield s\n    for w in s.split():\n        print(w)", "no Column form"),
    ("for w in s.split():\n        if w:\n            yield w\n        else:\n            pass", "one item"),
    ("for w in s.split():\n        w = w + '!'\n        yield w", "one item"),
    ("for w in s.split():\n        yield w\n    else:\n        pass", "one item"),
    ("for w in s.split():\n        for v in w.split(','):\n            yield v", "one item"),
    ("for w in s.split():\n        return [w]", "one item"),
    ("a = []\n    for w in s.split():\n        a.append(w)\n    return [w]", "read behind it"),
    ("a = b = []\n    for w in s.split():\n        a.append(w)\n    return b", "no Column form"),
    ("a = []\n    b = a\n    for w in s.split():\n        a.append(w)\n    return b", "only this loop"),
    ("a = []\n    b = a\n    for w in s.split():\n        b.append(w)\n    return a", "only this loop"),
    ("a = ['']\n    for w in s.split():\n        a.append(w)\n    return a", "only this loop"),
    ("a = []\n    for w in s.split():\n        a.append(str(len(a)))\n    return a", "which it fills"),
    (
        "a = []\n    for w in s.split():\n        a.append(w)\n    for v in s.split(','):\n"
        "        a.append(v)\n    return a",
        "only this loop",
    ),
    ("for w in s.split():\n        s.append(w)\n    return s", "only this loop"),
    ("g = (w for w in s.split())\n    return list(g) + list(g)", "gone through once"),
]


@pytest.mark.parametrize(("body", "reason"), LOOPS)
def test_a_loop_that_does_more_is_refused(body: str, reason: str) -> None:
    with pytest.raises(Refusal) as caught:
        compiled(f"def f(s):\n    {body}")
    assert reason in caught.value.reason


@settings(max_examples=2, deadline=None)
@given(lines=st.lists(texts, min_size=5, max_size=30))
def test_it_gives_what_python_gives(spark: SparkSession, lines: Sequence[str]) -> None:
    frame = spark.createDataFrame([(line,) for line in lines], "value string").coalesce(1)
    for source in FUNCTIONS:
        found = compiled(source)
        namespace: dict[str, Any] = {"F": F}
        for helper in found.demands.helpers:
            exec(helper.source, namespace)
        array = eval(written_out(found.array.code), namespace)
        exploded = frame.select(*found.kept, F.explode(array).alias(found.name))
        if found.condition is not None:
            exploded = exploded.where(eval(written_out(found.condition.code), namespace))
        columns = [eval(written_out(leaf.code), namespace) for leaf in leaves(found.element)]
        natives = [tuple(row) for row in exploded.select(*columns).collect()]
        function = _run(source)
        expected = [item if isinstance(item, tuple) else (item,) for line in lines for item in function(line)]
        assert natives == expected, source
