"""Variables of the project's other modules, in functions of elements."""

from __future__ import annotations

import pytest

from migrate.migration import migrate
from migrate.model import Options
from tests.migrate.programs import SOCKET, module

JOB = "from settings import TAGS\n" + SOCKET.format(body="lines.filter(lambda x: x in TAGS).pprint()\n{}")


def rewritten(settings: str, after: str = "", other: str = "", job: str = JOB) -> str:
    """The new text of a program beside its settings and another program."""
    files = {"job.py": job.format(after), "settings.py": settings, "other.py": other}
    result = migrate([module(text, path) for path, text in files.items()], Options())
    return next(file.new for file in result.files if file.path == "job.py")


@pytest.mark.parametrize(
    "settings",
    [
        "TAGS = ['a', 'b']",
        "import sys\nTAGS = sys.argv[1:]",
        "TAGS = []\nfor line in open('tags'):\n    TAGS.append(line.strip())",
        "TAGS = 'a b'\nTAGS = TAGS.split()",
        "import os\nTAGS = os.environ['TAGS'].split(',')",
    ],
)
def test_it_is_read_by_its_name(settings: str) -> None:
    new = rewritten(settings)
    assert "from settings import TAGS" in new
    assert "batch.rdd" not in new


def test_a_name_that_its_module_does_not_have_is_read_by_nothing() -> None:
    """The import fails, in the old program and in the new one."""
    assert "batch.rdd" not in rewritten("LABELS = ['a']")
    files = {"jobs/job.py": JOB.format(""), "settings.py": "LABELS = ['a']"}  # another one may be installed
    result = migrate([module(text, path) for path, text in files.items()], Options())
    assert any("batch.rdd" in file.new for file in result.files)


@pytest.mark.parametrize(
    ("settings", "after", "other"),
    [
        ("TAGS = unknown()", "", ""),
        ("from tags import *", "", ""),
        ("globals().update(TAGS=1)", "", ""),
        ("TAGS = ['a']\ndef more(tag):\n    TAGS.append(tag)", "", ""),
        ("TAGS = ['a']\ndef more():\n    global TAGS\n    TAGS = []", "", ""),
        ("TAGS = ['a']", "TAGS.append('b')", ""),
        ("TAGS = ['a']", "import settings\nsettings.TAGS = ['b']", ""),
        ("TAGS = ['a']", "", "import settings\nsettings.TAGS.append('b')"),
        ("TAGS = ['a']", "", "from settings import TAGS as tags\ntags.append('b')"),
    ],
    ids=[
        *("of no known value", "starred", "made by its name", "changed there", "bound again there"),
        *("changed here", "bound from here", "changed by another", "changed under another name"),
    ],
)
def test_what_a_module_may_change_is_not(settings: str, after: str, other: str) -> None:
    assert "batch.rdd" in rewritten(settings, after, other)
