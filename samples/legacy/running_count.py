"""
Keeps a running count of every word seen so far on a text socket.

The totals go on from a list of words that were counted elsewhere, so that a
new deployment does not begin at zero.

Usage: running_count.py <hostname> <port> [checkpoint-directory]
"""
from __future__ import print_function

import os
import sys
import tempfile

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

BATCH_SECONDS = 1

# (word, how often it was seen by the old deployment)
ALREADY_SEEN = [
    ("spark", 3),
    ("license", 2),
    ("streaming", 1),
]


def update_total(new_values, total):
    """Add this batch's ones to the total of a word.

    `total` is None the first time a word is seen.
    """
    return sum(new_values) + (total or 0)


def main():
    if len(sys.argv) not in (3, 4):
        print("Usage: running_count.py <hostname> <port> [checkpoint-directory]",
              file=sys.stderr)
        sys.exit(-1)
    host = sys.argv[1]
    port = int(sys.argv[2])
    if len(sys.argv) == 4:
        checkpoint_dir = sys.argv[3]
    else:
        checkpoint_dir = os.path.join(tempfile.gettempdir(), "running-count-checkpoint")

    conf = SparkConf().setAppName("RunningWordCount")
    sc = SparkContext(conf=conf)
    sc.setLogLevel("ERROR")

    ssc = StreamingContext(sc, BATCH_SECONDS)
    # updateStateByKey does not work without it
    ssc.checkpoint(checkpoint_dir)

    initial = sc.parallelize(ALREADY_SEEN)

    lines = ssc.socketTextStream(host, port)
    running_counts = (
        lines.flatMap(lambda line: line.split(" "))
        .map(lambda word: (word, 1))
        .updateStateByKey(update_total, initialRDD=initial)
    )

    # every word so far, also those that this batch did not bring
    running_counts.pprint(15)

    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main()
