"""Code that does the same with a Row as with a tuple: what the proof finds, and what Python says to it."""

from __future__ import annotations

import json
import operator
import re
from typing import Any

import pytest
from pyspark.sql import Row

from tests.migrate.programs import native_body

COUNTS = "counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
HEAD = "import json\nimport operator\nkept = []\nlog = print\n"

SAME = [
    "put(pair[0], pair[1])",
    "put(pair[-1], pair[:1])",
    "word, n = pair; put(word, n)",
    "word, *others = pair; put(others)",
    "other = pair; put(other[0])",
    "put(*pair)",
    "put('%s: %d' % pair)",
    "put('{}: {}'.format(*pair))",
    "put(len(pair), list(pair), tuple(pair), max(pair, key=str))",
    "put(', '.join(map(str, pair)))",
    "put([str(part) for part in pair])",
    "put(json.dumps(pair))",
    "put(json.dumps(pair, indent=1))",
    "put(pair == ('a', 1), pair in [('a', 1)], not pair, pair is None)",
    "put(dict(zip(('word', 'n'), pair)))",
    "for part in pair: put(part)",
    "put(first(pair))",
    "put(first(given=pair))",
]
OTHER = [
    "put(pair)",
    "put(str(pair))",
    "put('%s' % (pair,))",
    "put(f'{pair}')",
    "put('{}'.format(pair))",
    "put(1 in pair)",
    "put(type(pair) is tuple)",
    "put(pair is put)",
    "put(pair.count)",
    "put(pair['word'])",
    "put([pair])",
    "put(json.dumps(pair, cls=put))",
    "put(shown(pair))",
    "kept.append(pair)",
    "global last; last = pair",
    "put(lambda: pair)",
    "return pair",
    "yield pair",
]


def written(function: str, call: str) -> str:
    body = (
        f"{HEAD}{COUNTS}def first(given):\n    return given[0]\ndef shown(given):\n    return str(given)\n"
        f"{function}\ncounts.foreachRDD(lambda rdd: rdd.{call})"
    )
    return native_body(body)


@pytest.mark.parametrize("use", SAME)
def test_a_function_that_takes_a_row_apart_is_given_it(use: str) -> None:
    body = written(f"def save(pair):\n    {use}", "foreach(save)")
    assert "counts.foreach(save)" in body


@pytest.mark.parametrize("use", OTHER)
def test_any_other_is_given_the_tuple(use: str) -> None:
    body = written(f"def save(pair):\n    {use}", "foreach(save)")
    assert "counts.foreach(lambda row: save(tuple(row)))" in body


PARTS = [
    "for pair in pairs: put(pair[0])",
    "for word, n in pairs: put(word)",
    "for pair in pairs:\n        word, n = pair\n        put(word)",
    "[put(pair[0]) for pair in pairs]",
    "for pair in pairs: first(pair)",
    "print('partition:', pairs)\n    for pair in pairs: put(pair[0])",
]
WHOLE = [
    "print('partition:', pairs)\n    for pair in pairs: put(pair)",
    "for pair in pairs: put(pair)",
    "for pair in pairs: shown(pair)",
    "[put(pair) for pair in pairs]",
]


@pytest.mark.parametrize("use", PARTS)
def test_so_is_a_function_of_partitions(use: str) -> None:
    body = written(f"def save(pairs):\n    {use}", "foreachPartition(save)")
    assert "counts.foreachPartition(save)" in body


@pytest.mark.parametrize("use", WHOLE)
def test_which_else_is_given_tuples(use: str) -> None:
    body = written(f"def save(pairs):\n    {use}", "foreachPartition(save)")
    assert "counts.foreachPartition(lambda rows: save(map(tuple, rows)))" in body


