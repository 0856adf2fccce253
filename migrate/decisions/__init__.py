"""The decision on every graph: native, compat or manual, with the changes of its files."""

from migrate.decisions.decision import Decided, Decision
from migrate.decisions.every_graph import decide, leave

__all__ = ["Decided", "Decision", "decide", "leave"]
