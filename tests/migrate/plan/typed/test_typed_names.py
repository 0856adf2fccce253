"""Names of typed functions and of columns, where the program's say what becomes of them."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, native_body, socket_program

MOOD = "def mood(line: str) -> str:\n    return line.title()\n"


@pytest.mark.parametrize(
    ("variable", "name"),
    [
        ("tag_counts", "tag_key_udf"),
        ("topics_count", "topics_key_udf"),
        ("pairs", "key_udf"),
        ("moods", "mood_key_udf"),
    ],
)
def test_a_function_that_makes_keys_is_not_named_after_their_counts(variable: str, name: str) -> None:
    body = f"{variable} = lines.map(lambda t: (mood(t) + mood(t), 1))\n"
    counts = f"{variable}.reduceByKey(lambda a, b: a + b).pprint()"
    new = file(socket_program(f"{MOOD}{body}{counts}")).new
    assert f"{name} = F.udf(lambda t: mood(t) + mood(t)" in new


@pytest.mark.parametrize(
    ("variable", "separator", "column"),
    [("counts", " ", "word"), ("wordCount", " ", "word"), ("counts", "|", "count"), ("tags", " ", "tag")],
)
def test_words_are_no_counts_yet(variable: str, separator: str, column: str) -> None:
    new = native_body(f"{variable} = lines.flatMap(lambda l: l.split('{separator}'))\n{variable}.pprint()")
    assert f".alias('{column}')" in new.replace('"', "'")


def test_a_column_is_not_called_after_a_module() -> None:
    body = "import re\nlines.map(lambda x: re.sub(r'http\\S+', '', x)).filter(lambda x: len(x) > 3).pprint()"
    new = file(socket_program(body)).new
    assert 'sub_udf("value").alias("value")' in new and 'F.length("value") > 3' in new
