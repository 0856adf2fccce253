"""Objects of classes that only hold values, and namedtuples: columns of the attributes that are read."""

from __future__ import annotations

import pytest

from migrate.knowledge.spark_version import SparkVersion
from migrate.migration import migrate
from migrate.model import Options
from tests.migrate.programs import compiled, file, module, socket_program

FLIGHT = '''\
class Flight(object):
    """A line of the table."""

    def __init__(self, fields):
        self.fields = fields
        self.origin = fields[0]
        delay = fields[1]
        if delay is not None and len(delay) > 0:
            self.delay = float(delay)
        else:
            self.delay = 0.0
        self.cancelled = int(fields[2])

    def __str__(self):
        return ",".join(self.fields)
'''
READ = """
kept = flights.filter(lambda flight: flight.cancelled == 0)
kept.map(lambda flight: (flight.origin, 1)).reduceByKey(lambda a, b: a + b).pprint()
"""
COLUMNS = """\
    flights = batch.select(
        F.split("value", ",")[0].alias("origin"),
        F.split("value", ",")[2].cast("bigint").alias("cancelled"),
    )
    kept = flights.where(F.col("cancelled") == 0)
    kept.groupBy("origin").count().show(10, truncate=False)
"""
MADE = "flights = lines.map(lambda line: Flight(line.split(',')))"


def new(body: str) -> str:
    return file(socket_program(body.replace("'", '"'))).new


@pytest.mark.parametrize(
    ("cls", "made"),
    [
        (FLIGHT, MADE),
        (FLIGHT, "flights = lines.map(lambda line: line.split(',')).map(Flight)"),
        (FLIGHT, "def parse(line):\n    return Flight(line.split(','))\nflights = lines.map(parse).cache()"),
        (
            'from collections import namedtuple\nFlight = namedtuple("Flight", "origin delay cancelled")\n',
            'flights = lines.map(lambda l: Flight(l.split(",")[0], l.split(",")[1], int(l.split(",")[2])))',
        ),
        (
            "from typing import NamedTuple\nclass Flight(NamedTuple):\n"
            "    origin: str\n    cancelled: int = 0\n",
            "flights = lines.map(lambda l: Flight(l.split(',')[0], int(l.split(',')[2])))",
        ),
        (
            "from dataclasses import dataclass\n@dataclass\nclass Flight:\n"
            "    origin: str\n    cancelled: int\n    delay: float = 0.0\n",
            "flights = lines.map(lambda l: Flight(l.split(',')[0], int(l.split(',')[2])))",
        ),
    ],
    ids=["lambda", "class", "function", "namedtuple", "NamedTuple", "dataclass"],
)
def test_the_attributes_that_are_read_are_columns(cls: str, made: str) -> None:
    text = new(cls + made + READ)
    assert ".rdd" not in text
    assert '[0].alias("origin")' in text and '[2].cast("bigint").alias("cancelled")' in text
    assert 'where(F.col("cancelled") == 0)' in text
    assert '"delay"' not in text


def test_of_a_whole_object_only_what_is_read_is_selected() -> None:
    assert COLUMNS in new(FLIGHT + MADE + READ)


def test_an_attribute_of_one_of_two_branches_is_a_conditional() -> None:
    text = new(FLIGHT + MADE + "\nflights.map(lambda flight: flight.delay).pprint()")
    assert 'F.when(\n            F.length(F.split("value", ",")[1]) > 0' in text and ".otherwise(0.0)" in text
    assert ".rdd" not in text and '.alias("delay")' in text


