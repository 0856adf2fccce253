"""Sliding windows over processing time: what they hold, when they are due, and which have no native form."""

from __future__ import annotations

import ast
import re
import textwrap
from collections import deque
from functools import reduce
from typing import Any

import pytest

from migrate.model import Options, Outcome
from migrate.plan.windows.held_windows import SLIDES
from migrate.plan.windows.windows import HOLDS_MANY, LONGER, SAME, WHOLE_SLIDES
from migrate.rules._ints_of_texts import ALONE, SHOWN
from tests.migrate.programs import (
    LIMITED,
    blocked,
    file,
    flat,
    kafka_program,
    native_body,
    queue_program,
    run,
    socket_program,
)

MORNING = 1_700_000_000
PAIRS = "pairs = lines.map(lambda line: (line, 1))\n"
ADD, SUBTRACT = "lambda a, b: a + b", "lambda a, b: a - b"


class Frame:
    """A DataFrame that knows its batches, whether it is persisted, and what was shown."""

    def __init__(self, *batches: int) -> None:
        self.batches = batches
        self.persisted = False
        self.shown: list[tuple[int, ...]] = []

    def persist(self) -> Frame:
        self.persisted = True
        return self

    def unpersist(self) -> None:
        self.persisted = False

    def isEmpty(self) -> bool:  # noqa: N802
        return False

    def union(self, other: Frame) -> Frame:
        both = Frame(*self.batches, *other.batches)
        both.shown = other.shown
        return both

    def show(self, number: int, *, truncate: bool) -> None:
        self.shown.append(self.batches)


class Query:
    """The batch function of a program, beside fakes of what it calls."""

    def __init__(self, source: str, interval: float = 1) -> None:
        self.interval = interval
        self.frames: list[Frame] = []
        self._time = 0.0
        names: dict[str, Any] = {"time": self, "deque": deque, "reduce": reduce, "DataFrame": Frame}
        for statement in ast.parse(file(source).new).body:
            made = isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0])
            if made in MADE or isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                exec(ast.unparse(statement), names)
        self._function = names["process_batch"]

    def time(self) -> float:
        return self._time

    def begin(self, time: int) -> None:
        """Run the batch without rows that a query begins with."""
        self._time = (MORNING + time + 0.25) * self.interval
        self._function(Frame(), 0)

    def batch(self, time: int) -> list[tuple[int, ...]]:
        """Run a batch at a time in intervals; what it shows, as the batches that this is made of."""
        self._time = (MORNING + time + 0.25) * self.interval
        self.frames.append(Frame(len(self.frames)))
        self._function(self.frames[-1], len(self.frames) - 1)
        return self.frames[-1].shown

    @property
    def held(self) -> set[int]:
        """The batches that are persisted."""
        return {number for number, frame in enumerate(self.frames) if frame.persisted}


MADE = ("window", "due")


def window_program(window: str, interval: float = 1) -> str:
    source = socket_program(f"{LIMITED}lines.window({window}).pprint()")
    return source.replace("(sc, 1)", f"(sc, {interval})")


def slides(length: float, slide: float, interval: float, times: list[int]) -> dict[int, tuple[int, ...]]:
    """The batches in a window where it is due, by batch; `times` are batch times in intervals."""
    due = {}
    for sliding in (True, False):
        window = f"{length}, {slide}" if sliding else f"{length}"
        query = Query(window_program(window, interval), interval)
        if sliding:
            query.begin(times[0] - 1)
        for number, time in enumerate(times):
            shown = query.batch(time)
            assert len(shown) <= 1 and (shown or sliding)
            if shown and sliding:
                due[number] = shown[0]
            if shown:
                assert query.held == {*shown[0]}, "what falls out is released"
            assert len(query.held) <= length / interval or len(set(times)) < len(times)
            if not sliding:
                assert due.get(number, shown[0]) == shown[0]
    return due


@pytest.mark.parametrize("interval", [1, 5, 0.5, 0.1, 0.3, 60])
def test_a_window_is_due_at_each_slide_from_the_start(interval: float) -> None:
    times = [*range(8)]
    found = slides(4 * interval, 2 * interval, interval, times)
    assert found == {1: (0, 1), 3: (0, 1, 2, 3), 5: (2, 3, 4, 5), 7: (4, 5, 6, 7)}
    assert slides(3 * interval, interval, interval, times)[7] == (5, 6, 7)


def test_a_batch_that_takes_three_intervals_is_one_and_a_slide_that_was_passed_over_comes_next() -> None:
    # the batch of time 3 took until 6, so that the next has the time 6, and slides are at 1, 3, 5, 7, 9
    assert slides(4, 2, 1, [0, 1, 2, 3, 6, 7, 8, 9]) == {
        1: (0, 1),
        3: (0, 1, 2, 3),
        4: (3, 4),
        5: (4, 5),
        7: (4, 5, 6, 7),
    }


def test_what_comes_before_the_first_interval_ends_is_of_it() -> None:
    query = Query(window_program("4, 2"))
    assert [query.batch(time) for time in range(7)] == [
        *([], []),
        [(0, 1, 2)],
        *([], [(0, 1, 2, 3, 4)], []),
        [(3, 4, 5, 6)],
    ]
    late = Query(window_program("4, 2"))
    assert [late.batch(time) for time in (0, 0, 1, 2)] == [[], [], [], [(0, 1, 2, 3)]]


def test_two_batches_in_one_interval_leave_together() -> None:
    query = Query(window_program("2"))
    assert [query.batch(time) for time in (0, 1, 1, 2, 3)] == [
        [(0,)],
        [(0, 1)],
        [(0, 1, 2)],
        [(1, 2, 3)],
        [(3, 4)],
    ]


@pytest.mark.parametrize("window", ["3", "3, 1", "4, 2"])
def test_what_a_failed_query_kept_falls_out_when_it_is_started_again(window: str) -> None:
    query = Query(window_program(window))
    query.begin(-1)
    for time in (0, 1, 2):
        query.batch(time)
    assert query.held == {0, 1, 2}
    # the batch of time 2 failed after it was added, and the query came back at time 10
    query.batch(10)
    assert query.held == {3}


MAIN = "if __name__ == '__main__':\n    ssc.start()\n"
STOPS = "ssc.start()\ntry:\n    ssc.awaitTermination()\n{}:\n    ssc.stop({})\nserve()\n"
TRIES = "try:\n    ssc.awaitTermination()\nexcept {}:\n    print('over')\n"


@pytest.mark.parametrize(
    ("end", "released"),
    [
        pytest.param("ssc.start()\nssc.awaitTermination()\n", False, id="the script ends"),
        pytest.param("ssc.start()\n" + TRIES.format("KeyboardInterrupt"), False, id="so it does here"),
        pytest.param("ssc.start()\n", False, id="it ends right below"),
        pytest.param("ssc.start()\ntime.sleep(60)\nssc.stop()\nprint('over')\n", False, id="and here"),
        pytest.param(MAIN + "time.sleep(60)\n", False, id="and below a condition"),
        pytest.param(MAIN + "serve()\n", True, id="more is below the condition"),
        pytest.param("ssc.start()\nserve()\n", True, id="nobody waits, and more is below"),
        pytest.param("ssc.start()\nwhile busy():\n    pass\n", True, id="nobody waits, in a loop"),
        pytest.param("ssc.start()\n" + TRIES.format("Exception"), True, id="the error is caught"),
        pytest.param(STOPS.format("finally", "True"), False, id="the session is stopped"),
        pytest.param(STOPS.format("except Exception", "False"), True, id="the streams are"),
        pytest.param(STOPS.format("except Exception", "True"), False, id="stopped where the error is caught"),
        pytest.param("ssc.start()\n" + TRIES.format("(KeyboardInterrupt, OSError)"), True, id="or may be"),
    ],
)
def test_windows_are_released_after_a_failure_where_the_session_outlives_it(end: str, released: bool) -> None:
    body = "lines.countByValueAndWindow(4, 2).pprint()\nlines.window(3).pprint()\n"
    body += "lines.countByWindow(4, 2).pprint()\n"  # numbers need not be released
    new = file(socket_program(body).replace("ssc.start()\nssc.awaitTermination()\n", end)).new
    releasing = (
        "    except Exception:  # the query ends, and Spark's session goes on\n        while window:\n"
    )
    assert (releasing in new) == released == ("        while lines_window:\n" in new)
    assert new.count("unpersist()") == (4 if released else 2)


