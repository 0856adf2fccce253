"""What counts as a difference, on recordings made by hand."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from migrate.verify.compare import compare
from migrate.verify.recording import Recording
from migrate.verify.result import BatchResult, Difference

COUNTS = [("a", 3), ("b", 2), ("c", 2), ("d", 1)]


@pytest.fixture
def differences(masks):
    def of(old: Recording, new: Recording) -> list[tuple[str, Difference]]:
        return [(batch.name, found) for batch in compare(old, new, masks) for found in batch.differences]

    return of


def results_of(old: Recording, new: Recording, masks: Any) -> dict[str, BatchResult]:
    return {batch.name: batch for batch in compare(old, new, masks)}


def test_the_same_text_is_equal(pages, differences):
    run = pages.run(pages.batch(0, "hello\n"), before="start\n", after="end\n")
    assert differences(run, run) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a\nb\n", "b\na\n"),
        ("a\n", "a\na\n"),
        ("a\n", ""),
        ("a \n", "a\n"),
        ("3\n", "3.0\n"),
    ],
    ids=["order", "duplicate", "nothing", "white space", "another type"],
)
def test_text_is_compared_exactly(pages, differences, old, new):
    found = differences(pages.run(pages.batch(0, old)), pages.run(pages.batch(0, new)))
    assert [name for name, _ in found] == ["batch 0"]


def test_the_first_differing_line_is_shown(pages, differences):
    ((_, found),) = differences(pages.run(pages.batch(0, "a\nb\nc\n")), pages.run(pages.batch(0, "a\nx\n")))
    assert (found.where, found.expected, found.came) == ("printed line 2", "b\nc", "x")


def test_text_before_and_after_the_batches_counts(pages, differences):
    old, new = pages.run(before="a\n", after="[1, 2]\n"), pages.run(before="b\n", after="[1]\n")
    assert [name for name, _ in differences(old, new)] == ["before the first batch", "after the last batch"]


@pytest.mark.parametrize(
    ("rows", "runs", "same"), [((), 1, True), ((("a", 1),), 1, False), ((), None, False)]
)
def test_a_query_may_show_that_its_first_micro_batch_has_no_rows(pages, differences, rows, runs, same):
    old, new = pages.run(before="a\n"), pages.run()
    new.before = pages.batch(-1, "a\n", pages.show(*rows), rows=0, runs=runs)
    assert [name for name, _ in differences(old, new)] == ([] if same else ["before the first batch"])


def test_pprint_equals_show_by_its_rows(pages, differences):
    old, new = pages.pprint(*COUNTS), pages.show(*COUNTS)
    assert differences(pages.run(pages.batch(0, "x\n", old)), pages.run(pages.batch(0, "x\n", new))) == []


def test_a_nested_record_equals_the_row_of_its_values(pages, differences):
    old, new = pages.pprint((("a", "x"), 1)), pages.show(("a", "x", 1), columns="kvn")
    assert differences(pages.run(pages.batch(0, old)), pages.run(pages.batch(0, new))) == []


@pytest.mark.parametrize(
    ("old", "new", "same"), [("5", 5, True), (5, "5", True), ("05", 5, False), (1, True, False)]
)
def test_a_text_alone_equals_the_number_that_is_printed_alike(pages, differences, old, new, same):
    printed, table = pages.pprint(old), pages.show((new,), columns=["sum"])
    found = differences(pages.run(pages.batch(0, printed)), pages.run(pages.batch(0, table)))
    assert (found == []) is same


def test_a_scalar_equals_a_row_of_one_column(pages, differences):
    old, new = pages.pprint("a", "b"), pages.show(("a",), ("b",), columns=["word"])
    assert differences(pages.run(pages.batch(0, old)), pages.run(pages.batch(0, new))) == []


@pytest.mark.parametrize(
    ("rows", "expected", "came"),
    [
        ([("a", 3), ("b", 2), ("c", 2)], "('d', 1)", "(no other row)"),
        ([*COUNTS, ("d", 1)], "(no other row)", "('d', 1)"),
        ([("a", 6), ("b", 2), ("c", 2), ("d", 1)], "('a', 3)", "('a', 6)"),
        ([("a", 3.0), ("b", 2), ("c", 2), ("d", 1)], "('a', 3)", "('a', 3.0)"),
    ],
    ids=["lost key", "duplicate", "running total", "another type"],
)
@pytest.mark.parametrize("shown", [10, 2], ids=["all shown", "two shown"])
def test_every_row_of_a_display_counts_whether_shown_or_not(pages, differences, rows, expected, came, shown):
    old, new = pages.pprint(*COUNTS, limit=shown), pages.pprint(*rows, limit=shown)
    ((_, found),) = differences(pages.run(pages.batch(0, old)), pages.run(pages.batch(0, new)))
    assert (found.where, found.expected, found.came) == ("rows of pprint", expected, came)


def test_ties_of_a_sort_may_stand_in_any_order(pages, differences):
    old = pages.pprint(("a", 3), ("b", 2), ("c", 2), ties=[0, 1, 1])
    new = pages.show(("a", 3), ("c", 2), ("b", 2), ties=[0, 1, 1])
    assert differences(pages.run(pages.batch(0, old)), pages.run(pages.batch(0, new))) == []


def test_a_finer_sort_keeps_the_order(pages, differences):
    old = pages.pprint(("a", 3), ("b", 2), ("c", 2), ties=[0, 1, 1])
    new = pages.show(("a", 3), ("c", 2), ("b", 2), ties=[0, 1, 2])
    assert differences(pages.run(pages.batch(0, old)), pages.run(pages.batch(0, new))) == []


@pytest.mark.parametrize(
    ("rows", "ties", "where"),
    [
        ([("c", 1), ("b", 2), ("a", 3)], [0, 1, 2], "order of pprint against show, row 1"),
        ([("a", 3), ("c", 1), ("b", 2)], [0, 1, 2], "order of pprint against show, row 2"),
        ([("a", 3), ("b", 2), ("c", 1)], None, "order (not sorted any more) of pprint against show, row 1"),
        ([("b", 2), ("a", 3), ("c", 1)], [0, 0, 0], "order of pprint against show, row 1"),
    ],
    ids=["reversed", "other order", "dropped", "coarser"],
)
def test_a_lost_sort_is_a_difference(pages, differences, rows, ties, where):
    old = pages.pprint(("a", 3), ("b", 2), ("c", 1), ties=[0, 1, 2])
    new = pages.show(*rows, ties=ties)
    ((_, found),) = differences(pages.run(pages.batch(0, old)), pages.run(pages.batch(0, new)))
    assert found.where == where


def test_a_sort_that_the_old_program_has_not_is_no_difference(pages, differences):
    old, new = pages.pprint(*COUNTS), pages.show(*reversed(COUNTS), ties=[0, 1, 1, 2])
    assert differences(pages.run(pages.batch(0, old)), pages.run(pages.batch(0, new))) == []


def test_another_number_of_rows_shown_is_a_difference(pages, differences):
    old, new = pages.pprint(*COUNTS, limit=2), pages.show(*COUNTS, limit=20)
    ((_, found),) = differences(pages.run(pages.batch(0, old)), pages.run(pages.batch(0, new)))
    assert (found.where, found.expected, found.came) == ("rows shown by pprint against show", "2", "4")


def test_a_limit_beyond_the_rows_is_no_difference(pages, differences):
    old, new = pages.pprint(*COUNTS, limit=10), pages.show(*COUNTS, limit=20)
    assert differences(pages.run(pages.batch(0, old)), pages.run(pages.batch(0, new))) == []


def test_two_tables_must_have_the_same_columns(pages, differences):
    old, new = pages.show(*COUNTS), pages.show(*COUNTS, columns=["word", "n"])
    ((_, found),) = differences(pages.run(pages.batch(0, old)), pages.run(pages.batch(0, new)))
    assert found.where == "columns of show"


def test_cut_cells_are_a_difference_where_they_cut(pages, differences):
    row = ("a word of more than twenty letters", 1)
    old = pages.pprint(row)
    ((_, found),) = differences(
        pages.run(pages.batch(0, old)), pages.run(pages.batch(0, pages.show(row, truncate=20)))
    )
    assert found.where == "cells of pprint against show"
    short = pages.run(pages.batch(0, pages.show(("a", 1), truncate=20)))
    assert differences(pages.run(pages.batch(0, pages.pprint(("a", 1)))), short) == []


def test_pprint_against_the_same_text_printed_by_hand(pages, differences):
    rule = "-" * 43
    text = f"{rule}\nTime: 2026-05-01 12:00:01\n{rule}\n('a', 3)\n('b', 2)\n...\n\n"
    old = pages.run(pages.batch(0, pages.pprint(("a", 3), ("b", 2), ("c", 1), limit=2)))
    assert differences(old, pages.run(pages.batch(0, text))) == []
    assert differences(old, pages.run(pages.batch(0, text.replace("3", "4"))))


def test_batch_times_are_masked_and_other_times_are_data(pages, differences):
    old = pages.run(pages.batch(0, "at 2026-05-01 12:00:01\n"))
    assert differences(old, pages.run(pages.batch(0, "at 2026-05-01 12:03:07.123456\n"))) == []
    old = pages.run(pages.batch(0, "at 2024-01-01 12:00:01\n"))
    assert differences(old, pages.run(pages.batch(0, "at 2024-01-01 12:00:02\n")))


def test_times_within_rows_are_masked(pages, differences):
    old = pages.run(pages.batch(0, pages.pprint(("2026-05-01 12:00:01", 1))))
    assert differences(old, pages.run(pages.batch(0, pages.show(("2026-05-01 12:02:02.5", 1))))) == []


# --- batches that are missing, or too many -----------------------------------------------------------------


def test_a_missing_batch_with_input_is_a_difference(pages, differences):
    old, new = pages.run(pages.batch(0, "a\n")), pages.run(pages.batch(0, runs=0))
    ((name, found),) = differences(old, new)
    assert name == "batch 0"
    assert found.came.endswith("(no micro-batch ran)")


def test_a_missing_batch_without_input_is_listed(pages, masks):
    old, new = pages.run(pages.batch(0, "0\n", rows=0)), pages.run(pages.batch(0, rows=0, runs=0))
    batch = results_of(old, new, masks)["batch 0"]
    assert batch.missing
    assert not batch.differences


def test_an_empty_batch_that_does_run_must_be_equal(pages, differences):
    first = pages.batch(0, "1\n")
    old = pages.run(first, pages.batch(1, "0\n", rows=0))
    assert differences(old, pages.run(first, pages.batch(1, "1\n", rows=0, runs=1)))
    assert differences(old, pages.run(first, pages.batch(1, rows=0, runs=1)))


def test_new_code_may_pass_over_the_micro_batch_that_a_query_starts_with(pages, masks, differences):
    old = pages.run(pages.batch(0, "0\n", rows=0))
    batch = results_of(old, pages.run(pages.batch(0, rows=0, runs=1)), masks)["batch 0"]
    assert batch.missing
    assert differences(old, pages.run(pages.batch(0, "1\n", rows=0, runs=1)))
    with_input = pages.run(pages.batch(0, "0\n", rows=1))
    assert differences(with_input, pages.run(pages.batch(0, rows=1, runs=1)))


def test_a_pprint_without_records_may_go_with_its_batch(pages, masks):
    first = pages.batch(0, "1\n")
    old = pages.run(first, pages.batch(1, pages.pprint(), rows=0))
    batch = results_of(old, pages.run(first, pages.batch(1, rows=0, runs=1)), masks)["batch 1"]
    assert batch.missing
    assert not batch.differences


def test_a_pprint_with_records_may_not(pages, differences):
    first = pages.batch(0, "1\n")
    old = pages.run(first, pages.batch(1, pages.pprint(("a", 1)), rows=0))
    assert differences(old, pages.run(first, pages.batch(1, rows=0, runs=1)))


def test_a_pprint_without_records_in_any_batch_may_have_no_header(pages, masks, differences):
    empty = pages.pprint()
    old = pages.run(*(pages.batch(n, "a\n", empty, pages.pprint(("b", 1)), rows=1) for n in range(2)))
    new = pages.run(*(pages.batch(n, "a\n", pages.show(("b", 1)), rows=1) for n in range(2)))
    results = results_of(old, new, masks)
    assert [results[f"batch {n}"].no_headers for n in range(2)] == [True, True]
    assert not differences(old, new)
    assert differences(old, pages.run(*(pages.batch(n, pages.show(("b", 1)), rows=1) for n in range(2))))
    assert differences(old, pages.run(*(pages.batch(n, "a\n", rows=1) for n in range(2))))
    shown = pages.run(pages.batch(0, empty, rows=1), pages.batch(1, pages.pprint(("a", 1)), rows=1))
    assert differences(shown, pages.run(pages.batch(0, rows=1), pages.batch(1, rows=1)))


def test_the_records_of_a_pprint_may_come_without_its_header(pages, differences):
    old = pages.run(pages.batch(0, pages.pprint(("a", 1)), pages.pprint(), pages.pprint(("b", 2)), rows=1))
    none = pages.taken(limit=10)
    assert not differences(old, pages.run(pages.batch(0, "('a', 1)\n('b', 2)\n", rows=1, partials=[none])))
    assert not differences(
        old, pages.run(pages.batch(0, "('a', 1)\n", pages.show(("b", 2)), rows=1, partials=[none]))
    )
    assert differences(old, pages.run(pages.batch(0, "('a', 1)\n", rows=1)))
    assert differences(old, pages.run(pages.batch(0, "('b', 2)\n('a', 1)\n", rows=1)))
    assert differences(old, pages.run(pages.batch(0, "('a', 1)\n('b', 2)\n('c', 3)\n", rows=1)))


def test_records_in_no_order_may_come_in_another_one(pages, differences):
    old = pages.pprint(("b", 1), ("a", 1))
    came = [pages.batch(0, text) for text in ("('a', 1)\n('b', 1)\n", "('b', 1)\n('b', 1)\n", "('a', 1)\n")]
    equal, twice, less = (differences(pages.run(pages.batch(0, old)), pages.run(one)) for one in came)
    assert not equal
    assert twice
    assert less


def test_a_value_that_is_printed_in_other_batches_may_be_none(pages, differences):
    old = pages.run(
        pages.batch(0, pages.pprint(5), pages.pprint(("a", 1)), rows=1),
        pages.batch(1, pages.pprint(), pages.pprint(("b", 2)), rows=1),
    )

    def new(first, second):
        shown = pages.show(("a", 1)), pages.show(("b", 2))
        return pages.run(pages.batch(0, first, shown[0], rows=1), pages.batch(1, second, shown[1], rows=1))

    assert not differences(old, new("5\n", ""))
    assert differences(old, new("5\n", "0\n"))
    assert differences(old, new("", ""))


def test_outputs_beside_one_that_printed_nothing_are_compared_with_their_own(pages, differences):
    """The first table without rows is not that of the value, and the last one not that of the loop."""
    outputs = pages.pprint(5), pages.pprint(("a", 1)), pages.pprint(("b", 2)), pages.pprint(("c", 3))
    none = pages.pprint()
    old = pages.run(
        pages.batch(0, *outputs, pages.pprint(("d", 4)), rows=1),
        pages.batch(1, none, none, outputs[2], none, none, rows=0),
    )

    def new(*last):
        shown = [pages.show(row) for row in (("a", 1), ("b", 2), ("c", 3))]
        loops = [pages.taken(("d", 4), limit=10)], [pages.taken(limit=10)]
        first = pages.batch(0, "5\n", *shown, "('d', 4)\n", rows=1, partials=loops[0])
        return pages.run(first, pages.batch(1, *last, rows=0, partials=loops[1]))

    empty, state = pages.show(), pages.show(("b", 2))
    assert not differences(old, new(empty, state, empty))
    assert differences(old, new(empty, pages.show(("b", 3)), empty))
    assert differences(old, new(empty, empty, empty))
    assert differences(old, new(state, empty))


def test_a_stream_of_batches_may_not_miss_an_empty_one(pages, differences):
    old, new = pages.run(pages.batch(0, "0\n", rows=0)), pages.run(pages.batch(0, rows=0))
    assert differences(old, new)


def test_two_micro_batches_for_one_are_a_difference(pages, differences):
    old = pages.run(pages.batch(0, pages.pprint(*COUNTS)))
    new = pages.run(pages.batch(0, pages.show(*COUNTS[:2]), pages.show(*COUNTS[2:]), runs=2))
    ((_, found),) = differences(old, new)
    assert found.came.endswith("(2 micro-batches ran)")


def test_a_run_that_stops_early_lacks_its_batches(pages, differences):
    both = pages.run(pages.batch(0, "a\n"), pages.batch(1, "a\n"), pages.batch(2, rows=0))
    one = pages.run(pages.batch(0, "a\n"))
    assert [(name, found.came) for name, found in differences(both, one)] == [("batch 1", "none")]
    assert [(name, found.came) for name, found in differences(one, both)] == [("batch 1", "an extra batch")]


def test_a_run_may_stop_before_a_batch_that_shows_nothing(pages, masks, differences):
    both = pages.run(pages.batch(0, "a\n"), pages.batch(1, pages.pprint(), rows=1))
    one = pages.run(pages.batch(0, "a\n"))
    batch = results_of(both, one, masks)["batch 1"]
    assert batch.missing and not batch.differences
    assert differences(one, both)


STREAM = "lines <pyspark.streaming.dstream.DStream object at 0x>\n"


def test_a_stream_that_is_printed_itself_may_be_gone(pages, differences):
    old, new = pages.run(before=f"a\n{STREAM}b\n"), pages.run(before="a\nb\n")
    assert differences(old, new) == []
    assert differences(old, pages.run(before="a\n"))
    assert differences(new, old)
    assert differences(old, pages.run(before=f"a\n{STREAM}{STREAM}b\n"))


# --- rows that were taken ----------------------------------------------------------------------------------


def test_rows_beyond_those_taken_count(pages, differences):
    old = pages.run(pages.batch(0, partials=[pages.taken(*COUNTS, limit=2)]))
    new = pages.run(pages.batch(0, partials=[pages.taken(*COUNTS[:3], limit=2)]))
    ((_, found),) = differences(old, new)
    assert (found.where, found.expected) == ("all rows that take took from", "('d', 1)")
    assert differences(old, old) == []


def test_rows_taken_for_another_purpose_are_not_held_against_each_other(pages, differences):
    old = pages.run(pages.batch(0, partials=[pages.taken("a", "b", limit=1)]))
    new = pages.run(pages.batch(0, partials=[pages.taken("a b", limit=1), pages.taken(*COUNTS, limit=2)]))
    assert differences(old, new) == []


# --- files -------------------------------------------------------------------------------------------------


def written(path: str, *rows: str, how: str = "added") -> dict[str, Any]:
    return {"path": path, "how": how, "rows": list(rows)}


def test_directories_named_after_the_batch_are_the_same(pages, differences):
    # The runs of the fixture are at noon local time.
    first, second = (
        int(datetime.datetime(2026, 5, 1, 12, 0, second).timestamp() * 1000) for second in (1, 7)
    )
    old = pages.run(pages.batch(0, files=[written(f"out-{first}", "a 1")]))
    assert differences(old, pages.run(pages.batch(0, files=[written(f"out-{second}", "a 1")]))) == []
    assert differences(old, pages.run(pages.batch(0, files=[written("out-1234567890123", "a 1")])))


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (written("out", "a 1"), "records of out"),
        (written("out", "a 1", "b 2", how="replaced"), "file out"),
        (written("elsewhere", "a 1", "b 2"), "file elsewhere"),
        ({"path": "out", "how": "added", "lines": ["a 1", "b 2"]}, "file out"),
    ],
    ids=["lost record", "overwritten", "elsewhere", "another kind"],
)
def test_files_are_compared(pages, differences, change, where):
    old = pages.run(pages.batch(0, files=[written("out", "a 1", "b 2")]))
    found = differences(old, pages.run(pages.batch(0, files=[change])))
    assert found[0][1].where == where


def test_records_that_were_not_sorted_may_come_in_any_order(pages, differences):
    old = pages.run(pages.batch(0, files=[written("out", "a 3", "b 2", "c 1")]))
    assert differences(old, pages.run(pages.batch(0, files=[written("out", "c 1", "a 3", "b 2")]))) == []


@pytest.mark.parametrize(
    ("rows", "equal"),
    [
        (["a 3", "c 2", "b 2", "d 1"], True),
        (["b 2", "a 3", "c 2", "d 1"], False),
        (["d 1", "c 2", "b 2", "a 3"], False),
    ],
    ids=["ties", "dropped", "reversed"],
)
def test_sorted_records_keep_their_sort(pages, differences, rows, equal):
    batch = pages.batch(0, files=[written("out", "a 3", "b 2", "c 2", "d 1")])
    batch.sorts["out"] = [0, 1, 1, 2]
    found = differences(pages.run(batch), pages.run(pages.batch(0, files=[written("out", *rows)])))
    assert [difference.where for _, difference in found] == ([] if equal else ["order of the records of out"])


def test_lines_of_a_plain_file_keep_their_order(pages, differences):
    old = pages.run(pages.batch(0, files=[{"path": "log", "how": "appended", "lines": ["a", "b", ""]}]))
    new = pages.run(pages.batch(0, files=[{"path": "log", "how": "appended", "lines": ["b", "a", ""]}]))
    ((_, found),) = differences(old, new)
    assert found.where == "file log, line 1"


PRINTED = "-" * 43 + "\nTime: 2026-05-01 12:00:01\n" + "-" * 43 + "\n{}\n\n"


def test_some_displays_may_be_printed_text_in_the_new_program(pages, differences):
    old = pages.run(pages.batch(0, "begin\n", pages.pprint(("a", 3)), pages.pprint("x", "y"), "end\n"))

    def new(record: str, *rows: str) -> Recording:
        shown = pages.show(*((row,) for row in rows), columns=["value"])
        printed: Recording = pages.run(pages.batch(0, "begin\n" + PRINTED.format(record), shown, "end\n"))
        return printed

    assert differences(old, new("('a', 3)", "y", "x")) == []
    assert differences(old, new("('a', 4)", "y", "x"))
    ((_, found),) = differences(old, new("('a', 3)", "y", "z"))
    assert found.where == "rows of pprint against show"


@pytest.mark.parametrize(
    "more", [("more\n",), ("", "show"), ("show",)], ids=["text", "a display after it", "a display"]
)
def test_nothing_may_be_left_over_beside_them(pages, differences, more):
    old = pages.run(pages.batch(0, pages.pprint(("a", 3)), pages.pprint("x")))
    shown = pages.show(("x",), columns=["value"])
    parts = [shown if part == "show" else part for part in more]
    new = pages.run(pages.batch(0, PRINTED.format("('a', 3)"), shown, *parts))
    assert differences(old, new)
