"""Names for new code where the program has taken the first one that comes to mind."""

from __future__ import annotations

import pytest

from migrate.model import Options
from tests.migrate.programs import file, socket_program, whole_program

TAKEN = {
    "batch": (
        "batch = 500\nprint(batch)\nlines.count().pprint()",
        "def process_batch(micro_batch, batch_id):",
    ),
    "query": ("query = 'select 1'\nprint(query)\nlines.pprint()", "streaming_query.awaitTermination()"),
    "queue": (
        "queue = [sc.parallelize([1])]\nnumbers = ssc.queueStream(queue)\nnumbers.pprint()\nprint(queue)",
        "waiting = list(queue)",
    ),
}


@pytest.mark.parametrize(("body", "name"), TAKEN.values(), ids=TAKEN)
def test_another_word_stands_for_a_name_that_is_taken(body: str, name: str) -> None:
    new = file(whole_program(body)).new
    assert name in new
    assert "_2" not in new


def test_another_word_stands_for_the_name_of_a_helper() -> None:
    body = "from pprint import pprint\npprint(1)\nlines.map(weird).pprint()"
    assert "    print_batch(rdd, batch_time)" in file(socket_program(body), Options(pprint_exact=True)).new


def test_there_is_a_number_where_that_is_taken_too() -> None:
    body = "pprint = print_batch = None\nprint(pprint, print_batch)\nlines.map(weird).pprint()"
    assert "pprint_2(rdd, batch_time)" in file(socket_program(body), Options(pprint_exact=True)).new
