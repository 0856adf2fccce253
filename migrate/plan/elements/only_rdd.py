"""Maps whose lists only RDD code reads, which makes them itself."""

from __future__ import annotations

from collections.abc import Container

from migrate.columns import Element, Record, Scalar
from migrate.columns.shapes import List
from migrate.graph.program import Operation
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.step import Step
from migrate.plan.frames.frame import Frame

OF_LISTS = "only RDD code reads the lists that it makes"


def makes_lists(operation: Operation, element: Element) -> bool:
    """Whether an element, or the values of a key, are put into a list, as RDD code has them already."""
    last, makers = (
        (element.items[-1], ("groupByKey", "reduceByKey"))
        if isinstance(element, Record)
        else (element, ("map",))
    )
    is_list = isinstance(last, Scalar) and isinstance(last.shape, List)
    return is_list and operation.operator in makers


def only_reader(stream: Operation, live: Container[Operation]) -> Operation | None:
    """The operator that alone reads the elements of a stream, beside counts of them; None if several do."""
    readers = [one for one in stream.consumers if one in live and one.operator != "count"]
    return readers[0] if len(readers) == 1 else None


def check_lists(step: Step, frame: Frame) -> None:
    """Leave the map that makes lists to RDD code, for an output with RDD code that alone reads them.

    Raises:
        RatherError: there is a column of such.
    """
    for parent in step.operation.parents:
        alone = only_reader(parent, step.basis.live) is step.operation
        if alone and makes_lists(parent, frame.element):
            raise RatherError(Choices({parent.call: OF_LISTS}))
