"""Callbacks that stand in another file than the call of foreachRDD: this file changes, too."""

from __future__ import annotations

import pytest

from migrate.frozen import replace
from migrate.migration import migrate
from migrate.model import Options
from tests.migrate.programs import kafka_program, module, socket_program

SAVE = "def save(rdd):\n    for line in rdd.collect():\n        print(line)\n"
JOB = "from process import save\n" + socket_program("lines.foreachRDD(save)")
FRAME = "for (line,) in df.collect()"


def rewritten(files: dict[str, str]) -> dict[str, str]:
    """The new texts of files, of which a second rewrite leaves all as they are."""
    result = migrate([module(text, path) for path, text in files.items()], Options())
    new = {file.path: file.new for file in result.files}
    again = migrate([module(text, path) for path, text in new.items()], Options())
    assert {file.path: file.new for file in again.files} == new
    assert all(graph.outcome.value == "native" for graph in result.graphs)
    return new


@pytest.mark.parametrize(
    ("imports", "output"),
    [
        ("from process import save", "lines.foreachRDD(save)"),
        ("import process", "lines.foreachRDD(process.save)"),
        ("from process import save", "lines.foreachRDD(lambda rdd: save(rdd))"),
        ("from process import save as put", "lines.foreachRDD(put)"),
    ],
)
def test_a_callback_of_another_file_takes_a_dataframe(imports: str, output: str) -> None:
    new = rewritten({"job.py": f"{imports}\n{socket_program(output)}", "process.py": SAVE})
    assert FRAME in new["process.py"]
    assert ".rdd" not in new["job.py"]


def test_its_new_name_is_imported() -> None:
    files = {"job.py": JOB.replace("save", "save_rdd"), "process.py": SAVE.replace("save", "save_rdd")}
    new = rewritten(files)
    assert "from process import save_batch\n" in new["job.py"]
    assert ".foreachBatch(save_batch)" in new["job.py"]
    assert "def save_batch(df, batch_id):" in new["process.py"]


@pytest.mark.parametrize(
    "more",
    [
        {"job.py": JOB + "save(sc.parallelize([1]))\n"},
        {"process.py": SAVE + "again = save\n"},
        {"test_process.py": "from process import save\n"},
        {"test_process.py": "from process import *\n"},
        {"other.py": JOB},
        {"job.py": JOB + socket_program("lines.pprint()").replace("ssc", "ssc2")},
        {"process.py": "import torch.nn.functional as F\n" + SAVE},
    ],
    ids=[
        *("called with an RDD", "under another name", "of a test", "starred", "of two programs"),
        *("of a file with two programs", "beside another F"),
    ],
)
def test_it_stays_where_it_may_be_given_an_rdd(more: dict[str, str]) -> None:
    new = rewritten({"job.py": JOB, "process.py": SAVE, **more})
    assert FRAME not in new["process.py"]
    assert "save(batch.rdd" in new["job.py"]


def test_names_are_those_of_its_own_file() -> None:
    """A limit of the same name beside the streams is another one."""
    process = "LIMIT = int(input())\n" + SAVE.replace(
        "rdd.collect", "rdd.filter(lambda x: len(x) > LIMIT).collect"
    )
    new = rewritten({"job.py": "LIMIT = 1\n" + JOB, "process.py": process})
    assert "> 1" not in new["process.py"]


def test_its_typed_functions_stand_above_it() -> None:
    process = (
        "def title(line):\n    return line.title()\n\n\n"
        "def save(rdd):\n    for line in rdd.map(title).collect():\n        print(line)\n"
    )
    new = rewritten({"job.py": JOB, "process.py": process})
    assert "title_udf = F.udf(title, StringType())\n\n\ndef save(" in new["process.py"]
    assert "title" not in new["job.py"]


@pytest.mark.parametrize("output", ["parsed.foreachRDD(save)", "parsed.foreachRDD(lambda rdd: save(rdd))"])
def test_functions_of_elements_are_not_called_in_another_file(output: str) -> None:
    """It may not have their names."""
    body = f"import json\nparsed = lines.map(lambda line: json.loads(line))\n{output}"
    new = rewritten({"job.py": "from process import save\n" + socket_program(body), "process.py": SAVE})
    assert "json" not in new["process.py"]
    assert "json.loads(" in new["job.py"]


def test_it_reads_messages_of_kafka_by_name() -> None:
    save = "def save(rdd):\n    for line in rdd.map(lambda m: m[1]).collect():\n        print(line)\n"
    job = "from process import save\n" + kafka_program("messages.foreachRDD(save)")
    assert FRAME in rewritten({"job.py": job, "process.py": save})["process.py"]
    pairs = "def save(rdd):\n    for m in rdd.collect():\n        print(m[1])\n"
    assert 'm["value"]' in rewritten({"job.py": job, "process.py": pairs})["process.py"]


def test_several_outputs_give_it_dataframes() -> None:
    body = "lines.foreachRDD(save)\nlines.filter(lambda line: line != '').foreachRDD(save)"
    new = rewritten({"job.py": "from process import save\n" + socket_program(body), "process.py": SAVE})
    assert FRAME in new["process.py"]
    assert new["job.py"].count("save(") == 2 and ".rdd" not in new["job.py"]


def test_a_file_outside_of_the_paths_stays() -> None:
    outside = replace(module(SAVE, "process.py"), outside=True)
    result = migrate([module(JOB, "job.py"), outside], Options())
    assert [graph.outcome.value for graph in result.graphs] == ["native"]
    assert [file.new for file in result.files if file.path == "process.py"] == [SAVE]
