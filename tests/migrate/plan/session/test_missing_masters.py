"""A SparkContext takes None for a master that is not set, which ``SparkSession.builder`` makes a text of."""

from __future__ import annotations

import pytest

from tests.migrate.programs import file

PROGRAM = """\
import argparse
import os
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def found():
    if os.path.exists("master"):
        return "local[2]"


def listed():
    print("no master")


def known(name):
    if name:
        return "local[2]"
    else:
        return "local"


parser = argparse.ArgumentParser()
parser.add_argument("--master")
parser.add_argument("--name", default="Words")
args = parser.parse_args()
given = os.getenv("SPARK_MASTER")
sc = {}
ssc = StreamingContext(sc, 1)
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
"""


@pytest.mark.parametrize(
    "made",
    [
        'SparkContext(os.environ.get("SPARK_MASTER"), "Words")',
        'SparkContext(master=given, appName="Words")',
        "SparkContext(found())",
        "SparkContext(listed())",
        'SparkContext(given if given else None, "Words")',
        'SparkContext(args.master, "Words")',
        'SparkContext("local", os.environ.get("NAME", None))',
    ],
)
def test_a_context_whose_master_or_name_may_be_none_stays(made: str) -> None:
    """With None, PySpark takes what spark-submit gives; the builder would ask for a master ``"None"``."""
    code = file(PROGRAM.format(made)).new
    assert f"sc = {made}\nspark = SparkSession.builder.getOrCreate()\n" in code


@pytest.mark.parametrize(
    ("made", "builder"),
    [
        ('SparkContext(None, "Words")', '.appName("Words")'),
        ("SparkContext(master=None, appName=args.name)", ".appName(args.name)"),
        (
            'SparkContext(os.environ.get("MASTER", "local"))',
            '.master(os.environ.get("MASTER", "local"))',
        ),
        ('SparkContext(given or "local")', '.master(given or "local")'),
        ("SparkContext(known(args.name))", ".master(known(args.name))"),
    ],
)
def test_one_that_is_set_becomes_a_call_of_the_builder(made: str, builder: str) -> None:
    """What is None for certain is left out."""
    code = file(PROGRAM.format(made)).new
    assert f"spark = SparkSession.builder{builder}.getOrCreate()\n" in code
