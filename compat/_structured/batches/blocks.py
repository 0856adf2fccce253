"""Long windows read their batches in blocks, of which a task has fewer to know."""

from __future__ import annotations

from dataclasses import dataclass

from compat import graph
from compat._structured.batches.evaluate import Evaluation
from compat._structured.batches.frame import PAIRS, Frame, Hashed, Part
from compat._structured.batches.registry import evaluates
from compat._structured.batches.unions import aligned
from compat._structured.durable.needed import Span

BATCHES = 10
"""In a block. So a window of 100 has 18 or 19 frames instead of 100."""
_WINDOWS = 3
"""A window must have more slides than so many blocks have batches: else they cost more than they save."""


@dataclass(frozen=True, eq=False)
class Block(graph.Window):
    """Several batches of a stream that is reduced by key, one after the other, as one."""

    parent: graph.ReduceByKey


def in_blocks(reduced: graph.ReduceByKey, run: Evaluation, window: Span, every_ms: int) -> list[Frame]:
    """The batches of `reduced` in a window, in order; a block replaces the batches that it consists of.

    Args:
        reduced: the stream.
        run: makes its batches.
        window: the batch times.
        every_ms: from one window to the next.
    """
    length = BATCHES * reduced.slide_ms
    blocks = run.inner(reduced, Block(reduced, length, length))
    ends = [time for time in run.times(blocks, *window) if time - length >= window.after]
    if not ends or window.until - window.after <= _WINDOWS * BATCHES * every_ms:
        return run.frames(reduced, *window)
    first, last = ends[0] - length, ends[-1]
    return [
        *run.frames(reduced, window.after, first),
        *run.frames(blocks, first, last),
        *run.frames(reduced, last, window.until),
    ]


@evaluates(Block)
def block(node: Block, run: Evaluation, time: int) -> Frame | None:
    """One batch after the other within each partition, as they stand in a window.

    They are shuffled, in place: a task serializes what its rows were made of back to the last shuffle.
    """
    frames = run.frames(node.parent, time - node.window_ms, time)
    if not frames:
        return None
    hashed = Hashed(run.partitions(node.parent.num_partitions))
    rows = [frame.scattered(hashed, 0, "reduce", node.parent.function).data for frame in frames]
    together = aligned(rows, hashed.partitions).repartition(hashed.partitions, run.session.salt)
    return Frame((Part(together, PAIRS),), hashed)
