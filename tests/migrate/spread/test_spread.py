"""Graphs that are built in several functions or in a class: what carries the context and the streams.

`spread` holds whole programs before and after.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome
from migrate.verify import verify
from tests.migrate.programs import file, module, run

PROGRAMS = sorted(path.stem for path in Path(__file__).parent.glob("*.before"))


def _read(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_graph_in_several_functions(name: str) -> None:
    assert file(_read(f"{name}.before")).new == _read(f"{name}.after")


def _program(before: str, body: str, after: str = "ssc.start()\nssc.awaitTermination()\n") -> str:
    head = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n"
    return head + before + "sc = SparkContext()\nssc = StreamingContext(sc, 1)\n" + body + after


LINES = "lines = ssc.socketTextStream('h', 1)\n"
BLOCKED = [
    pytest.param(
        "def show(s):\n    s.window(4).pprint()\n\n",
        LINES + "show(lines)\nshow(lines.map(len))\n",
        "called in several places",
        id="one function, two streams, and windows of each",
    ),
    pytest.param(
        "def pairs_of(s):\n    print('building')\n    w = s.flatMap(str.split)\n    return w\n\n",
        LINES + "pairs = pairs_of(lines)\npairs.pprint()\n",
        "does more than make streams",
        id="a function that also does something else returns a stream",
    ),
    pytest.param(
        "def both(s):\n    print('building')\n    w = s.map(len)\n    return s, w\n\n",
        LINES + "own, sizes = both(lines)\nown.pprint()\nsizes.pprint()\n",
        "does more than make streams",
        id="a function that also does something else returns several streams",
    ),
    pytest.param(
        "def kept(s):\n    seen.append(s)\n    s.pprint()\n\nseen = []\n",
        LINES + "kept(lines)\n",
        "handed on",
        id="a stream in a list",
    ),
    pytest.param(
        "def show(s):\n    s.window(4).pprint()\n\n",
        LINES + "if len(SparkContext.__name__) > 3:\n    show(lines)\n",
        "branch",
        id="windows that may not come",
    ),
    pytest.param(
        "def show(s):\n    for n in (1, 2):\n        s.pprint(n)\n\n",
        LINES + "show(lines)\n",
        "loop",
        id="outputs in a loop",
    ),
    pytest.param(
        "",
        LINES + "def late():\n    lines.pprint()\n\nssc.start()\nlate()\n",
        "started more than once",
        id="started twice",
    ),
    pytest.param(
        "def show(s):\n    s.pprint()\n\n",
        LINES + "show(lines)\nsteps = [show]\n",
        "used in another way too",
        id="a function that something else may call",
    ),
    *(
        pytest.param("", LINES + body, why, id=name)
        for name, body, why in (
            ("a branch by what may change", "if ready():\n    lines.pprint()\n", "in a later batch"),
            (
                "a branch whose test may fail, which is caught",
                "import sys\ntry:\n    if sys.argv[3] == 'all':\n        lines.pprint()\n"
                "except IndexError:\n    pass\n",
                "stands in a branch",
            ),
            (
                "a stream of a branch that is read outside of it",
                "if debug:\n    words = lines.map(len)\nwords.pprint()\n",
                "made in a branch only",
            ),
            (
                "another name for a stream in a branch",
                "out = None\nif debug:\n    out = lines\n    lines.pprint()\nout.pprint()\n",
                "made in a branch only",
            ),
            (
                "a state in a branch",
                "if debug:\n    lines.map(lambda w: (w, 1)).updateStateByKey(len).pprint()\n",
                "in a branch",
            ),
            (
                "a source in a branch",
                "if debug:\n    ssc.textFileStream('in').pprint()\nlines.pprint()\n",
                "in a branch",
            ),
            (
                "one part of a branch that does something else",
                "if debug:\n    lines.pprint()\nelse:\n    print('quiet')\nlines.pprint()\n",
                "something else",
            ),
            (
                "a branch that leaves the function",
                "def show():\n    if debug:\n        lines.pprint()\n        return\n"
                "    lines.map(len).pprint()\n\nshow()\n",
                "stands in a branch",
            ),
            (
                "an argument of a branch that is evaluated once",
                "if debug:\n    lines.map(lib.make(2)).pprint()\n",
                "evaluated once",
            ),
        )
    ),
    pytest.param(
        "class Job:\n    def __init__(self, ssc):\n        self.ssc = ssc\n\n",
        LINES + "Job(ssc)\nother = Job(ssc)\nlines.pprint()\n",
        "several places",
        id="two objects of a class",
    ),
]


@pytest.mark.parametrize(("before", "body", "why"), BLOCKED)
def test_what_cannot_be_followed_goes_to_compat(before: str, body: str, why: str) -> None:
    (graph,) = run(_program(before, body)).graphs
    assert graph.outcome.value == "compat"
    assert why in "; ".join(graph.reasons)


def test_a_context_that_nothing_uses_goes() -> None:
    head = "import sys\nfrom pyspark.streaming import StreamingContext\n"
    source = head + "\nssc = StreamingContext(sc, 1)\nprint(1)\n"
    assert file(source).new == "import sys\n\nprint(1)\n"


def test_a_context_that_nothing_starts_gives_a_writer() -> None:
    result = run(_program("", LINES + "lines.pprint()\n", ""))
    assert "writer = (\n    lines.writeStream" in result.files[0].new
    assert ".start()" not in result.files[0].new
    assert any("`writer.start()` starts the query" in note for note in result.graphs[0].notes)


RECOVERY = [
    pytest.param("    print(now())\n", "would not run this again", id="it does something else"),
    pytest.param(
        "    lines.map(lambda w: (w, 1)).updateStateByKey(lambda n, s: sum(n) + (s or 0)).pprint()\n",
        "state of the checkpoint",
        id="state",
    ),
    pytest.param("    ssc.textFileStream('in').pprint()\n", "in the source", id="files go on"),
]


@pytest.mark.parametrize(("line", "why"), RECOVERY)
def test_what_goes_on_from_a_checkpoint_stays_on_compat(line: str, why: str) -> None:
    source = _read("recovered.before").replace("    lines.pprint()\n", line + "    lines.pprint()\n")
    (graph,) = run(source).graphs
    assert graph.outcome.value == "compat"
    assert why in "; ".join(graph.reasons)


def test_a_text_that_the_builder_prints_is_printed_at_every_start() -> None:
    source = _read("recovered.before").replace(
        "    lines.pprint()\n", "    print('anew')\n    lines.pprint()\n"
    )
    result = run(source)
    (graph,) = result.graphs
    assert graph.outcome.value == "native", graph.reasons
    assert "    print('anew')\n" in str(result.files[0].new)
    assert any("`print('anew')` runs at every start" in note for note in graph.notes)


STOPPING = """\
import signal
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext()
ssc = StreamingContext(sc, 1)

