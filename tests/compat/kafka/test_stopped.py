"""Offsets that old jobs have left behind, in the forms in which they leave them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compat.directory import LocalDirectory
from compat.kafka.places import Place
from compat.kafka.stopped import NoOffsetsError, Offsets, in_checkpoint, in_rows, in_text

TWO = {Place("pages", 0): 42, Place("pages", 1): 17}


@pytest.mark.parametrize(
    "text",
    [
        '{"pages": {"0": 42, "1": 17}}',
        '[{"topic": "pages", "partition": 0, "untilOffset": 42},'
        ' {"topic": "pages", "partition": 1, "offset": 17}]',
        '{"topic": "pages", "partition": 0, "until_offset": 42}\n'
        '{"topic": "pages", "partition": 1, "until": 17}\n',
        '[{"topic": "pages", "partition": "0", "fromOffset": 3, "untilOffset": "42", "offset": 1},'
        ' {"topic": "pages", "partition": 1, "untilOffset": 17}]',
        "topic,partition,offset\npages,0,42\npages,1,17\n",
        "batch, topic, partition, fromOffset, untilOffset\n7,pages,0,30,42\n7,pages,1,17,17\n",
        "pages 0 42\npages 1 17",
        "pages,0,42\n\npages,1,17\n",
        "pages 0 30 42\npages 1 17 17\n",
        "pages\t0\t42\npages\t1\t17\n",
        "pages 0 12\npages 1 3\npages 0 42\npages 1 17\n",
    ],
)
def test_files(text: str) -> None:
    assert in_text(text) == TWO


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "{}x",
        "[1]",
        '{"pages": 3}',
        '{"pages": {"zero": 3}}',
        '{"pages": {"0": -2}}',
        '{"pages": {"0": 1.5}}',
        '{"topic": "pages", "partition": 0}',
        '{"topic": "pages", "partition": 0, "offset": 1}\n{"topic"',
        "topic,partition\npages,0\n",
        "pages 0\n",
        "pages zero 3\n",
        "pages 0 -1\n",
        "a b c d e\n",
    ],
)
def test_what_is_no_file_of_offsets(text: str) -> None:
    with pytest.raises(NoOffsetsError):
        in_text(text)


@given(
    st.dictionaries(
        st.builds(Place, st.from_regex(r"[a-zA-Z0-9._-]{1,20}", fullmatch=True), st.integers(0, 500)),
        st.integers(0, 2**62),
        min_size=1,
    )
)
def test_any_form_tells_the_same(offsets: Offsets) -> None:
    records: list[Any] = [
        {"topic": p.topic, "partition": p.partition, "offset": n} for p, n in offsets.items()
    ]
    lines = [f"{p.topic} {p.partition} {n}" for p, n in offsets.items()]
    assert in_rows(records) == in_text(json.dumps(records)) == in_text("\n".join(lines)) == offsets
    assert in_text("\n".join(map(json.dumps, records))) == offsets


def test_a_table_keeps_the_highest() -> None:
    rows = [{"topic": "pages", "partition": 0, "offset": n} for n in (5, 42, 7)]
    assert in_rows([*rows, {"topic": "pages", "partition": 1, "offset": 17}]) == TWO
    with pytest.raises(NoOffsetsError, match="no rows"):
        in_rows([])
    with pytest.raises(NoOffsetsError, match="no topic, partition and offset"):
        in_rows([{"topic": "pages", "part": 0, "offset": 1}])


def checkpoint(path: Path, files: dict[str, str]) -> LocalDirectory:
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    return LocalDirectory(path.as_uri(), path)


def test_the_checkpoint_of_a_query(tmp_path: Path) -> None:
    """The batch that was begun and not done is not counted; of two sources the one behind is."""
    begun = 'v1\n{"batchWatermarkMs":0}\n{"pages":{"0":99,"1":99}}\n-\n4'
    done = 'v1\n{"batchWatermarkMs":0}\n{"pages":{"0":42,"1":18}}\n{"pages":{"1":17}}\n-\n4\n{"logOffset":3}'
    found = checkpoint(
        tmp_path, {"offsets/9": "v1\n{}\n4", "offsets/10": done, "offsets/11": begun, "commits/10": "v1"}
    )
    assert in_checkpoint(found) == TWO


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"x": ""}, "is no checkpoint"),
        ({"offsets/0": "v1\n{}\n4"}, "no batch was done"),
        ({"offsets/0": "v1\n{}\n4", "commits/0": "v1"}, "does not read Kafka"),
        ({"offsets/0": "v7\n{}\n4", "commits/0": "v1"}, "not known: v7"),
        ({"structured/batches/1000": "{}", "structured/batches/1000.done": ""}, "read Kafka was done"),
    ],
)
def test_what_is_no_checkpoint_of_a_job_that_read_kafka(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    with pytest.raises(NoOffsetsError, match=message):
        in_checkpoint(checkpoint(tmp_path, files))


def test_the_checkpoint_of_a_compat_program(tmp_path: Path) -> None:
    batches = {
        "1000": {"0": {"1000": [["pages", 0, 0, 40], ["pages", 1, 0, 17]]}, "3": {"1000": [["/in/a", []]]}},
        "2000": {"0": {"2000": [["pages", 0, 40, 42], ["pages", 1, 17, 17]]}},
        "3000": {"0": {"3000": [["pages", 0, 42, 99]]}},
    }
    files = {f"structured/batches/{name}": json.dumps(entry) for name, entry in batches.items()}
    assert in_checkpoint(checkpoint(tmp_path, {**files, "structured/batches/2000.done": ""})) == TWO


def test_a_batch_that_failed_is_read_again(tmp_path: Path) -> None:
    batches = {
        "1000": {"0": {"1000": [["pages", 0, 0, 42]]}},
        "2000": {"0": {"1000": [], "2000": [["pages", 0, 42, 50], ["pages", 1, 17, 30]]}},
        "3000": {"0": {"3000": [["pages", 0, 50, 99], ["pages", 1, 30, 99]]}},
    }
    files = {f"structured/batches/{name}": json.dumps(entry) for name, entry in batches.items()}
    marks = {f"structured/batches/{name}": "" for name in ("2000.failed", "3000.failed", "3000.done")}
    assert in_checkpoint(checkpoint(tmp_path, files | marks)) == TWO
