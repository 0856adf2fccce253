"""A batch time that is more than printed: it is computed as DStreams count it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from migrate.model import Options
from migrate.plan.batch_time import batch_times
from tests.migrate.programs import (
    blocked,
    file,
    kafka_program,
    native_body,
    queue_program,
    run,
    socket_program,
)

ANY_TIME = Options(approximate_time=True)
KEYED = (
    "keyed = lines.transform(lambda time, rdd: rdd.map(lambda line: (str(time), line)))\n"
    "keyed.foreachRDD(lambda rdd: rdd.foreach(save))"
)
USES = {
    "saveAsTextFiles": 'lines.saveAsTextFiles("out/lines")',
    "in a key": KEYED,
    "in a path": 'lines.foreachRDD(lambda time, rdd: rdd.toDF(["line"]).write.save("out/%s" % time))',
    "handed on": "lines.foreachRDD(lambda t, rdd: save(t, rdd.collect()))",
    "compared": "def late(t, rdd):\n    if t.hour > 20:\n        print(rdd.count())\nlines.foreachRDD(late)",
}


# --- what is written ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", USES.values(), ids=USES)
def test_the_batch_is_given_its_time_at_the_beginning(body: str) -> None:
    result = run(socket_program(body))
    assert all(site.safe for site in result.sites)
    assert any("batch times are multiples of the interval" in note for note in result.graphs[0].notes)
    assert "times = batch_times(1)\n\n\ndef process_batch(" in result.files[0].new
    rows = native_body(body).splitlines()
    assert rows[0] == "batch_time = next(times)"
    assert rows[1].startswith("if batch_id == 0 and batch.isEmpty():")
    assert "batch_time" in "\n".join(rows[3:])


@pytest.mark.parametrize("body", USES.values(), ids=USES)
def test_the_user_may_allow_the_current_time(body: str) -> None:
    result = run(socket_program(body), ANY_TIME)
    assert "batch_times" not in result.files[0].new
    assert any("--batch-time approximate" in note for note in result.graphs[0].notes)
    assert len({site.operator for site in result.sites if not site.safe}) == 1
    assert native_body(body, ANY_TIME).startswith("batch_time = datetime.now()\n")


@pytest.mark.parametrize(
    ("call", "path"),
    [
        ('"out/lines"', 'f"out/lines-{batch_time.timestamp() * 1000:.0f}"'),
        ('"lines", "txt"', 'f"lines-{batch_time.timestamp() * 1000:.0f}.txt"'),
        ('"lines", suffix=""', 'f"lines-{batch_time.timestamp() * 1000:.0f}."'),
        ('"{lines}"', '"%s-%.0f" % ("{lines}", batch_time.timestamp() * 1000)'),
        ('folder, "txt"', '"%s-%.0f.txt" % (folder, batch_time.timestamp() * 1000)'),
    ],
)
def test_the_path_is_what_dstream_makes_of_prefix_time_and_suffix(call: str, path: str) -> None:
    body = native_body(f'folder = "out/a"\nlines.saveAsTextFiles({call})')
    assert path in " ".join(body.split())


def test_a_suffix_that_may_be_none_is_not_decided() -> None:
    assert "suffix" in blocked('lines.saveAsTextFiles("a", suffix)')


def test_all_callbacks_of_a_batch_are_given_the_same_time() -> None:
    body = native_body(
        "def save(time, rdd):\n    rdd.foreach(lambda line: put(time, line))\n"
        "lines.foreachRDD(save)\n"
        "lines.foreachRDD(lambda t, rdd: print(t, rdd.count()))\n"
        'lines.saveAsTextFiles("lines")',
    )
    assert body.count("next(times)") == 1
    assert "save(batch_time, " in body
    assert "print(datetime.now(), " in body  # the one that is only printed is the current time as ever


def test_a_function_of_transform_that_only_prints_the_time_needs_none() -> None:
    body = native_body(
        "def shown(time, rdd):\n    print(time)\n    return rdd\n"
        "lines.transform(shown).foreachRDD(lambda r: r.foreach(put))"
    )
    assert "shown(datetime.now(), " in body
    assert "batch_time" not in body


def test_the_interval_may_be_a_variable() -> None:
    source = socket_program('lines.saveAsTextFiles("out")').replace("(sc, 1)", "(sc, seconds)")
    new = file(source.replace("ssc =", "seconds = int(argv[1])\nssc =", 1)).new
    assert "times = batch_times(seconds)" in new


def test_a_second_is_no_name_for_half_a_second() -> None:
    paths = {"{t:%Y%m%d%H%M%S}": "compat", "{int(t.timestamp())}": "compat", "{t}": "native"}
    for path, outcome in paths.items():
        source = socket_program(f'lines.foreachRDD(lambda t, rdd: rdd.saveAsTextFile(f"{path}"))')
        assert run(source).graphs[0].outcome.value == "native"
        assert run(source.replace("(sc, 1)", "(sc, 0.5)")).graphs[0].outcome.value == outcome


def test_two_outputs_are_not_saved_under_one_name() -> None:
    body = 'lines.saveAsTextFiles("out")\nlines.map(len).saveAsTextFiles("out"{})'
    assert "saved under one name" in blocked(body.format(""))
    native_body(body.format(', "txt"'))


@pytest.mark.parametrize(
    ("callback", "becomes"),
    [
        ("rdd.foreach(lambda t: put(t))", 'batch.foreach(lambda t: put(t["value"]))'),
        ("rdd.map(lambda x, t=t.year: (t, x)).foreach(put)", "lambda x, t=batch_time.year: (t, x)"),
        ("print(t, rdd.map(lambda t: put(t)).count())", "lambda t: put(t)"),
        (
            "rdd.map(lambda batch_time: (t, batch_time)).foreach(put)",
            "lambda batch_time: (batch_time_2, batch_",
        ),
    ],
)
def test_parameters_of_functions_inside_are_others(callback: str, becomes: str) -> None:
    assert becomes in native_body(f"lines.foreachRDD(lambda t, rdd: {callback})")


@pytest.mark.parametrize(
    "callback",
    [
        "print('delay', datetime.now() - t, rdd.count())",
        "print(late(t), rdd.count())",
        "rdd.foreachPartition(lambda rows: show(t, rows))",
    ],
)
def test_what_is_reckoned_or_handed_on_is_the_batch_time(callback: str) -> None:
    shown = "def show(t, rows):\n    for row in rows:\n        print(t, row)\n"
    assert "batch_time" in native_body(f"{shown}lines.foreachRDD(lambda t, rdd: {callback})")


def test_names_of_builtins_may_be_others() -> None:
    source = socket_program('lines.saveAsTextFiles("out")')
    new = file("from pyspark.sql.functions import *\n" + source).new
    names = {node.id for node in ast.walk(ast.parse(new)) if isinstance(node, ast.Name)}
    assert not names & {"max", "min", "round", "sum", "abs"}
    for above in ("int = 1\n", "from tools import *\n"):
        assert "something else" in run(above + source).graphs[0].reasons[0]


def test_the_function_stands_before_the_statement_that_calls_it() -> None:
    rows = socket_program('lines.saveAsTextFiles("out")').strip().replace("\n", "\n    ")
    source = 'if __name__ == "__main__":\n    ' + rows.replace(
        "import SparkContext", "import SparkContext, SparkFiles"
    )
    new = file(source.replace("ssc.start()", "print(SparkFiles)\n    ssc.start()") + "\n").new
    assert new.index("def batch_times(") < new.index("if __name__")


def test_an_interval_that_is_bound_again_is_not_that_of_the_query() -> None:
    source = socket_program("lines.pprint()").replace("ssc =", "n = 1\nssc =").replace("sc, 1", "sc, n")
    assert run(source).graphs[0].outcome.value == "native"
    (graph,) = run(source.replace("lines.pprint()", "n = 7\nlines.pprint()")).graphs
    assert "bound again" in graph.reasons[0]


def test_an_interval_that_a_call_gives_is_not_computed_twice() -> None:
    source = socket_program('lines.saveAsTextFiles("out")').replace("(sc, 1)", "(sc, ask())")
    (graph,) = run(source).graphs
    assert graph.reasons == (
        "line 5: the batch time needs the batch interval, which a call gives: assign it to a name before",
    )


def test_the_function_is_in_reach_of_the_class_that_it_calls() -> None:
    body = 'lines.saveAsTextFiles("out")'
    imported = "def main():\n    from datetime import datetime\n    " + socket_program(body).replace(
        "\n", "\n    "
    )
    above = file(imported + "\nmain()\n").new.partition("def batch_times(")[0]
    assert above.startswith("from datetime import datetime\n")
    whole = "import datetime\n" + socket_program(body + "\nprint(datetime.date.today())")
    assert "int(datetime.datetime.now().timestamp() * 1000)" in file(whole).new
    assert "yield datetime.datetime.fromtimestamp(" in file(whole).new


@pytest.mark.parametrize("body", USES.values(), ids=USES)
def test_a_query_that_goes_on_from_a_checkpoint_would_run_a_batch_again_under_another_time(body: str) -> None:
    source = kafka_program(body.replace("lines", "messages"))
    head, rest = source.split("sc = SparkContext", 1)
    made, end = ("sc = SparkContext" + rest).split("ssc.start()")
    built = "def build():\n    " + made.strip().replace("\n", "\n    ") + "\n    return ssc\n"
    recovering = f'{head}{built}ssc = StreamingContext.getOrCreate("points", build)\nssc.start(){end}'
    (graph,) = run(recovering).graphs
    assert graph.outcome.value == "compat"


def test_the_first_rdd_of_a_queue_comes_before_the_first_batch_time() -> None:
    (graph,) = run(queue_program('numbers.saveAsTextFiles("out")')).graphs
    assert graph.outcome.value == "compat"
    assert "before the first batch time" in graph.reasons[0]
    allowed = file(queue_program('numbers.saveAsTextFiles("out")'), Options(unsafe=True))
    assert "batch_time = datetime.now()" in allowed.new


# --- what it does -------------------------------------------------------------------------------------------


class _Clock(datetime):
    """`datetime` at the moments that a test gives."""

    moments: Iterator[float]

    @classmethod
    def now(cls, tz: Any = None) -> _Clock:
        return cls.fromtimestamp(next(cls.moments), tz)


def _times(interval: float, *moments: float) -> list[float]:
    names: dict[str, Any] = {"datetime": _Clock}
    exec(batch_times("datetime.now()").source, names)
    _Clock.moments = iter(moments)
    times = names["batch_times"](interval)
    return [next(times).timestamp() for _ in moments]


def test_a_batch_on_time_has_the_multiple_that_has_just_passed() -> None:
    assert _times(10, 1_700_000_003, 1_700_000_010.02, 1_700_000_020.3) == [
        1_700_000_000,
        1_700_000_010,
        1_700_000_020,
    ]


def test_intervals_without_a_batch_are_skipped() -> None:
    assert _times(10, 1_700_000_010.1, 1_700_000_050.1) == [1_700_000_010, 1_700_000_050]


def test_two_batches_never_have_the_same_time() -> None:
    """One that began late and ended early, as after a long one."""
    assert _times(10, 1_700_000_019, 1_700_000_019.5, 1_700_000_020.1) == [
        1_700_000_010,
        1_700_000_020,
        1_700_000_030,
    ]


@pytest.mark.parametrize("interval", [0.1, 0.25, 0.5])
def test_intervals_below_a_second_are_whole_milliseconds(interval: float) -> None:
    step = int(interval * 1000)
    found = _times(interval, *(1_700_000_000 + number * interval + 0.01 for number in range(50)))
    assert [round(time * 1000) for time in found] == [
        1_700_000_000_000 + step * number for number in range(50)
    ]