COLLECTED = [
    "for pair in rdd.collect(): print(pair[0])",
    "for word, n in rdd.take(3): print(word)",
    "pairs = rdd.collect()\n    print(len(pairs), pairs[0][1], pairs and pairs[-1][0])",
    "pairs = sorted(rdd.collect(), key=lambda pair: pair[1])\n    for pair in pairs[:3]: print(pair[0])",
    "pairs = sorted(rdd.collect(), key=operator.itemgetter(1))\n    print(pairs[0][0])",
    "pairs = rdd.collect()\n    pairs.sort(key=lambda pair: pair[1])\n    print(pairs.pop()[0])",
    "print(dict(rdd.collect()))",
    "print(max(rdd.collect(), key=lambda pair: pair[1])[0])",
    "print(json.dumps(rdd.collect()))",
    "print(sum(n for word, n in rdd.collect()))",
    "print([word for word, n in rdd.collect()])",
    "for number, pair in enumerate(rdd.collect()): print(number, pair[0])",
    "for number, (word, n) in enumerate(rdd.collect()): print(number, word)",
    "print(list(map(lambda pair: pair[0], rdd.collect())))",
    "pairs = [pair for pair in rdd.collect()]\n    print(pairs[0][0])",
    "print('a', rdd.first()[0])",
]
SHOWN = [
    "for pair in rdd.collect(): print(pair)",
    "print(rdd.collect())",
    "pairs = rdd.take(3)\n    for pair in pairs: print(pair)",
    "print(sorted(rdd.collect(), key=lambda pair: str(pair))[0][0])",
    "print(max(rdd.collect(), key=lambda pair: pair[1]))",
    "kept.extend(rdd.collect())",
    "for number, pair in enumerate(rdd.collect()): print(pair)",
    "for numbered in enumerate(rdd.collect()): print(numbered)",
    "print(*rdd.collect())",
    "print(list(map(str, rdd.collect())))",
    "pairs = rdd.collect()\n    print('a', pairs[0])",
    "print('a', rdd.first())",
]


def called(code: str) -> str:
    from tests.migrate.programs import file, socket_program

    body = f"{HEAD}{COUNTS}def report(rdd):\n    {code}\ncounts.foreachRDD(report)"
    new = file(socket_program(body)).new
    assert "rdd" not in new
    return new


@pytest.mark.parametrize("code", COLLECTED)
def test_rows_that_are_brought_to_the_driver_stay_rows(code: str) -> None:
    assert "tuple(" not in called(code)


@pytest.mark.parametrize("code", SHOWN)
def test_or_become_tuples(code: str) -> None:
    assert re.search(r"\btuple\b", called(code))  # `tuple(row)`, or `map(tuple, rows)`


ROW, TUPLE = Row(word="a", n=1), ("a", 1)


@pytest.mark.parametrize(
    "read",
    [
        lambda pair: (pair[0], pair[-1], pair[:1], pair[0:2], type(pair[:1])),
        lambda pair: "%s: %d" % pair,  # noqa: UP031 - it is what is allowed
        lambda pair: json.dumps([pair, {"pair": pair}]),
        lambda pair: json.dumps(pair, indent=1),
        lambda pair: (pair == ("a", 1), pair in {("a", 1)}, hash(pair), bool(pair), len(pair)),
        lambda pair: (list(pair), tuple(pair), set(pair), type(tuple(pair)), dict([pair])),
        lambda pair: [*pair, "{}{}".format(*pair)],
        lambda pair: sorted([pair, ("A", 2), ("b", 0)]) == [("A", 2), ("a", 1), ("b", 0)],
        lambda pair: max([pair, ("A", 2)], key=operator.itemgetter(1)),
    ],
)
def test_a_row_is_a_tuple_in_what_the_proof_allows(read: Any) -> None:
    assert read(ROW) == read(TUPLE)


@pytest.mark.parametrize("read", [str, repr, lambda pair: 1 in pair, lambda pair: f"{pair}", type])
def test_and_no_tuple_in_what_it_does_not(read: Any) -> None:
    assert read(ROW) != read(TUPLE)
