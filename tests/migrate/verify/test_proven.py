"""Runs that prove nothing, or not all."""

from __future__ import annotations

from migrate.verify.compare import compare
from migrate.verify.proven import NO_RECORDS, SILENT, notes_on, unproven


def test_headers_without_records_prove_nothing(pages, masks):
    old = pages.run(*(pages.batch(n, pages.pprint()) for n in range(2)))
    new = pages.run(*(pages.batch(n, partials=[pages.taken(limit=10)]) for n in range(2)))
    silent = pages.run(*map(pages.batch, range(2)))
    assert unproven(old, silent, compare(old, silent, masks)) == [NO_RECORDS]
    assert unproven(old, old, compare(old, old, masks)) == []
    assert unproven(silent, silent, compare(silent, silent, masks)) == [SILENT]
    assert unproven(old, new, compare(old, new, masks)) == []


def test_headers_beside_records_are_a_note(pages, masks):
    old = pages.run(pages.batch(0, pages.pprint(), "a\n"), pages.batch(1, pages.pprint(), "b\n"))
    new = pages.run(pages.batch(0, "a\n"), pages.batch(1, "b\n"))
    found = compare(old, new, masks)
    assert unproven(old, new, found) == []
    (note,) = notes_on(found)
    assert note.startswith("batch 0, batch 1: an output without records in any batch has no header")
