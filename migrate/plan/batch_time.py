"""The batch time in a query, which tells a batch function none.

DStreams and triggers count alike: a batch begins at a multiple of the interval since 1970, and its function
is called within the interval that then begins. So the last multiple is the time that a DStream would
have given.
"""

from __future__ import annotations

from migrate.columns import Helper

TIMES = (
    "the batch time is the last multiple of the interval when a batch begins, as on DStreams; one that "
    "begins late, or runs again after a restart, has a later time, and two late ones may have the same"
)
APPROXIMATE = "the batch time is the time at which the batch function runs: --batch-time approximate"
FIRST = "before the first batch time"


def current_batch_time(now: str) -> Helper:
    """The function that gives a batch its time.

    Args:
        now: the expression for the current time in its module.
    """
    cls = now.removesuffix(".now()")
    return Helper(
        "current_batch_time",
        f'''\
def current_batch_time(interval):
    """The time of the current batch, as in DStreams: a multiple of the interval in seconds."""
    now = {now}.timestamp()
    return {cls}.fromtimestamp(now - now % interval)''',
    )
