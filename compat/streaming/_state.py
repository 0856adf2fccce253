"""State that lives from batch to batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from pyspark.rdd import RDD

from compat import graph
from compat.streaming._operators import Operators, T_co, V

if TYPE_CHECKING:
    from compat.streaming._operators import K
    from compat.streaming.dstream import DStream

S = TypeVar("S")


class State(Operators[T_co]):
    """`updateStateByKey`."""

    def updateStateByKey(
        self: State[tuple[K, V]],
        updateFunc: Callable[[Iterable[V], S | None], S],
        numPartitions: int | None = None,
        initialRDD: RDD[tuple[K, S]] | Iterable[tuple[K, S]] | None = None,
    ) -> DStream[tuple[K, S]]:
        """Keep a value for each key; the result is the whole state in every batch.

        `updateFunc` is called for *every* key of the state in every batch, with the list of its new values,
        empty where nothing came, and its last value, None where it had none. Where it returns None the key is
        dropped.
        Needs a checkpoint directory when the context starts.
        """
        initial: Any = initialRDD
        if initial and not isinstance(initial, RDD):
            initial = self._sc.parallelize(initial)
        partitions = self._partitions(numPartitions)
        return self._derive(graph.UpdateStateByKey(self._node, updateFunc, partitions, initial or None))
