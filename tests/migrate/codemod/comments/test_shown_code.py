"""Prose that shows code of the old API goes with it, or says what is done without it."""

from __future__ import annotations

import pytest

from migrate.codemod.comments.shown_code import explains_old_code, without_quoted
from tests.migrate.codemod.written import is_kept_or_noted, native_result, native_socket, new_text
from tests.migrate.programs import socket_program

REMINDER = """\
# reminder - lambda functions are just anonymous functions in one line:
#
#   words.flatMap(lambda line: line.split(" "))
#
# is exactly equivalent to
#
#    def space_split(line):
#        return line.split(" ")
#
#    words.filter(space_split)
"""
SPLIT = 'words = lines.flatMap(lambda line: line.split(" "))\n'


def test_a_reminder_of_how_such_code_is_written_goes_with_it() -> None:
    body = f"{REMINDER}\n# split each line\n{SPLIT}words.countByValue().pprint()\n"
    result = native_result(socket_program(body))
    new = new_text(result)
    assert "# split each line" in new
    for line in REMINDER.splitlines():
        assert line.strip("# ") == "" or line not in new, line
        assert is_kept_or_noted(result, line)


def test_it_goes_also_above_a_statement_that_stays() -> None:
    body = f"{SPLIT}{REMINDER}\nlimit = 3\nwords.countByValue().pprint(limit)\n"
    assert "reminder" not in native_socket(body)


def test_it_stays_where_there_are_rdds() -> None:
    body = f"import os\n{REMINDER}\nlines.map(os.stat).filter(lambda s: s.st_size % 2).pprint()\n"
    assert REMINDER in native_socket(body)


@pytest.mark.parametrize(
    "text",
    [
        "# split each line:\n#   line.split(' ')",
        "# a key of a sort:\n#   sorted(words, key=lambda word: word.lower())",
        "# words:\n#   words.flatMap(lambda line: ...\n",
        "# words.flatMap(lambda line: line.split())\n#   is slow",
        "# as in the lecture\n#   words.flatMap(lambda line: line.split())",
        "# first:\n#   words.flatMap(lambda line: line.split())\n# and more",
    ],
)
def test_prose_about_something_else_stays(text: str) -> None:
    assert not explains_old_code(text.splitlines())


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("# 1. Drop short ones:  .filter(lambda w: len(w) > 2)", "# 1. Drop short ones"),
        ("# in lower case: words = words.map(lambda w: w.lower())", "# in lower case"),
        ("# Sort the counts:\n#    .transform(lambda rdd: rdd.sortBy(len))", "# Sort the counts\n"),
        ("# in lower case: w.lower()", None),
        ("# TODO: words.map(lambda w: w.lower())", None),
        ("# else: words.map(lambda w: w.lower())", None),
        ("# sort them: sorted(words, key=lambda w: w.lower())", None),
        ("# Sort the counts:\n# .transform(lambda rdd: rdd.sortBy(len))", None),
        ("# Sort the counts:\n#    words.pprint()", None),
    ],
)
def test_code_behind_a_colon_goes_with_it(text: str, new: str | None) -> None:
    assert without_quoted(text.splitlines()) == (text if new is None else new).split("\n")


def test_what_is_done_stays_without_how_it_was() -> None:
    body = """\
# 1. Take the words we want: .filter(lambda word: word in wanted)
# 2. Sort them using transform transformation:
#      .transform(lambda rdd: rdd.sortBy(lambda word: word))
words = lines.filter(lambda word: word in ["a", "b"])
words.countByValue().pprint()
"""
    new = native_socket(body)
    assert "# 1. Take the words we want\n" in new
    assert "# 2. Sort them\n" in new
    assert "lambda" not in new
