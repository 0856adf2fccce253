#!/usr/bin/env python
"""
Sizes of files by directory, from log lines on a socket.

A line names a file, the digest of what is in it, and its size; the last two may be empty:

    pyspark/sql/functions.py,sha256=PJ1lkRhyQ,83112

Usage: record_sizes.py <hostname> <port>
"""
from __future__ import print_function

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

FIELDS = ("path", "digest", "size")
DEPTH = 2


def parse(line):
    # a path may have commas in it, so the other two are split off from the right
    values = line.rsplit(",", 2)
    record = {"depth": 0, "size": 0}
    for name, value in zip(FIELDS, values):
        if name == "size":
            record[name] = int(value or 0)
        elif value:
            record[name] = value
    parts = str(record.get("path", "")).split("/")
    for part in parts[:-1]:
        if part != "..":
            record["depth"] += 1
    directory, size, depth = "/".join(parts[:DEPTH]), record["size"], record["depth"]
    return directory, size, depth


def is_deep(parsed):
    directory, size, depth = parsed
    return depth > DEPTH and size > 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: record_sizes.py <hostname> <port>", file=sys.stderr)
        sys.exit(-1)

    sc = SparkContext(appName="RecordSizes")
    ssc = StreamingContext(sc, 1)

    lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
    records = lines.filter(lambda line: line.count(",") >= 2).map(parse)

    # bytes by directory, of the files that lie deep
    deep = records.filter(is_deep)
    deep.map(lambda record: (record[0], record[1])).reduceByKey(lambda a, b: a + b).pprint(20)

    # how many files lie how deep
    records.map(lambda record: record[2]).countByValue().pprint(20)

    ssc.start()
    ssc.awaitTermination()
