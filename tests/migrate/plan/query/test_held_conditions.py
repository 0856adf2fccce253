"""Conditions on lists that the program fills are made once, above the batch function."""

from __future__ import annotations

import pytest

from tests.migrate.programs import SOCKET, run

WORDS = 'kept = open("kept.txt").read().split()\nlost = set(open("lost.txt"))\n'


def rewritten(body: str, before: str = WORDS) -> str:
    (file,) = run(before + SOCKET.format(body=body)).files
    return file.new


def test_each_condition_is_made_once() -> None:
    new = rewritten(
        "words = lines.flatMap(lambda line: line.split(' '))\n"
        "known = words.filter(lambda word: word in kept or word in lost)\n"
        "known.map(lambda word: ('kept', 1) if word in kept else ('lost', 1)).pprint()"
    )
    above, _, function = new.partition("def process_batch(")
    assert above.endswith('in_kept = F.col("word").isin(kept)\nin_lost = F.col("word").isin(*lost)\n\n\n'), (
        above
    )
    assert "known = words.where(in_kept | in_lost)" in function
    assert 'F.when(in_kept, "kept").otherwise("lost")' in function


def test_a_list_that_two_columns_are_looked_up_in_has_two_names() -> None:
    new = rewritten(
        "lines.map(lambda a: (a, a[:1])).filter(lambda p: p[0] in kept and p[1] in kept).pprint()"
    )
    assert 'in_kept = F.col("value").isin(kept)\nin_kept_2 = F.col("value2").isin(kept)\n' in new
    assert "where(in_kept & in_kept_2)" in new


def test_the_name_is_free() -> None:
    new = rewritten("in_kept = 1\nlines.filter(lambda word: word not in kept).pprint()")
    assert 'in_kept_2 = F.col("value").isin(kept)\n' in new
    assert "where(~in_kept_2)" in new


def test_the_name_of_a_constant_is_no_constant_itself() -> None:
    new = rewritten(
        "lines.filter(lambda word: word in TAGS).pprint()", before="TAGS = open('tags').readlines()\n"
    )
    assert "in_tags = F.col(" in new


def test_a_function_of_dataframes_makes_its_own() -> None:
    new = rewritten(
        "def known(words):\n    return words.filter(lambda word: word in kept)\n\n\nknown(lines).pprint()"
    )
    assert 'return words.where(F.col("value").isin(kept))' in new


def test_what_is_printed_of_a_list_s_items_is_no_query_of_the_console() -> None:
    new = rewritten("known = lines.filter(lambda word: word in kept)\nknown.pprint()")
    assert "known = batch.where(in_kept)" in new
    assert "foreachBatch" in new


def test_a_condition_on_the_item_of_a_split_that_has_a_variable_is_made_once_too() -> None:
    new = rewritten(
        "lines.filter(lambda line: line.split(',')[0] in kept).map(\n"
        "    lambda line: (line.split(',')[1], line.split(',')[2], line.split(',')[0])\n"
        ").pprint()\n"
    )
    assert 'in_kept = F.split("value", ",")[0].isin(kept)\n' in new
    assert "where(in_kept)" in new
    assert 'parts = F.split("value", ",")\n' in new


@pytest.mark.parametrize("test", ['word in ("a", "b")', "word in STOP"])
def test_a_list_that_is_written_out_is_short(test: str) -> None:
    new = rewritten(f"lines.filter(lambda word: {test}).pprint()", before='STOP = ["a", "b"]\n')
    assert "in_stop" not in new
    assert 'lines.where(F.col("value").isin(' in new
