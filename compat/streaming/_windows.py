"""Operators over the last batches of a stream.

Window and slide are seconds. Windows are aligned to the start of the context, not to the epoch; the first
ones are short, and they drain: without input they become empty.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from pyspark.resultiterable import ResultIterable

from compat import graph
from compat.streaming._operators import Operators, T, T_co, V, milliseconds

if TYPE_CHECKING:
    from compat.streaming._operators import K
    from compat.streaming.dstream import DStream


class Windows(Operators[T_co]):
    """Windows; each raises ValueError if window or slide is no positive multiple of this stream's slide."""

    def window(  # type: ignore[override]  # its type variable is bound in PySpark's annotation only by the caller
        self: Windows[T], windowDuration: float, slideDuration: float | None = None
    ) -> DStream[T]:
        """All elements of the last `windowDuration`, every `slideDuration` (by default this stream's)."""
        window, slide = self._durations(windowDuration, slideDuration)
        return self._derive(graph.Window(self._node, window, slide))

    def reduceByKeyAndWindow(
        self: Windows[tuple[K, V]],
        func: Callable[[V, V], V],
        invFunc: Callable[[V, V], V] | None,
        windowDuration: float,
        slideDuration: float | None = None,
        numPartitions: int | None = None,
        filterFunc: Callable[[tuple[K, V]], bool] | None = None,
    ) -> DStream[tuple[K, V]]:
        """Reduce the values of each key in the window.

        With an inverse, and a window of at least five slides, the last window's result is carried on: what
        entered is reduced into it and what left is taken out by `invFunc(value, left)`, so that a key whose
        values have all left *stays*, until `filterFunc` refuses its pair. `filterFunc` counts only with an
        inverse. An inverse needs a checkpoint directory when the context starts.
        """
        window, slide = self._durations(windowDuration, slideDuration)
        partitions = self._partitions(numPartitions)
        inverse, keep = (invFunc, filterFunc or None) if invFunc else (None, None)
        return self._derive(
            graph.ReduceByKeyAndWindow(self._node, window, slide, func, inverse, partitions, keep)
        )

    def reduceByWindow(
        self: Windows[T],
        reduceFunc: Callable[[T, T], T],
        invReduceFunc: Callable[[T, T], T] | None,
        windowDuration: float,
        slideDuration: float,
    ) -> DStream[T]:
        """Reduce the window to one element; the inverse is that of `reduceByKeyAndWindow`."""
        keyed: Any = self._whole().map(lambda x: (1, x))
        reduced = keyed.reduceByKeyAndWindow(reduceFunc, invReduceFunc, windowDuration, slideDuration, 1)
        return reduced.map(lambda kv: kv[1])  # type: ignore[no-any-return]

    def countByWindow(self, windowDuration: float, slideDuration: float) -> DStream[int]:
        """Count the elements of the window; needs a checkpoint directory, as every window with an inverse."""
        ones: Any = self._whole().map(lambda x: 1)
        return ones.reduceByWindow(  # type: ignore[no-any-return]
            operator.add, operator.sub, windowDuration, slideDuration
        )

    def countByValueAndWindow(
        self: Windows[K], windowDuration: float, slideDuration: float, numPartitions: int | None = None
    ) -> DStream[tuple[K, int]]:
        """Pair each distinct element of the window with its count; needs a checkpoint directory."""
        keyed: Any = self._whole().map(lambda x: (x, 1))
        counted = keyed.reduceByKeyAndWindow(
            operator.add, operator.sub, windowDuration, slideDuration, numPartitions
        )
        return counted.filter(lambda kv: kv[1] > 0)  # type: ignore[no-any-return]

    def groupByKeyAndWindow(
        self: Windows[tuple[K, V]],
        windowDuration: float,
        slideDuration: float,
        numPartitions: int | None = None,
    ) -> DStream[tuple[K, Iterable[V]]]:
        """Pair each key of the window with a `ResultIterable` of its values; needs a checkpoint directory."""
        lists: Any = self._whole().mapValues(lambda x: [x])
        grouped = lists.reduceByKeyAndWindow(
            lambda a, b: a.extend(b) or a,
            lambda a, b: a[len(b) :],
            windowDuration,
            slideDuration,
            numPartitions,
        )
        return grouped.mapValues(ResultIterable)  # type: ignore[no-any-return]

    def _whole(self) -> Any:
        """This stream with all its operators, which are spread over several classes."""
        return self

    def _durations(self, window: float, slide: float | None) -> tuple[int, int]:
        own = self._node.slide_ms
        asked = {"windowDuration": milliseconds(window)}
        if slide is not None:
            asked["slideDuration"] = milliseconds(slide)
        for name, duration in asked.items():
            if duration % own != 0:
                raise ValueError(
                    f"{name} must be multiple of the parent dstream's slide (batch) duration ({own} ms)"
                )
            if duration <= 0:
                raise ValueError(f"{name} must be positive")
        return asked["windowDuration"], asked.get("slideDuration", own)
