"""Functions of a partition's iterator: those that make the same of the elements in any partitions."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import blocked, kafka_program, native_body, run, socket_program


def parse(*body: str) -> str:
    """A program's function of rows, and its use."""
    rows = "".join(f"    {row}\n" for row in body)
    return f"def parse(rows):\n{rows}lines.mapPartitions(parse)"


CLEAN = "def clean(row):\n    words = row.split(',')\n    return words[0].strip() if words else ''\n"
ONE_BY_ONE = {
    "a comprehension": "lines.mapPartitions(lambda rows: [row.strip() for row in rows if row])",
    "a generator": "lines.mapPartitions(lambda rows: (word for row in rows for word in row.split()))",
    "map": "lines.mapPartitions(lambda rows: map(len, rows))",
    "a list of map": "lines.mapPartitions(lambda rows: list(map(len, rows)))",
    "a loop": parse(
        '"""Words."""',
        "model = shared.value",
        "for row in rows:",
        "    found = model.predict([row])",
        "    if not found:",
        "        continue",
        "    words = []",
        "    for word in found:",
        "        words.append(word)",
        "    yield words",
    ),
    "a list that is filled": CLEAN
    + parse(
        "out = []",
        "for row in rows:",
        "    if row:",
        "        out.append(clean(row))",
        "return iter(out)",
    ),
    "a client that is asked": "import redis\n"
    + parse("client = redis.StrictRedis('h')", "return [row for row in rows if client.get(row) is None]"),
    "a part of a client": "from pymongo import MongoClient\n"
    + parse(
        "words = MongoClient('h').db.words",
        "for row in rows:",
        "    if words.find_one({'word': row}):",
        "        yield row",
        "words.close()",
    ),
    "a function that another makes": (
        "def parser(separator):\n    def parse(rows):\n        for row in rows:\n"
        "            yield row.split(separator)\n    return parse\nlines.mapPartitions(parser(','))"
    ),
    "a function with more arguments": (
        "def parse(rows, separator):\n    return [row.split(separator) for row in rows]\n"
        "lines.mapPartitions(lambda rows: parse(rows, ','))"
    ),
}
TOGETHER = {
    "a loop that ends with something": parse(
        "log = open('log')",
        "for row in rows:",
        "    yield row",
        "log.close()",
    ),
    "a client that is told": "import redis\n"
    + parse("client = redis.Redis('h')", "return [client.append(row, 1) for row in rows]"),
    "a cursor": "import psycopg2\n"
    + parse("cursor = psycopg2.connect('d').cursor()", "return [cursor.fetchone() for row in rows]"),
    "a client of its own": "import lib\n"
    + parse("client = lib.load()", "return [client.get(row) for row in rows]"),
    "a client that is made anew": "import redis\n"
    + parse(
        "client = redis.Redis('h')",
        "for row in rows:",
        "    yield client.get(row)",
        "    client = redis.Redis(row)",
    ),
    "duplicates": parse("seen = set()", "return [row for row in rows if not (row in seen or seen.add(row))]"),
    "numbers by next": parse("ids = iter(range(9))", "return ((next(ids), row) for row in rows)"),
    "a sum on the way": parse("n = 0", "return [(n := n + len(row)) for row in rows]"),
    "the word before": parse(
        "last = None",
        "for row in rows:",
        "    for word in row.split():",
        "        yield last, word",
        "        last = word",
    ),
    "a section": parse(
        "name = None",
        "for row in rows:",
        "    for name in [row] if row.startswith('#') else []:",
        "        pass",
        "    yield name, row",
    ),
    "a group": parse(
        "groups = {}",
        "for row in rows:",
        "    group = groups[row[:1]]",
        "    group.append(row)",
        "    yield len(group)",
    ),
    "a default": parse("counts = {}", "for row in rows:", "    yield counts.setdefault(row, len(counts))"),
    "a heap": parse("heap = []", "for row in rows:", "    heapq.heappush(heap, row)", "    yield heap[0]"),
    "another iterator": parse(
        "numbers = iter(range(9))", "for row in rows:", "    yield list(zip(numbers, row.split()))"
    ),
    "chance": parse("rng = random.Random(4)", "for row in rows:", "    yield rng.random(), row"),
    "an accumulator": parse("acc.add(1)", "for row in rows:", "    yield row"),
    "the partition": parse(
        "place = TaskContext.get().partitionId()", "for row in rows:", "    yield place, row"
    ),
    "a function that counts": (
        "n = 0\ndef count(row):\n    global n\n    n += 1\n    return n\n"
        "lines.mapPartitions(lambda rows: [count(row) for row in rows])"
    ),
    "an object that counts": parse("for row in rows:", "    yield counter.count_up(row)"),
    "a default dict": "lines.mapPartitions(lambda rows: [ids[row] for row in rows])",
    "a sum": "lines.mapPartitions(lambda rows: [sum(map(len, rows))])",
    "a list": "lines.mapPartitions(lambda rows: [list(rows)])",
    "sorted": "lines.mapPartitions(sorted)",
    "twice": "lines.mapPartitions(lambda rows: [(row, list(rows)) for row in rows])",
    "numbers": "lines.mapPartitions(lambda rows: [pair for pair in enumerate(rows)])",
    "unknown": "lines.mapPartitions(parse)",
    "a count": parse(
        "n = 0",
        "for row in rows:",
        "    n += 1",
        "    yield n, row",
    ),
    "the last one": parse(
        "last = None",
        "for row in rows:",
        "    yield last, row",
        "    last = row",
    ),
    "those that were seen": parse(
        "seen = set()",
        "for row in rows:",
        "    if row not in seen:",
        "        yield row",
        "    seen.add(row)",
    ),
    "the first one": parse(
        "for row in rows:",
        "    yield row",
        "    break",
    ),
    "one more at the end": parse(
        "for row in rows:",
        "    yield row",
        "yield 'end'",
    ),
    "one more at the beginning": parse(
        "yield 'begin'",
        "for row in rows:",
        "    yield row",
    ),
    "a list with an end": parse(
        "out = []",
        "for row in rows:",
        "    out.append(row)",
        "out.append(1)",
        "return out",
    ),
    "a list with a beginning": parse(
        "out = ['begin']",
        "for row in rows:",
        "    out.append(row)",
        "return out",
    ),
    "a list that is looked at": parse(
        "out = []",
        "for row in rows:",
        "    out.append((len(out), row))",
        "return out",
    ),
    "a dict by key": parse(
        "by = {}",
        "for row in rows:",
        "    by[row] = 1",
        "    yield len(by)",
    ),
    "another result": parse(
        "out = []",
        "if not known:",
        "    return ['none']",
        "for row in rows:",
        "    out.append(len(out))",
        "return out",
    ),
    "an accumulator in a branch": parse("if known:", "    acc.add(1)", "for row in rows:", "    yield row"),
    "a batch of them": parse(
        "out = []",
        "for row in rows:",
        "    out.append(row)",
        "    if len(out) == 9:",
        "        yield out",
        "        out = []",
    ),
    "a counter": parse(
        "numbers = iter(range(9))",
        "for row in rows:",
        "    yield next(numbers), row",
    ),
}


