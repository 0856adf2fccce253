"""A form that is tried and refused leaves nothing of itself in the program that is written in another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.decisions.decision import Decision
from migrate.frozen import replace
from migrate.knowledge.spark_version import SparkVersion
from migrate.model import Options, Outcome, Status
from migrate.run import run as run_on
from migrate.trace import Graph
from tests.migrate.codemod.written import native, native_result, new_text
from tests.migrate.programs import run, socket_program

SESSION = "from pyspark.sql import SparkSession\nspark = SparkSession(sc)\n"
PLAIN = "from pyspark.sql import SparkSession\n"
PARTITIONS = "spark.sql.shuffle.partitions"

CALLBACKS = [
    pytest.param("len(w)", id="column"),
    pytest.param("len(w) // 3", id="function of Spark"),
    pytest.param("int(w)", id="helper"),
    pytest.param("float(w)", id="another helper"),
    pytest.param("w.lower()", id="helper of texts"),
    pytest.param("w.strip()", id="text"),
]


@pytest.mark.parametrize("value", CALLBACKS)
@pytest.mark.parametrize(
    "end",
    [
        "rdd.map(lambda w: len(eval(w))).foreach(print)",
        "print(rdd.takeOrdered(3))",
        "frame.explain()",
    ],
)
def test_a_callback_that_stays_on_rdds_leaves_nothing_of_columns(value: str, end: str) -> None:
    body = (
        f"{SESSION}def save(rdd):\n    if not rdd.isEmpty():\n"
        f'        frame = spark.createDataFrame(rdd.map(lambda w: (w, {value})), ["a", "b"])\n'
        f"        frame.show()\n        {end}\nlines.foreachRDD(save)"
    )
    result = native_result(socket_program(body))
    new = new_text(result)
    assert "batch.rdd.map(" in new, "else it says nothing"
    assert PARTITIONS not in new, "nothing of ours shuffles, but SQL of the user's may"
    assert "functions as F" not in new
    assert new.count("def ") == 1, "the callback is the batch function"
    assert (
        result.graphs[0].notes
        == native_result(socket_program("lines.foreachRDD(lambda rdd: print(rdd.takeOrdered(3)))"))
        .graphs[0]
        .notes
    )


def test_a_callback_that_counts_what_it_cannot_select_leaves_the_settings_alone() -> None:
    body = (
        f"{SESSION}def save(rdd):\n    if not rdd.isEmpty():\n"
        '        spark.createDataFrame(rdd.map(lambda w: (w, 1)), ["a", "b"]).createOrReplaceTempView("t")\n'
        '        spark.sql("select a, count(*) from t group by a").show()\n'
        "        print(rdd.takeOrdered(3))\nlines.foreachRDD(save)"
    )
    assert PARTITIONS not in new_text(native_result(socket_program(body)))


TRANSFORMS = [
    pytest.param("rdd.map(lambda w: int(w)).filter(lambda n: odd(n))", id="helper"),
    pytest.param("rdd.map(lambda w: float(w)).filter(lambda n: odd(n))", id="another helper"),
    pytest.param("rdd.sortBy(lambda w: len(w)).filter(lambda w: odd(w))", id="shuffle"),
    pytest.param("rdd.map(lambda w: (w, int(w))).mapValues(lambda n: odd(n))", id="pairs"),
]


@pytest.mark.parametrize("chain", TRANSFORMS)
def test_a_transform_that_stays_on_rdds_leaves_nothing_of_columns(chain: str) -> None:
    def result(chain: str) -> tuple[str, tuple[str, ...]]:
        body = f"lines.transform(lambda rdd: {chain}).foreachRDD(lambda rdd: rdd.foreach(print))"
        found = native_result(socket_program(body))
        return new_text(found), found.graphs[0].notes

    new, notes = result(chain)
    assert chain.removeprefix("rdd") in "".join(line.strip() for line in new.splitlines())
    assert PARTITIONS not in new, "nothing of Spark SQL's shuffles"
    assert new.startswith(f"{PLAIN}\nspark ="), "no helper, and no import of functions"
    assert notes == result("rdd.map(lambda w: odd(w))")[1]


def test_what_is_kept_of_a_form_that_was_accepted_stays() -> None:
    """The part of the chain that became columns before the refusal needs its helper."""
    body = (
        "whole = lines.map(lambda w: int(w))\n"
        "whole.transform(lambda rdd: rdd.filter(lambda n: odd(n))).foreachRDD(lambda rdd: rdd.foreach(print))"
    )
    new = new_text(native_result(socket_program(body), Options(strict=True)))
    assert "def parse_int(" in new
    assert "functions as F" in new


def test_a_shuffle_that_was_accepted_beside_a_refused_one_is_still_set_up() -> None:
    body = (
        "lines.countByValue().pprint()\n"
        "lines.transform(lambda rdd: rdd.sortBy(len).filter(odd)).foreachRDD(lambda rdd: rdd.foreach(print))"
    )
    assert PARTITIONS in new_text(native_result(socket_program(body), Options(spark=SparkVersion("4.0"))))


@pytest.mark.parametrize("name", ["F", "parse_int"])
def test_a_name_that_only_a_refused_form_needs_is_not_taken(name: str) -> None:
    """`F` of the user's is no reason to call something else by another name."""
    body = (
        f"{name} = 1\nlines.transform(lambda rdd: rdd.map(lambda w: int(w)).filter(lambda n: odd(n, {name})))"
        ".foreachRDD(lambda rdd: rdd.foreach(print))"
    )
    new = new_text(native_result(socket_program(body)))
    assert "parse_int_2" not in new and "functions" not in new


