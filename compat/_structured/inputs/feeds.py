"""The feeds of a program: one for each of its sources, of the kind that the source needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from compat import graph
from compat._structured.inputs.files import Files
from compat._structured.inputs.intake import Intake, StaticRows
from compat._structured.inputs.kafka import Messages
from compat._structured.inputs.kinesis import Records
from compat._structured.inputs.receivers import Received
from compat._structured.inputs.sources import Feed, QueueFeed
from compat.kinesis import reading

if TYPE_CHECKING:
    from compat._structured.inputs.sources import Slices
    from compat._structured.life.clock import Clock
    from compat._structured.life.listeners import Listeners
    from compat._structured.life.session import Session
    from compat.graph import Graph, Source, Stream
    from compat.kinesis.application import Application
    from compat.kinesis.planning import Planner
    from compat.receivers.journal import Journal


class Feeds:
    """The feeds of a running program.

    Args:
        program: the graph.
        session: makes DataFrames.
        created_ms: when the file streams were created.
        intake: takes the rows of the program's streaming DataFrames.
        clock: stamps what is received.
        listeners: are told of receivers.
        received: makes the journal of the receiver with this number; None: nothing is written down.
    """

    def __init__(
        self,
        program: Graph,
        session: Session,
        created_ms: Mapping[Stream, int],
        intake: Intake,
        clock: Clock,
        listeners: Listeners,
        received: Callable[[int], Journal] | None,
    ) -> None:
        self._graph = program
        self._session = session
        self._created_ms = created_ms
        self._intake = intake
        self._clock = clock
        self._listeners = listeners
        self._received = received
        self._planners: dict[Application, Planner] = {}
        self.by_source: dict[Source, Feed] = {source: self._feed(source) for source in program.sources}

    def _feed(self, source: Source) -> Feed:
        if isinstance(source, graph.FileStream):
            return Files(source, self._session, self._created_ms[source])
        if isinstance(source, graph.Received):
            number = self._graph.sources.index(source)
            journal = None if self._received is None else self._received(self._graph.nodes.index(source))
            return Received(number, source, self._session, self._clock, self._listeners, journal)
        if isinstance(source, graph.KafkaStream):
            return Messages(source, self._session, self._graph.nodes)
        if isinstance(source, graph.KinesisStream):
            siblings = reading.sharing(source, self._graph.nodes)
            planner = reading.planner(siblings, self._session.spark_context)
            planner = self._planners.setdefault(source.application, planner)
            return Records(source, reading.number(source, siblings), self._session, planner)
        if isinstance(source, graph.FromDF):
            return self._intake.feeds[source] if source.streaming else StaticRows(source, self._session)
        assert isinstance(source, graph.QueueStream)
        return QueueFeed(source, self._session)

    def restore(self, slices: Slices) -> None:
        """Take back the slices that an earlier run decided, by the nodes' numbers in the graph."""
        for number, given in slices.items():
            for time, value in given.items():
                self.by_source[self._graph.nodes[number]].restore(time, value)  # type: ignore[index]

    def start(self) -> None:
        """Begin to receive."""
        for feed in self.by_source.values():
            feed.start()

    def stop(self) -> bool:
        """Receive no more; returns whether something is left that no batch has got."""
        for feed in self.by_source.values():
            feed.stop()
        return any(feed.pending() for feed in self.by_source.values())

    def close(self) -> None:
        """Release what the feeds hold: no batch will be planned."""
        for feed in self.by_source.values():
            feed.close()
