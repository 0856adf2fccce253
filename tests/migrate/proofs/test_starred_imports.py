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
