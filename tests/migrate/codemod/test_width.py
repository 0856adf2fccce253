"""How long lines of new code may be, and where a chain of calls is broken."""

from __future__ import annotations

import re

import pytest

from migrate.codemod.style import NARROW, WIDE, Style
from tests.migrate.codemod.written import native, native_socket
from tests.migrate.programs import socket_program

LONG = "x = " + "1 + " * 25 + "1"


@pytest.mark.parametrize(
    ("source", "width"),
    [
        ("x = 1\n", NARROW),
        (f"{LONG}\n" * 2, NARROW),
        (f"    # {LONG}\n" * 5, NARROW),
        (f"{LONG}\n" * 3, WIDE),
    ],
)
def test_a_few_long_lines_or_long_comments_do_not_make_a_wide_file(source: str, width: int) -> None:
    assert Style(source).width == width


def test_a_chain_of_many_calls_has_a_line_for_each() -> None:
    new = native_socket(
        "lines.flatMap(lambda line: line.split(' ')).map(lambda word: (word, 1))"
        ".reduceByKey(lambda a, b: a + b).filter(lambda pair: pair[1] > 100).pprint()\n"
    )
    assert re.search(r"\n +\.show\(10, truncate=False\)\n", new)


@pytest.mark.parametrize(("more", "is_broken"), [(0, False), (12, False), (40, True)])
def test_a_setting_may_be_as_long_as_a_chain(more: int, *, is_broken: bool) -> None:
    value = "a.somewhat.long.name:of-a-package_2.13:1.2.3" + "4" * more
    conf = f'SparkConf().set("spark.jars.packages", "{value}").setAppName("Test").setMaster("local")'
    program = socket_program("lines.pprint()").replace('appName="Test"', f"conf={conf}")
    new = native(program.replace("import SparkContext", "import SparkConf, SparkContext"))
    assert (f'    .config("spark.jars.packages", "{value}")\n' in new) is not is_broken


def test_a_statement_in_a_new_block_is_broken_where_it_is_too_long() -> None:
    new = native_socket(
        "lines.map(lambda line: {'the text of a line': line, 'how long that is': len(line)}).pprint()\n"
    )
    assert "    for line in batch.take(10):\n        print(\n            {" in new


def test_a_chain_of_rdd_code_that_gives_a_number_has_a_line_for_each_call() -> None:
    program = socket_program(
        "import opaque\nqueue = []\n"
        "for one in sc.textFile('games').collect():\n    queue += [sc.parallelize([opaque.f(one)])]\n"
        "n = ssc.queueStream(queue).window(60, 1).map(lambda a: opaque.first(a))"
        ".filter(lambda a: opaque.second(a)).filter(lambda a: opaque.third(a)).count()\n"
        "n.foreachRDD(lambda rdd: rdd.foreach(print))\n"
    )
    new = native(re.sub("lines = .*\n", "", program))
    union = "    n = (\n        spark.sparkContext.union([rdd for _, rdd in window])\n        .map("
    assert union in new
    assert "\n        .count()\n    )" in new


def test_a_comment_that_does_not_fit_behind_a_statement_stands_above_it() -> None:
    comment = "# of the words, each with how often it is there, " + "and so on " * 4
    new = native_socket(f"lines.countByValue().pprint()  {comment}\n")
    assert re.search(rf"\n    {comment.strip()}\n    batch", new)


def test_a_chain_that_is_an_argument_has_a_line_for_each_call_without_parentheses() -> None:
    new = native_socket(
        "import json\ndef save(rdd):\n    print(rdd.countByValue())\n"
        "lines.map(lambda line: json.loads(line)).filter(lambda item: item['kind'] == 'word')"
        ".map(lambda item: (item['word'], item['count'] * item['weight'])).foreachRDD(save)\n"
    )
    called = new[new.index("    save(\n") :].partition("    )\n")[0]
    rows = called.splitlines()[1:]
    assert len(rows) == 3
    assert re.match(r"        \w+\.rdd\.map\(", rows[0])
    assert [row.split("(")[0] for row in rows[1:]] == ["        .filter", "        .map"]


def test_new_code_that_begins_a_chain_of_the_program_is_broken_if_the_line_is_too_long() -> None:
    new = native_socket(
        "def save(rdd):\n    rdd.map(lambda t: (t, len(t), t[:1])).toDF(['text', 'length', 'first'])"
        ".write.mode('append').parquet('words')\nlines.foreachRDD(save)\n"
    )
    assert re.search(
        r"\n    batch\.select\(\n(?: {8}.*\n)+    \)\.write\.mode\('append'\)\.parquet\('words'\)\n", new
    )


def test_a_chain_of_the_program_s_calls_with_new_code_has_a_line_for_each() -> None:
    new = native_socket(
        "import math\n"
        "def mean(rdd):\n"
        "    total = rdd.map(lambda line: vars(math).get(line, float(line))).map(lambda x: (str(x), 1))"
        ".reduceByKey(lambda a, b: a + b)\n"
        "    print(total.collect())\nlines.foreachRDD(mean)\n"
    )
    assert (
        "    total = (\n"
        "        batch.rdd.map(lambda line: vars(math).get(line['value'], float(line['value'])))\n"
        "        .map(lambda x: (str(x), 1))\n"
        "        .reduceByKey(lambda a, b: a + b)\n"
        "    )\n"
    ) in new.replace('"', "'")


