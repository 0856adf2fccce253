"""
Shows which words are trending: the most frequent ones of the last few batches.

The job is a class, so that the tests can give it another stream.
"""
import argparse
import logging

from pyspark import SparkConf, SparkContext
from compat.streaming import StreamingContext

logger = logging.getLogger("trending")


def show(time, rdd):
    taken = rdd.take(10)
    logger.info("%s: %d words", time, len(taken))
    for position, (word, count) in enumerate(taken, 1):
        print("%2d. %-20s %6d" % (position, word, count))
    print("")


class TrendingWords(object):
    """Counts words over a sliding window."""

    def __init__(self, batch_seconds=1, window_batches=4, slide_batches=2):
        self.batch_seconds = batch_seconds
        self.window_seconds = window_batches * batch_seconds
        self.slide_seconds = slide_batches * batch_seconds
        self.min_length = 4
        self.sc = None
        self.ssc = None

    def setup(self, checkpoint_dir):
        conf = SparkConf().setAppName("TrendingWords")
        self.sc = SparkContext(conf=conf)
        self.sc.setLogLevel("ERROR")
        self.ssc = StreamingContext(self.sc, self.batch_seconds)
        # the window with an inverse function needs one
        self.ssc.checkpoint(checkpoint_dir)

    def trend(self, lines):
        """A stream of (word, count), the most frequent first."""
        # a local variable: self cannot be pickled, it holds the SparkContext
        min_length = self.min_length
        words = lines.flatMap(lambda line: line.lower().split()) \
                     .filter(lambda word: len(word) >= min_length)
        counts = words.map(lambda word: (word, 1)).reduceByKeyAndWindow(
            lambda a, b: a + b,      # batches that come in
            lambda a, b: a - b,      # batches that go out
            self.window_seconds,
            self.slide_seconds,
            filterFunc=lambda kv: kv[1] > 0,
        )
        return counts.transform(lambda rdd: rdd.sortBy(lambda kv: (-kv[1], kv[0])))

    def run(self, host, port, checkpoint_dir):
        self.setup(checkpoint_dir)
        lines = self.ssc.socketTextStream(host, port)
        self.trend(lines).foreachRDD(show)
        self.ssc.start()
        self.ssc.awaitTermination()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    parser = argparse.ArgumentParser()
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("--checkpoint", default="trending-checkpoint")
    args = parser.parse_args()
    TrendingWords().run(args.host, args.port, args.checkpoint)
