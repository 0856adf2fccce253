"""A running state is counted in each batch, unless the callback is certain to compute all of it."""

from __future__ import annotations

import pytest

from tests.migrate.codemod.written import native_socket

COUNTED = "batch.count()  # the state is kept only if all of the batch is computed"

STATE = """\
import requests
from pyspark.sql import Row, SQLContext

def send(rows):
    requests.post("http://localhost:5001", data=str(rows))

def process(rdd):
{}
words = lines.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))
words.updateStateByKey(lambda new, total: sum(new) + (total or 0)).foreachRDD(process)
"""
VIEW = """\
    try:
        context = SQLContext(rdd.context)
        df = context.createDataFrame(rdd.map(lambda w: Row(word=w[0], n=w[1])))
        df.registerTempTable("words")
        top = context.sql("{}")
        top.show()
    except Exception as error:
        print(error)
"""
LATE = VIEW.replace("    try:\n", "    try:\n        send([])\n")


def _written(body: str) -> str:
    return native_socket(STATE.format(body))


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("    print(rdd.collect())\n", id="a collect"),
        pytest.param("    send(rdd.sortBy(lambda w: -w[1]).take(10))\n", id="a sort"),
        pytest.param(
            "    df = SQLContext(rdd.context).createDataFrame(rdd, ['word', 'n'])\n"
            "    df.write.mode('append').json('counts')\n",
            id="a write",
        ),
        pytest.param(
            "    def save(rows):\n        for row in rows:\n            send(row)\n"
            "    rdd.foreachPartition(save)\n",
            id="the partitions",
        ),
        pytest.param("    for word, n in rdd.collect():\n        print(word, n)\n", id="a loop"),
        pytest.param(
            "    with open('counts.txt', 'a') as file:\n        for word, n in rdd.collect():\n"
            "            file.write(word)\n",
            id="a file",
        ),
        pytest.param(
            "    if rdd.isEmpty():\n        print('none')\n        return\n    print(rdd.collect())\n",
            id="behind a return without elements",
        ),
        pytest.param("    if not rdd.isEmpty():\n        print(rdd.collect())\n", id="with elements"),
        pytest.param(
            "    send([])\n    try:\n        print('now')\n        rows = rdd.collect()\n"
            "        send(rows)\n    except Exception as error:\n        print(error)\n",
            id="before what a handler catches",
        ),
        pytest.param(VIEW.format("select word, n from words order by n desc limit 10"), id="a view"),
    ],
)
def test_no_count_before_what_computes_all(body: str) -> None:
    assert COUNTED not in _written(body)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("    print(rdd.take(10))\n", id="some"),
        pytest.param("    if len(rdd.take(5)) > 2:\n        print(rdd.collect())\n", id="sometimes"),
        pytest.param(
            "    try:\n        send([])\n        print(rdd.collect())\n"
            "    except Exception as error:\n        print(error)\n",
            id="behind what a handler catches",
        ),
        pytest.param(
            "    try:\n        print(rdd.map(lambda w: 1 / (w[1] - 2)).collect())\n"
            "    except Exception as error:\n        print(error)\n",
            id="what fails for some elements, caught",
        ),
        pytest.param(
            "    if len(rdd.take(5)) > 2:\n        return\n    print(rdd.collect())\n", id="behind a return"
        ),
        pytest.param(LATE.format("select word, n from words limit 10"), id="a view that is not sorted"),
        pytest.param(LATE.format("select word, n from words where n > 9 order by n"), id="some of a view"),
    ],
)
def test_a_count_before_what_may_not(body: str) -> None:
    assert COUNTED in _written(body)


@pytest.mark.parametrize("query", ["limit 10", "where n > 9 order by n"])
def test_a_look_for_rows_counts_them_where_not_all_may_be_computed(query: str) -> None:
    new = _written(VIEW.format(f"select word, n from words {query}"))
    assert COUNTED not in new and "isEmpty" not in new
    look = "        if batch.count() == 0:  # the state is kept only if all of the batch is computed\n"
    assert f"    try:\n{look}            return\n" in new.replace('"', "'")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("    print(rdd.count())\n    print(rdd.collect())\n", id="two actions"),
        pytest.param(VIEW.format("select word, n from words order by n"), id="a look whether there are rows"),
    ],
)
def test_what_is_computed_often_is_persisted(body: str) -> None:
    text = _written(body)
    assert "def process(batch, batch_id):\n    batch.persist()\n" in text
    assert "    batch.unpersist()\n" in text
