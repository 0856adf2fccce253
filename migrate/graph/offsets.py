"""Kafka's offsets that a program stores by itself, to begin there at its next start."""

from __future__ import annotations

import ast

from migrate.frozen import dataclass
from migrate.graph.operations import Operation


@dataclass(frozen=True)
class KeptOffsets:
    """The parts of a program that only store offsets, or read where they are stored."""

    sources: frozenset[Operation] = frozenset()
    """Sources whose ``fromOffsets`` come from the store."""
    passing: frozenset[Operation] = frozenset()
    """Calls of ``transform`` whose functions look at the offsets and return their RDD."""
    storing: frozenset[Operation] = frozenset()
    """Outputs that only store offsets."""
    statements: tuple[ast.stmt, ...] = ()
    """Functions and variables that nothing else uses, and calls that only open what stores."""
    shared: frozenset[str] = frozenset()
    """The paths of other programs that use some of these functions and variables, too."""
    said: tuple[ast.Call, ...] = ()
    """Calls that print or log a text for each batch, beside storing."""

    @property
    def operations(self) -> frozenset[Operation]:
        """The calls that look at the offsets of a batch."""
        return self.passing | self.storing


NO_OFFSETS = KeptOffsets()
