"""RDDs that a program persists, in the batch function."""

from __future__ import annotations

import pytest

from migrate.plan.stream_functions.cached_rdds import AS_OFTEN, ONCE, PERSISTED
from tests.migrate.programs import file, native_body, run, socket_program

PROGRAM = """\
import json
import random
import pyspark
from pyspark import SparkContext, StorageLevel
from pyspark.streaming import StreamingContext
sc = SparkContext(appName="Test")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
result = lines.map(json.loads).map(lambda d: (d["a"], random.random()))
{persist}
result.foreachRDD(lambda rdd: rdd.foreach(print))
{more}
result.pprint()
ssc.start()
ssc.awaitTermination()
"""
BESIDE = "lines.pprint()"


@pytest.mark.parametrize("more", ["", BESIDE])
@pytest.mark.parametrize(
    ("persist", "new"),
    [
        ("result.persist(StorageLevel.MEMORY_AND_DISK)", ".persist(StorageLevel.MEMORY_AND_DISK)"),
        (
            "result.persist(storageLevel=pyspark.StorageLevel.DISK_ONLY)",
            ".persist(pyspark.StorageLevel.DISK_ONLY)",
        ),
        ("result.persist(StorageLevel.MEMORY_ONLY)", ".persist()"),
        ("result.persist(StorageLevel.MEMORY_AND_DISK_SER)", ".persist()"),
        ("result.persist()", ".persist()"),
        ("result.cache()", ".persist()"),
    ],
)
def test_an_rdd_is_persisted_where_its_stream_was(persist: str, more: str, new: str) -> None:
    text = file(PROGRAM.format(persist=persist, more=more)).new
    assert f"{new}\n" in text
    assert ("StorageLevel" in text) is ("StorageLevel" in new)


COUNTS = "    print(rdd.distinct().count())\n    print(max(rdd.map(len).collect()))\n"
SHOWS = f"import json\ndef show(rdd{{}}):\n{COUNTS}"
CITIES = ".map(json.loads).map(lambda d: d['city']).cache()"


@pytest.mark.parametrize("window", ["", ".window(4, 2)", ".window(4)"])
@pytest.mark.parametrize(("parameter", "given"), [("", "show"), (", n", "lambda rdd: show(rdd, 1)")])
@pytest.mark.parametrize("named", [True, False])
def test_one_that_a_callback_computes_twice_is_persisted(
    window: str, parameter: str, given: str, named: bool
) -> None:
    chain = f"lines{window}{CITIES}"
    output = f"cities = {chain}\ncities.foreachRDD({given})" if named else f"{chain}.foreachRDD({given})"
    new = native_body(SHOWS.format(parameter) + output)
    name = "cities" if named else "rdd"
    assert new.count(".persist()") == (2 if window else 1)
    end = f"show({name}, 1)" if parameter else f"show({name})"
    assert new.endswith(f"{end}\n{name}.unpersist()")


def test_one_that_a_callback_computes_once_is_not() -> None:
    show = "import json\ndef show(rdd):\n    print(rdd.count())\n"
    body = f"{show}lines{CITIES}.foreachRDD(lambda rdd: show(rdd))"
    assert "persist" not in native_body(body)


WINDOW = """\
import json
def show(rdd, label):
    print(label, rdd.distinct().count(), max(rdd.map(len).collect()))
cities = lines.window(30, 10).map(json.loads).map(lambda city: city["name"]).cache()
cities.foreachRDD({})
"""


@pytest.mark.parametrize("callback", ["lambda rdd: show(rdd, 'cities')", "lambda t, rdd: show(rdd, t)"])
def test_one_of_a_window_is_persisted_once_for_a_function_that_is_handed_it(callback: str) -> None:
    text = file(socket_program(WINDOW.format(callback))).new
    assert text.count(".persist()\n") == text.count("cities.unpersist()\n") == 1


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("words.cache()\nwords.pprint()\nwords.count().pprint()", PERSISTED),
        ("words.persist().pprint()", ONCE),
        ("words.map(len).cache().saveAsTextFiles('out')", ONCE),
        (
            "def show(rdd):\n    print(rdd.count(), rdd.map(json.loads).collect())\n"
            "words.map(json.loads).cache().foreachRDD(show)",
            AS_OFTEN,
        ),
    ],
    ids=["two outputs", "one output", "one that saves", "one that computes it twice"],
)
def test_the_report_says_what_is_persisted(body: str, told: str) -> None:
    lines = 'import json\nwords = lines.flatMap(lambda line: line.split(" "))\n'
    result = run(socket_program(lines + body))
    assert [site.reason for site in result.sites if site.operator in ("cache", "persist")] == [told]
