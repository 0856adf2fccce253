"""Several sources: one query reads them side by side, so that their batches are cut together as DStream's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from migrate.columns import leaves
from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.graph.program import Operation
from migrate.knowledge.streaming import QUEUE
from migrate.plan.draft.basis import Basis
from migrate.plan.draft.outputs import Input
from migrate.plan.new_code.code import Call, Chain, links
from migrate.plan.new_code.spark_types import type_name

NOTE = "one query reads all sources, as their batches are cut together; the column `source` tells them apart"
IN_ORDER = "the elements of several sources are in no order that DStream's have too"
OVER_TIME = "a query over several sources has no windows of its own"
NO_COLUMNS = "what it gives are no columns, which one query over several sources needs"
OTHER_TYPES = "a column of this source has another type in a source that is read beside it"
TOGETHER = "# one query for all, so that their batches are cut together"
_COLUMN = "source"


def are_several(sources: list[Operation]) -> bool:
    """Whether a query has more than one source; one of queues has none but its heartbeat."""
    return len(sources) > 1 and all(source.operator != QUEUE for source in sources)


def is_beside_queues(sources: list[Operation]) -> bool:
    """Whether a query reads a source in whose batches the batch function takes from queues, too."""
    return len({source.operator == QUEUE for source in sources}) > 1


def columns_beside(
    basis: Basis, source: Input, operation: Operation, others: Iterable[Mapping[str, str]]
) -> dict[str, str]:
    """The columns of a source with their types, which the query reads beside those of others.

    Raises:
        Blocked: it has no columns, its elements must stay in the order of arrival, or another source has a
            column of that name with another type.
    """
    if source.element is None:
        raise Blocked(NO_COLUMNS, operation.use)
    if source.places or basis.choices.in_order:
        raise Blocked(IN_ORDER, operation.use)
    found = leaves(source.element)
    columns = {str(leaf.name): type_name(leaf.shape) for leaf in found}
    if [leaf.column for leaf in found] != [*columns]:
        raise Blocked(NO_COLUMNS, operation.use)
    for other in others:
        if any(other.get(name, kind) != kind for name, kind in columns.items()):
            raise Blocked(OTHER_TYPES, operation.use)
    return columns


def part_of_batch(batch: str, number: int, columns: Iterable[str]) -> Chain:
    """The rows of a batch that come from one source."""
    names = ", ".join(f'"{name}"' for name in columns)
    own = Call("where", f'"{_COLUMN} = {number}"')
    return Chain(batch, links((own, Call("select", names)) if names else (own,)))


def side_by_side(name: str, inputs: Sequence[tuple[str, Mapping[str, str]]]) -> Chain:
    """The statement that makes one streaming DataFrame of all sources, by their variables and columns."""
    (first, columns), *others = inputs
    calls: list[Call] = [replace(_marked(0), comment=TOGETHER)]
    for number, (other, more) in enumerate(others, 1):
        same = "" if set(more) == set(columns) else ", allowMissingColumns=True"
        calls.append(Call("unionByName", f"{other}.{_marked(number).code}{same}"))
        columns = {**columns, **more}
    return Chain(first, links(calls), target=name)


def _marked(number: int) -> Call:
    return Call("withColumn", f'"{_COLUMN}", F.lit({number})')
