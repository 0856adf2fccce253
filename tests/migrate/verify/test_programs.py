"""Whole programs, run: the right ones are found equal, and each planted mistake is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyspark
import pytest

from migrate.verify import VerifyResult, verify
from migrate.verify.proven import UNPROVEN
from migrate.verify.report import lines_of
from tests.migrate.programs import file

PROGRAMS = Path(__file__).parent / "programs"
EXAMPLES = Path(pyspark.__file__).parent / "examples/src/main/python/streaming"
NETWORK = EXAMPLES / "network_wordcount.py"
STATEFUL = EXAMPLES / "stateful_network_wordcount.py"


@pytest.fixture
def run(tmp_path: Path):
    def run(old: Path, new: Path, *arguments: str, **how: Any) -> VerifyResult:
        return verify(old, new, arguments=arguments, cwd=tmp_path, timeout=100, **how)

    return run


def wheres(result: VerifyResult) -> dict[str, list[str]]:
    return {
        batch.name: [found.where for found in batch.differences]
        for batch in result.batches
        if batch.differences
    }


def test_unsorted_output_ties_times_files_and_a_stale_file(run):
    result = run(PROGRAMS / "words_old.py", PROGRAMS / "words_new.py", "{dir}", batches=2)
    assert (result.failures, wheres(result), result.notes) == ((), {}, ())
    assert result.exit_code == 0
    assert result.seconds_old > 0


def test_each_planted_mistake_is_found_in_its_batch(run):
    result = run(PROGRAMS / "words_old.py", PROGRAMS / "words_wrong.py", "{dir}", batches=7)
    found = wheres(result)
    assert result.failures == ()
    assert result.exit_code == 1
    assert result.first_difference is result.batches[2]
    lost, twice, reverse, unsorted, file, dropped = (
        found.pop(f"batch {index}") for index in (1, 2, 4, 6, 7, 8)
    )
    assert found == {}
    assert lost[0] == twice[0] == "rows of pprint against show"
    assert "records of out/counts-{time}" in lost
    records = "order of the records of out/counts-{time}"
    assert reverse == ["order of pprint against show, row 1", records]
    assert unsorted == ["order (not sorted any more) of pprint against show, row 1", records]
    assert file == ["file out/top.txt, line 1"]
    assert len(dropped) > 1


@pytest.mark.full
def test_the_whole_state_of_a_running_count(run):
    result = run(STATEFUL, PROGRAMS / "state_new.py", "{host}", "{port}", batches=2)
    assert (result.failures, wheres(result)) == ((), {})
    assert [batch.name for batch in result.batches if batch.missing] == ["batch 2"]
    assert result.notes == (
        "batch 2: no input, so no micro-batch in the new program; what the old one put out there is missing",
    )


def test_changed_keys_only_are_found(run):
    result = run(STATEFUL, PROGRAMS / "state_changed_keys.py", "{host}", "{port}", batches=2)
    assert result.exit_code == 1
    first = result.first_difference
    assert first is not None
    assert (first.name, first.differences[0].came) == ("batch 0", "(no other row)")
    assert "('hello', 1)" in first.differences[0].expected


def test_running_totals_for_counts_per_batch_are_found(run):
    result = run(NETWORK, PROGRAMS / "totals.py", "{host}", "{port}", batches=2)
    assert result.exit_code == 1
    assert list(wheres(result)) == ["batch 3"]


COUNTS = """\
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(), 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
counts = lines.map(lambda line: (line, 1)).updateStateByKey(lambda new, last: sum(new) + (last or 0))
counts.transform(lambda rdd: rdd.sortBy(lambda pair: pair[1], False)).pprint(3)
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.full
@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({}, []),
        ({"counts.orderBy": "counts.where(\"value <> 'word9'\").orderBy"}, ["rows of pprint against show"]),
        ({'F.desc("count")': '"count"'}, ["order of pprint against show, row 1"]),
    ],
)
def test_a_state_of_which_the_console_shows_the_first_rows(run, tmp_path, wrong, where):
    text = file(COUNTS).new
    for right, planted in wrong.items():
        assert right in text
        text = text.replace(right, planted)
    names = ["old.py", "new.py", "words.txt"]
    words = [f"word{number % 10}" for number in range(45)]
    for name, content in zip(names, (COUNTS, text, "\n".join(words)), strict=True):
        (tmp_path / name).write_text(content)
    old, new, source = (tmp_path / name for name in names)
    result = run(old, new, "{host}", "{port}", source=source, batches=1)
    assert (result.failures, [*wheres(result).values()]) == ((), [where] * bool(where))


