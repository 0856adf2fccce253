"""How many native programs give the same, old and new, on made-up input.

    python -m tests.bench.verified DIRECTORY [--only NAME...] [--json FILE]

DIRECTORY holds a directory for each repository. Each native program in files is copied with its repository,
rewritten there, and compared with the old one by `verify` on input that is made up (`made_samples.py`). A
program that needs other files or hosts is counted as not runnable, with the end of what was said.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from migrate.model import Options
from migrate.run import run
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

UNPROVEN = "not proven"
"""In what `verify` says where no batch of either program came to its end."""


@dataclass
class Program:
    """What became of a native program.

    Attributes:
        repository: the directory.
        path: the file that is run.
        verified: equal, different or not runnable.
        remark: the end of what `verify` said of one that is not equal.
    """

    repository: str
    path: str
    verified: str = NOT_RUN
    remark: str = ""


def found_in(repository: Path) -> list[Program]:
    """The native programs in files of a repository."""
    graphs = natives(run([repository], Options()).result)
    paths = dict.fromkeys(entry(repository, graph.files) for graph in graphs)
    return [Program(repository.name, path) for path in paths]


def compare(program: Program, repository: Path) -> None:
    """Rewrite a copy of a program, and run it beside the old one; fills in what became of it."""
    with tempfile.TemporaryDirectory(prefix="verified-") as made:
        old, new = (Path(made) / name / repository.name for name in ("old", "new"))
        for copy in (old, new):
            copied(repository, copy)
        place = old / program.path
        text = text_of(place)
        lines = Path(made) / "sample.txt"
        lines.write_text(sample(text))
        command("rewrite", str(new), "--force")
        how = ["--cwd", str(place.parent), "--input", str(lines), "--batches", "3"]
        for package in not_installed(place):
            how += ["--stand-in", package]
        code, said = command("verify", str(place), str(new / program.path), *how, "--", *arguments_of(text))
        program.verified = NOT_RUN if UNPROVEN in said else OUTCOMES.get(code, NOT_RUN)
        if program.verified != EQUAL:
            program.remark = said


def main() -> None:
    """Compare all programs and print two tables."""
    chosen = parser(__doc__).parse_args()
    console = Console()
    programs: list[Program] = []
    each = Table("program", "verified", "remark")
    for repository in repositories(chosen):
        for program in found_in(repository):
            tell_errors(program, partial(compare, program, repository))
            each.add_row(f"{program.repository}/{program.path}", program.verified, program.remark)
            print(program, flush=True)
            programs.append(program)
    console.print(each)
    verified = Counter(program.verified for program in programs)
    rows = Table("native programs in files", str(len(programs)))
    for kind in (EQUAL, DIFFERENT, NOT_RUN):
        rows.add_row(kind, share(verified[kind], len(programs)))
    console.print(rows)
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(program) for program in programs], indent=1))


if __name__ == "__main__":
    main()
