"""Elements that a callback keeps or hands on, and that show nothing of an interval without input."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, socket_program

HEAD = "from collections import defaultdict\nseen, sample, total, n = defaultdict(int), [], [0], 10\n"
CALL = "lines.map(int).foreachRDD(keep)\nprint(seen, sample)"
GIVES = HEAD + "def keep(rdd):\n    items = rdd.collect()\n    add(items)\n"
ADDS = "    for item in items:\n        seen[item] += 1\n"


def has_clock(body: str) -> bool:
    """Whether the query of a program runs a batch in every interval."""
    return ".transform(every_interval)" in file(socket_program(f"{body}{CALL}")).new


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("    for i in range(len(items)):\n        sample.append(items[i])\n", id="by position"),
        pytest.param("    for i in range(0, len(items)):\n        sample.append(items[i])\n", id="from 0"),
        pytest.param(ADDS, id="one by one"),
    ],
)
@pytest.mark.parametrize(
    "collects",
    [
        "    items = rdd.collect()\n",
        "    if total[0] > n:\n        items = rdd.take(n)\n    else:\n        items = rdd.collect()\n",
        "    items = rdd.collect()\n    if len(items) > n:\n        items = items[:n]\n",
    ],
)
def test_a_list_with_a_name_of_its_own(collects: str, body: str) -> None:
    assert not has_clock(f"{HEAD}def keep(rdd):\n{collects}{body}")


@pytest.mark.parametrize(
    "body",
    [
        "    items = rdd.collect()\n    if total[0]:\n        items = [0]\n" + ADDS,
        "    items = rdd.collect()\n    if total[0]:\n        items = rdd.take(n)\n    items.append(1)\n"
        + ADDS,
        "    items = rdd.collect()\n    for i in range(len(items) + 1):\n        sample.append(i)\n",
        "    items = rdd.collect()\n    for i in range(1, 3):\n        sample.append(len(items))\n",
    ],
    ids=["another list", "one more item", "one more number", "other numbers"],
)
def test_a_list_that_may_hold_more(body: str) -> None:
    assert has_clock(f"{HEAD}def keep(rdd):\n{body}")


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(f"def add(items):\n{ADDS}", id="a loop"),
        pytest.param(
            f"def add(items):\n    if not items:\n        return\n    total[0] = 1\n{ADDS}", id="a test"
        ),
        pytest.param("def add(items):\n    sample.extend(items)\n", id="all at once"),
        pytest.param(f"def add(items):\n    more(items)\ndef more(items):\n{ADDS}", id="handed on again"),
        pytest.param(f"def add(items):\n{ADDS}    return sorted(seen)\n", id="a result"),
    ],
)
def test_a_function_that_only_goes_through_elements(function: str) -> None:
    assert not has_clock(GIVES + function)


@pytest.mark.parametrize(
    "function",
    [
        pytest.param("def add(items):\n    total[0] = len(items)\n", id="the last number"),
        pytest.param(f"def add(items):\n    items = [1, *items]\n{ADDS}", id="a parameter bound again"),
        pytest.param(f"def add(items):\n    items.append(1)\n{ADDS}", id="one more item"),
        pytest.param(f"def add(items):\n{ADDS}    sample.append(1)\n", id="more beside the loop"),
        pytest.param(
            "def add(items):\n    more(items, 1)\ndef more(items, n):\n    total[0] = n\n", id="later"
        ),
        pytest.param("def add(items):\n    for item in [1]:\n        seen[item] += 1\n", id="another loop"),
    ],
)
def test_a_function_that_changes_something_without_elements(function: str) -> None:
    assert has_clock(GIVES + function)


def test_a_function_that_is_given_what_it_changes() -> None:
    given = HEAD + "def keep(rdd):\n    add(rdd.collect(), seen)\n"
    assert not has_clock(given + "def add(items, found):\n    for item in items:\n        found[item] += 1\n")
    assert has_clock(given + "def add(items, found):\n    found[1] += len(items) + 1\n")
