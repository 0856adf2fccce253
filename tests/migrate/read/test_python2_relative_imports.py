"""Imports that only Python 2 finds, beside the importing module in its package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from migrate.model import Module, Options, Outcome
from migrate.read.parse import of_one_python, parse_bytes
from migrate.run import run

MAIN = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from tools import shown
sc = SparkContext(appName="Old")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(shown).pprint()
ssc.start()
ssc.awaitTermination()
"""
SHOWN = "def shown(text):\n    return '<%s>' % text\n"
PRINTS = "def told():\n    print 'told'\n"
NOTHING = ""


def modules_of(files: dict[str, str]) -> dict[str, Module]:
    """The modules of a project as they go to Python 3, by their paths."""
    found: list[Module] = []
    for path, text in files.items():
        module = parse_bytes(text.encode(), Path("/nowhere") / path, path)
        assert isinstance(module, Module)
        found.append(module)
    return {module.relative: module for module in of_one_python(found)}


def in_package(text: str, **others: str) -> str:
    """A module of a package that a script above it imports, in Python 3."""
    files = {
        "main.py": "from tools import names\nprint 1\n",
        "tools/__init__.py": "",
        "tools/texts.py": "a = 1\n",
        "tools/names.py": f"print 2\n{text}\n",
        **{f"tools/{path.replace('_in_', '/')}.py": source for path, source in others.items()},
    }
    return modules_of(files)["tools/names.py"].source.removeprefix("print(2)\n").removesuffix("\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from texts import *", "from .texts import *"),
        ("from  texts import a  # one", "from  .texts import a  # one"),
        ("from texts import (\n    a,\n    b)", "from .texts import (\n    a,\n    b)"),
        ("import texts", "from . import texts"),
        ("import texts as t", "from . import texts as t"),
        ("import os, texts, json", "import os\nfrom . import texts\nimport json"),
        ("if a:\n    import texts, os", "if a:\n    from . import texts\n    import os"),
        ("if a: import texts, os", "if a: from . import texts; import os"),
        (
            "def f():\n    import texts\n    return texts.a",
            "def f():\n    from . import texts\n    return texts.a",
        ),
        (
            "try:\n    import texts\nexcept ImportError:\n    pass",
            "try:\n    from . import texts\nexcept ImportError:\n    pass",
        ),
        ("from inner.words import a", "from .inner.words import a"),
        ("import inner.words as w", "from .inner import words as w"),
        (
            "import inner.words\na = inner.words.b",
            "from . import inner\nfrom .inner import words\na = inner.words.b",
        ),
    ],
)
def test_an_import_from_the_own_package_gets_a_dot(old: str, new: str) -> None:
    assert in_package(old, inner_in___init__="", inner_in_words="b = 1\n") == new


@pytest.mark.parametrize(
    "text",
    [
        "import os",
        "from .texts import a",
        "from tools.texts import a",
        "from __future__ import absolute_import\nimport texts",
        "import inner.words\nwords = 3",
    ],
)
def test_others_stay(text: str) -> None:
    assert in_package(text, inner_in___init__="", inner_in_words="") == text


def test_a_module_that_hides_an_installed_one_is_the_own_one() -> None:
    assert in_package("import string", string="a = 1\n") == "from . import string"


@pytest.mark.parametrize(
    ("package", "is_hidden"),
    [
        ("texts = 3\n", True),
        ("def texts(): pass\n", True),
        ("from texts import texts\n", True),
        ("from other import *\n", True),
        ("import texts\n", False),
        ("from texts import a\n", False),
        ("def f():\n    texts = 3\n", False),
    ],
)
def test_a_package_may_have_another_value_by_the_name_of_its_module(package: str, is_hidden: bool) -> None:
    new = in_package("import texts", __init__=package, other="texts = 3\n")
    assert new == ("import texts" if is_hidden else "from . import texts")
    assert in_package("from texts import a", __init__=package, other="") == "from .texts import a"


def test_a_script_finds_what_lies_beside_it() -> None:
    files = {
        "jobs/__init__.py": "",
        "jobs/main.py": "import texts\nprint 1\n",
        "jobs/texts.py": "import words\n",
    }
    files["jobs/words.py"] = "print 2\n"
    found = modules_of(files)
    assert found["jobs/main.py"].source == "import texts\nprint(1)\n"
    assert found["jobs/texts.py"].source == "import words\n"


def test_a_script_that_only_tests_import_stays_one() -> None:
    main = "import texts\nfrom pyspark.streaming import StreamingContext\nprint 1\n"
    files = {
        "jobs/__init__.py": "",
        "jobs/main.py": main,
        "jobs/texts.py": "",
        "tests/test_main.py": "import jobs.main\n",
    }
    assert modules_of(files)["jobs/main.py"].source.startswith("import texts\n")


def test_a_folder_that_is_no_package_has_no_dots() -> None:
    files = {
        "main.py": "import tools.names\nprint 1\n",
        "tools/names.py": "import texts\n",
        "tools/texts.py": "",
    }
    assert modules_of(files)["tools/names.py"].source == "import texts\n"


def test_the_import_says_that_it_is_python_2() -> None:
    files = {"main.py": MAIN, "tools/__init__.py": "from texts import *\n", "tools/texts.py": SHOWN}
    found = modules_of(files)
    assert {path: module.python for path, module in found.items()} == dict.fromkeys(files, 2)
    assert found["tools/__init__.py"].source == "from .texts import *\n"
    of_3 = {**files, "tools/texts.py": f"{SHOWN}a = f'{{1}}'\n"}
    with_path = {**files, "main.py": f"import sys\nsys.path.append('tools')\n{MAIN}"}
    for others in (of_3, with_path):
        assert modules_of(others)["tools/__init__.py"].source == "from texts import *\n"
    installed = {**files, "tools/__init__.py": "import redis\n", "tools/redis.py": SHOWN}
    assert modules_of(installed)["tools/__init__.py"].python == 3


def test_a_program_can_be_imported_whole(tmp_path: Path) -> None:
    files = {
        "main.py": MAIN,
        "tools/__init__.py": "from texts import *\nimport rules\n",
        "tools/texts.py": f"import marks\n{SHOWN}{PRINTS}",
        "tools/marks.py": "a = 1\n",
        "tools/rules/__init__.py": "from first import *\n",
        "tools/rules/first.py": "def rule(x):\n    return __import__('named').found(x)\n",
        "named/__init__.py": "from deep import found\n",
        "named/deep.py": "def found(x):\n    return x\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    found = run([tmp_path], Options()).result
    assert [graph.outcome for graph in found.graphs] == [Outcome.NATIVE]
    for file in found.files:
        (tmp_path / file.path).write_text(file.new or "")
    code = "import tools; assert tools.rules.rule(tools.shown('a')) == '<a>'"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


def test_a_line_that_becomes_two_keeps_the_places() -> None:
    files = {
        "main.py": "import tools.names\nprint 1\n",
        "tools/__init__.py": "",
        "tools/texts.py": "",
        "tools/names.py": "print 2\nimport os, texts\nprint 3\n",
    }
    module = modules_of(files)["tools/names.py"]
    assert module.source == "print(2)\nimport os\nfrom . import texts\nprint(3)\n"
    assert [module.place(line).line for line in (1, 2, 3, 4)] == [1, 2, 2, 3]
