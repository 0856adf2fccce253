"""Queues of RDDs that are made of lists become queues of DataFrames, where columns do for all readers."""

from __future__ import annotations

import re

import pytest

from tests.migrate.programs import file

PROGRAM = """\
import time

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="queues")
ssc = StreamingContext(sc, 1)
{filled}
stream = ssc.queueStream({given})
{body}
ssc.start()
ssc.awaitTermination()
"""
COUNTS = "stream.map(lambda x: (x, 1)).reduceByKey(lambda a, b: a + b).pprint()"


def new(filled: str, given: str = "queue", body: str = COUNTS) -> str:
    result = file(PROGRAM.format(filled=filled, given=given, body=body))
    assert result.status.value == "native", result.error
    return result.new


@pytest.mark.parametrize(
    ("filled", "made", "empty"),
    [
        (
            "queue = [sc.parallelize(['a', 'b'], 2), sc.parallelize(['c'])]",
            "[spark.createDataFrame(['a', 'b'], \"string\"), spark.createDataFrame(['c'], \"string\")]",
            '"string"',
        ),
        (
            "one = sc.parallelize([1.5])\ntwo = sc.parallelize([2.0, 0.5])\nqueue = [one, two]",
            'one = spark.createDataFrame([1.5], "double")',
            '"double"',
        ),
        (
            "queue = []\nfor i in range(5):\n    queue += [ssc.sparkContext.parallelize([i, i + 1])]",
            'queue += [spark.createDataFrame([i, i + 1], "bigint")]',
            '"bigint"',
        ),
        (
            "queue = []\nfor i in range(5):\n    queue.append(sc.parallelize([j + 1 for j in range(9)], 9))",
            'queue.append(spark.createDataFrame([j + 1 for j in range(9)], "bigint"))',
            '"bigint"',
        ),
        (
            "queue = [sc.parallelize([('k%d' % i, i) for i in range(3)])]",
            "queue = [spark.createDataFrame([('k%d' % i, i) for i in range(3)], "
            '"key string, value bigint")]',
            '"key string, value bigint"',
        ),
        (
            "data = [['a b'], ['c']]\nqueue = [sc.parallelize(part) for part in data]",
            'queue = [spark.createDataFrame(part, "string") for part in data]',
            '"string"',
        ),
        (
            "tags = ['a', 'b']\nqueue = [(tag, 0) for tag in tags]\nqueue = [sc.parallelize(queue)]",
            'queue = [spark.createDataFrame(queue, "key string, value bigint")]',
            '"key string, value bigint"',
        ),
    ],
    ids=["a list", "variables", "a loop", "a comprehension", "pairs", "lists of lists", "a name bound anew"],
)
def test_lists_become_dataframes(filled: str, made: str, empty: str) -> None:
    body = "stream.pprint()" if "key" in empty or "double" in empty else COUNTS
    text = new(filled, body=body).replace("'", '"')
    assert made.replace("'", '"') in text
    assert f"queue.pop(0) if queue else spark.createDataFrame([], {empty})" in text
    assert "sparkContext" not in text and ".take(" not in text


@pytest.mark.parametrize(
    ("filled", "made"),
    [
        ("queue = [sc.parallelize(range(9))]", "queue = [spark.range(9)]"),
        ("queue = [sc.parallelize(list(range(1, 9)), 4)]", "queue = [spark.range(1, 9)]"),
        ("queue = [sc.parallelize([n for n in range(9, 1, -2)])]", "queue = [spark.range(9, 1, -2)]"),
        (
            "queue = [sc.parallelize(range(10 * i, 10 * i + 10)) for i in range(5)]",
            "queue = [spark.range(10 * i, 10 * i + 10) for i in range(5)]",
        ),
    ],
)
def test_numbers_of_ranges_are_spark_s_own(filled: str, made: str) -> None:
    text = new(filled, body="stream.map(lambda n: n * 2).pprint()")
    assert made in text and "queue.pop(0) if queue else spark.range(0)" in text
    assert '(F.col("id") * 2).alias("value")' in text and "sparkContext" not in text


