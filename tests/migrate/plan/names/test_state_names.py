"""Names for what is kept from batch to batch."""

from __future__ import annotations

from tests.migrate.programs import native_body

SUM = "updateStateByKey(lambda new, old: sum(new) + (old or 0))"
PARSED = 'parts = lines.map(lambda line: line.split(","))\n'
SHOPS = f"parts.map(lambda part: (part[0], 1)).{SUM}.pprint()\n"
TOWNS = f"parts.map(lambda part: (part[1], 1)).{SUM}.pprint()\n"


def test_a_variable_that_held_none_and_that_nothing_reads_names_the_state_of_its_chain() -> None:
    new = native_body(f"{PARSED}shops = {SHOPS}towns = {TOWNS}")
    assert "global shops, towns\n" in new
    assert "added_shops = " in new and "added_towns = " in new


def test_one_that_is_bound_again_does_not() -> None:
    new = native_body(f"{PARSED}shops = {SHOPS}towns = {TOWNS}shops = 3\n")
    assert "global totals, towns\n" in new


def test_states_of_two_streams_are_told_apart_by_these() -> None:
    streams = "shops = parts.map(lambda p: (p[0], 1))\ntowns = parts.map(lambda p: (p[1].upper(), 1))\n"
    new = native_body(f"{PARSED}{streams}shops.{SUM}.pprint()\ntowns.{SUM}.pprint()\n")
    assert "global totals, towns_totals\n" in new


def test_what_a_window_groups_is_no_total() -> None:
    new = native_body(
        "pairs = lines.map(lambda line: (line[:1], line))\npairs.groupByKeyAndWindow(10).pprint()"
    )
    assert "global grouped\n" in new and "totals" not in new
