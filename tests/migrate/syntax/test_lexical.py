"""Strings and comments, as `tokenize` finds them in the standard library and in what is hard to read."""

from __future__ import annotations

import sysconfig
import tokenize
from pathlib import Path

import pytest

from migrate.syntax.lexical import Piece, indents, pieces, tokens

LIBRARY = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
HARD = [
    "x = '#'  # a \"comment\"\n",
    "x = \"it's\" + 'a \\' quote' + '\\\\'  # end\n",
    'x = """a # b\n"quoted" \\""" c"""  # d\n',
    "x = r'\\'  # raw'\ny = b'#' rb'\\''\n",
    "x = '''a\r\n# b'''\r\n# c\r\n",
    "x = 'a\\\nb'  # continued\n",
    'x = \'\'  # empty\ny = """"""  # too\n',
    "é = 'é'  # é\n",
    "# no end",
    "",
]


def _by_tokenize(source: str) -> list[Piece]:
    kinds = (tokenize.STRING, tokenize.COMMENT)
    return [Piece(*token.start, token.string) for token in tokens(source) if token.type in kinds]


@pytest.mark.parametrize("source", HARD)
def test_what_is_hard_to_read(source: str) -> None:
    assert list(pieces(source)) == _by_tokenize(source)


def test_the_standard_library() -> None:
    assert len(LIBRARY) > 100
    for path in LIBRARY:
        with tokenize.open(path) as file:
            source = file.read()
        assert list(pieces(source)) == _by_tokenize(source), path


def test_blocks_and_what_they_add() -> None:
    source = (
        "class A:  # a class\n\n  # below\n  def f(self):\n    if x: return\n    else:\n"
        "        y = {\n 1: 2}\n\tz\nelse = 1\n"
    )
    assert indents(source) == ["  ", "  ", "    "]
    assert indents("def f():\r\n\treturn 1\r\n") == ["\t"]
