"""Branches of which nothing is left, as native code needs nothing of what they did, go with their tests."""

from __future__ import annotations

import pytest

from migrate.model import Outcome
from tests.migrate.programs import file, run, socket_program

BRANCHES = {
    "a directory that may be given": "if len(sys.argv) > 2:\n    ssc.checkpoint(sys.argv[2])",
    "one of two": "if debug:\n    ssc.checkpoint('a')\nelse:\n    ssc.checkpoint('b')",
    "one of three": (
        "if debug:\n    ssc.checkpoint('a')\nelif os.path.exists('b'):\n    ssc.checkpoint('b')\n"
        "else:\n    ssc.checkpoint('c')"
    ),
    "inside of another": "if debug:\n    if len(sys.argv) > 2:\n        ssc.checkpoint(sys.argv[2])",
    "one of the environment": "if os.environ.get('DIR'):\n    ssc.checkpoint(os.environ['DIR'])",
    "what is cached": "if debug:\n    lines.cache()\nelse:\n    lines.persist()",
    "what nothing reads": "if debug:\n    pairs = lines.map(lambda line: (line, 1))",
    "what is remembered": "if not debug:\n    pass\nelse:\n    ssc.remember(60)",
    "what may fail": "try:\n    ssc.checkpoint('a')\nexcept OSError:\n    print('no directory')",
}
HEAD = "import os\nimport sys\ndebug = '-d' in sys.argv\n"


@pytest.mark.parametrize("branch", BRANCHES.values(), ids=BRANCHES)
def test_a_branch_of_which_nothing_is_left_goes(branch: str) -> None:
    new = file(socket_program(f"{HEAD}{branch}\nlines.pprint()")).new
    assert not {"if", "try:", "pass", "else:"} & {*str(new).split()}
    assert "writeStream" in str(new)


def test_so_does_a_function_of_which_nothing_else_is_left() -> None:
    source = (
        "import sys\nfrom pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
        "def configure(ssc, path):\n    if path:\n        ssc.checkpoint(path)\n"
        "sc = SparkContext()\nssc = StreamingContext(sc, 1)\nconfigure(ssc, sys.argv[1])\n"
        "ssc.socketTextStream('localhost', 9999).pprint()\nssc.start()\nssc.awaitTermination()\n"
    )
    new = str(file(source).new)
    assert "StreamingContext" not in new
    assert "configure" not in new


def test_the_other_branch_stays_where_it_puts_something_out() -> None:
    body = f"{HEAD}if debug:\n    lines.pprint()\nelse:\n    lines.cache()"
    new = str(file(socket_program(body)).new)
    assert "    if debug:\n        batch.show(10, truncate=False)\n" in new
    assert "else" not in new


@pytest.mark.parametrize("other", ["else:", "elif len(sys.argv) > 2:"])
def test_a_branch_stays_without_its_end_where_that_only_puts_something_out(other: str) -> None:
    body = f"if debug:\n    log = open('log', 'a')\n    lines.pprint()\n{other}\n    lines.count().pprint()"
    result = run(socket_program(HEAD + body))
    assert result.graphs[0].outcome is Outcome.NATIVE, result.graphs[0].reasons
    before, _, batch = str(result.files[0].new).partition("def process_batch")
    assert "if debug:\n    log = open('log', 'a')\n" in before and other not in before
    assert "    if debug:\n        batch.show(10, truncate=False)\n" in batch
    assert f"    {other}\n" in batch and "log" not in batch


ELSES = {
    "else": "if debug:\n    print('debug')\nelse:\n    ssc.checkpoint('a')",
    "elif": "if debug:\n    print('debug')\nelif len(sys.argv) > 2:\n    ssc.checkpoint(sys.argv[2])",
    "both": (
        "if debug:\n    print('debug')\n    ssc.checkpoint('a')\n"
        "elif len(sys.argv) > 2:\n    ssc.checkpoint(sys.argv[2])\nelse:\n    ssc.checkpoint('b')"
    ),
}


@pytest.mark.parametrize("branch", ELSES.values(), ids=ELSES)
def test_an_else_of_which_nothing_is_left_goes(branch: str) -> None:
    new = str(file(socket_program(f"{HEAD}{branch}\nlines.pprint()")).new)
    assert "if debug:\n    print('debug')\nquery = (\n" in new
    assert not {"pass", "else:", "elif"} & {*new.split()}


def test_an_else_that_passes_stays_as_it_was() -> None:
    body = f"{HEAD}if debug:\n    print('debug')\nelse:\n    pass\nlines.pprint()"
    assert "else:\n    pass\n" in str(file(socket_program(body)).new)


@pytest.mark.parametrize(
    "branch",
    [
        "if connect():\n    ssc.checkpoint('a')",
        "import requests\nif requests.get('http://host').ok:\n    ssc.checkpoint('a')",
        "if (path := sys.argv[1]):\n    ssc.checkpoint(path)",
        "if debug:\n    ssc.checkpoint('a')\nelse:\n    print('none')",
        "if debug:\n    print('debug')\nelif connect():\n    ssc.checkpoint('a')",
        "try:\n    ssc.checkpoint('a')\nfinally:\n    print('set')",
    ],
)
def test_what_a_branch_does_beside_is_kept(branch: str) -> None:
    body = f"{HEAD}def connect():\n    print('connected')\n    return True\n{branch}\nlines.pprint()"
    (graph,) = run(socket_program(body)).graphs
    assert graph.outcome is Outcome.COMPAT
