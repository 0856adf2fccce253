"""What outlives a batch wants one in every interval, unless a callback asks whether there are elements."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, native_body, run, socket_program

EVERY_INTERVAL = ".transform(every_interval)"

HEAD = "seen = []\ntotal = 0\n"
SAFE = [
    pytest.param(
        "    rows = rdd.collect()\n    if len(rows) > 0:\n        rows = rows[0]\n        seen.append(1)\n",
        id="a variable that is bound again below",
    ),
    pytest.param("    if not rdd.isEmpty():\n        seen.append(1)\n", id="not empty"),
    pytest.param("    if rdd.isEmpty() == False:\n        seen.append(1)\n", id="not empty, compared"),
    pytest.param("    if rdd.isEmpty() != True:\n        seen.append(1)\n", id="not empty, not so"),
    pytest.param(
        "    if rdd.isEmpty() is not False:\n        return\n    seen.append(1)\n", id="empty, compared"
    ),
    pytest.param("    if rdd.count() > 0:\n        seen.append(1)\n", id="a count"),
    pytest.param("    rows = rdd.collect()\n    if len(rows) > 0:\n        seen.append(1)\n", id="a length"),
    pytest.param("    rows = rdd.collect()\n    if rows != []:\n        seen.append(1)\n", id="a list"),
    pytest.param(
        "    rows = rdd.filter(None).take(3)\n    if rows is None or rows == [] or rows == [[]]:\n"
        "        return\n    seen.append(1)\n",
        id="no list",
    ),
    pytest.param("    rows = rdd.take(1)\n    if rows:\n        seen.append(1)\n", id="a truth value"),
    pytest.param("    n = rdd.count()\n    if n != 0:\n        seen.append(1)\n", id="a variable"),
    pytest.param("    for row in rdd.collect():\n        seen.append(row)\n", id="a loop"),
    pytest.param(
        "    rows = rdd.collect()\n    for r in rows:\n        seen.append(r)\n", id="a loop over a variable"
    ),
    pytest.param("    if rdd.isEmpty():\n        return\n    seen.append(1)\n", id="an early return"),
    pytest.param(
        "    print(1)\n    rows = rdd.collect()\n    if not rows:\n        return\n    seen.append(1)\n",
        id="a late one",
    ),
    pytest.param(
        "    if rdd.isEmpty():\n        print('none')\n    else:\n        seen.append(1)\n",
        id="the other branch",
    ),
    pytest.param(
        "    try:\n        if rdd.count() == 0:\n            raise ValueError('none')\n"
        "        seen.append(1)\n    except ValueError as error:\n        print(error)\n",
        id="an error that the callback catches",
    ),
    pytest.param("    global total\n    total += rdd.count()\n", id="adding a count of 0"),
    pytest.param("    seen.extend(rdd.collect())\n", id="adding nothing"),
    pytest.param("    rdd.filter(len).foreach(lambda row: seen.append(row))\n", id="for each element"),
    pytest.param(
        "    rows = rdd.collect()\n    for row in rows:\n        last = len(row)\n    seen.append(last)\n",
        id="a variable without a value",
    ),
    pytest.param(
        "    for row in rdd.collect():\n        pass\n    print(row)\n    seen.append(1)\n",
        id="after one is read",
    ),
    pytest.param(
        "    rdd = rdd.filter(len)\n    if not rdd.isEmpty():\n        seen.append(1)\n", id="a new RDD"
    ),
    pytest.param(
        "    def add():\n        seen.append(1)\n    if rdd.isEmpty():\n        return\n    add()\n",
        id="a function of its own",
    ),
    pytest.param(
        "    rows = rdd.collect()\n    rows.sort()\n    while rows:\n        seen.append(rows.pop(0))\n",
        id="as long as there are elements",
    ),
    pytest.param(
        "    rows = []\n    for row in rdd.collect():\n        rows.append(row)\n    rows.reverse()\n"
        "    if rows:\n        seen.append(rows)\n",
        id="a list of elements in another order",
    ),
    pytest.param(
        "    def add(n):\n        seen.append(n)\n        return add(n - 1) if n else n\n"
        "    def add_all(rows):\n        for row in rows:\n            add(len(row))\n"
        "    if not rdd.isEmpty():\n        add_all(rdd.collect())\n",
        id="functions that call each other",
    ),
]
UNSAFE = [
    pytest.param(
        "    global rows\n    if rows:\n        seen.append(1)\n    rows = rdd.collect()\n    rows = [1]\n",
        id="a variable of the batch before",
    ),
    pytest.param(
        "    for i in range(2):\n        rows = rdd.collect()\n        if rows:\n            seen.append(1)\n"
        "    rows = [i]\n",
        id="a variable that is bound again in a loop",
    ),
    pytest.param(
        "    try:\n        if rdd.count() == 0:\n            raise ValueError('none')\n"
        "    except ValueError:\n        seen.append(1)\n",
        id="what catches the error",
    ),
    pytest.param(
        "    last = 0\n    for row in rdd.collect():\n        last = len(row)\n    seen.append(last)\n",
        id="a variable with a value",
    ),
    pytest.param(
        "    global total\n    for row in rdd.collect():\n        total = 2\n    seen.append(total)\n",
        id="a variable of the module",
    ),
    pytest.param(
        "    for row in rdd.collect():\n        last = 1\n    seen.append(last if total else 0)\n",
        id="a variable that may not be read",
    ),
    pytest.param(
        "    for row in rdd.collect():\n        last = 1\n    try:\n        print(last)\n"
        "    except NameError:\n        pass\n    seen.append(1)\n",
        id="an error that is caught",
    ),
    pytest.param("    seen.append(rdd.count())\n", id="no question"),
    pytest.param(
        "    rows = rdd.collect()\n    rows.append(1)\n    while rows:\n        seen.append(rows.pop(0))\n",
        id="as long as there are elements, or one that is put there",
    ),
    pytest.param("    while not seen:\n        seen.append(1)\n", id="as long as something else is so"),
    pytest.param(
        "    while rdd.isEmpty():\n        seen.append(1)\n        break\n", id="as long as there are none"
    ),
    pytest.param(
        "    def add():\n        seen.append(1)\n    add()\n    if not rdd.isEmpty():\n        add()\n",
        id="a function of its own that is called before, too",
    ),
    pytest.param(
        "    def add(n):\n        seen.append(n)\n    def add_all():\n        add(1)\n    add_all()\n"
        "    if not rdd.isEmpty():\n        add(2)\n",
        id="a function of its own that another one calls",
    ),
    pytest.param(
        "    def add():\n        seen.append(1)\n    if rdd.isEmpty():\n        add = print\n    add()\n",
        id="a function of its own whose name is bound again",
    ),
    pytest.param("    if rdd.isEmpty():\n        seen.append(0)\n", id="the wrong one"),
    pytest.param("    if rdd.isEmpty() != False:\n        seen.append(0)\n", id="the wrong one, compared"),
    pytest.param("    if rdd.count() >= 0:\n        seen.append(1)\n", id="a count that says nothing"),
    pytest.param(
        "    if rdd.isEmpty() or seen:\n        pass\n    seen.append(1)\n", id="after the question"
    ),
    pytest.param("    seen.append(1)\n    if rdd.isEmpty():\n        return\n", id="before it"),
    pytest.param(
        "    rows = rdd.collect()\n    rows = [1]\n    if rows:\n        seen.append(1)\n",
        id="a variable bound again",
    ),
    pytest.param("    global total\n    total += 1\n    print(total)\n", id="a counter of batches"),
    pytest.param("    if not rdd.isEmpty() or total:\n        seen.append(1)\n", id="either"),
    pytest.param(
        "    rdd.union(known).foreach(lambda row: seen.append(row))\n", id="each element of another RDD"
    ),
    pytest.param("    rdd.foreach(lambda row: row)\n    seen.append(1)\n", id="after each element"),
    pytest.param(
        "    both = rdd.union(known)\n    if not both.isEmpty():\n        seen.append(1)\n",
        id="elements of another RDD",
    ),
    pytest.param(
        "    rdd = rdd.union(known)\n    rdd = rdd.filter(len)\n    seen.extend(rdd.collect())\n",
        id="elements of another RDD by the same name",
    ),
]


def new(body: str) -> str:
    assert native_body(body)
    return file(socket_program(body)).new


@pytest.mark.parametrize("body", SAFE)
def test_a_change_for_a_batch_with_elements_alone_is_native(body: str) -> None:
    assert EVERY_INTERVAL not in new(f"{HEAD}def go(rdd):\n{body}\nlines.foreachRDD(go)")


@pytest.mark.parametrize("body", SAFE)
def test_so_is_one_in_a_function_that_the_callback_hands_its_rdd_to(body: str) -> None:
    assert EVERY_INTERVAL not in new(f"{HEAD}def go(rdd):\n{body}\nlines.foreachRDD(lambda r: go(r))")


def changes_in_every_interval(callback: str) -> bool:
    """Whether a query has a clock for a callback that makes DataFrames of its RDD."""
    head = "from pyspark.sql import SparkSession\nspark = SparkSession(sc)\nseen = []\n"
    return EVERY_INTERVAL in new(f"{head}def go(rdd):\n    {callback}\nlines.foreachRDD(go)")


@pytest.mark.parametrize(
    "rows",
    [
        "spark.read.json(rdd).collect()",
        "spark.read.json(rdd).where('a > 1').rdd.toLocalIterator()",
        "spark.read.json(rdd.filter(len)).rdd.map(str).collect()",
        "spark.createDataFrame(rdd.map(lambda w: (w,)), 'a string').sort('a').take(3)",
    ],
)
def test_dataframes_of_a_batch_without_elements_have_no_rows(rows: str) -> None:
    assert not changes_in_every_interval(f"for row in {rows}:\n        seen.append(row)")
    made = f"df = {rows}\n    for row in df:\n        seen.append(row)"
    assert not changes_in_every_interval(made)


@pytest.mark.parametrize(
    "rows",
    [
        "spark.read.json(rdd).selectExpr('count(*)').collect()",
        "spark.read.json(rdd).agg({'a': 'max'}).collect()",
        "spark.read.json(rdd).join(known, 'a', 'right').collect()",
        "spark.read.json(rdd).union(known).collect()",
        "spark.read.json(rdd.union(known)).collect()",
        "spark.read.json(known).rdd.collect()",
    ],
)
def test_others_may_have_some(rows: str) -> None:
    assert changes_in_every_interval(f"for row in {rows}:\n        seen.append(row)")


def test_a_variable_that_only_a_loop_gives_a_value_keeps_the_first_empty_batch_away() -> None:
    loop = "    for row in rdd.collect():\n        last = row\n"
    body = f"def go(rdd):\n{loop}    send(last)\nlines.foreachRDD(go)"
    result = file(socket_program(body))
    assert "if batch_id == 0 and batch.isEmpty():" in result.new
    (graph,) = run(socket_program(body)).graphs
    assert any("only a loop over the elements gives a value" in note for note in graph.notes)


@pytest.mark.parametrize("body", UNSAFE)
def test_a_change_for_an_empty_batch_too_wants_one_in_every_interval(body: str) -> None:
    assert EVERY_INTERVAL in new(f"{HEAD}def go(rdd):\n{body}\nlines.foreachRDD(go)")


@pytest.mark.parametrize("body", UNSAFE)
def test_so_does_one_behind_a_lambda(body: str) -> None:
    assert EVERY_INTERVAL in new(f"{HEAD}def go(rdd):\n{body}\nlines.foreachRDD(lambda r: go(r))")


MAKE = """\
def make(rdd):
    rows = rdd.collect()
    if len(rows) > 0:
        rows = rows[0]
        return rows.split(",")
