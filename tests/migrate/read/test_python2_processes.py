from __future__ import annotations

import pytest

from migrate.read.python2 import notes_on_2
from migrate.read.python2.notes import PROCESSES
from tests.migrate.read.test_python2 import module


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("out = subprocess.check_output(['ls'])", "out = subprocess.check_output(['ls'], text=True)"),
        (
            "p = subprocess.Popen('ls', shell=True,\n    stdout=subprocess.PIPE,\n)\nx = p.stdout",
            "p = subprocess.Popen('ls', shell=True,\n    stdout=subprocess.PIPE, text=True,\n)\nx = p.stdout",
        ),
        (
            "from subprocess import Popen as P, PIPE\nout, _ = P('ls', stdout=PIPE).communicate()",
            "from subprocess import Popen as P, PIPE\nout, _ = P('ls', stdout=PIPE, text=True).communicate()",
        ),
    ],
)
def test_what_a_process_writes_is_read_as_text(old: str, new: str) -> None:
    found = module(f"import subprocess\n{old}\nprint 1")
    assert found.source == f"import subprocess\n{new}\nprint(1)"
    assert PROCESSES in list(notes_on_2(found))


@pytest.mark.parametrize(
    "code",
    [
        "subprocess.Popen('ls')",
        "import sys\np = subprocess.Popen('ls', stdout=subprocess.PIPE)\nsys.stdout.write('a')",
        "subprocess.call(['ls'])",
        "out = subprocess.check_output(['ls'], universal_newlines=True)",
        "out = subprocess.check_output(*command)",
        "out = subprocess.check_output(['ls'], **options)",
        "out = check_output(['ls'])",
        "out = subprocess.check_output(['ls'])\nx = out.decode('utf-8')",
        "import base64\nout = base64.b64encode(subprocess.check_output(['ls']))",
    ],
)
def test_what_is_not_read_or_is_decoded_stays(code: str) -> None:
    found = module(f"import subprocess\n{code}\nprint 1")
    assert "text=True" not in found.source
    assert PROCESSES not in list(notes_on_2(found))
