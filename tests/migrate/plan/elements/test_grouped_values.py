"""``groupByKey`` whose only reader takes the number, sum or greatest of a key's values is an aggregate."""

from __future__ import annotations

import re

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.programs import file, flat, native_body, socket_program
from tests.migrate.rules.running import after, before

PAIRS = "pairs = lines.map(lambda w: (w[:1], len(w)))\n"
READERS = {
    "mapValues(len)": "count",
    "mapValues(lambda values: len(values))": "count",
    "map(lambda pair: (pair[0], len(pair[1])))": "count",
    "mapValues(sum)": "sum",
    "map(lambda kv: (kv[0], sum(kv[1])))": "sum",
    "mapValues(max)": "max",
    "map(lambda kv: (kv[0], min(kv[1])))": "min",
}


@pytest.mark.parametrize(("reader", "made"), READERS.items())
def test_an_aggregate_of_values_in_any_order(reader: str, made: str) -> None:
    body = native_body(f"{PAIRS}pairs.groupByKey().{reader}.pprint()")
    assert ".rdd" not in body and ".groupBy(" in body
    assert (".count()" in body) is (made == "count") and (f"F.{made}(" in body) is (made != "count")


@pytest.mark.parametrize(
    "body",
    [
        f"{PAIRS}pairs.groupByKey().map(lambda kv: (kv[1], len(kv[0]))).pprint()",
        f"{PAIRS}pairs.groupByKey().map(lambda kv: (kv[0], kv[1].data)).pprint()",
        f"{PAIRS}pairs.groupByKey().map(lambda kv: (kv, len(kv[1]))).pprint()",
        f"def f(values):\n    return values.data[0]\n{PAIRS}pairs.groupByKey().mapValues(f).pprint()",
        f"def f(values):\n    return f(values)\n{PAIRS}pairs.groupByKey().mapValues(f).pprint()",
        f"def f(values):\n    values = values or []\n    return len(values)\n"
        f"{PAIRS}pairs.groupByKey().mapValues(f).pprint()",
        f"{PAIRS}groups = pairs.groupByKey()\ngroups.mapValues(len).pprint()\ngroups.mapValues(max).pprint()",
        f"{PAIRS}pairs.groupByKey().filter(lambda kv: len(kv[1]) > 1).pprint()",
        f"def len(values):\n    return 7\n{PAIRS}pairs.groupByKey().mapValues(len).pprint()",
        "lines.map(lambda w: (w, len(w) / 3)).groupByKey().mapValues(sum).pprint()",
        "lines.map(lambda w: (w, w == 'a')).groupByKey().mapValues(sum).pprint()",
    ],
    ids=[
        *("of the key", "a member", "the pair", "a member in a function", "a function that calls itself"),
        *("another value", "two readers", "a condition", "another function"),
        *("floats", "truth values"),
    ],
)
def test_other_readers_get_the_values(body: str) -> None:
    assert "groupByKey()" in native_body(body)


STATS = """\
def stats(lengths):
    total = 0
    seen = set()
    for length in lengths:
        total += length
        seen.add(length)
    return total, len(seen)


"""
THROUGH = [
    ("mapValues(sorted)", "F.sort_array("),
    ("map(lambda kv: (kv[0], kv[0], len(kv[1])))", 'F.size("value")'),
    ("map(lambda kv: (kv[0], sorted(kv[1])))", "F.sort_array("),
    ("mapValues(stats)", "stats_udf = F.udf(stats,"),
    ("mapValues(lambda lengths: stats(lengths))", "stats_udf = F.udf("),
    ("map(lambda kv: (kv[0], stats(kv[1])[0]))", "F.udf("),
    ("mapValues(lambda lengths: sum(i * n for i, n in enumerate(lengths)))", "F.udf("),
    ("mapValues(lambda lengths: any(n > 3 for n in lengths))", "F.exists("),
]


@pytest.mark.parametrize(("reader", "code"), THROUGH)
def test_what_goes_through_the_values_gets_a_list(reader: str, code: str) -> None:
    new = file(socket_program(f"{STATS}{PAIRS}pairs.groupByKey().{reader}.pprint()")).new
    assert code in new and "F.collect_list(" in new and ".rdd" not in new


ANY_ORDER = [
    ("(w, 1)).groupByKey().mapValues(list)", 'groupBy("word").agg(F.collect_list(F.lit(1))'),
    ("(w, 1)).groupByKey().map(lambda p: (p[0], list(p[1])))", "F.collect_list(F.lit(1))"),
    ("(w, ['x'])).reduceByKey(lambda a, b: a + b)", 'F.collect_list(F.lit("x"))'),
    ("(w[:1], w)).groupByKey().mapValues(lambda ws: sorted(ws))", 'F.collect_list("word")'),
    ("(w, len(w))).groupByKey().mapValues(lambda ws: sum(ws) / len(ws))", 'F.collect_list(F.length("word"))'),
    ("(w[:1], len(w))).groupByKey().mapValues(max)", 'F.max(F.length("word"))'),
    ("(w[:1], len(w))).groupByKey().mapValues(lambda ws: min(ws))", 'F.min(F.length("word"))'),
    ("(w[:1], w)).groupByKey().mapValues(lambda ws: ws)", ""),
    ("(w[:1], w)).groupByKey().mapValues(lambda ws: list(set(ws)))", ""),
    ("(w[:1], len(w) / 7)).groupByKey().mapValues(lambda ws: sorted(ws))", ""),
    ("(w[:1], w)).groupByKey().mapValues(lambda ws: sorted(ws, key=len))", ""),
    ("(w[:1], w)).groupByKey().mapValues(max)", ""),
    ("(w, None)).groupByKey().mapValues(list)", ""),
]


@pytest.mark.parametrize(("reduced", "code"), ANY_ORDER)
@pytest.mark.parametrize("source", ['textFileStream("d")', 'socketTextStream("localhost", 9999)'])
def test_values_have_no_place_where_their_order_shows_nothing(reduced: str, code: str, source: str) -> None:
    words = "words = lines.flatMap(lambda l: l.split(' '))\n"
    text = socket_program(f"{words}words.map(lambda w: {reduced}.pprint()")
    new = file(text.replace('socketTextStream("localhost", 9999)', source)).new
    assert ("position" not in new and code in new) if code else re.search(r"position|\.rdd|compat", new)


def test_names_of_the_program_stay() -> None:
    body = native_body(f"{PAIRS}groups = pairs.groupByKey()\nsizes = groups.mapValues(len)\nsizes.pprint()")
    assert flat("sizes.show(10, truncate=False)") in flat(body)


def test_they_are_the_same(spark_context: SparkContext, spark: SparkSession) -> None:
    program = PAIRS + "".join(f"pairs.groupByKey().{reader}.pprint()\n" for reader in READERS)
    program += "pairs.groupByKey(3).mapValues(sum).filter(lambda p: p[1] > 3).pprint()\n"
    batches = [(), ("a", "ab", "", "é雪", "abc", "b", "b", ""), ("x" * 50,)]
    (was,) = before([program], batches, spark_context)
    assert len(was.batches[1]) == len(READERS) + 1
    assert after(program, batches, spark).batches == was.batches
