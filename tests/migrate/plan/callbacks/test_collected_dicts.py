"""`collectAsMap` of an RDD is the dict of the rows that the driver collects."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options
from migrate.plan.callbacks.collected_order import ORDER
from tests.migrate.programs import module, native_body, run, socket_program

COUNTS = "counts = lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)\n"
SHOW = "def show(rdd):\n    print(len(rdd.collectAsMap()))\n"


@pytest.mark.parametrize(
    ("body", "new"),
    [
        (f"{SHOW}{COUNTS}counts.foreachRDD(show)", "print(len(dict(counts.collect())))"),
        (
            f"{SHOW}lines.map(lambda w: ((w, len(w)), 1)).foreachRDD(show)",
            "dict(((value, field2), count) for value, field2, count in rows.collect())",
        ),
        (
            "def show(rdd):\n    print(rdd.map(lambda p: (p[1], p[0])).collectAsMap()[1])\n"
            f"{COUNTS}counts.foreachRDD(show)",
            'print(dict(counts.select("count", "value").collect())[1])',
        ),
        (
            f"import json\n{SHOW}lines.map(json.loads).map(lambda d: (d['a'], d)).foreachRDD(show)",
            "dict((d['a'], d) for d in (json.loads(row[\"value\"]) for row in batch.collect()))",
        ),
        (
            f"import json\n{SHOW}tweets = lines.map(json.loads)\n"
            "tweets.map(lambda t: (t['kind'], 1)).reduceByKey(lambda a, b: a + b).foreachRDD(show)",
            "dict((json.loads(kind), count) for kind, count in rows.collect())",
        ),
    ],
)
def test_the_dict_is_made_of_the_rows(body: str, new: str) -> None:
    text = native_body(body)
    assert new in text
    assert ".rdd" not in text


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{SHOW}lines.foreachRDD(show)", id="no pairs"),
        pytest.param(f"{SHOW}lines.map(lambda w: (w, w, w)).foreachRDD(show)", id="three parts"),
        pytest.param(f"dict = list\n{SHOW}{COUNTS}counts.foreachRDD(show)", id="another dict"),
    ],
)
def test_others_are_rdd_code(body: str) -> None:
    assert "collectAsMap()" in str(run(socket_program(body)).files[0].new)


@pytest.mark.parametrize(
    ("use", "told"),
    [("print(rdd.collectAsMap())", True), ("print(len(rdd.collectAsMap()))", False)],
)
def test_the_report_tells_of_the_order_of_its_keys(use: str, told: bool) -> None:
    (graph,) = run(socket_program(f"def show(rdd):\n    {use}\n{COUNTS}counts.foreachRDD(show)")).graphs
    assert (ORDER.format("rdd.collectAsMap()") in graph.notes) == told


def test_functions_of_several_modules_are_rdd_code() -> None:
    reader = (
        "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
        "import ujson as codec\n\ndef read():\n    ssc = StreamingContext(SparkContext(), 2)\n"
        '    parsed = ssc.socketTextStream("localhost", 9999).map(lambda line: codec.loads(line))\n'
        "    return ssc, parsed\n"
    )
    main = (
        f"import reader\nssc, parsed = reader.read()\n{SHOW}"
        "parsed.map(lambda item: (item['a'], item)).foreachRDD(show)\nssc.start()\n"
    )
    texts = {"main.py": main, "reader.py": reader}
    result = migrate([module(text, path) for path, text in texts.items()], Options())
    new = str(result.files[0].new)
    assert "import ujson as codec" in new
    assert "batch.rdd.map(lambda line: codec.loads(line[" in new
