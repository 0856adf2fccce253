"""One driver at a time works on a checkpoint, and none silently throws one away."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat import StreamingError
from compat._structured.durable.ownership import Ownership, TakenOverError
from compat.directory import HadoopDirectory
from compat.streaming import StreamingContext
from tests.compat.survivor import next_batch, put

HOLD = """
import fcntl, sys
file = open(sys.argv[1], "a")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""

pytestmark = pytest.mark.usefixtures("stop_what_runs")


def count(sc: SparkContext, inputs: Path, checkpoint: Path) -> StreamingContext:
    """A program with state that is written in every batch."""
    ssc = StreamingContext(sc, 1, engine="structured")
    ssc.checkpoint(str(checkpoint))
    words = ssc.textFileStream(str(inputs)).map(lambda line: (line, 1))
    words.updateStateByKey(lambda new, last: sum(new) + (last or 0)).checkpoint(1).pprint()
    return ssc


def files(checkpoint: Path) -> set[Path]:
    return {path for path in checkpoint.rglob("*") if path.is_file()}


def test_a_second_driver_is_refused(spark_context: SparkContext, tmp_path: Path, directory: Path) -> None:
    checkpoint = tmp_path / "checkpoint"
    checkpoint.mkdir()
    lock = str(checkpoint / ".structured.lock")
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        with pytest.raises(TakenOverError, match=r"another driver runs on the checkpoint in .*structured"):
            count(spark_context, directory, checkpoint).start()
        assert [path.name for path in files(checkpoint)] == [".structured.lock"]
        first.communicate()
    count(spark_context, directory, checkpoint).start()


def test_a_driver_whose_checkpoint_was_taken_over_writes_nothing_more(
    spark_context: SparkContext, tmp_path: Path, directory: Path
) -> None:
    checkpoint = tmp_path / "checkpoint"
    ssc = count(spark_context, directory, checkpoint)
    ssc.start()
    put(directory, 1, "a")
    next_batch(ssc, 1)
    owner = checkpoint / "structured/owner"
    owner.write_text(json.dumps(json.loads(owner.read_text()) | {"run": "another", "host": "far", "pid": 7}))
    before = files(checkpoint)
    put(directory, 2, "b")
    next_batch(ssc, 2)
    with pytest.raises(
        StreamingError, match=r"taken over the checkpoint in .*structured.*: process 7 on far"
    ):
        ssc.awaitTermination(60)
    assert files(checkpoint) == before


def test_where_there_are_no_locks_the_last_driver_has_the_checkpoint(
    spark_context: SparkContext, tmp_path: Path
) -> None:
    java: Any = spark_context._jsc
    path = spark_context._jvm.org.apache.hadoop.fs.Path(str(tmp_path / "structured"))  # type: ignore[union-attr]
    place = HadoopDirectory(
        spark_context._jvm, path.getFileSystem(java.hadoopConfiguration()), path.toString()
    )
    first, second = Ownership(place, spark_context), Ownership(place, spark_context)
    first.take()
    first.check()
    second.take()
    second.check()
    with pytest.raises(TakenOverError, match="another driver has taken over"):
        first.check()


def test_a_start_without_getorcreate_sets_the_old_checkpoint_aside(
    spark_context: SparkContext, tmp_path: Path, directory: Path
) -> None:
    checkpoint = tmp_path / "checkpoint"
    for words, aside in ((["a"], False), (["a", "b"], True)):
        ssc = count(spark_context, directory, checkpoint)
        if aside:
            with pytest.warns(RuntimeWarning, match=r"afresh.*checkpoint/structured\.before"):
                ssc.start()
        else:
            ssc.start()
        for second, word in enumerate(words, 1):
            put(directory, second, word)
            next_batch(ssc, second)
        ssc.stop(stopSparkContext=False)
    assert (checkpoint / "structured/batches/2000").exists()
    assert [path.name for path in (checkpoint / "structured.before/batches").glob("*000")] == ["1000"]


def test_what_spark_kept_for_the_rdds_of_another_run_is_removed(
    spark_context: SparkContext, tmp_path: Path, directory: Path
) -> None:
    checkpoint = tmp_path / "checkpoint"
    ssc = count(spark_context, directory, checkpoint)
    ssc.start()
    ssc.stop(stopSparkContext=False)
    owner = checkpoint / "structured/owner"
    told = json.loads(owner.read_text())
    [first] = [path for path in checkpoint.iterdir() if path.is_dir() and path.name != "structured"]
    assert told["rdds"].endswith(f"/checkpoint/{first.name}")
    owner.write_text(json.dumps(told | {"application": "of another day"}))
    ssc = StreamingContext.getOrCreate(
        str(checkpoint), lambda: pytest.fail("it has one"), engine="structured"
    )
    assert first.exists()
    ssc.start()
    assert not first.exists()


def test_a_damaged_note_of_the_owner_is_named(
    spark_context: SparkContext, tmp_path: Path, directory: Path
) -> None:
    checkpoint = tmp_path / "checkpoint"
    (checkpoint / "structured").mkdir(parents=True)
    (checkpoint / "structured/owner").write_text("{")
    with pytest.raises(RuntimeError, match="structured/owner is not what a streaming program wrote"):
        count(spark_context, directory, checkpoint).start()
