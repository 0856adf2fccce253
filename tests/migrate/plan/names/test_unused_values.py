"""Variables go that only code read which goes: numbers of settings, patterns."""

from __future__ import annotations

import pytest

from tests.migrate.codemod.written import native

PROGRAM = """\
import re
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

STARTS = re.compile("[a-z]")


def main(threads):
    count = {count}
    ssc = StreamingContext(SparkContext(appName="words"), 10)
    lines = KafkaUtils.createStream(ssc, "zoo:2181", "words", {{"words": count}}).map(lambda m: m[1])
    lines.filter(lambda line: STARTS.match(line)).pprint()
    ssc.start()
    ssc.awaitTermination()
{more}

main("4")
"""


@pytest.mark.parametrize("count", ["int(threads)", "int(threads) * 2", "float(threads)"])
def test_a_number_and_a_pattern_go_that_only_the_old_source_read(count: str) -> None:
    text = native(PROGRAM.format(count=count, more=""))
    assert "count" not in text and "STARTS" not in text and "import re\n" not in text


@pytest.mark.parametrize(
    ("count", "more", "kept"),
    [
        ("int(threads)", "    print(count)\n", "    count = int(threads)\n"),
        ("int(input())", "", "    count = int(input())\n"),
        ("4", "    print(STARTS)\n", 'STARTS = re.compile("[a-z]")\n'),
    ],
    ids=["read", "asks", "a pattern that is read"],
)
def test_they_stay_where_more_reads_them_or_may_happen(count: str, more: str, kept: str) -> None:
    assert kept in native(PROGRAM.format(count=count, more=more))
