"""Programs that the report calls ready for Spark Connect, on a server of it that PySpark starts for them."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyspark
import pytest

from migrate.demo.samples import directory
from migrate.model import Options
from migrate.run import run
from migrate.write.files import write
from tests.e2e.processes import EXAMPLES, ROW, Program, Server, drop

pytest.importorskip("grpc", reason="needs pyspark[connect]")
if pyspark.__version__ < "4":
    pytest.skip("PySpark 3.5 does not bring the server of Spark Connect", allow_module_level=True)
pytestmark = pytest.mark.timeout(600)

TEXTS = (["alpha beta", "alpha gamma alpha"], ["beta", "delta alpha"], ["gamma gamma", "epsilon"])
SENT = dict(Counter(" ".join(line for text in TEXTS for line in text).split()))
LENGTHS = re.compile(r"^\|\s*\d+\|\s*(\d+)\|\s*\d+\|$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """A program that is ready, and how to see that it has done its work."""

    path: Path
    done: Callable[[Program], bool]
    watches: bool = False
    """Whether it reads a directory, and not a socket."""
    before: str = ""
    """What stands before each text for the program to look at it."""


def sums(program: Program) -> dict[str, int]:
    """The numbers that batch functions printed for each word, added up: the server's errors have them."""
    total: Counter[str] = Counter()
    for match in ROW.finditer(program.errors):
        total[match[3]] += int(match[4])
    return dict(total)


def counted(program: Program) -> bool:
    return {**sums(program), "ready": 0} == {**SENT, "ready": 0}


def measured(program: Program) -> bool:
    return sum(map(int, LENGTHS.findall(program.errors))) == sum(SENT.values())


def running(program: Program) -> bool:
    """Whether the last number of each word is that of all texts: states begin with other words."""
    last = {match[3]: int(match[4]) for match in ROW.finditer(program.errors)}
    return {word: last.get(word) for word in SENT} == SENT


def imported(program: Program) -> bool:
    first = Counter(line.partition(" ")[0] for text in TEXTS for line in text)
    return {**sums(program), "ready": 0} == {**first, "ready": 0}


CASES = {
    "network_wordcount": Case(EXAMPLES / "network_wordcount.py", counted),
    "sql_network_wordcount": Case(EXAMPLES / "sql_network_wordcount.py", counted),
    "stateful_network_wordcount": Case(EXAMPLES / "stateful_network_wordcount.py", running),
    "running_count": Case(directory() / "legacy" / "running_count.py", running),
    "hdfs_wordcount": Case(EXAMPLES / "hdfs_wordcount.py", counted, watches=True),
    "sql_report": Case(directory() / "legacy" / "sql_report.py", measured),
    "word_count": Case(directory() / "legacy" / "word_count.py", counted),
    "import_watch": Case(
        directory() / "legacy" / "import_watch.py", imported, watches=True, before="import "
    ),
}
OF_KAFKA = {"page_hits.py"}
"""Those that are ready, too, and need a broker and a server that has Spark's connector."""
FEW = ("network_wordcount",)


@pytest.fixture(scope="module")
def rewritten(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples and PySpark's examples that are ready for Spark Connect, as the codemod writes them."""
    programs = tmp_path_factory.mktemp("programs")
    for path in (*EXAMPLES.glob("*.py"), *(directory() / "legacy").glob("*.py")):
        shutil.copy(path, programs)
    planned = run([programs], Options())
    ready = {file for graph in planned.result.graphs if graph.is_ready for file in graph.files}
    assert ready == {f"{name}.py" for name in CASES} | OF_KAFKA, (
        "every other program that is ready is run here"
    )
    write(planned.result, planned.base)
    return programs


@pytest.fixture
def server() -> Iterator[Server]:
    text_server = Server()
    yield text_server
    text_server.close()


@pytest.mark.parametrize(
    "name", [name if name in FEW else pytest.param(name, marks=pytest.mark.full) for name in CASES]
)
def test_it_runs_on_spark_connect(name: str, rewritten: Path, server: Server, tmp_path: Path) -> None:
    case = CASES[name]
    watched = tmp_path / "in"
    watched.mkdir()
    given = (watched,) if case.watches else ("127.0.0.1", server.port)
    program = Program(
        rewritten / f"{name}.py",
        *given,
        work=tmp_path,
        SPARK_REMOTE="local[2]",
        SPARK_TESTING="1",  # a port of its own
        PYSPARK_SUBMIT_ARGS=(
            "--conf spark.ui.enabled=false --conf spark.ui.showConsoleProgress=false pyspark-shell"
        ),
    )
    try:
        if case.watches:
            names = (f"ready{number}.txt" for number in range(1000))

            def listens() -> bool:
                drop(watched, next(names), [f"{case.before}ready"])
                return "ready" in sums(program)

            program.wait(listens, "a sign of life", every=1.0)
        else:
            program.wait(lambda: server.accepted == 1, "a connection")
        for number, lines in enumerate(TEXTS):
            text = [case.before + line for line in lines]
            drop(watched, f"{number}.txt", text) if case.watches else server.send(*text)
        program.wait(lambda: case.done(program), f"{SENT}")
    finally:
        program.kill()