@pytest.mark.parametrize("body", ONE_BY_ONE.values(), ids=ONE_BY_ONE)
def test_elements_one_by_one_are_the_same_in_any_partitions(body: str) -> None:
    (graph,) = run(socket_program(f"{body}.pprint()")).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons


@pytest.mark.parametrize("body", ONE_BY_ONE.values(), ids=ONE_BY_ONE)
def test_they_are_in_a_callback_too(body: str) -> None:
    *definitions, call = body.rsplit("\n", 1)
    inside = call.replace("lines.", "rdd.")
    shown = "\n".join([*definitions, f"lines.foreachRDD(lambda rdd: print({inside}.collect()))"])
    (graph,) = run(socket_program(shown)).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert "partitions" in blocked(shown.replace(".collect()", ".glom()"))


@pytest.mark.parametrize("body", TOGETHER.values(), ids=TOGETHER)
def test_elements_of_a_partition_together_are_not(body: str) -> None:
    assert "does more with a partition than to go through its elements" in blocked(f"{body}.pprint()")


SHOWS_EMPTY_ONES = {
    *(
        "an accumulator",
        "an accumulator in a branch",
        "another result",
        "a client of its own",
        "a sum",
        "a list",
        "sorted",
        "unknown",
        "numbers",
    ),
    *("one more at the end", "one more at the beginning", "a list with an end", "a list with a beginning"),
}
"""Functions that give or do something for a partition without elements, or may."""


@pytest.mark.parametrize("name", TOGETHER)
def test_elements_of_a_partition_of_kafka_are_together_as_before(name: str) -> None:
    body = TOGETHER[name].replace("lines.", "messages.map(lambda m: m[1]).")
    (graph,) = run(kafka_program(f"{body}.pprint()")).graphs
    assert (graph.outcome is Outcome.NATIVE) is (name not in SHOWS_EMPTY_ONES), graph.reasons


@pytest.mark.parametrize(
    ("methods", "is_native"), [("", True), (".repartition(3)", False), (".distinct()", False)]
)
def test_a_callback_has_kafka_s_partitions_until_it_makes_others(methods: str, is_native: bool) -> None:
    body = TOGETHER["those that were seen"].replace("lines.mapPartitions(parse)", "")
    body += f"messages.foreachRDD(lambda rdd: print(rdd{methods}.mapPartitions(parse).collect()))"
    (graph,) = run(kafka_program(body)).graphs
    assert (graph.outcome is Outcome.NATIVE) is is_native, graph.reasons


def test_partitions_are_made_anew() -> None:
    assert ".repartition(1)" in native_body("lines.repartition(1).pprint()")
    saved = "lines.flatMap(parse).map(load).repartition(1).saveAsTextFiles('out')"
    assert ".repartition(1)" in native_body(saved)
