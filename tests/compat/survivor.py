"""A program with everything in it that has to survive a crash, a stop or a late batch."""

from __future__ import annotations

import json
import operator
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat._structured.durable.versions import Versions
from compat.directory import LocalDirectory
from compat.streaming import StreamingContext

Outputs = dict[tuple[str, int], Any]
"""What was put out, by name and second."""


def build(
    sc: SparkContext,
    engine: str,
    inputs: Path,
    outputs: Path,
    initial: Sequence[tuple[str, int]] | None = None,
) -> StreamingContext:
    """State, state of state, windows, windows of state, one with an inverse; ``batch`` is the last output.

    A DStream with `initial` state is not recovered: Spark reports that the RDD lacks a SparkContext.
    """
    ssc = StreamingContext(sc, 1, engine=engine)
    words = ssc.textFileStream(str(inputs)).flatMap(lambda line: line.split()).map(lambda word: (word, 1))
    totals = words.updateStateByKey(lambda new, last: sum(new) + (last or 0), None, initial)
    recent = words.reduceByKeyAndWindow(operator.add, operator.sub, 5, 1)
    if engine == "structured":
        # So that crashes come in between. A recovered DStream would lose keys of a window with an inverse.
        totals.checkpoint(2)
        recent.checkpoint(3)
    streams = {
        "totals": totals,
        "ages": totals.updateStateByKey(lambda new, last: (last or 0) + len(list(new))),
        "last totals": totals.window(3),
        "both": totals.leftOuterJoin(recent.window(2, 1)),
        "every other": words.window(4, 2).reduceByKey(operator.add),
        "batch": words.reduceByKey(operator.add),
    }
    for name, stream in streams.items():
        stream.foreachRDD(_writer(str(outputs), name))
    return ssc


def _writer(outputs: str, name: str) -> Callable[..., None]:
    def write(time: Any, rdd: Any) -> None:
        path = os.path.join(outputs, f"{name}@{round(time.timestamp())}")  # noqa: PTH118
        with open(path + ".part", "w") as file:  # noqa: PTH123
            json.dump(sorted(rdd.collect()), file)
        os.replace(path + ".part", path)  # noqa: PTH105

    return write


def read(outputs: Path) -> Outputs:
    """What the program has put out."""
    found = {}
    for path in outputs.iterdir():
        if not path.suffix:
            name, second = path.name.split("@")
            found[name, int(second)] = json.loads(path.read_text())
    return found


def put(directory: Path, second: int, *files: str) -> None:
    """Let files with these words appear in that second."""
    for number, words in enumerate(files):
        draft = directory / f".{second}-{number}"
        draft.write_text(words + "\n" if words else "")
        os.utime(draft, (second, second))
        draft.rename(directory / f"{second}-{number}")


def next_batch(ssc: StreamingContext, second: int) -> None:
    """Run a batch of the structured engine to its end, whether it comes to its outputs or not."""
    ssc._engine.advance_clock(1000)
    ssc._engine._running.finish(second * 1000)  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Image:
    """What a crash at some moment would leave: a copy of the checkpoint, and what was put out before."""

    moment: str
    checkpoint: Path
    before: Outputs


class Camera:
    """Takes an image whenever the engine is about to change its checkpoint, and when it has half done so."""

    def __init__(self, checkpoint: Path, outputs: Path, album: Path, patch: pytest.MonkeyPatch) -> None:
        self.images: list[Image] = []
        self._checkpoint = checkpoint
        self._outputs = outputs
        self._album = album
        write, delete, write_version = LocalDirectory.write, LocalDirectory.delete, Versions._write

        def watched_write(place: LocalDirectory, name: str, content: bytes) -> None:
            self.take(f"before writing {name}")
            half = self.take(f"half way through writing {name}")
            folder = (place.root / name).parent.relative_to(checkpoint)
            (half / folder).mkdir(parents=True, exist_ok=True)
            (half / folder / ".part").write_bytes(content[:9])
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
        """Copy the checkpoint as it is."""
        image = self._album / str(len(self.images))
        if self._checkpoint.exists():
            shutil.copytree(self._checkpoint, image)
        self.images.append(Image(moment, image, read(self._outputs)))
        return image
