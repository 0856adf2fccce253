"""The names in new code."""

from __future__ import annotations

import pytest

from migrate.syntax.code_names import members, names_in_code, variables, with_names, words, words_of_texts

CODE = "df = batch.rdd.map(F.lit(\"a F\", 'it')).toDF()"


def test_names_of_a_kind() -> None:
    assert words(CODE) == {"df", "batch", "rdd", "map", "F", "lit", "a", "it", "toDF"}
    assert variables(CODE) == {"df", "batch", "F", "a", "it"}
    assert members(CODE) == {"rdd", "map", "lit", "toDF"}
    assert names_in_code(CODE) == {"df", "batch", "rdd", "map", "F", "lit", "toDF"}
    assert words_of_texts(CODE) == {"a", "F", "it"}


def test_several_codes() -> None:
    assert words("a", "b.c") == {"a", "b", "c"}
    assert words() == members() == set()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("df.show()", "rows.show()"),
        ("x.df + df2", "x.df + df2"),
        ("show(\"df\", 'df', df)", "show(\"df\", 'df', rows)"),
        ('"""\ndf\n""" + df', '"""\ndf\n""" + rows'),
        (r'"\"df" + df', r'"\"df" + rows'),
    ],
)
def test_other_names(code: str, expected: str) -> None:
    assert with_names(code, {"df": "rows"}) == expected
