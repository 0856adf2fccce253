"""How input is cut into batches."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.verify.batches import ALL, Kept, batches_for


def test_the_first_batch_and_one_in_the_middle_are_empty():
    batches = batches_for(None, None)
    assert [bool(batch) for batch in batches] == [False, True, True, False, True, True]


def test_made_up_text_has_what_programs_trip_over():
    lines = [line for batch in batches_for(None, 4) for line in batch]
    assert "" in lines
    assert any("  " in line for line in lines)
    assert any(not line.isascii() for line in lines)
    assert len(set(" ".join(lines).split(" "))) > 40


def test_made_up_text_is_the_same_in_every_run():
    assert batches_for(None, 5) == batches_for(None, 5)


def test_plain_text_has_words_only():
    lines = [line for batch in batches_for(None, 4, plain=True) for line in batch]
    assert all(word.isascii() and word.isalpha() for line in lines for word in line.split(" "))


def test_a_file_is_cut_into_runs_of_lines(tmp_path):
    path = tmp_path / "text"
    path.write_bytes("a\nb\r\nç\x0b\n\ne".encode())
    batches = batches_for(path, 2)
    assert batches == [(), ("a", "b", "ç\x0b"), (), ("", "e")]


def test_more_batches_than_lines(tmp_path):
    path = tmp_path / "text"
    path.write_text("a\nb\n")
    assert batches_for(path, 9) == [(), ("a",), (), ("b",)]


def test_each_file_of_a_directory_is_a_batch_in_the_order_of_names(tmp_path):
    for name, text in {"2": "c\n", "1": "a\nb\n", "3": "", ".hidden": "x\n", "_SUCCESS": "x"}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "nested").mkdir()
    assert batches_for(tmp_path, None) == [(), ("a", "b"), (), ("c",)]
    assert batches_for(tmp_path, 1) == [(), ("a", "b", "c"), ()]


def test_no_text_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="no lines"):
        batches_for(tmp_path, None)


def test_what_is_held_out_is_the_rest_wherever_it_stands(tmp_path: Path) -> None:
    lines = [f"line {number % 300}" for number in range(400)]
    path = tmp_path / "lines.txt"
    path.write_text("".join(f"{line}\n" for line in lines))

    def fed(kept: Kept) -> list[str]:
        return [line for batch in batches_for(path, 3, kept=kept) for line in batch]

    learnt, proven = fed(Kept(0.2, held_out=False)), fed(Kept(0.2, held_out=True))
    assert sorted([*learnt, *proven]) == sorted(lines)
    assert not set(learnt) & set(proven)
    assert 0.1 < len(proven) / len(lines) < 0.3
    assert [line for line in lines if line in set(proven)] == proven
    assert fed(ALL) == lines
    path.write_text("one line\n")
    with pytest.raises(ValueError, match="hold-out"):
        fed(Kept(1e-9, held_out=True))
