"""Line ends are the file's: of one kind, of several, at the end or not."""

from __future__ import annotations

import itertools
import re
from collections import Counter

import pytest

from tests.migrate.codemod.written import native
from tests.migrate.conftest import STREAM, Cli
from tests.migrate.programs import run, socket_program

BODIES = {
    "words": 'words = lines.flatMap(lambda line: line.split(" "))\nwords.countByValue().pprint()',
    "comments": "# above\nwords = lines.map(len)  # behind\n\n# apart\n\nwords.pprint()",
    "helpers": "lines.map(lambda w: int(w)).pprint()\nlines.map(clean).pprint()",
    "a chain": "(\n    lines\n    .map(len)  # sizes\n    .filter(lambda n: n > 3)\n    .pprint()\n)",
    "a lambda": "lines.map(lambda line: clean(\n    line,\n    'a',\n)).pprint()",
    "a callback": (
        "from pyspark.sql import SparkSession\nspark = SparkSession(sc)\ndef save(rdd):\n"
        "    pairs = rdd.map(lambda w: (w, 1))\n"
        '    spark.createDataFrame(pairs, ["a", "b"]).show()\n\nlines.foreachRDD(save)'
    ),
    "RDD code": "lines.foreachRDD(\n    lambda t, rdd: print(\n        t,\n        rdd.count(),\n    )\n)",
    "a function": "def size(line):\n    # its size\n    return len(line)\n\n\nlines.map(size).pprint()",
    "a string": 'text = """a\n# b\n"""\nlines.pprint()',
    "compat": "lines.glom().pprint()",
    "by hand": "handed(lines)\nlines.pprint()",
}
CONTEXTS = {
    "plain": 'sc = SparkContext(appName="Test")',
    "arguments": 'sc = SparkContext(\n    "local[2]",\n    appName="A"\n    "B",\n)',
    "settings": 'conf = (\n  SparkConf()\n  .setAppName(\n    "x"\n  )\n)\nsc = SparkContext(conf=conf)',
    "continued": 'sc = SparkContext("local[2]", \\\n    "Test")',
}


def program(body: str, context: str) -> str:
    source = socket_program(body).replace('sc = SparkContext(appName="Test")', context)
    source = (
        source.replace("import SparkContext", "import SparkConf, SparkContext")
        if "conf" in context
        else source
    )
    return source.replace('("localhost", 9999)', '(\n    "localhost",\n    9999,\n)')


PROGRAMS = {
    **{name: program(body, CONTEXTS["plain"]) for name, body in BODIES.items()},
    **{f"context: {name}": program(BODIES["words"], context) for name, context in CONTEXTS.items()},
}


@pytest.mark.parametrize("newline", ["\r\n", "\r"], ids=["CRLF", "CR"])
@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_the_new_text_differs_by_its_line_ends_alone(source: str, newline: str) -> None:
    expected = run(source).files[0].new
    assert expected != source
    assert run(source.replace("\n", newline)).files[0].new == expected.replace("\n", newline)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_no_newline_at_the_end(newline: str) -> None:
    """The last line is new: it has none either, as the one before it had none."""
    source = socket_program("lines.pprint()").replace("\n", newline)
    cut = source.removesuffix(newline)
    for old in (cut, cut + "  # for ever", cut.removesuffix(f"{newline}ssc.awaitTermination()")):
        new = native(old)
        assert not new.endswith(("\n", "\r"))
        assert new == native(old + newline).removesuffix(newline)


MIXED = [
    ["\n", "\n", "\r\n"],
    ["\r\n", "\r\n", "\n"],
    ["\r", "\r\n", "\r\n"],
    ["\n", "\r", "\n", "\r\n"],
]


def mixed(source: str, ends: list[str]) -> str:
    lines = source.split("\n")
    rows = []
    for place, (line, below) in enumerate(itertools.pairwise(lines)):
        end = ends[place % len(ends)]
        rows.append(
            line + ("\n" if end == "\r" and not below else end)
        )  # or an empty line would melt into it
    return "".join(rows) + lines[-1]


def rows(text: str) -> list[str]:
    """The lines of a text with their ends; form feeds and the like end none."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text)


@pytest.mark.parametrize("ends", MIXED, ids=map(repr, MIXED))
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_mixed_line_ends_change_where_lines_change(body: str, ends: list[str]) -> None:
    around = "".join(f"first_{number} = {number}\n" for number in range(9))
    plain = program(f"{body}\n{around.replace('first', 'inner')}", CONTEXTS["arguments"])
    plain = f"{around}{plain}{around.replace('first', 'last')}"
    old = mixed(plain, ends)
    new = run(old).files[0].new
    most = Counter(row[len(row.rstrip("\r\n")) :] for row in rows(old)).most_common(1)[0][0]
    assert [row.rstrip("\r\n") for row in rows(new)] == run(plain).files[0].new.splitlines()
    kept = Counter(rows(old))
    for row in rows(new):
        if kept[row]:
            kept[row] -= 1
        else:
            assert row.endswith(most), "a new line has the end that most lines have"
    for row in rows(old):
        if re.match("(first|inner|last)_", row):
            assert row in rows(new), "a line that nobody changed has the end that it had"


@pytest.mark.parametrize("ends", MIXED, ids=map(repr, MIXED))
def test_mixed_line_ends_in_a_string_stay(ends: list[str]) -> None:
    text = mixed('text = """a\nb\nc\nd\n"""\n', ends)
    old = text + socket_program("lines.pprint()")
    assert native(old).startswith(text)


@pytest.mark.parametrize("newline", [b"\r\n", b"\r", b"\n"], ids=["CRLF", "CR", "LF"])
@pytest.mark.parametrize("head", [b"", b"\xef\xbb\xbf"], ids=["", "BOM"])
def test_bytes_through_the_command(cli: Cli, newline: bytes, head: bytes) -> None:
    done = cli("rewrite", "-", stdin=head + STREAM.encode().replace(b"\n", newline))
    assert done.code == 0
    expected = cli("rewrite", "-", stdin=STREAM.encode()).out
    assert b"compat.streaming" in expected
    assert done.out == head + expected.replace(b"\n", newline)