@pytest.mark.parametrize(
    "filled",
    [
        "queue = [sc.parallelize(range(9)), sc.parallelize([10])]",
        "queue = [sc.parallelize([n for n in range(9) if n])]",
        "numbers = [n for n in range(9)]\nqueue = [sc.parallelize(numbers)]",
    ],
)
def test_other_numbers_are_lists(filled: str) -> None:
    text = new(filled, body="stream.pprint()")
    assert "spark.createDataFrame([], " in text and "spark.range" not in text


def test_a_list_that_gets_another_name_stays() -> None:
    text = new("rdd1 = sc.parallelize([1])\nrddQueue = [rdd1, sc.parallelize([2])]", given="rddQueue")
    assert 'df1 = spark.createDataFrame([1], "bigint")' in text
    assert 'dfQueue = [df1, spark.createDataFrame([2], "bigint")]' in text
    assert "dfQueue.pop(0) if dfQueue else" in text


def test_a_parameter_of_the_variables_name_is_another() -> None:
    made = "rdd = sc.parallelize(['a', 'b'])\nqueue = [rdd]"
    for show in (
        "stream.foreachRDD(lambda rdd: print(rdd.count()))",
        "def show(rdd):\n    print(rdd.count())\nstream.foreachRDD(show)",
    ):
        text = new(made, body=show)
        assert '= spark.createDataFrame(["a", "b"], "string")' in text.replace("'", '"')
        assert ".count())" in text and "sparkContext" not in text


def test_an_rdd_that_a_callback_reads_stays() -> None:
    made = "rdd = sc.parallelize(['a', 'b'])\nqueue = [rdd]"
    for read in (
        "stream.foreachRDD(lambda rows: print(rdd.count()))",
        "def show(rows):\n    a = [rdd for rdd in range(3)]\n    print(rdd.count())\nstream.foreachRDD(show)",
        "def show(rows):\n    global rdd\n    print(rows.count())\n    rdd = rows\nstream.foreachRDD(show)",
    ):
        assert "createDataFrame" not in file(PROGRAM.format(filled=made, given="queue", body=read)).new


@pytest.mark.parametrize(
    "filled",
    [
        "queue = [sc.parallelize(['a']), sc.parallelize([1])]",
        "queue = [sc.parallelize(['a']), sc.parallelize([])]",
        "queue = [sc.parallelize(open('words.txt').readlines())]",
        "queue = [sc.textFile('words.txt')]",
        "one = sc.parallelize(['a'])\nqueue = [one]\nprint(one.collect())",
        "queue = [sc.parallelize([['a'], ['b']])]",
        "words = ['a']\nwords.append(1)\nqueue = [sc.parallelize(words)]",
        "words = [str(n) for n in range(3)]\nwords.append(1)\nqueue = [sc.parallelize(words)]",
        "queue = [sc.parallelize([(i, (i, 1)) for i in range(3)])]",
        "queue = [sc.parallelize([(word, 1) for word in open('words.txt')])]",
    ],
    ids=[
        *("types", "no items", "unknown", "a file", "read elsewhere", "lists", "a list that changes"),
        *("a list that grows", "tuples in tuples", "lines of a file"),
    ],
)
def test_else_they_stay_rdds(filled: str) -> None:
    text = new(filled, body="stream.pprint()")
    assert "createDataFrame" not in text
    assert "queue.pop(0) if queue else spark.sparkContext.parallelize([], 1)" in text


@pytest.mark.parametrize(
    "body",
    [
        "stream.groupByKey().mapValues(list).pprint()",
        "stream.foreachRDD(lambda rdd: print(rdd.glom().collect()))",
        "stream.mapPartitions(lambda part: [sum(1 for _ in part)]).pprint()",
    ],
)
def test_so_they_do_where_rdd_code_reads_them(body: str) -> None:
    text = new("queue = [sc.parallelize([('a', 1), ('b', 2)], 2)]", body=body)
    assert "createDataFrame" not in text


