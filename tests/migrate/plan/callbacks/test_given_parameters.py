"""Parameters of a callback beside its RDD, which columns read by their names."""

from __future__ import annotations

import pytest

from migrate.model import Tier
from tests.migrate.programs import file, run, socket_program

HEAD = "import sys\nlimit = int(sys.argv[1])\ntags = [line.strip() for line in open('tags.txt')]\n"
SHOW = "def show(rdd, {names}):\n    print(rdd.filter(lambda w: {test}).collect())\n"


def tier(source: str) -> Tier:
    """What becomes of the outputs."""
    found = run(socket_program(source)).sites
    return next(site.tier for site in found if site.operator == "foreachRDD")


def body(test: str, given: str, names: str = "n") -> str:
    """A program whose callback is given more than its RDD."""
    return f"{HEAD}{SHOW.format(test=test, names=names)}lines.foreachRDD(lambda rdd: show(rdd, {given}))"


@pytest.mark.parametrize(
    ("test", "given", "column"),
    [
        ("len(w) > n", "limit", 'F.length("value") > n'),
        ("len(w) > n", "3", 'F.length("value") > n'),
        ("len(w) > n", "n=limit", 'F.length("value") > n'),
        ("w in n", "tags", 'F.col("value").isin(n)'),
        ("w.startswith(n)", "sys.argv[2]", 'F.col("value").startswith(n)'),
    ],
)
def test_a_column_reads_a_parameter(test: str, given: str, column: str) -> None:
    source = body(test, given)
    new = file(socket_program(source)).new
    assert f"batch.where({column}).collect()" in new
    assert f"show(batch, {given})" in new
    assert tier(source) is Tier.COLUMN


def test_one_of_the_function_around_the_lambda() -> None:
    source = (
        "import sys\n" + SHOW.format(test="len(w) > n", names="n") + "def main(lines):\n"
        "    limit = int(sys.argv[1])\n    lines.foreachRDD(lambda rdd: show(rdd, limit))\nmain(lines)"
    )
    assert 'batch.where(F.length("value") > n)' in file(socket_program(source)).new


def test_one_that_outputs_give_differently() -> None:
    source = body("len(w) > n", "limit") + "\nlines.foreachRDD(lambda rdd: show(rdd, 3))"
    new = file(socket_program(source)).new
    assert 'df.where(F.length("value") > n)' in new
    assert "show(batch, limit)\n" in new and "show(batch, 3)\n" in new


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(body("len(w) > n", "limit") + "\nshow(sc.parallelize([]), None)", id="None elsewhere"),
        pytest.param(body("len(w) > n", "len(tags[0]) / 2 or None"), id="no known type"),
        pytest.param(
            body("len(w) > n", "limit").replace("    print", "    n = str(n)\n    print"), id="bound again"
        ),
        pytest.param(body("w in n", "tags") + "\ntags.append('x')", id="a list that changes after the call"),
        pytest.param(body("w.title() == n", "sys.argv[2]"), id="in a function that stays Python"),
        pytest.param(body("len(w) > n", "*[limit]"), id="spread out"),
        pytest.param(body("len(w) > n", "limit") + "\nother(show)", id="a function that is handed on"),
    ],
)
def test_one_that_is_not_known_stays_with_python(source: str) -> None:
    assert tier(source) is not Tier.COLUMN
