"""Typed functions that call functions of other modules, of classes, and such that they define themselves."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options, Tier
from tests.migrate.programs import module, socket_program

HELPERS = """\
import json

LIMIT = 3
seen = {}

def parse(line):
    return json.loads(line)

def short(text, limit=3, end="."):
    return text[:limit].title() + end

def words(event):
    return [word for word in event["text"].split(" ") if len(word) > LIMIT]

def counted(text):
    seen[text] = 1
    return text.title()

def stored(text):
    with open("a", "w") as file:
        file.write(text)
    return text.title()

class Texts:
    mark = "!"

    @staticmethod
    def loud(text):
        return text.title() + "!"

    def marked(self, text):
        return self.twice(text) + "!"

    def twice(self, text):
        return text.title() * 2

    def of_class(self, text):
        return text.title() + self.mark
"""
OWN = """\
import helpers
from pyspark.sql import Row
from helpers import Texts, short, words
from helpers import counted as count

texts = Texts()

def later(line):
    step = 1
    def add(n):
        return n + step
    numbers = map(add, [1, 2])
    step = 0.5
    return list(numbers)

def later_still(line):
    found = [1]
    numbers = (found[-1] for _ in line)
    found.append(0.5)
    return list(numbers)

def at_once(line):
    total = 0
    numbers = map(lambda part: len(part), line.split("."))
    for number in numbers:
        total += number * 0.5
    return total > 1

def row_of_two(line):
    if "." in line:
        return Row(b=line.title(), a=1)
    return Row(a=line.title(), b=1)

def distance(line):
    scale = 2.0

    def place(name):
        return float(line.split(name)[0]) * scale

    return place("a") - place("b")

def stars(line):
    def star(n):
        yield "*" * n

    return [s for n in (1, 2) for s in star(n)]

def one_of_two(line):
    if line:
        def star():
            return "*"
    else:
        def star():
            return 1
    return star()

def hidden(line):
    n = line.title()

    def star():
        return n

    return [star() for n in (1, 2)]

def through_another(line):
    n = line.title()

    def inner():
        return n

    def outer():
        n = 1
        return inner()

    return outer()

def mood(line):
    mood = line.title()
    return mood

def other(line):
    names = [twice for twice in line.split(" ")]
    return len(names)

def twice(line):
    return line.title() * 2

def stored_later(line):
    return line.title()

def changing():
    global stored_later
    stored_later = len

def handed_out(line):
    def inner():
        return line.title()

    return inner
"""


def tier(stream: str) -> tuple[Tier, str]:
    """The tier of the last function of a stream, and the program's new text."""
    source = socket_program(f"{OWN}{stream}.pprint()")
    modules = [module(source, "job.py"), module(HELPERS, "helpers.py")]
    result = migrate(modules, Options())
    new = next(file.new for file in result.files if file.path == "job.py")
    tiers = [site.tier for site in result.sites if site.operator in ("map", "flatMap", "filter")]
    return tiers[-1], new


@pytest.mark.parametrize(
    ("stream", "declared"),
    [
        ("lines.map(short)", 'F.udf(short, "string")'),
        ("lines.map(lambda t: short(t, end='!'))", "F.udf(lambda t: short(t, end='!')"),
        ("lines.map(lambda t: short(t, limit=4))", "F.udf(lambda t: short(t, limit=4)"),
        ("lines.map(lambda t: helpers.short(t))", 'F.udf(lambda t: helpers.short(t), "string")'),
        ("lines.map(helpers.parse).flatMap(helpers.words)", '"array<string>"'),
        ("lines.map(lambda t: helpers.parse(t)).flatMap(words)", '"array<string>"'),
        ("lines.map(Texts.loud)", "F.udf(Texts.loud, "),
        ("lines.map(lambda t: helpers.Texts.loud(t))", "helpers.Texts.loud(t)"),
        ("lines.map(lambda t: texts.marked(t))", "texts.marked(t)"),
        ("lines.filter(lambda t: texts.twice(t).istitle())", '"boolean")'),
        ("lines.map(distance)", 'F.udf(distance, "double")'),
        (
            "lines.map(lambda t: Row(word=t.title(), n=1)).flatMap(lambda r: r.word.split('.'))",
            '"array<string>"',
        ),
        ("lines.map(mood)", 'F.udf(mood, "string")'),
        ("lines.map(at_once)", 'F.udf(at_once, "boolean")'),
        ("lines.map(lambda t: twice(t))", 'F.udf(lambda t: twice(t), "string")'),
        ("lines.flatMap(stars)", 'F.udf(stars, "array<string>")'),
    ],
)
def test_it_is_typed(stream: str, declared: str) -> None:
    found, new = tier(stream)
    assert found is Tier.PYTHON, new
    assert declared in new.replace("\n    ", "").replace("(\n", "(")


