"""State that lives from batch to batch."""

from __future__ import annotations

from compat import graph
from compat._structured.batches.evaluate import Evaluation
from compat._structured.batches.frame import Frame, Hashed, Scattered
from compat._structured.batches.registry import Reads, evaluates, parents_now
from compat._structured.batches.shuffles import merged

SHUFFLED_EVERY = 10
"""After so many batches what a stream builds on is shuffled: how it came to be is part of every task.

As seldom as pyspark.streaming writes a state, with a batch interval of a second."""


def _reads(node: graph.UpdateStateByKey, run: Evaluation, time: int) -> Reads:
    if run.versions.has(node, time) or run.versions.empty(node, time):
        return ()
    return [(node, time - node.slide_ms), *parents_now(node, run, time)]


@evaluates(graph.UpdateStateByKey, _reads)
def update_state_by_key(node: graph.UpdateStateByKey, run: Evaluation, time: int) -> Frame | None:
    hashed = Hashed(run.partitions(node.num_partitions))
    if run.versions.has(node, time):
        return run.versions.frame(node, time, hashed)
    last = run.last(node, time)
    frame = run.frame(node.parent, time)
    if frame is None:
        return last
    before = _initial(node, run) if last is None else rows_of(node, run, time - node.slide_ms, last)
    new = frame.scattered(hashed, 1, "group", tasks=run.session.map_tasks) if frame.parts else None
    rows = [side for side in (new, before) if side is not None]
    if new is None and before is not None:  # no union begins the plan anew
        rows = [before._replace(data=run.session.adopted(before.data))]
    once = last is not None or before is None  # what the program began with may have a key twice
    into = (node.function, once, run.session.worker_memory_mb)
    return merged(run, rows, hashed, ("state", into))


def rows_of(node: graph.Stream, run: Evaluation, time: int, frame: Frame) -> Scattered:
    """A batch that builds on itself as rows to merge: they are in place.

    Now and then they are shuffled, from its version if one was written: the plan begins anew with that, and
    does not grow from batch to batch.
    """
    data = frame.parts[0].data
    if (time - run.zero_ms) // node.slide_ms % SHUFFLED_EVERY:
        return Scattered(data, in_place=True, kept=True)
    version = run.versions.rows(node, time)
    return Scattered(run.session.adopted(data) if version is None else version, in_place=False, kept=True)


def _initial(node: graph.UpdateStateByKey, run: Evaluation) -> Scattered | None:
    rows = run.versions.initial(node)
    return None if rows is None else Scattered(rows, in_place=False, kept=True)
