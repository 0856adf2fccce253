"""Columns of lone values have the program's name for an element: of the stream, or of what reads it next."""

from __future__ import annotations

import pytest

from tests.migrate.programs import native_body

READER = "def known(word):\n    return word.title() == word\n"


@pytest.mark.parametrize(
    ("made", "read", "name"),
    [
        ("words", "map(lambda term: (term, 1))", "word"),
        ("flat", "map(lambda word: (word, 1))", "word"),
        ("flat", "filter(known)", "word"),
        # no names for an element
        ("flat", "map(lambda w: (w, 1))", "flat"),
        ("flat", "map(lambda pair: (pair, 1))", "flat"),
        ("flat", "map(lambda word, n=1: (word, n))", "flat"),
    ],
)
def test_the_reader_names_an_element_that_the_stream_does_not(made: str, read: str, name: str) -> None:
    stream = f"{READER}{made} = lines.flatMap(lambda line: line.split(' '))\n"
    body = f"{stream}{made}.{read}.pprint()\n{made}.pprint()"
    assert f'.alias("{name}")' in native_body(body).replace("'", '"')


def test_so_does_a_function_of_lists() -> None:
    body = "def long(row):\n    return len(set(row)) > 3\n"
    body += "lines.map(lambda line: line.split(',')).filter(long).map(lambda x: x[1]).pprint()"
    assert '.alias("row")' in native_body(body).replace("'", '"')
