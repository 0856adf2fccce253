"""Whatever a crash leaves on the disk, a recovered run goes on as if nothing had happened.

A program runs once. Whenever it is about to change a file of its checkpoint, and when it has half done so,
the directory is copied: that is what a crash at this moment would leave. From each copy a run is recovered.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat._structured.directory import LocalDirectory
from compat._structured.versions import Versions
from compat.streaming import StreamingContext
from tests.compat.survivor import Outputs, build, put, read
from tests.statements import wait_until

BATCHES = 8
FILES = {1: ["a b a"], 2: ["b"], 4: ["c c", "a"], 5: [""], 7: ["d a"]}
"""Lines by the second in which they come, a file for each."""
INITIAL = [("start", 5), ("a", 1)]


def play(ssc: StreamingContext, outputs: Path) -> None:
    """Run all batches, one by one."""
    ssc.start()
    for second in range(1, BATCHES + 1):
        ssc._engine.advance_clock(1000)
        wait_until((outputs / f"batch@{second}").exists, f"batch {second}")
    ssc.stop(stopSparkContext=False)


@dataclass(frozen=True)
class Image:
    """What a crash would leave: a copy of the checkpoint, and what was put out before."""

    moment: str
    checkpoint: Path
    before: Outputs


class Camera:
    """Takes images of a checkpoint directory whenever the engine changes it."""

    def __init__(self, checkpoint: Path, outputs: Path, album: Path, patch: pytest.MonkeyPatch) -> None:
        self.images: list[Image] = []
        self._checkpoint = checkpoint
        self._outputs = outputs
        self._album = album
        write, delete, write_version = LocalDirectory.write, LocalDirectory.delete, Versions._write

        def watched_write(place: LocalDirectory, name: str, content: bytes) -> None:
            self.take(f"before writing {name}")
            half = self.take(f"half way through writing {name}")
            (half / Path(place._root / name).relative_to(checkpoint).parent / ".part").write_bytes(
                content[:9]
            )
            write(place, name, content)
            self.take(f"after writing {name}")

        def watched_delete(place: LocalDirectory, name: str = "") -> None:
            self.take(f"before deleting {name}")
            delete(place, name)

        def watched_version(versions: Versions, stream: Any, name: str, data: Any) -> None:
            write_version(versions, stream, name, data)
            half = self.take(f"half way through writing version {name}")
            written = half / "structured/state" / str(versions._numbers[stream]) / name
            (written / "_SUCCESS").unlink()
            next(written.glob("part-*")).unlink()
            self.take(f"after writing version {name}")

        patch.setattr(LocalDirectory, "write", watched_write)
        patch.setattr(LocalDirectory, "delete", watched_delete)
        patch.setattr(Versions, "_write", watched_version)

    def take(self, moment: str) -> Path:
        image = self._album / str(len(self.images))
        if self._checkpoint.exists():
            shutil.copytree(self._checkpoint, image)
        (image / "structured/batches").mkdir(parents=True, exist_ok=True)
        self.images.append(Image(moment, image, read(self._outputs)))
        return image


@dataclass(frozen=True)
class Story:
    """What a program puts out, and how it can end before its time."""

    inputs: Path
    outputs: Path
    expected: Outputs
    images: list[Image]


@pytest.fixture(scope="module")
def story(spark_context: SparkContext, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    place = tmp_path_factory.mktemp("crashes")
    inputs, outputs, reference = place / "in", place / "out", place / "reference"
    for directory in (inputs, outputs, reference):
        directory.mkdir()
    for second, files in FILES.items():
        put(inputs, second, *files)
    play(build(spark_context, "rdd", inputs, reference, INITIAL), reference)
    ssc = build(spark_context, "structured", inputs, outputs, INITIAL)
    ssc.checkpoint(str(place / "checkpoint"))
    with pytest.MonkeyPatch.context() as patch:
        camera = Camera(place / "checkpoint", outputs, place / "album", patch)
        play(ssc, outputs)
    assert read(outputs) == read(reference)
    yield Story(inputs, outputs, read(reference), camera.images)


def recovered(story: Story, image: Image, sc: SparkContext) -> Outputs:
    """What a run that goes on from the image puts out."""
    for path in story.outputs.iterdir():
        path.unlink()
    checkpoint = str(image.checkpoint)
    ssc = StreamingContext.getOrCreate(
        checkpoint, lambda: build(sc, "structured", story.inputs, story.outputs, INITIAL), engine="structured"
    )
    ssc.start()
    now = ssc._engine._clock.now()  # type: ignore[attr-defined]
    ssc._engine.advance_clock(max(0, (BATCHES + 1) * 1000 - now))
    wait_until((story.outputs / f"batch@{BATCHES + 1}").exists, f"the last batch, after {image.moment}")
    ssc.stop(stopSparkContext=False)
    after = read(story.outputs)
    return {key: value for key, value in after.items() if key[1] <= BATCHES}


def check(story: Story, image: Image, sc: SparkContext) -> None:
    after = recovered(story, image, sc)
    assert {**image.before, **after} == story.expected, image.moment
    again = {second for _, second in image.before.keys() & after.keys()}
    assert len(again) <= 1, f"batches put out again after {image.moment}: {again}"
    for second in again:
        whole = {key for key in story.expected if key[1] == second}
        assert whole <= after.keys(), f"put out again in parts after {image.moment}"


def test_a_run_recovers_from_some_crashes(story: Story, spark_context: SparkContext) -> None:
    for image in random.Random(4).sample(story.images, 3):
        check(story, image, spark_context)


@pytest.mark.full
def test_a_run_recovers_from_every_crash(story: Story, spark_context: SparkContext) -> None:
    for image in story.images:
        check(story, image, spark_context)
