"""Which expressions are contexts and DStreams, and where the program uses them: read on `ast`, never run."""

from migrate.trace.graphs import Graph, Trace, trace
from migrate.trace.uses import CONSTRUCTOR, Escape, Use, canonical
from migrate.trace.values import Context, Stream

__all__ = ["CONSTRUCTOR", "Context", "Escape", "Graph", "Stream", "Trace", "Use", "canonical", "trace"]
