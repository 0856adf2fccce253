"""Callbacks from RDD to RDD, called on the driver for each batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pyspark.streaming.dstream import DStream as SparkDStream

from compat import graph
from compat.streaming._operators import Operators, T_co, node_of

if TYPE_CHECKING:
    from compat.streaming.dstream import DStream


class Transforms(Operators[T_co]):
    """`transform` and `transformWith`. What counts is the number of names in the function's definition."""

    def transform(self, func: Callable[..., Any]) -> DStream[Any]:  # type: ignore[override]
        """Make each batch's RDD into another one by `func(rdd)` or `func(time, rdd)`.

        Where it returns None there is no batch: outputs are not called, state is emitted as it was. (On
        pyspark.streaming all outputs of such a batch fail if an operator follows that is no output.)

        Engine ``rdd``: when batches are late, `func` is called for the next ones before the outputs of the
        first have run. On Structured Streaming it is called right before the outputs of its own batch.

        Raises:
            AssertionError: `func` has not one or two arguments.
            AttributeError: `func` is no Python function (`functools.partial`, a builtin).
        """
        arguments = func.__code__.co_argcount
        assert arguments in (1, 2), "func should take one or two arguments"
        return self._derive(graph.Transform((self._node,), func, with_time=arguments == 2))

    def transformWith(
        self, func: Callable[..., Any], other: SparkDStream[Any], keepSerializer: bool = False
    ) -> DStream[Any]:
        """Make the RDDs of both streams into one by `func(a, b)` or `func(time, a, b)`.

        The result slides with this stream; where one side has no batch its RDD is an empty one.
        `keepSerializer` says how PySpark stores the elements and changes no result.

        Raises:
            AssertionError: `func` has not two or three arguments.
            AttributeError: `func` is no Python function.
        """
        arguments = func.__code__.co_argcount
        assert arguments in (2, 3), "func should take two or three arguments"
        streams = (self._node, node_of(other, self._ssc))
        return self._derive(graph.Transform(streams, func, with_time=arguments == 3))
