"""Variables of a module that a function sets by ``global`` before it calls the one that builds the query."""

from __future__ import annotations

import pytest

from tests.migrate.programs import run

PROGRAM = """\
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def wanted(word):
    return word in tags


def main():
    ssc = StreamingContext(SparkContext(), 1)
    lines = ssc.socketTextStream("localhost", 9999)
    lines.filter(wanted).pprint()
    ssc.start()
    ssc.awaitTermination()


{start}
"""
START = """\
def start():
    global tags
    tags = sys.argv[1:]
    main()


start()
"""
ADDED = """\
def start():
    global tags
    tags = ["a"]
    given = sys.argv
    for tag in given[1:]:
        tags.append(str(tag))
    main()


if __name__ == "__main__":
    start()
"""
BRANCHES = """\
def start():
    global tags
    if len(sys.argv) < 2:
        tags = ["a", "b"]
    else:
        tags = sys.argv[1:]
    run()


def run():
    main()


if __name__ == "__main__":
    start()
"""


@pytest.mark.parametrize("start", [START, ADDED, BRANCHES], ids=["a slice", "items one by one", "branches"])
def test_columns_read_what_is_set_before(start: str) -> None:
    new = str(run(PROGRAM.format(start=start)).files[0].new)
    assert ".isin(tags)" in new
    assert new.index("def main():") < new.index(".isin(tags)") < new.index("def start():")


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(START.replace("start()\n", "start()\nstart()\n"), id="it runs twice"),
        pytest.param(START.replace("\n\nstart()", "\n\nwhile True:\n    start()"), id="a loop"),
        pytest.param(START.replace("main()", "main()\n    tags = ['b']"), id="it is set again"),
        pytest.param(ADDED.replace("    main()", "    main()\n    tags.append('b')"), id="it grows later"),
        pytest.param(
            START.replace("    main()", "    more()\n    main()")
            + "def more():\n    global tags\n    tags = tags + ['b']\n",
            id="another function sets it",
        ),
        pytest.param(START.replace("\n\nstart()", "\n\nmain()"), id="it is not called"),
        pytest.param(
            ADDED.replace("    for tag", "    given.append('c')\n    for tag"), id="it changes the arguments"
        ),
    ],
)
def test_else_a_function_reads_it(start: str) -> None:
    assert ".isin(" not in str(run(PROGRAM.format(start=start)).files[0].new)
