"""PySpark's own examples: rewritten, then run on real sockets and directories, nothing of ours in between."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from migrate.model import Options, Outcome
from migrate.run import run
from migrate.write.files import write
from tests.e2e.processes import EXAMPLES, Program, Server, drop

pytestmark = pytest.mark.timeout(600)  # several Sparks start at once

NATIVE = (
    *("hdfs_wordcount", "network_wordcount", "network_wordjoinsentiments"),
    *("sql_network_wordcount", "stateful_network_wordcount"),
)
OTHERS = ("queue_stream", "recoverable_network_wordcount")
FEW = ("network_wordcount", "stateful_network_wordcount", "queue_stream")
REST = tuple(name for name in (*NATIVE, *OTHERS) if name not in FEW)

# Those that are run together; each Spark takes its time to start.
of_few = pytest.mark.parametrize("running", [FEW], indirect=True, ids=["few"])
of_rest = pytest.mark.parametrize(
    "running", [pytest.param(REST, marks=pytest.mark.full)], indirect=True, ids=["rest"]
)

TEXTS = (["alpha beta", "alpha gamma alpha"], ["beta", "delta alpha"], ["gamma gamma", "epsilon"])
SENT = dict(Counter(" ".join(line for text in TEXTS for line in text).split()))
SENTIMENTS = ["alpha 3", "beta -2", "gamma 1"]


@pytest.fixture(scope="module")
def rewritten(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples as the codemod writes them."""
    directory = tmp_path_factory.mktemp("examples")
    for name in (*NATIVE, *OTHERS):
        shutil.copy(EXAMPLES / f"{name}.py", directory)
    planned = run([directory], Options())
    written = write(planned.result, planned.base)
    assert sorted(written.files) == sorted(f"{name}.py" for name in (*NATIVE, *OTHERS))
    return directory


@pytest.fixture(scope="module")
def running(
    request: pytest.FixtureRequest, rewritten: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Program]]:
    """Some of them at work at once, each fed with `TEXTS`."""
    work = tmp_path_factory.mktemp("work")
    (work / "in").mkdir()
    (work / "data" / "streaming").mkdir(parents=True)
    (work / "data" / "streaming" / "AFINN-111.txt").write_text("".join(f"{s}\n" for s in SENTIMENTS))
    server = Server()
    arguments: dict[str, tuple[object, ...]] = {
        "hdfs_wordcount": (work / "in",),
        "queue_stream": (),
        "recoverable_network_wordcount": ("127.0.0.1", server.port, work / "checkpoint", work / "out"),
    }
    programs = {
        name: Program(rewritten / f"{name}.py", *arguments.get(name, ("127.0.0.1", server.port)), work=work)
        for name in request.param
    }
    try:
        _feed(programs, server, work / "in")
        yield programs
    finally:
        for program in programs.values():
            program.kill()
        server.close()


def _feed(programs: dict[str, Program], server: Server, watched: Path) -> None:
    """Send `TEXTS` when all are connected, and to the directory when the program there listens."""
    on_socket = [p for name, p in programs.items() if name not in ("hdfs_wordcount", "queue_stream")]
    for program in on_socket:
        program.wait(lambda: server.accepted == len(on_socket), "a connection")
    for text in TEXTS:
        server.send(*text)
    listening = programs.get("hdfs_wordcount")
    if listening is None:
        return
    names = (f"ready{number}.txt" for number in range(1000))

    def ready() -> bool:
        drop(watched, next(names), ["ready"])
        return "ready" in listening.sums()

    listening.wait(ready, "a sign of life", every=1.0)
    for number, text in enumerate(TEXTS):
        drop(watched, f"{number}.txt", text)


def test_outcomes(rewritten: Path) -> None:
    shutil.copytree(EXAMPLES, rewritten.parent / "again", dirs_exist_ok=True)
    graphs = run([rewritten.parent / "again"], Options()).result.graphs
    outcomes = {Path(file).stem: graph.outcome for graph in graphs for file in graph.files}
    assert {name: outcomes[name] for name in NATIVE} == dict.fromkeys(NATIVE, Outcome.NATIVE)
    assert {outcomes[name] for name in OTHERS} <= {Outcome.NATIVE, Outcome.COMPAT}


def test_rewritten_examples_are_left_alone(rewritten: Path) -> None:
    assert not any(file.changed for file in run([rewritten], Options()).result.files)


def check_sums(program: Program) -> None:
    program.wait(lambda: {**program.sums(), "ready": 0} == {**SENT, "ready": 0}, f"{SENT}")


@of_few
def test_the_counts_of_all_batches_add_up(running: dict[str, Program]) -> None:
    check_sums(running["network_wordcount"])


@of_rest
@pytest.mark.parametrize("name", ["hdfs_wordcount", "sql_network_wordcount"])
def test_the_counts_of_all_batches_add_up_too(running: dict[str, Program], name: str) -> None:
    check_sums(running[name])


@of_few
def test_the_running_count_goes_on_from_its_initial_state(running: dict[str, Program]) -> None:
    program = running["stateful_network_wordcount"]
    program.wait(lambda: program.last() == {"hello": 1, "world": 1, **SENT}, "the totals")


@of_rest
def test_the_recoverable_count(running: dict[str, Program]) -> None:
    program = running["recoverable_network_wordcount"]

    def counted() -> dict[str, int]:
        total: Counter[str] = Counter()
        for line in program.printed.splitlines():
            if line.startswith("Counts at time"):
                total.update(dict(_pairs(line)))
        return dict(total)

    program.wait(lambda: counted() == SENT, f"{SENT}")


def _pairs(line: str) -> list[tuple[str, int]]:
    listed = line[line.index("[") + 1 : line.rindex("]")]
    parts = [part.strip("()").split(", ") for part in listed.split("), (")] if listed else []
    return [(word.strip("'"), int(number)) for word, number in parts]


@of_rest
def test_the_happiest_words(running: dict[str, Program]) -> None:
    program = running["network_wordjoinsentiments"]
    program.wait(lambda: "happiness" in program.printed, "a word")
    happy = {line.split(" (")[0] for line in program.printed.splitlines() if line.endswith("happiness)")}
    assert happy <= {"alpha", "beta", "gamma"}


@of_few
def test_the_queue_comes_to_its_end(running: dict[str, Program]) -> None:
    program = running["queue_stream"]
    program.wait(lambda: program.process.poll() is not None, "an end")
    assert program.process.returncode == 0, program.errors[-2000:]
    rows = Counter(re.findall(r"^\|(\d) *\|(\d+) *\|$", program.printed, re.MULTILINE))
    assert rows == {(f"{number}", "100"): 5 for number in range(10)}
