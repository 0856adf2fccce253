"""The batch time: it is computed as DStreams count it."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from migrate.model import Options
from migrate.plan.draft.batch_time import IN_SECONDS, STARTED, TIMES, Seconds, batch_time
from migrate.plan.elements.element_texts import FILES
from migrate.rules.save_as_text_files import NO_DIRECTORY
from tests.migrate.programs import (
    blocked,
    file,
    flat,
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
    "compared": "def late(batch_time, rdd):\n    if batch_time.hour > 20:\n        print(rdd.count())\n"
    "lines.foreachRDD(late)",
}


MS = "batch_ms = int(time.time()) * 1000  # end of the interval, in ms"


# --- what is written ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", USES.values(), ids=USES)
def test_the_batch_is_given_its_time_at_the_beginning(body: str) -> None:
    result = run(socket_program(body))
    assert all(site.safe for site in result.sites)
    assert TIMES in result.graphs[0].notes
    rows = native_body(body).splitlines()
    saves = "saveAsTextFiles" in body
    time = "batch_time = datetime.now().replace(microsecond=0)  # end of the interval"
    assert rows[0] == (MS if saves else time)
    assert ("batch_ms" if saves else "batch_time") in "\n".join(rows[1:])


@pytest.mark.parametrize("body", USES.values(), ids=USES)
def test_the_user_may_allow_the_current_time(body: str) -> None:
    result = run(socket_program(body), ANY_TIME)
    assert STARTED not in result.files[0].new
    assert any("--batch-time approximate" in note for note in result.graphs[0].notes)
    assert len({site.operator for site in result.sites if not site.safe}) == 1
    assert native_body(body, ANY_TIME).startswith("batch_time = datetime.now()\n")


@pytest.mark.parametrize(
    ("call", "path"),
    [
        ('"out/lines"', 'f"out/lines-{batch_ms}"'),
        ('"lines", "txt"', 'f"lines-{batch_ms}.txt"'),
        ('"lines", suffix=""', 'f"lines-{batch_ms}."'),
        ('"{lines}"', '"%s-%d" % ("{lines}", batch_ms)'),
        ('folder, "txt"', 'f"{folder}-{batch_ms}.txt"'),
        ('folder + "/x"', 'f"{prefix}-{batch_ms}"'),
        ('folder, "{}"', '"%s-%d.{}" % (folder, batch_ms)'),
    ],
)
def test_the_path_is_what_dstream_makes_of_prefix_time_and_suffix(call: str, path: str) -> None:
    body = native_body(f'folder = "out/a"\nlines.saveAsTextFiles({call})')
    assert path in " ".join(body.split())


@pytest.mark.parametrize(
    ("interval", "milliseconds"),
    [
        ("5", "batch_ms = int(time.time() // every) * every * 1000  # end of the interval, in ms"),
        ("2.0", "batch_time.timestamp() * 1000:.0f"),
        ("0.5", "batch_time.timestamp() * 1000:.0f"),
        ("read()", "batch_time.timestamp() * 1000:.0f"),
    ],
)
def test_an_interval_with_a_name_is_counted_by_it(interval: str, milliseconds: str) -> None:
    source = socket_program('lines.saveAsTextFiles("out")').replace(
        "ssc = StreamingContext(sc, 1)", f"every = {interval}\nssc = StreamingContext(sc, every)"
    )
    assert milliseconds in run(source).files[0].new


WORDS = "lines.map(lambda l: (l, len(l)))"
ROW = "tuple_text"
TEXTS = {
    "texts": ("lines", 'batch.write.mode("append")'),
    "made of columns": (
        'lines.map(lambda l: l + "!")',
        'select(F.concat("value", F.lit("!"))).write',
    ),
    "numbers": ("lines.map(len)", 'batch.select(F.length("value").cast("string")).write'),
    "an operator": ("lines.map(lambda l: len(l) + 1)", '(F.length("value") + 1).cast("string")'),
    "booleans": ('lines.map(lambda l: l == "a")', 'F.udf(lambda value: str(value))(F.col("value") == "a")'),
    "floats": ("lines.map(lambda l: len(l) / 2)", "F.udf(lambda value: str(value))("),
    "tuples": (WORDS, f'{ROW}("value", F.length("value"))'),
    "nested tuples": (
        "lines.map(lambda l: (l, (len(l), l)))",
        "lambda *row: str((row[0], (row[1], row[2])))",
    ),
    "lists": ('lines.map(lambda l: l.split(" "))', 'F.udf(lambda value: str(value))(F.split("value", " "))'),
    "objects": ("lines.map(weird)", '.map(lambda row: weird(row["value"])).saveAsTextFile('),
    "one partition": (
        f"{WORDS}.reduceByKey(lambda a, b: a + b, 1).map(lambda p: p[0])",
        '.coalesce(1).write.mode("append").text(',
    ),
    "three partitions": (
        f"{WORDS}.reduceByKey(lambda a, b: a + b, numPartitions=3)",
        ".repartition(3).write",
    ),
    "repartitioned": ("lines.repartition(1)", "batch.repartition(1).write"),
    "a count": (
        "lines.count()",
        '.agg(F.count("*").alias("count")).select(F.col("count").cast("string")).write',
    ),
}


@pytest.mark.parametrize(("stream", "saved"), TEXTS.values(), ids=TEXTS)
def test_the_elements_are_saved_as_python_writes_them(stream: str, saved: str) -> None:
    body = native_body(f'{stream}.saveAsTextFiles("out/a")')
    assert flat(saved) in flat(body)
    assert flat('text(f"out/a-{batch_ms}")') in flat(body.replace("saveAsTextFile(", "text("))


@pytest.mark.parametrize(("stream", "said"), [("lines", True), ("lines.map(weird)", False)])
def test_the_report_says_that_spark_chooses_the_number_of_files(stream: str, said: bool) -> None:
    (graph,) = run(socket_program(f'{stream}.saveAsTextFiles("out/a")')).graphs
    assert (FILES in graph.notes) is said
    assert NO_DIRECTORY in graph.notes


def test_saving_computes_all_of_a_state() -> None:
    body = "lines.map(lambda l: (l, 1)).updateStateByKey(lambda n, s: sum(n) + (s or 0)).{}"
    assert "as show alone updates few keys" in native_body(body.format("pprint(0)"))
    assert "all of" not in native_body(body.format('saveAsTextFiles("out")'))


def test_a_suffix_that_may_be_none_is_not_decided() -> None:
    assert "suffix" in blocked('lines.saveAsTextFiles("a", suffix)')


def test_all_callbacks_of_a_batch_are_given_the_same_time() -> None:
    body = native_body(
        "def save(time, rdd):\n    rdd.foreach(lambda line: put(time, line))\n"
        "lines.foreachRDD(save)\n"
        "lines.foreachRDD(lambda t, rdd: print(t, rdd.count()))\n"
        'lines.saveAsTextFiles("lines")',
    )
    assert body.count("now()") + body.count("time.time()") == 1
    assert body.count("datetime.fromtimestamp(batch_ms / 1000)") == 1
    assert "save(batch_time, " in body
    assert "print(batch_time, " in body


def test_a_callback_that_does_not_read_its_time_is_given_none() -> None:
    show = "def show(time, rdd):\n    print(rdd.collect())\nlines.foreachRDD(show)\n"
    assert native_body(f"{show}lines.pprint()").splitlines()[1] == "show(batch)"
    used = f"{show}show(None, sc.parallelize([]))\nlines.pprint()"
    assert native_body(used).splitlines()[1] == "show(None, batch.rdd.map(lambda row: row[0]))"


HEADER = 'print("=== %s ===" % str(time))'
KEPT = {
    "a directory": 'lines.saveAsTextFiles("out")',
    "a key": "lines.foreachRDD(lambda time, rdd: put(time, rdd.collect()))",
    "a condition": USES["compared"],
}
NOT_KEPT = {
    "a header": f"def show(time, rdd):\n    {HEADER}\n    print(rdd.collect())\nlines.foreachRDD(show)",
    "a header in transform": (
        f"def show(time, rdd):\n    {HEADER}\n    return rdd\nlines.transform(show).pprint()"
    ),
    "for elements": KEYED,
    "after a look": (
        "def save(time, rdd):\n    if rdd.isEmpty():\n        return\n    put(time, rdd.collect())\n"
        "lines.foreachRDD(save)"
    ),
    "handed on with rows": (
        "def save(time, rows):\n    put(time, rows)\n"
        "def look(time, rdd):\n    if not rdd.isEmpty():\n        save(time, rdd.collect())\n"
        "lines.foreachRDD(look)"
    ),
    "handed on with the RDD": (
        "def save(when, rdd):\n    if not rdd.isEmpty():\n        put(when, rdd.collect())\n"
        "lines.foreachRDD(lambda time, rdd: save(time, rdd))"
    ),
}


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_a_batch_before_the_first_batch_time_is_left_out_where_its_time_is_kept(body: str) -> None:
    guard = "if batch_id == 0 and batch.isEmpty():  # at the start, before any batch is due\n    return\n"
    assert guard in native_body(body)


TOP = "def show(rdd):\n    {}\nlines.map(len).foreachRDD(show)"
CAUGHT = "try:\n        {}\n    except ValueError:\n        print('nothing')"


@pytest.mark.parametrize(
    ("body", "guarded"),
    [
        (TOP.format("print(rdd.top(3))"), True),
        (TOP.format(CAUGHT.format("print(rdd.top(3))")), True),
        (TOP.format(CAUGHT.format("print(rdd.max())")), False),
        (TOP.format("print(rdd.max())"), True),
        (TOP.format("print(rdd.isEmpty() or rdd.max())"), False),
        (TOP.format("print(rdd.takeOrdered(3))"), False),
        ("def best(rdd):\n    print(rdd.top(3))\n" + TOP.format("best(rdd)"), True),
    ],
)
def test_an_empty_first_batch_is_left_out_where_an_rdd_without_partitions_fails(
    body: str, guarded: bool
) -> None:
    assert ("batch_id == 0" in native_body(body)) is guarded


@pytest.mark.parametrize("body", NOT_KEPT.values(), ids=NOT_KEPT)
def test_it_runs_where_its_time_is_only_shown_or_read_for_rows(body: str) -> None:
    new = native_body(body)
    assert "datetime.now().replace(microsecond=0)" in new
    assert "batch_id == 0" not in new


def test_pprint_of_an_rdd_shows_the_batch_time() -> None:
    source = queue_program("numbers.pprint()\nnumbers.foreachRDD(lambda time, rdd: print(time))")
    new = file(source, Options(pprint_exact=True)).new
    assert 'f"Time: {time}"' in new
    assert "pprint(numbers, batch_time)" in new
    assert new.count("= datetime.now().replace(microsecond=0)") == 1


KEEPING = "times = []\n"
SECOND = "= datetime.now().replace(microsecond=0)"
MULTIPLE = "= datetime.fromtimestamp(time.time() // {0} * {0})"


@pytest.mark.parametrize(
    ("interval", "body", "made", "note"),
    [
        ("2", "lines.foreachRDD(lambda t, rdd: print(t))", SECOND, IN_SECONDS),
        ("1", "lines.foreachRDD(lambda t, rdd: print(t))", SECOND, TIMES),
        ("0.5", "lines.foreachRDD(lambda t, rdd: print(t))", MULTIPLE.format("0.5"), TIMES),
        ("2", "lines.foreachRDD(lambda t, rdd: sys.stdout.write(f'{t}\\n'))", SECOND, IN_SECONDS),
        ("2", "lines.foreachRDD(lambda t, rdd: log.write(f'{t}\\n'))", MULTIPLE.format("2"), TIMES),
        ("2", f"{KEEPING}lines.foreachRDD(lambda t, rdd: times.append(t))", MULTIPLE.format("2"), TIMES),
        (
            "2",
            f"{KEEPING}lines.foreachRDD(lambda t, rdd: print(t))\n"
            "lines.foreachRDD(lambda t, rdd: times.append(t))",
            MULTIPLE.format("2"),
            TIMES,
        ),
    ],
)
def test_a_time_that_is_only_printed_is_a_second(interval: str, body: str, made: str, note: str) -> None:
    result = run(socket_program(body).replace("(sc, 1)", f"(sc, {interval})"))
    assert made in result.files[0].new
    assert {IN_SECONDS, TIMES} & set(result.graphs[0].notes) == {note}


def test_the_old_header_has_a_multiple_of_the_interval() -> None:
    source = socket_program("lines.pprint()").replace("(sc, 1)", "(sc, 2)")
    assert MULTIPLE.format("2") in file(source, Options(pprint_exact=True)).new


@pytest.mark.parametrize(
    ("interval", "above", "seconds"),
    [
        ("2", "", "2"),
        ("0.5", "", "0.5"),
        ("seconds", "", "seconds"),
        ("int(argv[2])", "interval = int(argv[2])\n\n\n", "interval"),
        ("ask()", "interval = ask()\n\n\n", "interval"),
    ],
)
def test_the_interval_is_evaluated_once(interval: str, above: str, seconds: str) -> None:
    source = socket_program(f"{KEEPING}lines.foreachRDD(lambda t, rdd: times.append(t))").replace(
        "(sc, 1)", f"(sc, {interval})"
    )
    new = file(source.replace("ssc =", "seconds = int(argv[1])\nssc =", 1)).new
    time = f"batch_time = datetime.fromtimestamp(time.time() // {seconds} * {seconds})"
    said = f"    {time}  {STARTED}\n"
    assert f"{above}def process_batch(batch, batch_id):\n{said}" in new
    assert not above or new.count(interval) == 1
    assert ('processingTime=f"{interval} seconds"' in new) is bool(above)


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
        ("rdd.foreach(lambda t: put(t))", '.foreach(lambda t: put(t["value"]))'),
        ("rdd.map(lambda x, t=t.date(): (t, x)).foreach(put)", "lambda x, t=batch_time.date(): (t, x)"),
        ("print(t, rdd.map(lambda t: put(t)).count())", 'lambda t: put(t["value"])'),
        (
            "rdd.map(lambda batch_time: (t, batch_time)).foreach(put)",
            "lambda batch_time: (time_of_batch, batch_",
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


def test_an_interval_that_is_bound_again_is_not_that_of_the_query() -> None:
    source = socket_program("lines.pprint()").replace("ssc =", "n = 1\nssc =").replace("sc, 1", "sc, n")
    assert run(source).graphs[0].outcome.value == "native"
    (graph,) = run(source.replace("lines.pprint()", "n = 7\nlines.pprint()")).graphs
    assert "bound again" in graph.reasons[0]


def test_the_class_is_the_one_that_the_module_has() -> None:
    body = "lines.foreachRDD(lambda t, rdd: save(t, rdd.collect()))"
    imported = "def main():\n    from datetime import datetime\n    " + socket_program(body).replace(
        "\n", "\n    "
    )
    assert file(imported + "\nmain()\n").new.count("import datetime") == 1
    whole = "import datetime\n" + socket_program(body + "\nprint(datetime.date.today())")
    assert "batch_time = datetime.datetime.now().replace(microsecond=0)" in file(whole).new
    assert (
        "datetime.datetime.fromtimestamp(time.time() // 5 * 5)" in file(whole.replace("sc, 1", "sc, 5")).new
    )


@pytest.mark.parametrize("body", USES.values(), ids=USES)
def test_a_query_that_goes_on_from_a_checkpoint_says_that_a_batch_run_again_has_another_time(
    body: str,
) -> None:
    source = socket_program(body)
    head, rest = source.split("sc = SparkContext", 1)
    made, end = ("sc = SparkContext" + rest).split("ssc.start()")
    built = "def build():\n    " + made.strip().replace("\n", "\n    ") + "\n    return ssc\n"
    recovering = f'{head}{built}ssc = StreamingContext.getOrCreate("points", build)\nssc.start(){end}'
    (graph,) = run(recovering).graphs
    assert graph.outcome.value == "native", graph.reasons
    assert TIMES in graph.notes


def test_the_batches_of_a_queue_have_times_and_none_is_left_out() -> None:
    body = native_body('numbers.saveAsTextFiles("out")')
    assert f"{MS}\n" in body
    assert "batch_id == 0" not in body


# --- what it does -------------------------------------------------------------------------------------------


class _Clock(datetime):
    """`datetime` at the moment that a test gives."""

    moment: float

    @classmethod
    def now(cls, tz: Any = None) -> _Clock:
        return cls.fromtimestamp(cls.moment, tz)


def _time(interval: float, moment: float) -> datetime:
    _Clock.moment = moment
    whole = interval if isinstance(interval, int) else None
    code = batch_time("datetime.now()", "time.time()", Seconds(f"{interval}", whole))
    time = eval(code, {"datetime": _Clock, "time": SimpleNamespace(time=lambda: moment)})
    assert isinstance(time, datetime)
    return time


@pytest.mark.parametrize("interval", [1, 1.0])
def test_whole_seconds(interval: float) -> None:
    moment = datetime(2024, 5, 1, 12, 0, 1, 250_000).timestamp()
    assert _time(interval, moment) == datetime(2024, 5, 1, 12, 0, 1)


def test_it_is_written_as_on_dstreams() -> None:
    moment = datetime(2024, 5, 1, 12, 0, 1, 250_000).timestamp()
    assert str(_time(1, moment)) == "2024-05-01 12:00:01"
    assert str(_time(0.1, moment)) == "2024-05-01 12:00:01.200000"


@given(
    number=st.integers(1, 10**10),
    milliseconds=st.sampled_from([100, 200, 250, 300, 500, 700, 1000, 2000, 5000, 7000, 60_000, 3_600_000]),
    late=st.floats(0.001, 0.999),
)
def test_a_batch_that_begins_within_its_interval_has_the_time_that_dstream_gives(
    number: int, milliseconds: int, late: float
) -> None:
    number %= 4_000_000_000_000 // milliseconds
    moment = (number + late) * milliseconds / 1000
    expected = number * milliseconds  # `Time` of Spark Streaming
    assume(late * milliseconds > 0.01)
    time = _time(milliseconds / 1000, moment)
    assert str(time) == str(datetime.fromtimestamp(expected / 1000.0))  # `TransformFunction.call`
    assert f"{time.timestamp() * 1000:.0f}" == str(expected)


@pytest.mark.parametrize(
    ("made", "column"),
    [
        ('t.strftime("%H:%M")', 'F.lit(batch_time.strftime("%H:%M")).alias("time")'),
        ("str(t)", 'F.lit(str(batch_time)).alias("time")'),
        ("t.isoformat()", 'F.lit(batch_time.isoformat()).alias("time")'),
        ("t.hour", 'F.lit(batch_time.hour).alias("hour")'),
        ("t.hour * 60 + t.minute", "(F.lit(batch_time.hour) * 60 + F.lit(batch_time.minute)).alias("),
    ],
)
def test_parts_of_the_batch_time_are_columns(made: str, column: str) -> None:
    body = native_body(f"lines.transform(lambda t, rdd: rdd.map(lambda x: (x, {made}))).pprint()")
    assert column in body and "rdd" not in body


@pytest.mark.parametrize("made", ["t", "t.date()", "t.replace(year=1)", "t.strftime(form)", "repr(t)"])
def test_of_which_the_type_is_known(made: str) -> None:
    whole = f"form = sys.argv[1]\nlines.transform(lambda t, rdd: rdd.map(lambda x: (x, {made}))).pprint()"
    assert "batch.rdd" in native_body(whole)


def test_they_are_in_callbacks_too_if_these_do_not_bind_the_time_again() -> None:
    save = "def save(t, rdd):\n{}    rdd.map(lambda x: (x, t.hour)).toDF(['x', 'h']).write.save('out')\n{}"
    output = "lines.foreachRDD(save)"
    new = run(socket_program(save.format("", output))).files[0].new
    assert "F.lit(t.hour).alias('h')" in new
    refused = run(socket_program(save.format("    t = t.replace(minute=0)\n", output)))
    assert "F.lit(t.hour)" not in refused.files[0].new


def test_an_import_that_the_module_repeats_is_one() -> None:
    repeated = "from datetime import datetime\nfrom datetime import datetime\n"
    new = (
        run(repeated + socket_program("lines.foreachRDD(lambda t, rdd: print(t, rdd.count()))")).files[0].new
    )
    assert "datetime.now()" in new
    other = "import datetime\nfrom datetime import datetime\n"
    result = run(other + socket_program("lines.foreachRDD(lambda t, rdd: print(t, rdd.count()))"))
    assert "`datetime` is the name of something else" in result.graphs[0].reasons[0]


def test_a_module_of_times_that_is_imported_further_down_is_imported_above() -> None:
    body = "lines.foreachRDD(lambda time, rdd: print(time, rdd.count()))"
    old = socket_program(body) + "import datetime\nprint(datetime.datetime.now())\n"
    new = file(old).new
    assert new.index("import datetime\n") < new.index("batch_time = datetime.datetime.now()")
    assert "from datetime" not in new
