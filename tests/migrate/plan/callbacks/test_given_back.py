"""Callbacks that return their RDD, which nobody reads, and those that do nothing with it but print it."""

from __future__ import annotations

import textwrap

from tests.migrate.programs import file, socket_program

ENDS = "rows = rdd.collect()\nif rows:\n    print(rows)\n    return rdd\nreturn rdd\n"


def callback(body: str, output: str = "lines.foreachRDD(show)") -> str:
    """The new program of a callback with that body."""
    code = f"def show(rdd):\n{textwrap.indent(body, '    ')}"
    return file(socket_program(f"{code}\n{output}")).new


def test_what_it_returns_is_the_dataframe_now() -> None:
    new = callback(ENDS)
    assert new.count("return batch\n") == 2
    assert 'rows = [row["value"] for row in batch.collect()]' in new
    assert ".rdd" not in new


def test_a_lambda_calls_it() -> None:
    new = callback(ENDS, "lines.foreachRDD(lambda rdd: show(rdd))")
    assert new.count("return batch\n") == 2
    assert ".rdd" not in new


def test_of_what_is_made_of_it_an_rdd_is_left() -> None:
    assert "batch.rdd" in callback("print(rdd.collect())\nreturn rdd.map(len)\n")


def test_a_function_that_another_one_reads_keeps_its_rdd() -> None:
    outputs = "lines.foreachRDD(show)\nlines.foreachRDD(lambda rdd: print(show(rdd).count()))"
    assert "def show(rdd):" in callback(ENDS, outputs)


def test_it_only_prints_what_it_is_given() -> None:
    new = callback("print(rdd)\n")
    assert "def show(batch, batch_id):\n    print(batch)\n" in new
    assert ".foreachBatch(show)" in new