@pytest.mark.parametrize(
    ("call", "released"),
    [
        pytest.param("main()\n", False, id="the script ends after it"),
        pytest.param("", True, id="whoever calls it may catch the error"),
        pytest.param("try:\n    main()\nexcept:\n    pass\n", True, id="as this one does"),
        pytest.param("def again():\n    main()\n", True, id="it is called by such a function"),
    ],
)
def test_a_function_that_waits_is_asked_who_calls_it(call: str, released: bool) -> None:
    head, body = socket_program("lines.window(3).pprint()").split("\n\n", 1)
    whole = f"{head}\n\ndef main():\n{textwrap.indent(body, '    ')}\n{call}"
    assert ("while window:" in file(whole).new) == released


@pytest.mark.parametrize(
    ("output", "released"),
    [
        pytest.param("lambda rdd: rdd.toDF().createOrReplaceTempView('t')", False, id="makes a view alone"),
        pytest.param("lambda rdd: process(rdd)", False, id="catches all errors"),
        pytest.param("process", False, id="itself"),
        pytest.param("lambda rdd: rdd.toDF().show()", True, id="computes rows"),
        pytest.param("lambda rdd: raises(rdd)", True, id="raises the error again"),
        pytest.param("lambda rdd: some(rdd)", True, id="catches some errors"),
        pytest.param("lambda rdd: before(rdd)", True, id="computes above"),
    ],
)
def test_windows_are_not_released_where_no_batch_ends_the_query(output: str, released: bool) -> None:
    trying = (
        "def {}(rdd):\n    print('====== %s ======' % str(1))\n    try:\n        print(rdd.count())\n    {}\n"
    )
    functions = trying.format("process", "except:\n        print('failed')")
    functions += trying.format("raises", "except Exception:\n        raise")
    functions += trying.format("some", "except ValueError:\n        pass")
    functions += trying.format("before", "except Exception:\n        pass").replace(
        "'====== %s ======' % str(1)", "rdd.count()"
    )
    pairs = "lines.window(3).map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)"
    body = f"{functions}{pairs}.foreachRDD({output})"
    new = file(socket_program(body).replace("ssc.awaitTermination()\n", "serve()\n")).new
    assert "window.append(" in new
    assert ("except Exception:  # the query ends" in new) == released


def test_windows_are_not_released_where_a_function_sleeps_for_the_query() -> None:
    head, body = socket_program("lines.window(3).pprint()").split("\n\n", 1)
    body = body.replace("ssc.awaitTermination()\n", "time.sleep(60)\nssc.stop()\n")
    whole = f"import time\n{head}\n\ndef main():\n{textwrap.indent(body, '    ')}\nmain()\n"
    new = file(whole).new
    assert "query.awaitTermination(60)" in new
    assert "while window:" not in new


@pytest.mark.parametrize("window", ["3", "4, 2"])
def test_a_failed_batch_releases_all(window: str, monkeypatch: pytest.MonkeyPatch) -> None:
    query = Query(window_program(window).replace("ssc.awaitTermination()\n", "serve()\n"))
    query.begin(-1)
    query.batch(0)
    assert query.held == {0}

    def fail(frame: Frame, number: int, *, truncate: bool) -> None:
        raise ValueError("the output failed")

    monkeypatch.setattr(Frame, "show", fail)
    with pytest.raises(ValueError, match="the output failed"):
        query.batch(1)
    assert not query.held
    monkeypatch.undo()
    assert query.batch(7) == [(2,)]
    assert query.held == {2}


def test_a_function_gets_a_window_as_it_is() -> None:
    new = file(
        socket_program("def output(rdd):\n    print(rdd.count())\nlines.window(3).foreachRDD(output)")
    ).new
    assert "def output(rows):\n    print(rows.count())" in new
    assert "output(reduce(DataFrame.union, [rows for _, rows in window]))" in new


def test_a_window_that_slides_by_the_batch_interval_is_put_out_for_each_batch() -> None:
    for slide in ("", ", 1", ", None", ", slideDuration=1.0"):
        new = file(socket_program(f"lines.window(3{slide}).pprint()")).new
        assert "is_due" not in new and "class" not in new
    assert native_body(f"{LIMITED}lines.window(4, 2).pprint()") == (
        "global due\n"
        "now = int(time.time())\n"
        "if due is None:\n"
        "    due, now = now + 2, now + 1  # rows at the start are of the first interval\n"
        "is_due = now >= due\n"
        "while due <= now:\n"
        "    due += 2\n"
        "window.append((now, batch.persist()))\n"
        "while window[0][0] <= now - 4:\n"
        "    window.popleft()[1].unpersist()\n"
        "if is_due:\n"
        "    reduce(DataFrame.union, [rows for _, rows in window]).show(10, truncate=False)"
    )


def test_each_slide_has_a_variable() -> None:
    new = file(
        socket_program(
            f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, None, 4, 2).pprint()\nlines.window(6, 3).pprint()"
        )
    )
    assert "due = lines_due = None  # the batch times at which the next slides end\n" in new.new
    assert "is_due = now >= due\n    while due <= now:\n        due += 2\n" in new.new
    assert "is_lines_due = now >= lines_due\n    while lines_due <= now:\n        lines_due += 3\n" in new.new
    assert re.findall(
        r"    if is_(?:lines_)?due:\n .*?union, \[rows for _, rows in (\w+)\]", new.new, re.S
    ) == [*("window", "lines_window")]


def test_no_batch_is_skipped_at_the_start_where_outputs_wait_for_a_slide() -> None:
    save = "import requests\ndef save(rdd):\n    requests.post('http://localhost', rdd.count())\n"
    due = native_body(f"{LIMITED}{save}lines.window(4, 2).foreachRDD(save)")
    assert "batch_id" not in due and "if is_due:\n    save(" in due
    guard = "if batch_id == 0 and batch.isEmpty():"
    assert guard in native_body(f"{save}lines.window(4, 2).pprint()\nlines.foreachRDD(save)")


def test_the_batch_at_the_start_takes_from_a_queue() -> None:
    new = file(queue_program("numbers.window(4, 2).pprint()")).new
    assert "    if due is None:\n        due = now + 1\n" in new
    assert "batch_id ==" not in new


@pytest.mark.parametrize(
    ("interval", "length"), [("0.5", "6"), ("float(sys.argv[1])", "length")], ids=["known", "unknown"]
)
def test_an_interval_that_is_no_whole_number_is_counted_in_whole_numbers(interval: str, length: str) -> None:
    source = "import sys\n" + socket_program("lines.window(3).pprint()").replace(
        "(sc, 1)", f"(sc, {interval})"
    )
    new = file(source).new
    each = "0.5" if length == "6" else "interval"
    assert f"now = int(time.time() // {each})  # number of the interval\n" in new
    assert f"while window[0][0] <= now - {length}:\n" in new
    assert ("\nlength = round(3 / interval)  # in intervals\n" in new) == (length == "length")
    assert "window = deque()  # pairs of an interval and its rows, of the last 3 seconds\n" in new


def test_the_batch_time_of_windows_is_in_seconds() -> None:
    new = file(socket_program("lines.window(30).pprint()").replace("(sc, 1)", "(sc, 10)")).new
    assert "window = deque()  # pairs of a batch time and its rows, of the last 30 seconds\n" in new
    assert "    now = int(time.time()) // 10 * 10  # end of the interval\n" in new
    assert "    while window[0][0] <= now - 30:\n" in new
    shown = "lines.window(30).foreachRDD(lambda t, rdd: print(t, rdd.count()))"
    new = file(socket_program(shown).replace("(sc, 1)", "(sc, 10)")).new
    assert "  # end of the interval\n    batch_time = datetime.fromtimestamp(now)\n" in new


def test_a_length_that_is_a_sum_is_subtracted_as_a_whole() -> None:
    assert "while window[0][0] <= now - (1 + 2):\n" in native_body("lines.window(1 + 2).pprint()")
    assert "due, now = now + (1 + 2), now + 1" in native_body(f"{LIMITED}lines.window(6, 1 + 2).pprint()")


def test_what_a_batch_adds_to_a_second_window_is_named_after_its_stream() -> None:
    tags = "tags = lines.filter(lambda line: line.startswith('#'))\ntags.map(lambda tag: (tag, 1))"
    new = native_body(
        f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, None, 4, 1).pprint()\n"
        f"{tags}.reduceByKeyAndWindow({ADD}, None, 4, 1).pprint()"
    )
    assert "window.append((now, added))" in new
    assert "tags_window.append((now, added_tags))" in new


def test_those_with_one_slide_are_due_together() -> None:
    new = native_body(
        f"{LIMITED}words = lines.filter(bool)\nwords.window(4, 2).pprint()\nlines.window(6, 2).pprint()\n"
        "lines.countByWindow(8, 2).pprint()"
    )
    assert new.count("if is_due:\n") == 3
    assert new.count("is_due") == 4


