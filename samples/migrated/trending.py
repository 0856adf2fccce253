"""
Shows which words are trending: the most frequent ones of the last few batches.

The job is a class, so that the tests can give it another stream.
"""
import argparse
import logging
from collections import deque
from datetime import datetime
from functools import reduce

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

WHITESPACE = r"(?U)[\s\x1c-\x1f]+"  # what Python takes for white space


def every_interval(rows):
    """The same rows, with a batch in every interval: a clock without rows wakes the query."""
    clock = rows.sparkSession.readStream.format("rate-micro-batch").option("rowsPerBatch", 1)
    return rows.unionByName(clock.load().where("false").select(), allowMissingColumns=True)


@F.udf
def lower(text):
    """text.lower() by Python: F.lower follows another version of Unicode."""
    return text and text.lower()


logger = logging.getLogger("trending")


def show(time, rows):
    taken = rows.take(10)
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
        self.spark = None

    def setup(self, checkpoint_dir):
        self.spark = (
            SparkSession.builder.appName("TrendingWords")
            .config("spark.log.level", "ERROR")
            # partitions per batch: a window unites those of all its batches
            .config("spark.sql.shuffle.partitions", 8)
            .getOrCreate()
        )

    def run(self, host, port, checkpoint_dir):
        self.setup(checkpoint_dir)
        lines = (
            self.spark.readStream.format("socket")
            .options(host=host, port=port)
            .load()
            .transform(every_interval)
        )
        # a local variable: self cannot be pickled, it holds the SparkContext
        min_length = self.min_length
        window_length = self.window_seconds
        window_slide = self.slide_seconds

        interval = self.batch_seconds
        # pairs of an interval and its rows, of the last self.window_seconds seconds
        window = deque()
        due = None  # the batch time at which the next slide ends
        length = round(window_length / interval)  # in intervals
        slide = round(window_slide / interval)  # in intervals

        def process_batch(batch, batch_id):
            nonlocal due
            now = int(datetime.now().timestamp() // interval)  # number of the interval
            batch_time = datetime.fromtimestamp(now * interval)  # end of the interval
            if due is None:
                due, now = now + slide, now + 1  # rows at the start are of the first interval
            is_due = now >= due
            while due <= now:
                due += slide
            words = (
                batch.select(
                    F.explode(
                        F.array_remove(F.split(lower("value"), WHITESPACE), "")
                    ).alias("word")
                )
                .where(F.length("word") >= min_length)
            )
            added = words.groupBy("word").count().persist()
            window.append((now, added))
            while window[0][0] <= now - length:
                window.popleft()[1].unpersist()
            if is_due:
                counts = (
                    reduce(DataFrame.union, [rows for _, rows in window])
                    .groupBy("word").agg(F.sum("count").alias("count"))
                )
                rows = counts.orderBy(F.desc("count"), "word")
                show(batch_time, rows)

        query = (
            lines.writeStream.trigger(processingTime=f"{interval} seconds")
            .foreachBatch(process_batch)
            .start()
        )
        query.awaitTermination()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    parser = argparse.ArgumentParser()
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("--checkpoint", default="trending-checkpoint")
    args = parser.parse_args()
    TrendingWords().run(args.host, args.port, args.checkpoint)
