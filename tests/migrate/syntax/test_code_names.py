"""The names in new code."""

from __future__ import annotations

import pytest

from migrate.syntax.code_names import CodeNames, names_in_code, with_names

CODE = 'df = batch.rdd.map(F.lit("a F", \'it\'), name=f"{word}").toDF()'


def test_names_of_a_kind() -> None:
    found = names_in_code(CODE)
    assert found.variables == {"df", "batch", "F", "word"}
    assert found.bound == {"df"}
    assert found.members == {"rdd", "map", "lit", "toDF"}
    assert found.texts == {"a F", "it", "word"}
    assert found.all == {"df", "batch", "F", "word", "rdd", "map", "lit", "toDF"}


def test_names_of_a_function() -> None:
    counting = "    global lines\n    try:\n        lines += 1\n    except ValueError as error:\n        pass"
    found = names_in_code(f"def parse(text):\n{counting}")
    assert found.parameters == {"text"}
    assert found.defined == {"parse", "error"}
    assert found.variables == {"lines", "ValueError"}
    assert found.taken == {"parse", "error", "text", "lines", "ValueError"}


def test_names_of_an_import() -> None:
    assert names_in_code("import os.path as paths").defined == {"paths"}


def test_several_codes() -> None:
    assert names_in_code("a", "b.c").all == {"a", "b", "c"}
    assert names_in_code() == CodeNames()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("df.show()", "rows.show()"),
        ("x.df + df2", "x.df + df2"),
        ("show(\"df\", 'df', df)", "show(\"df\", 'df', rows)"),
        ('"""\ndf\n""" + df', '"""\ndf\n""" + rows'),
        (r'"\"df" + df', r'"\"df" + rows'),
        ("'é' + df", "'é' + rows"),
        ("save(df=df)", "save(df=rows)"),
        ('f"{df}" + df', 'f"{df}" + rows'),
        ("lambda df: df.x", "lambda rows: rows.x"),
        ("def df(df):\n    global first, df", "def rows(rows):\n    global first, rows"),
    ],
    ids=[
        *("variable", "member", "text", "text of several lines", "escaped quote", "beyond ASCII"),
        *("named argument", "f-string", "parameter", "function and global"),
    ],
)
def test_other_names(code: str, expected: str) -> None:
    assert with_names(code, {"df": "rows"}) == expected
