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
