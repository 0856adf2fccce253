"""A stream inside the batch function as an RDD."""

from __future__ import annotations

import ast

from migrate.columns import Element
from migrate.columns.shapes import Shape
from migrate.frozen import dataclass
from migrate.plan.frames.in_batch import InBatch
from migrate.plan.new_code.code import Call, Value, links
from migrate.syntax.copies import changed


@dataclass(frozen=True)
class Rdd(InBatch):
    """An RDD inside the batch function, with the elements of the DStream's RDD."""

    base: str
    calls: tuple[Call, ...]
    sure: bool | None
    value: Shape | None = None
    """The shape of the values of an RDD of pairs, if a reduction of them needs it."""
    element: Shape | None = None
    """The shape of its elements, if a reduction of them needs it."""
    rows: Element | None = None
    """The element that each row stands for, over its columns, if it holds rows in place of elements."""
    exact: bool = False
    """Whether its partitions and their order are DStream's too."""
    united_by: str = ""
    """Code of the SparkContext that unites several RDDs, if its base is that union."""
    shuffled: bool = False
    """Whether RDD code alone has shuffled what came from Kafka or a receiver, as DStream does."""
    origin: tuple[ast.Call, ...] = ()
    """The calls of the program since the last method call that stands for one."""
    only: Value | None = None
    """Its only element, where it is certain to have one: ``words.count()``."""
    context: str = ""
    """Code of the SparkContext that makes an RDD of that element."""
    is_made: bool = False
    """Whether its base is an expression that makes it anew, and no variable that holds it."""

    def call(
        self, *calls: Call, value: Shape | None = None, element: Shape | None = None, sure: bool | None = None
    ) -> Rdd:
        """The RDD after more method calls; the first one takes over the calls of the program in `origin`."""
        sure = self.sure if sure is None else sure
        made = (*self.calls, *links(calls, self.origin))
        new = changed(self, calls=made, sure=sure, value=value, element=element, rows=None, origin=())
        return changed(new, only=None, context="") if self.only else new

    def named(self, variable: str) -> Rdd:
        """The same RDD, held by a variable, as its only element is."""
        if self.only:
            base = of_one(self.context, variable)
            return changed(self, base=base, only=Value(variable, is_variable=True), origin=())
        return changed(self, base=variable, calls=(), origin=(), united_by="", is_made=False)


def of_one(context: str, element: str) -> str:
    """The code of an RDD of one element."""
    return f"{context}.parallelize([{element}], 1)"