@pytest.mark.full
def test_every_way_out_of_an_rdd_and_a_frame(run):
    result = run(PROGRAMS / "exits_old.py", PROGRAMS / "exits_new.py", "{host}", "{port}", batches=2)
    assert (result.failures, wheres(result), result.notes) == ((), {}, ())


@pytest.mark.full
def test_a_program_on_compat_streaming(run, tmp_path):
    text = (PROGRAMS / "words_old.py").read_text().replace("from pyspark.streaming", "from compat.streaming")
    new = tmp_path / "words_compat.py"
    new.write_text(text)
    result = run(PROGRAMS / "words_old.py", new, "{dir}", batches=2)
    assert (result.failures, wheres(result), result.notes) == ((), {}, ())


def test_a_side_effect_is_refused_even_if_the_program_hides_the_error(run):
    program = PROGRAMS / "reaching_out.py"
    result = run(program, program, "{host}", "{port}", batches=1)
    assert result.exit_code == 3
    assert "writing to /dstream-verify-must-not-write-this" in result.failures[0]
    assert not Path("/dstream-verify-must-not-write-this").exists()


def test_an_unreadable_program(run, tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text("print('a'\n")
    for new in (broken, tmp_path / "missing.py"):
        result = run(NETWORK, new)
        assert result.exit_code == 2
        assert str(new) in result.failures[0]


OLD = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from shares import share
sc = SparkContext(appName="Old")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
pairs = lines.map(lambda line: (len(line), 1)).reduceByKey(lambda a, b: a + b)
pairs.mapValues(lambda n: {}).pprint()
{}
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.parametrize("shown", ["print 'ready'", "print('ready')"])
def test_a_program_in_python_2_runs_in_its_form_in_python_3(run, tmp_path, shown):
    """Where only a module that it imports is in Python 2 for certain, the program runs on that as well."""
    (tmp_path / "shares.py").write_text("def share(n):\n    return n / 2\n\ndef unused():\n    print 'a'\n")
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_text(OLD.format("share(n) + n / 3", shown))
    python_3 = OLD.replace("from shares import share\n", "")
    new.write_text(python_3.format("n // 2 + n // 3", "print('ready')"))
    result = run(old, new, batches=2)
    assert (result.exit_code, wheres(result)) == (0, {})
    assert any("old.py is in Python 2" in note for note in result.notes)
    assert shown in old.read_text()


def test_a_program_that_wants_arguments_is_told_where_they_stand(run, tmp_path):
    program = tmp_path / "wants.py"
    program.write_text(
        "import argparse\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('host')\nparser.parse_args()\n"
    )
    told = "\n".join(run(program, program, batches=1).failures)
    assert "arguments are required: host" in told and "`verify OLD NEW -- {host} {port}`" in told
    told = "\n".join(run(program, program, "a", "b", batches=1).failures)
    assert "unrecognized arguments: b" in told and "stand behind" not in told


@pytest.mark.parametrize(
    ("failing", "place"),
    [
        ("import not_installed", "before the first batch"),
        pytest.param(*("counts.foreachRDD(lambda rdd: rdd.take(x))", "in batch 0"), marks=pytest.mark.full),
    ],
)
def test_an_old_program_without_a_whole_batch_proves_nothing(run, tmp_path, failing, place):
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_text(NETWORK.read_text().replace("ssc.start()", f"{failing}\n    ssc.start()"))
    new.write_text(file(NETWORK.read_text()).new)
    result = run(old, new, "{host}", "{port}", batches=1)
    assert (result.exit_code, result.batches) == (1, ())
    assert result.failures[0] == UNPROVEN
    assert result.failures[1].startswith(f"the old program: error {place}")
    assert list(lines_of(result))[-1].startswith("not proven: 0 batches")


COUNTING = """
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext("local[2]", "counting")
ssc = StreamingContext(sc, 1)
lines = {source}
seen = []
lines.foreachRDD(lambda rdd: seen.append(rdd.count()))
lines.foreachRDD(lambda rdd: print(seen))
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.parametrize(
    "source",
    [
        'ssc.socketTextStream("localhost", 9999)',
        pytest.param('ssc.textFileStream("in")', marks=pytest.mark.full),
    ],
)
def test_a_query_that_is_woken_in_each_interval_has_a_micro_batch_before_the_first(run, tmp_path, source):
    old, new, given, text = counting(tmp_path, source)
    assert GUARD in text
    result = run(old, new, source=given)
    assert (result.failures, wheres(result)) == ((), {})
    assert [batch.missing for batch in result.batches] == [False] * len(result.batches)


@pytest.mark.full
@pytest.mark.parametrize("source", ['ssc.socketTextStream("localhost", 9999)', 'ssc.textFileStream("in")'])
def test_output_of_the_micro_batch_before_the_first_is_found(run, tmp_path, source):
    old, new, given, text = counting(tmp_path, source)
    new.write_text(text.replace(GUARD, "if batch_id == -1"))
    assert next(iter(wheres(run(old, new, source=given, batches=1)))) == "before the first batch"


GUARD = "if batch_id == 0 and batch.isEmpty()"


def counting(tmp_path: Path, source: str) -> tuple[Path, Path, Path, str]:
    """The programs before and after, a directory with the lines of each batch, and the text after."""
    old, new, given = tmp_path / "old.py", tmp_path / "new.py", tmp_path / "given"
    old.write_text(COUNTING.format(source=source))
    text = str(file(old.read_text()).new)
    new.write_text(text)
    given.mkdir()
    for number, lines in enumerate(["", "a\nb\n", "", "c\n", ""]):
        (given / f"{number}.txt").write_text(lines)
    return old, new, given, text


SEVERAL = """
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext("local[2]", "several"), 1)
orders = ssc.socketTextStream("localhost", 9998).map(lambda line: (line[:1], line))
payments = ssc.socketTextStream("localhost", 9999).map(lambda line: (line[:1], 1))
sums = payments.reduceByKey(lambda a, b: a + b)
orders.leftOuterJoin(sums).pprint()
orders.map(lambda pair: pair[0]).union(ssc.textFileStream("in")).countByValue().pprint()
sums.foreachRDD(lambda rdd: print(sorted(rdd.collect())))
letters = ssc.textFileStream("in").map(lambda line: (line[:1], len(line)))
letters.join(ssc.textFileStream("in").map(lambda line: (line[:1], line))).pprint(1000)
ssc.start()
ssc.awaitTermination()
"""


def test_several_sources_are_cut_together(run, tmp_path):
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_text(SEVERAL)
    new.write_text(file(SEVERAL).new)
    result = run(old, new, batches=3)
    assert (result.failures, wheres(result)) == ((), {})


@pytest.mark.full
def test_one_source_for_another_is_found(run, tmp_path):
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_text(SEVERAL)
    text = file(SEVERAL).new
    assert "source = 1" in text
    new.write_text(text.replace("source = 1", "source = 0"))
    assert wheres(run(old, new, batches=1))


@pytest.mark.full
def test_a_function_that_outputs_share_a_window_of_one_batch_and_the_batch_time(run, tmp_path):
    old = (PROGRAMS / "shared_old.py").read_text()
    new = file(old).new
    assert ".rdd" not in new and "window" not in new, new
    (tmp_path / "new.py").write_text(new)
    result = run(PROGRAMS / "shared_old.py", tmp_path / "new.py", "{host}", "{port}", batches=3)
    assert (result.failures, wheres(result)) == ((), {})
    assert result.exit_code == 0


SLIDING = """
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext("local[2]", "sliding"), 2)
lines = ssc.socketTextStream("localhost", 9999)
lines.window(8, 4).pprint(1000)
lines.window(6, 6).count().pprint()
ssc.start()
ssc.awaitTermination()
"""


def test_slides_of_windows_are_counted_from_the_start(run, tmp_path):
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_text(SLIDING)
    text = file(SLIDING).new
    first = "due, lines_due, now = now + 4, now + 6, now + 2"
    assert first in text
    new.write_text(text)
    result = run(old, new, batches=6)
    assert (result.failures, wheres(result)) == ((), {})
    new.write_text(text.replace(first, "due, lines_due, now = now + 2, now + 4, now + 2"))
    assert wheres(run(old, new, batches=3))


COLLECTED = """\
import json
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
def show(rdd):
    for event in rdd.collect():
        print(event["id"], event.get("name"))
