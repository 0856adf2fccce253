"""Operators that change nothing are left out, with what comments say of them."""

from __future__ import annotations

import pytest

from tests.migrate.codemod.written import native, native_socket
from tests.migrate.programs import socket_program

SPLIT = "# one row a line\nrows = lines.flatMap(lambda line: line.split({}))\nrows.pprint()\n"


@pytest.mark.parametrize("separator", [r'"\n"', r'"\r\n"', r'"a\nb"'])
def test_a_line_has_no_line_feed(separator: str) -> None:
    new = native_socket(SPLIT.format(separator))
    assert "split" not in new
    assert "# one row" not in new
    assert "\nlines = " in new
    assert '.format("console")' in new or "batch.show(" in new


def test_what_is_made_of_it_is_made_of_the_lines() -> None:
    body = SPLIT.format(r'"\n"').replace("rows.pprint()", "words = rows.flatMap(str.split)\nwords.pprint()")
    assert "words = lines.select(" in native_socket(body)


@pytest.mark.parametrize(
    ("separator", "function"),
    [('" "', "{}"), (r'"\t"', "{}"), (r'"\n", 1', "{}"), (r'"\n"', "{}.replace('a', '\\n')")],
    ids=["words", "tabs", "a limit", "another text"],
)
def test_other_splits_stay(separator: str, function: str) -> None:
    body = SPLIT.format(separator).replace("line.split", f"{function.format('line')}.split")
    assert "split" in native_socket(body)


def test_a_message_may_have_line_feeds() -> None:
    source = socket_program(SPLIT.format(r'"\n"')).replace(
        'socketTextStream("localhost", 9999)', 'socketTextStream("localhost", 9999).map(lambda l: l + "\\n")'
    )
    assert "split" in native(source)


def test_no_variable_is_another_name_for_a_window() -> None:
    body = (
        "recent = lines.window(4)\n"
        'rows = recent.flatMap(lambda line: line.split("\\n"))  # one row a line\n'
        "words = rows.flatMap(str.split)\nwords.pprint()"
    )
    new = native_socket(body)
    assert "words = recent.select(" in new
    assert "rows = recent" not in new and "# one row" not in new


@pytest.mark.parametrize(
    ("pairs", "columns"),
    [
        ("(line, word)", 'F.col("value").alias("line"), F.explode(F.split("value", ",")).alias("word")'),
        ("(word, line)", 'F.explode(F.split("value", ",")).alias("word"), F.col("value").alias("line")'),
        ("(line, word, 1)", '"value", F.explode(F.split("value", ",")).alias("word")'),
    ],
    ids=["as they are", "in another order", "with another one"],
)
def test_what_is_exploded_beside_the_lines_needs_no_select(pairs: str, columns: str) -> None:
    new = native_socket(f'lines.flatMap(lambda line: [{pairs} for word in line.split(",")]).pprint()')
    assert f"select({columns})".replace(" ", "") in "".join(new.split())
    assert new.count("select(") == 1 + ("1" in pairs)
