"""Functions are followed however deep, in whichever module, and also where they call each other."""

from __future__ import annotations

import ast

from migrate.migration import migrate
from migrate.model import Options
from tests.migrate.programs import blocked, file, module, native_body, run, socket_program

EVERY_INTERVAL = ".transform(every_interval)"
DEEP = 8
"""Functions that call one another: more than anybody writes."""


def chain(last: str, parameter: str = "rdd") -> str:
    """Functions of which each calls the next one, ``step0`` the first; the last one does `last`."""
    steps = [f"def step{number}({parameter}):\n    step{number + 1}({parameter})\n" for number in range(DEEP)]
    return "".join([*steps, f"def step{DEEP}({parameter}):\n    {last}\n"])


def test_an_rdd_is_followed_through_many_functions() -> None:
    assert native_body(chain("print(rdd.count())") + "lines.foreachRDD(step0)")
    assert "glom" in blocked(chain("print(rdd.glom().collect())") + "lines.foreachRDD(step0)")


def test_a_change_is_seen_behind_many_functions() -> None:
    body = "seen = []\n" + chain("seen.append(n)", "n") + "lines.foreachRDD(lambda rdd: step0(rdd.count()))"
    assert EVERY_INTERVAL in file(socket_program(body)).new


def test_hundreds_of_functions_are_followed() -> None:
    steps = [
        f"def step{n}(n, acc):\n    own = acc\n    step{n + 1}(n, own)\n    step{n * 7 % 300}(n, acc)\n"
        for n in range(300)
    ]
    last = "def step300(n, acc):\n    acc.append(n)\n"
    body = "seen = []\n" + "".join(steps) + last + "lines.foreachRDD(lambda rdd: step0(rdd.count(), seen))"
    assert EVERY_INTERVAL in file(socket_program(body)).new


def test_functions_that_call_each_other_are_followed_once() -> None:
    body = (
        "seen = []\ndef odd(n, acc):\n    even(n - 1, acc) if n else acc.append(n)\n"
        "def even(n, acc):\n    odd(n - 1, acc) if n else print(n)\n"
        "def cb(rdd):\n    even(rdd.count(), {})\nlines.foreachRDD(cb)"
    )
    assert EVERY_INTERVAL in file(socket_program(body.format("seen"))).new
    assert EVERY_INTERVAL not in file(socket_program(body.format("[]"))).new


def test_an_rdd_that_goes_round_in_circles_is_not_followed() -> None:
    body = "def one(rdd):\n    other(rdd)\ndef other(rdd):\n    one(rdd)\nlines.foreachRDD(one)"
    assert "which is not followed" in blocked(body)


def test_the_names_of_a_function_are_those_of_its_module() -> None:
    job = socket_program("import store\nlines.foreachRDD(lambda rdd: store.save(rdd.count()))")
    keeping = "seen = []\ndef add(n):\n    seen.append(n)\ndef save(n):\n    add(n)\n"
    showing = "def show(n):\n    print(n)\ndef save(n):\n    show(n)\n"
    for store, keeps in ((keeping, True), (showing, False)):
        result = migrate([module(job), module(store, "store.py")], Options())
        (graph,) = result.graphs
        assert graph.outcome.value == "native"
        new = next(found.new for found in result.files if found.path == "job.py")
        assert ast.parse(new)
        assert (EVERY_INTERVAL in new) == keeps


def test_a_variable_of_the_function_around_is_kept_between_elements() -> None:
    source = (
        "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
        "def main():\n    sc = SparkContext()\n    ssc = StreamingContext(sc, 1)\n    seen = set()\n"
        "    def fresh(w):\n        new = w not in seen\n        seen.add(w)\n        return new\n"
        "    lines = ssc.socketTextStream('localhost', 9999)\n    lines.filter(fresh).pprint()\n"
        "    ssc.start()\n    ssc.awaitTermination()\nmain()\n"
    )
    (graph,) = run(source).graphs
    assert "keeps `seen` from element to element" in graph.reasons[0]
