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

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


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

    sc = SparkContext(appName="StreamingWordCount")
    sc.setLogLevel("ERROR")
    ssc = StreamingContext(sc, args.interval)

    # one record per line of text
    lines = ssc.socketTextStream(args.host, args.port)

    # split into words; two blanks in a row give empty words, which nobody wants to see
    words = lines.flatMap(lambda line: line.split(" ")) \
                 .filter(lambda word: word != "")

    # the usual map / reduce, per batch
    pairs = words.map(lambda word: (word.lower(), 1))
    counts = pairs.reduceByKey(lambda a, b: a + b)

    # the most frequent words first
    ranked = counts.transform(
        lambda rdd: rdd.sortBy(lambda kv: kv[1], ascending=False))
    ranked.pprint(args.top)

    ssc.start()             # start the computation
    ssc.awaitTermination()  # wait for it to terminate
