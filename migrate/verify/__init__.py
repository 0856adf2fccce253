"""Runs an old and a new program on the same batches and compares what leaves them.

Both run unmodified, as `__main__`, in processes of their own and in copies of the working directory. There
PySpark's Python API is patched (`migrate.verify.child`): sources are fed batch by batch, results that leave
Spark in no promised order are put in a canonical one, and what leaves the program is written down. The old
program's result is what is expected.

Compared, for each batch: printed text (times of the runs masked), the rows of `pprint` and `show` and of the
console sink, all rows that `take`, `first`, `limit` and the like took from, files and tables by their
records, plain files line by line. Where the old program sorts, its order counts, ties excepted.

Not seen:

- what functions print on executors (`rdd.foreach(print)`): in a cluster it is in the executors' logs;
- that the order of floating point sums may differ between two runs of one program: equal means equal;
- which rows a `limit`, `zipWithIndex` or `sample` in the middle of a query chose among ties;
- writes and connections that the JVM or C libraries make by themselves: Python's own are refused on the
  driver and in Python workers, and so are Spark's where the API names their target;
- data that a program reads from elsewhere: it is read as it is. Kafka is supplied, from a real broker;
  Kinesis and others are not.

Differences from a real run: no socket is opened, a receiver's batch has two blocks, checkpoints start empty,
a Kafka topic has a name and partitions of the run's own,
the interval of a trigger is not waited for, and one of several batch intervals has the rows of as many
batches, the master is ``local[2]`` unless the program names a local one.
"""

from __future__ import annotations

from migrate.verify.result import BatchResult, Difference, VerifyResult
from migrate.verify.run import verify

__all__ = ["BatchResult", "Difference", "VerifyResult", "verify"]
