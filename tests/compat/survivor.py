"""A program with everything in it that has to survive a crash, a stop or a late batch."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pyspark import SparkContext

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
    streams = {
        "totals": totals,
        "ages": totals.updateStateByKey(lambda new, last: (last or 0) + len(new)),
        "last totals": totals.window(3),
        "recent": recent,
        "every other": words.window(4, 2).reduceByKey(operator.add),
        "both": totals.leftOuterJoin(recent.window(2, 1)),
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
