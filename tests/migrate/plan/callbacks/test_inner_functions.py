"""Functions that a callback defines are columns, as those of the module are."""

from __future__ import annotations

import pytest

from migrate.model import Tier
from tests.migrate.programs import run, socket_program

CALLBACK = """\
{before}def show(rdd):
    {above}
    def sized(line):
        {body}
    for one in sorted(rdd.map(sized).collect()):
        print(one)

lines.foreachRDD(show)
"""


def of(body: str, above: str = "pass", before: str = "") -> tuple[str, bool]:
    """The new text of a callback with an inner function, and whether it has RDD code."""
    result = run(socket_program(CALLBACK.format(body=body, above=above, before=before)))
    return str(result.files[0].new), Tier.RDD in {site.tier for site in result.sites}


@pytest.mark.parametrize(
    "body",
    [
        "return line, len(line)",
        "size = len(line)\n        return line, size",
        "if line:\n            return line, LEAST\n        return 'none', 0",
    ],
)
def test_they_are_columns_and_go(body: str) -> None:
    new, has_rdd = of(body, before="LEAST = 2\n")
    assert not has_rdd
    assert "def sized" not in new


def test_one_that_something_else_calls_stays() -> None:
    new, has_rdd = of("return line, len(line)", above="print(len(str(rdd)))")
    assert not has_rdd or "def sized" in new
    body = CALLBACK.format(body="return line, len(line)", above="pass", before="")
    result = run(socket_program(body.replace("        print(one)", "        print(one, sized('a'))")))
    assert "def sized" in str(result.files[0].new)
    assert Tier.RDD not in {site.tier for site in result.sites}


@pytest.mark.parametrize(
    ("body", "above", "before"),
    [
        ("return line, n", "n = rdd.count()", ""),
        ("return line, n", "n = 3", "n = 2\n"),
        ("found.append(line)\n        return line, 1", "found = []", ""),
        ("return line, len(line)", "pass", "def sized(line):\n    return line, 0\n\n"),
        ("nonlocal_ = open(line)\n        return line, 1", "pass", ""),
    ],
    ids=["a variable", "one of the module's name", "a list", "two of one name", "a file"],
)
def test_but_not_with_what_the_callback_holds(body: str, above: str, before: str) -> None:
    new, has_rdd = of(body, above, before)
    assert has_rdd
    assert "def sized" in new
