"""Columns that the tables of RDDs, DStreams and sessions share: the effect of a call on elements."""

from __future__ import annotations

import enum


class Layout(enum.Enum):
    """The partitions and order of the elements in the RDD or DStream that is returned."""

    KEPT = "kept"
    """As before: the results stay in the partitions and in the order of their elements."""
    JOINED = "joined"
    """In other partitions than before, without a shuffle: whole partitions are put together."""
    SHUFFLED = "shuffled"
    ABSENT = "-"
    """None is returned, or nothing is known of it."""


class Empty(enum.Enum):
    """The result for an RDD, or a batch of a DStream, without elements."""

    NONE = "none"
    """An RDD without elements, an empty collection, or no call of the function."""
    SOME = "some"
    """A result nevertheless: a number, the elements of another RDD, one element for each partition."""
    FAILS = "fails"
    """An error."""
    UNPARTITIONED = "unpartitioned"
    """An error if the RDD has no partitions either, else as ``none`` or ``some``."""


class Calls(enum.Enum):
    """The argument that the function of a method is called with."""

    ELEMENT = "element"
    """One element, or its value or key."""
    PARTITION = "partition"
    """An iterator of the elements of one partition."""
    VALUES = "values"
    """Two values, to make one of them."""
    STATE = "state"
    """The new values of a key and its last state."""
    RDD = "rdd"
    """The RDD of a batch, on the driver."""
    ABSENT = "-"
    """It takes no function."""
