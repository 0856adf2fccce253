"""Queries that the slide of their windows triggers, and programs that show the batch interval."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options
from migrate.plan.windows.by_slide import BY_SLIDE, TRIGGER
from tests.migrate.programs import LIMITED, file, kafka_program, module, native_body, run, socket_program

ADD = "lambda a, b: a + b"
PAIRS = "pairs = lines.map(lambda line: (line, 1))\n"
WINDOW = "lines.window(6, 2).pprint()\n"


def by_slide(source: str, options: Options | None = None) -> bool:
    """Whether the slide of windows triggers the native form."""
    (graph,) = run(source, options).graphs
    assert graph.outcome.value == "native", graph.reasons
    return BY_SLIDE in graph.notes


def test_the_window_holds_what_its_slides_gave() -> None:
    assert native_body("lines.window(30, 10).pprint()") == (
        "now = int(time.time()) // 10 * 10  # end of the interval\n"
        "window.append((now, batch.persist()))\n"
        "while window[0][0] <= now - 30:\n"
        "    window.popleft()[1].unpersist()\n"
        "reduce(DataFrame.union, [rows for _, rows in window]).show(10, truncate=False)"
    )
    new = file(socket_program("lines.window(30, 10).pprint()")).new
    assert '.trigger(processingTime="10 seconds")' in new
    assert ".transform(every_interval)" in new


def test_one_that_is_as_long_as_its_slide_is_the_batch() -> None:
    result = run(socket_program("lines.window(10, 10).pprint()"))
    assert "window" not in result.files[0].new
    assert 'processingTime="10 seconds"' in result.files[0].new
    (found,) = [site for site in result.sites if site.operator == "window"]
    assert "as long as its slide" in (found.reason or "")


def test_the_report_says_what_the_trigger_is() -> None:
    sites = run(socket_program(WINDOW)).sites
    assert [site.reason for site in sites if site.operator == "StreamingContext"] == [TRIGGER]


def test_the_slide_may_have_a_name() -> None:
    source = socket_program("lines.window(3 * slide, slide).pprint()")
    new = file(source.replace("ssc = ", "slide = 10\nssc = ")).new
    assert 'trigger(processingTime=f"{slide} seconds")' in new
    assert "int(time.time()) // slide * slide" in new and "<= now - window_length:" in new
    assert "is_due" in file(socket_program("slide = 10\nlines.window(3 * slide, slide).pprint()")).new


@pytest.mark.parametrize(("settings", "chosen"), [("SLIDE = 10\n", True), ("SLIDE = int(input())\n", False)])
def test_the_slide_may_be_a_setting_of_another_module(settings: str, chosen: bool) -> None:
    source = socket_program("lines.window(3 * settings.SLIDE, settings.SLIDE).pprint()")
    modules = [module("import settings\n" + source), module(settings, "settings.py")]
    result = migrate(modules, Options())
    new = next(one.new for one in result.files if one.path == "job.py")
    assert (BY_SLIDE in result.graphs[0].notes) == chosen
    assert ("interval = settings.SLIDE\n" in new) == chosen


GUARD = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def main():
    ssc = StreamingContext(SparkContext(), interval)
    lines = ssc.socketTextStream("localhost", 9999)
    {body}
    ssc.start()
    ssc.awaitTermination()

if __name__ == "__main__":
    interval = 5
    length, slide = 30, 10
    main()
"""


def test_numbers_that_the_main_guard_binds_for_its_function() -> None:
    new = file(GUARD.format(body="lines.window(length, slide).pprint()")).new
    assert 'trigger(processingTime=f"{slide} seconds")' in new and "is_due" not in new
    new = file(GUARD.format(body="lines.window(5).pprint()")).new
    assert "deque" not in new and "window" not in new
    again = GUARD.replace("slide = 30, 10", "slide = 5, 10").format(body="lines.window(length).pprint()")
    assert "deque" not in file(again).new
    assert "deque" in file(f"{again}    length = 6\n").new


def test_the_slide_may_be_a_multiple_of_an_interval_that_is_not_known() -> None:
    source = socket_program("lines.window(3 * slide, slide).pprint()").replace("(sc, 1)", "(sc, seconds)")
    source = source.replace("ssc = ", "seconds = int(input())\nslide = 2 * seconds\nssc = ")
    assert by_slide(source)
    new = file(source).new
    assert 'trigger(processingTime=f"{slide} seconds")' in new and "<= now - 3:" in new


