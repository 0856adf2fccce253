"""State that lives from batch to batch."""

from __future__ import annotations

from pyspark.sql import DataFrame

from compat import graph
from compat._structured.batches.evaluate import Evaluation
from compat._structured.batches.frame import Frame, Hashed
from compat._structured.batches.registry import Reads, evaluates, parents_now
from compat._structured.batches.shuffles import merged


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
    before = run.versions.initial(node) if last is None else rows_of(node, run, time - node.slide_ms, last)
    new = frame.scattered(hashed, 1, "group", tasks=run.session.map_tasks) if frame.parts else None
    rows = [side for side in (before, new) if side is not None]
    return merged(run, rows, hashed, ("state", node.function))


def rows_of(node: graph.Stream, run: Evaluation, time: int, frame: Frame) -> DataFrame:
    """A batch that builds on itself as rows to merge: its version, or what is kept of it.

    Either way the plan begins anew with it, and does not grow from batch to batch.
    """
    version = run.versions.rows(node, time)
    return run.session.adopted(frame.parts[0].data) if version is None else version
