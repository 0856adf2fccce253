"""Pull-based evaluation of the graph, as ``DStream.getOrCompute`` does it.

A batch of a stream is made when it is first asked for, from batches of its parents, and kept for as long as
somebody may ask again. What failed to be made is not kept: the next to ask tries once more. So a window, or a
state, gets the input of a failed batch in the batch after it, and a recovered run makes again what it lacks.

Making a batch runs no job. It stacks lazy DataFrames, pickles the user's functions and calls the callbacks of
`transform`."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar, cast

from pyspark.storagelevel import StorageLevel

from compat import graph
from compat._structured.batches.registry import OPERATORS, OUTPUTS, Action
from compat._structured.durable.needed import Needed, Span
from compat._structured.durable.versions import builds_on_itself

if TYPE_CHECKING:
    from compat._structured.batches.frame import Frame
    from compat._structured.durable.versions import Versions
    from compat._structured.inputs.sources import Feed, Given, Slices
    from compat._structured.life.session import Session
    from compat.graph import Output, Source, Stream

SHARED = StorageLevel.MEMORY_AND_DISK

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S", bound=graph.Stream)


def _alone(
    method: Callable[Concatenate[Evaluation, P], R],
) -> Callable[Concatenate[Evaluation, P], R]:
    """Let one thread at a time in: batches are made on one, and `slice` may be called on any."""

    @functools.wraps(method)
    def locked(self: Evaluation, *args: P.args, **kwargs: P.kwargs) -> R:
        with self._lock:
            return method(self, *args, **kwargs)

    return cast("Callable[Concatenate[Evaluation, P], R]", locked)


class Evaluation:
    """The batches of a running graph.

    Args:
        program: the graph; nothing is added to it any more.
        session: makes DataFrames.
        zero_ms: the time before the first batch time, from which slides are counted.
        feeds: where the sources get their data from.
        versions: where streams that build on their own last batch keep it.
    """

    def __init__(
        self,
        program: graph.Graph,
        session: Session,
        zero_ms: int,
        feeds: dict[Source, Feed],
        versions: Versions,
    ) -> None:
        self.graph = program
        self.session = session
        self.zero_ms = zero_ms
        self.feeds = feeds
        self.versions = versions
        self._lock = threading.RLock()
        self._frames: dict[Stream, dict[int, Frame]] = {}
        self._last: dict[Stream, tuple[int, Frame]] = {}
        """The last batch of each stream that no batch to come asks for, and its time; for `slice`."""
        self._now = self._forgotten = zero_ms
        self._decided: Slices = {}
        self._failed: set[int] = set()
        self._held: dict[int, dict[Stream, int]] = {}
        """Batches that the next run makes again; for each, by stream, the last time that is not asked for."""
        self._inner: dict[graph.Node, Stream] = {}
        self._levels = _storage_levels(program)
        self._reach = _reaches(program)
        self._behind = _behind(program)

    # --- asked by operators --------------------------------------------------------------------------------

    def frame(self, stream: Stream, time: int) -> Frame | None:
        """The batch of `stream` at `time`; None where it has none then."""
        frames = self._frames.setdefault(stream, {})
        if time in frames:
            return frames[time]
        if not self.has_batch(stream, time):
            return None
        made = OPERATORS[type(stream)].evaluate(stream, self, time)
        again = any(made is frame for frame in frames.values())
        if made is not None and stream in self._levels and not again:
            made = made.persisted(self._levels[stream])
        self.versions.made(stream, time, made)
        if made is not None:
            frames[time] = made
        return made

    def frames(self, stream: Stream, after: int, until: int) -> list[Frame]:
        """The batches of `stream` at its times in (after, until], in order."""
        made = (self.frame(stream, time) for time in self.times(stream, after, until))
        return [frame for frame in made if frame is not None]

    def times(self, stream: Stream, after: int, until: int) -> range:
        """The times in (after, until] at which `stream` has batches."""
        slide = stream.slide_ms
        first = max(after, self.zero_ms)
        first += slide - (first - self.zero_ms) % slide
        return range(first, until + 1, slide)

    def has_batch(self, stream: Stream, time: int) -> bool:
        """Whether `time` is after the start and a multiple of the slide from there."""
        return time > self.zero_ms and (time - self.zero_ms) % stream.slide_ms == 0

    def made(self, stream: Stream, time: int) -> bool:
        """Whether the batch was made and is still kept."""
        return time in self._frames.get(stream, ())

    def failed(self, time: int) -> bool:
        """Whether no output had a batch at `time`, because a callback of `transform` raised."""
        return time in self._failed

    def inner(self, node: graph.Node, stream: S) -> S:
        """A stream that the operator `node` needs besides those of the program; always the first one given.

        Its batches are kept as long as those that `node` reads.
        """
        if node not in self._inner:
            self._inner[node] = stream
            self._levels[stream] = SHARED
            self._reach[stream] = self._reach[node.parents[0]]
        return cast("S", self._inner[node])

    def last(self, stream: Stream, time: int) -> Frame | None:
        """The batch before that at `time`, of a stream that builds on itself."""
        before = time - stream.slide_ms
        if self.versions.empty(stream, before):
            return None
        at_hand = [when for when in self._frames.get(stream, ()) if when <= before]
        for missing in self.times(stream, max([self.versions.last(stream, before), *at_hand]), before):
            # Oldest first: each finds the one before made, however many there are.
            self.frame(stream, missing)
        return self.frame(stream, before)

    def partitions(self, asked: int | None) -> int:
        """How many partitions a shuffle has."""
        return self.session.spark_context.defaultParallelism if asked is None else asked

    # --- asked by the engine -------------------------------------------------------------------------------

    @_alone
    def plan(self, time: int) -> Slices:
        """Decide what each source gives to the batch at `time`; returns the new slices, to be logged."""
        self._now = time
        received = {source: feed.allot(time) for source, feed in self.feeds.items()}
        self._decided = self._planned((output.parent, time) for output in self.graph.outputs)
        for source, given in received.items():
            if given is not None:
                self._decided.setdefault(self.graph.nodes.index(source), {})[time] = given
        return self._decided

    def _planned(self, batches: Iterable[tuple[Stream, int]]) -> Slices:
        planned: Slices = {}
        seen: set[tuple[Stream, int]] = set()
        waiting = list(batches)[::-1]
        while waiting:
            stream, when = waiting.pop()
            if (stream, when) in seen or self.made(stream, when) or not self.has_batch(stream, when):
                continue
            seen.add((stream, when))
            if isinstance(stream, graph.Source):
                decided = self.feeds[stream].plan(when)
                if decided is not None:
                    planned.setdefault(self.graph.nodes.index(stream), {})[when] = decided
            waiting.extend(reversed(list(OPERATORS[type(stream)].reads(stream, self, when))))
        return planned

    @_alone
    def generate(self, time: int) -> list[Action]:
        """Make the batch of every output; returns the work that is left, in the program's order.

        Raises what a callback of `transform` raises: then no output has a batch.
        """
        actions = []
        for output in self.graph.outputs:
            frame = self.frame(output.parent, time)
            if frame is not None:
                actions.append(self._action(output, time, frame))
        return actions

    def inputs(self, time: int) -> dict[int, Given]:
        """What listeners are told of the sources that the batch at `time` reads, by the sources' ids."""
        given = {
            number: self.feeds[source].given(time)
            for number, source in enumerate(self.graph.sources)
            if self.made(source, time)
        }
        return {number: told for number, told in given.items() if told is not None}

    @_alone
    def slice(self, stream: Stream, begin: int, end: int) -> list[Frame]:
        """The batches of `stream` from `begin` to `end`, both moved back to one of its times.

        Batches that have not come yet are not among them. Raises ValueError for one that is too old.
        """
        begin -= (begin - self.zero_ms) % stream.slide_ms
        times = self.times(stream, begin - 1, min(end, self._now))
        frames = [self._remembered(stream, time) for time in times]
        return [frame for frame in frames if frame is not None]

    def _remembered(self, stream: Stream, time: int) -> Frame | None:
        last, frame = self._last.get(stream, (None, None))
        if time == last:
            return frame
        if time <= self._forgotten - self._reach.get(stream, 0):
            raise ValueError(
                f"the batch at {time} ms is not remembered any more; ssc.remember(seconds) keeps it longer"
            )
        self._planned([(stream, time)])
        return self.frame(stream, time)

    @_alone
    def release(self, time: int) -> list[tuple[int, int]]:
        """After a batch that could not be made: give back to the sources what nobody has read.

        Returns the numbers of these sources, each with the time that the slice was for.
        """
        self._failed.add(time)
        released: list[tuple[int, int]] = []
        for source, feed in self.feeds.items():
            number = self.graph.nodes.index(source)
            # The last first: a queue then has them in their order again.
            decided = sorted({time, *self._decided.get(number, ())}, reverse=True)
            unread = (when for when in decided if not self.made(source, when))
            released.extend((number, when) for when in unread if feed.release(when))
        return released

    @_alone
    def hold(self, time: int) -> None:
        """Keep what the batch at `time` was made from: it failed, and the next run makes it again."""
        self._held[time] = self._horizons(time - self.graph.interval_ms)

    @_alone
    def let_go(self, time: int) -> None:
        """The batch at `time` went well at last."""
        del self._held[time]

    @_alone
    def forget(self, time: int) -> Needed:
        """Drop what no batch after `time` can ask for.

        Returns the batch times whose slices are still needed, by this run or a recovered one.
        """
        for stream, frames in self._frames.items():
            last = time - self._reach.get(stream, 0)
            if builds_on_itself(stream):
                last = min(last, max(frames, default=0) - 1)  # the next is made from this one
            for old in [when for when in frames if when <= last]:
                frame = frames.pop(old)
                self._last[stream] = (old, frame)
                if stream in self._levels and not any(frame is kept for kept in frames.values()):
                    frame.unpersist()
        self._forgotten = time
        self._failed -= {old for old in self._failed if old <= time - max(self._reach.values(), default=0)}
        return self._forget_inputs(time)

    def _forget_inputs(self, time: int) -> Needed:
        horizons = self._horizons(time)
        for stream in self._behind:
            self.versions.remove(stream, self._needed(stream, horizons[stream]))
        logged = time
        for source, feed in self.feeds.items():
            unread = horizons.get(source, time)
            feed.forget(self._needed(source, unread))
            logged = min(logged, unread, feed.expendable(time))
        held = (Span(self._oldest_input(low, until), until) for until, low in self._held.items())
        return Needed(logged, held)

    def _horizons(self, time: int) -> dict[Stream, int]:
        """For each stream the last of its batch times that no batch after `time` needs."""
        horizons = {stream: time - reach for stream, reach in self._reach.items()}
        for stream, behind in self._behind.items():
            anchor = self.versions.anchor(stream, horizons[stream], time)
            horizons[stream] = min(horizons[stream], anchor)
            for parent, reach in behind.items():
                horizons[parent] = min(horizons[parent], anchor - reach)
        return horizons

    def _needed(self, stream: Stream, horizon: int) -> Needed:
        held = (Span(low[stream], until) for until, low in self._held.items() if stream in low)
        return Needed(horizon, held)

    def _oldest_input(self, horizons: dict[Stream, int], time: int) -> int:
        return min((horizons.get(source, time) for source in self.feeds), default=time)

    def _action(self, output: Output, time: int, frame: Frame) -> Action:
        act = OUTPUTS[type(output)](output, self, time, frame)
        builds_on = graph.ancestors(output)

        def run() -> None:
            self.versions.settle(builds_on)
            act()

        return Action(output, run)


