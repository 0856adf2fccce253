"""Runs of public programs by the commands of the tool, for benchmarks that count what came out."""

from __future__ import annotations

import argparse
import ast
import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from migrate.model import GraphResult, Outcome, Result
from migrate.verify.imported import imported
from migrate.verify.workspace import in_python_3

PATIENCE = 900
EQUAL, DIFFERENT, NOT_RUN = "equal", "different", "not runnable"
OUTCOMES = {0: EQUAL, 1: DIFFERENT}
"""What the exit codes of `verify` say; with any other the programs were not compared."""


class Remarked(Protocol):
    """A program with a remark on what became of it."""

    remark: str


def arguments_of(text: str) -> list[str]:
    """Arguments for a program that reads `sys.argv`: its host and port, or where its files arrive."""
    numbers = [int(n) for n in re.findall(r"len\(sys\.argv\)\s*(?:!=|<)\s*(\d+)", text)]
    read = [int(n) for n in re.findall(r"sys\.argv\[(\d+)\]", text)]
    unpacked = re.search(r"^\s*(\w+(?:,\s*\w+)*),?\s*=\s*sys\.argv\[1:\]", text, re.MULTILINE)
    names = unpacked[1].split(",") if unpacked else []
    if options := _options_of(text):
        return options
    wanted = max([*(n - 1 for n in numbers), *read, len(names)], default=0)
    as_numbers = {int(n) for n in re.findall(r"int\(sys\.argv\[(\d+)\]\)", text)}
    known = ["{host}", "{port}"] if "socketTextStream" in text else ["{dir}"]
    if "KafkaUtils" in text:
        known = ["localhost:9092", "topic"]
    elif 1 in as_numbers and "socketTextStream" in text:
        known = ["{port}"]
    others = ["10" if at + 1 in as_numbers else "{work}/out" for at in range(wanted)]
    return (known + others[len(known) :])[:wanted]


def _options_of(text: str) -> list[str]:
    """The options that a program must be given, for `argparse`; a rewrite keeps their short names."""
    found: list[str] = []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(ast.Attribute(attr="add_argument"), [*names], keywords) if names:
                given = {keyword.arg: ast.unparse(keyword.value) for keyword in keywords}
                short, long = ast.literal_eval(names[0]), ast.literal_eval(names[-1])
                if given.get("required") == "True" or not short.startswith("-"):
                    found += [short] * short.startswith("-") + [_value_of(long, given.get("type", "str"))]
    return found


def _value_of(option: str, type_: str) -> str:
    if type_ in ("int", "float"):
        return "{port}" if "port" in option else "10"
    known = {
        "topic": "topic",
        "network": "10.0.0.0/8",
        "host": "{host}",
        "port": "{port}",
        "dir": "{dir}",
        "path": "{work}/out",
    }
    named = (value for part, value in known.items() if part in option)
    return next(named, "localhost:9092" if re.search("zoo|zk|broker|kafka", option) else "text")


def not_installed(program: Path) -> list[str]:
    """The packages that a program and its own modules import, and that are neither here nor beside it."""
    names: set[str] = set()
    for text in (text_of(program), *imported(program)):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.split(".")[0])
    beside = program.parent
    own = {name for name in names if (beside / name).is_dir() or (beside / f"{name}.py").is_file()}
    return sorted(name for name in names - own if importlib.util.find_spec(name) is None)


def parser(description: str | None) -> argparse.ArgumentParser:
    """The options that such benchmarks have: where repositories are, which of them, and where to write."""
    made = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("directory", type=Path)
    made.add_argument("--only", nargs="*", default=[], help="names of repositories")
    made.add_argument("--json", type=Path, help="write all that was found to this file")
    return made


def repositories(chosen: argparse.Namespace) -> list[Path]:
    """The directories of the repositories that were asked for."""
    found = sorted(path for path in chosen.directory.resolve().iterdir() if path.is_dir())
    return [path for path in found if not chosen.only or path.name in chosen.only]


def natives(result: Result) -> list[GraphResult]:
    """The native programs in files, which can be run as they are."""
    native = [graph for graph in result.graphs if graph.outcome is Outcome.NATIVE]
    return [graph for graph in native if not any(path.endswith(".ipynb") for path in graph.files)]


def copied(repository: Path, to: Path) -> None:
    """Copy a repository, without its history."""
    shutil.copytree(repository, to, ignore=shutil.ignore_patterns(".git"), symlinks=True)


def text_of(place: Path) -> str:
    """The text of a program, in Python 3."""
    return (in_python_3(place) or place.read_bytes()).decode("utf-8", "replace")


def tell_errors(program: Remarked, run: Callable[[], None]) -> None:
    """Run a program, with an error as the remark on it."""
    try:
        run()
    except (OSError, SyntaxError, ValueError, RecursionError) as error:
        program.remark = f"{type(error).__name__}: {error}"[:200]


def command(*given: str) -> tuple[int, str]:
    """The exit code of a command, and the end of what it said."""
    called = [sys.executable, "-c", "from migrate.cli import main; main()", *given]
    try:
        done = subprocess.run(called, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return 3, "it took too long"
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return done.returncode, " / ".join(lines[-3:])[-300:]


def entry(repository: Path, files: tuple[str, ...]) -> str:
    """The file of a program that is run."""
    texts = {path: (repository / path).read_text("utf-8", "replace") for path in files}
    for sign in ("__main__", "awaitTermination"):
        for path, text in texts.items():
            if sign in text:
                return path
    return files[0]


def share(number: int, of: int) -> str:
    """A number, and its share."""
    return f"{number} ({number / of:.0%})" if of else "0"