def test_windows_share_a_slide_unless_its_name_is_bound_again() -> None:
    body = "import sys\nn = int(sys.argv[1])\nlines.window(8, n).pprint()\n{}"
    body += "lines.map(len).window(8, n).pprint()"
    assert native_body(body.format("")).count("if is_due:\n") == 2
    new = native_body(body.format("n = int(sys.argv[2])\n"))
    assert "due += window_slide\n" in new and "if is_due:\n" in new
    assert "lines_due += n\n" in new and "if is_lines_due:\n" in new


def test_windows_of_a_length_whose_name_is_bound_again_hold_batches_of_their_own() -> None:
    body = "import sys\nn = int(sys.argv[1])\nlines.window(n).pprint()\n{}lines.window(n).map(len).pprint()"
    assert file(socket_program(body.format(""))).new.count("deque()") == 1
    assert file(socket_program(body.format("n = int(sys.argv[2])\n"))).new.count("deque()") == 2


def test_the_last_batches_of_a_longer_window_are_a_shorter_one() -> None:
    body = "".join(f"lines.window({length}).pprint()\n" for length in (2, 1, 3, 4))
    query = Query(socket_program(body))
    for time in (0, 1, 2, 3, 6):
        query.batch(time)
    assert query.batch(7) == [(4, 5), (5,), (4, 5), (4, 5)]
    assert query.batch(8) == [(5, 6), (6,), (4, 5, 6), (4, 5, 6)]


@pytest.mark.parametrize(
    ("body", "held", "reads"),
    [
        pytest.param(
            "lines.window(4).pprint()\nlines.window(4.0).map(len).pprint()",
            4,
            ["_", "_"],
            id="the same window",
        ),
        pytest.param(
            "lines.window(4).pprint()\nlines.window(2).pprint()\nlines.window(3).pprint()",
            4,
            ["_", "2", "3"],
            id="a longer one first",
        ),
        pytest.param(
            f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, None, 2).pprint()\n"
            f"pairs.reduceByKeyAndWindow({ADD}, None, 6).pprint()\n"
            f"pairs.reduceByKeyAndWindow({ADD}, None, 4).pprint()",
            6,
            ["2", "_", "4"],
            id="a longer one later",
        ),
        pytest.param(
            "import sys\nlength = int(sys.argv[1])\n"
            "lines.window(length).pprint()\nlines.window(length).pprint()",
            "length",
            ["_", "_"],
            id="a variable",
        ),
    ],
)
def test_windows_of_the_same_batches_share_them(body: str, held: int | str, reads: list[str]) -> None:
    """The lengths in intervals, of those that read less than all."""
    new = file(socket_program(body)).new
    assert f"while window[0][0] <= now - {held}:" in new
    assert new.count("window.append(") == 1
    found = re.findall(r"\[rows for (?:(_)|then), rows in window(?: if then > now - (\d))?\]", new)
    assert ["".join(each) for each in found] == reads


def test_those_that_tell_when_they_are_due_are_shared_too() -> None:
    new = native_body(
        "lines.window(4, 2).pprint()\nlines.window(4.0, 2.0).map(len).pprint()\nlines.window(4).pprint()"
    )
    assert new.count("window.append(") == 1
    assert new.count("[rows for _, rows in window]") == 3
    new = native_body("lines.window(4).pprint()\nlines.window(4, 2).pprint()\nlines.window(6, 3).pprint()")
    assert new.count("window.append(") == 1
    assert re.findall(r"if is_due\w*|rows in window.*(?=\])", new) == [
        *("rows in window if then > now - 4", "if is_due", "rows in window if then > now - 4"),
        *("if is_due_2", "rows in window"),
    ]


def test_rdds_of_windows_with_other_slides_are_shared_too() -> None:
    new = native_body("things = lines.map(eval)\nthings.window(2).pprint()\nthings.window(4, 2).pprint()")
    assert new.count("window.append(") == 1
    assert "[rdd for then, rdd in window if then > now - 2]" in new
    assert "if is_due:\n    for record in spark.sparkContext.union([rdd for _, rdd in window]).take(" in new


@pytest.mark.parametrize("lengths", [(604800, 60), (60, 604800), (604800, 3600)])
def test_a_very_long_window_with_an_inverse_subtracts_what_falls_out_of_it(lengths: tuple[int, int]) -> None:
    """Beside any other window of the same batches, all of which would be added up in each interval else."""
    calls = [f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, {length}).pprint()" for length in lengths]
    new = native_body(PAIRS + "\n".join(calls))
    assert new.count('.withColumn("count", -F.col("count"))') == 2
    assert "for then, old in window:\n" in new and "for then, old in pairs_window:\n" in new
    assert "reduce(" not in new
    assert sorted(map(int, re.findall(r"\[0\]\[0\] <= now - (\d+):", new))) == sorted(lengths)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "import sys\nlines.window(3).pprint()\nlines.window(int(sys.argv[1])).pprint()",
            id="with an unknown length",
        ),
        pytest.param(
            "lines = lines.filter(bool)\nlines.window(3).pprint()\n"
            "lines = lines.filter(bool)\nlines.window(3).pprint()",
            id="of a variable that got another stream",
        ),
    ],
)
def test_windows_that_may_release_the_same_batches_at_other_times_hold_their_own(body: str) -> None:
    new = native_body(body)
    assert re.findall(r"(\w+)\.append\(", new) == ["window", "lines_window"]
    assert new.count(".localCheckpoint()") == 1


def test_durations_may_be_variables() -> None:
    source = (
        "import sys\nfrom pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
        "def main(window_length, slide):\n"
        "    interval = int(sys.argv[1])\n"
        "    sc = SparkContext()\n    ssc = StreamingContext(sc, interval)\n"
        '    lines = ssc.socketTextStream("localhost", 9999)\n'
        "    lines.window(window_length, slide).pprint()\n"
        "    ssc.start()\n    ssc.awaitTermination()\n"
        "main(int(sys.argv[2]), int(sys.argv[3]))\n"
    )
    new = file(source).new
    assert "length = round(window_length / interval)  # in intervals\n" in new
    assert "slide_2 = round(slide / interval)  # in intervals\n" in new
    assert "due += slide_2\n" in new


@pytest.mark.parametrize(
    "length", ["20 * seconds", "seconds * 4 * 5", "length"], ids=["a product", "of three", "a variable of it"]
)
def test_a_window_that_is_a_multiple_of_its_slide_is_so_many_batches(length: str) -> None:
    call = f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, {length}, seconds)"
    source = socket_program(f"length = seconds * 20\n{PAIRS}counts = {call}\ncounts.pprint()")
    new = file(
        source.replace("ssc = ", "import sys\nseconds = int(sys.argv[1])\nssc = ").replace(
            "(sc, 1)", "(sc, seconds)"
        )
    ).new
    assert "window = deque()  # pairs of an interval and its rows, of the last 20 intervals\n" in new
    assert "    while window[0][0] <= now - 20:\n" in new
    assert "round(" not in new and "keeps keys" not in new


def test_it_is_not_where_the_slide_may_be_another_number_there() -> None:
    source = socket_program("lines.window(20 * seconds, seconds).pprint()")
    source = source.replace("ssc = ", "seconds = int(input())\nssc = ").replace("(sc, 1)", "(sc, seconds)")
    assert "<= now - 20:" in file(source).new
    assert "<= now - 20:" not in str(file(source.replace("lines = ", "seconds += 1\nlines = ")).new)


GIVEN = (
    "import sys\nfrom pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
    "def lines_of(every):\n"
    "    sc = SparkContext()\n"
    "    ssc = StreamingContext(sc, every)\n"
    '    lines = ssc.socketTextStream("localhost", 9999)\n'
    "    return ssc, lines\n"
    "def counts_of(lines, length, slide):\n"
    "    counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b).window(length, slide)\n"
    "    return counts\n"
    "length, interval = int(sys.argv[1]), int(sys.argv[2])\n"
    "ssc, lines = lines_of(interval)\n"
    "counts = counts_of(lines, length, {})\n"
    "counts.pprint()\n"
    "ssc.start()\nssc.awaitTermination()\n"
)


def test_a_slide_that_is_the_batch_interval_by_another_name() -> None:
    new = file(GIVEN.format("interval")).new
    assert "is_due" not in new
    assert "length_2 = round(length / interval)  # in intervals\n" in new


@pytest.mark.parametrize("slide", ["length", "2 * interval", "int(sys.argv[2])"])
def test_a_slide_that_may_be_another_number(slide: str) -> None:
    assert "\n    if is_due:\n" in file(GIVEN.format(slide)).new