def _storage_levels(program: graph.Graph) -> dict[Stream, StorageLevel]:
    """The storage level of each stream whose batches have several readers: outputs, or later windows."""
    levels: dict[Stream, StorageLevel] = {}
    for node in program.nodes:
        if isinstance(node, graph.Stream) and (builds_on_itself(node) or _shared(program, node)):
            levels[node] = SHARED
        if isinstance(node, graph.Window):
            levels[node.parent] = SHARED
    return levels | program.persisted


def _shared(program: graph.Graph, stream: Stream) -> bool:
    # What a source reads is near at hand, and may be read twice.
    return program.consumers(stream) > 1 and not isinstance(stream, graph.Source)


def _reaches(program: graph.Graph) -> dict[Stream, int]:
    """How many milliseconds before the present batch the oldest one of each stream may be asked for."""
    asked: dict[Stream, int] = {}
    for node in program.nodes:
        if isinstance(node, graph.Stream):
            asked[node] = max(program.remembered_ms, node.slide_ms if builds_on_itself(node) else 0)
    return _deepened(program, asked)


def _behind(program: graph.Graph) -> dict[Stream, dict[Stream, int]]:
    """Streams that build on themselves, the last ones first, and for each the streams that it is made from.

    For these, how many milliseconds before a batch of it the oldest one may be asked for.
    """
    found: dict[Stream, dict[Stream, int]] = {}
    for node in reversed(program.nodes):
        if isinstance(node, graph.Stream) and node in program.read and builds_on_itself(node):
            found[node] = _deepened(program, {node: 0})
            del found[node][node]
    return found


def _deepened(program: graph.Graph, asked: dict[Stream, int]) -> dict[Stream, int]:
    """Streams whose batches are asked for, so many milliseconds back, and all that they are made from."""
    reaches = dict(asked)
    for node in reversed(program.nodes):
        if not isinstance(node, graph.Stream) or node not in reaches:
            continue
        own = reaches[node]
        if isinstance(node, graph.Sliding):
            own += node.window_ms + node.every_ms
        for parent in node.parents:
            reaches[parent] = max(reaches.get(parent, 0), own)
    return reaches
