"""Operators must not read what callbacks change: DStream makes the RDDs of a batch before callbacks run."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import run, socket_program

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def words_of(path):
    found = []
    for line in open(path):
        found.append(line.strip())
    return found

def stream(ssc, words, duration):
    lines = ssc.socketTextStream("localhost", 9999)
    pairs = lines.filter(lambda line: line in words).map(lambda line: (line, 1))
    counts = {made}
    pairs.foreachRDD(lambda time, rdd: counts.append(rdd.collect()))
    ssc.start()
    ssc.awaitTerminationOrTimeout(duration)
    ssc.stop(stopGraceFully=True)
    return counts

{caller}
"""
IN_A_FUNCTION = """\
def main():
    ssc = StreamingContext(SparkContext(appName="words"), 10)
    words = words_of("words.txt")
    counts = stream(ssc, words, 100)
    print(counts[1:])
main()"""
GLOBAL = IN_A_FUNCTION.replace("def main():", "def main():\n    global counts")

TAKEN_ALONG = IN_A_FUNCTION.replace("print(counts[1:])", "later(lambda: counts)")


@pytest.mark.parametrize(
    ("made", "caller", "outcome"),
    [
        pytest.param("[]", IN_A_FUNCTION, Outcome.NATIVE, id="a local variable of the caller"),
        pytest.param("words", IN_A_FUNCTION, Outcome.COMPAT, id="no list of its own"),
        pytest.param("[]", GLOBAL, Outcome.COMPAT, id="a global variable"),
        pytest.param("[]", TAKEN_ALONG, Outcome.COMPAT, id="a variable of a closure"),
    ],
)
def test_a_result_is_bound_when_the_graph_has_ended(made: str, caller: str, outcome: Outcome) -> None:
    (graph,) = run(PROGRAM.format(made=made, caller=caller)).graphs
    assert graph.outcome is outcome, graph.reasons
    assert outcome is Outcome.NATIVE or "it reads `words`, which a callback changes" in graph.reasons[0]


SHARED = """\
import json
from os import environ
from datetime import datetime

last = {{}}
def keep(rdd):
    for text in rdd.collect():
        last["at"] = datetime.now()
        last["json"] = json.loads(text)
        {change}
lines.transform(lambda rdd: rdd.filter(lambda line: {condition})).foreachRDD(keep)"""


@pytest.mark.parametrize(
    ("condition", "change", "outcome"),
    [
        pytest.param("json.loads(line)['n'] > 1", "pass", Outcome.NATIVE, id="a module"),
        pytest.param("line < str(datetime(2020, 1, 1))", "pass", Outcome.NATIVE, id="a class of the library"),
        pytest.param("line in environ", "environ[text] = '1'", Outcome.COMPAT, id="an object of the library"),
        pytest.param("line in last", "pass", Outcome.COMPAT, id="a dict of the program"),
    ],
)
def test_a_module_or_class_is_not_changed_by_what_is_made_of_it(
    condition: str, change: str, outcome: Outcome
) -> None:
    (graph,) = run(socket_program(SHARED.format(condition=condition, change=change))).graphs
    assert graph.outcome is outcome, graph.reasons


PUTS_TOGETHER = """\
def longest(words, word):
    words.append(word)
    words.sort(key=len)
    return words[-3:]

def top(rdd):
    {first}
    return rdd.aggregateByKey([], longest, lambda a, b: (a + b)[-3:])

tops = lines.map(lambda line: (line[:1], line)).transform(top)
tops.pprint()
tops.foreachRDD(lambda rdd: print(rdd.count()))
"""


@pytest.mark.parametrize(
    ("first", "outcome"),
    [
        pytest.param("pass", Outcome.NATIVE, id="a function that executors call"),
        pytest.param("longest([], 'a')", Outcome.COMPAT, id="the same, called by the driver"),
        pytest.param("list(map(longest, [[]], ['a']))", Outcome.COMPAT, id="the same, which the driver maps"),
        pytest.param("print('top')", Outcome.COMPAT, id="a print"),
    ],
)
def test_functions_that_an_rdd_is_given_run_later_than_transform(first: str, outcome: Outcome) -> None:
    (graph,) = run(socket_program(PUTS_TOGETHER.format(first=first))).graphs
    assert graph.outcome is outcome, graph.reasons
    assert outcome is Outcome.NATIVE or "before the outputs of its batch" in graph.reasons[0]


LOGGING = """\
import json
import logging

def get_logger(name):
    made = {made}
    made.setLevel(logging.INFO)
    return made

logger = get_logger("job")

def parse(line):
    try:
        return json.loads(line)
    except ValueError as error:
        logger.error(str(error))
        return {{}}

def show(rdd):
    for one in rdd.collect():
        logger.info(str(one))

lines.map(parse).foreachRDD(show)"""


@pytest.mark.parametrize(
    ("made", "outcome"),
    [
        ("logging.getLogger(name)", Outcome.NATIVE),
        ("logging.Logger(name)", Outcome.NATIVE),
        ("unknown(name)", Outcome.COMPAT),
    ],
)
def test_a_logger_that_a_function_makes_changes_nothing(made: str, outcome: Outcome) -> None:
    text = socket_program(LOGGING.format(made=made))
    assert run(text).graphs[0].outcome is outcome, run(text).graphs[0].reasons
