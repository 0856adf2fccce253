"""What a program wrote, batch by batch."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow
import pyarrow.orc
import pyarrow.parquet
import pytest

from migrate.verify.child.files import Snapshot


@pytest.fixture
def changes(tmp_path: Path):
    (tmp_path / "there.txt").write_text("before\n")
    snapshot = Snapshot(tmp_path)
    return lambda *ignored: snapshot.changes(set(ignored))


def test_nothing_is_written(changes):
    assert changes() == []


def test_a_new_file_and_what_is_appended_to_it(tmp_path, changes):
    path = tmp_path / "log"
    path.write_text("a\n")
    assert changes() == [{"path": "log", "how": "written", "lines": ["a", ""]}]
    path.write_text("a\nb\n")
    assert changes() == [{"path": "log", "how": "appended", "lines": ["b", ""]}]
    path.write_text("c\n")
    assert changes() == [{"path": "log", "how": "written", "lines": ["c", ""]}]
    path.unlink()
    assert changes() == [{"path": "log", "how": "deleted", "lines": []}]


@pytest.mark.parametrize("mode", ["a", "a+", "ab"])
def test_what_a_file_holds_back_that_stays_open(tmp_path, changes, mode):
    with (tmp_path / "log").open(mode) as log:
        log.write(b"a\n" if "b" in mode else "a\n")
        assert changes() == [{"path": "log", "how": "written", "lines": ["a", ""]}]


def test_part_files_are_one_multiset_of_records(tmp_path, changes):
    out = tmp_path / "out"
    out.mkdir()
    (out / "part-00001").write_text("b\n")
    (out / "part-00000").write_text("c\na\n")
    (out / ".part-00000.crc").write_text("x")
    (out / "_SUCCESS").write_text("")
    assert changes() == [{"path": "out", "how": "added", "rows": ["c", "a", "b"]}]


def test_an_empty_directory_that_spark_wrote_is_an_output(tmp_path, changes):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "_SUCCESS").write_text("")
    assert changes() == [{"path": "out", "how": "added", "rows": []}]


def test_overwriting_is_not_appending(tmp_path, changes):
    out = tmp_path / "out"
    out.mkdir()
    (out / "part-0-a").write_text("a\n")
    changes()
    (out / "part-0-b").write_text("b\n")
    assert changes() == [{"path": "out", "how": "added", "rows": ["b"]}]
    (out / "part-0-a").unlink()
    (out / "part-0-b").unlink()
    (out / "part-0-c").write_text("c\n")
    assert changes() == [{"path": "out", "how": "replaced", "rows": ["c"]}]


@pytest.mark.parametrize("kind", ["parquet", "orc", "txt.gz"])
def test_records_of_other_formats(tmp_path, changes, kind):
    part = tmp_path / "t" / f"part-0.{kind}"
    part.parent.mkdir()
    table = pyarrow.table({"word": ["b", "a"], "n": [1, 2]})
    if kind == "parquet":
        pyarrow.parquet.write_table(table, part)
    elif kind == "orc":
        pyarrow.orc.write_table(table, part)
    else:
        part.write_bytes(gzip.compress(b"b 1\na 2\n"))
    ((found),) = changes()
    first = found["rows"][1]
    assert first == "a 2" if kind == "txt.gz" else str(first).count("'a'") == 1
    assert len(found["rows"]) == 2


def test_sources_and_leavings_are_no_output(tmp_path, changes):
    for name in ("watched/a", "metastore_db/x", ".hidden/x", "derby.log", "data/.a.crc"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    assert changes("watched") == []


def test_what_is_only_known_later_to_be_a_source_was_not_deleted(tmp_path):
    (tmp_path / "watched").mkdir()
    (tmp_path / "watched" / "a").write_text("x")
    assert Snapshot(tmp_path).changes({"watched"}) == []


def test_binary_files_count_by_their_content(tmp_path, changes):
    (tmp_path / "model.bin").write_bytes(b"\xff\x00")
    ((found),) = changes()
    assert found["lines"][0].startswith("binary, 2 bytes, sha256 ")
