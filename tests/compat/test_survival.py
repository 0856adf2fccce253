"""Late batches, stops and crashes: the results are as if all batches had run in time."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat.streaming import StreamingContext
from tests.compat.survivor import Camera, Image, Outputs, build, put, read
from tests.statements import wait_until

FILES = {1: ["a b a"], 2: ["b"], 4: ["c c", "a"], 5: [""], 7: ["d a"]}
"""Words by the second in which they come, a file for each."""
BATCHES = 8
INITIAL = [("start", 5), ("a", 1)]

pytestmark = pytest.mark.usefixtures("stop_what_runs")


def directories(place: Path) -> tuple[Path, Path]:
    """A directory to which files come, and one to write to."""
    inputs, outputs = place / "in", place / "out"
    inputs.mkdir(parents=True)
    outputs.mkdir()
    return inputs, outputs


def play(ssc: StreamingContext, inputs: Path, outputs: Path, seconds: range) -> None:
    """Start, run the batches of these seconds one by one, and stop."""
    ssc.start()
    for second in seconds:
        put(inputs, second, *FILES.get(second, []))
        tick(ssc)
        wait_for(outputs, second)
    ssc.stop(stopSparkContext=False)


def tick(ssc: StreamingContext, seconds: int = 1) -> None:
    ssc._engine.advance_clock(seconds * 1000)


def wait_for(outputs: Path, second: int) -> None:
    wait_until((outputs / f"batch@{second}").exists, f"the batch of second {second}", timeout=120)


def in_time(sc: SparkContext, place: Path, initial: list[tuple[str, int]] | None) -> Outputs:
    """What `pyspark.streaming` puts out where nothing is late."""
    inputs, outputs = directories(place)
    play(build(sc, "rdd", inputs, outputs, initial), inputs, outputs, range(1, BATCHES + 1))
    return read(outputs)


@pytest.fixture(scope="module")
def expected(spark_context: SparkContext, tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    return in_time(spark_context, tmp_path_factory.mktemp("expected"), INITIAL)


@pytest.mark.full
def test_batches_that_take_three_intervals(
    spark_context: SparkContext, engine: str, tmp_path: Path, expected: Outputs
) -> None:
    inputs, outputs = directories(tmp_path)
    go_on = threading.Semaphore(0)
    entered: list[Any] = []

    def takes_long(time: Any, rdd: Any) -> None:
        entered.append(time)
        assert go_on.acquire(timeout=120)

    ssc = build(spark_context, engine, inputs, outputs, INITIAL)
    ssc.queueStream([[1]]).foreachRDD(takes_long)
    ssc.start()
    for second in range(1, BATCHES + 1):
        put(inputs, second, *FILES.get(second, []))
        tick(ssc)
        if second % 3 == 1:
            begun = second // 3 + 1
            wait_until(lambda: len(entered) >= begun, f"batch {begun}", timeout=120)  # noqa: B023
        if second % 3 == 0:
            go_on.release()
    for _ in range(BATCHES):
        go_on.release()
    wait_for(outputs, BATCHES)
    assert read(outputs) == expected


@pytest.mark.full
def test_batches_of_a_time_in_which_the_program_was_down(
    spark_context: SparkContext, engine: str, tmp_path: Path, expected: Outputs
) -> None:
    inputs, outputs = directories(tmp_path)
    checkpoint, down = str(tmp_path / "checkpoint"), range(4, BATCHES + 1)
    initial: list[tuple[str, int]] | None = INITIAL
    if engine == "rdd":
        initial = None
        expected = in_time(spark_context, tmp_path / "expected", initial)

    def create() -> StreamingContext:
        return build(spark_context, engine, inputs, outputs, initial)

    ssc = StreamingContext.getOrCreate(checkpoint, create, engine=engine)
    play(ssc, inputs, outputs, range(1, down.start))
    for second in down:
        put(inputs, second, *FILES.get(second, []))
    with jump(spark_context, seconds=len(down)):
        ssc = StreamingContext.getOrCreate(checkpoint, create, engine=engine)
        ssc.start()
    if engine == "structured":
        tick(ssc, len(down))
    wait_for(outputs, BATCHES)
    found = read(outputs)
    if engine == "rdd":
        found, expected = counted(found), counted(expected)
    assert found == expected


def counted(outputs: Outputs) -> Outputs:
    """Without the keys that a window with an inverse keeps at 0: a recovered DStream has lost them."""
    return {
        (name, second): [pair for pair in pairs if name != "both" or pair[1][1]]
        for (name, second), pairs in outputs.items()
    }


@contextmanager
def jump(sc: SparkContext, seconds: int) -> Iterator[None]:
    """Let the manual clock of a DStream that is recovered stand so much later."""
    setting = "spark.streaming.manualClock.jump"
    conf: Any = sc._jsc.sc().conf()  # type: ignore[attr-defined]
    conf.set(setting, str(seconds * 1000))
    yield
    conf.remove(setting)


@dataclass(frozen=True)
class Story:
    """What a program puts out, and how it can end before its time."""

    inputs: Path
    outputs: Path
    expected: Outputs
    images: list[Image]


@pytest.fixture(scope="module")
def story(spark_context: SparkContext, expected: Outputs, tmp_path_factory: pytest.TempPathFactory) -> Story:
    place = tmp_path_factory.mktemp("crashes")
    inputs, outputs = directories(place)
    ssc = build(spark_context, "structured", inputs, outputs, INITIAL)
    ssc.checkpoint(str(place / "checkpoint"))
    with pytest.MonkeyPatch.context() as patch:
        camera = Camera(place / "checkpoint", outputs, place / "album", patch)
        play(ssc, inputs, outputs, range(1, BATCHES + 1))
    assert read(outputs) == expected
    return Story(inputs, outputs, expected, camera.images)


def recovered(story: Story, image: Image, sc: SparkContext, last: int) -> Outputs:
    """What a run that goes on from the image puts out up to the batch of second `last`."""
    for path in story.outputs.iterdir():
        path.unlink()
    ssc = StreamingContext.getOrCreate(
        str(image.checkpoint),
        lambda: build(sc, "structured", story.inputs, story.outputs, INITIAL),
        engine="structured",
    )
    ssc.start()
    now = ssc._engine._clock.now()  # type: ignore[attr-defined]
    ssc._engine.advance_clock(max(0, (last + 1) * 1000 - now))
    wait_for(story.outputs, last + 1)
    ssc.stop(stopSparkContext=False)
    return until(last, read(story.outputs))


def until(last: int, outputs: Outputs) -> Outputs:
    return {key: value for key, value in outputs.items() if key[1] <= last}


def check(story: Story, image: Image, sc: SparkContext, more: int = BATCHES) -> None:
    """Nothing is lost, and at most one batch is put out again: as a whole, with the same results.

    The run goes on for so many batches `more`, which has versions of all states written again.
    """
    last = min(max((second for _, second in image.before), default=0) + more, BATCHES)
    after = recovered(story, image, sc, last)
    assert {**image.before, **after} == until(last, story.expected), image.moment
    again = {second for _, second in image.before.keys() & after.keys()}
    assert len(again) <= 1, f"batches put out again after {image.moment}: {again}"
    for second in again:
        whole = {key for key in story.expected if key[1] == second}
        assert whole <= after.keys(), f"put out again in parts after {image.moment}"


def kinds(images: list[Image]) -> dict[str, list[Image]]:
    """What half a file would leave, by the kind of the file."""
    found: dict[str, list[Image]] = {}
    for image in images:
        if image.moment.startswith("half way"):
            found.setdefault(re.sub("[0-9]+", "N", image.moment), []).append(image)
    return found


@pytest.mark.timeout(900)
def test_a_crash_within_each_kind_of_file(story: Story, spark_context: SparkContext) -> None:
    found = kinds(story.images)
    assert found.keys() >= {
        f"half way through writing {name}"
        for name in ("graph", "owner", "N", "N.done", "version N", "version initial")
    }
    for images in found.values():
        check(story, images[len(images) // 2], spark_context, more=3)


@pytest.mark.full
@pytest.mark.timeout(3600)
def test_crashes_at_many_moments(story: Story, spark_context: SparkContext) -> None:
    for image in random.Random(5).sample(story.images, 60):
        check(story, image, spark_context)
