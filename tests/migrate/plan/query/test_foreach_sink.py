"""An output that hands each element to a function, and nothing else, is ``writeStream.foreach``."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import flat, kafka_program, run, socket_program

PUT = "def put(x):\n    print(x)\n"
EACH = "lines.foreachRDD(lambda rdd: rdd.foreach(put))"


def new(body: str, source: str = "") -> str:
    result = run(source or socket_program(body))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    return result.files[0].new


@pytest.mark.parametrize(
    ("body", "query"),
    [
        (PUT + EACH, 'lines.writeStream.trigger(T).foreach(lambda row: put(row["value"])).start()'),
        ("lines.foreachRDD(lambda t, rdd: rdd.foreach(print))", '.foreach(lambda row: print(row["value"]))'),
        (
            PUT + "lines.filter(lambda w: len(w) > 3).foreachRDD(lambda rdd: rdd.foreach(lambda w: put(w)))",
            'lines.where(F.length("value") > 3).writeStream.trigger(T).foreach(lambda w: put(w["value"]))',
        ),
        (
            PUT + "words = lines.flatMap(lambda w: w.split(','))\npairs = words.map(lambda w: (w, len(w)))\n"
            "pairs.foreachRDD(lambda rdd: rdd.foreach(put))",
            "pairs.writeStream.trigger(T).foreach(lambda row: put(tuple(row)))",
        ),
        (
            "def put(pair):\n    print(pair[0], pair[1])\n"
            "lines.map(lambda w: (w, len(w))).foreachRDD(lambda rdd: rdd.foreach(put))",
            ".writeStream.trigger(T).foreach(put).start()",
        ),
        (
            f"LIMIT = 3\nnames = ['a']\ndef other(x):\n    return len(x) > LIMIT or x in names\n"
            f"def put(x):\n    other(x)\n{EACH}",
            'foreach(lambda row: put(row["value"]))',
        ),
    ],
    ids=["a function", "a builtin", "a lambda", "variables of streams", "tuples are rows", "constants"],
)
def test_the_query_calls_the_function(body: str, query: str) -> None:
    text = flat(new(body)).replace(flat('trigger(processingTime="1 second")'), "trigger(T)")
    assert flat(query) in text
    assert "foreachBatch" not in text and "process_batch" not in text


def test_messages_of_kafka_are_read_as_they_are() -> None:
    text = new("", kafka_program(PUT + "messages.foreachRDD(lambda rdd: rdd.foreach(put))"))
    assert ".foreach(" in text and "foreachBatch" not in text


def test_a_part_of_a_message_is_read_by_name() -> None:
    text = new("", kafka_program(PUT + "messages.foreachRDD(lambda rdd: rdd.foreach(lambda m: put(m[1])))"))
    assert '.foreach(lambda row: put(row["value"]))' in text and "process_batch" not in text


def test_what_takes_several_lines_is_a_function_of_a_row() -> None:
    body = (
        "import json\n# the country and its sales\n"
        'sales = lines.map(json.loads).map(lambda x: (x.get("country"), x.get("sales")))\n'
        f"{PUT}# save them\nsales.foreachRDD(lambda rdd: rdd.foreach(put))"
    )
    text = new(body)
    lines = (
        "# the country and its sales\n# save them\ndef process_row(row):\n"
        '    x = json.loads(row["value"])\n'
        '    put((x.get("country"), x.get("sales")))\n'
    )
    assert lines in text
    assert ".foreach(process_row).start()" in flat(text) and "foreachBatch" not in text


def test_a_query_that_is_stopped_after_some_time() -> None:
    stopped = "ssc.awaitTerminationOrTimeout(5)\nssc.stop()"
    source = socket_program(PUT + EACH).replace("ssc.awaitTermination()", stopped)
    assert '.foreach(lambda row: put(row["value"]))' in new("", source)


@pytest.mark.parametrize(
    "body",
    [
        f"{PUT}{EACH}\nlines.pprint()",
        f"{PUT}if given:\n    {EACH}",
        f"{PUT}lines.countByValue().foreachRDD(lambda rdd: rdd.foreach(put))",
        f"{PUT}lines.foreachRDD(lambda rdd: rdd.distinct().foreach(put))",
        "lines.foreachRDD(lambda t, rdd: rdd.foreach(lambda x: print(t, x)))",
        f"seen = sc.accumulator(0)\ndef put(x):\n    seen.add(1)\n{EACH}",
        f"import threading\n{PUT}{EACH}",
        f"{PUT}put = other\n{EACH}",
        f"{PUT}def each(rdd):\n    rdd.foreach(put)\n    print('done')\nlines.foreachRDD(each)",
        f"{PUT}lines.window(3).foreachRDD(lambda rdd: rdd.foreach(put))",
    ],
    ids=[
        *("another output", "a branch", "an aggregate", "a shuffle", "the batch time", "an accumulator"),
        *("threads", "bound twice", "more in the callback", "a window"),
    ],
)
def test_other_outputs_are_in_a_batch_function(body: str) -> None:
    result = run(socket_program(body))
    assert ".foreach(" not in result.files[0].new.partition("writeStream")[2]


@pytest.mark.parametrize(
    ("old", "changed"),
    [
        ("ssc.awaitTermination()", "counter = 1\nssc.awaitTermination()"),
        ("ssc.awaitTermination()", "ssc.awaitTerminationOrTimeout(5)"),
        ("ssc.awaitTermination()", "ssc.awaitTermination()\nssc.stop(True, True)"),
        ("ssc.awaitTermination()", "ssc.awaitTerminationOrTimeout(5)\nssc.stop(True, True)"),
        ("ssc.awaitTermination()", "ssc.awaitTerminationOrTimeout(5)\nprint(1)\nssc.stop()"),
        ("\nssc.awaitTermination()", ""),
    ],
    ids=[
        *("more after the start", "a time out", "a graceful stop", "one after some time", "more before it"),
        "nobody waits",
    ],
)
def test_what_may_change_after_the_start_needs_batches(old: str, changed: str) -> None:
    source = socket_program(PUT + EACH)
    assert "foreachBatch" in new("", source.replace(old, changed))


def test_names_of_streams_are_those_of_the_program() -> None:
    body = "words = lines.map(lambda w: w[:3])\nwords = words.filter(lambda w: w != 'a')\n" + PUT
    text = new(body + "words.foreachRDD(lambda rdd: rdd.foreach(put))")
    places = [text.index(one) for one in ("words = lines.select(", "words = words.where(", "words.writeS")]
    assert places == sorted(places)


def test_a_function_that_may_do_anything_is_called_by_the_sink() -> None:
    body = PUT + "lines.map(lambda w: parsed(w)).foreachRDD(lambda rdd: rdd.foreach(put))"
    assert ".foreach(lambda w: put(parsed(w" in new(body)
