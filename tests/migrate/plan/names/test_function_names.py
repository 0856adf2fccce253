"""Functions called after RDDs, which get DataFrames now: a name of what they get."""

from __future__ import annotations

import pytest

from migrate.model import Options
from tests.migrate.programs import file, run, socket_program

SAVE = "def {name}({parameters}):\n    print({more}rdd.collect())\n{rest}lines.foreachRDD({given})"
STATE = "def add(new, old):\n    return sum(new) + (old or 0)\n"


def new(name: str, parameters: str = "rdd", *, more: str = "", rest: str = "", given: str = "") -> str:
    body = SAVE.format(name=name, parameters=parameters, more=more, rest=rest, given=given or name)
    return file(socket_program(body)).new


@pytest.mark.parametrize(
    ("name", "renamed"),
    [
        ("save_rdd", "save_batch"),
        ("save_RDD", "save_batch"),
        ("saveRDD", "saveBatch"),
        ("eachRdd", "eachBatch"),
        ("all_rdds", "all_batch"),
        ("rddtoDf", "batchtoDf"),
        ("rdd_to_df", "batch_to_df"),
        ("RDDSave", "batchSave"),
        ("save_rdd_to_table", "save_batch_to_table"),
        ("readRddOfStream", "readBatchOfStream"),
        ("readRdd4rmKafkaStream", "readBatch4rmKafkaStream"),
        ("_RDD", "_process_batch"),
        ("process_stream", "process_batch"),
        ("sendDStream", "sendBatch"),
    ],
)
def test_a_function_that_the_query_calls(name: str, renamed: str) -> None:
    text = new(name)
    assert f"def {renamed}(batch, batch_id):" in text and f"foreachBatch({renamed})" in text
    assert name not in text


def test_it_may_be_the_batch_function() -> None:
    text = new("process_rdd")
    assert "def process_batch(batch, batch_id):" in text and "foreachBatch(process_batch)" in text


def test_or_stand_beside_one() -> None:
    text = new("process_rdd", "rdd, path", more="path, ", given="lambda rdd: process_rdd(rdd, 'out')")
    assert "def process_df(batch, path):" in text and "batch_id: process_df(batch, 'out'))" in text


def test_or_are_the_batch_function() -> None:
    text = new("process_rdd", "time, rdd", more="time, ")
    assert "def process_batch(batch, batch_id):" in text and "foreachBatch(process_batch)" in text


def test_a_lambda_may_hand_it_on() -> None:
    text = new("save_rdd", "rdd, path", more="path, ", given="lambda rdd: save_rdd(rdd, 'out')")
    assert "def save_batch(batch, path):" in text and "batch_id: save_batch(batch, 'out'))" in text


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("save", {}),
        ("rdd", {}),
        ("rdd_to_df_of_rdd", {}),
        ("save_rdd", {"rest": "save_batch = 1\nsave_df = 2\n"}),
        ("save_rdd", {"rest": "keep = save_rdd\n"}),
        ("save_rdd", {"rest": "__all__ = ['save_rdd']\n"}),
        ("save_rdd", {"rest": "def other():\n    for save_df in save_batch:\n        pass\n"}),
    ],
    ids=["no such name", "nothing else", "a conversion", "taken", "read twice", "a text", "taken elsewhere"],
)
def test_other_names_stay(name: str, more: dict[str, str]) -> None:
    assert f"def {name}(" in new(name, **more)  # type: ignore[arg-type]


def test_a_function_of_rdd_code_that_the_query_calls_gets_batches() -> None:
    body = "def save_rdd(rdd):\n    print(rdd.map(parsed).collect())\nlines.foreachRDD(save_rdd)"
    text = file(socket_program(body)).new
    assert "def save_batch(batch, batch_id):" in text and "foreachBatch(save_batch)" in text


def test_a_function_of_rdd_code_on_the_rows_of_a_batch() -> None:
    body = "def save_rdd(rdd):\n    print(rdd.map(parsed).collect())\nlines.foreachRDD(save_rdd)"
    text = file(socket_program(f"{body}\nlines.pprint()")).new
    assert "def save_batch(batch):" in text and "save_batch(batch)\n" in text


def test_a_function_that_is_given_an_rdd_keeps_its_name() -> None:
    body = "def save_rdd(rdd):\n    print(rdd.map(parsed).collect())\n"
    made = "lines.map(lambda line: eval(line)).foreachRDD(save_rdd)\nlines.pprint()"
    text = file(socket_program(f"{body}{made}")).new
    assert "def save_rdd(rdd):" in text and "save_rdd(batch.rdd" in text


def test_it_keeps_its_name_beside_one_that_is_given_an_rdd() -> None:
    body = "def save_rdd(rdd):\n    print(rdd.map(parsed).collect())\n"
    body += "def show_rdd(rdd):\n    print(rdd.count())\n"
    made = "lines.map(lambda line: eval(line)).foreachRDD(save_rdd)\nlines.foreachRDD(show_rdd)"
    text = file(socket_program(f"{body}{made}")).new
    assert "def save_rdd(rdd):" in text and "def show_rdd(batch):" in text
    both = file(socket_program(f"{body}{made}".replace(".map(lambda line: eval(line))", ""))).new
    assert "def save_batch(batch):" in both and "def show_batch(batch):" in both


def test_the_report_names_them() -> None:
    body = SAVE.format(name="save_rdd", parameters="rdd", more="", rest="", given="save_rdd")
    (graph,) = run(socket_program(body), Options()).graphs
    assert "functions that get a DataFrame now are called so: `save_rdd` is `save_batch`" in graph.notes
