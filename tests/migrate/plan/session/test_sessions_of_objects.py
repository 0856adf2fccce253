"""A class that holds its SparkSession beside its StreamingContext: the query is that session's."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import flat, run

JOB = """\
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext


class Job:
    def __init__(self):
        {before}
        self.ssc = StreamingContext({context}, 5)
        {after}
        self.words = self.ssc.socketTextStream("localhost", 9999)
        self.words.pprint()

    def session(self):
        return SparkSession.builder.appName("job").getOrCreate()

    def users(self):
        return self.spark.read.csv("users.csv")

    def run(self):
        self.ssc.start()
        self.ssc.awaitTermination()


Job().run()
"""
MADE = 'self.spark = SparkSession.builder.appName("job").getOrCreate()'
READS = "self.words = (self.spark.readStream"


def new(before: str, context: str, after: str = "self.seen = 0") -> str:
    """What the job becomes."""
    result = run(JOB.format(before=before, context=context, after=after))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    text = result.files[0].new
    assert text is not None
    return text


@pytest.mark.parametrize(
    ("before", "context"),
    [
        (MADE, "self.spark.sparkContext"),
        ("self.spark = self.session()", "self.spark.sparkContext"),
        (f"{MADE}\n        sc = self.spark.sparkContext", "sc"),
    ],
)
def test_the_session_that_it_has(before: str, context: str) -> None:
    text = new(before, context)
    assert flat(READS) in flat(text)
    assert text.count("self.spark =") == 1
    assert "self.session." not in text and "ssc" not in text


@pytest.mark.parametrize("made", ["SparkSession(self.sc)", "SparkSession.builder.getOrCreate()"])
def test_the_session_that_it_makes_below(made: str) -> None:
    text = new('self.sc = SparkContext("local[2]")', "self.sc", f"self.spark = {made}")
    assert flat(READS) in flat(text)
    assert text.count("self.spark =") == 1
    assert "ssc" not in text


@pytest.mark.parametrize(
    ("before", "context", "after"),
    [
        (f"self.spark = None\n        {MADE}", "self.spark.sparkContext", "self.seen = 0"),
        ("self.spark = connect()", "self.spark.sparkContext", "self.seen = 0"),
        (
            'self.sc = SparkContext("local[2]")',
            "self.sc",
            "self.spark = SparkSession(self.sc)\n        self.spark = self.spark.newSession()",
        ),
        (MADE, "self.spark.sparkContext", "setattr(self, 'spark', None)"),
    ],
)
def test_what_may_be_another_one_stays(before: str, context: str, after: str) -> None:
    assert "self.session = SparkSession.builder" in new(before, context, after)


@pytest.mark.parametrize(
    ("before", "context", "after"),
    [
        (f"{MADE}\n        self.ssc = None", "self.spark.sparkContext", "self.seen = 0"),
        ('self.ssc = None\n        self.sc = SparkContext("local[2]")', "self.sc", f"{MADE}\n"),
    ],
)
def test_a_context_that_is_none_at_first_leaves_the_session_what_it_is(
    before: str, context: str, after: str
) -> None:
    text = new(before, context, after)
    assert "self.session = None" in text
    assert "self.spark = None" not in text
    assert flat("self.words = (self.session.readStream") in flat(text)


BELOW = """\
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext


def run():
    ssc = StreamingContext(spark.sparkContext, 5)
    ssc.socketTextStream("localhost", 9999).pprint()
    ssc.start()
    ssc.awaitTermination()


{made}
run()
"""
SESSION = 'spark = SparkSession.builder.appName("job").getOrCreate()'


def test_a_session_that_the_module_makes_below_the_function_is_its_own() -> None:
    new = run(BELOW.format(made=SESSION)).files[0].new
    assert "(spark.readStream" in flat(new) or "= spark.readStream" in new
    assert new.count("SparkSession.builder") == 1


@pytest.mark.parametrize(
    "made",
    [
        f"{SESSION}\nspark = spark.newSession()",
        f"def other():\n    global spark\n    {SESSION}\nother()",
        "from jobs import make\nspark = make()",
    ],
)
def test_another_session_is_made_where_it_may_be_another_one(made: str) -> None:
    new = run(BELOW.format(made=made)).files[0].new or ""
    assert "= spark.readStream" not in new


CONTEXT = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class Job:
    def __init__(self):
        self.sc = None
        self.ssc = None

    def run(self):
        self.sc = SparkContext(appName="job")
        self.ssc = StreamingContext(self.sc, 5)
        self.ssc.socketTextStream("localhost", 9999).pprint()
        self.ssc.start()
        self.ssc.awaitTermination()
        {after}


Job().run()
"""


@pytest.mark.parametrize(
    ("after", "stays"),
    [("print('done')", False), ("print(self.sc)", True), ("if self.sc is not None:\n            pass", True)],
)
def test_a_context_that_nothing_reads_is_not_declared_either(after: str, stays: bool) -> None:
    (file,) = run(CONTEXT.format(after=after)).files
    assert file.new is not None
    assert "self.spark = None" in file.new
    assert ("self.sc = None" in file.new) is ("self.sc = self.spark.sparkContext" in file.new) is stays
