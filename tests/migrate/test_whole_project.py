"""Functions that are given contexts by calls which are not followed go to compat with their whole project."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.model import GraphResult, Options, Outcome
from migrate.run import run

MAIN = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

from streams import counts

if __name__ == "__main__":
    ssc = StreamingContext(SparkContext(appName="words"), 1)
    counts(ssc).pprint()
    ssc.start()
    ssc.awaitTermination()
"""
STREAMS = """\
def counts(ssc):
    lines = ssc.socketTextStream("localhost", 9999)
    return lines.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)
"""
FIXTURE = """\
import pytest
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


@pytest.fixture
def ssc():
    ssc = StreamingContext(SparkContext("local[2]", "test"), 1)
    yield ssc
    ssc.stop()
"""
TEST = """\
from streams import counts


def test_counts(ssc):
    ssc.queueStream([["a"], ["b"]]).pprint()
    counts(ssc).pprint()
    ssc.start()
"""
UNUSED = (
    "from pyspark.streaming import DStream\n\n\n"
    "def lower(ssc):\n    return ssc.socketTextStream('h', 1).map(lambda line: line.lower())\n"
)
METHOD = """\
from framework import Job
from pyspark.streaming import DStream


class Lower(Job):
    def run(self, ssc):
        ssc.socketTextStream("h", 1).pprint()
"""
PROJECT = {
    "main.py": MAIN,
    "streams.py": STREAMS,
    "tests/conftest.py": FIXTURE,
    "tests/test_streams.py": TEST,
    "helpers.py": UNUSED,
}


def outcomes(root: Path, files: dict[str, str], path: str = "") -> dict[str, Outcome]:
    """What becomes of each graph of a project."""
    return {graph.id: graph.outcome for graph in graphs(root, files, path)}


def graphs(root: Path, files: dict[str, str], path: str = "") -> tuple[GraphResult, ...]:
    """The graphs of a project, or of a part of it."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return run([root / path], Options()).result.graphs


def test_tests_go_to_compat_with_their_fixture_and_the_program(tmp_path: Path) -> None:
    found = graphs(tmp_path, PROJECT)
    assert len(found) == 3
    assert {graph.outcome for graph in found} == {Outcome.COMPAT}
    given = [graph for graph in found if "every file of the project" in graph.reasons[0]]
    assert [graph.files for graph in given] == [
        ("helpers.py",),
        ("main.py", "streams.py", "tests/test_streams.py"),
    ]
    files = {file.path: file.new for file in run([tmp_path], Options()).result.files}
    assert "from compat.streaming import StreamingContext" in files["main.py"]
    assert "from compat.streaming import StreamingContext" in files["tests/conftest.py"]


def test_a_program_that_hands_nothing_to_them_is_native_all_the_same(tmp_path: Path) -> None:
    main = MAIN.replace("from streams import counts\n", "").replace("counts(ssc)", "ssc.textFileStream('d')")
    found = outcomes(tmp_path, {"main.py": main, "helpers.py": UNUSED})
    assert found == {"helpers.py:5": Outcome.COMPAT, "main.py:6": Outcome.NATIVE}


def test_another_variable_of_a_functions_name_does_not_hand_it_on(tmp_path: Path) -> None:
    named = f"{UNUSED}\n\ndef words(text):\n    lower = text.lower()\n    return lower\n"
    assert set(outcomes(tmp_path, {**PROJECT, "helpers.py": named}).values()) == {Outcome.COMPAT}


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"setup.py": "from setuptools import setup\nsetup()\n"}, id="a library"),
        pytest.param({"pyproject.toml": '[project]\nname = "words"\n'}, id="a package"),
        pytest.param({"main.py": MAIN.replace('if __name__ == "__main__":', "def main():")}, id="no entry"),
        pytest.param({"tests/conftest.py": "import pytest\n"}, id="a fixture of others"),
        pytest.param(
            {"helpers.py": "from framework import job\n" + UNUSED.replace("def ", "@job\ndef ")},
            id="a decorator",
        ),
        pytest.param(
            {"helpers.py": f"import framework\n\n\n{UNUSED}\n\nframework.run(lower)\n"}, id="handed on"
        ),
        pytest.param({"helpers.py": METHOD}, id="a method of a framework's class"),
        pytest.param(
            {"helpers.py": f"from setup import *\n{UNUSED}ssc.socketTextStream('h', 1).pprint()\n"},
            id="a notebook's context",
        ),
        pytest.param(
            {"helpers.py": f"{UNUSED}\n\ndef old(ssc):\n    ssc._jssc.stop()\n"}, id="no form on compat"
        ),
        pytest.param(
            {"other.py": f"import lib\n{MAIN.replace('counts(ssc)', 'lib.run(ssc)')}"}, id="handed out"
        ),
        pytest.param({"broken.py": "def (\nimport pyspark.streaming\n"}, id="not parsed"),
    ],
)
def test_what_others_may_call_or_give_is_left_to_a_person(tmp_path: Path, changed: dict[str, str]) -> None:
    assert Outcome.MANUAL in outcomes(tmp_path, {**PROJECT, **changed}).values()


def test_a_part_of_a_project_is_not_all_of_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    inside = {f"src/{name}": text for name, text in PROJECT.items()}
    assert Outcome.MANUAL in outcomes(tmp_path, inside, "src").values()
    assert set(outcomes(tmp_path, inside).values()) == {Outcome.COMPAT}
