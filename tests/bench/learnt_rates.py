"""How many native programs keep RDD code, before and after `learn`, and what `verify` says of them.

    python -m tests.bench.learnt_rates DIRECTORY [--samples FOLDER] [--only NAME...] [--json FILE]

DIRECTORY holds a directory for each repository. A native program with RDD code is copied, runs under `learn
--hold-out` on the file FOLDER/REPOSITORY/PATH.txt, or on made-up input (`made_samples.py`), is rewritten with
the facts, and compared with the old one by `verify --hold-out` on the lines that were held out. Packages that
are not installed are stood in for.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from migrate.facts.file import NAME, by_place
from migrate.model import Options, Outcome, Result, Tier
from migrate.run import run
from migrate.verify.imported import imported
from tests.bench.made_samples import sample
from tests.bench.program_runs import (
    DIFFERENT,
    EQUAL,
    NOT_RUN,
    OUTCOMES,
    arguments_of,
    command,
    copied,
    entry,
    natives,
    not_installed,
    parser,
    repositories,
    share,
    tell_errors,
    text_of,
)

SHARE = "0.3"


@dataclass
class Program:
    """What became of a native program with RDD code.

    Attributes:
        repository: the directory.
        path: the file that is run.
        files: all that it spans.
        sites: stages of RDD code without facts, with their reasons.
        left: those with facts; as many as before where it could not be run.
        verified: equal, different or not runnable.
        remark: why, in the tool's words.
        made: whether its input is made up.
    """

    repository: str
    path: str
    files: tuple[str, ...]
    sites: list[str]
    left: list[str]
    verified: str = NOT_RUN
    remark: str = ""
    made: bool = True


def rdd_sites(result: Result, graph: str) -> list[str]:
    """The stages of RDD code of a graph, with their reasons."""
    return [f"{s.operator}: {s.reason}" for s in result.sites if s.graph == graph and s.tier is Tier.RDD]


def tried(program: Program, repository: Path, samples: Path | None) -> None:
    """Learn, rewrite and verify a program; fills in what became of it."""
    with tempfile.TemporaryDirectory(prefix="learnt-rates-") as made:
        old, new = (Path(made) / name / repository.name for name in ("old", "new"))
        for copy in (old, new):
            copied(repository, copy)
        place = old / program.path
        text = text_of(place)
        given = samples / repository.name / f"{program.path}.txt" if samples is not None else None
        source = Path(made) / "sample.txt"
        if given is not None and given.is_file():
            shutil.copyfile(given, source)
            program.made = False
        else:
            source.write_text(sample(text, *imported(place)))
        how = ["--cwd", str(place.parent), "--input", str(source), "--hold-out", SHARE, "--batches", "3"]
        for package in not_installed(place):
            how += ["--stand-in", package]
        end = ["--", *arguments_of(text)]
        code, said = command("learn", str(place), "--facts", str(old / NAME), *how, *end)
        if code:
            program.remark = f"learn: {said}"
            return
        shutil.copyfile(old / NAME, new / NAME)
        files = [new / path for path in program.files]
        with_facts = run(files, Options(facts=by_place(new / NAME))).result
        graph = next((g for g in with_facts.graphs if g.outcome is Outcome.NATIVE), None)
        if graph is None:
            program.remark = "not native by itself"
            return
        program.left = rdd_sites(with_facts, graph.id)
        command("rewrite", *map(str, files), "--facts", str(new / NAME), "--force")
        code, said = command("verify", str(place), str(new / program.path), *how, *end)
        program.verified = OUTCOMES.get(code, NOT_RUN)
        if program.verified != EQUAL:
            program.remark = f"verify: {said}"


def found_in(repository: Path) -> tuple[int, list[Program]]:
    """The native programs in files of a repository, and those among them with RDD code."""
    result = run([repository], Options()).result
    native = natives(result)
    programs = []
    for graph in native:
        sites = rdd_sites(result, graph.id)
        if sites:
            path = entry(repository, graph.files)
            programs.append(Program(repository.name, path, graph.files, sites, sites))
    return len(native), programs


def table(native: int, programs: list[Program]) -> Table:
    """All figures."""
    rows = Table("native programs in files", str(native))
    before, after = len(programs), sum(bool(program.left) for program in programs)
    verified = Counter(program.verified for program in programs)
    rows.add_row("with RDD code", share(before, native))
    rows.add_row("with RDD code after learn", share(after, native))
    for kind in (EQUAL, DIFFERENT, NOT_RUN):
        rows.add_row(f"of those with RDD code before, verified {kind}", str(verified[kind]))
    return rows


def main() -> None:
    """Try all programs and print two tables."""
    options = parser(__doc__)
    options.add_argument("--samples", type=Path, help="input that somebody wrote: REPOSITORY/PATH.txt")
    options.add_argument("--count", action="store_true", help="run nothing: only what stands before learn")
    chosen = options.parse_args()
    native = 0
    programs: list[Program] = []
    each = Table("program", "RDD code", "after", "verified", "remark")
    console = Console()
    for repository in repositories(chosen):
        number, found = found_in(repository)
        native += number
        for program in found:
            if not chosen.count:
                tell_errors(program, partial(tried, program, repository, chosen.samples))
            counts = (str(len(program.sites)), str(len(program.left)))
            each.add_row(f"{program.repository}/{program.path}", *counts, program.verified, program.remark)
            print(program, flush=True)
        programs += found
    console.print(each)
    console.print(table(native, programs))
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(program) for program in programs], indent=1))


if __name__ == "__main__":
    main()
