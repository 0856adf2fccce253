"""Functions that ask for the type of their argument: ``type(text) != str``."""

from __future__ import annotations

import pytest

from tests.migrate.programs import native_body, run, whole_program

CLEAN = """\
import re
def clean(text):
    if {test}:
        raise TypeError("not a text")
    return re.sub(r"\\d", "", text)
lines.map(clean).countByValue().pprint()
"""


@pytest.mark.parametrize(
    "test",
    [
        "type(text) != str",
        "type(text) is not str",
        "not type(text) == str",
        "type(text) not in (str, int)",
        "not isinstance(text, str)",
    ],
)
def test_a_text_of_a_stream_is_a_str(test: str) -> None:
    new = native_body(CLEAN.format(test=test))
    assert 'clean_udf("value")' in new
    assert ".rdd" not in new


@pytest.mark.parametrize("test", ["type(text) != unicode", "type(text) != Text", "type(text, 1) != str"])
def test_other_types_are_not_known(test: str) -> None:
    result = run(whole_program("class Text:\n    pass\n" + CLEAN.format(test=test)))
    assert "clean_udf" not in str(result.files[0].new)


NARROWED = """\
import json
def name(event):
    found = event["name"]
    if type(found) {operator} str:
        return found
    return ""
lines.map(json.loads).map(name).countByValue().pprint()
"""


def test_the_type_is_known_where_it_was_asked_for() -> None:
    assert ".rdd" not in native_body(NARROWED.format(operator="=="))
    assert ".rdd" in native_body(NARROWED.format(operator="!="))


PAIRS = """\
def told(pair):
    if type(pair) == tuple:
        return pair[0].title()
    return pair[1]
lines.map(lambda line: (line, line.title())).map(told).countByValue().pprint()
"""


def test_a_tuple_of_two_columns_comes_as_a_row() -> None:
    assert "told_udf" not in native_body(PAIRS)
