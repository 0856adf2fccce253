"""What a program is written as."""

from __future__ import annotations

import json
import pickle
import stat
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from compat._structured.durable import checkpoint
from compat._structured.durable.checkpoint import Saved
from compat.directory import LocalDirectory
from compat.graph import Graph, Map, QueueStream
from compat.streaming.kafka import OffsetRange


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalDirectory:
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    place = LocalDirectory(f"file:{tmp_path}", tmp_path)
    place.write(checkpoint.NAME, checkpoint.pickled(Saved(Graph(1000), [("a", "b")], 5000, {})))
    return place


def test_a_program_is_read_back(written: LocalDirectory) -> None:
    found = checkpoint.load(written)
    assert found is not None
    assert (found.graph.interval_ms, found.conf, found.zero_ms) == (1000, [("a", "b")], 5000)


def test_classes_of_this_package_stay_what_they_are(tmp_path: Path) -> None:
    program = Graph(1000)
    source = QueueStream(1000, (), True, None)
    program.nodes += [source, Map(source, lambda offset: OffsetRange("t", 0, 0, offset))]
    place = LocalDirectory(f"file:{tmp_path}", tmp_path)
    place.write(checkpoint.NAME, checkpoint.pickled(Saved(program, [], 0, {})))
    _, _, content = place.read(checkpoint.NAME).partition(b"\n")
    found = pickle.loads(content).graph.nodes[1].function(3)
    assert type(found) is OffsetRange


def test_there_is_none(tmp_path: Path) -> None:
    assert checkpoint.load(LocalDirectory("file:nowhere", tmp_path)) is None


def test_other_hashes_would_look_for_state_in_other_partitions(
    written: LocalDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    with pytest.raises(RuntimeError, match="it was written with PYTHONHASHSEED=0, not 7"):
        checkpoint.load(written)


def test_another_python_cannot_run_the_functions(
    written: LocalDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.version_info", (3, 9, 1))
    with pytest.raises(RuntimeError, match=r"it was written with Python=3\.\d+, not 3\.9"):
        checkpoint.load(written)


def test_another_pyspark_pickles_otherwise(written: LocalDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyspark.__version__", "9.1.0")
    with pytest.raises(
        RuntimeError, match=r"written with PySpark=\d\.\d, not 9\.1\. Go on with that; or .* load_state"
    ):
        checkpoint.load(written)


class Bomb:
    def __reduce__(self) -> Any:
        return pytest.fail, ("it was unpickled",)


def test_nothing_of_another_format_is_unpickled(written: LocalDirectory) -> None:
    header, _, _ = written.read(checkpoint.NAME).partition(b"\n")
    later = json.loads(header) | {"format": 99, "package": "7.0"}
    written.write(checkpoint.NAME, json.dumps(later).encode() + b"\n" + pickle.dumps(Bomb()))
    with pytest.raises(RuntimeError, match=r"graph: it has format 99, written by version 7\.0 .*save_state"):
        checkpoint.load(written)


@pytest.mark.parametrize(
    "content", [b"", b"{", pickle.dumps({"Python": "3.11"}), b"[]\n", b'{"Python": 3}\nabc']
)
def test_a_file_of_something_else_is_named(written: LocalDirectory, content: bytes) -> None:
    written.write(checkpoint.NAME, content)
    with pytest.raises(RuntimeError, match=r"graph: it is no checkpoint of this package.*another directory"):
        checkpoint.load(written)


def test_a_file_that_was_cut_off_is_named(written: LocalDirectory) -> None:
    content = written.read(checkpoint.NAME)
    for length in (len(content) - 1, len(content) // 2, content.index(b"\n") + 1):
        written.write(checkpoint.NAME, content[:length])
        with pytest.raises(RuntimeError, match=r"graph: the file is damaged.*another directory"):
            checkpoint.load(written)


def test_a_module_that_is_gone_is_named(written: LocalDirectory) -> None:
    header, _, _ = written.read(checkpoint.NAME).partition(b"\n")
    written.write(checkpoint.NAME, header + b"\ncgone_module\nfunction\n.")
    with pytest.raises(RuntimeError, match=r"No module named 'gone_module'.*have it there"):
        checkpoint.load(written)


def test_secrets_are_not_written(spark_context: SparkContext) -> None:
    conf: Any = spark_context._jsc.sc().conf()  # type: ignore[attr-defined]
    secret = {
        "spark.hadoop.fs.s3a.secret.key": "s3cret",
        "spark.my.password": "pass",
        "spark.mine": "a token",
    }
    for name, value in secret.items():
        conf.set(name, value)
    try:
        kept = dict(checkpoint.settings(spark_context))
    finally:
        for name in secret:
            conf.remove(name)
    assert not secret.keys() & kept.keys()
    assert kept["spark.app.name"] == "tests"


def test_only_the_owner_reads_what_is_written(written: LocalDirectory, tmp_path: Path) -> None:
    assert stat.S_IMODE((tmp_path / checkpoint.NAME).stat().st_mode) == 0o600
