"""A program on executors that are processes of their own, whose Python cannot import `compat`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

from tests.e2e.processes import HAS_COMPAT, SUBMIT, Program

JOB = (
    HAS_COMPAT
    + """\
import json, sys, time
from pyspark import SparkContext
from compat.streaming import StreamingContext

sc = SparkContext(appName="cluster")
print("compat on a worker:", any(sc.parallelize(range(8), 8).map(has_compat).collect()))
print("executors:", sc._jsc.sc().getExecutorMemoryStatus().size() - 1)

ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[1])
lines = ssc.queueStream([["a b a", "c"], ["b"], []])
pairs = lines.flatMap(lambda line: line.split()).map(lambda word: (word, 1))
add = lambda a, b: a + b
streams = {
    "counts": pairs.reduceByKey(add),
    "running": pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0)),
    "window": pairs.reduceByKeyAndWindow(add, None, 2),
    "inverse": pairs.reduceByKeyAndWindow(add, lambda a, b: a - b, 5),
    "joined": pairs.join(pairs.mapValues(lambda n: n + 1)).mapValues(sum),
    "sorted": pairs.transform(lambda rdd: rdd.sortByKey(False)),
    "glom": lines.glom().map(len),
}
seen = {name: [] for name in streams}
def keep(name):
    return lambda rdd: seen[name].append(rdd.collect())
for name, stream in streams.items():
    stream.foreachRDD(keep(name))
ssc.start()
while min(map(len, seen.values())) < 4:
    if ssc.awaitTerminationOrTimeout(0.05):
        break
print("seen:", json.dumps({name: batches[:4] for name, batches in seen.items()}))
ssc.stop()
"""
)

EXPECTED = {
    "counts": [{"a": 2, "b": 1, "c": 1}, {"b": 1}, {}, {}],
    "running": [{"a": 2, "b": 1, "c": 1}] + [{"a": 2, "b": 2, "c": 1}] * 3,
    "window": [{"a": 2, "b": 1, "c": 1}, {"a": 2, "b": 2, "c": 1}, {"b": 1}, {}],
    "inverse": [{"a": 2, "b": 1, "c": 1}] + [{"a": 2, "b": 2, "c": 1}] * 3,
}


def test_workers_need_no_compat(tmp_path: Path, start: Callable[..., Program]) -> None:
    path = tmp_path / "job.py"
    path.write_text(JOB)
    jvm, submit = os.environ["SPARK_SUBMIT_OPTS"], SUBMIT.replace("local[2]", "local-cluster[2,1,1024]")
    job = start(
        path,
        tmp_path / "checkpoint",
        PYSPARK_SUBMIT_ARGS=f"--conf 'spark.executor.extraJavaOptions={jvm}' {submit}",
        SPARK_LOCAL_IP="127.0.0.1",
    )
    job.wait(lambda: "seen:" in job.printed, "four batches")
    assert "compat on a worker: False" in job.printed
    assert "executors: 2" in job.printed
    seen = json.loads(job.printed.split("seen:")[1].splitlines()[0])
    for name, expected in EXPECTED.items():
        assert [dict(batch) for batch in seen[name]] == expected, name
    assert sorted(map(tuple, seen["joined"][0])) == [("a", 3)] * 4 + [("b", 3), ("c", 3)]
    assert [key for key, _ in seen["sorted"][0]] == ["c", "b", "a", "a"]
    assert [sum(batch) for batch in seen["glom"]] == [2, 1, 0, 0]
