"""Functions that do something outside for each element of which `pprint` takes the first ones only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.graph.program import Operation
from migrate.knowledge import streaming
from migrate.plan.draft.step import Step
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.callbacks.outside import acts_without_rows
from migrate.proofs.callbacks.roles import Callback

TAKEN = (
    "`{}` is done for the elements that `pprint` takes, and it takes one less than DStream's, of fewer "
    "partitions: an output that takes all, as `foreachRDD` with `foreach`, does it for each"
)


def told_of_taken(output: Operation, step: Step) -> Iterator[str]:
    """The notes on what is done outside for the first elements only, behind the last shuffle."""
    stream = output.parents[0]
    while stream.operator in streaming.ROWWISE | streaming.ITSELF:
        for given in stream.call.args[:1]:
            called = called_function(given, step.facts)
            node = called.node if called is not None else given
            if isinstance(node, ast.Lambda | ast.FunctionDef):
                acts = acts_without_rows(Callback(node, "", None), step.facts)
                yield from (TAKEN.format(act) for act in acts)
        stream = stream.parents[0]
