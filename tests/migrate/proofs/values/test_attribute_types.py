"""Attributes that a constructor or a class body sets are read as columns."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options
from tests.migrate.programs import module, run

PROGRAM = """\
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

class Job(object):
    {body}

    def __init__(self, {parameters}):
        self.ssc = StreamingContext(SparkContext(appName="words"), 1)
        {set}

    def run(self):
        lines = self.ssc.socketTextStream("localhost", 9999)
        {before}
        lines.filter(lambda line: {test}).pprint()
        self.ssc.start()
        self.ssc.awaitTermination()

    {more}

{made}
"""


def program(test: str = "self.word in line", **parts: str) -> str:
    """A program whose filter asks for a word."""
    given = {
        "body": "pass",
        "parameters": "word='a'",
        "set": "self.word = word",
        "before": "pass",
        "more": "pass",
        "made": "Job().run()",
    }
    return PROGRAM.format(**{**given, **parts, "test": test})


def rewritten(source: str) -> str:
    """The new text of a program."""
    (file,) = run(source).files
    assert file.new is not None
    return file.new


@pytest.mark.parametrize(
    ("test", "parts", "column"),
    [
        ("self.word in line", {}, ".contains(self.word)"),
        ("self.word in line", {"made": "Job(sys.argv[1]).run()"}, ".contains(self.word)"),
        ("self.word in line", {"made": "Job(word='b').run()"}, ".contains(self.word)"),
        (
            "self.word in line",
            {"parameters": "word", "made": "job = Job('b')\njob.run()"},
            ".contains(self.word)",
        ),
        ("self.word in line", {"set": "self.word = 'a'"}, ".contains(self.word)"),
        (
            "self.word in line",
            {"set": "self.first = word\n        self.word = self.first"},
            ".contains(self.word)",
        ),
        ("len(line) > self.LEAST", {"body": "LEAST = 3"}, "> self.LEAST"),
        ("len(line) > Job.LEAST", {"body": "LEAST = 3"}, "> Job.LEAST"),
        ("word in line", {"before": "word = self.word"}, ".contains(word)"),
        ("len(line) > least", {"body": "LEAST = 3", "before": "least = 2 * self.LEAST"}, "> least"),
        ("line in self.tags", {"set": "self.tags = ['a', 'b']"}, ".isin(self.tags)"),
        ("line in self.TAGS", {"body": "TAGS = {'a', 'b'}"}, ".isin(*self.TAGS)"),
        ("line in tags", {"set": "self.tags = set(['a'])", "before": "tags = self.tags"}, ".isin(*tags)"),
        (
            "line in self.tags",
            {
                "set": "self.tags = ['a']",
                "more": "def show(self):\n        print(len(self.tags), self.tags[0])",
            },
            ".isin(self.tags)",
        ),
    ],
)
def test_what_only_the_constructor_or_the_body_sets(test: str, parts: dict[str, str], column: str) -> None:
    assert column in rewritten(program(test, **parts))


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"made": "job = Job()\njob.word = 'b'\njob.run()"}, id="set elsewhere"),
        pytest.param({"more": "def other(self):\n        self.word = 'b'"}, id="set by a method"),
        pytest.param({"set": "self.word = word\n        setattr(self, 'word', 3)"}, id="set by its name"),
        pytest.param({"made": "Job(3).run()\nJob('a')"}, id="of two types"),
        pytest.param({"made": "make = Job\nmake('a').run()"}, id="made by another name"),
        pytest.param({"made": "Job(*sys.argv[1:]).run()"}, id="given in a list"),
        pytest.param({"made": "class Other(Job):\n    word = 3\n\nJob().run()"}, id="a subclass has another"),
        pytest.param({"set": "self.word, self.b = word"}, id="unpacked"),
        pytest.param({"set": "self.word = open(word)"}, id="no value"),
    ],
)
def test_what_may_be_another_value_is_no_column(parts: dict[str, str]) -> None:
    assert "self.word)" not in rewritten(program(**parts))


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"more": "def add(self):\n        self.tags.append('b')"}, id="changed by a method"),
        pytest.param({"made": "job = Job()\njob.tags += ['b']\njob.run()"}, id="changed elsewhere"),
        pytest.param({"before": "tags = self.tags\n        tags.append('b')"}, id="changed by another name"),
        pytest.param({"before": "print(sorted(self.tags), self)\n        use(self.tags)"}, id="handed on"),
        pytest.param({"before": "self.others = self.tags"}, id="held twice"),
        pytest.param({"set": "self.tags = TAGS", "made": "TAGS = ['a']\nJob().run()"}, id="another's list"),
    ],
)
def test_a_list_that_may_change_is_no_column(parts: dict[str, str]) -> None:
    assert ".isin(" not in rewritten(program("line in self.tags", **{"set": "self.tags = ['a']", **parts}))


def test_a_base_class_that_was_not_read_may_set_it() -> None:
    source = program().replace("class Job(object)", "class Job(sys.Base)")
    assert ".contains(self.word)" not in rewritten(source)


def test_another_module_may_make_an_object_with_another_value() -> None:
    files = [module(program(), "job.py"), module("from job import Job\nJob(3).run()\n", "other.py")]
    found = {file.path: file.new for file in migrate(files, Options()).files}
    assert ".contains(self.word)" not in (found["job.py"] or "")


def test_the_number_that_is_printed_is_one_that_stays() -> None:
    source = program(body="LIMIT = 5").replace(".pprint()", ".pprint(self.LIMIT)")
    assert "numRows=self.LIMIT" in rewritten(source)
    changed = program(body="LIMIT = 5", before="self.LIMIT = 6").replace(".pprint()", ".pprint(self.LIMIT)")
    assert "numRows=self.LIMIT" not in rewritten(changed)