def test_a_window_that_is_as_long_as_its_slide_has_one_variable_for_both() -> None:
    new = file(GIVEN.format("length")).new
    assert "slide = " not in new.partition("def process_batch")[0]
    assert "length_2 = round(length / interval)" in new and "due += length_2\n" in new


def test_an_argument_of_a_function_that_goes_is_evaluated_where_it_was_called() -> None:
    source = GIVEN.format("int(input())").replace("counts.pprint()", 'print("called")\ncounts.pprint()')
    new = file(source).new
    assert "\nspark, lines = lines_of()\nslide = int(input())\n" in new
    assert "slide_2 = round(slide / interval)  # in intervals\n" in new
    assert 'print("called")' in new


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("counts = counts_of", "interval = 3\ncounts = counts_of", "is bound again"),
        ("    return counts\n", "    print(slide)\n    return counts\n", "does more than make streams"),
        ("import sys", "import sys\nslide = 1", "reads `slide` of another function"),
    ],
    ids=["an interval that is bound again", "a function that has another use for it", "another variable"],
)
def test_arguments_that_have_no_variable(old: str, new: str, why: str) -> None:
    (graph,) = run(GIVEN.format("int(input())").replace(old, new)).graphs
    assert graph.outcome is Outcome.COMPAT
    assert why in graph.reasons[0]


def test_durations_of_numbers_are_numbers_and_whole_seconds_keep_their_variable() -> None:
    body = "length = 10\nlines.window(length).pprint()\nlines.map(len).window(2 * 60).pprint()"
    new = file(socket_program(body)).new
    assert "while window[0][0] <= now - length:\n" in new
    assert "window = deque()  # pairs of a batch time and its rows, of the last length seconds\n" in new
    assert "lines_window = deque()  # pairs of a batch time and its rows, of the last 2 * 60 seconds\n" in new
    assert "while lines_window[0][0] <= now - 2 * 60:\n" in new


def test_durations_of_numbers_are_numbers_where_a_call_gives_the_interval() -> None:
    source = (
        "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
        "def make(interval):\n    sc = SparkContext()\n"
        "    ssc = StreamingContext(sc, interval)\n    return ssc\n"
        f"{LIMITED}"
        "def run(ssc):\n    lines = ssc.socketTextStream('localhost', 9999)\n"
        "    lines.window(300, 10).pprint()\n"
        "ssc = make(5)\nrun(ssc)\nssc.start()\nssc.awaitTermination()\n"
    )
    new = file(source).new
    assert "while window[0][0] <= now - 300:\n" in new
    assert "due += 10\n" in new


def test_a_count_of_a_batch_beside_a_window_leaves_out_a_batch_without_rows_by_itself() -> None:
    """The window goes on in intervals without input, in which DStream has no count of the batch."""
    body = native_body("lines.countByWindow(4, 1).pprint()\nlines.map(len).count().pprint()")
    assert "if not batch.isEmpty():  # else DStreams gave no count\n    print(batch.count())\n" in body
    assert "if batch.isEmpty()" not in body


def test_a_window_that_nothing_reads_goes_with_what_it_is_given() -> None:
    body = "import os, sys\nlines.pprint()\nlong = lines.window({})"
    for length in ("int(sys.argv[1])", "2 * int(os.environ['LENGTH'])", "3 + 1"):
        assert "long" not in native_body(body.format(length))
    for length in ("int(input())", "int(sys.argv.pop())", "print(3)"):
        assert "its arguments may do something" in blocked(body.format(length))


@pytest.mark.parametrize(
    ("body", "why"),
    [
        pytest.param(
            "import sys\nthings = lines.map(eval)\n"
            "things.window(4).pprint()\nthings.window(int(sys.argv[1])).pprint()",
            SAME,
            id="RDDs in windows of which one is of unknown length",
        ),
        pytest.param(
            f"{PAIRS}pairs.window(4, 2).join(pairs.mapValues(str).window(4)).pprint()", SLIDES, id="slides"
        ),
        pytest.param(
            f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, 30, 10).pprint()", "is no function", id="no inverse"
        ),
        pytest.param(
            "import sys\nslide = int(sys.argv[1])\npairs = lines.map(eval)\n"
            f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 30, slide).pprint()",
            "not known here",
            id="an inverse of unknown slides in RDD code",
        ),
        pytest.param(
            "import sys\nslide = int(sys.argv[1])\n"
            f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, lambda a, b: b - a, 30, slide).pprint()",
            "followed only for sums",
            id="an inverse of unknown slides that is no difference",
        ),
        pytest.param(
            "lines.filter(bool).window(3).count().pprint()", "nothing is left", id="a count of what is left"
        ),
        pytest.param(
            "numbers = ssc.textFileStream('in').map(float)\n"
            "numbers.reduceByWindow(lambda a, b: a + b, None, 4, 2).pprint()",
            "float",
            id="floats of files",
        ),
        pytest.param(
            "pairs = lines.map(lambda line: (line, {'n': 1}))\n"
            f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5).pprint()",
            "followed only for sums",
            id="an inverse of values that are not known",
        ),
        pytest.param(
            f"import sys\nwindow = int(sys.argv[1])\n{PAIRS}pairs.groupByKeyAndWindow(window, 2).pprint()",
            "not known here",
            id="groups of unknown slides",
        ),
        pytest.param(
            f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5, 1, 2, lambda p: p[1] > 1).pprint()",
            "begins anew",
            id="a filter of more than what is empty",
        ),
        pytest.param(
            "numbers = lines.map(lambda t: (t, len(t) - 1))\n"
            f"numbers.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5, 1, 2, lambda p: p[1] > 0).pprint()",
            "begins anew",
            id="a filter of sums that may be negative",
        ),
        pytest.param(
            f"{PAIRS}pairs.reduceByKeyAndWindow(max, {SUBTRACT}, 5, 1, 2, lambda p: p[1] > 0).pprint()",
            "followed only for sums",
            id="a filter beside what is no sum",
        ),
        pytest.param("lines.window(1000).pprint()", "unite the 1000 batches", id="very many batches"),
        pytest.param(
            f"{LIMITED}{PAIRS}pairs.reduceByKeyAndWindow(max, None, 3600, 10).pprint()",
            "unite the 3600 batches",
            id="the largest of very many batches",
        ),
    ],
)
def test_what_stays_on_compat(body: str, why: str) -> None:
    assert why in blocked(body)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (queue_program("numbers.window(2, 3).pprint()"), LONGER),
        (kafka_program("messages.window(2, 3).pprint()"), WHOLE_SLIDES),
        (kafka_program("messages.window(3, 2).pprint()"), WHOLE_SLIDES),
    ],
)
def test_intervals_that_a_source_is_not_asked_for_stay_on_compat(source: str, why: str) -> None:
    (graph,) = run(source).graphs
    assert any(why in reason for reason in graph.reasons)


def test_a_receiver_cuts_batches_by_itself() -> None:
    (graph,) = run(socket_program("lines.window(2, 3).pprint()")).graphs
    assert graph.outcome is Outcome.NATIVE


def test_windows_go_by_the_batch_time_even_if_paths_need_not() -> None:
    body = 'lines.window(3).pprint()\nlines.saveAsTextFiles("lines")'
    assert "batch_time = datetime.fromtimestamp(now)" in native_body(body, Options(approximate_time=True))


def test_a_query_with_a_window_ends_with_a_batch_that_fails() -> None:
    source = socket_program("lines.window(3).foreachRDD(lambda rdd: print(rdd.count()))")
    assert "traceback" not in file(source.replace("ssc.awaitTermination()\n", "")).new


@pytest.mark.parametrize(
    "inverse", [SUBTRACT, "operator.sub", "subtract", "less", "lambda a, b: int(a) - int(b)"]
)
def test_an_inverse_that_shows_keeps_the_keys(inverse: str) -> None:
    named = "import operator\nsubtract = lambda x, y: x - y\n"
    named += "def less(x, y):\n    'What is left.'\n    return x - y\n"
    body = f"{named}{PAIRS}counts = pairs.reduceByKeyAndWindow({ADD}, {inverse}, 30)\ncounts.pprint()"
    new = file(socket_program(body)).new
    assert 'counts = spark.createDataFrame([], "line string, count bigint")' in new
    assert (
        "    window.append((now, added))\n"
        "    counts = counts.union(added)\n"
        "    for then, old in window:\n"
        "        if then <= now - 30:  # it falls out of the window\n"
        '            counts = counts.union(old.withColumn("count", -F.col("count")))\n'
        '    counts = counts.groupBy("line").agg(F.sum("count").alias("count")).localCheckpoint()\n'
        "    while window[0][0] <= now - 30:\n"
        "        window.popleft()[1].unpersist()\n"
    ) in new
    assert "    global counts\n" in new
    anew = file(socket_program(body.replace(", 30)", ", 5)"))).new
    assert (
        "        reduce(DataFrame.union, [rows for _, rows in window])\n"
        '        .union(counts.withColumn("count", F.lit(0)))  # keys whose values have gone stay, with 0\n'
        '        .groupBy("line").agg(F.sum("count").alias("count"))\n'
        "        .localCheckpoint()\n"
    ) in anew
    assert "old" not in anew
    assert "union(counts" not in file(socket_program(body.replace(", 30)", ", 4)"))).new


