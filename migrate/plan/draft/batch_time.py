"""The batch time in a query, which tells a batch function none.

DStreams and triggers count alike: a batch begins at a multiple of the interval since 1970, and its function
is called within the interval that then begins. So the last multiple is the time that a DStream would
have given.
"""

from __future__ import annotations

from migrate.frozen import dataclass

TIMES = (
    "the batch time is the last multiple of the interval when a batch begins, as on DStreams; one that "
    "begins late, or runs again after a restart, has a later time, and two late ones may have the same"
)
IN_SECONDS = (
    "the batch time, which is only printed, is the second in which a batch begins: the last multiple of the "
    "interval, as on DStreams, unless the batch begins late, or runs again after a restart"
)
APPROXIMATE = "the batch time is the time at which the batch function runs: {}"
FIRST = "at the start, before any batch is due"
STARTED = "# end of the interval"
TO_SECOND = "# when the batch begins"
IN_MILLISECONDS = "# end of the interval, in ms"
NUMBER = "# number of the interval"


@dataclass(frozen=True)
class Seconds:
    """The seconds of a batch interval, as code."""

    code: str
    whole: int | None = None
    """Their number, where it is written out as a whole one."""


ONE = Seconds("1", 1)


def batch_time(datetime: str, clock: str, interval: Seconds) -> str:
    """The expression for the batch time, at the beginning of a batch.

    Args:
        datetime: the expression for that class.
        clock: the expression for the current time in seconds since 1970.
        interval: the batch interval.
    """
    if interval.whole == 1:
        return f"{datetime}.now().replace(microsecond=0)"
    return f"{datetime}.fromtimestamp({clock} // {interval.code} * {interval.code})"
