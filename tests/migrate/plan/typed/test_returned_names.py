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


def test_attributes_name_the_columns_of_a_typed_function() -> None:
    new = native_body(
        "import datetime\nfrom collections import namedtuple\nTrip = namedtuple('Trip', 'day origin delay')\n"
        "def parse(line):\n    parts = line.split(',')\n"
        "    return Trip(datetime.datetime.strptime(parts[0], '%H').time(), parts[1], float(parts[2]))\n"
        "lines.map(parse).map(lambda trip: (trip.origin, (trip.delay, 1)))"
        ".reduceByKey(lambda a, b: (a[0] + b[0], a[1] + b[1])).pprint()"
    )
    assert ".groupBy('origin')" in new
    assert ".agg(F.sum('delay').alias('delay'), F.sum('count').alias('count'))" in new


def test_the_greatest_and_the_least_of_one_number_are_called_so() -> None:
    returned = "    return shop, (float(price), float(price))\n"
    both = "lambda a, b: (max(a[0], b[0]), min(a[1], b[1]))"
    new = native_body(f"{FIELDS}{returned}lines.map(parse).reduceByKey({both}).pprint()")
    assert 'fields[0].alias("shop")' in new
    assert 'F.max(ordered(fields[1].cast("double"))).alias("max")' in new
    assert 'F.min(ordered(fields[1].cast("double"))).alias("min")' in new


FLIGHTS = (
    'parts = lines.map(lambda line: line.split(","))\n'
    "flights = parts.map(lambda p: ((p[3], p[6]), int(p[8])))"
)
SUMS = ".reduceByKey(lambda a, b: a + b)"


@pytest.mark.parametrize(
    "reader",
    [
        "def save(p):\n    (origin, carrier), delay = p\n    print(origin, carrier, delay)\n"
        "flights{}.foreachRDD(lambda rdd: rdd.foreach(save))",
        "def save(p):\n    origin = p[0][0]\n    carrier = p[0][1]\n    delay = int(p[1])\n"
        "    print(origin, carrier, delay)\nflights{}.foreachRDD(lambda rdd: rdd.foreach(save))",
        "def show(rdd):\n    for (origin, carrier), delay in rdd.collect():\n"
        "        print(origin, carrier, delay)\nflights{}.foreachRDD(show)",
        "def show(rdd):\n    flat = rdd.map(lambda p: (p[0][0], p[0][1], p[1]))\n    rows = flat.collect()\n"
        "    for row in rows:\n        origin = row[0]\n        carrier = row[1]\n        delay = row[2]\n"
        "        print(origin, carrier, delay)\nflights{}.foreachRDD(show)",
        "def show(rdd):\n    for origin, carrier, delay in rdd.take(3):\n"
        "        print(origin, carrier, delay)\n"
        "flights{}.map(lambda p: (p[0][0], p[0][1], p[1])).foreachRDD(show)",
    ],
    ids=["unpacked", "assigned", "a loop", "arranged anew in the callback", "arranged anew before it"],
)
def test_the_reader_of_a_tuple_names_its_parts(reader: str) -> None:
    new = native_body(f"{FLIGHTS}\n{reader.format(SUMS)}")
    assert '.alias("origin")' in new and '.alias("carrier")' in new and '.alias("delay")' in new
    assert "field" not in new


@pytest.mark.parametrize(
    "readers",
    [
        "def show(rdd):\n    for (origin, carrier), delay in rdd.collect():\n        print(origin)\n"
        "def tell(rdd):\n    for (start, line), late in rdd.collect():\n        print(start)\n"
        "flights{}.foreachRDD(show)\nflights{}.foreachRDD(tell)",
        "def show(rdd):\n    for (a, b), c in rdd.collect():\n        print(a, b, c)\n"
        "flights{}.foreachRDD(show)",
        "def save(p):\n    p = p[0]\n    origin = p[1]\n    print(origin)\n"
        "flights{}.foreachRDD(lambda rdd: rdd.foreach(save))",
    ],
    ids=["two names", "names that say nothing", "a variable with another value"],
)
def test_readers_that_give_no_one_name(readers: str) -> None:
    new = native_body(f"{FLIGHTS}{SUMS}\n{readers.replace('flights{}', 'flights')}")
    assert '.alias("field1")' in new
