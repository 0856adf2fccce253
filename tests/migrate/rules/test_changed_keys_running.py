"""``--changed-keys`` as real queries: each batch puts out the keys that it changed, with running sums."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from migrate.model import Options
from tests.migrate.programs import file

PROGRAM = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext()
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream({directory!r})
{body}
ssc.start()
"""
TOTAL = "updateStateByKey(lambda new, last: sum(new) + (last or 0)"
PAIRS = "lines.map(lambda line: (line, 1))"
INITIAL = 'initial = sc.parallelize([("a", 5), ("none", 7)])\n'
BODIES = {
    "of the query": f"{PAIRS}.{TOTAL}).pprint(50)",
    "each by itself": f"{PAIRS}.{TOTAL}).filter(lambda pair: pair[1] > 0).pprint(50)",
    "an initial state": f"{INITIAL}{PAIRS}.{TOTAL}, initialRDD=initial).pprint(50)",
    "beside another output": f"{PAIRS}.{TOTAL}).pprint(50)\nlines.foreachRDD(lambda rdd: rdd.count())",
    "kept, with an initial state": (
        f"{INITIAL}{PAIRS}.{TOTAL}, initialRDD=initial).pprint(50)\nlines.foreachRDD(lambda rdd: rdd.count())"
    ),
    "of keys of two parts": (
        "counts = lines.map(lambda line: ((line, len(line)), 1)).reduceByKey(lambda a, b: a + b)\n"
        f"counts.{TOTAL}).map(lambda pair: (pair[0][0], pair[1])).pprint(50)\n"
        "counts.foreachRDD(lambda rdd: rdd.count())"
    ),
}
BATCHES = [["a", "b", "a"], ["b", "c"], ["d"], ["a", "d", "none"]]


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_each_batch_puts_out_the_keys_that_it_changed(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str
) -> None:
    written = file(PROGRAM.format(directory=str(tmp_path), body=body), Options(changed_keys=True))
    assert written.status.value == "native", written.new
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(written.new, "after", "exec"), names)
    query = names["query"]
    totals = Counter({"a": 5, "none": 7}) if "initialRDD" in body else Counter()
    try:
        for number, lines in enumerate(BATCHES):
            partial = tmp_path / f".{number}"
            partial.write_text("\n".join(lines))
            capsys.readouterr()
            partial.rename(tmp_path / f"{number}.txt")
            query.processAllAvailable()
            totals.update(lines)
            shown = re.findall(r"^\|(\w+) *\|(\d+) *\|$", capsys.readouterr().out, re.MULTILINE)
            assert sorted(shown) == sorted((word, str(totals[word])) for word in set(lines))
    finally:
        query.stop()
