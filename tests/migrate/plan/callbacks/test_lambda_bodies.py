"""Lambdas of `foreachRDD` whose body is a choice, or a call with new arguments, as statements."""

from __future__ import annotations

import pytest

from tests.migrate.codemod.written import native_socket


@pytest.mark.parametrize(
    ("body", "new"),
    [
        (
            "print(rdd.count()) if rdd.count() > 2 else print('few')",
            "    if batch.count() > 2:\n        print(batch.count())\n    else:\n        print('few')\n",
        ),
        (
            "None if rdd.isEmpty() else print(rdd.count())",
            "    if not batch.isEmpty():\n        print(batch.count())\n",
        ),
        (
            "print(rdd.count()) if rdd.count() else False",
            "    if batch.count():\n        print(batch.count())\n    batch.unpersist()\n",
        ),
        (
            "print(rdd.count()) if rdd.count() != 2 else None",
            "    if batch.count() != 2:\n        print(batch.count())\n",
        ),
    ],
)
def test_a_choice_is_a_branch(body: str, new: str) -> None:
    assert new in native_socket(f"lines.foreachRDD(lambda rdd: {body})\n")


def test_new_arguments_of_a_call_are_broken_over_lines() -> None:
    fields = ", ".join(f"field{number}=line[{number}]" for number in range(9))
    rows = f"rdd.map(lambda line: Row({fields})).toDF()"
    text = native_socket(
        "from pyspark.sql import Row\n"
        "def show(df):\n"
        "    df.show()\n"
        f"lines.map(lambda line: line.split(',')).foreachRDD(lambda rdd: show({rows}))\n"
    )
    call = text[text.index("    show(\n") :]
    assert '            F.col("value")[8].alias("field8"),\n' in call
    assert max(map(len, call.splitlines())) < 110


def test_a_lambda_with_a_name_of_its_own_stands_in_place() -> None:
    text = native_socket("show = lambda rdd: print(rdd.count())\nlines.map(len).foreachRDD(show)\n")
    assert "    print(" in text and "count())" in text
    assert "show" not in text and ".rdd" not in text


def test_a_lambda_that_is_called_elsewhere_too_stays() -> None:
    shown = "show = lambda rdd: print(rdd.count())\nshow(sc.parallelize([1]))\n"
    text = native_socket(f"{shown}lines.map(len).foreachRDD(show)\n")
    assert "show = lambda rdd: print(rdd.count())" in text and "    show(" in text


def test_a_second_name_of_a_callback_is_followed() -> None:
    text = native_socket(
        "def save(rdd):\n    for line in rdd.collect():\n        print(line)\nprocess = save\n"
        "lines.foreachRDD(process)\n"
    )
    assert "for (line,) in batch.collect()" in text and "foreachBatch(process)" in text