@pytest.mark.parametrize(
    "reader",
    [
        "flights.pprint()",
        "flights.map(lambda flight: (flight.origin, flight)).pprint()",
        "flights.map(str).pprint()",
        "flights.map(lambda flight: flight.gate).pprint()",
        "flights.map(lambda flight: flight.__dict__).pprint()",
        "flights.countByValue().pprint()",
        "flights.foreachRDD(lambda rdd: print(rdd.collect()))",
        "flights.filter(lambda flight: flight.cancelled == 0).pprint()",
        "def late(flight):\n    flight.delay += 1\n    return flight.delay\nflights.map(late).pprint()",
    ],
)
def test_objects_with_which_more_is_done_stay_objects(reader: str) -> None:
    text = new(f"{FLIGHT}{MADE}\n{reader}")
    assert "Flight(" in text.split("class Flight")[1].split("\n", 1)[1]


@pytest.mark.parametrize(
    "cls",
    [
        FLIGHT.replace("(object)", "(Base)").replace("class", "class Base: pass\nclass", 1),
        FLIGHT.replace(
            "        self.fields = fields\n", "        self.fields = fields\n        print(fields)\n"
        ),
        FLIGHT.replace("        self.fields = fields\n", "        register(self)\n") + "register = print\n",
        FLIGHT + "    def __getattr__(self, name):\n        return 0\n",
        FLIGHT + "    @property\n    def origin(self):\n        return 0\n",
        FLIGHT + "    cancelled = property(print)\n",
        FLIGHT + "Flight.__init__ = print\n",
        FLIGHT + "setattr(Flight, 'cancelled', property(print))\n",
        FLIGHT.replace("        self.cancelled =", "        if delay:\n            self.cancelled ="),
        FLIGHT.replace("origin", "index"),
        "from dataclasses import dataclass\n@dataclass\nclass Flight:\n"
        "    origin: list\n    cancelled: int = 0\n"
        "    @property\n    def cancelled(self):\n        return 0\n",
    ],
    ids=[
        "base",
        "prints",
        "handed on",
        "getattr",
        "property",
        "descriptor",
        "init",
        "setattr",
        "if",
        "index",
        "field",
    ],
)
def test_classes_that_do_more_stay_classes(cls: str) -> None:
    read = READ.replace("origin", "index") if "index" in cls else READ
    assert ".rdd" in new(cls + MADE + read) or "_udf" in new(cls + MADE + read)


def test_a_class_of_another_module() -> None:
    program = socket_program(f"from flight import Flight\n{MADE}{READ}")
    result = migrate([module(program), module(FLIGHT, "flight.py")], Options())
    text = result.files[0].new
    compiled(text)
    assert COLUMNS in text
    assert "Flight" not in text


def test_a_class_goes_with_the_code_that_made_its_objects() -> None:
    assert "class Flight" not in new(FLIGHT + MADE + READ)


def test_a_typed_function_is_given_the_attributes_that_it_reads() -> None:
    reader = "flights.map(lambda flight: flight.origin.title()).pprint()"
    text = new(f"{FLIGHT}{MADE}\n{reader}")
    assert 'F.udf(lambda origin: origin.title(), "string")' in text and ".rdd" not in text
    reader = "flights.flatMap(lambda flight: [(flight.origin, flight.delay), ('all', 0.5)]).pprint()"
    assert "lambda origin, delay: [(origin, delay)" in new(f"{FLIGHT}{MADE}\n{reader}")


def test_rdd_code_behind_them_is_given_columns() -> None:
    """The state function's values are tuples: their floats are summed in their order."""
    reader = """
def update(new, last):
    return (sum(one[0] for one in new) + (last or (0.0, 0))[0], len(new))
flights.map(lambda flight: (flight.origin, (flight.delay, 1))).updateStateByKey(update).pprint()
"""
    text = new(FLIGHT + MADE + reader)
    assert '.alias("delay")' in text and "Flight(" not in text.replace("class Flight(", "")


METHODS = (
    FLIGHT
    + """
    @property
    def is_late(self):
        return self.cancelled > 0

    def route(self):
        if self.is_late:
            return self.origin + "!"
        return self.origin

    def since(self, year):
        return year

    def itself(self):
        return self
"""
)


