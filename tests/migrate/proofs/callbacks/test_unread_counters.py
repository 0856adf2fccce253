"""Counters of batches that nothing reads: they need no batch in an interval without input."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options
from tests.migrate.codemod.written import native
from tests.migrate.programs import module, socket_program

CALLBACK = """\
batches = 0

def show(rdd):
    global batches
    {count}
    if not rdd.isEmpty():
        print(len(rdd.collect()){more})

lines.foreachRDD(show)"""


def written(count: str = "batches += 1", more: str = "") -> str:
    return native(socket_program(CALLBACK.format(count=count, more=more)))


def test_one_that_nothing_reads_needs_no_batch_in_every_interval() -> None:
    new = written()
    assert "every_interval" not in new and "if batch_id == 0" not in new
    assert "    batches += 1\n" in new


@pytest.mark.parametrize(
    ("count", "more"),
    [
        ("batches += 1", ", batches"),
        ("batches += 1", ", globals()"),
        ("batches += step()", ""),
        ("batches = batches + 1", ""),
        ("batches += 1\n    batches = {}", ""),
    ],
    ids=["read", "by name", "a call", "reads itself", "no number"],
)
def test_any_other_does(count: str, more: str) -> None:
    assert ".transform(every_interval)" in written(count, more)


def test_so_does_one_that_another_module_may_read() -> None:
    program = socket_program(CALLBACK.format(count="batches += 1", more=""))
    other = module("from job import batches\n\nprint(batches)\n", "other.py")
    files = migrate([module(program), other], Options()).files
    assert ".transform(every_interval)" in files[0].new
