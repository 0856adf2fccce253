"""Decorators that only do something around a function of streams."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import run

PROGRAM = """\
import functools
import time
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def timed(function):
{decorator}


@timed
def streaming(sc, seconds=5):
    ssc = StreamingContext(sc, seconds)
    return ssc


ssc = streaming(SparkContext(appName="Words"), 2)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
"""
HELD = """\
    def wrapper(*args, **kwargs):
        started = time.time()
        result = function(*args, **kwargs)
        print(function.__name__, time.time() - started)
        return result

    return wrapper"""
RETURNED = '''\
    """Say what is called."""

    @functools.wraps(function)
    def wrapper(*given, **named):
        print(f"calls {function}")
        return function(*given, **named)

    return wrapper'''


@pytest.mark.parametrize("decorator", [HELD, RETURNED], ids=["a result that is held", "one that is returned"])
def test_a_call_is_one_of_the_function(decorator: str) -> None:
    result = run(PROGRAM.format(decorator=decorator))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    assert decorator in new
    assert "@timed\ndef streaming(sc, seconds=5):\n    spark = SparkSession.builder.getOrCreate()\n" in new
    assert 'spark = streaming(SparkContext(appName="Words"), 2)\n' in new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("return result", "return function(*args, **kwargs)", id="twice"),
        pytest.param("        result = f", "        for _ in range(2):\n            result = f", id="a loop"),
        pytest.param("return result", "return result or None", id="another result"),
        pytest.param("started = ", "args = args[1:]\n        started = ", id="other arguments"),
        pytest.param("*args, **kwargs)\n        print", "*args)\n        print", id="fewer arguments"),
        pytest.param("print(function.__name__", "print(result", id="what it prints of the context"),
        pytest.param("print(function.__name__", "later(function", id="handed on"),
        pytest.param("    return wrapper", "    return other(wrapper)", id="a wrapper in another one"),
        pytest.param(
            "        started", "        if args:\n            return\n        started", id="not always"
        ),
        pytest.param("def wrapper", "@other\n    def wrapper", id="a decorated wrapper"),
    ],
)
def test_what_may_do_more_is_not_followed(old: str, new: str) -> None:
    (graph,) = run(PROGRAM.format(decorator=HELD.replace(old, new))).graphs
    assert graph.outcome is not Outcome.NATIVE
    assert any("is decorated" in reason for reason in graph.reasons)


def test_a_function_of_which_nothing_is_left_keeps_its_program() -> None:
    source = PROGRAM.format(decorator=HELD).replace("@timed\ndef streaming", "def streaming")
    source = source.replace('ssc.socketTextStream("localhost", 9999).pprint()', "show(ssc)")
    show = '@timed\ndef show(ssc):\n    ssc.socketTextStream("localhost", 9999).pprint()\n\n\nssc = '
    result = run(source.replace("ssc = streaming", f"{show}streaming"))
    assert result.graphs[0].outcome is not Outcome.NATIVE or "@timed\ndef show(" in result.files[0].new
