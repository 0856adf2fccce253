"""Comments do not say how old the old API is, what it is based on, or which threads it takes."""

from __future__ import annotations

import pytest

from migrate.codemod.comments.old_remarks import is_of_old_api, without_age
from tests.migrate.codemod.written import native, native_result, new_text
from tests.migrate.programs import socket_program


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("# Kafka Stream (alte API – basiert auf RDDs)", "# Kafka Stream"),  # noqa: RUF001
        ("# the stream (old API, based on RDDs) of words", "# the stream of words"),
        ("# flujo de Kafka (API antigua, basada en RDDs)", "# flujo de Kafka"),
        ("# stream do Kafka (API antiga)", "# stream do Kafka"),
        ("# le stream (ancienne API)", "# le stream"),
        ("# lo stream - vecchia API basata su RDD", "# lo stream"),
        ("# Kafka 流（旧 API，基于 RDD）", "# Kafka 流"),  # noqa: RUF001
        ("# 스트림 stream (구 DStream API)", "# 스트림 stream"),
        ("# Spark stream (DStream API)", "# Spark stream"),
        ("# the tweets (old API)", None),
        ("# the stream (port 9999)", None),
        ("# the stream of words (an old one)", None),
        ("# the stream - three words a line", None),
        ("# the stream (the Twitter API)", None),
    ],
)
def test_the_age_of_an_api_is_left_out(text: str, new: str | None) -> None:
    assert without_age(text) == (text if new is None else new)


@pytest.mark.parametrize(
    ("text", "goes"),
    [
        ("# DStream is deprecated as of Spark 3.4.0. Migrate to Structured Streaming.", True),
        ("# Note: Spark Streaming is no longer supported", True),
        ("# DStreams sind veraltet", True),
        ("# you should use Structured Streaming instead", True),
        ("# spark streaming context used to create dstream api", True),
        ("# StreamingContext is the main entry point for all streaming functionality", True),
        ("# SparkContext(“local[1]”) would not work with Streaming bc 2 threads are required", True),
        ("# the receiver needs at least two threads", True),
        ("# make the DStream of deprecated words", False),
        ("# DStream is read from a port", False),
        ("# make a context with two threads", False),
        ("# two threads are needed for the tests", False),
        ("# Structured Streaming reads this", False),
    ],
)
def test_a_sentence_that_is_about_the_old_api_goes(text: str, goes: bool) -> None:
    assert is_of_old_api(text) == goes


def test_such_a_remark_goes_from_the_head_of_a_program_and_is_noted() -> None:
    remark = "# DStream is deprecated as of Spark 3.4.0. Migrate to Structured Streaming.\n"
    result = native_result(remark + socket_program("lines.pprint()"))
    assert new_text(result).startswith("from pyspark.sql import SparkSession\n")
    assert "`# DStream is deprecated as of" in " ".join(result.graphs[0].notes)


def test_an_aside_goes_before_rdds_are_said_to_be_dataframes() -> None:
    body = "# die Zeilen im Stream (alte API – basiert auf RDDs)\nlines.map(len).pprint()"  # noqa: RUF001
    assert "# die Zeilen im Stream\n" in native(socket_program(body))


def test_code_in_comments_above_a_context_stays_in_its_place() -> None:
    program = socket_program("lines.pprint()").replace("ssc = ", "# path = 'words.txt'\nssc = ")
    new = native(program)
    assert new.index("# path = 'words.txt'\n") < new.index("\nlines = ")


@pytest.mark.parametrize(
    ("comment", "path", "stays"),
    [
        ("# TODO: your path will be another one", "/home/me/spark-2.3.0-bin-hadoop2.7", False),
        ("# TODO: your path will be another one", "/home/me/spark", True),
        ("# before anything of Spark is imported", "/home/me/spark-2.3.0-bin-hadoop2.7", True),
    ],
    ids=["it goes", "the path is named still", "of something else"],
)
def test_what_is_said_of_a_path_that_is_named_no_more_goes(comment: str, path: str, stays: bool) -> None:
    head = f"import findspark\n{comment}\nfindspark.init({path!r})\n"
    result = native_result(head + socket_program("lines.pprint()"))
    assert (f"{comment}\nfindspark.init(" in new_text(result)) is stays
    assert any(comment in note for note in result.graphs[0].notes) is not stays
