"""Lines continued by a backslash, wherever Python lets one stand: LibCST leaves some of them out."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator

import pytest

from migrate.codemod.changes import UnwritableError
from migrate.codemod.source import Source
from migrate.syntax.nodes import parses

STATEMENTS = (
    "a = b = c",
    "a: int = 1",
    "a += b + c // d @ e",
    "a; b; c;  # d",
    "a.b(c, *d, e=f, **g)[h:i:j, k] = -l ** ~m",
    "a = b if c else not d and e or f is not g not in h <= i",
    "a = [b async for c, *d in e if f], {**g, h: i}, {j, *k}, (l for m in n), (o,)",
    "a = lambda b, /, c=1, *d, e, **f: (g := h)",
    "a = 'b' \"c\" f'{d!r:>{e}}' rb'f'[...]",
    "import a.b as c, d",
    "from ..a.b import c as d, e",
    "from . import (a, b)",
    "from a import *",
    "del a, b",
    "assert a, b",
    "raise A from b",
    "global a, b",
    "if a and b:\n    pass\nelif c:\n    d\nelse:\n    e; f",
    "if a: b",
    "for a, b in c:\n    break\nelse:\n    continue",
    "while a:\n    pass",
    "with a as b, c as d:\n    pass",
    "with (a as b, c):\n    pass",
    "try:\n    a\nexcept (A, B) as c:\n    d\nexcept E:\n    f\nexcept:\n    g",
    "try:\n    a\nexcept (B,\n        C):\n    d",
    "try:\n    a\nfinally:\n    b",
    "try:\n    a\nexcept* A:\n    b",
    "@a.b(c)\nclass A(B, c=D):\n    e = f",
    "@a\ndef f(a, b: int = 1, *c: d, e=2, **g) -> h:\n    nonlocal i\n    return a\n    yield b",
    "async def f():\n    a = await b\n    async for c in d:\n        pass\n    async with e as f:\n        g",
    "match a, b:\n    case 1 | [c, *d] if e:\n        f",
    "match a:\n    case A(b, c=d) as e:\n        f\n    case {'g': h, **i}:\n        j",
    "type A[B: C, *D, **E] = F",
)


def _continued(text: str) -> Iterator[str]:
    """The text with one line more, at each place in turn where that changes nothing."""
    rows = text.splitlines(keepends=True)
    same = ast.dump(ast.parse(text))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        for row, column in {token.start, token.end}:
            if row <= len(rows):
                line = rows[row - 1]
                new = "".join([*rows[: row - 1], f"{line[:column]} \\\n {line[column:]}", *rows[row:]])
                if parses(new) and ast.dump(ast.parse(new)) == same:
                    yield new


@pytest.mark.parametrize("statement", STATEMENTS)
def test_every_place_of_a_continued_line(statement: str) -> None:
    if not parses(statement):
        pytest.skip("newer than this Python")
    texts = set(_continued(statement + "\n"))
    assert texts
    for text in texts:
        try:
            source = Source(text)
        except UnwritableError:
            continue  # the file is left as it is
        assert source.restored(source.module.code) == text
