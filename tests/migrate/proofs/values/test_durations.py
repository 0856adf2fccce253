"""Durations that are settings of another module, parameters or attributes, and their values."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome
from migrate.plan.windows.windows import WHOLE_SLIDES
from tests.migrate.programs import kafka_program, module

BODY = "messages.window({length}, {slide}).pprint()"
OBJECT = """
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

class Job:
    def __init__(self, length=6, slide=3):
        self.ssc = StreamingContext(SparkContext(), 1)
        self.length = length
        self.slide = slide

    def build(self):
        messages = KafkaUtils.createDirectStream(self.ssc, ["t"], {"metadata.broker.list": "b:9092"})
        messages.window(self.length, self.slide).pprint()

    def run(self):
        self.ssc.start()
        self.ssc.awaitTermination()

job = Job()
job.build()
job.run()
"""


def outcome(**files: str) -> tuple[Outcome, str]:
    """What becomes of ``job.py`` beside other files, and why."""
    modules = [module(text, f"{name}.py") for name, text in files.items()]
    (graph,) = migrate(modules, Options()).graphs
    return graph.outcome, " ".join(map(str, graph.reasons))


def with_settings(head: str, length: str, slide: str) -> str:
    return head + kafka_program(BODY.format(length=length, slide=slide))


SETTINGS = "LENGTH = 6\nSLIDE = 3\n"
WHOLE = with_settings("import settings\n", "settings.LENGTH", "settings.SLIDE")
NAMES = with_settings("from settings import LENGTH, SLIDE as EVERY\n", "LENGTH", "EVERY")
WORKED_OUT = with_settings("import settings\n", "2 * settings.SLIDE", "settings.SLIDE")


TOGETHER = with_settings("length, slide = 6, 3\n", "length", "slide")
PARTS = with_settings("slide = 3\n[length, name] = [2 * slide, 'a']\n", "length", "slide")


@pytest.mark.parametrize(
    "job",
    [WHOLE, NAMES, WORKED_OUT, OBJECT, TOGETHER, PARTS],
    ids=["module", "names", "product", "self", "together", "one of several"],
)
def test_a_whole_number_of_slides_is_known(job: str) -> None:
    assert outcome(job=job, settings=SETTINGS)[0] is Outcome.NATIVE


@pytest.mark.parametrize(
    ("job", "settings"),
    [
        (WHOLE, "LENGTH = 7\nSLIDE = 3\n"),
        (NAMES, "LENGTH = 7\nSLIDE = 3\n"),
        (WHOLE, "import sys\nLENGTH = int(sys.argv[1])\nSLIDE = 3\n"),
        (WHOLE, SETTINGS + "def more():\n    global LENGTH\n    LENGTH = 7\n"),
        (WHOLE, SETTINGS + "LENGTH = 7\n"),
        ("import settings\nsettings.LENGTH = 7\n" + WHOLE, SETTINGS),
        (OBJECT.replace("Job()", "Job(7)"), ""),
        (OBJECT.replace("Job()", "Job(slide=4)"), ""),
        (OBJECT.replace("    def run", "    def slower(self):\n        self.length = 7\n\n    def run"), ""),
        (OBJECT.replace("self.length = length", "length = 7\n        self.length = length"), ""),
        (OBJECT.replace("job.build()", "job.length = 7\njob.build()"), ""),
    ],
    ids=[
        *("seven", "seven by its name", "an argument", "global", "bound twice", "bound from outside"),
        *("given", "given by name", "another method", "a parameter bound again", "bound on the object"),
    ],
)
def test_another_value_or_an_unknown_one_stays_on_compat(job: str, settings: str) -> None:
    found, why = outcome(job=job, settings=settings)
    assert found is Outcome.COMPAT
    assert WHOLE_SLIDES in why


def test_windows_with_the_same_settings_share_a_variable() -> None:
    """The length of both windows is worked out once."""
    body = (
        "messages.map(len).window(settings.LENGTH, settings.SLIDE).pprint()\n"
        "messages.map(str).window(settings.LENGTH, settings.SLIDE).pprint()\n"
        "messages.count().pprint()"
    )
    files = {"job.py": "import settings\n" + kafka_program(body), "settings.py": SETTINGS}
    result = migrate([module(text, path) for path, text in files.items()], Options())
    new = next(file.new for file in result.files if file.path == "job.py")
    assert new.count("settings.LENGTH") == 4  # of two windows, whose rows differ, and of their comments
    assert new.count("is_due = ") == 1 and new.count("if is_due:") == 2


@pytest.mark.parametrize(
    "head",
    [
        "length, *rest = 6, 3\nslide = 3\n",
        "length, slide = pair\n",
        "slide = length = 6\nlength, slide = 6, 3\n",
    ],
)
def test_parts_of_what_is_not_written_out_are_not_known(head: str) -> None:
    assert outcome(job=with_settings(head, "length", "slide"))[0] is Outcome.COMPAT


COUNTED = (
    "messages.map(lambda m: (json.loads(m[1])['k'], 1))"
    ".reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, {}, {}).pprint()\n"
)
FUNCTION = (
    "length = 2 * 3\nslide = 1\ndef shown(messages, length, slide):\n    "
    + COUNTED.format("length", "slide")
    + "shown(messages, length, slide)\n"
)
BASE = (
    "class Base:\n    def __init__(self, messages, length, slide):\n"
    "        self.messages = messages\n        self.length = length\n        self.slide = slide\n"
    "class Counts(Base):\n    def __init__(self, messages):\n"
    "        Base.__init__(self, messages, 6, slide=1)\n        self."
    + COUNTED.format("self.length", "self.slide")
    + "Counts(messages)\n"
)


@pytest.mark.parametrize(
    "body", [FUNCTION, BASE], ids=["a variable of that name", "a base class by its name"]
)
def test_durations_of_an_inverse_are_known_where_a_parameter_gets_them(body: str) -> None:
    new = outcome(job="import json\n" + kafka_program(body))
    assert new == (Outcome.NATIVE, "")
