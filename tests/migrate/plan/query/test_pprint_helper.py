"""The helper that prints an RDD prints the text of DStream.pprint."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from datetime import datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pyspark.streaming import DStream

from migrate.plan.draft.outputs import PPRINT

TIME = datetime(2024, 5, 1, 12)


class Elements:
    """What `pprint` needs of an RDD."""

    def __init__(self, elements: list[object]) -> None:
        self._elements = elements

    def take(self, number: int) -> list[object]:
        """The first ones."""
        return self._elements[:number]


class Stream:
    """What `pprint` needs of a DStream."""

    take_and_print: Callable[[datetime, Elements], None]

    def foreachRDD(self, function: Any) -> None:  # noqa: N802 - Spark's name
        """Keep the function."""
        self.take_and_print = function


@given(st.lists(st.one_of(st.text(), st.tuples(st.text(), st.integers())), max_size=14), st.integers(0, 12))
def test_it_prints_what_spark_prints(elements: list[object], number: int) -> None:
    scope: dict[str, Any] = {}
    exec(PPRINT.format(name="pprint"), scope)
    stream = Stream()
    DStream.pprint(stream, number)  # type: ignore[arg-type]
    old, new = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(old):
        stream.take_and_print(TIME, Elements(elements))
    with contextlib.redirect_stdout(new):
        scope["pprint"](Elements(elements), TIME, number)
    assert new.getvalue() == old.getvalue()
