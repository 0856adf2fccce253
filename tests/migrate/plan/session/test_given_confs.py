"""A StreamingContext that is given a SparkConf: it always failed, and the session has the settings."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import run

HEAD = "from pyspark import SparkConf, SparkContext\nfrom pyspark.streaming import StreamingContext\n"
END = """
lines = ssc.socketTextStream("h", 1)
lines.pprint()
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.parametrize(
    ("made", "builder"),
    [
        (
            "conf = SparkConf().setAppName('a').set('k', 'v')",
            "spark = SparkSession.builder.appName('a').config('k', 'v').getOrCreate()",
        ),
        (
            "conf = SparkConf()\nconf.setMaster('local[2]')",
            "spark = SparkSession.builder.master('local[2]').getOrCreate()",
        ),
        (
            "conf = SparkConf().setAppName('a')\nsc = SparkContext(conf=conf)\nprint(sc.version)",
            "spark = SparkSession.builder.config(conf=conf).getOrCreate()",
        ),
    ],
)
def test_its_settings_are_those_of_the_session_and_it_is_told_of(made: str, builder: str) -> None:
    result = run(f"{HEAD}{made}\nssc = StreamingContext(conf, 5){END}")
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE
    assert builder in result.files[0].new.replace('"', "'").splitlines()
    (note,) = (note for note in graph.notes if "is a SparkConf, no SparkContext" in note)
    assert note.startswith(f"line {4 + made.count(chr(10))}: `conf`") and "AttributeError" in note


@pytest.mark.parametrize("made", ["conf = SparkContext()", "from settings import conf", "conf = SparkConf"])
def test_what_is_no_conf_is_not(made: str) -> None:
    (graph,) = run(f"{HEAD}{made}\nssc = StreamingContext(conf, 5){END}").graphs
    assert not any("is a SparkConf" in note for note in graph.notes)