def test_methods_and_properties_are_what_they_compute() -> None:
    text = new(METHODS + MADE + "\nflights.filter(lambda f: f.is_late).map(lambda f: f.route()).pprint()")
    assert 'where(F.col("cancelled") > 0)' in text
    assert 'F.when(F.col("cancelled") > 0, F.concat("origin", F.lit("!")))' in text


@pytest.mark.parametrize("read", ["f.since(1)", "f.itself().origin", "f.route", "f.is_late()", "f.gone()"])
def test_other_methods_are_called_by_python(read: str) -> None:
    assert (
        "Flight(" in new(f"{METHODS}{MADE}\nflights.map(lambda f: {read}).pprint()").split("class Flight(")[1]
    )


def test_a_method_of_tuples_is_no_field() -> None:
    """A `Row` has `count` as a method, whatever its fields are."""
    rows = "from pyspark.sql import Row\nrows = lines.map(lambda line: Row(count=len(line), n=1))\n"
    assert "Row(count=len(" in new(f"{rows}rows.map(lambda row: row.count).pprint()")
    assert 'F.length("value").alias("n")' in new(
        "from pyspark.sql import Row\nrows = lines.map(lambda line: Row(n=len(line)))\n"
        "rows.filter(lambda row: row.n > 2).map(lambda row: row.n).pprint()"
    )


def test_the_last_method_of_a_name_is_called_by_python() -> None:
    cls = METHODS + "\n    def route(self):\n        return 1\n"
    body = cls + MADE + "\nflights.map(lambda f: f.route()).pprint()"
    assert "Flight(" in new(body).split("class Flight(")[1]


@pytest.mark.parametrize(("attribute", "is_read"), [("origin", False), ("cancelled", True)])
def test_a_helper_goes_with_the_attributes_that_nothing_reads(attribute: str, is_read: bool) -> None:
    body = (
        "class Flight:\n    def __init__(self, fields):\n        self.origin = fields[0]\n"
        "        self.cancelled = int(float(fields[1]))\n"
        f"lines.map(lambda line: Flight(line.split(','))).map(lambda flight: flight.{attribute}).pprint()"
    )
    assert ("def int_of(" in file(socket_program(body)).new) is is_read


PARSED = """\
import re
{cls}

def parse(line):
    found = re.match(r"(\\w+) (\\d+)", line)
    if found is None:
        return None
    size = int(found.group(2))
    return Visit({made})

visits = lines.map(parse).filter(lambda visit: visit is not None)
"""
VISIT = 'from collections import namedtuple\nVisit = namedtuple("Visit", ["site", "size"])\n'
TYPED_VISIT = "from typing import NamedTuple\nclass Visit(NamedTuple):\n    site: str\n    size: int\n"


@pytest.mark.parametrize("cls", [VISIT, TYPED_VISIT])
@pytest.mark.parametrize(
    "made", ["found.group(1), size", "found.group(1), size=size", "size=size, site=found.group(1)"]
)
def test_fields_of_a_namedtuple_that_a_typed_function_makes_are_columns(cls: str, made: str) -> None:
    program = PARSED.format(cls=cls, made=made) + (
        "long = visits.filter(lambda visit: visit.size > 9)\n"
        "long.map(lambda visit: (visit.site, visit.size)).reduceByKey(lambda a, b: a + b).pprint()\n"
        "visits.count().pprint()"
    )
    text = new(program)
    assert '@F.udf("array<struct<site string, size bigint>>", useArrow=True)' in text
    assert '    long = visits.where(F.col("size") > 9)\n' in text
    assert 'long.groupBy("site").agg(F.sum("size").alias("size")).show(10, truncate=False)' in text
    assert ".rdd" not in text


@pytest.mark.parametrize(
    "output",
    [
        "visits.pprint()",
        "visits.map(lambda visit: visit[0]).pprint()",
        "visits.map(lambda visit: visit._replace(size=0)).pprint()",
        "visits.map(lambda visit: (visit, 1)).countByValue().pprint()",
        "visits.foreachRDD(lambda rdd: print(rdd.collect()))",
    ],
)
def test_one_of_which_more_is_read_stays_one(output: str) -> None:
    text = new(PARSED.format(cls=VISIT, made="found.group(1), size") + output)
    assert 'select("item.*")' not in text
    assert "parse(" in text