sc = SparkContext("local[2]", "events")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda line: json.loads(line)).foreachRDD(show)
ssc.start()
ssc.awaitTermination()
"""
EVENTS = "".join(f'{{"id": {number * 7 % 31}, "name": "n{number % 3}"}}\n' for number in range(40))


def test_what_the_driver_makes_of_rows_is_compared_as_it_came(run, tmp_path: Path):
    """Rows of texts are sorted otherwise than the dicts that the old program collects."""
    old, new, events = (tmp_path / name for name in ("old.py", "new.py", "events.txt"))
    old.write_text(COLLECTED)
    events.write_text(EVENTS)
    new.write_text(str(file(COLLECTED).new))
    assert 'for line in batch.collect():\n        event = json.loads(line["value"])' in new.read_text()
    result = run(old, new, source=events, batches=2)
    assert (result.failures, wheres(result), result.exit_code) == ((), {}, 0)
    assert any("compared as they came" in note for note in result.notes)


@pytest.mark.full
def test_another_order_of_what_came_is_found(run, tmp_path: Path):
    old, new, events = (tmp_path / name for name in ("old.py", "new.py", "events.txt"))
    old.write_text(COLLECTED)
    events.write_text(EVENTS)
    new.write_text(str(file(COLLECTED).new).replace("batch.collect()", "reversed(batch.collect())"))
    result = run(old, new, source=events, batches=2)
    assert result.exit_code == 1
    assert not any("compared as they came" in note for note in result.notes)


STORE = """\
import sys

