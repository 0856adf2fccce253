"""``dstream-migrate learn`` on programs that run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from migrate.cli import commands
from migrate.errors import Exit
from migrate.facts.file import NAME, read
from migrate.knowledge.spark_version import installed

EVENTS = """\
import json

from pyspark import SparkContext
from {package} import StreamingContext

sc = SparkContext(appName="events")
ssc = StreamingContext(sc, 1)
events = ssc.socketTextStream("localhost", 9999).map(lambda line: json.loads(line))
events.map(lambda e: (e["user"]["name"], e["amount"])).reduceByKey(lambda a, b: a + b).pprint()
ssc.start()
ssc.awaitTermination()
"""
FUNCTIONS = """\
import json

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def is_paid(line):
    event = json.loads(line)
    return "amount" in event and event["amount"] > 1


def words(line):
    found = []
    for word in json.loads(line).get("words", []):
        found.append(word.lower())
    return found


def paid(line):
    total = 0
    for name, amount in sorted(json.loads(line)["parts"].items()):
        total += amount
    return json.loads(line)["name"], total


sc = SparkContext(appName="events")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.filter(is_paid).count().pprint()
lines.flatMap(words).map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).pprint(50)
lines.map(paid).reduceByKey(lambda a, b: a + b).pprint(50)
ssc.start()
ssc.awaitTermination()
"""
QUEUE = """\
from collections import namedtuple

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

Word = namedtuple("Word", ("text", "n"))
sc = SparkContext(appName="words")
ssc = StreamingContext(sc, 1)


def show(rdd):
    pairs = rdd.map(lambda word: Word(word, len(word)))
    print(pairs.collect())


