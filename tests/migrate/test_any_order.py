"""Reduce functions that nobody can prove to give the same in any order: of arrival, or as the user says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from migrate.model import Options, Outcome
from tests.migrate.programs import blocked, file, kafka_program, native_body, run, socket_program

UNSAFE = Options(unsafe=True)
PAIRS = "pairs = lines.map(lambda w: (w[:1], parse(w)))\n"
REDUCING = {
    "reduceByKey": PAIRS + "pairs.reduceByKey(merge).pprint()",
    "the last one": PAIRS + "pairs.reduceByKey(lambda a, b: b).pprint()",
    "reduce": "lines.map(parse).reduce(merge).pprint()",
    "groupByKey": PAIRS + "pairs.groupByKey().mapValues(list).pprint()",
    "groupByKey of floats": "lines.map(lambda w: (w, float(w))).groupByKey().mapValues(sum).pprint()",
    "a count by combineByKey": (
        "lines.map(lambda w: (w[:1], len(w)))"
        ".combineByKey(lambda n: 1, lambda n, m: n + 1, lambda a, b: a + b).pprint()"
    ),
    "combineByKey": PAIRS + "pairs.combineByKey(first, add, merge).pprint()",
    "in a callback": "lines.foreachRDD(lambda rdd: print(rdd.map(parse).reduce(merge)))",
    "by key in a callback": PAIRS + "pairs.foreachRDD(lambda rdd: rdd.reduceByKey(merge).foreach(put))",
    "in a function of a callback": (
        "def total(rdd):\n    return rdd.map(parse).sum()\ndef show(rdd):\n    print(total(rdd))\n"
        "lines.foreachRDD(show)"
    ),
    "in transform": PAIRS + "pairs.transform(lambda rdd: rdd.reduceByKey(merge)).pprint()",
}
SHOWING = {
    "floats": "lines.map(lambda w: (w, float(w))).reduceByKey(lambda a, b: a + b).pprint()",
    "floats of a function": (
        "def number(text):\n    return convert(text)\ndef convert(text):\n    return int(text) / 3\n"
        "lines.map(lambda w: (w, number(w))).reduceByKey(lambda a, b: a + b).pprint()"
    ),
    "floats in a callback": (
        PAIRS + "pairs.foreachRDD(lambda rdd: print(rdd.mapValues(float).reduceByKey(merge).collect()))"
    ),
    "floats by combineByKey": PAIRS + "pairs.combineByKey(lambda w: [w, 1.0], add, merge).pprint()",
    "a difference": "lines.map(len).map(parse).reduce(lambda a, b: a - b).pprint()",
    "a difference of a function": (
        "def minus(a, b):\n    return a - b\nlines.map(parse).reduce(minus).pprint()"
    ),
    "an operator": "import operator\nlines.map(parse).reduce(operator.sub).pprint()",
    "a number of steps": "lines.map(parse).reduce(lambda a, b: a + 1).pprint()",
    "a step by key in a callback": (
        PAIRS + "pairs.foreachRDD(lambda rdd: print(rdd.reduceByKey(lambda a, b: clean(b)).collect()))"
    ),
    "a mean": "lines.foreachRDD(lambda rdd: print(rdd.map(parse).mean()))",
    "after a shuffle": PAIRS + "pairs.reduceByKey(merge).map(lambda p: p[1]).reduce(merge).pprint()",
    "after a shuffle in a callback": (
        PAIRS + "pairs.foreachRDD(lambda rdd: print(rdd.distinct().values().reduce(merge)))"
    ),
    "after a shuffle in another variable": (
        PAIRS + "def show(rdd):\n    own = rdd.sortByKey()\n    print(own.values().reduce(merge))\n"
        "pairs.foreachRDD(show)"
    ),
    "after a shuffle, handed on": (
        PAIRS + "def total(rdd):\n    print(rdd.values().reduce(merge))\n"
        "def show(rdd):\n    own = rdd.distinct()\n    total(own)\npairs.foreachRDD(show)"
    ),
    "after transform": PAIRS + "pairs.transform(lambda rdd: rdd.sortByKey()).reduceByKey(merge).pprint()",
}
ARRIVING = {"a socket's": socket_program, "Kafka's": kafka_program}


@pytest.mark.parametrize("program", ARRIVING.values(), ids=ARRIVING)
@pytest.mark.parametrize("body", REDUCING.values(), ids=REDUCING)
def test_elements_that_arrived_one_by_one_are_reduced_in_that_order(
    body: str, program: Callable[[str], str]
) -> None:
    source = program(body.replace("lines", "messages") if program is kafka_program else body)
    for options in (Options(), UNSAFE):
        result = run(source, options)
        (graph,) = result.graphs
        assert graph.outcome is Outcome.NATIVE, graph.reasons
        assert all(site.safe for site in result.sites)
        assert any("in the order in which they came" in note for note in graph.notes)
        new = str(file(source, options).new)
        assert ('.option("numPartitions", 1)' in new) == (program is socket_program)


@pytest.mark.parametrize("body", REDUCING.values(), ids=REDUCING)
def test_lines_of_files_are_in_another_order(body: str) -> None:
    source = socket_program(body).replace('socketTextStream("localhost", 9999)', 'textFileStream("in")')
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "order" in graph.reasons[0]
    assert run(source, UNSAFE).graphs[0].outcome is Outcome.NATIVE


@pytest.mark.parametrize("body", SHOWING.values(), ids=SHOWING)
def test_what_shows_how_elements_are_cut_is_native_where_the_user_takes_it_for_commutative(body: str) -> None:
    why = blocked(body)
    assert "order" in why or "into partitions" in why
    assert "--unsafe" in why
    result = run(socket_program(body), UNSAFE)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert len([site for site in result.sites if not site.safe]) == 1
    assert any("commutative and associative" in note for note in graph.notes)


@pytest.mark.parametrize(
    "body",
    [
        "lines.glom().pprint()",
        "lines.mapPartitionsWithIndex(count).pprint()",
        "lines.foreachRDD(lambda rdd: print(rdd.zipWithIndex().collect()))",
        "lines.foreachRDD(lambda rdd: print(rdd.fold(1, merge)))",
        "lines.foreachRDD(lambda rdd: print(rdd.getNumPartitions()))",
    ],
)
def test_what_shows_partitions_is_not(body: str) -> None:
    assert "partitions" in blocked(body, UNSAFE)


def test_a_proven_aggregate_stays_safe() -> None:
    body = "lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b).pprint()"
    assert all(site.safe for site in run(socket_program(body), UNSAFE).sites)
    assert native_body(body, UNSAFE) == native_body(body)