@pytest.mark.parametrize(
    ("step", "keeps"),
    [
        ("filter(lambda pair: pair[1] != 0)", False),
        ("filter(lambda pair: pair[1] > 1)", True),
        ("filter(lambda pair: pair[1])\ncounts", True),
        ("map(lambda pair: pair[1]).filter(lambda n: n > 0)", True),
    ],
    ids=["what is empty", "more", "something else reads them", "of something else"],
)
def test_keys_that_a_filter_leaves_out_are_not_kept(step: str, keeps: bool) -> None:
    counts = f"{PAIRS}counts = pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, {{}})\n"
    body = f"{counts}kept = counts.{step}\nkept.pprint()\n"
    if "\n" in step:
        body += "counts.pprint()\n"
    anew = file(socket_program(body.format(8))).new
    assert ("keys whose values have gone stay" in anew) is keeps
    assert "it falls out of the window" in file(socket_program(body.format(30))).new


@pytest.mark.parametrize(
    "call",
    [
        f"pairs.reduceByKeyAndWindow({ADD}, None, 60)",
        f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 60, 20)",
        f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 60, filterFunc=lambda pair: pair[1] > 0)",
        "lines.countByValueAndWindow(60, 1)",
    ],
    ids=["no inverse", "an inverse of a few slides", "a filter", "values"],
)
def test_counts_of_a_long_window_subtract_what_falls_out_of_it(call: str) -> None:
    """A key is in the window as long as its count is above 0."""
    new = native_body(f"{LIMITED}{PAIRS}counts = {call}\ncounts.pprint()")
    assert (
        "counts = counts.union(added)\n"
        "for then, old in window:\n"
        "    if then <= now - 60:  # it falls out of the window\n"
        '        counts = counts.union(old.withColumn("count", -F.col("count")))\n'
    ) in new
    assert '.where(F.col("count") > 0)' in new
    assert "reduce(" not in new


@pytest.mark.parametrize(
    "call",
    [
        f"pairs.reduceByKeyAndWindow({ADD}, None, 30)",
        "pairs.reduceByKeyAndWindow(max, None, 60)",
        f"lines.map(lambda t: (t, len(t))).reduceByKeyAndWindow({ADD}, None, 60)",
        "lines.window(60)",
    ],
    ids=["a shorter one", "no sums", "sums that may be 0", "rows"],
)
def test_other_windows_unite_what_is_in_them(call: str) -> None:
    new = native_body(f"{PAIRS}counts = {call}\ncounts.pprint()")
    assert "reduce(DataFrame.union, [rows for _, rows in window])" in new
    assert "it falls out of the window" not in new


def test_what_two_windows_hold_is_persisted_once() -> None:
    calls = (
        f"pairs.reduceByKeyAndWindow({ADD}, None, 300)",
        f"pairs.reduceByKeyAndWindow({ADD}, None, 60)",
        "lines.countByValueAndWindow(600, 1)",
    )
    pairs = "pairs = lines.map(lambda w: (w, 1))\n"
    new = native_body(pairs + "".join(f"{call}.pprint()\n" for call in calls))
    assert new.count("_window.append((now, added_pairs))") == 2
    assert ".persist().persist()" not in new


def test_a_window_with_an_inverse_that_shares_batches_keeps_keys_too() -> None:
    calls = [f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 30).pprint()"] * 2
    new = native_body(PAIRS + "\n".join(calls))
    assert "for then, old in window:\n" in new
    assert '.union(running_totals.withColumn("count", F.lit(0)))' in new
    assert new.count("while window[0][0]") == 1


def test_a_longer_interval_has_time_to_make_the_sums_anew_of_more_batches() -> None:
    body = f"{PAIRS}counts = pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 600, {{}})\ncounts.pprint()"
    assert "reduce(DataFrame.union, [rows for _, rows in window])" in native_body(body.format(30))
    assert "it falls out of the window" in native_body(body.format(15))


def test_sums_are_brought_up_to_date_also_between_slides() -> None:
    body = f"{PAIRS}counts = pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 20, 2)\ncounts.pprint()"
    new = native_body(LIMITED + body)
    assert "\n    window.popleft()[1].unpersist()\nif is_due:\n    counts.show(10, truncate=False)" in new
    assert "\nfor then, old in window:\n    if then <= now - 20:" in new


def test_sums_begin_anew_where_the_session_outlives_a_batch_that_fails() -> None:
    body = f"{PAIRS}counts = pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 30)\ncounts.pprint()"
    new = file(socket_program(body).replace("ssc.awaitTermination()\n", "serve()\n")).new
    assert "        counts = counts.union(added)\n" in new
    assert (
        "        while window:\n"
        "            window.popleft()[1].unpersist()\n"
        '        counts = spark.createDataFrame([], "line string, count bigint")\n'
        "        raise\n"
    ) in new


@pytest.mark.parametrize(
    "more",
    [
        pytest.param(f"pairs.reduceByKeyAndWindow({ADD}, None, 40).pprint()\n", id="a longer one holds them"),
        pytest.param(
            f"pairs.reduceByKeyAndWindow({ADD}, None, 30).pprint()\n", id="so does one of its length"
        ),
    ],
)
def test_elsewhere_the_sums_are_made_anew_of_all_that_is_in_the_window(more: str) -> None:
    body = f"{PAIRS}{more}counts = pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 30)\ncounts.pprint()\n"
    new = file(socket_program(body)).new
    assert '.union(counts.withColumn("count", F.lit(0)))' in new
    assert "-F.col" not in new


@pytest.mark.parametrize(
    ("slide", "condition"),
    [
        (
            ", slide",
            "if length >= 5 * slide:",
        ),
        (", slide + 1", "if length >= 5 * window_slide:"),
        ("", "if length >= 5:"),
    ],
)
def test_an_inverse_keeps_the_keys_if_the_window_turns_out_long_enough(slide: str, condition: str) -> None:
    arguments = "import sys\nlength, slide = int(sys.argv[1]), int(sys.argv[2])\n"
    call = f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, length{slide})"
    new = native_body(f"{arguments}{PAIRS}counts = {call}\ncounts.pprint()")
    assert new.startswith("global totals")
    (found,) = re.findall(r"\n( *)counts = \(\n", new)
    said = "  # then DStream keeps keys with a sum of 0"
    assert f"\n{found}{condition}{said}\n{found}    totals = counts\n" in new
    assert "counts" not in native_body(f"{arguments}{PAIRS}{call}.pprint()").split("reduce(")[0]


@pytest.mark.parametrize(
    "call",
    [
        f"reduceByKeyAndWindow({ADD}, lambda a, b: b - a, 5)",
        f"reduceByKeyAndWindow({ADD}, lambda a, b: int(a) - len(str(b)), 5)",
        f"reduceByKeyAndWindow(max, {SUBTRACT}, 5)",
        "map(lambda pair: dict([pair])).map(lambda d: (1, len(d)))"
        f".reduceByKeyAndWindow({ADD}, lambda a, b: b - a, 5)",
        f"map(lambda pair: dict([pair])).map(lambda d: (1, d)).reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5)",
    ],
)
def test_an_inverse_that_is_not_followed_stays_on_compat(call: str) -> None:
    assert "followed only for sums" in blocked(f"{PAIRS}pairs.{call}.pprint()")


def test_a_window_over_another_one_holds_rdds_of_its_own() -> None:
    body = (
        "records = lines.map(lambda t: (t[:1], {t}))\n"
        "twos = records.window(2, 2).reduceByKey(lambda a, b: a | b)\n"
        "twos.window(6).foreachRDD(lambda rdd: print(rdd.count()))"
    )
    new = file(socket_program(LIMITED + body)).new
    assert "    if is_due:\n        twos = (\n" in new
    assert "            .persist()\n        )\n        twos_window.append(" in new
    assert (
        "        twos_window.append((now, twos))\n        while twos_window[0][0] <= now - 6:\n"
        "            twos_window.popleft()[1].unpersist()\n"
    ) in new
    assert "        rdd = spark.sparkContext.union([rdd for _, rdd in twos_window])\n" in new