OBJECT = """\
class Visit(object):
    def __init__(self, site, size=0):
        self.site = site
        self.size = size
        self.parts = {site: [size]}
"""


def test_attributes_of_an_object_that_a_typed_function_makes_are_columns() -> None:
    program = PARSED.format(cls=OBJECT, made="found.group(1), size=size") + (
        "long = visits.filter(lambda visit: visit.size > 9)\n"
        "long.map(lambda visit: (visit.site, visit.size)).reduceByKey(lambda a, b: a + b).pprint()\n"
        "visits.count().pprint()"
    )
    text = new(program)
    assert '@F.udf("array<struct<site string, size bigint>>", useArrow=True)\ndef parse_udf(value):' in text
    assert "    visit = parse(value)\n    return [visit] if visit is not None else []\n" in text
    assert 'long.groupBy("site").agg(F.sum("size").alias("size")).show(10, truncate=False)' in text
    assert ".rdd" not in text


def test_only_the_attributes_that_are_read_are_columns() -> None:
    made = PARSED.format(cls=OBJECT, made="found.group(1)")
    assert '@F.udf("array<struct<site string>>")' in new(f"{made}visits.map(lambda v: v.site).pprint()")
    callback = (
        "from pyspark.sql import SparkSession\nspark = SparkSession.builder.getOrCreate()\n"
        "def save(rdd):\n    if not rdd.isEmpty():\n"
        "        spark.createDataFrame(rdd.map(lambda v: (v.site,)), ['where']).show()\n"
        "visits.foreachRDD(save)"
    )
    text = new(made + callback)
    assert '@F.udf("array<struct<site string>>")' in text and ".rdd" not in text
    assert 'toDF("where")' in text or 'alias("where")' in text


@pytest.mark.parametrize(
    ("cls", "output"),
    [
        (OBJECT, "visits.pprint()"),
        (OBJECT, "visits.map(lambda visit: visit.parts).pprint()"),
        (OBJECT, "visits.map(lambda visit: visit.gone).pprint()"),
        (OBJECT, "visits.map(lambda visit: (visit, 1)).countByValue().pprint()"),
        (OBJECT, "visits.foreachRDD(lambda rdd: print(rdd.collect()))"),
        (OBJECT, "visits.map(lambda visit: (1, visit)).updateStateByKey(lambda new, last: new[0]).pprint()"),
        (
            OBJECT.replace("        self.size", "        if site:\n            self.size"),
            "visits.map(lambda v: v.size).pprint()",
        ),
        (
            OBJECT + "    def __bool__(self):\n        return False\n",
            "visits.map(lambda v: v.size).pprint()",
        ),
        (
            OBJECT.replace("= size\n", "= register(size)\n") + "register = print\n",
            "visits.map(lambda v: v.size).pprint()",
        ),
    ],
    ids=["printed", "dict", "none", "in a pair", "collected", "state", "in a branch", "bool", "prints"],
)
def test_objects_of_which_no_column_holds_what_is_read_stay_objects(cls: str, output: str) -> None:
    text = new(PARSED.format(cls=cls, made="found.group(1), size") + output)
    assert 'select("item.*")' not in text
    assert "parse(" in text


def test_objects_whose_ints_spark_does_not_check_stay_objects() -> None:
    """Before 4.3 an int beyond 64 bits is null without a word, and what would raise sees no attributes."""
    body = PARSED.format(cls=OBJECT, made="found.group(1), size")
    program = socket_program(f"{body}visits.map(lambda v: v.size).pprint()")
    assert 'select("item.*")' in file(program).new
    assert 'select("item.*")' not in file(program, Options(spark=SparkVersion.parse("4.0.0"))).new
