"""What a program does with its batches."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from compat import graph
from compat.streaming._operators import Operators, T_co


class Outputs(Operators[T_co]):
    """Outputs; they run for every batch, also an empty one, in the order in which they were asked for."""

    def foreachRDD(self, func: Callable[..., Any]) -> None:
        """Call `func(rdd)`, or `func(time, rdd)` with the batch time as a naive local datetime.

        Engine ``rdd``: where `func` returns something true that is no RDD, the output counts as failed.

        Raises:
            AttributeError: `func` is no Python function (`functools.partial`, a builtin).
        """
        self._output(graph.ForeachRDD(self._node, func, with_time=func.__code__.co_argcount != 1))

    def pprint(self, num: int = 10) -> None:
        """Print the batch time and the first `num` elements, then ``...`` if there are more.

        Raises:
            TypeError: `num` is no int.
        """
        self._output(graph.PPrint(self._node, operator.index(num)))

    def saveAsTextFiles(self, prefix: str, suffix: str | None = None) -> None:
        """Write each batch to the directory ``prefix-<epoch milliseconds>[.suffix]``, an empty one too."""
        self._output(graph.SaveAsTextFiles(self._node, prefix, suffix))
