#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""
Counts the words that arrive on a TCP socket, batch by batch.

    $ nc -lk 9999                                   # in one terminal
    $ spark-submit word_count.py localhost 9999     # in another

Options:
    --interval   seconds per batch
    --top        how many words to show per batch
"""
from __future__ import print_function

import argparse
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def lower(text):
    """text.lower(); the query fails on the rare letters that Python and Spark may not agree on."""
    newer = r"\ua7c0-\ua7ff\x{10570}-\x{105bf}\x{10d50}-\x{10d8f}\x{16ea0}-\x{16edf}"
    letters = rf"[\u1c89\u2c2f{newer}]"
    beside_sigma = r"(?s)^(?=.*\u03a3).*[\u0295\u0870-\u1aff\u1c8a\u1dfa\x{10570}-\x{1e6ff}]"
    failing = F.raise_error(F.concat(F.lit("lower() of: "), text))
    apart = text.rlike(letters) | text.rlike(beside_sigma)
    return F.when(apart, failing).otherwise(F.lower(text))


def parse_args(argv):
    parser = argparse.ArgumentParser(description="Streaming word count")
    parser.add_argument("host", help="where the text server runs")
    parser.add_argument("port", type=int, help="its port")
    parser.add_argument("--interval", type=int, default=1, help="batch interval in seconds")
    parser.add_argument("--top", type=int, default=20, help="words to show per batch")
    return parser.parse_args(argv)


if __name__ == "__main__":
    args = parse_args(sys.argv[1:])
    print("reading from %s:%d every %d s" % (args.host, args.port, args.interval))

    spark = (
        SparkSession.builder.appName("StreamingWordCount")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )

    # one record per line of text
    lines = spark.readStream.format("socket").options(host=args.host, port=args.port).load()

    def process_batch(batch, batch_id):
        # split into words; two blanks in a row give empty words, which nobody wants to see
        words = (
            batch.select(F.explode(F.split("value", " ")).alias("word"))
            .where(F.col("word") != "")
        )

        # the usual map / reduce, per batch
        counts = words.groupBy(lower(F.col("word")).alias("word")).count()

        # the most frequent words first
        ranked = counts.orderBy(F.desc("count"))
        ranked.show(args.top, truncate=False)

    # start the computation
    query = (
        lines.writeStream.trigger(processingTime=f"{args.interval} seconds")
        .foreachBatch(process_batch)
        .start()
    )
    query.awaitTermination()  # wait for it to terminate
