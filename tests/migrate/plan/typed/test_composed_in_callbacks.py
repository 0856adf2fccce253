"""Functions of a callback call those of its stream whose results no column holds, as ``json.loads``."""

from __future__ import annotations

import pytest

from migrate.model import Tier
from tests.migrate.programs import flat, run, socket_program

PROGRAM = """\
import json
from pyspark.sql import Row, SparkSession
spark = SparkSession(sc)
{before}
def show(rdd):
    {body}

parsed = lines.map(lambda line: json.loads(line))
parsed.foreachRDD(show)
"""


def of(body: str, before: str = "") -> tuple[str, bool]:
    """The new text of a program, and whether it has RDD code."""
    result = run(socket_program(PROGRAM.format(body=body, before=before)))
    tiers = {site.tier for site in result.sites}
    return str(result.files[0].new), bool(tiers & {Tier.RDD, Tier.COMPAT})


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (
            "print(rdd.map(lambda d: d['id']).collect())",
            "['id'] for (line,) in batch.collect()])",
        ),
        ("print(rdd.filter(lambda d: d['n'] % 2).count())", 'print(batch.where(keep_udf("value")).count())'),
        ("if rdd.count() > 0:\n        print(rdd.map(len).take(3))", "if batch.count() > 0:"),
        (
            "spark.createDataFrame(rdd.map(lambda d: Row(a=str(d['a'])))).show()",
            'select("result.*").show()',
        ),
        ("spark.read.json(rdd).show()", ".read.json(batch.select("),
        (
            "print(rdd.map(lambda d: (str(d['a']), 1)).reduceByKey(lambda a, b: a + b).collect())",
            '.groupBy(a_udf("value").alias("a")).count().collect()',
        ),
    ],
)
def test_each_method_calls_them(body: str, code: str) -> None:
    new, has_rdd = of(body)
    assert not has_rdd, new
    assert flat(code) in flat(new)


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("print(rdd.map(lambda d: d['id']).distinct().collect())", ""),
        ("spark.createDataFrame(rdd.map(lambda d: Row(a=d['a']))).show()", ""),
        ("print(rdd.map(parse).collect())", "def parse(d):\n    print(d)\n    return d['a']\n"),
        ("print(rdd.map(parse).collect())", "from other import parse\n"),
        ("json = rdd.map(lambda d: d['a']).collect()\n    print(json)", ""),
        (
            "try:\n        print(rdd.map(lambda d: d['a']).collect())\n"
            "    except ValueError as error:\n        print(error)",
            "",
        ),
        ("try:\n        print(rdd.count())\n    except Exception:\n        pass", ""),
    ],
    ids=["distinct", "a row of any", "prints", "unknown", "its name", "told errors", "caught errors"],
)
def test_what_may_be_something_else_stays_rdd_code(body: str, before: str) -> None:
    assert of(body, before)[1]


def test_what_prints_is_called_for_all_elements() -> None:
    before = "def told(line):\n    print(line)\n    return json.loads(line)\n"
    source = PROGRAM.format(body="print(rdd.filter(lambda d: d['n']).count())", before=before)
    result = run(socket_program(source.replace("lambda line: json.loads(line)", "told")))
    assert Tier.RDD in {site.tier for site in result.sites}
