"""Whole programs, drawn at random: sources, operators on them and on each other, outputs.

Every stream is one of pairs of a key and an integer, so that any operator may follow any other. Nothing in a
program depends on the order within a partition, which no shuffle promises.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st
from pyspark import RDD, SparkContext

from compat.streaming import DStream, StreamingContext
from compat.testing import Batches, Output, rdd_of
from compat.testing.clock import batch_number
from compat.testing.compare import Compare
from compat.testing.strategies import batch, batches, pairs
from tests.compat.operators import FAILURES, OPERATORS, literal
from tests.statements import wait_until

KEYS = ["a", "b", "é", "", None, 1, ("t", 2)]
LEVELS: tuple[Compare, ...] = ("order", "partitions", "elements")
DRAIN = 5
"""Batches without input at the end, in which windows become empty and state goes on."""
LONGEST_SLIDE = 4
MOST_ROWS = 2000
"""What one batch may grow to: joins and windows multiply."""


@dataclass(frozen=True)
class Source:
    """A queue, or a directory with a text file for each partition that is not empty: a pair a line."""

    kind: str
    batches: Batches
    one_at_a_time: bool = True
    default: Sequence[Sequence[Any]] | None = None

    def build(self, ssc: StreamingContext, directory: Path) -> DStream[Any]:
        sc = ssc.sparkContext
        if self.kind == "files":
            return ssc.textFileStream(str(directory)).map(literal)
        default = None if self.default is None else rdd_of(sc, self.default)
        return ssc.queueStream([rdd_of(sc, one) for one in self.batches], self.one_at_a_time, default)

    def write(self, directory: Path) -> None:
        """Put all files in place: the manual clock decides when each is new."""
        directory.mkdir(parents=True)
        for number, partitions in enumerate(self.batches):
            for index, partition in enumerate(partitions):
                path = directory / f"{number}-{index}"
                path.write_text("".join(f"{pair!r}\n" for pair in partition), encoding="utf-8")
                os.utime(path, (number + 0.5, number + 0.5))

    @property
    def rows(self) -> int:
        sizes = [sum(map(len, partitions)) for partitions in self.batches]
        return max([1, *sizes]) if self.one_at_a_time else sum(sizes) + 1


@dataclass(frozen=True)
class Step:
    """An operator: a name in OPERATORS, the numbers of the streams it is applied to, and its arguments."""

    name: str
    inputs: tuple[int, ...]
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Pipeline:
    """Sources and steps are numbered together, in this order; `outputs` are numbers of them.

    The first output fails in the batches `fails`, before it looks at its RDD.
    """

    sources: tuple[Source, ...]
    steps: tuple[Step, ...]
    outputs: tuple[int, ...]
    fails: tuple[int, ...] = ()

    @property
    def levels(self) -> list[Compare]:
        """What of each output is the same in every run."""
        found = [0] * len(self.sources)
        for step in self.steps:
            operator = OPERATORS[step.name]
            before = max(found[number] for number in step.inputs)
            found.append(max(before, operator.level) if operator.keeps else operator.level)
        return [LEVELS[found[number]] for number in self.outputs]

    def build(self, ssc: StreamingContext, place: Path) -> list[Output]:
        """Build the program; what its outputs get is found in the result."""
        streams = [source.build(ssc, place / str(number)) for number, source in enumerate(self.sources)]
        for step in self.steps:
            inputs = [streams[number] for number in step.inputs]
            streams.append(OPERATORS[step.name].build(ssc, *inputs, *step.arguments))
        outputs: list[Output] = []
        for position, number in enumerate(self.outputs):
            outputs.append({})
            fails = self.fails if position == 0 else ()
            streams[number].foreachRDD(_collector(outputs[-1], partial(batch_number, ssc), fails))
        return outputs


def _collector(output: Output, number_of: Any, fails: Sequence[int]) -> Any:
    def collect(time: Any, rdd: RDD[Any]) -> None:
        number = number_of(time)
        if number in fails:
            raise RuntimeError(f"output fails in batch {number}")
        output[number] = rdd.glom().collect()

    return collect


def run(pipelines: Sequence[Pipeline], sc: SparkContext, engine: str, place: Path) -> list[list[Output]]:
    """Run programs side by side; what each output of each got. Batches that fail are missing."""
    ssc = StreamingContext(sc, 1, engine=engine)
    results = [pipeline.build(ssc, place / str(number)) for number, pipeline in enumerate(pipelines)]
    done: set[int] = set()
    ssc.queueStream([[]]).foreachRDD(lambda time, rdd: done.add(batch_number(ssc, time)))
    longest = max(len(source.batches) for pipeline in pipelines for source in pipeline.sources)
    ssc.start()
    try:
        for number in range(1, longest + DRAIN + 1):
            failures = len(FAILURES)
            ssc._engine.advance_clock(1000)
            wait_until(lambda: number in done or len(FAILURES) > failures, f"batch {number}", 120)  # noqa: B023
    finally:
        ssc.stop(stopSparkContext=False)
    return results


def write_files(pipelines: Sequence[Pipeline], place: Path) -> None:
    """Write what the file sources of the programs read, for `run`."""
    for number, pipeline in enumerate(pipelines):
        for index, source in enumerate(pipeline.sources):
            if source.kind == "files":
                source.write(place / str(number) / str(index))


# --- drawing -----------------------------------------------------------------------------------------------

ELEMENTS = pairs(st.sampled_from(KEYS))


@st.composite
def sources(draw: st.DrawFn) -> Source:
    """A source of one to five batches."""
    given = draw(batches(ELEMENTS, max_partitions=2, max_size=3))
    if draw(st.booleans()):
        return Source("files", given)
    default = draw(st.none() | batch(ELEMENTS, max_partitions=2, max_size=2))
    return Source("queue", given, draw(st.sampled_from([True, True, False])), default)


@st.composite
def drawn_pipelines(draw: st.DrawFn) -> Pipeline:
    """A program of up to two sources, eight steps and two outputs."""
    given = tuple(draw(st.lists(sources(), min_size=1, max_size=2)))
    slides, levels, rows = [1] * len(given), [0] * len(given), [source.rows for source in given]
    steps: list[Step] = []
    for _ in range(draw(st.sampled_from(range(3, 9)))):
        name = draw(st.sampled_from(sorted(OPERATORS)))
        operator = OPERATORS[name]
        newest = len(slides) - 1
        first = draw(st.just(newest) | st.integers(0, newest))
        others = [n for n in range(newest + 1) if slides[n] == slides[first] or not operator.same_slides]
        inputs = (first, *(draw(st.sampled_from(others)) for _ in range(operator.streams - 1)))
        arguments = draw(operator.arguments)
        slide = slides[first] * (arguments[1] if operator.slides else 1)
        size = operator.rows([rows[number] for number in inputs], arguments)
        level = max(levels[number] for number in inputs)
        if slide > LONGEST_SLIDE or size > MOST_ROWS or (operator.by_partition and level == 2):
            continue
        steps.append(Step(name, inputs, arguments))
        slides.append(slide)
        rows.append(size)
        levels.append(max(level, operator.level) if operator.keeps else operator.level)
    newest = len(slides) - 1
    outputs = tuple(dict.fromkeys([newest, draw(st.integers(0, newest))]))
    fails = tuple(draw(st.sampled_from([(), (), (), (2,), (3, 4)])))
    # Hypothesis begins with the simplest program there is, of which nobody learns anything.
    assume(len(steps) > 1 and sum(source.rows for source in given) > 3)
    return Pipeline(given, tuple(steps), outputs, fails)
