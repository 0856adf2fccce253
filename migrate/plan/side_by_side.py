"""Several sources: one query reads them side by side, so that their batches are cut together as DStream's."""

from __future__ import annotations

from migrate.columns import leaves
from migrate.graph.blocked import Blocked
from migrate.graph.program import Operation
from migrate.plan.code import Chain, links
from migrate.plan.outputs import Source
from migrate.plan.plan import Plan
from migrate.plan.python_rows import type_name

NOTE = "one query reads all sources, as their batches are cut together; the column `source` tells them apart"
IN_ORDER = "the elements of several sources are in no order that DStream's have too"
OVER_TIME = "a query over several sources has no windows of its own"
NO_COLUMNS = "what it gives are no columns, which one query over several sources needs"
OTHER_TYPES = "a column of this source has another type in a source that is read beside it"
_COLUMN = "source"


def are_several(sources: list[Operation]) -> bool:
    """Whether a query has more than one source; one of queues has none but its heartbeat."""
    return len(sources) > 1 and all(source.operator != "queueStream" for source in sources)


def part_of_batch(plan: Plan, source: Source, operation: Operation) -> str:
    """The rows of the batch that are of a source, whose streaming DataFrame is the plan's at the moment.

    Raises:
        Blocked: they have no columns, or must come in the order of their arrival.
    """
    if source.element is None:
        raise Blocked(NO_COLUMNS, operation.use)
    if source.places or plan.choices.in_order:
        raise Blocked(IN_ORDER, operation.use)
    found = leaves(source.element)
    names = {str(leaf.name): type_name(leaf.shape) for leaf in found}
    if [leaf.code for leaf in found] != [f'F.col("{name}")' for name in names]:
        raise Blocked(NO_COLUMNS, operation.use)
    for _, others in plan.inputs:
        if any(others.get(name, kind) != kind for name, kind in names.items()):
            raise Blocked(OTHER_TYPES, operation.use)
    plan.notes[NOTE] = None
    plan.imports.add("F")
    plan.inputs.append((plan.streaming, names))
    columns = ", ".join(f'"{name}"' for name in names)
    return f'{plan.batch}.where("{_COLUMN} = {len(plan.inputs) - 1}").select({columns})'


def side_by_side(plan: Plan) -> Chain:
    """The statement that makes one streaming DataFrame of all sources."""
    (first, columns), *others = plan.inputs
    calls = [_marked(0)]
    for number, (name, more) in enumerate(others, 1):
        same = "" if set(more) == set(columns) else ", allowMissingColumns=True"
        calls.append(f"unionByName({name}.{_marked(number)}{same})")
        columns = {**columns, **more}
    return Chain(first, links(calls), plan.streaming)


def _marked(number: int) -> str:
    return f'withColumn("{_COLUMN}", F.lit({number}))'
