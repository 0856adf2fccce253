"""Variables that a branch gives one of two streams: the batch function has the branch."""

from __future__ import annotations

import pytest

from migrate.model import Outcome, Tier
from tests.migrate.programs import blocked, native_body, run, socket_program

HEAD = "import sys\nmode = sys.argv[1]\n"
WORDS = 'words = lines.flatMap(lambda line: line.split(" "))\n'
LONG = "words = words.filter(lambda word: len(word) > 5)\n"


def body(text: str) -> str:
    """The batch function of a program whose settings stand above `text`."""
    return native_body(HEAD + text)


def test_a_stream_that_a_branch_may_filter() -> None:
    assert body(f'{WORDS}if mode == "long":\n    {LONG}words.countByValue().pprint()') == (
        'words = batch.select(F.explode(F.split("value", " ")).alias("word"))\n'
        'if mode == "long":\n    words = words.where(F.length("word") > 5)\n'
        'words.groupBy("word").count().show(10, truncate=False)'
    )


def test_one_of_three_has_the_names_of_the_first() -> None:
    new = body(
        'if mode == "first":\n    pairs = lines.map(lambda line: (line.split(",")[0], 1))\n'
        'elif mode == "words":\n    apart = lines.flatMap(lambda line: line.split(" "))\n'
        "    pairs = apart.map(lambda word: (word, 1))\n"
        "else:\n    pairs = lines.map(lambda line: (line, 1))\n"
        "pairs.reduceByKey(lambda a, b: a + b).pprint()"
    )
    assert 'elif mode == "words":' in new
    assert new.count('F.lit(1).alias("count")') == 3
    assert 'pairs.groupBy("key").agg(F.sum("count").alias("count"))' in new
    assert "toDF" not in new


def test_another_name_for_one_of_two_streams() -> None:
    new = body(
        "short = lines.filter(lambda line: len(line) < 5)\n"
        "if mode:\n    shown = short\nelse:\n    shown = lines\nshown.pprint()"
    )
    assert new.endswith(
        "if mode:\n    shown = short\nelse:\n    shown = batch\nshown.show(10, truncate=False)"
    )


def test_the_stream_above_the_branch_keeps_a_name_if_something_reads_it_below() -> None:
    new = body(f"{WORDS}every = words\nif mode:\n    {LONG}words.pprint()\nevery.pprint()")
    assert "words_2 = words\n" in new
    assert "words_2.show(" in new
    assert new.endswith("words.show(10, truncate=False)\nwords.unpersist()")


def test_streams_with_other_columns_are_rdds() -> None:
    result = run(
        HEAD
        + socket_program(
            "if mode:\n    shown = lines.map(lambda line: (line, len(line)))\n"
            "else:\n    shown = lines.map(lambda line: line + line)\nshown.pprint()"
        )
    )
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert 'shown = batch.rdd.map(lambda line: line["value"]' in result.files[0].new
    assert [site.tier for site in result.sites if site.operator == "map"] == [Tier.RDD, Tier.RDD]


def test_a_number_of_32_bits_is_no_number_of_64() -> None:
    new = body(
        "if mode:\n    sizes = lines.map(lambda line: len(line))\n"
        "else:\n    sizes = lines.map(lambda line: len(line) * 3000000000)\nsizes.pprint()"
    )
    assert "batch.rdd" in new


def test_a_function_of_streams_keeps_its_branch() -> None:
    new = run(
        "import sys\nfrom pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n\n"
        "def kept(lines, word):\n    if word:\n        found = lines.filter(lambda line: word in line)\n"
        "    else:\n        found = lines\n    return found\n\n\n"
        "sc = SparkContext()\nssc = StreamingContext(sc, 1)\n"
        "lines = ssc.socketTextStream('localhost', 9999)\n"
        "found = kept(lines, sys.argv[1])\nfound.pprint()\nssc.start()\nssc.awaitTermination()\n"
    ).files[0]
    assert "    else:\n        found = lines\n    return found\n" in str(new.new)
    assert "    found = kept(batch, sys.argv[1])\n" in str(new.new)


