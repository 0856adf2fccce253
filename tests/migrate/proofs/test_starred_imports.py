"""Names that a module imports itself, and gets by a star import of the project, too."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options
from tests.migrate.programs import SOCKET, module

OWN = "from datetime import datetime\nimport json\n"
BODY = (
    'lines.map(lambda line: json.loads(line)["name"]).pprint()\n'
    "lines.foreachRDD(lambda time, rdd: print(time, rdd.count()))"
)


def rewritten(helpers: str, head: str) -> str:
    """The new text of a program beside a module of which it imports everything."""
    files = {"job.py": head + SOCKET.format(body=BODY), "helpers.py": helpers}
    result = migrate([module(text, path) for path, text in files.items()], Options())
    return next(file.new for file in result.files if file.path == "job.py")


@pytest.mark.parametrize(
    "head",
    [
        "from helpers import *\n" + OWN,
        "from helpers import *\n" + OWN + "from pyspark.sql.types import *\n",
    ],
    ids=["below the star", "above a star that brings in none of them"],
)
def test_an_import_of_the_same_leaves_the_name_its_meaning(head: str) -> None:
    new = rewritten("import json\nfrom datetime import datetime, timedelta\n", head)
    assert "batch_time = datetime.now()" in new


@pytest.mark.parametrize(
    ("helpers", "head"),
    [
        ("import datetime\n", "from helpers import *\n" + OWN),
        ("def datetime():\n    pass\n", "from helpers import *\n" + OWN),
        ("from datetime import datetime\n", OWN + "from helpers import *\n"),
        (
            "from datetime import datetime\n",
            "from helpers import *\ntry:\n    from datetime import datetime\nexcept:\n    pass\n",
        ),
    ],
    ids=["the module", "a function", "a star below", "an import that may fail"],
)
def test_another_meaning_is_no_time(helpers: str, head: str) -> None:
    assert "compat.streaming" in rewritten(helpers, head)


@pytest.mark.parametrize(
    ("star", "body", "is_column"),
    [
        ("pyspark.sql.functions", "lines.map(lambda line: int(line) + len(line)).pprint()", True),
        ("sqlalchemy", "lines.map(lambda line: int(line) + len(line)).pprint()", True),
        ("pyspark.sql.functions", "lines.map(lambda line: abs(int(line))).reduce(max).pprint()", False),
        ("numpy", "lines.filter(lambda line: max(line, 'b') == line).pprint()", False),
        ("somewhere", "lines.map(lambda line: int(line) + len(line)).pprint()", False),
    ],
    ids=["functions", "a library", "a name that it brings", "one of another library", "an unknown module"],
)
def test_a_builtin_is_one_where_no_star_import_brings_its_name(star: str, body: str, is_column: bool) -> None:
    text = f"from {star} import *\n" + SOCKET.format(body=body)
    (file,) = migrate([module(text)], Options()).files
    assert (".rdd" not in file.new and "pyspark.streaming" not in file.new) == is_column


def test_a_star_import_of_a_module_beside_is_none_of_a_library() -> None:
    text = "from .sqlalchemy import *\n" + SOCKET.format(body="lines.map(lambda line: int(line)).pprint()")
    file, _ = migrate([module(text, "jobs/job.py"), module("", "jobs/__init__.py")], Options()).files
    assert ".rdd" in file.new


def test_a_function_of_columns_is_not_called_on_the_driver() -> None:
    """``max("a")`` is a column there, and fails on a worker."""
    text = "from pyspark.sql.functions import *\n" + SOCKET.format(
        body="lines.map(lambda line: {line: max(line)}).pprint()"
    )
    (file,) = migrate([module(text)], Options()).files
    assert ".rdd.map(" in file.new
