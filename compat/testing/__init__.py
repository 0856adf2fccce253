"""Run a piece of a streaming program over given batches, on either engine, and compare the results.

    from compat.testing import Case, assert_equal, run

    words = [[["a b"]], [[], ["b"]], []]            # three batches: of one partition, of two, of none
    case = Case(lambda ssc, lines: lines.flatMap(str.split).countByValue(), [words])
    [expected] = run([case], spark_context, engine="rdd")
    [got] = run([case], spark_context, engine="structured")
    assert_equal(expected, got, compare="partitions")

The SparkContext must have ``spark.streaming.clock=org.apache.spark.util.ManualClock``: time is moved on by
hand, one batch interval after the other, so nothing depends on how quick the machine is.
`compat.testing.strategies` makes batches with Hypothesis.
"""

from compat.testing.clock import BatchClock
from compat.testing.compare import Difference, assert_equal, canonical, difference
from compat.testing.run import Batches, Case, Output, rdd_of, run

__all__ = [
    "BatchClock",
    "Batches",
    "Case",
    "Difference",
    "Output",
    "assert_equal",
    "canonical",
    "difference",
    "rdd_of",
    "run",
]
