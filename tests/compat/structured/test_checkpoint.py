"""What a program is written as."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import pytest

from compat._structured import checkpoint
from compat._structured.checkpoint import Saved
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
    content = io.BytesIO(place.read(checkpoint.NAME))
    pickle.load(content)
    found = pickle.load(content).graph.nodes[1].function(3)
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