@pytest.mark.parametrize("line", ["sc = SparkContext(); {}", "x = (1,\n     2); {}", "if a: x = 1; {}"])
def test_the_reason_stands_above_a_line_of_several_statements(line: str) -> None:
    head = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
    code = line.format("ssc = StreamingContext(sc, 1)")
    new = run(f"{head}{code}\nssc._jssc.ssc()\nssc.queueStream([])\nhanded(ssc)\n").files[0].new
    assert new.startswith(f"{head}# dstream-migrate: manual: ")
    assert f"\n{code}\n" in new


UNPARSABLE = (
    "async def f(x):\n    return [i async\n        for i in x if isinstance(i, pyspark.streaming.DStream)]\n"
)
"""What LibCST does not take, around a name that has another one in `compat`."""


def test_a_file_that_libcst_fails_on_is_left_with_an_error() -> None:
    result = run(f"import pyspark\n{socket_program('lines.glom().pprint()')}\n\n{UNPARSABLE}")
    (file,), (graph,) = result.files, result.graphs
    assert file.error is not None
    assert "LibCST cannot parse it" in file.error
    assert not file.changed
    assert graph.outcome is Outcome.MANUAL
    assert graph.reasons == (f"{file.path}: {file.error}",)


def test_what_libcst_fails_on_may_stand_where_nothing_changes() -> None:
    mixed = "def f(x):\n    for y in x:\n\t    with y:\n\t\t    y()\n"  # Python takes it
    new = native(f"{mixed}\n\n{socket_program('lines.pprint()')}")
    assert mixed in new


def test_a_graph_is_left_if_one_of_its_files_cannot_be_written(tmp_path: Path) -> None:
    lines = "import pyspark.streaming\n\n\ndef words(lines):\n    return lines.glom()\n"
    (tmp_path / "lines.py").write_text(f"{lines}\n\n{UNPARSABLE}")
    main = socket_program("words(lines).pprint()")
    (tmp_path / "main.py").write_text(f"from lines import words\n{main}")
    (tmp_path / "other.py").write_text(f"{socket_program('lines.pprint()')}\n")
    files = {file.path: file for file in run_on([tmp_path], Options()).result.files}
    assert files["lines.py"].status is Status.UNPARSED
    assert (files["main.py"].status, files["main.py"].changed) == (Status.MANUAL, False)
    assert files["other.py"].changed


def test_a_comment_on_a_manual_graph_has_the_first_sentence_of_a_long_reason() -> None:
    graph = Graph("job.py:1", (), (), (), (), ("job.py",))
    decision = Decision(graph, Outcome.MANUAL, (f"line 3: `f` is unknown: {'write ' * 30}it",))
    assert decision.marker == "`f` is unknown (see the report)"
    assert replace(decision, reasons=("line 3: `f` is unknown",)).marker == "`f` is unknown"
