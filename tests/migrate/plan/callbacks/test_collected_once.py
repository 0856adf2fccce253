"""Callbacks that collect their rows several times, and do nothing else with them."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, socket_program

HEAD = "from pyspark.sql import SparkSession\nspark = SparkSession(sc)\nseen = []\n"
LIST = 'values = [row["value"] for row in batch.collect()]\n    '


def body(code: str) -> str:
    """The new code of a callback, with what calls it."""
    inner = "".join(f"    {line}\n" for line in code.splitlines())
    return file(socket_program(f"{HEAD}def show(rdd):\n{inner}lines.foreachRDD(show)")).new


@pytest.mark.parametrize(
    ("code", "after"),
    [
        (
            "exists = len(rdd.collect())\nif exists:\n    seen.append(rdd.collect()[0])",
            "exists = len(values)\n    if exists:\n        seen.append(values[0])\n",
        ),
        (
            "if len(rdd.collect()) > 0:\n    seen.append(rdd.collect()[0])",
            "if len(values) > 0:\n        seen.append(values[0])\n",
        ),
        (
            "if rdd.collect() != []:\n    pass\nseen.extend(rdd.collect()[1:])",
            "",
        ),
        (
            "print(len(rdd.collect()))\nfor line in rdd.collect():\n    print(line)",
            "print(len(values))\n    for line in values:\n        print(line)\n",
        ),
    ],
)
def test_they_have_one_list(code: str, after: str) -> None:
    new = body(code)
    assert (f"{LIST}{after}" in new) is bool(after)
    assert ("persist" in new) is not bool(after)


@pytest.mark.parametrize(
    "code",
    [
        "if seen:\n    pass\nelif len(rdd.collect()):\n    print(rdd.collect()[0])",
        "if len(seen) and len(rdd.collect()):\n    pass\nprint(rdd.collect()[0])",
        "print(len(rdd.collect()))\nprint(rdd.count(), rdd.collect()[0])",
        "print(len(rdd.collect()))\nseen.append(rdd.collect())",
        "print(len(rdd.collect()))\nprint(rdd.filter(lambda x: x > 'a').collect()[0])",
    ],
    ids=["another branch", "maybe not at first", "counted too", "a list that is kept", "other rows"],
)
def test_what_may_not_be_one_list_is_collected_each_time(code: str) -> None:
    assert LIST not in body(code)


@pytest.mark.parametrize("condition", ["exists", "exists > 0", "exists != 0"])
def test_a_variable_with_their_number_is_a_guard(condition: str) -> None:
    new = body(f"exists = len(rdd.collect())\nif {condition}:\n    seen.append(rdd.collect()[0])")
    assert "every_interval" not in new and "batch_id == 0" not in new


def test_one_that_counts_something_else_is_none() -> None:
    new = body("exists = len(rdd.collect()) + 1\nif exists:\n    seen.append(len(rdd.collect()))")
    assert "every_interval" in new