def test_rdd_code_keeps_the_keys_and_begins_its_plan_anew() -> None:
    body = (
        "records = lines.map(lambda t: {'key': frozenset(t), 'n': len(t)})\n"
        "ones = records.map(lambda r: (r['key'], 1))\n"
    )
    new = native_body(f"{body}sums = ones.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 30)\nsums.pprint()")
    assert "        sums = sums.union(old.mapValues(lambda value: -value))\n" in new
    assert "sums.context.defaultParallelism" in new
    assert (
        "\nsums.localCheckpoint()  # else it would be computed from all batches before it\n"
        "sums.count()  # before what it is made of is released\n"
        "while window[0][0] <= now - 30:\n    window.popleft()[1].unpersist()\n"
    ) in new
    anew = native_body(f"{body}sums = ones.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 5)\nsums.pprint()")
    assert ".union(sums.mapValues(lambda value: 0))" in anew
    assert "sums.context.defaultParallelism" in anew
    given = native_body(f"{body}ones.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 30, None, 3).pprint()")
    assert "totals = totals.reduceByKey(lambda a, b: a + b, 3).persist()\n" in given


def test_long_groups_keep_the_keys_without_values() -> None:
    new = native_body(f"{PAIRS}groups = pairs.groupByKeyAndWindow(5, 1, 2)\ngroups.mapValues(len).pprint()")
    assert ".union(groups.mapValues(lambda values: (now, [])))" in new
    assert "groups.localCheckpoint()" in new


def test_a_number_of_partitions_says_what_windows_need_it_for() -> None:
    why = "# partitions per batch: a window unites those of all its batches\n"
    assert why in file(socket_program(f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, None, 3).pprint()")).new


def test_names_are_free() -> None:
    taken = f"{LIMITED}window, now = 1, 2\n"
    new = file(socket_program(f"{taken}lines.window(4, 2).pprint()\nprint(window, now)")).new
    assert "\nlast_batches = deque()" in new
    assert "    now_2 = int(time.time())\n" in new
    assert "    last_batches.append((now_2, batch.persist()))\n" in new
    taken = f"{LIMITED}due, is_due = 1, 2\n"
    new = file(socket_program(f"{taken}lines.window(4, 2).pprint()\nprint(due, is_due)")).new
    assert "\ndue_2 = None" in new and "    global due_2\n" in new
    assert "    if is_due_2:\n" in new


@pytest.mark.parametrize("length", ["5", "30", "int(sys.argv[1])"])
def test_a_filter_that_leaves_out_what_is_empty_needs_no_inverse(length: str) -> None:
    """Counts are above 0 as long as anything is in the window, so that no key is kept."""
    call = f"reduceByKeyAndWindow({ADD}, {SUBTRACT}, {length}, 1, 2, lambda pair: pair[1] > 0)"
    new = native_body(f"import sys\n{PAIRS}pairs.{call}.pprint()")
    assert "F.sum" in new
    assert "where" not in new
    assert "totals" not in new


@pytest.mark.parametrize(
    "window", ["window(1)", "window(1, 1)", "countByWindow(1, 1)", "countByValueAndWindow(1, 1)"]
)
def test_a_window_of_one_batch_is_the_batch(window: str) -> None:
    body = native_body(f"lines.{window}.pprint()")
    assert "window" not in body and "now" not in body


def test_and_so_is_one_of_pairs_or_numbers_and_one_of_rdd_code() -> None:
    body = native_body(
        f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 1, 1).pprint()\n"
        "lines.map(len).reduceByWindow(max, None, 1, 1).pprint()\n"
        "lines.map(lambda t: {'n': t}).window(1).map(lambda r: r['n']).pprint()"
    )
    assert "window" not in body and "now" not in body


def test_the_report_says_so() -> None:
    sites = run(socket_program("lines.window(1).pprint()")).sites
    (found,) = [site for site in sites if site.operator == "window"]
    assert found.reason == "a window as long as the batch interval is the batch"


def test_one_that_is_as_long_as_its_slide_alone_is_a_window() -> None:
    new = native_body(f"{LIMITED}lines.window(2, 2).pprint()")
    assert "[rows for _, rows in window]" in new


def test_comments_stand_above_the_sums_of_a_window() -> None:
    made = f"counts = pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 20)"
    new = file(socket_program(f"{PAIRS}# over ten seconds\n{made}\ncounts.pprint()")).new
    assert "\n    # over ten seconds\n    counts = counts.groupBy(" in new


def test_what_a_variable_holds_already_is_not_made_again() -> None:
    state = "pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0)).pprint()\n"
    body = f"{PAIRS}counts = pairs.reduceByKey({ADD})\ncounts.pprint()\n{state}"
    new = native_body(f"{body}pairs.reduceByKeyAndWindow({ADD}, None, 3).pprint()")
    assert new.count(".count()") == 1
    assert "totals.union(counts)" in new and "window.append((now, counts))" in new
    again = f"{PAIRS}counts = pairs.reduceByKey({ADD})\ncounts = counts.filter(lambda p: p[1] > 1)\n"
    assert "added = " in native_body(f"{again}counts.pprint()\n{state}")


def test_a_column_may_be_called_as_the_variable_that_holds_it() -> None:
    sums = (
        "pairs = lines.map(lambda line: (line, len(line)))\ncount = pairs.reduceByKey(lambda a, b: a + b)\n"
    )
    state = "pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0)).pprint()\ncount.pprint()\n"
    assert "totals.union(count)" in native_body(sums + state)


@pytest.mark.parametrize("again", ["words = words.filter(lambda w: w != 'a')\n", "words = words.map(repr)\n"])
def test_but_it_is_where_what_it_is_made_of_is_bound_again(again: str) -> None:
    counted = f"words.map(lambda w: (w, 1)).reduceByKey({ADD})"
    body = f"words = lines.flatMap(lambda t: t.split(' '))\ncounts = {counted}\ncounts.pprint()\n{again}"
    window = f"words.map(lambda w: (w, 1)).reduceByKeyAndWindow({ADD}, None, 3).pprint()\nwords.pprint()"
    assert "window.append((now, added))" in native_body(body + window)


def test_two_windows_never_hold_the_same() -> None:
    counts = f"{PAIRS}counts = pairs.reduceByKey({ADD})\ncounts.pprint()\n"
    sums = f"pairs.reduceByKeyAndWindow({ADD}, None"
    new = native_body(f"import sys\n{counts}{sums}, 3).pprint()\n{sums}, int(sys.argv[1])).pprint()")
    assert re.findall(r"append\(\(now, (\w+)\)", new) == ["counts", "added_pairs"]
    assert "added_pairs = " in new and ".localCheckpoint()" in new


SHOW = "def show(rdd):\n    if not rdd.isEmpty():\n        print(rdd.collect())\n"
SUMS_OF_WINDOW = f"{SHOW}{PAIRS}counts = pairs.reduceByKeyAndWindow({ADD}, None, 4, 2)\n"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("counts.foreachRDD(show)", id="a callback that looks at it first"),
        pytest.param("counts.pprint()\ncounts.filter(lambda p: p[1] > 1).pprint()", id="two outputs"),
        pytest.param("counts.window(8, 2).pprint()\ncounts.pprint()", id="an output beside a window"),
    ],
)
def test_sums_of_a_window_that_are_computed_twice_are_persisted(body: str) -> None:
    new = native_body(LIMITED + SUMS_OF_WINDOW + body)
    assert re.search(r"counts = [^=]*\(F.sum[^=]*\.persist\(\)\n", new)
    assert new.endswith("    counts.unpersist()")
    assert new.count("if is_due:") == 1


@pytest.mark.parametrize(
    ("body", "end"),
    [
        pytest.param("counts.pprint()", "", id="one output"),
        pytest.param("lines.window(4, 2).foreachRDD(show)", "", id="the rows, which the window persists"),
        pytest.param("counts.foreachRDD(show)", "serve()\n", id="where a failed batch would leave it"),
        pytest.param(
            f"pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 30).foreachRDD(show)", "", id="sums that are kept"
        ),
    ],
)
def test_others_are_not(body: str, end: str) -> None:
    source = socket_program(SUMS_OF_WINDOW + body)
    new = file(source.replace("ssc.awaitTermination()\n", end) if end else source).new
    assert "counts.persist()" not in new and "counts.unpersist()" not in new


# --- numbers that the driver holds -------------------------------------------------------------------------


