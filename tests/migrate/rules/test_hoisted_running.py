"""Functions inside of functions of streams do the same beside them, batch by batch."""

from __future__ import annotations

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from tests.migrate.plan.modules.test_hoisted_functions import LISTS, TOTALS
from tests.migrate.programs import whole_program
from tests.migrate.rules.running import after_program, before

KEYS = """\
LIMIT = 3

def counted(lines):
    def key(word):
        if len(word) > LIMIT:
            return word[:LIMIT]
        return ascii(word)

    return lines.map(key).map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)

counts = counted(lines)
counts.pprint()
"""


@pytest.mark.parametrize("body", [TOTALS, LISTS, KEYS], ids=["a running sum", "last values", "keys"])
def test_they_do_the_same(
    spark_context: SparkContext, spark: SparkSession, tmp_path: object, body: str
) -> None:
    spark_context.setCheckpointDir(str(tmp_path))
    batches = [("a", "bananas", "a"), ("b", "a"), ("bananas", "c")]
    (expected,) = before([body], batches, spark_context)
    came = after_program(whole_program(body), [(), *batches], spark)
    assert came.batches[1:] == expected.batches
