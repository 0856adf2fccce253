"""Contexts that no variable holds where they are made: native code gives them one."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.codemod.written import native_result, new_text
from tests.migrate.programs import run

HEAD = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n"
MAKES = "StreamingContext(SparkContext(appName='Lines'), 5)"
RUN = """\
def run(ssc, host):
    ssc.socketTextStream(host, 9999).pprint()
    ssc.start()
    ssc.awaitTermination()

"""


@pytest.mark.parametrize(
    ("end", "new"),
    [
        (f"run({MAKES}, 'localhost')\n", "run(spark, 'localhost')\n"),
        (f"def make():\n    return {MAKES}\n\nrun(make(), 'localhost')\n", "    return spark\n"),
        (
            f"def make():\n    return 'localhost', {MAKES}\n\nhost, ssc = make()\nrun(ssc, host)\n",
            "', spark\n",
        ),
    ],
)
def test_it_gets_a_variable(end: str, new: str) -> None:
    text = new_text(native_result(HEAD + RUN + end))
    assert "spark = SparkSession.builder.appName('Lines').getOrCreate()\n" in text
    assert new in text and "ssc" not in text


def test_a_name_that_the_function_has_is_not_taken() -> None:
    end = f"def make(ssc):\n    print(ssc)\n    return {MAKES}\n\nrun(make('none'), 'localhost')\n"
    new = new_text(native_result(HEAD + RUN + end))
    assert "def make(ssc):\n    print(ssc)\n    spark = SparkSession" in new


@pytest.mark.parametrize(
    "end",
    [
        f"run(host={{'host': read_host()}}['host'], ssc={MAKES})\n",
        f"run({MAKES} if REAL else None, 'localhost')\n",
        f"first = second = {MAKES}\nrun(first, 'localhost')\n",
    ],
)
def test_what_may_come_in_another_order_stays(end: str) -> None:
    (graph,) = run(HEAD + RUN + end).graphs
    assert graph.outcome is Outcome.COMPAT and "is not simply assigned" in graph.reasons[0]
