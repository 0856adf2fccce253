"""Comments do not say how a stream did something, what one was, or what it could not do."""

from __future__ import annotations

import pytest

from migrate.codemod.comments.ways import is_advice, without_method, without_sequence, without_ways
from tests.migrate.codemod.written import native, native_result, new_text
from tests.migrate.programs import socket_program


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# do it, note that now this is a sequence of RDDs", "# do it"),
        ("# note that this is now a stream of RDDs", "#"),
        ("# this is a sequence of words", "# this is a sequence of words"),
    ],
)
def test_no_comment_says_what_a_stream_was(old: str, new: str) -> None:
    assert without_sequence(old) == new


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("# add to the last count using updateStateByKey", "# add to the last count"),
        ("# Count the words, using the reduceByKeyAndWindow() method.", "# Count the words."),
        ("# print them with pprint", "# print them"),
        ("# sort them inside the transform() method and print them", "# sort them and print them"),
        ("# instead of using updateStateByKey", None),
        ("# without using pprint", None),
        ("# count them, but not with countByWindow", None),
        ("# using pprint prints ten rows", None),
        ("# words = lines.map(f) with pprint", None),
    ],
)
def test_a_sentence_does_not_end_in_the_method_of_a_stream(text: str, new: str | None) -> None:
    assert without_method(text) == (text if new is None else new)


def test_no_comment_names_an_argument_of_a_stop_that_is_gone() -> None:
    comment = ["# IMPORTANT: you need the stopSparkContext=False, otherwise", "# your driver will die"]
    assert without_ways(comment, rdds=False) == ["", ""]
    assert without_ways(["# stop gracefully"], rdds=False) == ["# stop gracefully"]


def test_such_a_comment_loses_the_method_wherever_it_stands() -> None:
    body = "# add them up using updateStateByKey\nlines.map(len).pprint()"
    assert "# add them up\n" in native(socket_program(body))


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("# Line 3: Run `updateStateByKey` to running count", "# Line 3: Running count"),
        ("# 2. Define the count using reduceByKey", "# 2. Define the count"),
        ("# 4. Sort it using transform transformation:", "# 4. Sort it:"),
        ("# 0. Use foreachRDD transformation and save() to", "# 0. Use save() to"),
        ("# use transform and map transformations to add the date", "# add the date"),
        ("# Use foreachRDD function and select some columns", "# Select some columns"),
        ("# We can use foreachRDD to save them", "# Save them"),
        ("# print this at every step (use the pprint function).", "# print this at every step."),
        ("# executes after ssc.start()", "# executes after the query starts"),
        ("# no need to use foreachRDD", None),
        ("# use transform to add", None),
        ("# Use map to find the way", None),
    ],
)
def test_what_a_method_was_used_for_is_left(text: str, new: str | None) -> None:
    assert without_method(text, rdds=False) == (text if new is None else new)


def test_methods_of_rdds_are_named_where_there_are_rdds() -> None:
    assert without_method("# Define the count using reduceByKey") == "# Define the count using reduceByKey"


@pytest.mark.parametrize(
    ("block", "left"),
    [
        pytest.param(["# lines eh uma sequencia de RDDs"], [], id="what one was"),
        pytest.param(
            ["# Remove duplicates", "# distinct() is not avaiable for DStreams. We must use transfrom"],
            ["# Remove duplicates"],
            id="what it could not do",
        ),
        pytest.param(
            ["# keys is not available for DStreams.", "# transform must be used or map"],
            [],
            id="two sentences",
        ),
        pytest.param(
            [
                "# Join them to get",
                "# the name.",
                "# To join streaming and",
                "# other RDDs transform must be used",
            ],
            ["# Join them to get", "# the name."],
            id="a sentence of two lines",
        ),
        pytest.param(
            ["# It holds the counts", "# You will need to use the foreachRDD function.", "# They look like:"],
            ["# It holds the counts", "# They look like:"],
            id="advice",
        ),
        pytest.param(
            [
                "# Take the ids",
                "# keys and names are not available for DStreams.",
                "# transform must be used",
            ],
            ["# Take the ids"],
            id="a sentence that begins with a method",
        ),
        pytest.param(
            ["# Count them", "# Note that there is no API called .collect()"],
            ["# Count them"],
            id="what is not",
        ),
        pytest.param(["# But the words are DStreams, but not RDDs"], [], id="and what one was not"),
        pytest.param(
            ["# There is no API called .lookup()"], ["# There is no API called .lookup()"], id="another API"
        ),
        pytest.param(["# A DStream is a continuous series of RDDs."], [], id="what a DStream is"),
        pytest.param(["#This is an RDD"], [], id="that it is one"),
        pytest.param(["# DStreams"], [], id="a heading"),
        pytest.param(["#foreachRDD", "# pprint():"], [], id="methods alone"),
        pytest.param(["# map", "# foreachRDD and more"], ["# map", "# foreachRDD and more"], id="others"),
        pytest.param(
            [
                "# Spark Streaming provides an abstraction called DStream, which is a stream of data.",
                "# Internally, a DStream is represented as a sequence of RDDs.",
                "# On each batch interval one RDD is produced independent of number of records.",
                "# DStreams can be created from Kafka, or from other DStreams.",
                "# Any operation applied on a DStream translates to operations on the underlying RDDs.",
            ],
            [],
            id="the programming guide",
        ),
        pytest.param(
            [
                "# The method saveAsTextFile() should really be re-named saveInDirectory(),",
                "# because that is what it does.",
                "# Save them with saveAsTextFiles().",
            ],
            ["# Save them."],
            id="how a method should be called",
        ),
        pytest.param(["#This is an RDD that holds it"], ["#This is an RDD that holds it"], id="and what"),
        pytest.param(["# When your DStream gets data, it creates an RDD every interval."], [], id="how"),
        pytest.param(["# Make a DStream that holds RDDs"], ["# Make a DStream that holds RDDs"], id="makes"),
        pytest.param(
            [
                "# 1. Look",
                "# 2. You can use the pprint function",
                "#    2.1 so",
                "# 3. See",
                "# 4. Go",
                "# 9. x",
            ],
            ["# 1. Look", "#    2.1 so", "# 2. See", "# 3. Go", "# 4. x"],
            id="a list",
        ),
        pytest.param(
            ["# the words must be used"],
            ["# the words must be used"],
            id="something else that must be used",
        ),
        pytest.param(
            ["#", "# lines is a sequence of words"], ["#", "# lines is a sequence of words"], id="no RDDs"
        ),
    ],
)
def test_a_sentence_that_is_only_about_streams_goes(block: list[str], left: list[str]) -> None:
    assert [line for line in without_ways(block, rdds=False) if line] == left


