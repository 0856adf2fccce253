"""Graphs over several files: projects before and after, each in one text with a line above every file."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from migrate.migration import migrate
from migrate.model import Options, Outcome, Result
from migrate.verify import verify
from tests.migrate.programs import compiled, module

HERE = Path(__file__).parent
PROJECTS = sorted(path.stem for path in HERE.glob("*.before"))
ON_KAFKA = "product_on_kafka"
"""It runs on a real broker, in `tests/e2e/kafka`."""
_HEADING = re.compile(r"^# ==> (\S+) <==\n", re.MULTILINE)


def files_of(text: str) -> dict[str, str]:
    """The files of a project, by their paths."""
    _, *parts = _HEADING.split(text)
    return {path: code.strip("\n") + "\n" for path, code in zip(parts[::2], parts[1::2], strict=True)}


def text_of(files: Mapping[str, str]) -> str:
    """A project as one text."""
    return "\n".join(f"# ==> {path} <==\n{code}" for path, code in files.items())


def read(name: str) -> dict[str, str]:
    return files_of((HERE / name).read_text(encoding="utf-8"))


def run(files: Mapping[str, str]) -> Result:
    """The migration of a project, whose new files must compile and not change again."""
    result = migrate([module(text, path) for path, text in files.items()], Options())
    for file in result.files:
        compiled(file.new)
    again = migrate([module(file.new, file.path) for file in result.files], Options())
    assert [file.new for file in again.files] == [file.new for file in result.files]
    return result


@pytest.mark.parametrize("name", PROJECTS)
def test_a_graph_in_several_files(name: str) -> None:
    result = run(read(f"{name}.before"))
    assert [graph.reasons for graph in result.graphs] == [()]
    assert text_of({file.path: file.new for file in result.files}) == text_of(read(f"{name}.after"))


@pytest.mark.full
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", [name for name in PROJECTS if name != ON_KAFKA])
def test_a_project_does_the_same_before_and_after(name: str, tmp_path: Path) -> None:
    work = written(name, tmp_path)
    result = verify(
        work / "before" / "main.py",
        work / "after" / "main.py",
        arguments=["localhost", "9999"],
        cwd=work,
        timeout=300.0,
    )
    assert result.exit_code == 0, result


def written(name: str, folder: Path) -> Path:
    """The directory with a project before and after."""
    for part in ("before", "after"):
        for path, code in read(f"{name}.{part}").items():
            place = folder / "work" / part / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(code, encoding="utf-8")
    return folder / "work"


CONTEXT = (
    "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n"
    "sc = SparkContext()\nssc = StreamingContext(sc, 1)\n"
)
SHOWN = "def show(lines):\n    lines.map(len).pprint()\n"
MAIN = (
    "from context import ssc\nfrom shown import show\n\n"
    "show(ssc.socketTextStream('localhost', 9999))\nssc.start()\nssc.awaitTermination()\n"
)
PROJECT = {"context.py": CONTEXT, "main.py": MAIN, "shown.py": SHOWN}
GUARD = "\nif __name__ == '__main__':\n    ssc.textFileStream('in').pprint()\n"
BLOCKED = [
    pytest.param({"other.py": "from context import ssc\n"}, "`ssc`", id="another program takes the context"),
    pytest.param({"other.py": "import context\nprint(context.sc)\n"}, "`sc`", id="and the SparkContext"),
    pytest.param({"other.py": "from context import *\n"}, "imports everything", id="and everything"),
    pytest.param({"other.py": "from shown import *\nprint(show)\n"}, "`show`", id="and reads it"),
    pytest.param(
        {"other.py": "from context import *\nprint(vars())\nprint(CHECKPOINTS)\n"},
        "imports everything",
        id="and reads more than it names",
    ),
    pytest.param(
        {"other.py": "from context import *\nprint(CHECKPOINTS)\n", "last.py": "from other import ssc\n"},
        "imports everything",
        id="and another takes it from there",
    ),
    pytest.param({"other.py": "from shown import show\n"}, "`show`", id="a function of a stream"),
    pytest.param({"other.py": "import shown\nshown.show(1)\n"}, "`show`", id="and calls it"),
    pytest.param({"context.py": CONTEXT + GUARD}, "run by itself", id="code that an import does not run"),
    pytest.param(
        {"main.py": "if len(__name__) > 3:\n    " + MAIN},
        "made in a branch",
        id="an import that may not come",
    ),
    pytest.param(
        {"other.py": MAIN.replace("show(", "print(")}, "one of the programs", id="two programs on a context"
    ),
    pytest.param(
        {"other.py": MAIN, "all.py": "import main\nimport other\n"}, "runs main.py", id="which run as one"
    ),
    pytest.param(
        {"other.py": MAIN, "all.py": "import importlib\nimport main\nimportlib.import_module(input())\n"},
        "runs main.py",
        id="which may run as one",
    ),
]


@pytest.mark.parametrize(("more", "why"), BLOCKED)
def test_what_cannot_be_followed_goes_to_compat(more: Mapping[str, str], why: str) -> None:
    (graph,) = run({**PROJECT, **more}).graphs
    assert graph.outcome is Outcome.COMPAT
    assert why in "; ".join(graph.reasons)


def test_two_programs_on_a_context_are_native_together() -> None:
    (graph,) = run({**PROJECT, "other.py": MAIN.replace("9999", "9998")}).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons


def test_everything_is_what_the_other_file_reads() -> None:
    """It names a constant, and neither the context nor a stream."""
    context = CONTEXT + 'CHECKPOINTS = "out"\n'
    other = "from context import *\nprint(CHECKPOINTS)\n"
    result = run({**PROJECT, "context.py": context, "other.py": other})
    assert result.graphs[0].outcome is Outcome.NATIVE
    assert 'CHECKPOINTS = "out"\n' in next(file.new for file in result.files if file.path == "context.py")


def test_a_spark_context_that_another_file_reads_stays() -> None:
    main = MAIN.replace("import ssc", "import sc, ssc").replace("show(", "print(sc.version)\nshow(")
    files = {file.path: file.new for file in run({**PROJECT, "main.py": main}).files}
    assert "sc = spark.sparkContext\n" in files["context.py"]
    assert "from context import sc, spark\n" in files["main.py"]


SAVE = "def save(rdd):\n    for word in rdd.take(3):\n        print(word)\n\n\n"
SHOWS = SAVE + "def show(lines):\n    lines.map(len).foreachRDD(save)\n"


@pytest.mark.parametrize(
    ("other", "own"),
    [("", True), ("from shown import save\nsave(1)\n", False), ("import shown\nshown.save(1)\n", False)],
)
def test_a_callback_that_another_file_calls_still_takes_an_rdd(other: str, own: bool) -> None:
    files = {file.path: file.new for file in run({**PROJECT, "shown.py": SHOWS, "other.py": other}).files}
    assert (SAVE in files["shown.py"]) is not own


STARRED = (
    "from jobs import *\nfrom pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n"
    "sc = SparkContext()\nssc = StreamingContext(sc, 1)\n"
    "ssc.socketTextStream('localhost', 9999).foreachRDD(lambda time, rdd: save(time, rdd, 3))\n"
    "ssc.start()\nssc.awaitTermination()\n"
)
JOBS = (
    "def save(time, rdd, limit):\n    print(time)\n"
    "    for line in rdd.take(limit):\n        print(line.swapcase())\n"
)


@pytest.mark.parametrize(
    ("imported", "now"),
    [
        ("", "datetime.now()"),
        ("from datetime import datetime\n", "datetime.now()"),
        ("import datetime\n", "datetime.datetime.now()"),
    ],
)
def test_a_star_import_brings_in_callbacks_and_names_that_new_code_needs(imported: str, now: str) -> None:
    files = {file.path: file.new for file in run({"main.py": STARRED, "jobs.py": imported + JOBS}).files}
    assert f"batch_time = {now}" in files["main.py"]
    assert ("from datetime import" in files["main.py"]) is (not imported)


@pytest.mark.parametrize(
    ("jobs", "why"),
    [
        (f"datetime = 1\n{JOBS}", "`datetime` is the name of something else"),
        (f"SparkSession = 1\n{JOBS}", "by a star import"),
        (f"from utilities import *\n{JOBS}", "`save`, which is not followed"),
        (f"{JOBS}save = print\n", "`save`, which is not followed"),
    ],
)
def test_a_star_import_that_brings_in_something_else_goes_to_compat(jobs: str, why: str) -> None:
    (graph,) = run({"main.py": STARRED, "jobs.py": jobs}).graphs
    assert graph.outcome is Outcome.COMPAT
    assert why in "; ".join(graph.reasons)


def test_a_reason_names_the_line_of_its_own_file() -> None:
    (graph,) = run({**PROJECT, "shown.py": "\n\n" + SHOWN.replace("map(len)", "glom()")}).graphs
    assert graph.reasons[0].startswith("shown.py, line 4: `glom`")


PARSED = (
    "import simplejson as json\nfrom pyspark import SparkContext\n"
    "from pyspark.streaming import StreamingContext\n\n\ndef parsed(host):\n"
    "    ssc = StreamingContext(SparkContext(), 1)\n    lines = ssc.socketTextStream(host, 9999)\n"
    "    texts = lines.map(lambda line: json.loads(line))\n    return ssc, texts\n"
)
READS = (
    "import json\nfrom parsed import parsed\n\nssc, texts = parsed('localhost')\n"
    "texts.foreachRDD(lambda rdd: print(json.dumps(rdd.collect())))\nssc.start()\nssc.awaitTermination()\n"
)


def test_a_name_of_another_file_that_is_another_one_here_is_imported_by_its_own() -> None:
    result = run({"main.py": READS, "parsed.py": PARSED})
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    main = result.files[0].new
    assert "import simplejson\n" in main and "simplejson.loads(" in main and "json.dumps(" in main


@pytest.mark.parametrize(
    ("main", "parsed"),
    [
        pytest.param(f"{READS}simplejson = 1\n", PARSED, id="which is taken"),
        pytest.param(READS, PARSED.replace("import simplejson", "from . import words"), id="of the project"),
        pytest.param(
            READS.replace("import json", "import ujson as json"),
            PARSED.replace("simplejson as ", ""),
            id="without another name",
        ),
    ],
)
def test_but_not_one(main: str, parsed: str) -> None:
    (graph,) = run({"main.py": main, "parsed.py": parsed, "words.py": ""}).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "reads `json` of another function" in graph.reasons[0]


CLEANED = PARSED.replace("json.loads(line)", "clean(line)") + (
    "\n\ndef clean(line):\n    print(line)\n    return json.loads(line)\n"
)
ALL = (
    READS.replace("from parsed import parsed", "from parsed import *")
    .replace("import json\n", "")
    .replace("json.dumps", "len")
)


def test_a_star_import_brings_in_what_moved_code_reads() -> None:
    result = run({"main.py": ALL, "parsed.py": CLEANED})
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    assert "clean(" in result.files[0].new and "import clean" not in result.files[0].new


def test_but_not_what_the_file_keeps_to_itself() -> None:
    (graph,) = run({"main.py": ALL, "parsed.py": f'{CLEANED}\n\n__all__ = ["parsed"]\n'}).graphs
    assert graph.outcome is Outcome.COMPAT
    assert "reads `clean` of another function" in graph.reasons[0]


def test_a_context_that_a_function_of_another_file_makes() -> None:
    made = "from pyspark import SparkContext\n\nsc = SparkContext()\n\n\ndef context():\n    return sc\n"
    head = "from pyspark.streaming import StreamingContext\nfrom made import context\n\nsc = context()\n"
    ends = "ssc.start()\nssc.awaitTermination()\n"
    main = f"{head}ssc = StreamingContext(sc, 1)\nssc.textFileStream('in').pprint()\n{ends}"
    (graph,) = run({"made.py": made, "main.py": main}).graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons


def test_a_file_that_hands_the_context_on_changes_too() -> None:
    files = {
        "context.py": "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n\n\n"
        "def create():\n    ssc = StreamingContext(SparkContext(), 1)\n    return ssc\n",
        "job.py": "def run(ssc):\n    ssc.socketTextStream('localhost', 9999).pprint()\n"
        "    ssc.start()\n    ssc.awaitTermination()\n",
        "main.py": "from context import create\nfrom job import run\n\ncontext = create()\nrun(context)\n",
    }
    result = run(files)
    (graph,) = result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert graph.files == ("context.py", "job.py", "main.py")
    new = {file.path: file.new for file in result.files}
    assert new["main.py"].endswith("spark = create()\nrun(spark)\n")
    assert "def run(spark):" in new["job.py"]
    assert all(ast.parse(text) for text in new.values())
