"""Functions inside of others whose streams move into the batch function: they move beside it."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import file, run, socket_program

TOTALS = '''\


def totals(lines):
    """The count of each line since the start."""
    # a running sum
    def update(new, last):
        return sum(new) + (last or 0)

    pairs = lines.map(lambda line: (line, 1))
    return pairs.updateStateByKey(update)
    pass


counts = totals(lines)
counts.pprint()
lines.pprint(3)
'''
LISTS = TOTALS.replace(
    "return sum(new) + (last or 0)", "# the last ones\n        return ((last or []) + new)[-3:]"
)


def test_a_running_sum_needs_its_function_no_more() -> None:
    new = file(socket_program(TOTALS)).new
    assert "def totals" not in new and "update" not in new
    assert '.groupBy("line").agg(F.sum("count").alias("count"))' in new


def test_a_function_that_is_still_called_stands_where_the_one_around_it_stood() -> None:
    new = file(socket_program(LISTS)).new
    assert "def totals" not in new
    assert (
        "\n\n\ndef update(new, last):\n    # the last ones\n    return ((last or []) + new)[-3:]\n\n" in new
    )
    assert "updated(running_totals, added, update)" in new
    assert new.count("# the last ones") == 1


@pytest.mark.parametrize(
    "changed",
    [
        LISTS.replace("-3:", "-limit:").replace("def totals(lines):", "def totals(lines, limit=3):"),
        LISTS.replace("    # a running sum\n", "    # a running sum\n    @staticmethod\n"),
        LISTS.replace("counts = totals", "update = 3\ncounts = totals"),
        LISTS.replace("    pairs =", "    print(update)\n    pairs ="),
    ],
    ids=["that reads a parameter", "with a decorator", "whose name means something else", "used otherwise"],
)
def test_a_function_that_cannot_stand_there(changed: str) -> None:
    (graph,) = run(socket_program(changed)).graphs
    assert graph.outcome is Outcome.COMPAT


@pytest.mark.parametrize("name", ["totals", "counts"])
def test_a_variable_may_take_the_name_of_its_function(name: str) -> None:
    source = TOTALS.replace("counts = totals", f"{name} = totals").replace("counts.", f"{name}.")
    (graph,) = run(socket_program(source)).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
