from __future__ import annotations

import pytest

from migrate.read import linked as module
from migrate.read.linked import importer, is_seed, linked


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (b"import a.b as c, d\n", {(0, "a.b"), (0, "d")}),
        (b"from a import b as c, d\n", {(0, "a"), (0, "a.b"), (0, "a.d")}),
        (b"  from . import (\n  x,  # note\n  y)\nz\n", {(1, ""), (1, "x"), (1, "y")}),
        (b"from ..a.b import *\r\n", {(2, "a.b")}),
        (b"from .a import(b)\n", {(1, "a"), (1, "a.b")}),
        (b"import a # import b\n", {(0, "a")}),
        (b"importlib\nfromage = 1\nx = 'import'\n", set()),
        (b"x = __import__('data-stream')\n", {(0, "data-stream")}),
        (b'importlib.import_module("a.b"), import_module(".c", __package__)\n', {(0, "a.b"), (1, "c")}),
        (b"__import__(name)\n", set()),
    ],
    ids=[
        *("aliases", "from", "brackets over lines", "star", "no spaces", "comment", "no statement"),
        *("builtin", "importlib", "a variable"),
    ],
)
def test_names_of_imports(text: bytes, names: set[tuple[int, str]]) -> None:
    found = importer("x.py", text).names
    assert {(level, name) for level, name in found if not name.endswith(".")} == names


def test_a_notebook_imports_by_a_call() -> None:
    cell = b'{"cells": [{"source": ["count = import_module(\\"jobs.count\\")\\n"]}]}'
    assert (0, "jobs.count") in importer("x.ipynb", cell).names


FILES = {
    "jobs/count.py": b"from lib import clean\nimport settings\n",
    "jobs/settings.py": b"",
    "jobs/lib/__init__.py": b"",
    "jobs/lib/clean.py": b"from . import table\n",
    "jobs/lib/table.py": b"import json\n",
    "main.py": b"from jobs.count import run\nimport report\n",
    "cli.py": b"import main\n",
    "report.py": b"",
    "other.py": b"from jobs import settings\n",
    "json.py": b"import other\n",
    "settings.py": b"",
}


def groups(seeds: list[str], files: dict[str, bytes] = FILES) -> list[set[str]]:
    others = [path for path in files if path not in seeds]
    return [set(group) for group in linked({path: files[path] for path in seeds}, others, files.get)]


def test_up_from_a_seed_and_down_from_there() -> None:
    assert groups(["jobs/count.py"]) == [
        {
            "jobs/count.py",
            "jobs/lib/__init__.py",  # imported by the seed
            "jobs/lib/clean.py",
            "jobs/settings.py",  # the one beside it, not the one above
            "jobs/lib/table.py",  # imported by what it imports
            "json.py",
            "other.py",
            "main.py",  # imports the seed
            "cli.py",
            "report.py",  # imported by what imports the seed
        }
    ]


def test_a_large_project_is_followed_no_further_than_from_the_files_that_know_of_streams(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "FAR", 3)
    assert groups(["jobs/count.py"]) == [
        {
            "jobs/count.py",
            "jobs/lib/__init__.py",
            "jobs/lib/clean.py",
            "jobs/settings.py",
            "main.py",
            "cli.py",
            "report.py",
        }
    ]


def test_what_shares_an_import_with_a_seed_is_no_part_of_it() -> None:
    assert groups(["seed.py"], {"seed.py": b"import log\n", "log.py": b"", "other.py": b"import log\n"}) == [
        {"seed.py", "log.py"}
    ]


def test_seeds_without_imports_between_them_are_groups_of_their_own() -> None:
    files = {"a.py": b"import x\n", "b.py": b"import a\n", "c.py": b"import y\n", "x.py": b"", "y.py": b""}
    assert groups(["a.py", "b.py", "c.py"], files) == [{"a.py", "b.py", "x.py"}, {"c.py", "y.py"}]


def test_cells_import_too() -> None:
    cell = b'{"source": ["import os\\n",\n "from lib import clean\\n"]}'
    assert groups(["a.ipynb"], {"a.ipynb": cell, "lib.py": b"", "os.ipynb": b""}) == [{"a.ipynb", "lib.py"}]


@pytest.mark.parametrize(
    ("text", "seed"),
    [
        (b"from pyspark.streaming import StreamingContext", True),
        (b"from pyspark import streaming", True),
        (b"from settings import *\nssc.socketTextStream('h', 1)", True),
        (b"stream.foreachRDD(save)", False),  # whoever gives it a stream is joined to it by an import
        (b"lines = ssc.textFileStream(folder)", True),
        (b"spark.readStream.load()", False),
        (b"requests.get(url, stream=True)", False),
    ],
)
def test_seeds(text: bytes, seed: bool) -> None:
    assert is_seed(text) == seed


@pytest.mark.parametrize(
    ("notebook", "run"),
    [
        (b'{"source": ["%run ./lib/clean.py\\n", "x"]}', "lib/clean.py"),
        (b'{"source": ["%run -i \'lib/clean.ipynb\'\\n"]}', "lib/clean.ipynb"),
        (b'{"source": ["%run lib/clean"]}', "lib/clean.py"),
    ],
)
def test_a_notebook_is_joined_to_what_it_runs(notebook: bytes, run: str) -> None:
    files = {"a.ipynb": notebook, run: b"", "clean.py": b""}
    assert groups(["a.ipynb"], files) == [{"a.ipynb", run}]
    assert groups([run], files) == [{"a.ipynb", run}]


def test_nothing_imports_a_notebook() -> None:
    assert groups(["a.py"], {"a.py": b"import clean\n", "clean.ipynb": b""}) == [{"a.py"}]
