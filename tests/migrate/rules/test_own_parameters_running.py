"""Callbacks that bind the name of their RDD to something else: the parameter gets a name of its own."""

from __future__ import annotations

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.codemod.written import new_text
from tests.migrate.programs import run, socket_program, whole_program
from tests.migrate.rules.running import after_program, before

BODIES = {
    "a list": """\
    line = line.collect()
    print(sorted(line), len(line))
""",
    "an RDD before": """\
    line = line.map(lambda w: w * 2)
    line = sorted(line.collect())
    print(line)
""",
    "a branch": """\
    if not line.isEmpty():
        line = line.take(1)
        print(len(line), line[0] * 2)
""",
    "a number, and again": """\
    line = line.count()
    if line > 1:
        line = line - 1
    print(line)
""",
    "a closure after it": """\
    line = line.count()
    print(list(map(lambda n: n + line, [1, 2])))
""",
}


def program(body: str, call: str = "save") -> str:
    more = ", mark" if "5" in call else ""
    return f"def save(line{more}):\n{body}\n\nlines.foreachRDD({call})\n"


@pytest.mark.parametrize(
    "call",
    [
        "save",
        *(pytest.param(f"lambda rdd: save(rdd{more})", marks=pytest.mark.full) for more in ("", ", 5")),
    ],
)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_they_do_the_same(spark_context: SparkContext, spark: SparkSession, body: str, call: str) -> None:
    source = program(body, call)
    batches = [("ok no", "x yes", "no"), ("y",), ("x x", "")]
    (expected,) = before([source], batches, spark_context)
    came = after_program(whole_program(source), [(), *batches], spark)
    assert came.batches[1:] == expected.batches


def test_the_variable_keeps_its_name() -> None:
    told = '    """Save.\n\n    :param line: the words\n    """\n' + BODIES["a list"]
    new = new_text(run(socket_program(program(told))))
    assert "def save(batch, batch_id):" in new
    assert '    line = [row["value"] for row in batch.collect()]\n' in new
    assert ":param line:" not in new


@pytest.mark.parametrize(
    "body",
    [
        "    if line.isEmpty():\n        line = []\n    print(line)",
        "    for n in range(2):\n        print(line)\n        line = n",
        "    again = lambda: line\n    line = line.count()\n    print(again())",
        "    def again():\n        nonlocal line\n        line = 1\n    print(line.count())",
        "    line, n = line.collect(), 1\n    print(line)",
        "    if line.isEmpty():\n        line = 1\n    else:\n        print(line.count())",
    ],
    ids=["either", "a loop", "a closure before it", "another function", "a tuple", "another branch"],
)
def test_where_the_name_may_be_either_nothing_is_renamed(body: str) -> None:
    source = socket_program(program(body))
    new = new_text(run(source))
    assert "compat" in new
    assert program(body).split("lines.")[0].rstrip() in new