@pytest.mark.parametrize(
    ("block", "left"),
    [
        (["Spark Streaming reads data as an RDD,", "structured streaming as a DataFrame"], []),
        (["# spark streaming, we get an rdd here."], []),
        (["# .pprint()方法打印DStream中每个RDD的前几个元素，", "# 元素数量通过参数num指定，默认为10。"], []),  # noqa: RUF001
        (["# 打印前几个元素，", "# 用pprint"], None),  # noqa: RUF001
        (["# pprint imprime cada RDD do DStream"], None),
        (["# Spark Streaming reads each file once"], None),
    ],
)
def test_what_tells_how_streams_work_goes(block: list[str], left: list[str] | None) -> None:
    told = [line for line in without_ways(block, rdds=False) if line]
    assert told == (block if left is None else left)


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("# flatMap splits each line", "# Split each line"),
        ("# 2. The reduceByKey() function adds the counts", "# 2. Add the counts"),
        ("# updateStateByKey will keep the sums", "# Keep the sums"),
        ("# Make the stream with socketTextStream", "# Make the stream"),
        ("# map splits each line", None),
        ("# flatMap them", None),
        ("# pprint = print, which adds a line", None),
    ],
)
def test_what_a_method_did_is_done(text: str, new: str | None) -> None:
    assert without_method(text, rdds=False) == (text if new is None else new)


@pytest.mark.parametrize(
    ("comment", "goes"),
    [
        ("# flatMap is a one-to-many DStream operation that makes a new DStream.", True),
        ("# foreachRDD is an output action", True),
        ("# flatMap is an option", False),
        ("# it is a DStream operation", False),
    ],
)
def test_no_sentence_defines_a_method(comment: str, goes: bool) -> None:
    assert without_ways([comment], rdds=False) == ["" if goes else comment]


def test_code_goes_above_a_sentence_that_begins_with_its_method() -> None:
    body = "# lines.pprint(num=10)\n# .pprint()方法打印DStream中每个RDD\nlines.pprint()\n"
    result = native_result(socket_program(body))
    assert "pprint" not in new_text(result)
    assert any("`# lines.pprint(num=10)`, `# .pprint()" in note for note in result.graphs[0].notes)


def test_nothing_is_an_rdd_where_there_are_none() -> None:
    said = "# Process lines, which are in fact RDDs"
    assert without_ways([said], rdds=False) == ["# Process lines"]
    assert without_ways([said], rdds=True) == [said]


def test_an_rdd_is_one_where_there_are_some() -> None:
    assert without_ways(["#This is an RDD"], rdds=True) == ["#This is an RDD"]
    assert without_ways(["#value is now a Dstream object"], rdds=True) == [""]


def test_advice_on_something_else_stays() -> None:
    assert not is_advice("# You can use the show function.")
    assert not is_advice("# You can take a look at foreachRDD(show)")


def test_methods_of_rdds_are_not_named_beside_dataframes_though_there_are_rdds() -> None:
    body = "rows = sc.parallelize([1])\nprint(rows.map(weird).collect())\n"
    body += (
        "# how many using reduceByKey\nlines.map(lambda x: (x, 1)).reduceByKey(lambda a, b: a + b).pprint()"
    )
    new = native(socket_program(body))
    assert "sparkContext" in new and "    # how many\n" in new


def test_what_goes_is_noted() -> None:
    body = "# the length of each line\n# map() is not supported on DStreams\nlines.map(len).pprint()"
    result = native_result(socket_program(body))
    assert "not supported" not in new_text(result)
    assert "\n# the length of each line\nquery = " in new_text(result)
    assert "`# map() is not supported on DStreams`" in " ".join(result.graphs[0].notes)


def test_advice_above_what_stays_goes_too() -> None:
    body = "# all of them\n# You need to use the foreachRDD function.\nseen = []\nlines.pprint()"
    assert "# all of them\nseen = []" in native(socket_program(body))


def test_what_stands_inside_of_what_stays_stays() -> None:
    body = "def put():\n    print(1)\n    # You need to use the foreachRDD function.\n\n\nlines.pprint()"
    result = native_result(socket_program(body))
    comment = "# You need to use the foreachRDD function."
    assert comment in new_text(result)
    assert comment not in "".join(note for note in result.graphs[0].notes if "left out" in note)
