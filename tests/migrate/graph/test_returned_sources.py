"""Functions that make a source and return a stream of it: they return the source, the batch does the rest."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.codemod.written import native_result, new_text
from tests.migrate.programs import run

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

SHORTEST = 3


def source(ssc):
{body}


def main():
    ssc = StreamingContext(SparkContext(appName="Words"), 5)
    found = source(ssc)
    found.countByValue().pprint()
    ssc.start()
    ssc.awaitTermination()


main()
"""
READS = 'lines = ssc.socketTextStream("localhost", 9999)'
MORE = 'more = ssc.socketTextStream("localhost", 9998)'
PAIR = ".map(lambda line: (line, 1))"
UPPER = '.map(lambda line: line + "!")'
LONG = ".filter(lambda line: len(line) > SHORTEST)"


@pytest.mark.parametrize(
    "body",
    [
        (READS, f"return lines{UPPER}"),
        (READS, f"lines = lines{UPPER}", "return lines"),
        (READS, f"loud = lines{UPPER}", "return loud"),
        (READS, f"loud = lines{UPPER}", f"return loud{LONG}"),
        (READS, f"loud = lines{UPPER}", f"loud = loud{LONG}", "return loud"),
        (f"{READS}{UPPER}", f"return lines{LONG}"),
        ('print("reading")', READS, f"loud = lines{UPPER}", f"return loud{LONG}"),
        ("end = '!' * 2", READS, "return lines.map(lambda line: line + end)"),
    ],
)
def test_they_return_the_source(body: tuple[str, ...]) -> None:
    source = PROGRAM.format(body="\n".join(f"    {line}" for line in body))
    before, after = new_text(native_result(source)).split("def main():")
    assert "    return lines\n" in before and before.count("lines =") == 1
    assert "found = source(spark)\n" in after and ".groupBy(" in after
    assert ("F.length(" in after) is (LONG in "".join(body)) and "F.concat(" in after


@pytest.mark.parametrize(
    "body",
    [
        (READS, MORE, "return lines.union(more)"),
        (READS, MORE, f"return lines.union(more){UPPER}"),
        (f"{READS}{UPPER}", MORE, "return lines.union(more)"),
        ('print("reading")', f"{READS}{PAIR}", f"{MORE}{PAIR}", "return lines.join(more)"),
    ],
)
def test_one_dataframe_cannot_stand_for_two_sources(body: tuple[str, ...]) -> None:
    (graph,) = run(PROGRAM.format(body="\n".join(f"    {line}" for line in body))).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "nothing holds the source where the query begins" in graph.reasons[0]


def test_a_chain_may_begin_with_the_call() -> None:
    program = PROGRAM.replace("found = source(ssc)\n    found.", "source(ssc).")
    new = new_text(native_result(program.format(body=f"    {READS}\n    return lines{UPPER}")))
    assert "    return lines\n" in new and "    lines = source(spark)\n" in new


def test_so_do_those_that_call_them() -> None:
    program = PROGRAM.replace(
        "def main", f"def louder(ssc):\n    loud = source(ssc)\n    return loud{UPPER}\n\n\ndef main"
    )
    program = program.replace("found = source(", "found = louder(")
    new = new_text(native_result(program.format(body=f"    {READS}\n    return lines{UPPER}")))
    assert "    loud = source(spark)\n    return loud\n" in new and "    found = louder(spark)\n" in new
    assert new.count("F.concat(") == 2 or new.count('F.lit("!")') == 2


HOLDER = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class Feed:
    def __init__(self, ssc, host):
        self.lines = ssc.socketTextStream(host, 9999)

    def words(self):
        return self.lines.flatMap(lambda line: line.split(" "))


ssc = StreamingContext(SparkContext(appName="Words"), 5)
feed = Feed(ssc, "localhost")
feed.words().countByValue().pprint()
ssc.start()
ssc.awaitTermination()
"""


def test_an_object_may_hold_the_source_of_what_its_method_makes() -> None:
    new = new_text(native_result(HOLDER))
    assert "self.lines = spark.readStream" in new and "def words(self)" not in new
    assert "    feed.lines.writeStream" in new and 'F.explode(F.split("value", " "))' in new


def test_an_object_that_has_no_name_has_none_for_it() -> None:
    (graph,) = run(HOLDER.replace("feed = ", "").replace("feed.words()", 'Feed(ssc, "h").words()')).graphs
    assert graph.outcome is Outcome.COMPAT
