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

INTERVAL = 1
LARGE = 100000


def json_variant(text, fact):
    """A record: its JSON, its text, and its place."""
    place = F.struct(F.lit(fact).alias("fact"))
    return F.struct(F.try_parse_json(text).alias("json"), text.alias("text"), place.alias("place"))


def json_checked(value, record, path, type_, others):
    """The value, or null for `others`; where it is null the query fails, and names what is there instead."""
    whole, place = record["json"], record["place"]
    part = F.variant_get(whole, path, "VARIANT")
    no_json = F.when(whole.isNull(), F.format_string("no JSON that Spark takes: %s", record["text"]))
    found = F.coalesce(no_json, F.to_json(part), F.lit("nothing"))
    message = "unexpected JSON: %s expected at %s, found %.200s in %s; to accept it: `dstream-migrate learn OLD --input RECORDS -- ARGS`, `rewrite`, start again"
    where = [F.to_json(place)]
    instead = F.raise_error(F.format_string(message, F.lit(type_), F.lit(path), found, *where))
    if "null" in others:
        instead = F.when(F.is_variant_null(part), None).otherwise(instead)
    if "missing" in others or "absent" in others:  # its key, or one above it as well
        above = "$" if "absent" in others else path.rpartition("[" if path.endswith("]") else ".")[0]
        kind = F.schema_of_variant(F.variant_get(whole, above, "VARIANT"))
        instead = F.when(part.isNull() & kind.startswith("OBJECT<"), None).otherwise(instead)
    return F.coalesce(value, instead)


def json_has(record, path):
    """Whether an object of JSON has the key at a path."""
    record = F.col(record) if isinstance(record, str) else record
    found = F.when(F.variant_get(record["json"], path, "VARIANT").isNotNull(), True)
    return F.coalesce(json_checked(found, record, path, "OBJECT", ["missing"]), F.lit(False))


def json_value(record, path, type_, *others):
    """The value of this type at a path of JSON, or one of `others`: "null", "missing", "absent"."""
    record = F.col(record) if isinstance(record, str) else record
    if type_ == "STRING":  # only texts are read as BINARY; as STRING all is
        value = F.try_variant_get(record["json"], path, "BINARY").cast("STRING")
        return json_checked(value, record, path, type_, others)
    kind = F.schema_of_variant(F.variant_get(record["json"], path, "VARIANT"))
    value, fits = F.try_variant_get(record["json"], path, type_), kind == type_
    if type_ == "DOUBLE":
        # an int beyond 64 bits is a DECIMAL without places, one beyond 38 digits a DOUBLE
        fits = (fits & (F.abs(value) < 1e38)) | kind.rlike(r"DECIMAL\((\d+,[1-9]|(\d|1[0-8]),0)")
    return json_checked(F.when(fits, value), record, path, type_, others)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: downloads.py <hostname> <port>", file=sys.stderr)
        sys.exit(-1)

    spark = (
        SparkSession.builder.appName("Downloads")
        .config("spark.sql.ansi.enabled", "true")  # off on some clusters; bad input must raise
        .getOrCreate()
    )

    lines = (
        spark.readStream.format("socket")
        .options(host=sys.argv[1], port=int(sys.argv[2]))
        .load()
    )

    def process_batch(batch, batch_id):
        if batch.isEmpty():  # DStreams gave no count then
            return
        batch.persist()
        events = batch.select(
            F.explode(
                F.array(json_variant(F.col("value"), "json.loads(line)"))
            ).alias("event")
        )

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

        print(
            batch.where(
                F.coalesce(json_value(json_variant(F.col("value"), "is_large.event"), "$.bytes", "BIGINT", "missing"), F.lit(0)) > LARGE
            ).count()
        )
        batch.unpersist()

    query = (
        lines.writeStream.trigger(processingTime=f"{INTERVAL} seconds")
        .foreachBatch(process_batch)
        .start()
    )
    query.awaitTermination()
