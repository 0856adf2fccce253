"""Lists that a program broadcasts, which columns read by the broadcast variable: ``word in tags.value``."""

from __future__ import annotations

import pytest

from tests.migrate.programs import native_body, run, whole_program

KEPT = "lines.filter(lambda word: {test}).pprint()\n"


@pytest.mark.parametrize(
    ("made", "new"),
    [
        ("sc.broadcast(['a', 'b'])", ".isin(tags.value)"),
        ("sc.broadcast({'a', 'b'})", ".isin(*tags.value)"),
        ("sc.broadcast({'a': 1, 'b': 2})", ".isin(*tags.value)"),
        ("sc.broadcast([line.strip() for line in open('tags.txt')])", ".isin(tags.value)"),
    ],
)
def test_columns_ask_the_value_of_a_broadcast_variable(made: str, new: str) -> None:
    result = run(whole_program(f"tags = {made}\n{KEPT.format(test='not word in tags.value')}"))
    text = str(result.files[0].new)
    assert new in text
    assert "udf" not in text and ".rdd" not in text


def test_executors_have_a_list_as_it_was() -> None:
    made = "words = ['a']\ntags = sc.broadcast(words)\nwords.append('b')\n"
    body = made + KEPT.format(test="word in tags.value")
    assert "isin(tags.value)" in str(run(whole_program(body)).files[0].new)


def test_the_condition_has_the_name_of_the_variable() -> None:
    counted = "print(rdd.filter(lambda word: word in tags.value).count())"
    body = f"tags = sc.broadcast(['a'])\nlines.foreachRDD(lambda rdd: {counted})\n"
    assert "in_tags = F.col(" in str(run(whole_program(body)).files[0].new)


@pytest.mark.parametrize(
    "more",
    [
        pytest.param("tags.value.append('b')", id="the driver changes its copy"),
        pytest.param("other = tags.value", id="a second name"),
        pytest.param("tags = sc.broadcast(['b'])", id="bound anew"),
        pytest.param("tags.destroy()", id="it is gone"),
    ],
)
def test_else_a_function_reads_it(more: str) -> None:
    body = f"tags = sc.broadcast(['a'])\n{more}\n{KEPT.format(test='word in tags.value')}"
    assert "isin" not in native_body(body)
