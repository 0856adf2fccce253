"""Operators over the last batches of a stream."""

from __future__ import annotations

from compat import graph
from compat._structured.batches.blocks import in_blocks
from compat._structured.batches.evaluate import Evaluation
from compat._structured.batches.frame import Frame, Hashed, Scattered, united
from compat._structured.batches.registry import Reads, evaluates
from compat._structured.batches.shuffles import merged, shuffled
from compat._structured.batches.state import rows_of
from compat._structured.durable.needed import Span
from compat._structured.durable.versions import builds_on_itself


def _reads_window(node: graph.Window, run: Evaluation, time: int) -> Reads:
    return [(node.parent, when) for when in run.times(node.parent, time - node.window_ms, time)]


@evaluates(graph.Window, _reads_window)
def window(node: graph.Window, run: Evaluation, time: int) -> Frame | None:
    return united(run.frames(node.parent, time - node.window_ms, time))


def _reads_reduced(node: graph.ReduceByKeyAndWindow, run: Evaluation, time: int) -> Reads:
    reduced = _reduced(node, run)
    before = time - node.every_ms
    if not builds_on_itself(node):
        again = [(node, before)] if _asks_again(node, run, before) else []
        return [*again, *((reduced, when) for when in run.times(reduced, time - node.window_ms, time))]
    if run.versions.has(node, time) or run.versions.empty(node, time):
        return ()
    return [(node, before), *((reduced, when) for when in run.times(reduced, before - node.window_ms, time))]


@evaluates(graph.ReduceByKeyAndWindow, _reads_reduced)
def reduce_by_key_and_window(node: graph.ReduceByKeyAndWindow, run: Evaluation, time: int) -> Frame | None:
    hashed = Hashed(run.partitions(node.num_partitions))
    if builds_on_itself(node):
        if run.versions.has(node, time):
            return run.versions.frame(node, time, hashed)
        last = run.last(node, time)
        if last is not None:
            return _carried_on(node, run, time, last, hashed)
    elif _asks_again(node, run, time - node.every_ms):
        run.frame(node, time - node.every_ms)
    window = Span(time - node.window_ms, time)
    frames = in_blocks(_reduced(node, run), run, window, node.every_ms)
    if node.inverse is None:
        return _whole(node, run, frames, hashed)
    if not frames:
        return None
    frame = _whole(node, run, frames, hashed)
    return (
        frame if node.filter_function is None else frame.then("filter", node.filter_function, keys_stay=True)
    )


def _asks_again(node: graph.ReduceByKeyAndWindow, run: Evaluation, before: int) -> bool:
    """Whether the window at `before` is made late. With an inverse, DStreams ask for the last window also
    where they do not build on it, and a queue moves on by that."""
    return node.inverse is not None and run.failed(before) and not run.made(node, before)


def _whole(node: graph.ReduceByKeyAndWindow, run: Evaluation, frames: list[Frame], hashed: Hashed) -> Frame:
    into = ("combine", (node.function, run.session.worker_memory_mb))
    return shuffled(run, frames, hashed, ("reduce", node.function), into)


def _carried_on(
    node: graph.ReduceByKeyAndWindow, run: Evaluation, time: int, last: Frame, hashed: Hashed
) -> Frame:
    """The last window, with what left it taken out and what came in reduced into it."""
    reduced = _reduced(node, run)
    before = time - node.every_ms
    rows: list[Scattered] = []
    for tag, frames in (
        (1, run.frames(reduced, before, time)),
        (2, run.frames(reduced, before - node.window_ms, time - node.window_ms)),
    ):
        rows.extend(
            frame.scattered(hashed, tag, "reduce", node.function, tasks=run.session.map_tasks)
            for frame in frames
            if frame.parts
        )
    rows.append(rows_of(node, run, before, last))
    into = (node.function, node.inverse, node.filter_function, run.session.worker_memory_mb)
    return merged(run, rows, hashed, ("window", into))


def _reduced(node: graph.ReduceByKeyAndWindow, run: Evaluation) -> graph.ReduceByKey:
    """The parent's batches, each reduced by key: once, for all windows that it is in."""
    return run.inner(node, graph.ReduceByKey(node.parent, node.function, run.partitions(node.num_partitions)))
