from __future__ import annotations

from pathlib import Path

import pytest

from migrate.model import Module, Options, Outcome
from migrate.read.parse import of_one_python, parse_bytes
from migrate.run import run

MAIN = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from helpers import half
sc = SparkContext(appName="Old")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda line: len(line) / 2).pprint()
ssc.start()
ssc.awaitTermination()
"""
HALF = "def half(n):\n    return n / 2\n"
PRINTS = f"{HALF}\ndef tell():\n    print 'told'\n"


def python_of(**sources: str) -> dict[str, int]:
    """The versions of Python that the modules of a project are in."""
    modules: list[Module] = []
    for name, text in sources.items():
        path = f"{name}.py"
        modules.append(parse_bytes(text.encode(), Path("/nowhere") / path, path))
    return {module.relative.removesuffix(".py"): module.python for module in of_one_python(modules)}


def test_what_imports_a_module_in_python_2_runs_on_python_2() -> None:
    assert python_of(main=MAIN, helpers=PRINTS, other=HALF) == {"main": 2, "helpers": 2, "other": 3}


def test_it_may_be_imported_by_way_of_another() -> None:
    assert python_of(main="import middle", middle="import helpers", helpers=PRINTS) == {
        "main": 2,
        "middle": 2,
        "helpers": 2,
    }


def test_what_only_modules_in_python_2_import_runs_on_python_2() -> None:
    assert python_of(main="import shared\nprint 1", shared=HALF) == {"main": 2, "shared": 2}
    both = python_of(main="import shared\nprint 1", three="import shared\nx = f'{1}'", shared=HALF)
    assert both == {"main": 2, "three": 3, "shared": 3}


def test_so_does_what_only_modules_import_that_name_something_of_python_2() -> None:
    main = "import shared\nfor k, v in shared.found().iteritems(): f(k, v)"
    assert python_of(main=main, shared=HALF) == {"main": 2, "shared": 2}
    assert python_of(main=main, shared=f"{HALF}print(half(1), 2)") == {"main": 2, "shared": 3}
    both = python_of(main=main, three="import shared\nx = f'{1}'", shared=HALF)
    assert both == {"main": 2, "three": 3, "shared": 3}


@pytest.mark.parametrize(
    ("first", "python"),
    [
        ("# café\n", 3),
        ("\n\n# coding: utf-8\n# café\n", 3),
        ("# coding: utf-8\n# café\n", 2),
        ("\ufeff# é\n", 2),
    ],
    ids=["no encoding", "an encoding too late", "an encoding", "a byte order mark"],
)
def test_python_2_takes_no_characters_beyond_ascii_without_an_encoding(first: str, python: int) -> None:
    assert python_of(main="import shared\nprint 1", shared=first + HALF) == {"main": 2, "shared": python}


@pytest.mark.parametrize(
    "main",
    [
        "import helpers\nname = f'{helpers}'",
        "try:\n    import helpers\nexcept ImportError:\n    helpers = None",
        "import sys\nif sys.version_info[0] < 3:\n    import helpers",
    ],
    ids=["syntax of Python 3", "either", "for one version"],
)
def test_a_program_for_python_3_stays_one(main: str) -> None:
    assert python_of(main=main, helpers=PRINTS) == {"main": 3, "helpers": 2}


def test_a_script_in_a_folder_called_as_a_library_is_not_imported(tmp_path: Path) -> None:
    main = MAIN.replace("from helpers import half", "from kafka.producer import KeyedProducer")
    (tmp_path / "spark").mkdir()
    (tmp_path / "spark" / "main.py").write_text(f"{main}print(f'{{1}}')\n")
    (tmp_path / "kafka").mkdir()
    script = "from kafka.producer import KeyedProducer\nprint 'sent'\n"
    (tmp_path / "kafka" / "producer.py").write_text(script)
    (graph,) = run([tmp_path], Options()).result.graphs
    assert graph.outcome is Outcome.NATIVE
    assert graph.files == ("spark/main.py",)
    assert not any("Python 2" in note for note in graph.notes)


def test_a_printed_tuple_says_more_than_a_name_of_python_2() -> None:
    named = f"{HALF}\ndef old():\n    return xrange(3)\n"
    assert python_of(main="import helpers\nprint(1)", helpers=named) == {"main": 2, "helpers": 2}
    assert python_of(main="import helpers\nprint(1, 2)", helpers=named) == {"main": 3, "helpers": 2}


def test_its_operators_are_those_of_python_2(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(MAIN)
    (tmp_path / "helpers.py").write_text(PRINTS)
    found = run([tmp_path], Options()).result
    (graph,) = found.graphs
    (main,) = [file for file in found.files if file.path == "main.py"]
    assert graph.outcome is Outcome.NATIVE
    assert "/ 2" not in (main.new or "").replace("// 2", "")
    assert any("main.py, which Python 3 can parse, was taken for Python 2" in note for note in graph.notes)


def test_of_many_files_the_first_are_explained(tmp_path: Path) -> None:
    names = [f"part{number}" for number in range(5)]
    (tmp_path / "main.py").write_text("".join(f"import {name}\n" for name in names) + "print 1\n" + MAIN)
    (tmp_path / "helpers.py").write_text(PRINTS)
    for name in names:
        (tmp_path / f"{name}.py").write_text(HALF)
    (graph,) = run([tmp_path], Options()).result.graphs
    known = [note for note in graph.notes if "was taken for Python 2" in note]
    assert len(known) == 3
    assert "so were part3.py, part4.py" in graph.notes


@pytest.mark.parametrize(
    ("encoded", "fails"), [("text.encode('utf-8')", True), ("text.encode('ascii', 'ignore')", False)]
)
def test_what_fails_beyond_ascii_is_to_be_changed_in_all_its_modules(
    tmp_path: Path, encoded: str, fails: bool
) -> None:
    (tmp_path / "main.py").write_text(f"{MAIN}from helpers import written\nprint written(u'a')\n")
    written = f"def written(text):\n    return '{{0}}|'.format({encoded}).replace('a', 'b')\n"
    (tmp_path / "helpers.py").write_text(f"{PRINTS}\n{written}")
    (graph,) = run([tmp_path], Options()).result.graphs
    assert graph.outcome is Outcome.NATIVE, graph.reasons
    assert any("fails at text beyond ASCII here" in one for one in graph.must_change) is fails
