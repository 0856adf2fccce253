"""What holds the context gets a name for the session that it holds now, where it is declared global, too."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

seen = 0


def create():
    global {declared}
    seen = 1
    ssc = StreamingContext(SparkContext(appName="words"), 10)


def show(word):
    global ssc
    print(word, {read})


create()
ssc.socketTextStream("localhost", 9999).foreachRDD(lambda rdd: show(rdd.count()))
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.parametrize(("declared", "new"), [("ssc", "spark"), ("seen, ssc", "seen, spark")])
def test_a_global_context_is_a_global_session(declared: str, new: str) -> None:
    text = file(PROGRAM.format(declared=declared, read="word")).new
    assert f"    global {new}\n" in text
    assert "ssc" not in text


def test_a_declaration_that_binds_nothing_goes() -> None:
    text = file(PROGRAM.format(declared="ssc", read="seen")).new
    assert text.count("global ") == 1


def test_a_name_that_something_else_has_too_stays() -> None:
    text = file(PROGRAM.format(declared="ssc", read="word") + "ssc = 1\nprint(ssc)\n").new
    assert "global ssc" in text


WITH_ANOTHER = """\
import signal

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


{other}


def main(ssc):
    ssc.socketTextStream("localhost", 9999).pprint()
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    ssc = StreamingContext(SparkContext(appName="words"), 10)
    main(ssc)
"""


@pytest.mark.parametrize(
    "other",
    [
        "def count(ssc):\n    return len(ssc.parts)",
        "def counter(ssc):\n    return lambda: len(ssc.parts)",
        "sizes = list(map(lambda ssc: len(ssc), []))",
        "def count(*ssc):\n    return [len(one) for one in ssc]",
    ],
    ids=["of a function", "of the function around", "of a lambda", "of all arguments"],
)
def test_another_parameter_may_have_the_name_of_the_context(other: str) -> None:
    text = file(WITH_ANOTHER.format(other=other)).new
    assert other in text
    assert "def main(spark):\n" in text
    assert "\n    main(spark)\n" in text


def test_what_reads_the_variable_as_something_else_keeps_its_name() -> None:
    other = "def count(parts=[]):\n    ssc.parts = parts"
    text = file(WITH_ANOTHER.format(other=other)).new
    assert "def main(ssc):\n" in text
