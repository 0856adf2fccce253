"""Columns of tuples that functions return have the names of the functions' variables."""

from __future__ import annotations

import pytest

from tests.migrate.programs import native_body

FIELDS = "def parse(line):\n    fields = line.split(',')\n    shop, price = fields[0], fields[1]\n"


@pytest.mark.parametrize(
    ("returned", "function", "names"),
    [
        ("shop, float(price)", "parse", ["shop", "price"]),
        ("shop, float(price)", "lambda line: parse(line)", ["shop", "price"]),
        ("shop, (float(price), 1)", "parse", ["shop", "price", "count"]),
        ("shop, (float(price), float(price))", "parse", ["shop", "field2", "field3"]),
        ("shop, float(price) * 2", "parse", ["shop", "value"]),
        ("shop, 1", "parse", ["shop", "count"]),
    ],
)
def test_variables_name_columns(returned: str, function: str, names: list[str]) -> None:
    new = native_body(f"{FIELDS}    return {returned}\nlines.map({function}).pprint()")
    found = [part.partition('"')[0] for part in new.split('.alias("')[1:]]
    assert found == names


def test_the_greatest_and_the_least_of_one_number_are_called_so() -> None:
    returned = "    return shop, (float(price), float(price))\n"
    both = "lambda a, b: (max(a[0], b[0]), min(a[1], b[1]))"
    new = native_body(f"{FIELDS}{returned}lines.map(parse).reduceByKey({both}).pprint()")
    assert 'fields[0].alias("shop")' in new
    assert 'F.max(ordered(fields[1].cast("double"))).alias("max")' in new
    assert 'F.min(ordered(fields[1].cast("double"))).alias("min")' in new
