"""How many native programs give the same, old and new, on made-up input.

    python -m tests.bench.verified DIRECTORY [--only NAME...] [--json FILE]

DIRECTORY holds a directory for each repository. Each native program in files is copied with its repository,
rewritten there, and compared with the old one by `verify` on input that is made up (`made_samples.py`). A
program that needs other packages, files or hosts is counted as not runnable, with the end of what was said.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from migrate.model import Options, Outcome
from migrate.run import run
from migrate.verify.workspace import in_python_3
from tests.bench.made_samples import sample
from tests.bench.program_runs import DIFFERENT, EQUAL, NOT_RUN, OUTCOMES, arguments_of, command, entry, share

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


def natives(repository: Path) -> list[Program]:
    """The native programs in files of a repository."""
    graphs = [
        graph for graph in run([repository], Options()).result.graphs if graph.outcome is Outcome.NATIVE
    ]
    in_files = [graph.files for graph in graphs if not any(path.endswith(".ipynb") for path in graph.files)]
    return [
        Program(repository.name, path)
        for path in dict.fromkeys(entry(repository, files) for files in in_files)
    ]


def compare(program: Program, repository: Path) -> None:
    """Rewrite a copy of a program, and run it beside the old one; fills in what became of it."""
    with tempfile.TemporaryDirectory(prefix="verified-") as made:
        old, new = (Path(made) / name / repository.name for name in ("old", "new"))
        for copy in (old, new):
            shutil.copytree(repository, copy, ignore=shutil.ignore_patterns(".git"), symlinks=True)
        place = old / program.path
        text = (in_python_3(place) or place.read_bytes()).decode("utf-8", "replace")
        lines = Path(made) / "sample.txt"
        lines.write_text(sample(text))
        command("rewrite", str(new), "--force")
        how = ["--cwd", str(place.parent), "--input", str(lines), "--batches", "3"]
        code, said = command("verify", str(place), str(new / program.path), *how, "--", *arguments_of(text))
        program.verified = NOT_RUN if UNPROVEN in said else OUTCOMES.get(code, NOT_RUN)
        if program.verified != EQUAL:
            program.remark = said


def main() -> None:
    """Compare all programs and print two tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("directory", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="names of repositories")
    parser.add_argument("--json", type=Path, help="write all that was found to this file")
    chosen = parser.parse_args()
    console = Console()
    programs: list[Program] = []
    each = Table("program", "verified", "remark")
    for repository in sorted(path for path in chosen.directory.resolve().iterdir() if path.is_dir()):
        if chosen.only and repository.name not in chosen.only:
            continue
        for program in natives(repository):
            try:
                compare(program, repository)
            except (OSError, SyntaxError, ValueError, RecursionError) as error:
                program.remark = f"{type(error).__name__}: {error}"[:200]
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
