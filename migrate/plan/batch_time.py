"""The expression for the batch time in a query.

DStreams and triggers count alike: a batch begins at a multiple of the interval since 1970. A batch function
is not told which one, but it is called within the interval that then begins. Where batches are late, each
still has a time of its own.
"""

from __future__ import annotations

from migrate.columns import Helper

TIMES = (
    "batch times are multiples of the interval, as on DStreams; what is there when the query starts has the "
    "last one before it, and where batches are late, one stands for several"
)
APPROXIMATE = "the batch time is the time at which the batch function runs: --batch-time approximate"
RECOVERED = (
    "the batch time is used for more than printing, and a batch that is run again after a restart would have "
    "another one (--batch-time approximate allows it)"
)
QUEUED = (
    "the batch time is used for more than printing, and the first RDD of a queue is taken before the first "
    "batch time (--batch-time approximate allows it)"
)
FIRST = "before the first batch time"


def batch_times(now: str) -> Helper:
    """The function that gives batches their times.

    Args:
        now: the expression for the current time in its module.
    """
    cls = now.removesuffix(".now()")
    return Helper(
        "batch_times",
        f'''\
def batch_times(interval):
    """The times of batches as on DStreams: multiples of the interval in seconds, each later than the last."""
    milliseconds, number = int(interval * 1000), 0
    while True:
        now = int({now}.timestamp() * 1000) // milliseconds
        number = now if now > number else number + 1
        yield {cls}.fromtimestamp(number * milliseconds / 1000)''',
    )