UPKEEP = "window.append((now, batch.count()))\nwhile window[0][0] <= now - {}:\n    window.popleft()\n"
"""The statements that keep the counts of the last batches."""
FIRST = (
    "added = {}\nif {} or window:  # nothing is printed before the first row\n    window.append((now, {}))\n"
    "    while window[0][0] <= now - {}:\n        window.popleft()\n"
)
"""The same in a window of five slides or more, where DStream goes on with 0."""
COUNTED = FIRST.format("batch.count()", "added", "added", "{}")
SUMS = FIRST.format('batch.agg(F.sum(F.length("value"))).first()[0]', "added is not None", "added or 0", "6")
TEXTS = FIRST.format(
    'batch.agg(F.sum(F.col("value").cast("bigint"))).first()[0]', "added is not None", "added or 0", "6"
)


@pytest.mark.parametrize(("length", "is_told"), [(86400, True), (300, False)])
def test_a_window_that_holds_many_batches_is_told_of(length: int, is_told: bool) -> None:
    body = f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, {length}, 1).pprint()"
    (graph,) = run(socket_program(body)).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert (HOLDS_MANY.format("86,400") in graph.notes) is is_told


def test_texts_that_are_added_up_as_ints_are_told_of() -> None:
    body = "lines.reduceByWindow(lambda a, b: int(a) + int(b), lambda a, b: int(a) - int(b), 6, 1).pprint()"
    (graph,) = run(socket_program(body)).graphs
    assert SHOWN in graph.notes and any(ALONE in note for note in graph.notes)
    (graph,) = run(socket_program(body), Options(strict=True)).graphs
    assert SHOWN not in graph.notes


def in_batch(body: str, options: Options | None = None) -> str:
    """The statements of the batch function that are about windows, below those about time."""
    new = native_body(body, options)
    words = ("added = ", "window.append")
    first = min(place for word in words if (place := new.find(word)) >= 0)
    return new[first:]


@pytest.mark.parametrize(
    ("body", "new"),
    [
        pytest.param(
            "lines.countByWindow(4, 1).pprint()",
            f"{UPKEEP.format(4)}total = sum(n for _, n in window)\nif total:\n    print(total)",
            id="a count",
        ),
        pytest.param(
            f"{LIMITED}counts = lines.countByWindow(4, 2)\ncounts.pprint()",
            f"{UPKEEP.format(4)}if is_due:\n"
            "    counts = sum(n for _, n in window)\n    if counts:\n        print(counts)",
            id="a count with a slide and a name",
        ),
        pytest.param(
            "lines.countByWindow(5, 1).pprint()",
            f"{COUNTED.format(5)}    print(sum(n for _, n in window))",
            id="a count with an inverse",
        ),
        pytest.param(
            f"{LIMITED}lines.countByWindow(10, 2).pprint()",
            f"{COUNTED.format(10)}    if is_due:\n        print(sum(n for _, n in window))",
            id="a count with an inverse and a slide",
        ),
        pytest.param(
            f"{LIMITED}lines.map(len).reduceByWindow(max, None, 6, 2).pprint()",
            'added = batch.agg(F.max(F.length("value"))).first()[0]\n'
            "if added is not None:\n    window.append((now, added))\n"
            "while window and window[0][0] <= now - 6:\n    window.popleft()\n"
            "if is_due:\n    if window:\n        print(max(n for _, n in window))",
            id="the longest of slides",
        ),
        pytest.param(
            "import sys\nlong = int(sys.argv[1])\nlines.countByWindow(long, 1).pprint()",
            f"{COUNTED.format('long')}    total = sum(n for _, n in window)\n"
            "    if total or long >= 5:  # then DStream goes on with 0\n        print(total)",
            id="a count of an unknown length",
        ),
        pytest.param(
            "n = lines.countByWindow(5, 1)\nn.map(lambda k: 'few' if k < 3 else k).map(str).pprint(4)",
            f"{COUNTED.format(5)}    n = sum(count for _, count in window)\n"
            "    print(str('few' if n < 3 else n))",
            id="what maps make of it",
        ),
        pytest.param(
            "recent = lines.window(4)\ntotal = recent.count()\ntotal.pprint()",
            f"{UPKEEP.format(4)}total = sum(n for _, n in window)\nif total:\n    print(total)",
            id="the count of a window",
        ),
        pytest.param(
            f"{PAIRS}pairs.reduceByKey({ADD}).window(4).count().pprint()",
            'added = batch.groupBy(F.col("value").alias("line")).count().count()\n'
            "window.append((now, added))\nwhile window[0][0] <= now - 4:\n    window.popleft()\n"
            "print(sum(n for _, n in window))",
            id="one that is 0 without rows",
        ),
        pytest.param(
            "lines.map(len).reduceByWindow(max, None, 6, 1).pprint()",
            'added = batch.agg(F.max(F.length("value"))).first()[0]\n'
            "if added is not None:\n    window.append((now, added))\n"
            "while window and window[0][0] <= now - 6:\n    window.popleft()\n"
            "if window:\n    print(max(n for _, n in window))",
            id="the longest",
        ),
        pytest.param(
            f"lines.map(len).reduceByWindow({ADD}, {SUBTRACT}, 6, 1).pprint()",
            f"{SUMS}    print(sum(n for _, n in window))",
            id="a sum with an inverse",
        ),
        pytest.param(
            "lines.reduceByWindow(lambda a, b: int(a) + int(b), lambda a, b: int(a) - int(b), 6, 1).pprint()",
            f"{TEXTS}    print(sum(n for _, n in window))",
            id="a sum of texts with an inverse",
        ),
        pytest.param(
            f"lines.map(lambda line: 1).reduceByWindow({ADD}, None, 6, 1).pprint()",
            f"{UPKEEP.format(6)}total = sum(n for _, n in window)\nif total:\n    print(total)",
            id="a sum of ones",
        ),
        pytest.param(
            "lines.countByWindow(5, 1).pprint()\nlines.countByWindow(3, 1).pprint()",
            f"{COUNTED.format(5)}    print(sum(n for _, n in window))\n"
            "lines_window.append((now, added))\n"
            "while lines_window[0][0] <= now - 3:\n    lines_window.popleft()\n"
            "total = sum(n for _, n in lines_window)\nif total:\n    print(total)",
            id="two counts of one batch",
        ),
        pytest.param(
            "counts = lines.countByWindow(5, 1)\nlines.window(2).pprint()\ncounts.pprint()",
            f"{COUNTED.format(5)}    counts = sum(n for _, n in window)\n"
            "lines_window.append((now, batch))\nwhile lines_window[0][0] <= now - 2:\n"
            "    lines_window.popleft()[1].unpersist()\n"
            "reduce(DataFrame.union, [rows for _, rows in lines_window]).show(10, truncate=False)\n"
            "if window:\n    print(counts)",
            id="a count that is printed later",
        ),
        pytest.param(
            "counts = lines.countByWindow(5, 1)\ncounts = counts.map(str)\ncounts.pprint()",
            f"{COUNTED.format(5)}    total = sum(n for _, n in window)\n    print(str(total))",
            id="a variable that is bound again",
        ),
        pytest.param(
            "countsDStream = lines.countByWindow(5, 1)\ncountsDStream.pprint()",
            f"{COUNTED.format(5)}    total = sum(n for _, n in window)\n    print(total)",
            id="a variable that says what it held",
        ),
        pytest.param(
            "sum = lines.countByWindow(5, 1)\nsum.pprint()",
            f"{COUNTED.format(5)}    total = sum(n for _, n in window)\n    print(total)",
            id="a variable that hides what adds up",
        ),
    ],
)
def test_a_number_that_is_printed_is_one_of_the_driver(body: str, new: str) -> None:
    assert in_batch(body) == new


def test_what_a_batch_adds_to_a_second_number_is_named_after_its_stream() -> None:
    new = native_body(
        "lines.countByWindow(5, 1).pprint()\n"
        f"sizes = lines.map(len)\nsizes.reduceByWindow({ADD}, {SUBTRACT}, 5, 1).pprint()"
    )
    assert "if added or window:" in new and "if added_sizes is not None or sizes_window:" in new


def test_a_count_needs_no_column_form() -> None:
    """DStream counts any elements with an inverse; sums of RDDs would have to be brought up to date."""
    found = in_batch("lines.map(lambda line: {'text': line}).countByWindow(5, 1).pprint()")
    assert "added = batch.rdd.map(lambda line: {'text': line[\"value\"]}).count()" in found


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("counts.filter(lambda n: n > 3).pprint()", id="a filter"),
        pytest.param("counts.foreachRDD(lambda rdd: print(rdd.collect()))", id="a callback"),
        pytest.param("counts.saveAsTextFiles('counts')", id="files"),
        pytest.param("counts.pprint()\ncounts.union(lines.map(len)).pprint()", id="one of two readers"),
        pytest.param("counts.pprint(0)", id="none is printed"),
        pytest.param("counts.map(lambda n, m=1: n + m).pprint()", id="a default"),
        pytest.param("counts.map(lambda n: print(n)).pprint()", id="a map that does more"),
        pytest.param(
            "def out(n):\n    n.pprint()\nout(lines.countByWindow(3, 1))", id="a function of streams"
        ),
    ],
)
def test_a_number_that_is_read_otherwise_has_a_dataframe(body: str) -> None:
    new = flat(native_body(f"counts = lines.countByWindow(4, 1)\n{body}"))
    assert flat('batch.sparkSession.createDataFrame([(total,)] if total else [], "count bigint")') in new
    assert "window.append((now,batch.count()))" in new or "window.append((now,added))" in new


