"""The classes of windows that new code has: they hold batches, and release those that are too old.

They count time in intervals, whole numbers since 1970: local times go back an hour once a year.
"""

from __future__ import annotations

from migrate.columns import Helper

_UNION = '''

    def union(self):
        """All batches of the window in one."""
        first, *others = (batch for _, batch in self.batches)
        for other in others:
            first = first.union(other)
        return first'''
_UNION_OF_LENGTH = '''

    def union(self, length):
        """The batches of the last `length` seconds in one."""
        after = self.batches[-1][0] - round(length / self.interval)
        first, *others = (batch for time, batch in self.batches if time > after)
        for other in others:
            first = first.union(other)
        return first'''
_RELEASED = '''

    def released_on_failure(self, process_batch):
        """The batch function; when a batch fails, which ends the query, all batches are released."""

        def process(batch, batch_id):
            try:
                process_batch(batch, batch_id)
            except Exception:
                batch.unpersist()
                while self.batches:
                    self.batches.popleft()[1].unpersist()
                raise

        return process'''
"""For a session that goes on after the query."""
_LAST_BATCHES = '''\
class LastBatches:
    """The batches of the last `length` seconds, a window that slides with each batch."""

    def __init__(self, length, interval):
        self.length, self.interval = round(length / interval), interval
        self.batches = deque()  # each with its time, in intervals

    def add(self, batch, batch_time):
        """Keep a batch, and release those that are too old."""
        now = round(batch_time.timestamp() / self.interval)
        self.batches.append((now, batch.persist()))
        while self.batches[0][0] <= now - self.length:
            self.batches.popleft()[1].unpersist()'''
"""For windows that slide by the batch interval, as they do unless the program says otherwise."""
_SLIDING_WINDOW = '''\
class SlidingWindow:
    """The batches of the last `length` seconds; every `slide` seconds their union is due."""

    def __init__(self, length, slide, interval):
        self.interval = interval
        self.length, self.slide = round(length / interval), round(slide / interval)
        self.batches = deque()  # each with its time, in intervals
        self.start = None
        self.slides = 0
        self.is_due = False

    def add(self, batch, batch_time):
        """Keep a batch, and release those that are too old."""
        now = round(batch_time.timestamp() / self.interval)
        if self.start is None:
            self.start = now - 1
        self.batches.append((now, batch.persist()))
        while self.batches[0][0] <= now - self.length:
            self.batches.popleft()[1].unpersist()
        before, self.slides = self.slides, (now - self.start) // self.slide
        self.is_due = self.slides > before'''


def helper(slide: str, *, of_lengths: bool, released: bool) -> Helper:
    """The class of windows.

    Args:
        slide: their slide, empty if it is the batch interval.
        of_lengths: whether several windows share the batches that one of them holds.
        released: whether a decorator of the batch function releases what they hold.
    """
    name, source = ("SlidingWindow", _SLIDING_WINDOW) if slide else ("LastBatches", _LAST_BATCHES)
    union = _UNION_OF_LENGTH if of_lengths else _UNION
    return Helper(name, source + union + (_RELEASED if released else ""))