def test_a_comment_of_new_code_without_room_stands_above_it() -> None:
    new = native_socket("def show(time, rdd):\n    print(time, rdd.count())\nlines.foreachRDD(show)").replace(
        '"', "'"
    )
    assert "  # end of the interval\n" in new
    wide = native_socket(
        "class Shown:\n"
        + "    def run(self, ssc):\n        pass\n"
        + "def show(time, rdd):\n    print(time, rdd.count())\nlines.foreachRDD(show)"
    )
    assert max(map(len, wide.splitlines())) <= 100


def test_a_call_that_the_program_has_broken_needs_no_parentheses() -> None:
    new = native_socket(
        "pairs = lines.map(lambda line: unknown(line, {\n    'of': 'words',\n    'at': 1\n}))\n"
        "pairs.foreachRDD(lambda rdd: print(rdd.count()))\n"
    )
    assert re.search(r"\n    pairs = batch\.rdd\.map\(lambda \w+: unknown\(.*\{\n", new)


def test_a_chain_on_code_of_the_program_begins_below_it() -> None:
    new = native_socket(
        "names = sc.textFile('names.csv').map(lambda row: unknown(row))\n"
        "counts = lines.countByValue()\n"
        "joined = counts.transform(lambda rdd: names.join(rdd))"
        ".map(lambda pair: (pair[0], float(pair[1][0]) * pair[1][1]))"
        ".map(lambda pair: (pair[1], pair[0])).transform(lambda rdd: rdd.sortByKey(False))\n"
        "joined.foreachRDD(lambda rdd: print(rdd.take(3)))\n"
    )
    assert re.search(r"\n        names\.join\(.*\)\n        \.map\(", new)


def test_a_comment_beside_a_call_stands_above_it_where_it_has_no_room() -> None:
    body = (
        "(lines\n    .map(lambda line: line.split(',')[2])\n"
        "    .filter(lambda code: code.startswith(('4', '5')))  # errors of clients and servers only\n"
        "    .countByValue().pprint())\n"
    )
    new = native_socket(body)
    assert max(map(len, new.splitlines())) <= 100
    assert re.search(r"\n +# errors of clients and servers only\n +\.where\(", new)


def test_conditions_that_are_too_long_together_have_a_line_each() -> None:
    new = native_socket(
        "lines.filter(lambda t: t and len(t) > 1 and t[0] == '#' and not t.startswith('#a')"
        " and t[1:] != 'another text that is not so short').pprint()\n"
    )
    assert re.search(r"where\(\n +\(F\.col.*\n(?: +& .*\n){4} +\)", new)


def test_a_long_chain_that_a_variable_gets_in_a_callback_has_a_line_for_each_call() -> None:
    new = native_socket(
        "import json\n"
        "def pair(line):\n    t = json.loads(line)\n    return t.get('n'), (float(len(line)) / 7, 1)\n"
        "def sums(rdd):\n"
        "    summed = rdd.map(pair).reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1]))\n"
        "    means = summed.map(lambda x: (x[0], x[1][0] / x[1][1]))\n"
        "    print(means.collect())\n"
        "lines.foreachRDD(sums)\n"
    )
    calls = ("select", "groupBy", "select")
    lines = "".join(rf" +\.{call}\(.*\n" for call in calls)
    chain = rf"means = \(\n +batch\.select\(.*\)\n{lines} +\)\n"
    assert re.search(chain, new)


def test_tabs_behind_spaces_are_no_style() -> None:
    head = "def f(x):\n    for a in x:\n        print(a)\n"
    odd = "        if a:\n        \tprint(1)\n"
    assert Style(head + 5 * odd).indent == "    "
    assert Style((head + 5 * odd).replace("    ", "\t")).indent == "\t"


def test_a_bracketed_chain_that_moves_closes_where_its_line_begins() -> None:
    new = native_socket("""\
from pyspark.sql import Row
import os
(
    lines.map(lambda w: Row(tag=w, n=len(os.path.abspath(w))))
        .foreachRDD(
            lambda rdd: (
                rdd.toDF()
                .limit(10)
                .registerTempTable("words")
            )
        )
)
""")
    chain = """\
    (
        spark.createDataFrame(rdd)
        .limit(10)
        .createOrReplaceTempView("words")
    )
"""
    assert chain in new


def test_a_function_s_call_that_a_chain_begins_with_has_a_line_by_itself() -> None:
    new = native_socket(
        "def show(rdd):\n    print(rdd.count())\n\n\n"
        "lines.window(30, 10).map(lambda line: line.split(',')).map(lambda x: (x[0], int(x[1])))"
        ".groupByKey().foreachRDD(show)\n"
    )
    union = "reduce(DataFrame.union, [rows for _, rows in window])\n        .rdd.map(lambda line: "
    assert f"    show(\n        {union}" in new


def test_a_chain_that_the_program_has_broken_stands_between_its_brackets() -> None:
    body = """\
from helpers import parsed, row
(
    lines.map(lambda line: parsed(line))
    .map(lambda pair: row(pair))  # a row each
        .foreachRDD(lambda rdd: print(rdd.toDF().sort("count").limit(10).collect()))
)
"""
    new = native_socket(body)
    assert "(lines" not in new and "(batch.rdd\n" not in new, new


def test_a_chain_of_one_call_is_broken_inside_of_that() -> None:
    made = "predicted(features(numpy.asarray([line], dtype='U'), limit=12), 'a longer text')"
    new = native_socket(f"result = lines.map(lambda line: (line, {made}))\nresult.pprint()")
    assert "    result = batch.rdd.map(\n        lambda line: (" in new
