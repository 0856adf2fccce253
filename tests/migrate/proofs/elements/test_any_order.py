"""Reduce functions that nobody can prove to give the same in any order: of arrival, or as the user says."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from migrate.model import Options, Outcome
from tests.migrate.programs import blocked, file, kafka_program, native_body, run, socket_program

UNSAFE = Options(unsafe=True)
PAIRS = "pairs = lines.map(lambda w: (w[:1], w.split()))\n"
RECORDS = "import json\nrecords = lines.map(lambda m: json.loads(str(m)))\n"
SUMS = "reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))"
WHOLE = {
    "ints of records": f"{RECORDS}records.map(lambda r: (r['k'], (int(r['v']), 1))).{SUMS}.pprint()",
    "ints of records in a callback": (
        f"{RECORDS}pairs = records.map(lambda r: (r['k'], (int(r['v']), 1)))\n"
        f"pairs.foreachRDD(lambda rdd: print(rdd.{SUMS}.collect()))"
    ),
    "ints that a callback makes": (
        f"{RECORDS}records.foreachRDD(lambda rdd: print(rdd.map(lambda r: (r['k'], r['v'])).mapValues(int)"
        ".mapValues(lambda n: (n, -n)).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1])).collect()))"
    ),
    "ints beside keys that are floats": (
        "import time\npairs = lines.map(lambda w: (time.localtime(float(len(w)) / 1000), 1))\n"
        "pairs.map(lambda p: (p[0], p[1])).reduceByKey(lambda a, b: a + b).pprint()"
    ),
    "ints of a function": (
        RECORDS + 'def number(r):\n    return r["k"], int(r["v"]) if r["v"] else 0\n'
        "records.map(number).reduceByKey(lambda a, b: a + b).pprint()"
    ),
    "ints of several returns": (
        f"{RECORDS}def ending(pair):\n    if not pair:\n        return (pair, 0)\n    end = str(pair)\n"
        "    return (end, 1)\n"
        "records.flatMap(lambda r: r.items()).map(lambda p: ending(p[1]))"
        ".reduceByKey(lambda a, b: a + b).pprint()"
    ),
    "values as ints": f"{RECORDS}records.map(lambda r: (r['k'], r['v']))"
    ".reduceByKey(lambda a, b: int(a) + int(b)).pprint()",
    "parts as ints, beside floats": f"{RECORDS}records.map(lambda r: (r['v'], r['v'] * 0.5))"
    ".reduce(lambda a, b: (int(a[0]) + int(b[0]), int(a[1]) + int(b[1]))).pprint()",
    "ints of dicts": (
        "def orders(line):\n    fields = line.split(',')\n    try:\n"
        "        return [{'symbol': fields[0], 'time': float(fields[1]), 'amount': int(fields[2])}]\n"
        "    except ValueError as error:\n        print(error)\n        return []\n"
        "found = lines.flatMap(orders).filter(lambda order: order['time'] > 0)\n"
        "found.map(lambda order: (order['symbol'], order['amount'])).reduceByKey(lambda a, b: a + b).pprint()"
    ),
    "products of ones, and their sums": (
        f"{RECORDS}ones = records.map(lambda r: (r['k'] + r['l'], 1)).reduceByKey(lambda a, b: a * b)\n"
        "ones.map(lambda p: (p[0][:1], p[1])).reduceByKey(lambda a, b: a + b).pprint()"
    ),
    "sums of sums": (
        f"{RECORDS}from operator import add\n"
        "sums = records.map(lambda r: (r['k'], int(r['v']))).reduceByKey(add)\n"
        "sums.map(lambda p: p[1]).reduce(add).pprint()"
    ),
    "ints of two streams": (
        f"{RECORDS}ones = records.map(lambda r: (r['k'], int(r['v'])))\n"
        "ones.union(records.map(lambda r: (r['l'], 1))).reduceByKey(lambda a, b: a + b).pprint()"
    ),
    "ints beside the key": (
        f"{RECORDS}def visit(r):\n    return (r['k'], (int(r['k']), 1))\n"
        "records.map(visit).map(lambda x: (x[1][0], (x[1][0], x[1][1])))"
        ".reduceByKey(lambda a, b: (a[0], a[1] + b[1])).pprint()"
    ),
}
BESIDE_KEY = "lines.map(lambda w: (w, float(w))).map(lambda p: {}).reduceByKey(lambda a, b: {}).pprint()"
REDUCING = {
    "ints of a dict": (
        "counts = {'a': 1}\nlines.map(lambda w: [counts.get(w, 0)]).reduce(lambda a, b: a + b).pprint()"
    ),
    "ints of a callback's variable": (
        "def show(rdd):\n    rate = 2\n"
        "    print(rdd.map(lambda w: (w, len(w) * rate)).reduce(lambda a, b: a + b))\nlines.foreachRDD(show)"
    ),
    "the values of a callback's RDD": (
        "pairs = lines.map(lambda w: (w, w))\n"
        'pairs.foreachRDD(lambda rdd: print(rdd.values().reduce(lambda a, b: a + "," + b)))'
    ),
    "texts of records": f"{RECORDS}records.map(lambda r: str(r['v'])).reduce(lambda a, b: a + b).pprint()",
    "lists": PAIRS + "pairs.reduceByKey(lambda a, b: a + b).pprint()",
    "an operator": "from operator import add\n" + PAIRS + "pairs.reduceByKey(add).pprint()",
    "a function": PAIRS + 'def joined(a, b):\n    return a + [","] + b\npairs.reduceByKey(joined).pprint()',
    "the last one": PAIRS + "pairs.reduceByKey(lambda a, b: b).pprint()",
    "the longest": "lines.map(lambda w: (len(w), w)).reduce(lambda a, b: a if a[0] >= b[0] else b).pprint()",
    "the first by a key": "lines.map(lambda w: [w]).reduce(lambda a, b: min(a, b, key=len)).pprint()",
    "parts": (
        "lines.map(lambda w: (w[:1], (w.split(), {w}))).reduceByKey("
        "lambda a, b: (a[0] + b[0], a[1] | b[1])).pprint()"
    ),
    "a member of operator": f"import operator\n{PAIRS}pairs.reduceByKey(operator.add).pprint()",
    "a member of string": (
        "import string\nwords = lines.map(lambda w: [w.strip(string.punctuation)])\n"
        "words.reduce(lambda a, b: a + b).pprint()"
    ),
    "sets": "lines.map(lambda w: {w}).reduce(lambda a, b: a.union(b)).pprint()",
    "groupByKey": PAIRS + "pairs.groupByKey().mapValues(list).pprint()",
    "groupByKey of floats": "lines.map(lambda w: (w, float(w))).groupByKey().mapValues(sum).pprint()",
    "in a callback": "lines.foreachRDD(lambda rdd: print(rdd.map(str.split).reduce(lambda a, b: a + b)))",
    "by key in a callback": PAIRS
    + ("pairs.foreachRDD(lambda rdd: rdd.reduceByKey(lambda a, b: a + b).foreach(put))"),
    "in a function of a callback": (
        "import re\ndef total(rdd):\n"
        "    return rdd.map(lambda w: re.sub('x', '', w, flags=re.UNICODE)).reduce(lambda a, b: a + b)\n"
        "def show(rdd):\n    print(total(rdd))\nlines.foreachRDD(show)"
    ),
    "in transform": PAIRS + "pairs.transform(lambda rdd: rdd.reduceByKey(lambda a, b: a + b)).pprint()",
    "groupByKey in transform": PAIRS
    + "pairs.transform(lambda rdd: rdd.groupByKey().mapValues(list)).pprint()",
    "groupBy in a callback": (
        "lines.foreachRDD(lambda rdd: print(rdd.groupBy(len).mapValues(list).collect()))"
    ),
}
SUM = "reduceByKey(lambda a, b: a + b).pprint()"
SHOWING = {
    "sets of a constant": (
        "GROUPS = [{1, 2}, {2, 3}]\nlines.map(lambda w: (1, GROUPS[len(w) % 2])).reduceByKey(max).pprint()"
    ),
    "a constant that is changed in place": (
        "from operator import iadd\nLISTS = {0: [1], 1: [2]}\n"
        "lines.map(lambda w: (1, LISTS[len(w) % 2])).reduceByKey(iadd).pprint()"
    ),
    "the smaller set": (
        "lines.map(lambda w: set(w.split())).reduce(lambda a, b: a if a <= b else b).pprint()"
    ),
    "combineByKey": PAIRS + "pairs.combineByKey(list, lambda a, b: a + b, lambda a, b: a + b).pprint()",
    "unknown": PAIRS + "pairs.reduceByKey(merge).pprint()",
    "a difference": "lines.map(lambda w: w.split()).reduce(lambda a, b: a - b).pprint()",
    "a difference of a function": (
        "def minus(a, b):\n    return a - b\n"
        "lines.map(lambda w: {w}).reduce(lambda a, b: minus(a, b)).pprint()"
    ),
    "an operator that cuts": "import operator\nlines.map(lambda w: {w}).reduce(operator.sub).pprint()",
    "a number of steps": "lines.map(lambda w: [w]).reduce(lambda a, b: a + [1]).pprint()",
    "something after": "lines.map(lambda w: [w]).reduce(lambda a, b: a + b + [1]).pprint()",
    "crossed parts": "lines.map(lambda w: (w, w)).reduce(lambda a, b: (a[1] + b[1], a[0])).pprint()",
    "the one that is in the other": "lines.map(str.split).reduce(lambda a, b: a if a in b else b).pprint()",
    "another part": "lines.map(lambda w: (w, w)).reduce(lambda a, b: a if a[0] > b[1] else b).pprint()",
    "a step by key in a callback": (
        PAIRS + "pairs.foreachRDD(lambda rdd: print(rdd.reduceByKey(lambda a, b: clean(b)).collect()))"
    ),
    "a mean": "lines.foreachRDD(lambda rdd: print(rdd.map(len).mean()))",
    "aggregateByKey in transform": (
        PAIRS + "def first(a, b):\n    a.append(b)\n    return sorted(a, key=len)[:10]\n"
        "tops = pairs.transform(lambda rdd: rdd.aggregateByKey([], first, lambda a, b: a + b))\n"
        "tops.pprint()\ntops.foreachRDD(lambda rdd: print(rdd.collect()))"
    ),
    "foldByKey in a callback": (
        PAIRS + "pairs.foreachRDD(lambda rdd: print(rdd.foldByKey([], lambda a, b: a + b).collect()))"
    ),
    "floats that a reduction makes": (
        f"{RECORDS}means = records.map(lambda r: (r['k'], 1)).reduceByKey(lambda a, b: (a + b) / 2)\n"
        "means.map(lambda p: (p[0][:1], p[1])).reduceByKey(lambda a, b: a + b).pprint()"
    ),
    "after a shuffle": PAIRS + "pairs.reduceByKey(add).map(lambda p: p[1]).reduce(lambda a, b: b).pprint()",
}
SHUFFLED = {
    "after a shuffle in a callback": (
        PAIRS + "pairs.foreachRDD(lambda rdd: print(rdd.distinct().values().reduce(lambda a, b: b)))"
    ),
    "aggregateByKey after a shuffle in a callback": (
        PAIRS + "pairs.foreachRDD(lambda rdd: print(rdd.distinct().groupByKey().mapValues(list).collect()))"
    ),
    "after a shuffle in another variable": (
        PAIRS + "def show(rdd):\n    own = rdd.sortByKey()\n    print(own.values().reduce(lambda a, b: b))\n"
        "pairs.foreachRDD(show)"
    ),
    "after a shuffle, handed on": (
        PAIRS + "def total(rdd):\n    print(rdd.values().reduce(lambda a, b: b))\n"
        "def show(rdd):\n    own = rdd.distinct()\n    total(own)\npairs.foreachRDD(show)"
    ),
    "after transform": (
        PAIRS + "pairs.transform(lambda rdd: rdd.sortByKey()).reduceByKey(lambda a, b: b).pprint()"
    ),
    "floats in another function's RDD": (
        f"{RECORDS}def total(rdd):\n    print(rdd.reduceByKey(lambda a, b: a + b).collect())\n"
        "def show(rdd):\n    total(rdd.map(lambda p: (p[0], p[1] / 2)))\n"
        "records.map(lambda r: (r['k'], int(r['v']))).foreachRDD(show)"
    ),
}
FLOATING = {
    "floats": f"lines.map(lambda w: (w, float(w))).{SUM}",
    "floats of a function": (
        "def number(text):\n    return convert(text)\ndef convert(text):\n    return int(text) / 3\n"
        f"lines.map(lambda w: (w, number(w))).{SUM}"
    ),
    "floats of a module": f"import math\nlines.map(lambda w: (w, math.sqrt(len(w)))).{SUM}",
    "floats of an imported function": f"from math import sqrt\nlines.map(lambda w: (w, sqrt(len(w)))).{SUM}",
    "floats of a name": f"import math\nroot = math.sqrt\nlines.map(lambda w: (w, root(len(w)))).{SUM}",
    "floats of powers": f"lines.map(lambda w: (w, len(w) ** -1)).{SUM}",
    "floats of JSON": f"import json\nlines.map(json.loads).map(lambda r: (r['k'], r['v'])).{SUM}",
    "floats of a constant": f"rate = 0.5\nlines.map(lambda w: (w, len(w) * rate)).{SUM}",
    "floats of a constant that has the name of a parameter": (
        "rate = 0.5\ndef words(line, rate):\n    return line.split(rate)\n"
        f"lines.flatMap(lambda l: words(l, ' ')).map(lambda w: (w, len(w) * rate)).{SUM}"
    ),
    "floats of what is not known": f"lines.map(lambda w: (w, len(w) * rate)).{SUM}",
    "floats in a callback": (
        PAIRS + "pairs.foreachRDD(lambda rdd: print(rdd.mapValues(float).reduceByKey(max).collect()))"
    ),
    "ints and floats of JSON": f"{RECORDS}records.map(lambda r: (r['k'], (r['v'], 1))).{SUMS}.pprint()",
    "floats that a map exchanges": (
        f"{RECORDS}records.map(lambda r: (1, r['v'])).map(lambda p: (p[0], p[1])).{SUM}"
    ),
    "floats of a name that is int's": (
        f"{RECORDS}def int(text):\n    return float(text)\nrecords.map(lambda r: (r['k'], int(r['v']))).{SUM}"
    ),
    "floats of one of several returns": (
        f"{RECORDS}def ending(r):\n    if r['v']:\n        return (r['k'], 0)\n    return (r['k'], r['w'])\n"
        f"records.map(lambda r: ending(r)).{SUM}"
    ),
    "floats of a variable": (
        f"{RECORDS}def ending(r):\n    r = (r['k'], r['v'])\n    return r\n"
        f"records.map(lambda r: (r['k'], int(r['v']))).map(lambda p: ending(p)).{SUM}"
    ),
    "floats of a function without an end": (
        f"{RECORDS}def again(r):\n    return again(r)\nrecords.map(lambda r: again(r)).{SUM}"
    ),
    "floats of a dict": f"prices = {{'a': 0.5}}\nlines.map(lambda w: (w, prices.get(w, 0))).{SUM}",
    "floats of an imported table": f"from weights import table\nlines.map(lambda w: (w, table.get(w))).{SUM}",
    "floats of a class": (
        "class Rate:\n    @classmethod\n    def get(cls, w):\n        return len(w) / 3\n"
        f"lines.map(lambda w: (w, Rate.get(w))).{SUM}"
    ),
    "floats of a dict's values": (
        "def show(rdd):\n    weights = {1: 0.5}\n    print(rdd.map(lambda w: sum(list(weights.values())))"
        ".reduce(lambda a, b: a + b))\nlines.foreachRDD(show)"
    ),
    "floats of a variable of another function": (
        "def f(n):\n    def g():\n        nonlocal n\n        n = n / 3\n    g()\n    return n\n"
        "lines.map(len).map(f).reduce(lambda a, b: a + b).pprint()"
    ),
    "floats of a pattern": (
        "def f(n):\n    match n / 3:\n        case n:\n            return n\n"
        "lines.map(len).map(f).reduce(lambda a, b: a + b).pprint()"
    ),
    "floats of a builtin that is a parameter": (
        "def show(rdd):\n    total = lambda int: rdd.map(int).reduce(lambda a, b: a + b)\n"
        "    print(total(lambda w: len(w) / 3))\nlines.foreachRDD(show)"
    ),
    "floats of a star": f"from helpers import *\nlines.map(lambda w: (w, [int(w)])).{SUM}",
    "floats of another parameter": (
        f"{RECORDS}records.map(lambda r, *, int=float: (r['k'], int(r['v']))).{SUM}"
    ),
    "floats of a callback's variable": (
        "def show(rdd):\n    rate = 0.5\n"
        "    print(rdd.map(lambda w: len(w) * rate).reduce(lambda a, b: a + b))\nlines.foreachRDD(show)"
    ),
    "floats of dicts": (
        f"{RECORDS}dicts = records.map(lambda r: {{'k': r['k'], 'v': float(r['v'])}})\n"
        f"dicts.map(lambda d: (d['k'], d['v'])).{SUM}"
    ),
    "floats that are put into dicts": (
        f"{RECORDS}def half(d):\n    d['v'] = 0.5\n    return d['k'], d['v']\n"
        f"records.map(lambda r: {{'k': r['k'], 'v': 1}}).map(half).{SUM}"
    ),
    "floats that a filter puts into dicts": (
        f"{RECORDS}dicts = records.map(lambda r: {{'k': r['k'], 'v': 1}})\n"
        f"dicts.filter(lambda d: not d.update(v=0.5)).map(lambda d: (d['k'], d['v'])).{SUM}"
    ),
    "floats that a filter by keyword puts into dicts": (
        f"{RECORDS}dicts = records.map(lambda r: {{'k': r['k'], 'v': 1}})\n"
        f"dicts.filter(f=lambda d: not d.update(v=0.5)).map(lambda d: (d['k'], d['v'])).{SUM}"
    ),
    "floats of dicts that come from elsewhere": (
        f"{RECORDS}dicts = records.map(lambda r: {{'k': 1, 'v': 1, **r}})\n"
        f"dicts.map(lambda d: (d['k'], d['v'])).{SUM}"
    ),
    "quotients of ints": f"{RECORDS}records.map(lambda r: (r['k'], int(r['v']) / 2)).{SUM}",
}
DIRECT = 'createDirectStream(ssc, ["pages"], {"bootstrap.servers": "localhost:9092"})'
RECEIVED = 'createStream(ssc, "localhost:2181", "group", {"pages": 1})'
ARRIVING = {"a socket's": socket_program, "Kafka's": kafka_program}
TOLD: dict[Callable[[str], str], list[str]] = {
    socket_program: ["in the order in which they came"],
    kafka_program: ["in which a shuffle finds", "in which the source lists the partitions"],
}


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
        assert any(word in note for note in graph.notes for word in TOLD[program])
        new = str(file(source, options).new)
        assert ("numPartitions=1" in new) == (program is socket_program)
        assert "orderBy" not in new


@pytest.mark.parametrize("body", WHOLE.values(), ids=WHOLE)
@pytest.mark.parametrize("source", ['socketTextStream("localhost", 9999)', 'textFileStream("in")'])
def test_whole_numbers_are_added_up_in_any_order(body: str, source: str) -> None:
    result = run(socket_program(body).replace('socketTextStream("localhost", 9999)', source))
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert all(site.safe for site in result.sites)
    assert "numPartitions=1" not in str(result.files[0].new)


@pytest.mark.parametrize(
    ("made", "reduced"),
    [
        ("(len(p[0]), (p[0], 1))", "(a[0], a[1] + b[1])"),
        ("(p[0], (p[0], p[1]))", "(a[0], a[1] + b[1])"),
        ("(p[1], (p[1], 1))", "(a[0], a[1] + b[1])"),
        ("(put(p), (put(p), 1))", "(a[0], a[1] + b[1])"),
        ("(p[0], (p[0], 1, 1))", "(a[0], a[1] + b[1])"),
        ("(p[0], (p[0], 1))", "(a[0], a[1] - b[1])"),
        ("(p[0], (p[0], 1))", "(a[1], a[0] + b[0])"),
    ],
    ids=["another value", "floats", "floats as keys", "calls", "more items", "a difference", "turned round"],
)
def test_the_first_of_several_values_depends_on_their_order(made: str, reduced: str) -> None:
    source = socket_program(BESIDE_KEY.format(made, reduced))
    source = source.replace('socketTextStream("localhost", 9999)', 'textFileStream("in")')
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "order" in graph.reasons[0] or "into partitions" in graph.reasons[0]


@pytest.mark.parametrize("body", REDUCING.values(), ids=REDUCING)
def test_lines_of_files_are_in_another_order(body: str) -> None:
    source = socket_program(body).replace('socketTextStream("localhost", 9999)', 'textFileStream("in")')
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "order" in graph.reasons[0]
    assert run(source, UNSAFE).graphs[0].outcome is Outcome.NATIVE


FILES = {name: body.replace("lines", "texts") for name, body in SHOWING.items()}


@pytest.mark.parametrize(
    "body",
    [*SHUFFLED.values(), *(f'texts = ssc.textFileStream("in")\n{body}' for body in FILES.values())],
    ids=[*SHUFFLED, *(f"{name}, of files" for name in FILES)],
)
def test_what_shows_how_elements_are_cut_is_native_where_the_user_takes_it_for_commutative(body: str) -> None:
    why = blocked(body)
    assert "order" in why or "into partitions" in why
    assert "--unsafe" in why
    result = run(socket_program(body), UNSAFE)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert [site for site in result.sites if not site.safe]
    assert any("commutative and associative" in note for note in graph.notes)


@pytest.mark.parametrize("body", SHOWING.values(), ids=SHOWING)
def test_a_receiver_may_have_had_all_of_a_batch_in_one_block(body: str) -> None:
    result = run(socket_program(body))
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert all(site.safe for site in result.sites)
    assert any("in one block" in note for note in graph.notes)
    assert "numPartitions=1" in str(result.files[0].new)


@pytest.mark.parametrize("received", [False, True], ids=["direct", "a receiver's"])
@pytest.mark.parametrize("body", SHOWING.values(), ids=SHOWING)
def test_kafkas_partitions_are_cut_as_before(body: str, received: bool) -> None:
    source = kafka_program(body.replace("lines", "messages"))
    result = run(source.replace(DIRECT, RECEIVED) if received else source)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert all(site.safe for site in result.sites)
    assert any("in Kafka's partitions" in note for note in graph.notes)
    assert "orderBy" not in str(result.files[0].new)


@pytest.mark.parametrize("body", FLOATING.values(), ids=FLOATING)
def test_floats_of_a_receiver_are_summed_as_if_they_were_one_block(body: str) -> None:
    result = run(socket_program(body))
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert all(site.safe for site in result.sites)
    assert any("differ from run to run" in note for note in graph.notes)
    assert "numPartitions=1" in str(result.files[0].new)


@pytest.mark.parametrize("body", FLOATING.values(), ids=FLOATING)
def test_floats_of_files_are_native_where_the_user_takes_sums_for_commutative(body: str) -> None:
    source = socket_program(body).replace('socketTextStream("localhost", 9999)', 'textFileStream("in")')
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "--unsafe" in graph.reasons[0]
    assert run(source, UNSAFE).graphs[0].outcome is Outcome.NATIVE


FLOATS = {
    "floats": f"messages.map(lambda m: (m[0], float(m[1]))).{SUM}",
    "averages": (
        "import json\ndef price(m):\n    record = json.loads(m[1])\n"
        "    return record['k'], (float(record['v']), 1)\n"
        f"messages.map(price).{SUMS}.map(lambda p: (p[0], p[1][0] / p[1][1])).pprint()"
    ),
    "quotients of ints": f"messages.map(lambda m: (m[0], int(m[1]) / 2)).{SUM}",
    "one of two numbers": f"messages.map(lambda m: (m[0], 0 if m[1] == 'none' else float(m[1]))).{SUM}",
    "numbers of a function": (
        "def weight(m):\n    if m[0]:\n        return m[0], 0.5\n    return m[0], 1\n"
        f"messages.map(weight).mapValues(float).{SUM}"
    ),
    "all elements": "messages.map(lambda m: float(m[1]) * 0.1).reduce(lambda a, b: a + b).pprint()",
    "in a callback": (
        "pairs = messages.map(lambda m: (m[0], float(m[1])))\n"
        "pairs.foreachRDD(lambda rdd: print(rdd.reduceByKey(lambda a, b: a + b).collect()))"
    ),
}
BY_DRIVER = {
    "floats": (
        "messages.map(lambda m: float(m[1])).foreachRDD(lambda rdd: print(rdd.reduce(lambda a, b: a + b)))"
    ),
    "the sum of prices, and their number": (
        "import json\ndef average(time, rdd):\n    number = rdd.count()\n"
        "    if number == 0:\n        return\n"
        "    prices = rdd.map(lambda record: float(json.loads(record[1])[0].get('price')))\n"
        "    print(prices.reduce(lambda a, b: a + b) / number)\n"
        "messages.foreachRDD(average)"
    ),
    "a variable of a function": (
        "import json\ndef turnover(m):\n    record = json.loads(m[1])\n    price = float(record['price'])\n"
        "    volume = float(record['volume'])\n    return price * volume\n"
        "messages.foreachRDD(lambda rdd: print(rdd.map(turnover).reduce(lambda a, b: a + b)))"
    ),
    "all of them": "messages.map(lambda m: float(m[1])).foreachRDD(lambda rdd: print(rdd.sum()))",
}
CUT_ALIKE = {
    "what JSON holds": f"import json\nmessages.map(lambda m: (m[0], json.loads(m[1]))).{SUM}",
    "a text or a number": f"messages.map(lambda m: (m[0], m[1] if m[0] else float(m[1]))).{SUM}",
    "what a loop makes of a variable": (
        "import json\ndef price(m):\n    found = float(m[1])\n    for one in json.loads(m[0]):\n"
        "        found = one\n    return found\n"
        "messages.map(price).foreachRDD(lambda rdd: print(rdd.reduce(lambda a, b: a + b)))"
    ),
    "the last one": "messages.map(lambda m: (m[0], float(m[1]))).reduceByKey(lambda a, b: b).pprint()",
    "no sum": "messages.map(lambda m: (m[0], float(m[1]))).reduceByKey(lambda a, b: a - b).pprint()",
    "tuples that are added to one": (
        "messages.map(lambda m: (m[0], (float(m[1]), 1))).reduceByKey(lambda a, b: a + b).pprint()"
    ),
    "a window": (
        "import json\nmessages.window(4, 2).map(lambda m: (m[0], json.loads(m[1])))"
        ".reduceByKey(lambda a, b: a + b).pprint()"
    ),
    "sums in a window": (
        "import json\nmessages.map(lambda m: (m[0], json.loads(m[1])))"
        ".reduceByKeyAndWindow(lambda a, b: a + b, None, 4, 2).pprint()"
    ),
    "values in a window": (
        "messages.map(lambda m: float(m[1])).reduceByWindow(lambda a, b: a + b, None, 4, 2).pprint()"
    ),
}
IN_SEVERAL = {
    "floats and lists": (
        f"messages.map(lambda m: (m[0], float(m[1]))).{SUM}\n"
        "messages.map(lambda m: (m[0], m[1].split())).reduceByKey(lambda a, b: a + b).pprint()"
    ),
    "lists and floats": (
        "messages.map(lambda m: (m[0], m[1].split())).reduceByKey(lambda a, b: a + b).pprint()\n"
        f"messages.map(lambda m: (m[0], float(m[1]))).{SUM}"
    ),
    "groups and floats": (
        f"messages.groupByKey().mapValues(list).pprint()\nmessages.map(lambda m: (m[0], float(m[1]))).{SUM}"
    ),
    "two sources": (
        'users = KafkaUtils.createDirectStream(ssc, ["users"], {"bootstrap.servers": "localhost:9092"})\n'
        "users.groupByKey().mapValues(list).pprint()\nmessages.groupByKey().mapValues(list).pprint()"
    ),
}


@pytest.mark.parametrize("body", FLOATS.values(), ids=FLOATS)
def test_floats_are_summed_in_kafkas_partitions(body: str) -> None:
    _check_cut_alike(body, "in Kafka's partitions")


@pytest.mark.parametrize("body", BY_DRIVER.values(), ids=BY_DRIVER)
def test_the_driver_adds_up_the_sums_of_kafkas_partitions(body: str) -> None:
    """The old connector listed the partitions as their brokers answered, the new one in no order."""
    _check_cut_alike(body, "three partitions")


def test_floats_of_a_callback_are_summed_on_columns_where_there_are_some() -> None:
    new = str(file(kafka_program(BY_DRIVER["the sum of prices, and their number"])).new)
    assert 'F.variant_get(F.parse_json("value"), "$[0].price", "double").alias("price")' in new
    assert 'prices.agg(F.sum("price")).first()[0] / number' in new
    assert ".rdd" not in new


def test_a_sum_of_no_floats_is_a_whole_0() -> None:
    body = "messages.map(lambda m: float(m[1])).foreachRDD(lambda rdd: print(rdd.sum()))"
    assert ".rdd" in str(file(kafka_program(body)).new)


def _check_cut_alike(body: str, told: str) -> None:
    result = run(kafka_program(body))
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert all(site.safe for site in result.sites)
    assert any(told in note for note in graph.notes)
    assert "orderBy" not in str(file(kafka_program(body)).new)


@pytest.mark.parametrize(
    "sums",
    [
        "rdd.repartition(2).reduce(lambda a, b: a + b)",
        "rdd.union(rdd.distinct()).sum()",
    ],
)
def test_the_driver_adds_up_other_sums_after_a_shuffle(sums: str) -> None:
    body = f"messages.map(lambda m: float(m[1])).foreachRDD(lambda rdd: print({sums}))"
    assert "--unsafe" in run(kafka_program(body)).graphs[0].reasons[0]


def test_the_sum_of_what_may_be_floats_is_none_of_whole_numbers() -> None:
    """Lines of files are packed into other partitions, which the last digits show."""
    body = "lines.map(lambda line: float(line)).foreachRDD(lambda rdd: print(rdd.sum()))"
    source = socket_program(body).replace('socketTextStream("localhost", 9999)', 'textFileStream("in")')
    assert "depend on the order" in run(source).graphs[0].reasons[0]
    whole = source.replace("float(line)", "len(line)")
    assert run(whole).graphs[0].outcome is Outcome.NATIVE


@pytest.mark.parametrize("body", [*CUT_ALIKE.values(), *IN_SEVERAL.values()], ids=[*CUT_ALIKE, *IN_SEVERAL])
def test_any_values_are_reduced_in_kafkas_partitions(body: str) -> None:
    _check_cut_alike(body, "partition")


def test_floats_of_a_window_are_summed_on_columns() -> None:
    body = (
        "messages.map(lambda m: (m[0], (float(m[1]), 1))).reduceByKeyAndWindow("
        "lambda a, b: (a[0] + b[0], a[1] + b[1]), None, 4, 2).mapValues(lambda s: s[0] / s[1]).pprint()"
    )
    result = run(kafka_program(body))
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert any("in Kafka's partitions" in note for note in graph.notes)
    new = str(result.files[0].new)
    assert new.count("F.sum(") == 3
    assert ".rdd" not in new


def test_an_inverse_of_floats_is_not_followed() -> None:
    sums = "messages.map(lambda m: (m[0], float(m[1]))).reduceByKeyAndWindow(lambda a, b: a + b, {}, {}, 1)"
    inverse = sums.format("lambda a, b: a - b", 10)
    assert "inverse" in run(kafka_program(f"{inverse}.pprint()")).graphs[0].reasons[0]
    short = sums.format("lambda a, b: a - b", 2)
    assert run(kafka_program(f"{short}.pprint()")).graphs[0].outcome is Outcome.NATIVE


JSON = "import json\npairs = messages.map(lambda m: (m[0], json.loads(m[1])))\n"
BEHIND = {
    "sums of sums": (
        f"{JSON}sums = pairs.reduceByKey(lambda a, b: a + b)\n"
        "sums.map(lambda p: (p[0][:1], p[1])).reduceByKey(lambda a, b: a + b).pprint()"
    ),
    "a mean of groups": (
        f"{JSON}means = pairs.groupByKey().mapValues(lambda values: sum(values) / len(values))\n"
        "means.map(lambda p: p[1]).reduce(lambda a, b: a - b).pprint()"
    ),
    "groups of a join": (
        f"{JSON}groups = pairs.join(messages).map(lambda p: (p[1][1], p[1][0])).groupByKey()\n"
        "groups.mapValues(list).pprint()"
    ),
    "all values of a callback": (
        f"{JSON}sums = pairs.reduceByKey(lambda a, b: a + b)\n"
        "sums.foreachRDD(lambda rdd: print(rdd.isEmpty() or rdd.values().reduce(lambda a, b: a - b)))"
    ),
    "by key in a callback": (
        f"{JSON}sums = pairs.reduceByKey(lambda a, b: a + b).map(lambda p: (p[0][:1], p[1]))\n"
        "sums.transform(lambda rdd: rdd.reduceByKey(lambda a, b: a - b)).pprint()"
    ),
    "a state, and what a function puts together of it": (
        f"{JSON}def update(new, last):\n    return (new or [last])[-1]\n"
        "def longest(a, b):\n    a.append(b)\n    return sorted(a, key=len)[:10]\n"
        "state = pairs.updateStateByKey(update).map(lambda p: (p[0][:1], p[1]))\n"
        "state.transform(lambda rdd: rdd.aggregateByKey([], longest, lambda a, b: a + b)).pprint()"
    ),
    "sums in a window of sums": (
        f"{JSON}sums = pairs.reduceByKey(lambda a, b: a + b)\n"
        "sums.window(4, 2).reduceByKey(lambda a, b: a - b).pprint()"
    ),
    "sums of sums in a window": (
        f"{JSON}sums = pairs.window(4, 2).reduceByKey(lambda a, b: a + b)\n"
        "sums.map(lambda p: (p[0][:1], p[1])).reduceByKey(lambda a, b: a - b).pprint()"
    ),
    "values of what came beside a shuffle": (
        f"{JSON}sums = pairs.reduceByKey(lambda a, b: a + b)\n"
        "pairs.union(sums).combineByKey(lambda v: [v], lambda s, v: s + [v], lambda a, b: a + b).pprint()"
    ),
}


@pytest.mark.parametrize("body", BEHIND.values(), ids=BEHIND)
def test_what_shuffles_of_rdds_deal_out_is_reduced_as_before(body: str) -> None:
    result = run(kafka_program(body))
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert all(site.safe for site in result.sites)
    assert any("that a shuffle dealt out" in note for note in graph.notes)
    new = str(result.files[0].new)
    assert "orderBy" not in new
    assert re.search(r"\.(context|sparkContext)\.defaultParallelism\b", new)


def test_rdd_code_behind_columns_has_its_context_from_their_session() -> None:
    body = (
        "fields = messages.map(lambda m: m[1].split(' '))\nfields.pprint()\n"
        "first = fields.filter(lambda f: f[1] != '').map(lambda f: (f[0], f[1]))"
        ".reduceByKey(lambda a, b: max(a, b, key=len))\n"
        "first.map(lambda p: (p[0][:1], p[1])).reduceByKey(lambda a, b: max(a, b, key=len)).pprint()"
    )
    result = run(kafka_program(body))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    holders = re.findall(r"\b(\w+(?:\.\w+)*)\.defaultParallelism", str(result.files[0].new))
    assert holders == ["fields.sparkSession.sparkContext"]


def test_the_lines_of_one_block_are_dealt_out_as_before() -> None:
    body = (
        "sums = lines.map(json.loads).reduceByKey(lambda a, b: a + b)\n"
        "sums.map(lambda p: (p[0][:1], p[1])).reduceByKey(lambda a, b: a + b).pprint()"
    )
    result = run(socket_program(f"import json\n{body}"))
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert any("in one block" in note for note in graph.notes)
    new = str(result.files[0].new)
    assert "numPartitions=1" in new
    assert "batch.sparkSession.sparkContext.defaultParallelism" in new


def test_a_function_of_partitions_that_goes_through_their_elements_keeps_their_order() -> None:
    parse = "import json\ndef parse(rows):\n    return [json.loads(row) for row in rows if row]\n"
    sums = "mapPartitions(parse).reduceByKey(lambda a, b: a + b).pprint()"
    (graph,) = run(kafka_program(f"{parse}messages.map(lambda m: m[1]).{sums}")).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert any("in Kafka's partitions" in note for note in graph.notes)
    result = run(socket_program(f"{parse}lines.{sums}"))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    assert "numPartitions=1" in str(result.files[0].new)


@pytest.mark.parametrize(
    "body",
    [
        "sizes = messages.groupByKey().mapValues(len)\n"
        "sizes.map(lambda p: (p[1], p[0])).reduceByKey(lambda a, b: b).pprint()",
        f"{JSON}pairs.transform(lambda rdd: rdd.sortByKey()).reduceByKey(lambda a, b: a + b).pprint()",
    ],
    ids=["columns", "a transform"],
)
def test_other_shuffles_deal_out_otherwise(body: str) -> None:
    (graph,) = run(kafka_program(body)).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "--unsafe" in graph.reasons[0]


def test_a_tree_of_sums_shows_how_many_partitions_there_are() -> None:
    floats = "messages.map(lambda m: float(m[1]))"
    body = f"{floats}.foreachRDD(lambda rdd: print(rdd.treeReduce(lambda a, b: a + b)))"
    assert "into partitions" in run(kafka_program(body)).graphs[0].reasons[0]


def test_one_query_keeps_no_order_of_a_socket_beside_kafka() -> None:
    body = (
        'lines = ssc.socketTextStream("localhost", 9999)\n'
        "lines.map(lambda w: (w, float(w))).reduceByKey(lambda a, b: a + b).pprint()\n"
        "messages.map(lambda m: (m[0], float(m[1]))).reduceByKey(lambda a, b: a + b).pprint()"
    )
    (graph,) = run(kafka_program(body)).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "in no order" in graph.reasons[0]


@pytest.mark.parametrize("body", FLOATS.values(), ids=FLOATS)
def test_the_messages_of_a_receiver_are_summed_in_kafkas_partitions(body: str) -> None:
    source = kafka_program(body)
    assert DIRECT in source
    result = run(source.replace(DIRECT, RECEIVED))
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert any("differ from run to run" in note for note in graph.notes)
    assert "orderBy" not in str(result.files[0].new)


TUPLES = "lines.map(lambda w: (w[:1], (len(w), 1))).reduceByKey(lambda a, b: a + b).pprint()"


@pytest.mark.parametrize(
    "body",
    [TUPLES, TUPLES.replace("(len(w), 1)", "(w, (len(w), 1))").replace("a + b", "(a[0], a[1] + b[1])")],
    ids=["tuples", "tuples in tuples"],
)
def test_tuples_that_are_added_follow_each_other_in_the_order_of_files(body: str) -> None:
    source = socket_program(body).replace('socketTextStream("localhost", 9999)', 'textFileStream("in")')
    (graph,) = run(source).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "order" in graph.reasons[0]


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


COUNTED = "select word, count(*) as n from words group by word order by n desc limit 3"


@pytest.mark.parametrize(
    ("query", "more", "ordered"),
    [
        (COUNTED, "", False),
        ("SELECT upper(word), max(word) FROM words WHERE word != '' GROUP BY upper(word)", "", False),
        ("select word from words", "", True),
        ("select first(word) from words group by word", "", True),
        ("select word, sum(n) from words group by word", "", True),
        ("select word, max_by(n, 1) from words group by word", "", True),
        ("select mode(word) from words group by length(word)", "", True),
        ("select word, row_number() over (order by word) from words group by word", "", True),
        ("select * from words where word in (select word from words group by word)", "", True),
        (COUNTED, "    words.show()\n", True),
        (COUNTED, "    spark.table('words').show()\n", True),
        (COUNTED, "    spark.sql(QUERY).show()\n", True),
        (COUNTED, "    print(rdd.take(2))\n", True),
    ],
)
def test_a_query_that_groups_hides_the_order_of_arrival(query: str, more: str, ordered: bool) -> None:
    body = (
        "QUERY = 'select word from words'\n"
        "def show(rdd):\n"
        "    spark = SparkSession.builder.config(conf=rdd.context.getConf()).getOrCreate()\n"
        "    rows = rdd.map(lambda w: Row(word=w))\n"
        "    words = spark.createDataFrame(rows)\n"
        "    words.createOrReplaceTempView('words')\n"
        f'    spark.sql("{query}").show()\n{more}'
        "lines.foreachRDD(show)"
    )
    result = run("from pyspark.sql import Row, SparkSession\n" + socket_program(body))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    assert ("numPartitions=1" in result.files[0].new) is ordered


@pytest.mark.parametrize(
    ("topics", "places"),
    [
        ('["pages"]', '"partition", "offset"'),
        ('["pages", "people"]', '"topic", "partition", "offset"'),
        ("names", '"topic", "partition", "offset"'),
    ],
)
def test_messages_are_sorted_where_the_number_of_their_partitions_shows(topics: str, places: str) -> None:
    body = "messages.foreachRDD(lambda rdd: print(rdd.map(lambda m: m[1]).treeReduce(lambda a, b: a + b)))"
    source = kafka_program(body).replace('["pages"]', topics)
    new = str(file(f'names = ["pages"]\n{source}').new)
    assert f"batch=unsorted.orderBy({places}).drop({places})".replace(" ", "") in "".join(new.split())


@pytest.mark.parametrize(
    ("reduced", "told"),
    [
        pytest.param("float(line)", "floats are summed in the order", id="floats"),
        pytest.param("parse(line)", "where they are floats, DStream sums the blocks", id="not known"),
    ],
)
def test_the_note_on_sums_of_a_receiver_says_whether_they_are_of_floats(reduced: str, told: str) -> None:
    body = (
        "def show(rdd):\n    if not rdd.isEmpty():\n        print(rdd.reduce(lambda a, b: a + b))\n"
        f"lines.map(lambda line: {reduced}).foreachRDD(show)"
    )
    (graph,) = run(f"from other import parse\n{socket_program(body)}").graphs
    assert any(told in note for note in graph.notes), graph.notes


def test_texts_that_are_put_together_are_no_floats() -> None:
    body = "lines.map(parse).foreachRDD(lambda rdd: print(rdd.reduce(lambda a, b: a + ',' + b)))"
    (graph,) = run(f"from other import parse\n{socket_program(body)}").graphs
    assert "values are reduced in the order in which they came, as before" in graph.notes
    assert not any("float" in note for note in graph.notes)
