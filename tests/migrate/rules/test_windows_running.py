"""Sliding windows: slide by slide as DStream's, on generated batches with empty ones among them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from migrate.plan.windows import windows
from migrate.plan.windows.windows import ANEW_UP_TO, UNITED_ALL_UP_TO
from tests.migrate.programs import LIMITED, whole_program
from tests.migrate.rules.running import Batch, after_program, as_printed, before
from tests.migrate.rules.test_running import _batches

ADD, SUBTRACT = "lambda a, b: a + b", "lambda a, b: a - b"
TOTAL = "lambda new, last: sum(new) + (last or 0)"
PAIRS = 'pairs = lines.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))\n'
WINDOWS = {
    "each batch": f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, None, 3).pprint()",
    "every second batch": f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, None, 3, 2).pprint()",
    "an inverse of a few slides, or with a filter of what is empty behind it": (
        f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 4, 1).pprint()\n"
        f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5, 1).filter(lambda p: p[1] != 0).pprint()\n"
        "def counted(pair):\n    return pair[1] > 0\n"
        f"sizes = pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 10, 2)\n"
        "sizes.filter(counted).pprint()\nsizes.filter(lambda p: p[1]).count().pprint()"
    ),
    "one batch": f"{PAIRS}pairs.reduceByKeyAndWindow(max, None, 1).pprint()",
    "one batch of all kinds": (
        f"{PAIRS}lines.window(1).pprint()\nlines.countByWindow(1, 1).pprint()\n"
        "lines.countByValueAndWindow(1, 1).pprint()\n"
        "lines.map(len).reduceByWindow(max, None, 1, 1).pprint()\n"
        f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 1, 1).updateStateByKey("
        "lambda new, last: sum(new) + (last or 0)).pprint()"
    ),
    "rows": (
        'words = lines.window(3, 2).flatMap(lambda line: line.split(" "))\n'
        "words.pprint()\n"
        f"words.map(lambda word: (word, 1)).reduceByKey({ADD}).filter(lambda pair: pair[1] > 1).pprint()\n"
        "words.foreachRDD(lambda rdd: print(rdd.count()))"
    ),
    "a count of rows": "lines.window(2, 1).count().pprint()",
    "a count after a shuffle": f"{PAIRS}pairs.reduceByKey({ADD}).window(3).count().pprint()",
    "of windows in RDD code": (
        "def sizes(line):\n    return [(line[:1], {'n': len(line)}), (line[-1:], {'n': 1})]\n"
        "def larger(a, b):\n    return {'n': max(a['n'], b['n'])}\n"
        "def show(rdd):\n    if not rdd.isEmpty():\n        print(sorted(rdd.collect(), key=str))\n"
        "records = lines.flatMap(sizes)\n"
        "records.window(2).window(3).foreachRDD(lambda rdd: print(sorted(rdd.collect(), key=str)))\n"
        "records.window(3).reduceByKeyAndWindow(larger, None, 2).foreachRDD(show)\n"
        "records.window(2, 2).reduceByKey(larger).window(6).foreachRDD(show)\n"
        "records.window(2).reduceByKey(larger).window(4, 2).foreachRDD(show)\n"
        "firsts = lines.map(lambda t: (t[:1], t))\n"
        "firsts.window(2).groupByKeyAndWindow(3, 1).mapValues(sorted).pprint()"
    ),
    "countByValueAndWindow": "lines.countByValueAndWindow(3, 1).pprint()",
    "countByValueAndWindow, longer": "lines.map(lambda t: t[:1]).countByValueAndWindow(6, 1).pprint()",
    "reduceByWindow": (
        "lines.map(len).reduceByWindow(max, None, 3, 2).pprint()\n"
        f"lines.map(len).reduceByWindow({ADD}, {SUBTRACT}, 3, 1).pprint()"
    ),
    "numbers that more reads than prints": (
        "short = lines.countByWindow(2, 1)\nlong = lines.countByWindow(6, 1)\n"
        "short.map(lambda n: (1, n)).join(long.map(lambda n: (1, n))).pprint()\n"
        "long.union(short).foreachRDD(lambda rdd: print(sorted(rdd.collect())))\n"
        "lines.map(len).reduceByWindow(max, None, 3, 2).filter(lambda n: n > 1).pprint()"
    ),
    "slides that trigger the query": (
        f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 6, 2).pprint()\n"
        f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 10, 2).pprint()\n"
        "lines.countByWindow(4, 2).pprint()\nlines.countByWindow(10, 2).pprint()\n"
        "lines.window(4, 2).foreachRDD(lambda rdd: print(rdd.collect()))\n"
        "lines.window(2, 2).map(len).foreachRDD(lambda rdd: print(rdd.collect()))"
    ),
    "sorted": (
        f"{PAIRS}counts = pairs.reduceByKeyAndWindow({ADD}, None, 4, 2)\n"
        "ranked = counts.transform(lambda rdd: rdd.sortBy(lambda kv: kv[1], ascending=False))\n"
        "ranked.foreachRDD(lambda rdd: print(sorted(rdd.take(100))))"
    ),
    "beside other outputs": (
        f"{PAIRS}lines.pprint()\npairs.reduceByKeyAndWindow({ADD}, None, 2).pprint()\n"
        f"pairs.reduceByKey({ADD}).foreachRDD(lambda rdd: print(sorted(rdd.collect())))"
    ),
    "of objects that no column holds": (
        "records = lines.map(lambda t: {'key': t[:1], 'n': len(t)})\n"
        "records.map(lambda r: (r['key'], 1)).reduceByKeyAndWindow(lambda a, b: a + b, None, 3, 2).pprint()\n"
        "records.window(2).map(lambda r: r['key']).pprint()\n"
        f"records.map(lambda r: (r['key'], 1)).reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5, 1).pprint()\n"
        "long = records.filter(lambda r: r['n'] > 2).map(lambda r: [r]).window(4, 2)\n"
        "long.foreachRDD(lambda rdd: print(rdd.count(), sorted(map(str, rdd.collect()))))"
    ),
    "several": (
        f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, None, 2).pprint()\n"
        "lines.countByWindow(4, 2).pprint()\n"
        "lines.map(len).window(3, 3).pprint()"
    ),
    "joined": (
        "short = lines.map(lambda t: (t, 1)).window(2)\n"
        "long = lines.map(lambda t: (t, len(t))).window(3)\n"
        "short.join(long).pprint()"
    ),
    "joined every second batch": (
        "short = lines.map(lambda t: (t, 1)).window(2, 2)\n"
        "long = lines.map(lambda t: (t, len(t))).window(4, 2)\n"
        "short.join(long).pprint()"
    ),
    "an inverse of many slides": (
        f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5, 1).pprint()\n"
        "lines.countByWindow(5, 1).pprint()\n"
        f"totals = lines.map(len).reduceByWindow({ADD}, {SUBTRACT}, 5, 1)\ntotals.pprint()"
    ),
    "an inverse of longer slides": f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 10, 2).pprint()",
    "a filter beside an inverse of a few slides": (
        f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 4, 2, 2, lambda p: p[1] > 1).pprint()\n"
        f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 4, 1, 2, lambda kv: 'a' in kv[0]).pprint()\n"
        f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 1, 1, 2, lambda kv: kv[1] < 3).pprint()\n"
        f"pairs.reduceByKeyAndWindow({ADD}, None, 4, 2, filterFunc=lambda kv: kv[1] > 1).pprint()\n"
        "records = lines.map(lambda t: {'key': t[:1], 'n': len(t)})\n"
        "sizes = records.map(lambda r: (r['key'], 1))\n"
        f"sizes.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 3, 1, filterFunc=lambda kv: kv[1] > 2).pprint()"
    ),
    "a filter of what is empty beside an inverse": (
        f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5, 1, filterFunc=lambda p: p[1]).pprint()\n"
        "def counted(pair):\n    return pair[1] != 0\n"
        "sizes = lines.map(lambda t: (t[:1], 1 if 'a' in t else 0))\n"
        f"sizes.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 12, 2, 2, counted).pprint()\n"
        f"import sys\nsome = len(sys.argv[:1])\n"
        f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 6 * some, some, 2, lambda kv: kv[1] >= 1).pprint()"
    ),
    "groups": (
        "firsts = lines.map(lambda t: (t[:1], t))\n"
        "firsts.groupByKeyAndWindow(4, 2).mapValues(sorted).pprint()\n"
        "firsts.groupByKeyAndWindow(3, 1, 2).mapValues(len).pprint()\n"
        "firsts.groupByKeyAndWindow(1, 1).mapValues(lambda values: len(list(values))).pprint()"
    ),
    "an inverse of windows that turn out long, or short": (
        f"import sys\nsome = len(sys.argv[:1])\n{PAIRS}"
        f"counts = pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5 * some)\ncounts.pprint()\n"
        f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 4 * some).pprint()\n"
        f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 10 * some, 2 * some).pprint()\n"
        f"lines.countByWindow(5 * some, some).pprint()\nlines.countByWindow(6, 2 * some).pprint()"
    ),
    "of the same batches": (
        "lines.window(3, 2).pprint()\nlines.window(3, 2).count().pprint()\n"
        f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, None, 2).pprint()\n"
        f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5).pprint()\n"
        f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 4).pprint()"
    ),
    "of the same batches, a shorter one later": "lines.window(4, 2).pprint()\nlines.window(2, 2).pprint()",
    "of the same batches, every second one and each": (
        "lines.window(3).pprint()\nlines.window(4, 2).pprint()\n"
        f"lines.map(lambda a: (a, 1)).reduceByKeyAndWindow({ADD}, None, 2).pprint()\n"
        f"lines.map(lambda b: (b, 1)).reduceByKeyAndWindow({ADD}, None, 4).pprint()"
    ),
    "of windows": (
        "lines.window(2).window(3).pprint()\nlines.window(2, 2).window(4).pprint()\n"
        "lines.map(len).window(2).window(4, 2).count().pprint()\n"
        f"pairs = lines.window(3).map(lambda line: (line, 1))\n"
        f"pairs.reduceByKeyAndWindow({ADD}, None, 2).pprint()\n"
        f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5).pprint()"
    ),
    "of windows that slide": (
        f"import sys\nsome = len(sys.argv[:1])\n{PAIRS}twos = pairs.window(2, 2)\n"
        f"twos.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 10).pprint()\n"
        f"twos.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 8, 2).pprint()\n"
        f"twos.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 10 * some).pprint()\n"
        f"sums = pairs.reduceByKeyAndWindow({ADD}, None, 4 * some, 2 * some)\n"
        f"sums.reduceByKeyAndWindow(max, None, 4 * some, 2 * some).pprint()\n"
        "lines.countByWindow(2, 1).window(2).pprint()"
    ),
    "an inverse of many slides in RDD code": (
        "records = lines.map(lambda t: {'key': t[:1], 'n': len(t)})\n"
        "ones = records.map(lambda r: (r['key'], 1))\n"
        f"ones.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5, 1).pprint()\n"
        f"counts = ones.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 10, 2, 3)\ncounts.pprint()\n"
        "counts.map(lambda kv: kv[1]).foreachRDD(lambda rdd: print(rdd.count(), sorted(rdd.collect())))"
    ),
    "groups of many slides": (
        "firsts = lines.map(lambda t: (t[:1], t))\n"
        "firsts.groupByKeyAndWindow(5, 1).mapValues(sorted).pprint()\n"
        "groups = firsts.groupByKeyAndWindow(10, 2, 2)\n"
        "groups.mapValues(lambda values: len(list(values))).pprint()"
    ),
    "of a queue": "numbers.window(2).pprint()\nnumbers.countByWindow(3, 1).pprint()",
    "printed numbers": (
        "counts = lines.filter(lambda t: 'a' in t).countByWindow(5, 1)\ncounts.pprint()\n"
        "counts.map(lambda n: 'some %d' % n).pprint()\nlines.window(3, 2).count().pprint()\n"
        "words = lines.flatMap(lambda t: t.split(' '))\nwords.countByWindow(10, 2).pprint()\n"
        "words.countByWindow(6, 3).map(lambda n: (n, n * 2)).pprint()\n"
        "words.map(lambda w: {w: 1}).countByWindow(5, 1).pprint()"
    ),
    "printed numbers of unknown windows": (
        "import sys\nsome = len(sys.argv[:1])\n"
        "lines.filter(lambda t: 'a' in t).countByWindow(5 * some, some).pprint()\n"
        "lines.map(lambda t: 1).countByWindow(6, 2 * some).pprint()\n"
        "lines.countByWindow(10 * some, 2 * some).pprint()"
    ),
    "printed results": (
        f"lines.map(len).reduceByWindow({ADD}, {SUBTRACT}, 10, 2).pprint()\n"
        f"lines.map(lambda t: 0).reduceByWindow({ADD}, {SUBTRACT}, 4, 1).pprint()\n"
        f"lines.map(lambda t: len(t) - 5).reduceByWindow({ADD}, {SUBTRACT}, 5, 1).pprint()\n"
        f"lines.map(lambda t: len(t) - 5).reduceByWindow({ADD}, None, 6, 1).map(str).pprint()\n"
        "lines.reduceByWindow(max, None, 3, 1).pprint()\n"
        "lines.map(lambda t: t[:2]).reduceByWindow(min, None, 6, 3).pprint()\n"
        f"lines.map(lambda t: 1).reduceByWindow({ADD}, {SUBTRACT}, 5, 1).pprint()"
    ),
    "numbers of windows": (
        "lines.window(2).countByWindow(3, 1).pprint()\nlines.window(2, 2).count().pprint()\n"
        "lines.window(2, 2).countByWindow(10, 2).pprint()\n"
        "lines.countByWindow(5, 1).window(2).count().pprint()"
    ),
    "of what was reduced": (
        f"{PAIRS}counts = pairs.reduceByKey({ADD})\n"
        f"counts.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5, 1).pprint()\n"
        "counts.reduceByKeyAndWindow(max, None, 3).pprint()\n"
        "counts.foreachRDD(lambda rdd: print(rdd.count(), sorted(rdd.collect())))"
    ),
    "an inverse of very many slides beside another": (
        f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 101, 1).pprint()\n"
        f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5, 1).pprint()"
    ),
    "a state of each window": (
        f"{PAIRS}pairs.window(3).updateStateByKey({TOTAL}).pprint()\n"
        f"pairs.updateStateByKey({TOTAL}).pprint()\n"
        "lines.map(lambda t: (t[:1], len(t))).window(2)"
        ".updateStateByKey(lambda new, last: len(new) + (last or 0)).pprint()"
    ),
    "a state of every second window": (
        f"{PAIRS}counts = pairs.reduceByKeyAndWindow({ADD}, None, 4, 2)\n"
        f"totals = counts.updateStateByKey({TOTAL})\n"
        "totals.filter(lambda pair: pair[1] > 2).pprint()\n"
        "counts.pprint()\n"
        "totals.foreachRDD(lambda rdd: print(sorted(rdd.collect())))"
    ),
    "beside a count of each batch": (
        "lines.map(len).count().map(lambda n: 'lines: %s' % n).pprint()\n"
        "lines.countByWindow(3, 1).map(lambda n: 'window: %s' % n).pprint()"
    ),
    "countByWindow": (
        "lines.countByWindow(3, 1).pprint()\nlines.filter(lambda t: 'a' in t).countByWindow(4, 2).pprint()"
    ),
    "sums of many slides, of which none is 0": (
        f"{PAIRS}counts = pairs.reduceByKeyAndWindow({ADD}, None, 3)\ncounts.pprint()\n"
        f"pairs.reduceByKeyAndWindow({ADD}, None, 4, 2).foreachRDD(lambda r: print(sorted(r.collect())))\n"
        f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 6, 1, 2, lambda p: p[1] > 0).pprint()\n"
        "lines.map(lambda t: t[:1]).countByValueAndWindow(5, 1).pprint()\n"
        "sizes = lines.map(lambda t: (t[:1], 1 if 'a' in t else 0))\n"
        f"sizes.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5, 1, filterFunc=lambda p: p[1] != 0).pprint()"
    ),
}


SHORT = ("each batch", "numbers that more reads than prints", "countByWindow")
"""The first ones of the groups of three that run by default; each group takes up to a minute."""
GROUPS = [
    pytest.param(names, marks=[] if names[0] in SHORT else [pytest.mark.full], id=names[0])
    for names in ([*WINDOWS][start : start + 3] for start in range(0, len(WINDOWS), 3))
]


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(2, 8))])
@pytest.mark.parametrize("names", GROUPS)
def test_windows_are_those_of_dstream(
    spark_context: SparkContext,
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
    names: list[str],
) -> None:
    """Those of many slides subtract what falls out, as longer ones do."""
    spark_context.setCheckpointDir(str(tmp_path))
    batches: list[Batch] = [*_batches(seed, 4), *[()] * 6]
    bodies = [WINDOWS[name] for name in names]
    was = before(bodies, batches, spark_context)
    for name, body, expected in zip(names, bodies, was, strict=True):
        # the micro-batch that the query starts with comes before the first interval
        first: list[Batch] = [] if "numbers" in body else [()]
        for longest, value in {"ANEW_UP_TO": ANEW_UP_TO, "UNITED_ALL_UP_TO": UNITED_ALL_UP_TO}.items():
            monkeypatch.setattr(windows, longest, 0 if "of many slides" in name else value)
        came = after_program(whole_program(body), [*first, *batches], spark)
        assert any(expected.batches), name
        for after, was_ in zip(came.batches[len(first) :], expected.batches, strict=True):
            assert after == as_printed(was_, after), name


LATE = (
    f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, None, 4, SLIDE).pprint()",
    f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 4, SLIDE).pprint()",
    'lines.window(4, SLIDE).flatMap(lambda line: line.split(" ")).pprint()',
    "lines.countByWindow(4, SLIDE).pprint()",
    "lines.map(len).reduceByWindow(max, None, 4, SLIDE).pprint()",
    f"lines.map(len).reduceByWindow({ADD}, None, 4, SLIDE).map(str).pprint()",
)
KEPT = f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5, SLIDE).pprint()"
"""DStream keeps the keys of this one if it slides with each batch."""
TIMES = (1, 2, 3, 4, 7, 8, 9, 10, 11, 12)
"""The batch of interval 4 takes three intervals, so that the next one begins in interval 7."""


@pytest.mark.parametrize(
    ("slide", "due", "bodies"),
    [
        pytest.param(1, TIMES, (*LATE[:1], *LATE[2:4], KEPT), id="each batch"),
        pytest.param(1, TIMES, (LATE[1], *LATE[4:]), marks=pytest.mark.full, id="each batch, others"),
        pytest.param(
            *(2, (2, 4, 7, 8, 10, 12), LATE),
            marks=pytest.mark.full,
            id="the slide of interval 6 comes in 7",
        ),
    ],
)
def test_a_batch_that_takes_three_intervals_leaves_the_windows_right(
    spark_context: SparkContext,
    spark: SparkSession,
    tmp_path: Path,
    slide: int,
    due: tuple[int, ...],
    bodies: tuple[str, ...],
) -> None:
    """What came meanwhile counts for the interval in which the next batch begins, as if it came there."""
    spark_context.setCheckpointDir(str(tmp_path))
    brought = dict(zip(TIMES, _batches(5, 6), strict=False)) | {7: ("late a", "b", "late a")}
    in_each: list[Batch] = [brought.get(time, ()) for time in range(1, TIMES[-1] + 1)]
    was = before([body.replace("SLIDE", "1") for body in bodies], in_each, spark_context)
    for body, expected in zip(bodies, was, strict=True):
        program = whole_program(LIMITED + body.replace("SLIDE", str(slide)))
        batches = [(), *(in_each[time - 1] for time in TIMES)]
        came = after_program(program, batches, spark, times=(0, *TIMES))
        for time, after in zip(TIMES, came.batches[1:], strict=True):
            assert after == (as_printed(expected.batches[time - 1], after) if time in due else []), body


def test_texts_are_summed_as_ints(spark_context: SparkContext, spark: SparkSession, tmp_path: Path) -> None:
    """A text alone stays one in the old program, and is shown as its int is."""
    spark_context.setCheckpointDir(str(tmp_path))
    program = (
        "lines.reduceByWindow(lambda a, b: int(a) + int(b), lambda a, b: int(a) - int(b), 5, 1).pprint()\n"
        "lines.reduceByWindow(lambda a, b: int(b) + int(a), lambda a, b: int(a) - int(b), 10, 2).pprint()"
    )
    single: list[Batch] = [("5",), (), (), (), (), (), ("-7",), ("1", "2"), ()]
    several: list[Batch] = [(), ("12", "3"), ("0",), (), (), (), (), (), (), (), (), (), ("4",)]
    for batches in (single, several):
        (was,) = before([program], batches, spark_context)
        came = after_program(whole_program(program), [(), *batches], spark)
        assert any("rows" in line for batch in was.batches for line in batch)
        pairs = zip(was.batches, came.batches[1:], strict=True)
        shown = [[line.replace('"', "").replace("'", "") for line in as_printed(*pair)] for pair in pairs]
        assert [[line.replace("'", "") for line in batch] for batch in came.batches[1:]] == shown


ALONE = "lines.reduceByWindow(lambda a, b: int(a) + int(b), lambda a, b: int(a) - int(b), 5, 1).pprint()"


@pytest.mark.parametrize("text", [" 7", "07", "+7"])
def test_a_text_alone_is_shown_as_its_int(spark: SparkSession, text: str) -> None:
    """The old program shows the text, as no function is called; a note says so."""
    came = after_program(whole_program(ALONE), [(), (text,)], spark)
    assert "7" in came.batches[1][-1].split() and text not in came.batches[1]


def test_a_text_alone_that_is_no_int_fails(spark: SparkSession) -> None:
    with pytest.raises(Exception, match="CAST_INVALID_INPUT"):
        after_program(whole_program(ALONE), [(), ("a",)], spark)
