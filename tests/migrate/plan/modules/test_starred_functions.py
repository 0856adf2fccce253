"""Functions that star imports of the project's own modules bring in, in a batch function."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options
from tests.migrate.programs import module

COMMON = "from operator import add\n\ndef parse(line):\n    return eval(line)\n"
JOB = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
{imports}

def main(lines):
    pairs = lines.map(parse).filter(lambda pair: pair[0]).map(lambda pair: pair)
    pairs.reduceByKey(add).pprint()

ssc = StreamingContext(SparkContext(), 1)
main(ssc.socketTextStream("localhost", 9999))
ssc.start()
ssc.awaitTermination()
"""


def rewritten(imports: str) -> str:
    """The program, beside the module that its star import is of."""
    source = JOB.format(imports=imports)
    result = migrate([module(source), module(COMMON, "common.py")], Options())
    return next(one.new for one in result.files if one.path == "job.py")


@pytest.mark.parametrize(
    "imports",
    ["from common import *", "from operator import add\nfrom common import *"],
    ids=["alone", "twice"],
)
def test_they_have_their_own_names(imports: str) -> None:
    new = rewritten(imports)
    assert "parse(row[" in new and "reduceByKey(add" in new
    assert "function = " not in new


def test_one_that_may_be_another_later_is_kept() -> None:
    new = rewritten("from common import *\n\ndef set_up():\n    global parse\n    parse = None\n")
    assert "parse(row[" not in new


def test_one_that_the_module_does_not_have_is_told_of() -> None:
    source = (
        "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
        "from common import *\n\nssc = StreamingContext(SparkContext(), 1)\n"
        'ssc.socketTextStream("localhost", 9999).foreachRDD(lambda rdd: store(rdd))\n'
        "ssc.start()\nssc.awaitTermination()\n"
    )
    (graph,) = migrate([module(source), module(COMMON, "common.py")], Options()).graphs
    assert "handed to `store`, which is never defined in the files that were read" in graph.reasons[0]
