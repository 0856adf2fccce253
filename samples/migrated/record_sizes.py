#!/usr/bin/env python
"""
Sizes of files by directory, from log lines on a socket.

A line names a file, the digest of what is in it, and its size; the last two may be empty:

    pyspark/sql/functions.py,sha256=PJ1lkRhyQ,83112

Usage: record_sizes.py <hostname> <port>
"""
from __future__ import print_function

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

FIELDS = ("path", "digest", "size")
DEPTH = 2


def of_type(value, kind):
    """The value, which must be of this type: Spark would convert another one without a word.

    The type is a class, {class, None}, a tuple with a type for each item, or a list with one for all items.
    """
    if isinstance(kind, set):
        kind = next(one for one in kind if one is not None)
        return value if value is None else of_type(value, kind)
    plain = type(kind) not in (tuple, list)
    fits = type(value) is kind if plain else isinstance(value, type(kind))
    if fits and isinstance(kind, tuple):
        fits = len(value) == len(kind)
    if not fits or (kind is int and not -(2**63) <= value < 2**63):
        raise TypeError(f"expected {kind}, found {value!r:.200}")
    if kind is str:
        value.encode()  # raises for lone surrogates
    if not plain:
        for item, inner in zip(value, kind if isinstance(kind, tuple) else kind * len(value)):
            of_type(item, inner)
    return value


def of_learnt_type(call, given, kind, fact, *place):
    """What the call returns, which must be of the type that was learnt.

    An error names the fact, what the function was given, and the place of the record.
    """
    try:
        value = call()
    except Exception as error:
        found = f"{error!r} for {given!r:.200} in {' '.join(map(str, (fact, *place)))};"
        found += " the old program fails for it as well"
        raise RuntimeError(found) from error
    try:
        return of_type(value, kind)
    except TypeError as error:
        of = "--input RECORDS"
        found = f"{error} in {' '.join(map(str, (fact, *place)))}; to accept it:"
        found += f" `dstream-migrate learn OLD {of} -- ARGS`, `rewrite`, start again"
        raise TypeError(found) from None


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


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: record_sizes.py <hostname> <port>", file=sys.stderr)
        sys.exit(-1)

    spark = (
        SparkSession.builder.appName("RecordSizes")
        .config("spark.sql.ansi.enabled", "true")  # off on some clusters; bad input must raise
        .getOrCreate()
    )

    lines = (
        spark.readStream.format("socket")
        .options(host=sys.argv[1], port=int(sys.argv[2]))
        .load()
    )
    parse_udf = F.udf(
        lambda value: of_learnt_type(lambda: parse(value), value, (str, int, int), "records"),
        "struct<directory string, size bigint, depth bigint>",
    )

    def process_batch(batch, batch_id):
        records = (
            batch.where(F.size(F.split("value", ",")) - 1 >= 2)
            .select(parse_udf("value").alias("result"))
            .select("result.*")
            .persist()
        )

        # bytes by directory, of the files that lie deep
        deep = records.where((F.col("depth") > DEPTH) & (F.col("size") > 0))
        deep.groupBy("directory").agg(F.sum("size").alias("size")).show(20, truncate=False)

        # how many files lie how deep
        records.groupBy("depth").count().show(20, truncate=False)
        records.unpersist()

    query = lines.writeStream.trigger(processingTime="1 second").foreachBatch(process_batch).start()
    query.awaitTermination()
