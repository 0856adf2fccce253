"""Texts that go through LibCST and come back byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.codemod.source import Source, deep

ENDS = ("\n", "\r\n", "\r")
TEXTS = [
    "",
    "\n\n",
    "a = 1",
    "\fa = 1\n\f\nb = 2\n",
    "a = '''x\ny'''\r\nb = 1\r\n",
    "a = 1 + \\\r\n  2\nb = 3\r",
    "a = " + " + ".join("a" * 490) + "\n",
    "a" + ".b()" * 240 + "\n",
    "try:\n    a\nexcept KeyboardInterrupt \\\n:\n    b\n",
    "# c\r\n\r\n# d\n",
    "if a:\r\tb\r",
]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_nothing_changes(text: str) -> None:
    source = Source(text)
    with deep():
        assert source.restored(source.module.code) == text


@given(st.lists(st.tuples(st.sampled_from(["a = 1", "# b", "", "c(d)"]), st.sampled_from(ENDS))))
def test_any_line_ends(lines: list[tuple[str, str]]) -> None:
    text = "".join(line + end for line, end in lines)
    source = Source(text)
    assert source.restored(source.module.code) == text


def test_new_lines_end_as_most_do() -> None:
    source = Source("a = 1\r\nb = 2\nc = 3\r\n")
    assert source.restored("a = 1\nnew = 0\nb = 2\nc = 3\n") == "a = 1\r\nnew = 0\r\nb = 2\nc = 3\r\n"


def test_a_continued_line_stays_beside_what_changes() -> None:
    source = Source("try:\n    a\nexcept KeyboardInterrupt \\\n:\n    b\nc\n")
    new = source.module.code.replace("    a", "    d").replace("c\n", "")
    assert source.restored(new) == "try:\n    d\nexcept KeyboardInterrupt \\\n:\n    b\n"
