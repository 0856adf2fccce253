"""What a filter says of elements is known to the operators behind it."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import GraphResult, Options
from tests.migrate.programs import module

PROGRAM = """\
import re
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(), 1)
lines = ssc.socketTextStream("localhost", 9999)
{body}
ssc.start()
ssc.awaitTermination()
"""


def graph(body: str) -> tuple[GraphResult, str]:
    result = migrate([module(PROGRAM.format(body=body))], Options())
    return result.graphs[0], result.files[0].new


@pytest.mark.parametrize(
    ("test", "item", "fails"),
    [
        ("len(p) > 2", "p[2]", False),
        ("len(p) == 3 and p[2]", "p[-3]", False),
        ("not len(p) < 3", "(p[0], p[2])", False),
        ("len(p) > 2", "p[3]", True),
        ("len(p) < 3", "p[2]", True),
        ("len(p) > 2 or p[0]", "p[2]", True),
    ],
)
def test_an_index_that_a_filter_has_asked_for_is_not_beyond_the_end(
    test: str, item: str, fails: bool
) -> None:
    body = f"lines.map(lambda l: l.split(',')).filter(lambda p: {test}).map(lambda p: {item}).pprint()"
    found, _ = graph(body)
    assert any("an index beyond the end" in note for note in found.notes) == fails


@pytest.mark.parametrize(
    ("before", "guarded"),
    [
        (".filter(lambda w: re.match('^#[a-zA-Z]+$', w))", False),
        (".filter(lambda w: w in ('A', 'b'))", False),
        (".map(lambda w: re.sub('[^A-Z]', '', w))", False),
        (".map(lambda w: (w, 1)).filter(lambda p: re.match('^[A-Z]+$', p[0])).map(lambda p: p[0])", False),
        (".filter(lambda w: w.lower() in ['#a', '#b'])", False),
        (".filter(lambda w: w.lower() == 'a')", False),
        (".filter(lambda w: w.lower() in ['#a', '#é'])", True),
        (".filter(lambda w: w.lower() not in ['#a', '#b'])", True),
        (".filter(lambda w: w.startswith('#'))", True),
        (".filter(lambda w: re.match('^[A-Z]+$', w)).map(lambda w: w + 'é')", True),
        (".filter(lambda w: re.match('^[A-Z]+$', w)).union(lines)", True),
    ],
)
def test_ascii_needs_no_guard_of_letters(before: str, guarded: bool) -> None:
    body = f"lines.flatMap(lambda l: l.split(' ')){before}.map(lambda w: w.lower()).pprint()"
    assert _guards_letters(body) is guarded


@pytest.mark.parametrize(
    ("body", "guarded"),
    [
        ("lines.map(lambda w: w.lower()).filter(lambda w: re.match('^[a-z]+$', w)).pprint()", False),
        ("lines.map(lambda w: (len(w), w.lower())).filter(lambda p: p[1] in ('a', 'b')).pprint()", False),
        ("lines.flatMap(lambda l: l.lower().split(' ')).filter(lambda w: w in KNOWN).pprint()", False),
        (
            "lines.map(lambda w: w.upper()).filter(lambda w: len(w) > 2)"
            ".filter(lambda w: w in KNOWN).pprint()",
            False,
        ),
        (
            "w = lines.map(lambda w: w.lower())\nw.filter(lambda w: w == 'a').pprint()\n"
            "w.filter(lambda w: w in KNOWN).pprint()",
            False,
        ),
        ("lines.map(lambda w: (len(w), w.lower())).filter(lambda p: p[0] in (1, 2)).pprint()", True),
        ("w = lines.map(lambda w: w.lower())\nw.filter(lambda w: w == 'a').pprint()\nw.pprint()", True),
        ("lines.map(lambda w: w.lower()).window(2).filter(lambda w: w == 'a').pprint()", True),
        ("lines.map(lambda w: w.lower()).filter(lambda w: w != 'a').pprint()", True),
        ("lines.flatMap(lambda l: l.lower().split('é')).filter(lambda w: w == 'a').pprint()", True),
        ("lines.map(lambda w: w.lower()).pprint()", True),
    ],
)
def test_letters_that_a_later_filter_leaves_out_need_no_guard(body: str, guarded: bool) -> None:
    assert _guards_letters(f"KNOWN = ['a', 'b']\n{body}") is guarded


def _guards_letters(body: str) -> bool:
    """Whether new code has letters put in lower case by Python."""
    _, new = graph(body)
    return "def lower(text)" in new


@pytest.mark.parametrize(
    ("both", "guarded"),
    [
        ("ascii.join(others)", False),
        ("ascii.leftOuterJoin(others)", False),
        ("ascii.rightOuterJoin(others)", True),
        ("ascii.fullOuterJoin(others)", True),
        ("ascii.union(others)", True),
        ("ascii.union(ascii)", False),
    ],
)
def test_what_a_filter_tells_of_keys_holds_on_its_own_side(both: str, guarded: bool) -> None:
    body = (
        "import re\n"
        "ascii = lines.filter(lambda w: re.match('^[a-zA-Z]+$', w)).map(lambda w: (w, 1))\n"
        "others = lines.map(lambda w: (w, len(w)))\n"
        f"{both}.map(lambda pair: pair[0].lower()).pprint()"
    )
    _, new = graph(body)
    assert ("def lower(" in new) is guarded


@pytest.mark.parametrize(
    ("initial", "values", "guarded", "remainder"),
    [
        ("", "1", False, 'F.col("count") % 10'),
        ('[("\\u212a", 7)]', "1", True, 'F.col("count") % 10'),
        ('[("k", -7)]', "1", True, 'F.pmod("count", F.lit(10))'),
        ("", "-1 if w == 'a' else 1", False, "F.pmod("),
    ],
)
@pytest.mark.parametrize("other", ["", "ascii.pprint()"])
def test_an_initial_state_has_other_keys_and_numbers(
    initial: str, values: str, guarded: bool, remainder: str, other: str
) -> None:
    """Also where the batch function keeps the state, as another output reads the source."""
    first = f"first = ssc.sparkContext.parallelize({initial})\n" if initial else ""
    given = ", initialRDD=first" if initial else ""
    body = (
        f"{first}ssc.checkpoint('c')\n"
        "ascii = lines.filter(lambda w: re.match('^[a-zA-Z]+$', w))\n"
        f"state = ascii.map(lambda w: (w, {values}))"
        f".updateStateByKey(lambda new, last: sum(new) + (last or 0){given})\n"
        f"state.map(lambda pair: (pair[0].lower(), pair[1] % 10)).pprint()\n{other}"
    )
    _, new = graph(body)
    assert ("def lower(" in new) is guarded
    assert remainder in new.replace("'", '"')
