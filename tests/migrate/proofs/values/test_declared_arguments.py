"""What a program declares to a parser of arguments has the type that the parser gives it."""

from __future__ import annotations

import pytest

from tests.migrate.programs import run

PROGRAM = """\
import argparse
import optparse
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

{before}
if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="words")
    {declared}
    args = parser.parse_args()
    sc = SparkContext(appName="words")
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream("localhost", 9999)
    lines.filter(lambda line: {test}).pprint()
    ssc.start()
    ssc.awaitTermination()
    {after}
"""


def condition(declared: str, test: str, before: str = "", after: str = "") -> str:
    """The condition of the rewritten filter; "" where it is no column."""
    (file,) = run(PROGRAM.format(before=before, declared=declared, test=test, after=after)).files
    assert file.new is not None
    found = [line for line in file.new.splitlines() if ".where(" in line]
    return found[0].strip() if found else ""


@pytest.mark.parametrize(
    ("declared", "test", "column"),
    [
        ('parser.add_argument("--least", type=int, default=3)', "len(line) > args.least", "> args.least"),
        ('parser.add_argument("least", type=int)', "len(line) > args.least", "> args.least"),
        (
            'parser.add_argument("-l", "--least-length", type=int, required=True)',
            "len(line) > args.least_length",
            "",
        ),
        ('parser.add_argument("--word", default="a")', "args.word in line", ".contains(args.word)"),
        ('parser.add_argument("-w", dest="word", default="a")', "line == args.word", "== args.word"),
        ('parser.add_argument("--least", type=int, default="3")', "len(line) > args.least", "> args.least"),
        ('parser.add_argument("--loud", action="store_true")', "args.loud or line", "F.lit(args.loud)"),
        (
            'group = parser.add_argument_group("text")\n    group.add_argument("--word", default="a")',
            "line == args.word",
            "== args.word",
        ),
    ],
)
def test_its_type_is_what_was_declared(declared: str, test: str, column: str) -> None:
    found = condition(declared, test)
    assert found and column in found


@pytest.mark.parametrize(
    ("declared", "test", "before", "after"),
    [
        pytest.param(
            'parser.add_argument("--least", type=int)', "len(line) > args.least", "", "", id="it may be None"
        ),
        pytest.param(
            'parser.add_argument("--least", type=float, default=1)',
            "line == args.least",
            "",
            "",
            id="it is a number",
        ),
        pytest.param(
            'parser.add_argument("--least", type=int, default=3)',
            "len(line) > args.least",
            "",
            "args.least = 4",
            id="it is set",
        ),
        pytest.param(
            'parser.add_argument("--least", type=int, default=3)\n    setattr(parser, "a", 1)',
            "len(line) > args.least",
            "",
            "",
            id="attributes are set by their names",
        ),
        pytest.param(
            'parser.add_argument("--word", default="a")\n    parser.set_defaults(word=3)',
            "line == args.word",
            "",
            "",
            id="it has another default",
        ),
        pytest.param(
            'parser.add_argument("--words", action="append")', "line == args.words", "", "", id="a list"
        ),
        pytest.param(
            "add(parser)",
            "line == args.word",
            "def add(parser):\n    parser.add_argument('--word', default='a')\n",
            "",
            id="another function declares it",
        ),
        pytest.param(
            'parser.add_argument(*flags, default="a")',
            "line == args.word",
            "flags = ['--word']",
            "",
            id="its name is not written out",
        ),
    ],
)
def test_an_argument_of_another_type_is_no_column(declared: str, test: str, before: str, after: str) -> None:
    assert "args." not in condition(declared, test, before, after)


@pytest.mark.parametrize(
    ("parsed", "is_known"),
    [
        ("args = parser.parse_args()", True),
        ("args, _ = parser.parse_known_args()", True),
        ("args = parser.parse_known_args()", False),
        ("_, args = parser.parse_known_args()", False),
        ("args = get_args()", True),
    ],
)
def test_the_arguments_are_what_the_parser_returns(parsed: str, is_known: bool) -> None:
    before = (
        "def get_args():\n    parser = argparse.ArgumentParser()\n"
        '    parser.add_argument("--word", default="a")\n    return parser.parse_args()\n'
    )
    source = PROGRAM.replace("args = parser.parse_args()", parsed)
    declared = 'parser.add_argument("--word", default="a")'
    (file,) = run(source.format(before=before, declared=declared, test="line == args.word", after="")).files
    assert file.new is not None
    assert ('F.col("value") == args.word' in file.new) is is_known


@pytest.mark.parametrize(
    ("declared", "test", "is_known"),
    [
        ('parser.add_option("--least", type="int", default=3)', "len(line) > args.least", True),
        ('parser.add_option("-w", "--word", default="a")', "line == args.word", True),
        ('parser.add_option("--least", type="complex", default=3)', "len(line) > args.least", False),
        ('parser.add_option("--least", type="int")', "len(line) > args.least", False),
    ],
)
def test_optparse_names_its_types(declared: str, test: str, is_known: bool) -> None:
    source = PROGRAM.replace("argparse.ArgumentParser(", "optparse.OptionParser(")
    source = source.replace("args = parser.parse_args()", "args, others = parser.parse_args()")
    (file,) = run(source.format(before="", declared=declared, test=test, after="")).files
    assert file.new is not None
    assert ("args." in "".join(line for line in file.new.splitlines() if ".where(" in line)) is is_known
