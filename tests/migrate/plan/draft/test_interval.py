"""The batch interval of the trigger where the context is made in another function than the query."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import run

CLASS = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class Job:
    def __init__(self, interval=10, host="localhost"):
        {before}
        sc = SparkContext(appName="Test")
        self.ssc = StreamingContext(sc, interval)
        self.host = host
        {after}

    def run(self):
        self.ssc.socketTextStream(self.host, 9999).countByValue().pprint()
        self.ssc.start()
        self.ssc.awaitTermination()


Job({given}).run()
"""


def new(before: str = "pass", after: str = "pass", given: str = "interval=3") -> str:
    result = run(CLASS.format(before=before, after=after, given=given))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    return str(result.files[0].new)


@pytest.mark.parametrize("given", ["", "3", "interval=3"])
def test_what_the_constructor_is_given_decides(given: str) -> None:
    text = new(given=given)
    assert "        self.interval = interval\n        self.host = host\n" in text
    assert '.trigger(processingTime=f"{self.interval} seconds")' in text


@pytest.mark.parametrize("place", ["before", "after"])
def test_an_attribute_that_keeps_it_is_read(place: str) -> None:
    text = new(**{place: "self.interval = interval"})
    assert text.count("self.interval = interval") == 1
    assert '.trigger(processingTime=f"{self.interval} seconds")' in text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("self.interval = 7", "pass", id="another value"),
        pytest.param("pass", "self.show()\n        self.interval = interval", id="later"),
        pytest.param("interval += 1", "pass", id="the parameter changes"),
    ],
)
def test_a_name_that_is_taken_is_left_alone(before: str, after: str) -> None:
    result = run(CLASS.format(before=before, after=after, given="3"))
    text = result.files[0].new or ""
    assert "{self.interval} seconds" not in text


PARSED = "import argparse\n" + CLASS.replace(
    "Job({given})",
    "parser = argparse.ArgumentParser()\nparser.add_argument('--interval', type=int)\n"
    "args = parser.parse_args()\nJob({given})",
)


def test_an_option_of_its_name_is_another_attribute() -> None:
    result = run(PARSED.format(before="pass", after="pass", given="args.interval"))
    text = str(result.files[0].new)
    assert "        self.interval = interval\n" in text
    assert '.trigger(processingTime=f"{self.interval} seconds")' in text


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("self.args = args", '.trigger(processingTime=f"{self.args.interval} seconds")'),
        ("self.options = args", None),
        ("self.args = args\n        self.args = None", None),
    ],
)
def test_an_attribute_that_keeps_the_options_is_read(before: str, expected: str | None) -> None:
    program = PARSED.replace("interval=10, host", "args, host").replace(
        "(sc, interval)", "(sc, args.interval)"
    )
    result = run(program.format(before=before, after="pass", given="args"))
    if expected is None:
        assert result.graphs[0].outcome is not Outcome.NATIVE
    else:
        assert expected in str(result.files[0].new)