def test_a_function_may_be_called_in_both_parts() -> None:
    new = run(
        "import sys\nfrom pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n\n"
        "def count(lines):\n    return lines.countByValue()\n\n\n"
        "sc = SparkContext()\nssc = StreamingContext(sc, 1)\n"
        "lines = ssc.socketTextStream('localhost', 9999)\nwords = lines.filter(lambda line: line != '')\n"
        "if len(sys.argv) > 1:\n    counts = count(words)\nelse:\n    counts = count(lines)\n"
        "counts.pprint()\nssc.start()\nssc.awaitTermination()\n"
    ).files[0]
    assert (
        "    if len(sys.argv) > 1:\n        counts = count(words)\n"
        "    else:\n        counts = count(batch)\n    counts.show(10, truncate=False)\n"
    ) in str(new.new)


def test_a_branch_with_the_same_test_reads_what_the_first_one_made() -> None:
    new = body(
        'if mode == "save":\n    rows = lines.map(lambda line: line + ";")\nlines.pprint()\n'
        'if mode == "save":\n    rows.pprint()'
    )
    assert new.count('if mode == "save":\n') == 2
    assert "    rows.show(10, truncate=False)" in new


REFUSED = {
    "the other branch has none": ("if mode:\n    words = lines.map(len)\nwords.pprint()", "in a branch only"),
    "the other branch has none, nor another name": (
        "if mode:\n    words = lines\nwords.pprint()",
        "in a branch only",
    ),
    "a branch with another test": (
        'if mode == "a":\n    words = lines.map(len)\nif mode == "b":\n    words.pprint()',
        "in a branch only",
    ),
    "a test that may be another one by then": (
        f"{WORDS}if input():\n    {LONG}words.pprint()",
        "may be something else in a later batch",
    ),
    "a state": (
        "pairs = lines.map(lambda line: (line, 1))\n"
        "counts = pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0))\n"
        "if mode:\n    counts = counts.filter(lambda pair: pair[1] > 1)\ncounts.pprint()",
        "what is kept of several",
    ),
}


@pytest.mark.parametrize(("text", "why"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_known_stays(text: str, why: str) -> None:
    assert why in blocked(f"import sys\nmode = sys.argv[1]\n{text}")


def test_what_a_branch_makes_is_persisted_in_it() -> None:
    text = 'if mode:\n    words = lines.map(lambda line: line + "!")\n    {}\n{}'
    outputs = "words.pprint()\n    words.countByValue().pprint()"
    new = body(text.format(outputs, ""))
    assert new == (
        'if mode:\n    words = batch.select(F.concat("value", F.lit("!")).alias("word")).persist()\n'
        "    words.show(10, truncate=False)\n"
        '    words.groupBy("word").count().show(10, truncate=False)\n    words.unpersist()'
    )
    new = body(text.format("words.pprint()", "if mode:\n    words.countByValue().pprint()"))
    assert new.endswith("if mode:\n    words.unpersist()")


def test_a_number_of_each_batch_may_be_changed() -> None:
    new = body("n = lines.count()\nif mode:\n    n = n.map(lambda count: count + 1)\nn.pprint()")
    assert 'if mode:\n    n = n.select((F.col("count") + 1).alias("count"))\nn.show(' in new


def test_a_stream_that_is_cached_below_the_branch_is_computed_once() -> None:
    new = native_body(
        f"import random\n{HEAD}pairs = lines.map(lambda line: (line, random.triangular()))\n"
        "if mode:\n    pairs = pairs.filter(lambda pair: pair[1] > 0.5)\n"
        "pairs.cache()\npairs.pprint()\npairs.foreachRDD(lambda rdd: print(rdd.collect()))"
    )
    assert (
        "\npairs.persist()  # Spark frees it when the function is done\nfor record in pairs.take(10)" in new
    )


def test_the_part_where_the_test_is_true_comes_first() -> None:
    new = body(
        "short = lines.filter(lambda line: len(line) < 5)\n"
        "if mode:\n    shown = short\nelse:\n    shown = lines.map(lambda line: line + line)\nshown.pprint()"
    )
    assert "if mode:\n    shown = short\nelse:\n    shown = batch.select(" in new