"""


@pytest.mark.parametrize(
    "body",
    [
        "    made = make(rdd)\n    if made is not None:\n        seen.append(made)\n",
        "    made = make(rdd)\n    if made is None:\n        return\n    seen.append(made)\n",
        "    made = make(rdd)\n    if not made:\n        return\n    seen.append(made)\n",
        "    made = make(rdd)\n    if made:\n        keep(made)\n",
    ],
)
def test_so_is_one_behind_a_function_that_gives_none_without_elements(body: str) -> None:
    head = f"{HEAD}{MAKE}def keep(made):\n    global total\n    total += 1\n"
    assert EVERY_INTERVAL not in new(f"{head}def go(rdd):\n{body}\nlines.foreachRDD(go)")


@pytest.mark.parametrize(
    ("make", "guard"),
    [
        (MAKE, "made is None"),
        (MAKE, "True"),
        (MAKE + "    return [1]\n", "made is not None"),
        (
            "def make(rdd):\n    rows = rdd.collect()\n    return rows[0] if rows else []\n",
            "made is not None",
        ),
        ("def make(rdd):\n    for row in rdd.collect():\n        yield row\n", "made"),
    ],
)
def test_a_function_that_gives_something_without_elements_keeps_nothing_away(make: str, guard: str) -> None:
    body = f"    made = make(rdd)\n    if {guard}:\n        seen.append(1)\n"
    assert EVERY_INTERVAL in new(f"{HEAD}{make}def go(rdd):\n{body}\nlines.foreachRDD(go)")