from nowhere.client import Client
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(), 1)
client = Client(["localhost"], port=9042)


def save(rdd):
    for word, number in sorted(rdd.collect()):
        client.put(word, number)


def send(elements):
    with Client(["localhost"]) as sender:
        for element in elements:
            sender.put(element)


words = ssc.socketTextStream(sys.argv[1], int(sys.argv[2])).flatMap(lambda line: line.split())
words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).foreachRDD(save)
words.foreachRDD(lambda rdd: rdd.foreachPartition(send))
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.parametrize("is_same", [pytest.param(True, marks=pytest.mark.full), False])
def test_calls_of_a_package_that_is_not_there(run, tmp_path, is_same):
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_text(STORE)
    made = file(STORE).new
    new.write_text(made if is_same else made.replace("client.put(word", "client.put(word.upper()"))
    source = tmp_path / "words.txt"
    source.write_text("a b a\nb c\n")
    result = run(old, new, "{host}", "{port}", source=source, batches=1, stand_ins=["nowhere"])
    if is_same:
        assert (result.failures, wheres(result)) == ((), {})
    else:
        found = result.first_difference
        assert found is not None
        assert found.differences[0].came.startswith(
            "nowhere.client.Client(['localhost'], port=9042).put('A', 2)"
        )


def test_what_to_do_where_a_package_is_not_there(run, tmp_path):
    (tmp_path / "old.py").write_text("import nowhere.client\n")
    said = run(tmp_path / "old.py", tmp_path / "old.py").failures
    assert any(one.endswith("install it, or run without it: --stand-in nowhere") for one in said)


def test_a_module_of_a_package(run, tmp_path):
    package = tmp_path / "jobs" / "counts"
    package.mkdir(parents=True)
    for directory in (package, package.parent):
        (directory / "__init__.py").touch()
    (package.parent / "settings.py").write_text("TOP = 3\n")
    text = COUNTS.replace("import sys\n", "import sys\nfrom ..settings import TOP\n").replace(
        "pprint(3)", "pprint(TOP)"
    )
    (package / "old.py").write_text(text)
    result = run(package / "old.py", package / "old.py", "{host}", "{port}", batches=1)
    assert (result.failures, wheres(result)) == ((), {})


FRAMES = """\
import sys
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext

sc = SparkContext()
spark = SparkSession(sc)
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
lines.map(lambda line: (line, 1)).foreachRDD(lambda rdd: spark.createDataFrame(rdd).show())
ssc.start()
ssc.awaitTermination()
"""


def test_a_program_that_fails_without_rows_is_compared_on_rows(run, tmp_path):
    (tmp_path / "old.py").write_text(FRAMES)
    (tmp_path / "new.py").write_text(file(FRAMES).new)
    (tmp_path / "words.txt").write_text("a\nb\n")
    given = {"source": tmp_path / "words.txt", "batches": 1}
    result = run(tmp_path / "old.py", tmp_path / "new.py", "{host}", "{port}", **given)
    assert (result.failures, wheres(result)) == ((), {})
    assert any("batches with input only" in note for note in result.notes)