def test_the_slide_may_be_an_argument() -> None:
    source = socket_program("held(lines, 6, slide=2).pprint()")
    source = "def held(rows, length, slide):\n    return rows.window(length, slide)\n" + source
    assert by_slide(source)
    assert '.trigger(processingTime="2 seconds")' in file(source).new


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{PAIRS}pairs.reduceByKeyAndWindow({ADD}, None, 6, 2).pprint()", id="sums by key"),
        pytest.param(f"{WINDOW}lines.filter(bool).cache().countByWindow(4, 2).pprint()", id="two windows"),
        pytest.param(
            f"{PAIRS}counts = pairs.window(4, 2).reduceByKey({ADD})\ncounts.window(8, 2).pprint()\n"
            "counts.window(8).pprint()",
            id="windows of a window",
        ),
        pytest.param(
            f"{PAIRS}pairs.groupByKeyAndWindow(4, 2).foreachRDD(lambda rdd: print(rdd.count()))",
            id="a callback",
        ),
        pytest.param(
            "lines.window(4, 2).foreachRDD(lambda time, rdd: print(rdd.count()))",
            id="an unread time",
        ),
        pytest.param(
            "lines.window(4, 2).foreachRDD(lambda time, rdd: print('at %s' % time, rdd.count()))",
            id="a time that is printed",
        ),
        pytest.param(
            f"{PAIRS}pairs.window(4, 2).updateStateByKey(lambda new, last: sum(new) + (last or 0)).pprint()",
            id="a state of windows",
        ),
    ],
)
def test_what_reads_windows_alone(body: str) -> None:
    assert by_slide(socket_program(body))


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"{WINDOW}lines.pprint()", id="another output"),
        pytest.param(f"{WINDOW}lines.window(6, 3).pprint()", id="another slide"),
        pytest.param(f"lines.window(6, 3).pprint()\n{WINDOW}", id="another slide first"),
        pytest.param(f"{WINDOW}lines.window(4).pprint()", id="each batch"),
        pytest.param(f"{WINDOW}lines.window(2).pprint()", id="each batch, as long as the slide"),
        pytest.param(f"lines.window(2).pprint()\n{WINDOW}", id="the same first"),
        pytest.param("lines.window(5, 2).pprint()", id="half a slide"),
        pytest.param(f"{WINDOW}lines.window(5, 2).pprint()", id="half a slide in one of them"),
        pytest.param(f"{PAIRS}pairs.reduceByKey({ADD}).window(6, 2).pprint()", id="sums of batches"),
        pytest.param("lines.transform(lambda rdd: rdd.distinct()).window(6, 2).pprint()", id="RDDs of each"),
        pytest.param("lines.repartition(3).window(6, 2).pprint()", id="partitions of batches"),
        pytest.param(f"{LIMITED}{WINDOW}", id="a limit of batches"),
        pytest.param("lines.window(6, 2).saveAsTextFiles('out')", id="paths with the batch time"),
        pytest.param(
            "seen = []\nlines.window(6, 2).foreachRDD(lambda time, rdd: seen.append(time))",
            id="a batch time that is kept",
        ),
        pytest.param(
            'more = ssc.socketTextStream("localhost", 9998)\nlines.union(more).window(6, 2).pprint()',
            id="rows of two sources",
        ),
        pytest.param(
            f"{WINDOW}{PAIRS}pairs.updateStateByKey(lambda new, last: sum(new) + (last or 0)).pprint()",
            id="a state of each batch",
        ),
    ],
)
def test_what_shows_the_batch_interval(body: str) -> None:
    source = socket_program(body)
    assert not by_slide(source)
    assert 'processingTime="1 second"' in file(source).new


@pytest.mark.parametrize(
    ("interval", "longer"), [("1", "2"), ("each", "2 * each")], ids=["a number", "a variable"]
)
def test_a_graceful_stop_waits_for_two_batches_of_the_program(interval: str, longer: str) -> None:
    source = socket_program("lines.window(2, 2).foreachRDD(lambda rdd: print(rdd.count()))")
    source = source.replace("ssc = ", "each = 1\nssc = ").replace("(sc, 1)", f"(sc, {interval})")
    source = source.replace(
        "ssc.awaitTermination()", "ssc.awaitTerminationOrTimeout(60)\nssc.stop(True, True)"
    )
    assert by_slide(source)
    new = file(source).new
    assert f"query.awaitTermination(60 + {longer})  # a graceful stop ran two more batches\n" in new
    assert '.trigger(processingTime="2 seconds")' in new
    notes = " ".join(run(source).graphs[0].notes)
    assert "as long as two batches of the program" in notes and "a window whose slide ends by then" in notes


def test_messages_of_kafka_come_by_slides_too() -> None:
    assert by_slide(kafka_program("messages.map(lambda m: m[1]).window(6, 2).pprint()"))


def test_files_of_several_intervals_have_another_order() -> None:
    source = socket_program(WINDOW).replace('socketTextStream("localhost", 9999)', 'textFileStream("in")')
    assert not by_slide(source)


def test_a_header_has_the_batch_time() -> None:
    assert not by_slide(socket_program(WINDOW), Options(pprint_exact=True))


def test_comments_on_the_batch_interval_are_not_of_the_trigger() -> None:
    source = socket_program(WINDOW).replace("(sc, 1)", "(sc, 1)  # batches of a second")
    assert "# batches of a second" in file(source.replace("window(6, 2)", "window(6)")).new
    assert "batches of a second" not in file(source).new