@pytest.mark.parametrize(
    ("call", "rows"),
    [
        ("countByWindow(6, 1)", '[(sum(n for _, n in window),)] if window else [], "count bigint"'),
        ("map(len).reduceByWindow(max, None, 6, 1)", "[(max(n for _, n in window),)] if window else [],"),
        ("reduceByWindow(max, None, 6, 1)", "[(max(n for _, n in window),)] if window else [],"),
    ],
)
def test_a_dataframe_of_a_number_has_no_row_where_there_is_none(call: str, rows: str) -> None:
    new = native_body(f"lines.{call}.filter(lambda n: n != 3 and n != 'a').pprint()")
    assert flat(f"createDataFrame({rows}") in flat(new)


def test_numbers_of_two_windows_are_joined_as_dataframes_of_one_row() -> None:
    new = flat(
        native_body(
            "short = lines.countByWindow(2, 1)\nlong = lines.countByWindow(6, 1)\n"
            "short.map(lambda n: (1, n)).join(long.map(lambda n: (1, n))).pprint()"
        )
    )
    assert "persist()" not in new and "localCheckpoint" not in new
    assert flat("if added or window: # there is none before the first row") in new
    assert flat("total = sum(n for then, n in window if then > now - 2)") in new
    rows = '[(sum(n for _, n in window),)] if window else [], "count bigint"'
    assert flat(f"long = batch.sparkSession.createDataFrame({rows})") in new


def test_other_windows_have_numbers_of_their_own() -> None:
    """Those of other streams, and those of numbers that a batch may not have."""
    new = native_body(
        "for_all = lines.countByWindow(4, 1)\n"
        "for_some = lines.filter(lambda t: 'a' in t).countByWindow(3, 1)\n"
        "longest = lines.map(len).reduceByWindow(max, None, 4, 1)\n"
        "longest_now = lines.map(len).reduceByWindow(max, None, 2, 1)\n"
        "all_of_it = for_all.union(for_some).union(longest).union(longest_now)\nall_of_it.pprint()"
    )
    assert new.count(".popleft()") == 4
    assert "if then >" not in new


@pytest.mark.parametrize(
    ("body", "options"),
    [
        pytest.param("counts.window(2).pprint()", None, id="a window of it"),
        pytest.param("counts.pprint()\nsum = max", None, id="sum is something else"),
        pytest.param("counts.pprint()", Options(pprint_exact=True), id="the exact text"),
        pytest.param(
            "def odd(t):\n    return t.isalpha() and t[0] != 'a'\n"
            "lines.filter(odd).countByWindow(2, 3).pprint()",
            None,
            id="a filter that may raise, in a window shorter than its slide",
        ),
    ],
)
def test_batches_are_held_where_the_driver_cannot_put_them_together(
    body: str, options: Options | None
) -> None:
    new = file(socket_program(f"counts = lines.countByWindow(4, 1)\n{body}"), options).new
    assert "persist()" in new


@pytest.mark.parametrize(
    "call", ["countByWindow(2, 3)", "filter(lambda t: 'a' in t).countByWindow(2, 3)", "window(2, 3).count()"]
)
def test_batches_in_no_window_are_counted_where_nothing_can_fail(call: str) -> None:
    assert "persist()" not in file(socket_program(f"lines.{call}.pprint()")).new


def test_one_number_in_a_dataframe_leaves_others_in_the_driver() -> None:
    new = native_body(
        "lines.countByWindow(4, 1).filter(lambda n: n > 3).pprint()\n"
        "lines.map(len).reduceByWindow(max, None, 4, 1).pprint()"
    )
    assert "lines_window.append((now, added_lines))" in new
    assert "print(max(n for _, n in lines_window))" in new


def test_a_running_state_adds_up_each_window() -> None:
    total = "lambda new, last: sum(new) + (last or 0)"
    result = run(socket_program(f"{PAIRS}pairs.window(4, 2).updateStateByKey({total}).pprint()"))
    new = " ".join(str(result.files[0].new).split())
    assert "totals.union(added)" in new
    assert "batch.persist()" not in new
    assert ".rdd" not in new
    assert any("adds up the window of each batch" in note for note in result.graphs[0].notes)


def test_a_number_of_a_window_that_a_stream_is_joined_with_is_a_dataframe() -> None:
    pairs = "n = lines.count().map(lambda n: (1, n))\nm = lines.countByWindow(5, 1).map(lambda n: (1, n))\n"
    (graph,) = run(socket_program(f"{pairs}n.join(m).pprint()")).graphs
    assert graph.outcome is not Outcome.MANUAL
    (turned,) = run(socket_program(f"{pairs}m.join(n).pprint()")).graphs
    assert turned.outcome is graph.outcome


def test_batches_are_united_without_a_name_that_is_another_class() -> None:
    new = native_body("from pandas import DataFrame\nlines.window(10).pprint()")
    assert "lambda one, other: one.union(other), [rows for _, rows in window]" in new


def test_a_window_in_a_function_that_stands_above_the_source() -> None:
    """It is called per batch, although it is defined before there is a session."""
    function = (
        f"def counted(words):\n    pairs = words.map(lambda word: (word, 1))\n"
        f"    return pairs.reduceByKeyAndWindow({ADD}, {SUBTRACT}, 120, 60).map(lambda pair: pair[0])\n"
    )
    words = 'words = lines.flatMap(lambda line: line.split(" "))\n'
    head, _, tail = socket_program(f"{words}counted(words).pprint()").partition("sc = SparkContext")
    result = run(f"{head}{function}sc = SparkContext{tail}")
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new or ""
    assert "def counted(words, now, window):\n" in new
    assert "    window.append((now, added.persist()))\n" in new


@pytest.mark.parametrize(
    ("arguments", "told"),
    [("30, 1", True), ("30, 3", True), ("None, 30, 1", False), (f"{SUBTRACT}, 3, 1", False)],
)
def test_a_duration_in_the_place_of_the_inverse_is_told_of(arguments: str, told: bool) -> None:
    """DStream has a window of 1 or 3 seconds there, too short for it to call the 30."""
    result = run(socket_program(f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, {arguments}).pprint()"))
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE
    assert any("`30` stands where `reduceByKeyAndWindow` takes" in note for note in graph.notes) is told


def test_a_lambda_that_reads_a_window_twice_reads_a_variable() -> None:
    new = native_body("lines.window(3).foreachRDD(lambda rdd: print(rdd.count(), rdd.take(3)))")
    assert "rows = reduce(DataFrame.union, [rows for _, rows in window])\nprint(rows.count(), " in new


def test_rdd_code_goes_on_behind_an_empty_window_where_nobody_waits() -> None:
    """DStream's job of a window without rows fails, and the next one runs."""
    save = "def save(rdd):\n    rdd.map(lambda x: (unknown(x), 1)).toDF().createOrReplaceTempView('scored')\n"
    source = socket_program(f"{save}lines.map(unknown).window(3).foreachRDD(save)")
    new = file(source.replace("ssc.awaitTermination()\n", "while True:\n    serve()\n")).new
    assert "except Exception:  # the next batch runs all the same\n        traceback.print_exc()\n" in new
    assert "raise" not in new


@pytest.mark.parametrize(
    ("value", "made"),
    [
        ("len(line)", "print([tuple(row) for row in rows.take(3)])"),
        ("os.path.join(line)", "rdd = totals.map(lambda p: (p[1], p[0])).sortByKey(False)"),
    ],
    ids=["columns", "RDDs"],
)
def test_the_totals_of_a_window_need_no_second_name(value: str, made: str) -> None:
    body = f"""\
import os
def sorted_words(lines, seconds):
    words = lines.map(lambda line: {value}).map(lambda word: (word, 1))
    top = words.reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, seconds, 6)
    return top.map(lambda p: (p[1], p[0])).transform(lambda rdd: rdd.sortByKey(False))
sorted_words(lines, 900).foreachRDD(lambda rdd: print(rdd.take(3)))
lines.pprint()
"""
    new = file(socket_program(body)).new
    assert "top = " not in new and made in new
