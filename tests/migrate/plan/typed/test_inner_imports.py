"""Functions that import what they need: ``import re`` in a function of elements."""

from __future__ import annotations

import pytest

from tests.migrate.programs import native_body, run, whole_program

IMPORTS = """\
def clean(text):
    {imported}
    return {called}(r"\\d", "", text)
lines.map(clean).countByValue().pprint()
"""


@pytest.mark.parametrize(
    ("imported", "called"),
    [
        ("import re", "re.sub"),
        ("import re as regex", "regex.sub"),
        ("from re import sub", "sub"),
        ("import re, string", "re.sub"),
    ],
)
def test_a_function_may_import_what_it_needs(imported: str, called: str) -> None:
    new = native_body(IMPORTS.format(imported=imported, called=called))
    assert 'clean_udf("value")' in new
    assert ".rdd" not in new


def test_an_import_in_a_function_may_be_that_of_the_module() -> None:
    body = "import re\n" + IMPORTS.format(imported="import re", called="re.sub")
    assert ".rdd" not in native_body(body)


def test_a_column_needs_no_import() -> None:
    body = "def upper(text):\n    import string\n    return text.strip(' ')\n"
    assert 'F.btrim("value", F.lit(" "))' in native_body(f"{body}lines.map(upper).pprint()")


@pytest.mark.parametrize(
    ("imported", "called"),
    [
        pytest.param("import ours", "ours.sub", id="a module of the project may do more"),
        pytest.param("from .re import sub", "sub", id="a module of the package"),
    ],
)
def test_other_imports_are_not_followed(imported: str, called: str) -> None:
    result = run(whole_program(IMPORTS.format(imported=imported, called=called)))
    assert "clean_udf" not in str(result.files[0].new)
