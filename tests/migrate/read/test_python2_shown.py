"""What Python 3 shows otherwise than Python 2 did, in files that only prints keep from being of both."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.model import Options
from migrate.read.python2.neighbours import BESIDE
from migrate.read.python2.notes import SHOWN_AS_IN_3
from migrate.run import run as run_on
from tests.migrate.read.test_python2 import PROGRAM, run

RATES = """\
def save(rdd):
    for rate in rdd.collect():
        {}
lines.map(lambda l: (l, float(l) / 3)).foreachRDD(save)
"""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (RATES.format("print rate"), "line 9: `rate`"),
        (RATES.format("print '%s: %s' % (len(rate), rate[1]), 'done'"), "line 9: `rate[1]`"),
        (RATES.format("print 'a {}'.format(rate)"), "line 9: `rate`"),
        (RATES.format("print '%s' % (rate,)"), "line 9: `rate`"),
        (RATES.format("print '%d of %s' % (len(rate), 'all')"), ""),
        (RATES.format("print '%.2f' % rate"), ""),
        (RATES.format("print '%5.1f %% of %s' % (rate[1], rate[1])"), "line 9: `rate[1]`"),
        (RATES.format("print '%*d' % (rate, 5)"), "line 9: `rate`"),
        ("lines.map(lambda l: (l, 1)).saveAsTextFiles('counts')", "line 7: `lines.map(lambda l: (l, 1))`"),
        (RATES.format("print sorted(rate), rate"), "line 9: `sorted(rate)`, line 9: `rate`"),
        ("print __name__, __file__\nlines.pprint()", ""),
        ("print lines, ssc\nlines.pprint()", ""),
    ],
)
def test_values_that_may_be_floats_or_hold_texts_are_named(body: str, said: str) -> None:
    (graph,) = run(body).graphs
    known = [note for note in graph.notes if note.endswith(SHOWN_AS_IN_3.format(""))]
    assert known == ([SHOWN_AS_IN_3.format(said)] if said else [])


MEANS = PROGRAM.replace('print "starting"\n', "").format(
    body="""\
from readers import read
def save(rdd):
    for item in rdd.collect():
        print(str(item), hash(item), round(2.5), item / 2, str('a'))
lines.map(read).foreachRDD(save)
"""
)


@pytest.mark.parametrize(
    ("other", "more", "is_said"),
    [
        ("counts.py", "", True),
        ("old/counts.py", "", False),
        ("counts.py", "from __future__ import division\n", True),
        ("counts.py", "name: str = ''\n", False),
    ],
)
def test_a_file_beside_one_in_python_2_may_have_been_run_by_it(
    tmp_path: Path, other: str, more: str, is_said: bool
) -> None:
    (tmp_path / other).parent.mkdir(exist_ok=True)
    (tmp_path / other).write_text(PROGRAM.format(body="lines.pprint()"))
    (tmp_path / "means.py").write_text(more + MEANS)
    notes = [note for graph in run_on([tmp_path], Options()).result.graphs for note in graph.notes]
    line = 9 + bool(more)
    places = [f"line {line}: `{code}`" for code in ("str(item)", "hash(item)", "round(2.5)")]
    places += [] if more else ["and 1 more"]
    said = BESIDE.format(other, "means.py", ", ".join(places))
    assert [note for note in notes if note.startswith(BESIDE.split("{}")[0] + other)] == [said] * is_said


def test_a_hash_is_a_number() -> None:
    (graph,) = run(RATES.format("store(str(hash(rate)))")).graphs
    assert not any("hash(rate)" in note for note in graph.notes)
