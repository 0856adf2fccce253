"""Compiled regular expressions: their methods are the functions of ``re``, as columns or typed functions."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file, native_body, socket_program

BOUND = 'import re\npattern = re.compile("#")\nclean = re.compile("ab", re.I)\n'


def body(stream: str) -> str:
    """The batch function of a program that prints a stream of lines."""
    return native_body(f"{BOUND}{stream}.foreachRDD(lambda rdd: print(rdd.collect()))")


@pytest.mark.parametrize(
    ("stream", "code"),
    [
        pytest.param(
            "lines.filter(lambda line: pattern.match(line, 0))",
            '.where(F.col("value").startswith("#"))',
            id="a match at the beginning",
        ),
        pytest.param(
            "lines.filter(lambda line: pattern.search(line) is not None)",
            '.where(F.col("value").contains("#"))',
            id="a search that finds something",
        ),
        pytest.param(
            "lines.filter(lambda line: clean.search(line) is None)",
            '.where(~F.col("value").rlike("[aA][bB]"))',
            id="flags",
        ),
        pytest.param(
            "lines.filter(lambda line: re.compile('a').search(line))",
            '.where(F.col("value").contains("a"))',
            id="compiled in the function",
        ),
        pytest.param(
            "lines.flatMap(lambda line: pattern.split(line)).map(len)",
            'F.split("value", "#")',
            id="a split",
        ),
    ],
)
def test_methods_are_columns(stream: str, code: str) -> None:
    assert code in body(stream)


def test_others_are_typed_functions() -> None:
    new = file(socket_program(f"{BOUND}lines.filter(lambda line: pattern.match(line, 1)).pprint()")).new
    assert 'F.udf(lambda line: bool(pattern.match(line, 1)), "boolean")' in new


def test_a_pattern_that_is_bound_again_is_read_by_its_name() -> None:
    again = f"{BOUND}if lines:\n    pattern = re.compile('b')\n"
    new = file(socket_program(f"{again}lines.filter(lambda line: pattern.match(line)).pprint()")).new
    assert "startswith" not in new
