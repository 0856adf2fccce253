"""Which function builds which operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pyspark.streaming import DStream, StreamingContext

    from compat.graph import Node, Stream

    Builder = Callable[[Any, "Program"], "DStream[Any] | None"]

B = TypeVar("B", bound="Builder")

BUILDERS: dict[type[Node], Builder] = {}


class Program:
    """The DStreams of `pyspark.streaming` that were built so far, by the nodes of the graph."""

    def __init__(self, context: StreamingContext) -> None:
        self.context = context
        self._built: dict[Stream, DStream[Any]] = {}
        self.groups: dict[Any, list[Any]] = {}
        """Streams that share what they read: by consumer groups of Kafka, and applications of Kinesis."""

    def __getitem__(self, stream: Stream) -> DStream[Any]:
        return self._built[stream]

    def build(self, node: Node) -> None:
        """Make the call that `node` records, and keep the DStream that it returns."""
        built = BUILDERS[type(node)](node, self)
        if built is not None:
            self._built[node] = built  # type: ignore[index]


def builds(kind: type[Node]) -> Callable[[B], B]:
    """Register the function that builds `kind`: a DStream, or None for an output."""

    def register(builder: B) -> B:
        BUILDERS[kind] = builder
        return builder

    return register
