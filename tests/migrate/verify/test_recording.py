"""A log and an output become batches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from migrate.verify.recording import Recording, marker, read_recording


def read(tmp_path: Path, output: str, *events: dict[str, Any], rest: str = "") -> Recording:
    (tmp_path / "out").write_text(output, encoding="utf-8")
    (tmp_path / "log").write_text("".join(json.dumps(event) + "\n" for event in events) + rest)
    return read_recording(tmp_path / "log", tmp_path / "out")


def begin(index: int, offset: int, rows: int = 1) -> dict[str, Any]:
    return {
        "event": "begin",
        "index": index,
        "rows": rows,
        "clock": 100.0 + index,
        "at": 5.0,
        "offset": offset,
    }


def end(index: int, offset: int) -> dict[str, Any]:
    return {"event": "end", "index": index, "at": 7.5, "offset": offset, "files": []}


def finished(offset: int, status: str = "ended") -> dict[str, Any]:
    return {"event": "finished", "status": status, "detail": "", "offset": offset, "files": []}


def test_text_belongs_to_the_batch_it_was_printed_in(tmp_path):
    found = read(tmp_path, "start\nönebye\n", begin(0, 6), end(0, 10), finished(14))
    assert (found.before.text, found.batches[0].text, found.after.text) == ("start\n", "öne", "bye\n")
    assert found.status == "ended"
    assert found.batches[0].seconds == 2.5
    assert found.spans == [(100.0, 100.0), (5.0, 7.5)]


def test_a_display_stands_where_it_was_printed(tmp_path):
    display = {"event": "display", "number": 1, "kind": "show", "rows": [1], "limit": 10, "ties": None}
    output = f"a\n{marker(1)}\nb\n"
    found = read(tmp_path, output, begin(0, 0), display, end(0, len(output)), finished(len(output)))
    first, shown, last = found.batches[0].segments()
    assert (first, last) == ("a\n", "b\n")
    assert getattr(shown, "rows", None) == [1]


def test_two_queries_are_read_in_the_order_in_which_they_were_made(tmp_path):
    ran = [
        {"event": "ran", "query": 1, "begin": 0, "end": 2},
        {"event": "ran", "query": 0, "begin": 2, "end": 4},
    ]
    found = read(
        tmp_path, "b\na\n", begin(0, 0), {"event": "native", "index": 0}, *ran, end(0, 4), finished(4)
    )
    assert found.batches[0].text == "a\nb\n"
    assert found.batches[0].runs == 2


def test_a_killed_process_leaves_what_it_wrote(tmp_path):
    found = read(tmp_path, "abc", begin(0, 0), end(0, 1), begin(1, 1), rest='{"event": "en')
    assert found.status == "died"
    assert [batch.text for batch in found.batches] == ["a", "bc"]


def test_no_log_at_all(tmp_path):
    assert read_recording(tmp_path / "log", tmp_path / "out").status == "died"


def test_a_run_is_silent_that_prints_only_before_its_batches(tmp_path):
    assert read(tmp_path, "start\n", begin(0, 6), end(0, 6), finished(6)).is_silent
    assert not read(tmp_path, "start\na", begin(0, 6), end(0, 7), finished(7)).is_silent
