"""Names of typed functions and of columns, where the program's say what becomes of them."""

from __future__ import annotations

import re

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


TWEETS = "import json\ntweets = lines.map(lambda line: json.loads(line))\n"
SUM = ".reduceByKey(lambda a, b: a + b).pprint()"


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (f"tweets.map(lambda t: (t['user'] + '_' + str(t['place']), 1)){SUM}", "key_udf"),
        (f"tweets.map(lambda t: ((t['user'], t['place']), 1)){SUM}", "key_udf"),
        (f"tweets.map(lambda t: (t['user'] + '_', 1)){SUM}", "user_udf"),
        (
            "r4 = lines.map(lambda l: (l, l)).map(lambda p: (p[0], int(rated(p[1]))))\nr4.pprint()",
            "rated_udf",
        ),
        ("r4 = lines.map(lambda line: rated(line))\nr4.pprint()", "rated_udf"),
        ("rates = lines.map(lambda line: int(rated(line)))\nrates.pprint()", "rated_udf"),
    ],
)
def test_a_function_is_not_named_after_one_of_many_fields_or_a_variable_that_says_nothing(
    body: str, name: str
) -> None:
    new = file(socket_program(f"def rated(line):\n    return len(line.title())\n{TWEETS}{body}")).new
    assert re.search(rf"\b{name}\(['\"]", str(new))


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


ROWS = (
    "from datetime import datetime\nfrom pyspark.sql import Row, SparkSession\nspark = SparkSession(sc)\n"
    'parts = lines.map(lambda line: line.split(","))\n'
    "sales = parts.map(lambda part: Row(shop=part[0], soldAt={}))\n"
    "sales.foreachRDD(lambda rdd: rdd.toDF().show())"
)


DAYS = '(datetime.strptime(part[{}], "%Y") - datetime.strptime("2020", "%Y")).days'


def test_a_function_of_a_field_is_named_after_that() -> None:
    new = file(socket_program(ROWS.format(DAYS.format(1)))).new
    assert "sold_at_udf = F.udf(" in new


def test_one_of_several_lines_is_written_as_a_function() -> None:
    new = file(socket_program(ROWS.format(DAYS.format(1).replace("- ", "-\n    ")))).new
    assert '\n\n\n@F.udf("bigint")\ndef sold_at_udf(part):\n    return (datetime.strptime(' in new


def test_one_that_no_line_holds_is_written_as_a_function() -> None:
    new = file(socket_program(ROWS.format(f"{DAYS.format(1)} + {DAYS.format(2)}"))).new
    assert '@F.udf("bigint")\ndef sold_at_udf(part):\n    return (datetime.strptime(' in new