@pytest.mark.parametrize(
    ("numbers", "key"),
    [
        ("range(1, 1001)", '(F.col("id") % 10)'),
        ("range(9)", '(F.col("id") % 10)'),
        ("[j * 2 for j in range(3)]", '(F.col("value") % 10)'),
        ("range(3, -1, -1)", '(F.col("id") % 10)'),
        ("range(0)", '(F.col("id") % 10)'),
        ("[0, 7]", '(F.col("value") % 10)'),
        ("range(-1, 9)", 'F.pmod("id", F.lit(10))'),
        ("range(3, -2, -1)", 'F.pmod("id", F.lit(10))'),
        ("[j - 1 for j in range(3)]", 'F.pmod("value", F.lit(10))'),
        ("[0, -7]", 'F.pmod("value", F.lit(10))'),
    ],
)
def test_a_remainder_of_numbers_that_are_not_negative_is_spark_s_own(numbers: str, key: str) -> None:
    body = COUNTS.replace("(x, 1)", "(x % 10, 1)")
    assert f'{key}.alias("key")' in new(f"queue = [sc.parallelize({numbers})]", body=body)


def test_a_variable_that_is_bound_anew_later_holds_another_queue() -> None:
    """So it is in the cells of a notebook; the batch function takes from a list of its own."""
    later = "queue = [sc.parallelize(['a'])]\nfor words in queue:\n    print(words.count())"
    text = new("queue = [sc.parallelize([1, 2])]\nqueue += [sc.parallelize([3])]", body=f"{COUNTS}\n{later}")
    assert 'queue = [spark.createDataFrame([1, 2], "bigint")]' in text
    assert 'queue += [spark.createDataFrame([3], "bigint")]' in text
    assert "\nwaiting = list(queue)\n" in text
    assert later.replace("sc.", "spark.sparkContext.") in text


def test_a_list_of_rdds_may_have_the_name_of_what_it_is_made_of() -> None:
    text = new("queue = [['a'], ['b', 'c']]\nqueue = [sc.parallelize(words, 2) for words in queue]")
    assert "queue = [['a'], ['b', 'c']]\nqueue = [spark.sparkContext.parallelize(words, 2) " in text
    assert "queue.pop(0) if queue else spark.sparkContext.parallelize([], 1)" in text


@pytest.mark.parametrize("later", ["queue = queue + [sc.parallelize([4])]", "if x:\n    queue = [4]"])
def test_a_variable_that_may_hold_the_same_queue_later_is_one(later: str) -> None:
    program = PROGRAM.format(
        filled="queue = [sc.parallelize([1, 2])]", given="queue", body=f"{COUNTS}\n{later}"
    )
    assert "createDataFrame([1, 2]" not in file(program).new


def test_a_list_of_texts_that_a_program_reads_has_their_type() -> None:
    filled = "tags = [line.strip() for line in open('tags.txt')]\n"
    text = new(f"{filled}queue = [sc.parallelize([(tag, 0) for tag in tags])]", body="stream.pprint()")
    assert 'queue = [spark.createDataFrame([(tag, 0) for tag in tags], "key string, value bigint")]' in text
    changed = "tags = []\nfor line in open('tags.txt'):\n    tags.append(line or None)\n"
    text = new(f"{changed}queue = [sc.parallelize([(tag, 0) for tag in tags])]", body="stream.pprint()")
    assert "createDataFrame" not in text


@pytest.mark.parametrize("head", ["def main():", "if __name__ == '__main__':"])
def test_a_name_that_is_bound_anew_in_a_block_is_another_list(head: str) -> None:
    filled = "queue = [(n, 1) for n in range(3)]\nqueue = [sc.parallelize(queue)]"
    lines = PROGRAM.format(filled=filled, given="queue", body="stream.pprint()").splitlines()
    block = "\n".join(f"    {line}" for line in lines[5:])
    text = file("\n".join([*lines[:5], head, block, "main()" if "main()" in head else ""])).new
    assert re.search(r'    queue = \[spark.createDataFrame\(queue, "\w+ bigint, \w+ bigint"\)\]\n', text)
    assert "queue.pop(0) if queue else" in text


@pytest.mark.parametrize(
    "filled",
    [
        "pairs = [('a', 1)]\nif x:\n    pairs = [('a', None)]\nqueue = [sc.parallelize(pairs)]",
        "for n in range(2):\n    queue = [sc.parallelize(['a'])]\n    queue = [queue]",
        "queue = [1]\nqueue = [sc.parallelize(queue), queue]",
    ],
    ids=["in a branch", "in a loop", "a list in itself"],
)
def test_a_name_that_may_hold_another_list_is_not_known(filled: str) -> None:
    text = file(PROGRAM.format(filled=filled, given="queue", body="stream.pprint()")).new
    assert "createDataFrame" not in text
