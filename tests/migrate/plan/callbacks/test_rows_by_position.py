"""Rows of a shuffle that are read by position: sorted by key, and told of with the place."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from migrate.migration import migrate
from migrate.model import GraphResult, Options, Outcome
from migrate.plan.callbacks.old_key_order import hash_of
from tests.migrate.programs import file, module, run, socket_program

SUMS = "sums = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)\n"
KEEPS = f"{SUMS}kept = []\nsums.foreachRDD(lambda rdd: kept.append(rdd.collect()))\n"
SORTED = "they are sorted by key now"
OTHERWISE = "in another order: that of Spark's hashes"


def _graph(body: str, after: str = "") -> GraphResult:
    (graph,) = run(socket_program(body) + after).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    return graph


def _told(graph: GraphResult) -> list[str]:
    return [text for text in graph.must_change if "are read by position" in text]


@pytest.mark.parametrize(
    "reads",
    [
        pytest.param("print(kept[0][0], kept[0][1])", id="items of a list"),
        pytest.param("for rows in kept:\n    print(rows[0][1], rows[1][1])", id="a loop"),
        pytest.param("print([rows[1] for rows in kept[1:]])", id="a comprehension over a part"),
        pytest.param("print([rows[-1] for rows in list(kept)])", id="the last of a copy"),
        pytest.param(
            "for i, rows in enumerate(kept[1:]):\n    print(rows[0], rows[1])", id="a numbered part"
        ),
        pytest.param("print([rows[1] for _, rows in enumerate(kept)])", id="a numbered comprehension"),
        pytest.param(
            "for rows in filter(None, kept):\n    print(rows[0], rows[1])", id="those that are not empty"
        ),
        pytest.param("good, bad = zip(*kept)", id="the first ones of all"),
        pytest.param("for t, rows in zip(times, kept):\n    print(t, rows[0], rows[1])", id="beside times"),
        pytest.param(
            "for rows in kept:\n    for i, row in enumerate(rows):\n        put(names[i], row)",
            id="numbered rows",
        ),
        pytest.param("def plot(all):\n    print([x[1] for x in all])\nplot(kept)", id="a function"),
        pytest.param("for good, bad in kept:\n    print(good, bad)", id="as many variables"),
        pytest.param("last = kept.pop()\n(good, n), (bad, m) = kept[0]", id="an assignment"),
        pytest.param("def all():\n    return kept\nprint(all()[0][1])", id="a result"),
        pytest.param("for rows in kept:\n    print(dict(zip(['a', 'b'], rows)))", id="beside names"),
        pytest.param(
            "for rows in kept:\n    print(dict(zip(['a'], [n for line, n in rows])))", id="parts beside names"
        ),
        pytest.param("for rows in kept:\n    print(list(map(lambda row: row[1], rows))[1])", id="a map"),
        pytest.param("for rows in kept:\n    list(map(put, names, rows))", id="a map of two lists"),
        pytest.param("for rows in kept:\n    a, b = (row[1] for row in rows)", id="a generator"),
        pytest.param("for rows in kept:\n    print('{} {}'.format(*rows))", id="arguments"),
        pytest.param("for rows in kept:\n    print('%s %s' % tuple(rows))", id="values of a text"),
        pytest.param(
            "for rows in kept:\n    for i in range(2):\n        put(names[i], rows[i])", id="two lists"
        ),
        pytest.param("for rows in kept:\n    print(rows[place])", id="a variable"),
        pytest.param("for rows in kept:\n    print([rows[i + 1] for i in range(2)])", id="the next ones"),
        pytest.param(
            "for rows in kept:\n    for i in range(len(rows)):\n        if i == 1:\n            put(rows[i])",
            id="one of a loop",
        ),
    ],
)
def test_rows_that_are_read_by_position_are_sorted_by_key(reads: str) -> None:
    graph = _graph(KEEPS, reads + "\n")
    (told,) = _told(graph)
    assert SORTED in told and "`rdd.collect()`" in told and "line " in told
    assert not any("in another order" in note for note in graph.notes)
    new = file(socket_program(KEEPS) + reads + "\n").new
    assert 'kept.append([tuple(row) for row in sums.orderBy("line").collect()])' in new


def test_rows_go_through_a_function_of_another_module() -> None:
    main = socket_program(f"{SUMS}sums.foreachRDD(lambda rdd: print(given(rdd.collect())))\n")
    files = {"main.py": f"from other import given\n{main}", "other.py": "def given(rows):\n    return rows\n"}
    (graph,) = migrate([module(text, path) for path, text in files.items()], Options()).graphs
    assert graph.outcome is Outcome.NATIVE
    assert any("in another order" in note for note in graph.notes)


@pytest.mark.parametrize(
    "reads",
    [
        "print(kept)",
        "print(kept[0])",
        "print(kept[0][0])",
        "print(dict(kept[0]))",
        "for rows in kept:\n    for line, n in rows:\n        print(line, n)",
        "print([sorted(rows)[1] for rows in kept])",
        "rows = kept[0]\nrows.sort()\nprint(rows[1])",
        "print([len(rows) for rows in kept][1], kept[1], kept[2][0])",
        "print(sum(n for rows in kept for line, n in rows))",
        "for rows in kept:\n    for i in range(len(rows)):\n        print(i, rows[i][0], f'{i}: {rows[i]}')",
        "for rows in kept:\n    for i, row in zip(range(len(rows)), rows):\n        print(i, row)",
        "for rows in kept:\n    for i, row in enumerate(rows):\n        print(i, row)",
        "for i, rows in enumerate(kept):\n    print(kept[i])",
        "for rows in kept:\n    print(*rows)\n    print(list(zip(*rows)))",
        "for rows in kept:\n    list(map(print, rows))",
        "for rows in kept:\n    print('%s' % rows)",
    ],
)
def test_other_reads_are_left_alone(reads: str) -> None:
    graph = _graph(KEEPS, reads + "\n")
    assert not _told(graph)
    assert ".orderBy(" not in file(socket_program(KEEPS) + reads + "\n").new


CALLBACK = "def show(rdd):\n    rows = {}\n    if len(rows) > 1:\n        print(rows[0], rows[1])\n"


def test_the_callback_itself_may_read_by_position() -> None:
    body = f"{CALLBACK.format('rdd.take(2)')}{SUMS}sums.foreachRDD(show)"
    assert '.orderBy("line").take(2)' in file(socket_program(body)).new
    (told,) = _told(_graph(body))
    assert "line 10: `rows[0]`, line 10: `rows[1]`" in told


@pytest.mark.parametrize(
    ("stream", "rows"),
    [
        pytest.param("sums.map(lambda pair: pair[1])", "rdd.collect()", id="no key is left"),
        pytest.param("sums.join(sums)", "rdd.collect()", id="a key may come twice"),
        pytest.param("sums", "rdd.map(lambda pair: pair[1]).collect()", id="a map in the callback"),
    ],
)
def test_what_has_no_key_is_told_of(stream: str, rows: str) -> None:
    graph = _graph(f"{CALLBACK.format(rows)}{SUMS}{stream}.foreachRDD(show)")
    (told,) = _told(graph)
    assert OTHERWISE in told


@pytest.mark.parametrize(
    "stream",
    [
        pytest.param("lines.map(lambda line: (line, 1))", id="no shuffle"),
        pytest.param("sums.transform(lambda rdd: rdd.sortBy(lambda pair: pair[1]))", id="sorted after it"),
    ],
)
def test_what_has_an_order_is_left_alone(stream: str) -> None:
    graph = _graph(f"{CALLBACK.format('rdd.collect()')}{SUMS}{stream}.foreachRDD(show)")
    assert not _told(graph)


def test_callbacks_with_rdd_code_are_told_of() -> None:
    code = "kept = rdd.map(parse).max()\n    rows = rdd.collect()\n    send(kept, rows[0], rows[1])"
    (told,) = _told(_graph(f"def show(rdd):\n    {code}\n{SUMS}sums.foreachRDD(show)"))
    assert OTHERWISE in told


def test_the_hash_of_python_2() -> None:
    """As Python 2.7.18 gives it, on 64 bits."""
    assert [hash_of(text) for text in ("", "a", "positive", "nfeelings")] == [
        *(0, 12416037344, 7583414078580623657, -3718984871146116516)
    ]


TWO_KEYS = """\
from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext({master})
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
one = lines.filter(lambda w: w in "ab").map(lambda w: ("{one}", 1))
other = lines.map(lambda w: ("{other}", 1) if w else ("{other}", 0)).union(one)
kept = []
other.reduceByKey(lambda a, b: a + b{number}).foreachRDD(lambda rdd: kept.append(rdd.collect()))
ssc.start()
ssc.awaitTermination()
print {reads}
"""


def _of_python_2(
    one: str, other: str, master: str = '"local[2]"', number: str = "", reads: str = "kept[0][1]"
) -> tuple[GraphResult, str]:
    text = TWO_KEYS.format(one=one, other=other, master=master, number=number, reads=reads)
    old = module(text.replace("print ", "print(").replace(reads, f"{reads})"))
    result = migrate([replace(old, python=2)], Options())
    return result.graphs[0], result.files[0].new


@pytest.mark.parametrize(
    ("one", "other", "code", "keys"),
    [
        ("pfeelings", "nfeelings", '.orderBy("key").collect()', "nfeelings, pfeelings"),
        ("negative", "positive", '.orderBy(F.desc("key")).collect()', "positive, negative"),
    ],
)
def test_the_order_of_python_2_is_kept(one: str, other: str, code: str, keys: str) -> None:
    graph, new = _of_python_2(one, other)
    assert code in new
    assert not _told(graph)
    assert any(f"Python 2 had these keys: {keys}" in note for note in graph.notes)


@pytest.mark.parametrize("pairs", ["[{0}, {1}]", "({0}, {1})", "[{0}] if w else ({1},)"])
def test_so_is_that_of_pairs_that_each_element_gives(pairs: str) -> None:
    body = pairs.format('("positive", len(w))', '("negative", 1)')
    made = TWO_KEYS.splitlines()[7]
    text = TWO_KEYS.replace(made, f"other = lines.flatMap(lambda w: {body})")
    text = text.format(one="", other="", master='"local[2]"', number="", reads="kept[0][1]")
    old = module(text.replace("print ", "print(").replace("kept[0][1]", "kept[0][1])"))
    result = migrate([replace(old, python=2)], Options())
    assert '.orderBy(F.desc("key")).collect()' in result.files[0].new
    assert not _told(result.graphs[0])


@pytest.mark.parametrize(
    ("master", "number"), [("", ""), ('"local[*]"', ""), ('"spark://host:7077"', ""), ('"local[2]"', ", 3")]
)
def test_the_order_of_python_2_depends_on_the_number_of_partitions(master: str, number: str) -> None:
    graph, new = _of_python_2("pfeelings", "nfeelings", master, number)
    assert '.orderBy("key").collect()' in new
    assert SORTED in _told(graph)[0]


@pytest.mark.parametrize(
    "made",
    [
        'map(lambda w: ("positive", 1) if w else ("filler", 1)).filter(lambda p: p[0] != "filler")',
        'map(lambda w: ("positive", 1) if w else ("filler", 1)).filter(lambda p: p[0] in ["positive", "x"])',
        'map(lambda w: ("positive", 1) if w else ("filler", 1))'
        '.filter(lambda p: not (p[0] == "filler" or p[0] == "other"))',
        'map(lambda w: "positive" if w else "").filter(lambda w: w == "positive").map(lambda w: (w, 1))',
        "map(kind).filter(lambda p: p)",
        "map(lambda w: kind(w)).filter(lambda p: p is not None)",
    ],
)
def test_the_keys_that_functions_and_filters_leave(made: str) -> None:
    """With `filler` neither a sort up nor one down gives the order."""
    line = TWO_KEYS.splitlines()[7]
    kind = "def kind(w):\n    if w:\n        return ('positive', 1)\n    return None\n"
    text = TWO_KEYS.replace(line, f"{kind}other = lines.{made}.union(one)")
    text = text.format(one="negative", other="", master='"local[2]"', number="", reads="kept[0][1]")
    old = module(text.replace("print ", "print(").replace("kept[0][1]", "kept[0][1])"))
    result = migrate([replace(old, python=2)], Options())
    assert re.search(r'\.orderBy\(F\.desc\("\w+"\)\)\.collect\(\)', result.files[0].new)
    assert not _told(result.graphs[0])


LABELS = """\
sc = SparkContext("local[2]", "words")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
def label(word):
    if word == "a":
        return "positive"
    elif word == "b":
        return "negative"
{}
counts = lines.map(lambda w: (label(w), 1)).reduceByKey(lambda a, b: a + b){}
kept = []
counts.foreachRDD(lambda rdd: kept.append(rdd.collect()))
ssc.start()
ssc.awaitTermination()
print(kept[0][0], kept[0][1])
"""


@pytest.mark.parametrize(
    ("more", "left", "is_old"),
    [
        ("", ".filter(lambda p: (p[0] == 'positive' or p[0] == 'negative'))", True),
        ("", ".filter(lambda p: p[0] is not None)", True),
        ("    return None", ".filter(lambda p: p[0] in ('positive', 'negative'))", True),
        ("    else:\n        return 'none'", ".filter(lambda p: p[0] != 'none')", True),
        ("", "", False),
        ("    return label(word[1:])", ".filter(lambda p: p[0] is not None)", False),
        ("    return word", "", False),
    ],
)
def test_keys_that_are_what_a_function_gives_of_which_a_filter_leaves_some(
    more: str, left: str, is_old: bool
) -> None:
    text = f"from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n{LABELS}"
    (graph,) = migrate([replace(module(text.format(more, left)), python=2)], Options()).graphs
    order = "the order in which Python 2 had these keys: positive, negative"
    assert any(order in note for note in graph.notes) is is_old
    assert bool(_told(graph)) is not is_old


@pytest.mark.parametrize(
    ("top", "one", "other", "code", "words"),
    [
        ("", "negative", "positive", 'F.desc("key")', "in which Python 2 had these keys, positive, negative"),
        ("x: int = 1\n", "negative", "positive", 'F.desc("key")', "the code names them, positive, negative"),
        ("x: int = 1\n", "positive", "negative", '"key"', "the code names them, negative, positive"),
        ("x: int = 1\n", "it", "it", '"key"', "sorted by key now, where"),
    ],
)
def test_keys_of_another_python_are_in_an_order_that_the_program_may_mean(
    top: str, one: str, other: str, code: str, words: str
) -> None:
    text = TWO_KEYS.format(one=one, other=other, master='"local[2]"', number="", reads="kept[0][1]")
    old = module(top + text.replace("print kept[0][1]", "print(kept[0][1])"))
    result = migrate([old], Options())
    assert f".orderBy({code}).collect()" in result.files[0].new
    assert words in _told(result.graphs[0])[0]


def _shown(*lines: str) -> GraphResult:
    return _graph("\n    ".join([f"{SUMS}def show(rdd):", *lines]) + "\nsums.foreachRDD(show)")


def test_rows_that_several_calls_collect_have_one_order() -> None:
    """Sorted in one of them alone, a row would be read twice and another one never."""
    (told,) = _told(_shown("if rdd.count() == 2:", "    print(rdd.collect()[0], rdd.collect()[1])"))
    assert OTHERWISE in told


def test_rows_that_the_program_sorts_are_not_told_of() -> None:
    assert not _told(_shown("rows = rdd.sortBy(lambda x: -x[1]).collect()", "print(rows[0], rows[1])"))
    assert not _told(
        _shown(
            "top = rdd.map(lambda x: (x[1], x[0])).sortByKey(False)", "rows = top.take(5)", "print(rows[1])"
        )
    )


def test_a_part_of_each_row_is_read_by_position() -> None:
    (told,) = _told(_shown("counts = [n for _, n in rdd.collect()]", "print(counts[0] / counts[1])"))
    assert SORTED in told
    assert not _told(_shown("counts = [n for _, n in rdd.collect() if n]", "print(counts[1])"))


def test_values_that_are_joined_without_their_keys_are_read_by_position() -> None:
    (told,) = _told(_shown("print(','.join([str(row[1]) for row in rdd.collect()]))"))
    assert SORTED in told
    (told,) = _told(_shown("print(','.join(str(n) for _, n in rdd.collect()))"))
    assert SORTED in told


@pytest.mark.parametrize(
    "lines",
    [
        ["print(','.join([row[0] + str(row[1]) for row in rdd.collect()]))"],
        ["print(','.join([row[0] for row in rdd.collect()]))"],
        ["print(','.join([str(n) for _, n in rdd.collect() if n]))"],
        ["rows = rdd.collect()", "print([line for line, _ in rows], ','.join([str(n) for _, n in rows]))"],
        ["print(rdd.collect(), ','.join(str(n) for _, n in rdd.collect()))"],
    ],
)
def test_keys_beside_the_values_tell_them_apart(lines: list[str]) -> None:
    assert not _told(_shown(*lines))


def test_a_shuffle_of_the_callback_is_told_of() -> None:
    graph = _graph(
        "def show(rdd):\n"
        "    counts = rdd.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)\n"
        "    rows = counts.collect()\n"
        "    print(rows[0], rows[1])\n"
        "lines.foreachRDD(show)"
    )
    (told,) = _told(graph)
    assert OTHERWISE in told


@pytest.mark.parametrize(
    ("reads", "order"),
    [
        pytest.param("pos = [i[1][1] for i in kept]\nneg = [i[0][1] for i in kept]", "", id="lists"),
        pytest.param("pos = [i[0][1] for i in kept]\nneg = [i[1][1] for i in kept]", "desc", id="others"),
        pytest.param("for i in kept:\n    negatives.append(i[0][1])\n    a.append(i[1][1])", "", id="append"),
        pytest.param("pos, neg = kept[0][1][1], kept[0][0][1]", "", id="a tuple"),
        pytest.param("pos = kept[0][1]\nneg = kept[0][1]", "none", id="one position"),
        pytest.param("pos = kept[0][1]\npositive = kept[1][0]", "none", id="one key"),
        pytest.param("a = kept[0][1]\nb = kept[0][0]", "none", id="other names"),
    ],
)
def test_variables_say_which_key_a_position_is(reads: str, order: str) -> None:
    body = (
        "pairs = lines.map(lambda w: ('positive', 1) if len(w) > 3 else ('negative', 1))\nkept = []\n"
        "pairs.reduceByKey(lambda a, b: a + b).foreachRDD(lambda rdd: kept.append(rdd.collect()))\n"
    )
    source = socket_program(body) + reads + "\n"
    (told,) = _told(run(source).graphs[0])
    by_variables = "in the order of the variables that they are read into, "
    if order == "none":
        assert by_variables not in told
    else:
        keys = "positive, negative" if order else "negative, positive"
        assert by_variables + keys in told
        code = '.orderBy(F.desc("key"))' if order else '.orderBy("key")'
        assert code in file(source).new
