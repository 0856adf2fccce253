"""The level of the log is a setting of the session that takes the place of the SparkContext."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.migrate.codemod.written import native
from tests.migrate.programs import socket_program

MADE = 'sc = SparkContext(appName="Test")\n'
SETTING = '.config("spark.log.level", "ERROR")'


@pytest.mark.parametrize("context", ["sc", "ssc.sparkContext"])
def test_the_level_becomes_a_setting(context: str) -> None:
    new = native(socket_program(f'# only errors\n{context}.setLogLevel("ERROR")\nlines.pprint()'))
    assert SETTING in new
    assert "sparkContext" not in new
    assert "# only errors" in new


@pytest.mark.parametrize(
    ("old", "code"),
    [
        ("", "if verbose:\n    sc.setLogLevel('INFO')"),
        ("", "sc.setLogLevel(level)"),
        ("", "sc.setLogLevel('LOUD')"),
        ("", "sc.setLogLevel('ERROR')\nprint(1)\nsc.setLogLevel('INFO')"),
        ("", "log = sc.setLogLevel('INFO')"),
        ("", "other.setLogLevel('INFO')"),
        ("SparkContext.getOrCreate()", "sc.setLogLevel('ERROR')"),
    ],
    ids=["in a branch", "a variable", "no level", "twice", "a result", "of something else", "found"],
)
def test_what_stays(old: str, code: str) -> None:
    source = socket_program(f"{code}\nlines.pprint()")
    if old:
        source = source.replace('SparkContext(appName="Test")', old)
    assert "spark.log.level" not in native(source)


def test_a_level_in_a_sparkconf_counts() -> None:
    source = socket_program("sc.setLogLevel('ERROR')\nlines.pprint()")
    conf = "conf = SparkConf().set('spark.log.level', 'INFO')\nsc = SparkContext(conf=conf)\n"
    source = source.replace(MADE, conf).replace("import SparkContext", "import SparkConf, SparkContext")
    assert "spark.sparkContext.setLogLevel('ERROR')" in native(source)


def test_spark_takes_the_setting() -> None:
    code = (
        "from pyspark.sql import SparkSession\n"
        f'spark = SparkSession.builder.master("local[1]"){SETTING}.getOrCreate()\n'
        "logs = spark.sparkContext._jvm.org.apache.logging.log4j.LogManager\n"
        "print('level', logs.getRootLogger().getLevel().toString())\n"
        "spark.stop()\n"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "level ERROR" in told.stdout
