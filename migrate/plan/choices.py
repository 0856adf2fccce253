"""Choices between the native forms of a graph: the plan is made again until all that it needs are made."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import field

from migrate.frozen import dataclass


@dataclass(frozen=True)
class Choices:
    """Choices against the form that is best for an operator alone, because the whole graph needs it."""

    as_rdd: Mapping[ast.Call, str] = field(default_factory=dict)
    """Operators that become RDD code, with the reason.

    Without a reason they could only be typed Python functions; with one they have a Column form.
    """
    decides: Mapping[ast.Call, str] = field(default_factory=dict)
    """Operators without another form than RDD code, for which those above become it, with the reason."""
    as_python: frozenset[ast.Call] = frozenset()
    """Operators whose columns raise where Python does not, which a callback would catch: typed functions."""
    in_order: bool = False
    """Whether the source keeps its elements in the order of arrival, for functions that reduce them."""
    in_partitions: bool = False
    """Whether Kafka's partitions stay as they are, as some reduction shows them: then no source sorts."""
    same_shuffles: bool = False
    """Whether shuffles of RDDs deal out to as many partitions as DStream's, for what reduces in these."""
    keeps_states: bool = False
    """Whether running folds are kept by the batch function, though the query could have one."""
    every_interval: bool = False
    """Whether the query runs a batch in every interval, with input or without."""
    all_places: bool = False
    """Whether sources give all parts of their tuples, for functions that get them as Python's tuples."""
    strict: bool = False
    """Whether columns fail wherever Python does, since the program catches what fails."""
    pinned: frozenset[ast.Call] = frozenset()
    """Operators whose typed functions Spark must not move, so that a later condition sees no other rows."""
    sorts_state: bool = False
    """Whether what is printed of a running state is sorted, which computes all of it."""
    json_in_python: bool = False
    """Whether JSON objects are Python's, for code that has no form on columns of them."""
    named_in_python: bool = False
    """Whether Rows and namedtuples are made by the program's functions, for code that reads them as such."""
    of_rdds: frozenset[ast.FunctionDef] = frozenset()
    """Functions of streams that become functions of RDDs, as their calls give them different columns."""
    own_names: frozenset[str] = frozenset()
    """Variables that are bound again before a stream of theirs is read: each stream has one of its own."""
    takes_rdds: frozenset[ast.FunctionDef] = frozenset()
    """Functions that several outputs hand their RDDs to, and that not all of them give a DataFrame."""
    longest: Mapping[ast.Call, ast.expr] = field(default_factory=dict)
    """Windows that hold the batches of longer ones too, with the length of the longest of these."""
    static_rdds: bool = False
    """Whether the program's own RDDs stay RDDs, as more than joins of batches reads one of them."""
    queues_of_rdds: bool = False
    """Whether the RDDs of queues stay RDDs, as some code has no form on their DataFrames."""
    places: bool = False
    """Whether Kafka's source gives the place of each record, for errors on what leaves learnt types."""
    unplaced: bool = False
    """Whether it does not, after all, as something that names records in errors has not got the place."""
    in_batches: bool = False
    """Whether the query has a batch function, though its only output hands each element to a function."""
    counts_some: bool = False
    """Whether a count of 0 is left out by a condition, as other outputs run for batches without rows."""
    counts_ask: bool = False
    """Whether what puts out a count asks for rows itself, as other outputs run for batches without any."""
    as_frames: frozenset[ast.Call] = frozenset()
    """Windows that hold DataFrames, though the driver could hold a value for each batch."""
    slide: ast.expr | None = None
    """The slide of all windows, which triggers the query, as nothing else reads the batches."""
    counts_slides: bool = False
    """Whether it does not, after all, as something shows the batch interval: the batch function counts."""
    for_others: bool = False
    """Whether sources give all that other programs may need, with which this one shares their code."""
    bare_variants: bool = False
    """Whether JSON of which nothing was learnt is a column, and its uses say the types of its parts."""

    @property
    def of_sources(self) -> Choices:
        """Those of them that show in the code of sources, which several programs may share."""
        return Choices(
            in_order=self.in_order,
            in_partitions=self.in_partitions,
            every_interval=self.every_interval,
            all_places=self.all_places,
            places=self.places,
            unplaced=self.unplaced,
            for_others=self.for_others,
        )

    def __or__(self, more: Choices) -> Choices:
        in_partitions = self.in_partitions or more.in_partitions
        return Choices(
            {**self.as_rdd, **more.as_rdd},
            {**self.decides, **more.decides},
            self.as_python | more.as_python,
            (self.in_order or more.in_order) and not in_partitions,
            in_partitions,
            self.same_shuffles or more.same_shuffles,
            self.keeps_states or more.keeps_states,
            self.every_interval or more.every_interval,
            self.all_places or more.all_places,
            self.strict or more.strict,
            self.pinned | more.pinned,
            self.sorts_state or more.sorts_state,
            self.json_in_python or more.json_in_python,
            self.named_in_python or more.named_in_python,
            self.of_rdds | more.of_rdds,
            self.own_names | more.own_names,
            self.takes_rdds | more.takes_rdds,
            {**self.longest, **more.longest},
            self.static_rdds or more.static_rdds,
            self.queues_of_rdds or more.queues_of_rdds,
            # JSON that is Python's names no records in errors, which were most of what needed the places
            more.places or (self.places and not more.json_in_python),
            self.unplaced or more.unplaced,
            self.in_batches or more.in_batches,
            self.counts_some or more.counts_some,
            self.counts_ask or more.counts_ask,
            self.as_frames | more.as_frames,
            more.slide or self.slide,
            self.counts_slides or more.counts_slides,
            self.for_others or more.for_others,
            self.bare_variants or more.bare_variants,
        )


class RatherError(Exception):
    """The graph must be planned again, with more choices.

    Attributes:
        more: the choices to add.
    """

    def __init__(self, more: Choices) -> None:
        super().__init__()
        self.more = more
