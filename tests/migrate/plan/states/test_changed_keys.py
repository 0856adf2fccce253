"""``--changed-keys``: running states put out what a batch changed, where that is what each output reads."""

from __future__ import annotations

import pytest

from migrate.model import Options, Outcome, Result
from migrate.plan.states.changed_keys import ALL, CHANGED, IN_PYTHON, MAY_BE_NONE, WORKS_ON_ALL
from tests.migrate.programs import flat, run, whole_program

TOTAL = "map(lambda w: (w, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0))"


def _run(body: str) -> Result:
    result = run(whole_program(body), Options(changed_keys=True))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    return result


def _unsafe(result: Result) -> list[str]:
    return [site.operator for site in result.sites if not site.safe]


@pytest.mark.parametrize("more", ["", ".filter(lambda p: p[1] > 2).mapValues(str)", ".cache()"])
def test_the_state_of_a_query_is_in_update_mode(more: str) -> None:
    result = _run(f"lines.{TOTAL}{more}.pprint()")
    assert 'writeStream.outputMode("update")' in result.files[0].new
    assert CHANGED in result.graphs[0].notes
    assert _unsafe(result) == ["updateStateByKey"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (f"lines.pprint()\nlines.{TOTAL}.pprint()", 'changed = totals.join(added, "value", "left_semi")'),
        (
            f"lines.{TOTAL}.pprint()\nlines.map(len).{TOTAL}.pprint()",
            'changed_running_totals = running_totals.join(added_running_totals, "value", "left_semi")',
        ),
        (
            f'first = sc.parallelize([("a", 1)])\nlines.{TOTAL[:-1]}, initialRDD=first).pprint()',
            'batch.union(initial_state.join(batch, "value", "left_semi"))',
        ),
    ],
    ids=["kept", "two that are kept", "an initial state"],
)
def test_a_state_of_the_batch_function_leaves_out_the_other_keys(body: str, code: str) -> None:
    result = _run(body)
    assert flat(code) in flat(result.files[0].new), result.files[0].new
    assert CHANGED in result.graphs[0].notes
    assert "updateStateByKey" in _unsafe(result)


ALL_KEYS = [
    (f"lines.{TOTAL}.count().pprint()", WORKS_ON_ALL.format(operator="count")),
    (
        f"lines.{TOTAL}.transform(lambda rdd: rdd.sortBy(lambda p: -p[1])).map(str).pprint()",
        WORKS_ON_ALL.format(operator="transform"),
    ),
    (
        "lines.map(lambda w: (w, w)).updateStateByKey(lambda new, last: {*new} or last).pprint()",
        IN_PYTHON,
    ),
    (
        f"messages.map(lambda m: m[0]).{TOTAL}.pprint()\nmessages.foreachRDD(lambda rdd: rdd.count())",
        MAY_BE_NONE,
    ),
]


@pytest.mark.parametrize(("body", "why"), ALL_KEYS)
def test_what_needs_all_keys_has_them(body: str, why: str) -> None:
    result = _run(body)
    assert ALL.format(why) in result.graphs[0].notes
    assert "left_semi" not in result.files[0].new
    assert '"update"' not in result.files[0].new
    assert _unsafe(result) == []


def test_a_program_without_a_state_is_as_it_was() -> None:
    result = _run("lines.pprint()")
    assert result == run(whole_program("lines.pprint()"))