@pytest.mark.parametrize(
    ("stream", "why"),
    [
        ("lines.map(count)", "it remembers"),
        ("lines.map(lambda t: helpers.stored(t))", "it writes a file"),
        ("lines.map(lambda t: texts.of_class(t))", "it reads its object"),
        ("lines.map(lambda t: helpers.unknown(t))", "there is none"),
        ("lines.map(lambda t: short(t, n=1))", "there is no such parameter"),
        ("lines.map(lambda t: short(t, '!', limit=1))", "a parameter has two arguments"),
        ("lines.map(one_of_two)", "it is one of two functions"),
        ("lines.map(hidden)", "a comprehension has the name of its variable"),
        ("lines.map(through_another)", "another function has the name of its variable"),
        ("lines.map(handed_out)", "it is a value"),
        ("lines.map(stored_later)", "a function binds it anew"),
        ("lines.map(lambda t: Row(count=t, n=1)).map(lambda r: r.count)", "a Row has a method of the name"),
        ("lines.map(later)", "an iterator reads a variable that is a float by then"),
        ("lines.map(later_still)", "a generator does"),
        ("lines.map(row_of_two)", "the names of its fields are those of one of two Rows"),
        ("lines.map(lambda t: row_of_two(t))", "the same in a lambda"),
        ("helpers.short = len\nlines.map(lambda t: helpers.short(t))", "it is bound to another one"),
    ],
)
def test_others_are_not(stream: str, why: str) -> None:
    assert tier(f"{stream}.countByValue()")[0] is Tier.RDD, why


@pytest.mark.parametrize(
    ("start", "function", "is_typed"),
    [
        ("print(helpers.LIMIT, helpers.TAGS[0])", "scaled", True),
        ("helpers.LIMIT = 0.5", "scaled", False),
        ("setattr(helpers, 'LIMIT', 0.5)", "scaled", False),
        ("helpers.OTHER = 0.5", "scaled", True),
        ("from helpers import LIMIT\nprint(abs(LIMIT))", "scaled", True),
        ("from helpers import TAGS\nprint(len(TAGS))", "tagged", True),
        ("helpers.TAGS[0] = 0.5", "tagged", False),
        ("helpers.TAGS.append(0.5)", "tagged", False),
        ("from helpers import TAGS as tags\ntags.append(0.5)", "tagged", False),
        ("from helpers import *\nTAGS.append(0.5)", "tagged", False),
    ],
)
def test_a_variable_that_another_module_changes_is_no_constant(
    start: str, function: str, is_typed: bool
) -> None:
    helpers = """\
LIMIT = 3
TAGS = [1, 2]

def scaled(text):
    for _ in text:
        pass
    return len(text) * LIMIT

def tagged(text):
    for _ in text:
        pass
    return len(text) * TAGS[-1]
"""
    source = socket_program(f"{start}\nlines.map(lambda t: helpers.{function}(t)).countByValue().pprint()")
    modules = [module(f"import helpers\n{source}", "job.py"), module(helpers, "helpers.py")]
    result = migrate(modules, Options())
    assert [site.tier is Tier.PYTHON for site in result.sites if site.operator == "map"] == [is_typed]


def test_a_function_that_a_call_gives_keywords_makes_no_row() -> None:
    """It may be another one of the project's than Spark's ``Row``."""
    helpers = "def pair(text, other):\n    return text + '!', other\n"
    for start, call in (("import helpers", "helpers.pair"), ("from helpers import pair", "pair")):
        source = socket_program(f"lines.map(lambda line: {call}(other=1, text=line)).pprint()")
        result = migrate([module(f"{start}\n{source}", "job.py"), module(helpers, "helpers.py")], Options())
        (job,) = [file.new for file in result.files if file.path == "job.py"]
        assert f"{call}(other=1, text=" in job