def stop(*_):
    ssc.stop()

def seen(rdd):
    if rdd.count() > 3:
        stop()

lines = ssc.socketTextStream("h", 1)
{use}
ssc.start()
ssc.awaitTermination()
"""


def test_a_function_that_stops_the_context_stops_the_query() -> None:
    new = file(STOPPING.format(use="signal.signal(signal.SIGTERM, stop)\nlines.pprint()")).new
    assert "def stop(*_):\n    query.stop()\n    spark.stop()\n" in new


@pytest.mark.parametrize("callback", ["seen", "lambda rdd: seen(rdd)", "lambda rdd: ssc.stop()"])
def test_a_query_is_not_stopped_from_its_own_batch(callback: str) -> None:
    (graph,) = run(STOPPING.format(use=f"lines.foreachRDD({callback})")).graphs
    assert graph.outcome.value == "compat"


def test_a_function_returns_the_writer_after_all_that_it_does() -> None:
    before = "def wire(s):\n    s.pprint()\n    print('wired')\n\n"
    new = file(_program(before, LINES + "wire(lines)\n")).new
    assert "    print('wired')\n    return writer\n" in new
    assert "writer = wire(lines)\n" in new


def test_what_a_source_in_an_argument_needs_stands_before_the_call() -> None:
    before = "def show(s):\n    s.pprint()\n\n"
    new = file(_program(before, "show(ssc.textFileStream('in'))\n")).new
    assert "started = datetime.now()\nwriter = show(spark.readStream.text('in')" in new


def test_a_new_variable_hides_none_of_the_function_that_starts() -> None:
    before = "def wire(s):\n    s.pprint()\n\n"
    body = f"def main():\n    query = 'select 1'\n    {LINES}    wire(lines)\n"
    new = file(_program(before, body, "    ssc.start()\n    print(query)\n\nmain()\n")).new
    assert "    streaming_query = (\n" in new
    assert "    print(query)\n" in new


def test_a_source_and_its_output_in_one_statement_are_taken_apart() -> None:
    before = "def wire(c):\n    c.socketTextStream('h', 1).count().pprint()\n\n"
    new = file(_program(before, "wire(ssc)\n")).new
    assert new.index("lines = ") < new.index("def process_batch") < new.index("return ")
    new = file(_program(before.replace(".count()", ""), "wire(ssc)\n")).new
    assert new.index("    lines = ") < new.index("    return (\n        lines.writeStream")


def test_a_function_of_a_stream_and_more_is_called_for_each_batch() -> None:
    before = "def words_of(s, sep):\n    return s.flatMap(lambda l: l.split(sep))\n\n"
    new = file(_program(before, LINES + "words = words_of(lines, ',')\nwords.count().pprint()\n")).new
    assert "def words_of(s, sep):\n    split_udf = F.udf(lambda l: l.split(sep), " in new
    assert "    return s.select(F.explode(split_udf(" in new
    assert "    words = words_of(batch, ',')\n" in new


NOT_PER_BATCH = [
    pytest.param("print('building')\n    ", "", id="it does something else"),
    pytest.param("global words\n    words = s.map(len)\n    ", "words.pprint()\n", id="it sets a global"),
    pytest.param("s = s.union(other)\n    ", "", id="it reads another stream"),
]


@pytest.mark.parametrize(("inside", "more"), NOT_PER_BATCH)
def test_a_function_that_is_not_only_about_streams_is_not_called_for_each_batch(
    inside: str, more: str
) -> None:
    before = f"def words_of(s, sep):\n    {inside}return s.flatMap(lambda l: l.split(sep))\n\n"
    body = f"other = lines.map(str)\nwords_of(lines, ',').pprint()\n{more}"
    (graph,) = run(_program(before, LINES + body)).graphs
    assert graph.outcome.value == "compat"


RETURNS = [
    pytest.param("if verbose:\n        return\n    s.pprint()", "wire(lines)\n", id="without its output"),
    pytest.param(
        "for one in [s]:\n        if verbose:\n            return one\n    return s",
        "wire(lines).pprint()\n",
        id="in a loop",
    ),
]


@pytest.mark.parametrize(("inside", "body"), RETURNS)
def test_a_function_that_may_return_early_is_not_taken_apart(inside: str, body: str) -> None:
    before = f"verbose = True\n\ndef wire(s):\n    {inside}\n\n"
    (graph,) = run(_program(before, LINES + body)).graphs
    assert graph.outcome.value == "compat"
    assert "`wire` may return here" in graph.reasons[0]


def test_a_function_that_starts_the_context_may_return_early() -> None:
    before = "def main(verbose):\n    if verbose:\n        return\n    lines.pprint()\n    ssc.start()\n\n"
    (graph,) = run(_program(before, LINES, "main(False)\n")).graphs
    assert graph.outcome.value == "native"


def test_what_a_function_does_beside_its_stream_is_not_lost() -> None:
    before = "def words_of(s):\n    print('building')\n    return s.flatMap(lambda l: l.split(','))\n\n"
    (graph,) = run(_program(before, LINES + "words_of(lines).pprint()\n")).graphs
    assert graph.outcome.value == "compat"
    assert "`words_of` does more than make streams" in graph.reasons[0]


TAKEN = [
    pytest.param("from job import sc\n", id="the SparkContext"),
    pytest.param("import job\nprint(job.sc.version)\n", id="as an attribute"),
    pytest.param("from job import *\n", id="everything"),
    pytest.param("from job import words_of\n", id="a function that would melt away"),
]


@pytest.mark.parametrize("other", TAKEN)
def test_what_another_module_takes_stays(other: str) -> None:
    job = _program(
        "def words_of(s):\n    return s.flatMap(str.split)\n\n", LINES + "words_of(lines).pprint()\n"
    )
    result = migrate([module(job), module(other, "other.py")], Options())
    (graph,) = result.graphs
    assert graph.outcome.value == "compat"
    assert "another module" in graph.reasons[0]


@pytest.mark.full
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_does_the_same_before_and_after(name: str, tmp_path: Path) -> None:
    for part in ("before", "after"):
        (tmp_path / f"{part}.py").write_text(_read(f"{name}.{part}"), encoding="utf-8")
    work = tmp_path / "work"
    work.mkdir()
    result = verify(
        tmp_path / "before.py", tmp_path / "after.py", arguments=["h", "1"], cwd=work, timeout=300.0
    )
    assert result.exit_code == 0, result


def test_streams_of_a_module_may_be_put_out_and_started_under_its_guard() -> None:
    source = (
        "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n"
        "sc = SparkContext(appName='Guard')\nssc = StreamingContext(sc, 1)\n"
        "lines = ssc.socketTextStream('h', 1)\nwords = lines.filter(lambda line: 'x' in line)\n\n"
        "if __name__ == '__main__':\n    words.pprint()\n    lines.pprint()\n"
        "    ssc.start()\n    ssc.awaitTermination()\n"
    )
    result = run(source)
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    new = result.files[0].new
    guard = new.index("if __name__")
    assert new.index("lines = ") < guard < new.index("    def process_batch(") < new.index("batch.where")
    ast.parse(new)
    elsewhere = source.replace("if __name__ == '__main__':", "if wanted:")
    assert run(elsewhere).graphs[0].outcome is Outcome.COMPAT


@pytest.mark.full
@pytest.mark.timeout(600)
@pytest.mark.parametrize("more", [[], ["all"], ["files", "counted"]])
def test_a_branch_is_taken_in_each_batch_as_it_was_once(more: list[str], tmp_path: Path) -> None:
    for part in ("before", "after"):
        (tmp_path / f"{part}.py").write_text(_read(f"branches.{part}"), encoding="utf-8")
    (work := tmp_path / "work").mkdir()
    result = verify(
        tmp_path / "before.py",
        tmp_path / "after.py",
        arguments=["h", "1", *more],
        cwd=work,
        timeout=300.0,
    )
    assert result.exit_code == 0, result
