"""Reduce functions that nobody can prove to give the same in any order, where the user says that they do."""

from __future__ import annotations

import pytest

from migrate.model import Options, Outcome
from tests.migrate.programs import blocked, native_body, run, socket_program

UNSAFE = Options(unsafe=True)
PAIRS = "pairs = lines.map(lambda w: (w[:1], parse(w)))\n"
REDUCING = {
    "reduceByKey": PAIRS + "pairs.reduceByKey(merge).pprint()",
    "the last one": PAIRS + "pairs.reduceByKey(lambda a, b: b).pprint()",
    "floats": "lines.map(lambda w: (w, float(w))).reduceByKey(lambda a, b: a + b).pprint()",
    "reduce": "lines.map(parse).reduce(merge).pprint()",
    "groupByKey": PAIRS + "pairs.groupByKey().mapValues(list).pprint()",
    "combineByKey": PAIRS + "pairs.combineByKey(first, add, merge).pprint()",
    "in a callback": "lines.foreachRDD(lambda rdd: print(rdd.map(parse).reduce(merge)))",
    "by key in a callback": PAIRS + "pairs.foreachRDD(lambda rdd: rdd.reduceByKey(merge).foreach(put))",
    "in a function of a callback": (
        "def total(rdd):\n    return rdd.map(parse).sum()\ndef show(rdd):\n    print(total(rdd))\n"
        "lines.foreachRDD(show)"
    ),
    "in transform": PAIRS + "pairs.transform(lambda rdd: rdd.reduceByKey(merge)).pprint()",
}


@pytest.mark.parametrize("body", REDUCING.values(), ids=REDUCING)
def test_they_are_native_where_the_user_takes_them_for_commutative(body: str) -> None:
    why = blocked(body)
    assert "order" in why
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
        "lines.mapPartitions(count).pprint()",
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
