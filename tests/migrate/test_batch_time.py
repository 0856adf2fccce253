"""A batch time that is more than printed: on compat, unless another time may stand for it."""

from __future__ import annotations

import pytest

from migrate.model import Options
from tests.migrate.programs import blocked, native_body, run, socket_program

ANY_TIME = Options(approximate_time=True)
KEYED = (
    "keyed = lines.transform(lambda time, rdd: rdd.map(lambda line: (str(time), line)))\n"
    "keyed.foreachRDD(lambda rdd: rdd.foreach(save))"
)


@pytest.mark.parametrize(
    "body",
    [
        'lines.saveAsTextFiles("out/lines")',
        KEYED,
        'lines.foreachRDD(lambda time, rdd: rdd.toDF(["line"]).write.save("out/%s" % time))',
    ],
    ids=["saveAsTextFiles", "in a key", "in a path"],
)
def test_without_the_option_it_stays_on_compat(body: str) -> None:
    blocked(body)
    native_body(body, ANY_TIME)


@pytest.mark.parametrize(
    ("call", "path"),
    [
        ('"out/lines"', 'f"out/lines-{int(batch_time.timestamp() * 1000)}"'),
        ('"lines", "txt"', 'f"lines-{int(batch_time.timestamp() * 1000)}.txt"'),
        ('"lines", suffix=""', 'f"lines-{int(batch_time.timestamp() * 1000)}."'),
        ('"{lines}"', '"%s-%d" % ("{lines}", int(batch_time.timestamp() * 1000))'),
        ('folder, "txt"', '"%s-%d.txt" % (folder, int(batch_time.timestamp() * 1000))'),
    ],
)
def test_the_path_is_what_dstream_makes_of_prefix_time_and_suffix(call: str, path: str) -> None:
    body = native_body(f'folder = "out/a"\nlines.saveAsTextFiles({call})', ANY_TIME)
    assert path in " ".join(body.split())
    assert body.startswith("batch_time = datetime.now()\n")


def test_a_suffix_that_may_be_none_is_not_decided() -> None:
    assert "suffix" in blocked('lines.saveAsTextFiles("a", suffix)', ANY_TIME)


def test_all_callbacks_of_a_batch_are_given_the_same_time() -> None:
    body = native_body(
        "def save(time, rdd):\n    rdd.foreach(lambda line: put(time, line))\n"
        "lines.foreachRDD(save)\n"
        "lines.foreachRDD(lambda t, rdd: print(t, rdd.count()))\n"
        'lines.saveAsTextFiles("lines")',
        ANY_TIME,
    )
    assert body.count("datetime.now()") == 2  # the one that is only printed is the current time as ever
    assert "save(batch_time, " in body
    assert "print(datetime.now(), " in body


def test_only_the_calls_that_take_another_time_are_unsafe() -> None:
    result = run(socket_program('lines.pprint()\nlines.saveAsTextFiles("lines")'), ANY_TIME)
    assert {site.operator for site in result.sites if not site.safe} == {"saveAsTextFiles"}
    assert any("--batch-time approximate" in note for note in result.graphs[0].notes)