queue = ssc.queueStream([sc.parallelize(["a", "bb"], 2), sc.parallelize(["ccc"])])
queue.foreachRDD(show)
ssc.start()
ssc.awaitTerminationOrTimeout(20)
"""


def written(directory: Path, program: str, lines: Iterable[Any] = ()) -> Path:
    """A program, with its input beside it."""
    (directory / "pyproject.toml").touch()
    (directory / "input.txt").write_text("".join(json.dumps(line) + "\n" for line in lines))
    path = directory / "events.py"
    path.write_text(program)
    return path


def command(name: str, directory: Path, *arguments: str) -> Result:
    """Run a command on ``events.py``; its code is what `commands` gives back."""
    where = ["--cwd", str(directory)] if name == "learn" else []
    given = [name, str(directory / "events.py"), *where, *arguments]
    return CliRunner().invoke(commands, given, standalone_mode=False, catch_exceptions=False)


def test_a_run_writes_a_second_one_widens_and_a_check_compares(tmp_path: Path) -> None:
    source = ("--input", str(tmp_path / "input.txt"), "--batches", "2")
    lines = [{"user": {"name": "me"}, "amount": 1}, {"user": {"name": "you"}, "amount": 2, "note": None}]
    written(tmp_path, EVENTS.format(package="pyspark.streaming"), lines)
    done = command("learn", tmp_path, *source)
    assert done.return_value == Exit.DONE, done.output
    assert "4 of 4 facts new or wider, from 2 records" in done.output
    assert "--json-schema" not in done.output
    table = (tmp_path / NAME).read_text().partition('["events.py".events]\n')[2].partition("\n\n")[0]
    assert table == (
        "records = 2\n"
        'element = "dict"             # 2 seen\n'
        '"element.amount" = "int53"   # in 2 of 2; 1..2; like 1\n'
        '"element.note?" = "None"     # in 1 of 2\n'
        '"element.user" = "dict"      # in 2 of 2\n'
        '"element.user.name" = "str"  # in 2 of 2; like \'me\''
    )
    assert command("learn", tmp_path, *source, "--check").return_value == Exit.DONE

    written(tmp_path, EVENTS.format(package="pyspark.streaming"), [{"user": {"name": 7}, "amount": 1.5}])
    done = command("learn", tmp_path, *source, "--check")
    assert done.return_value == Exit.PENDING
    assert "events.py: events: element.amount: the file says int53, the data float" in done.output
    assert len(read(tmp_path / NAME)[("events.py", "events")].type) == 5

    assert command("learn", tmp_path, *source, "--no-examples").return_value == Exit.DONE
    found = read(tmp_path / NAME)[("events.py", "events")]
    assert found.records == 3
    assert {path: str(part) for path, part in found.type.items()} == {
        "element": "dict",
        "element.amount": "float | int53",
        "element.note": "None",
        "element.user": "dict",
        "element.user.name": "int53 | str",
    }
    assert "like" not in (tmp_path / NAME).read_text()


NO_VARIANT = "before 4.0 there is no VARIANT, so JSON stays in Python"


@pytest.mark.parametrize(
    "pinned",
    [
        pytest.param("4.0", marks=pytest.mark.skipif(not installed().has_variant, reason=NO_VARIANT)),
        pytest.param("3.5", marks=pytest.mark.full),
    ],
)
def test_columns_of_what_was_learnt_give_the_same(tmp_path: Path, pinned: str) -> None:
    """On Spark 4 by the facts, with VARIANT; for 3.5, which has none, by the schema that `learn` prints."""
    program = EVENTS.format(package="pyspark.streaming")
    written(tmp_path, program, [{"user": {"name": n}, "amount": amount} for amount, n in enumerate("abcab")])
    (tmp_path / "requirements.txt").write_text(f"pyspark=={pinned}\n")
    source = ("--input", str(tmp_path / "input.txt"), "--batches", "2")
    said = [line for line in command("learn", tmp_path, *source).output.splitlines() if "--json" in line]
    assert len(said) == (pinned == "3.5")
    schemas = [part for line in said for part in ("--unsafe", "--json-schema", line.split("'")[1])]
    old = tmp_path / "old.py"
    old.write_text(program)
    written(tmp_path, program, [{"user": {"name": n}, "amount": -amount} for amount, n in enumerate("xyxyz")])
    assert command("rewrite", tmp_path, "--no-learnt", "--force").return_value == Exit.DONE
    assert "json.loads" in (tmp_path / "events.py").read_text()  # the drop-in: sums may be of floats
    (tmp_path / "events.py").write_text(program)
    done = command("rewrite", tmp_path, "--force", *schemas)
    text = (tmp_path / "events.py").read_text()
    assert ("json_variant" if pinned == "4.0" else "F.from_json") in text, done.output
    assert ".rdd" not in text
    compared = ["verify", str(old), str(tmp_path / "events.py"), "--cwd", str(tmp_path), *source]
    done = CliRunner().invoke(commands, compared, standalone_mode=False, catch_exceptions=False)
    assert done.return_value == Exit.DONE, done.output


@pytest.mark.skipif(not installed().has_variant, reason=NO_VARIANT)
def test_json_within_functions_is_learnt_and_held_out_lines_prove_it(tmp_path: Path) -> None:
    lines = [
        {"name": f"n{number % 3}", "words": ["A", f"w{number % 5}"], "parts": {"a": number, "b": 1}}
        | ({"amount": number % 4} if number % 2 else {})
        for number in range(60)
    ]
    written(tmp_path, FUNCTIONS, lines)
    source = ("--input", (tmp_path / "input.txt").as_uri(), "--batches", "2", "--hold-out", "0.3")
    assert command("learn", tmp_path, *source).return_value == Exit.DONE
    facts = read(tmp_path / NAME)
    assert str(facts[("events.py", "is_paid.event")].type["element.amount"]) == "int53"
    assert facts[("events.py", "is_paid.event")].type["element.amount"].optional
    assert "words: json.loads(line)" in {name for _, name in facts}
    old = tmp_path / "old.py"
    old.write_text(FUNCTIONS)
    done = command("rewrite", tmp_path, "--force")
    text = (tmp_path / "events.py").read_text()
    assert ".rdd" not in text, done.output
    # the name of the fact holds quotes where it is code
    for form in ("json_has(", '"$.amount")', "of_learnt_type(lambda: paid(value), value, (str, int)"):
        assert form in text
    compared = ["verify", str(old), str(tmp_path / "events.py"), "--cwd", str(tmp_path), *source]
    done = CliRunner().invoke(commands, compared, standalone_mode=False, catch_exceptions=False)
    assert done.return_value == Exit.DONE, done.output
    assert "learn --hold-out 0.3" in done.output


@pytest.mark.full
def test_the_drop_in_and_queues_are_learnt_from_as_well(tmp_path: Path) -> None:
    written(tmp_path, EVENTS.format(package="compat.streaming"), [{"user": {"name": "me"}, "amount": 1}])
    done = command("learn", tmp_path, "--input", str(tmp_path / "input.txt"), "--batches", "1")
    assert done.return_value == Exit.DONE, done.output
    assert str(read(tmp_path / NAME)[("events.py", "events")].type["element.amount"]) == "int53"

    written(tmp_path, QUEUE)
    done = command("learn", tmp_path)
    assert done.return_value == Exit.DONE, done.output
    facts = read(tmp_path / NAME)
    assert str(facts[("events.py", "queue")].type["element"]) == "str"
    assert str(facts[("events.py", "show.pairs")].type["element"]) == "Word(text, n)"
    assert facts[("events.py", "queue")].records == 3


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('raise SystemExit("no disk")', "no disk"),
        ("pass", "never waited for a batch"),
    ],
)
def test_a_run_that_comes_to_nothing_writes_nothing(tmp_path: Path, line: str, said: str) -> None:
    written(tmp_path, line)
    done = command("learn", tmp_path)
    assert done.return_value == Exit.PENDING
    assert said in done.stderr + done.output
    assert not (tmp_path / NAME).exists()


def test_a_program_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    written(tmp_path, "def broken(:")
    assert command("learn", tmp_path).return_value == Exit.UNREAD


def test_a_program_that_fails_without_rows_is_learnt_from_the_others(tmp_path: Path) -> None:
    shown = "foreachRDD(lambda rdd: SparkSession.builder.getOrCreate().createDataFrame(rdd).show())"
    program = EVENTS.format(package="pyspark.streaming").replace("pprint()", shown)
    program = "from pyspark.sql import SparkSession\n" + program
    written(
        tmp_path, program, [{"user": {"name": "me"}, "amount": 1}, {"user": {"name": "you"}, "amount": 2}]
    )
    done = command("learn", tmp_path, "--input", str(tmp_path / "input.txt"), "--batches", "1")
    assert done.return_value == Exit.DONE, done.output
    assert "from 2 records" in done.output
