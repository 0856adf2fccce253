"""Callbacks that cache their RDDs, and free them."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, native_body, socket_program

COUNTS = "rdd.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)"


def callback(*lines: str) -> str:
    """The new text of a program with a callback of these lines."""
    body = "\n    ".join(("def show(rdd):", *lines))
    return str(file(socket_program(f"{body}\nlines.foreachRDD(show)")).new)


@pytest.mark.parametrize("cache", ["rdd.cache()", "rdd.persist()", "rdd.persist(StorageLevel.DISK_ONLY)"])
def test_the_batch_needs_no_cache_of_the_callback(cache: str) -> None:
    new = callback(cache, "print(rdd.count())", "print(rdd.take(3))", "rdd.unpersist()")
    assert new.count("batch.persist()") == new.count("batch.unpersist()") == 1
    assert "    print(batch.count())\n" in new
    assert "StorageLevel" not in new
    assert "rdd" not in new


def test_columns_of_it_need_none_either() -> None:
    new = callback("longer = rdd.map(lambda w: w + '!').cache()", "print(longer.count(), longer.take(3))")
    assert 'longer = batch.select(F.concat("value", F.lit("!")).alias("longer"))\n' in new
    assert ".rdd" not in new


@pytest.mark.parametrize("freed", ["counts.unpersist()", "print('done')"])
def test_what_shuffles_is_computed_once(freed: str) -> None:
    new = callback(f"counts = {COUNTS}.cache()", "print(counts.count(), counts.collect())", freed)
    assert 'counts = batch.groupBy("value").count().localCheckpoint()\n' in new
    assert "counts.unpersist()" not in new


def test_a_cache_for_one_action_is_left_out() -> None:
    new = native_body(f"lines.foreachRDD(lambda rdd: print({COUNTS}.cache().count()))")
    assert 'print(batch.groupBy("value").count().count())' in new


@pytest.mark.parametrize(
    "lines",
    [
        (f"counts = {COUNTS}", "counts.cache()", "print(counts.count(), counts.collect())"),
        ("print(rdd.count())", "if rdd.count() > 3:", "    rdd.unpersist()"),  # nothing else is in the branch
    ],
)
def test_rdd_code_keeps_other_caches(lines: tuple[str, ...]) -> None:
    assert ".rdd" in callback(*lines)
