"""What the report says of printed batches: a table of rows for columns, elements for RDD code."""

from __future__ import annotations

import pytest

from migrate.model import Options
from migrate.rules.pprint import ELEMENTS, NO_HEADER
from tests.migrate.programs import run, socket_program


@pytest.mark.parametrize(
    ("body", "said"),
    [
        pytest.param("lines.pprint()", {NO_HEADER}, id="columns"),
        pytest.param("lines.map(weird).pprint()", {ELEMENTS}, id="RDD code"),
        pytest.param("lines.pprint()\nlines.map(weird).pprint()", {NO_HEADER, ELEMENTS}, id="both"),
    ],
)
def test_only_columns_are_printed_as_a_table(body: str, said: set[str]) -> None:
    (graph,) = run(socket_program(body)).graphs
    assert {NO_HEADER, ELEMENTS} & {*graph.notes} == said


def test_nothing_is_said_where_the_old_text_is_kept() -> None:
    (graph,) = run(socket_program("lines.pprint()"), Options(pprint_exact=True)).graphs
    assert not {NO_HEADER, ELEMENTS} & {*graph.notes}
