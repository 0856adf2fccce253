"""Comments do not speak of functions, classes and parameters that a program has no more."""

from __future__ import annotations

from textwrap import dedent

import pytest

from migrate.codemod.comments.gone_names import is_of_arguments, without_gone
from tests.migrate.codemod.written import native_result, native_socket, new_text
from tests.migrate.programs import socket_program


@pytest.mark.parametrize(
    "comment",
    [
        "# parse each line",
        "# Tweet by tweet",
        "# the words[0] are short",
        "# split_all them",
        "# without addUp",
        "# item[0] of each",
    ],
)
def test_what_names_nothing_that_is_gone_stays(comment: str) -> None:
    names, given = {"parse", "Tweet", "addWords"}, {"x", "line"}
    assert without_gone([comment], names, given) == [comment]


@pytest.mark.parametrize(
    ("comment", "new"),
    [
        ("# stores it in a Tweet object", ""),
        ("# updateFunc: sum of the pairs", ""),
        ("# x[1][0], the first of each", ""),
        ("# count the words with update_count", "# count the words"),
        ("# count the words, using the `update_count()` function.", "# count the words."),
    ],
)
def test_what_names_what_is_gone_goes(comment: str, new: str) -> None:
    assert without_gone([comment], {"Tweet", "updateFunc", "update_count"}, {"x"}) == [new]


def test_only_the_sentence_goes_that_names_it() -> None:
    block = ["# Count the words.", "# updateFunc adds the", "# new ones to the old.", "# Show them."]
    assert without_gone(block, {"updateFunc"}, ()) == [block[0], "", "", block[3]]


@pytest.mark.parametrize(
    ("comment", "goes"),
    [
        ("# (window size, sliding interval)", True),
        ("## reverse function", True),
        ("# window length and slide duration:", True),
        ("## window size = 10, sliding interval = 2", False),
        ("# window of words", False),
        ("# sum of all", False),
    ],
)
def test_arguments_of_a_window_are_named_only_beside_it(comment: str, goes: bool) -> None:
    assert is_of_arguments(comment) is goes


def test_in_a_program() -> None:
    body = """
    from collections import namedtuple
    size = 10  # window size
    Tweet = namedtuple("Tweet", ("tag", "count"))
    counts = (
        lines.flatMap(lambda line: line.split(" "))  # into words
        .map(lambda word: (word, 1))
        .reduceByKey(lambda a, b: a + b)  # add them up
        .map(lambda pair: Tweet(pair[0], pair[1]))  # store each in a Tweet object
    )
    counts.pprint()
    number = lines.countByWindow(10, 1)  # (window size, sliding interval)
    number.pprint()
    print(size)
    """
    result = native_result(socket_program(dedent(body)))
    new = new_text(result)
    assert "Tweet" not in new and "sliding" not in new
    assert "size = 10  # window size\n" in new and "  # into words\n" in new
    (note,) = [note for note in result.graphs[0].notes if "left out" in note and "Tweet" in note]
    assert "`# (window size, sliding interval)`" in note


def test_a_variable_whose_name_is_a_word_is_not_named_anew_in_prose() -> None:
    body = "# each RDD of words has some\nRDD = lines.flatMap(lambda line: line.split(' '))\nRDD.pprint()\n"
    new = native_socket(body)
    assert "DF = " in new and "# each DF" not in new


def test_prose_names_what_has_another_name() -> None:
    body = """
    # wordsRdd has all words
    wordsRdd = lines.flatMap(lambda line: line.split(" "))
    def show_rdd(rdd):
        print(rdd.count())
    # show_rdd prints how many
    wordsRdd.foreachRDD(show_rdd)
    """
    new = native_socket(dedent(body))
    assert "# wordsDF has all words" in new and "# show_batch prints how many" in new
