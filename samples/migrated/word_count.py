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


@F.udf
def lower(text):
    """text.lower() by Python: F.lower follows another version of Unicode."""
    return text and text.lower()


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
        counts = words.groupBy(lower("word").alias("word")).count()

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
