#!/usr/bin/env python
"""
Totals of downloads by package and by kind of file, from JSON events on a socket.

An event says that a file was downloaded:

    {"package": "pyspark", "path": "pyspark/sql/functions.py", "bytes": 83112}

"bytes" is missing if the file could not be served.

Usage: downloads.py <hostname> <port>
"""
from __future__ import print_function

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def json_checked(found, value, path, type_, others):
    """What was found, or null for `others`; the query fails for a value of another type."""
    part = F.variant_get(value, path, "variant")
    if "null" in others:
        found = found.when(F.schema_of_variant(part) == "VOID", None)
    if "missing" in others or "absent" in others:  # its key, or one above it as well
        above = "$" if "absent" in others else path.rpartition(".")[0]
        kind = F.schema_of_variant(F.variant_get(value, above, "variant"))
        found = found.when(part.isNull() & kind.startswith("OBJECT<"), None)
    text = F.coalesce(F.substring(F.to_json(part), 1, 200), F.lit("nothing"))
    message = F.concat(F.lit(f"unexpected JSON: {type_} expected at {path}, found "), text)
    return found.otherwise(F.raise_error(message))


def json_has(value, path):
    """Whether an object of JSON has the key at a path."""
    found = F.when(F.variant_get(value, path, "variant").isNotNull(), True)
    return F.coalesce(json_checked(found, value, path, "OBJECT", ["missing"]), F.lit(False))


def json_value(value, path, type_, *others):
    """The text, whole number or bool at a path of JSON, or one of `others`: "null", "missing", "absent"."""
    kind = F.schema_of_variant(F.variant_get(value, path, "variant"))
    found = F.when(kind == type_, F.try_variant_get(value, path, type_))
    return json_checked(found, value, path, type_, others)


INTERVAL = 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: downloads.py <hostname> <port>", file=sys.stderr)
        sys.exit(-1)

    spark = (
        SparkSession.builder.appName("Downloads")
        .config("spark.sql.ansi.enabled", "true")
        .getOrCreate()
    )

    lines = spark.readStream.format("socket").options(host=sys.argv[1], port=int(sys.argv[2])).load()

    def process_batch(batch, batch_id):
        if batch.isEmpty():
            return
        batch.persist()
        events = batch.select(F.parse_json("value").alias("event"))

        # files that were not served have no size
        served = events.where(json_has("event", "$.bytes"))
        (
            served.groupBy(json_value("event", "$.package", "STRING").alias("package"))
            .agg(F.sum(json_value("event", "$.bytes", "BIGINT")).alias("bytes"))
            .show(20, truncate=False)
        )

        kinds = events.select(
            F.when(~json_value("event", "$.path", "STRING").contains("."), "none")
            .otherwise(
                F.element_at(
                    F.split(json_value("event", "$.path", "STRING"), r"\."), -1
                )
            )
            .alias("kind")
        )
        kinds.groupBy("kind").count().show(20, truncate=False)

        (
            batch.where(
                F.coalesce(json_value(F.parse_json("value"), "$.bytes", "BIGINT", "missing"), F.lit(0)) > 100000
            )
            .agg(F.count("*").alias("count"))
            .show(10, truncate=False)
        )
        batch.unpersist()

    query = (
        lines.writeStream.trigger(processingTime=f"{INTERVAL} seconds")
        .foreachBatch(process_batch)
        .start()
    )
    query.awaitTermination()
