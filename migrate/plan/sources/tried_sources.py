"""Sources that are made in a ``try``, whose failure it takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.program import Program
from migrate.syntax.nodes import walk

TRIED = (
    "`createDirectStream` asked Kafka's brokers, and the `try` around it took its failure; `readStream` asks "
    "nobody: where no broker answers, the query fails"
)
AGAIN = ", and the loop does not wait for one"


def tried_sources(program: Program) -> Iterator[str]:
    """The notes on handlers that the failure of a direct stream reached, and that of the query does not."""
    start = program.start.node if program.start is not None else None
    around = [
        part
        for source in program.sources
        if source.operator == "createDirectStream"
        for part in program.tree.path(program.tree.statement_of(source.use.node))
        if isinstance(part, ast.Try | ast.While) and start not in walk(part)
    ]
    if any(isinstance(part, ast.Try) for part in around):
        yield TRIED + (AGAIN if any(isinstance(part, ast.While) for part in around) else "")
