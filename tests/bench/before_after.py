"""What native programs look like, from one version of the codemod to another: the table in migrate/README.md.

    python tests/bench/before_after.py REPOSITORY... [--before CHECKOUT] [--each]

Each REPOSITORY is a directory that is migrated as `check` would, on its own; nothing is written. CHECKOUT is
another version of this project (``git worktree add ../before COMMIT``), which fills the column "before". The
table is Markdown. A program is all that hangs on the StreamingContexts of a file, or of the files that it
spans.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from migrate.model import FileResult, GraphResult, Options, Outcome, Result
from migrate.run import run

SOURCES = {
    "KafkaUtils": "Kafka",
    "socketTextStream": "socket",
    "textFileStream": "text files",
    "queueStream": "queue",
}
"""Words that name a source in a program, and what it is called here."""
CLASSIC = frozenset({"rdd", "sparkContext", "_jvm", "_jsc", "master", "setMaster"})
"""Members that Spark Connect lacks or refuses, for versions whose report says nothing of it."""
MASTER = "sets the master"
"""In the report's reason why a program does not run on Spark Connect."""
MUCH = 1.25
"""The most new lines for an old one that a program should have."""


@dataclass(frozen=True)
class Program:
    """A program, and its new code if that is native."""

    name: str
    source: str
    native: bool
    old: int = 0
    """Lines, with blank ones and comments."""
    new: int = 0
    helpers: int = 0
    """Functions and classes that the old program has not, without the batch functions."""
    rdds: bool = False
    """Whether the new code has `.rdd`."""
    contexts: bool = False
    """Whether the new code has a SparkContext, be it for a setting."""
    connect: bool = False
    master: bool = False
    """Whether the master in its code is all that keeps it from Spark Connect."""


def programs(repository: Path, options: Options) -> Iterator[Program]:
    """The programs of one repository."""
    result = run([repository], options).result
    files = {file.path: file for file in result.files}
    for graphs in joined(result):
        paths = sorted({path for graph in graphs for path in graph.files})
        name = f"{repository.name}/{paths[0]}"
        texts = [files[path] for path in paths]
        source = next((SOURCES[word] for word in SOURCES if any(word in file.old for file in texts)), "other")
        if any(graph.outcome is not Outcome.NATIVE for graph in graphs):
            yield Program(name, source, native=False)
            continue
        olds, news = [code(file, file.old) for file in texts], [code(file, file.new) for file in texts]
        names = members(news)
        yield Program(
            name,
            source,
            native=True,
            old=sum(map(lines, olds)),
            new=sum(map(lines, news)),
            helpers=sum(helpers(*pair) for pair in zip(olds, news, strict=True)),
            rdds="rdd" in names,
            contexts="sparkContext" in names,
            connect=all(is_ready(graph, names) for graph in graphs),
            master=any(has_only_master(graph) for graph in graphs),
        )


def joined(result: Result) -> list[list[GraphResult]]:
    """The graphs, those together that share a file."""
    found: list[list[GraphResult]] = []
    for graph in result.graphs:
        same = [group for group in found if any({*graph.files} & {*other.files} for other in group)]
        found = [group for group in found if group not in same]
        found.append([*(one for group in same for one in group), graph])
    return found


def code(file: FileResult, text: str) -> str:
    """The code of a file; of a notebook, that of its code cells."""
    if not file.path.endswith(".ipynb"):
        return text
    cells = [cell for cell in json.loads(text, strict=False)["cells"] if cell["cell_type"] == "code"]
    return "\n".join("".join(cell["source"]) for cell in cells)


def lines(text: str) -> int:
    """How many lines a text has, with blank ones and comments."""
    return len(text.splitlines())


def is_ready(graph: GraphResult, names: set[str]) -> bool:
    """Whether a native graph runs on Spark Connect, as the report says if it says anything."""
    ready: bool = getattr(graph, "is_ready", not names & CLASSIC)
    return ready


def has_only_master(graph: GraphResult) -> bool:
    """Whether the master in its code is all that keeps a graph from Spark Connect."""
    said: str = getattr(graph, "connect", None) or ""
    return MASTER in said and ";" not in said


def members(texts: Sequence[str]) -> set[str]:
    """The names of all attributes in some code."""
    return {node.attr for text in texts for node in ast.walk(parsed(text)) if isinstance(node, ast.Attribute)}


def helpers(old: str, new: str) -> int:
    """How many functions and classes `new` has that are neither in `old` nor a batch function."""
    known = {node.name for node in definitions(parsed(old), nested=True)}
    batch = {
        argument.id
        for node in ast.walk(parsed(new))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        for argument in node.args
        if node.func.attr == "foreachBatch" and isinstance(argument, ast.Name)
    }
    return sum(node.name not in known | batch for node in definitions(parsed(new), nested=False))


def definitions(tree: ast.AST, *, nested: bool) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """The functions and classes of some code, with those inside of other ones if `nested`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node
        if nested or not isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from definitions(node, nested=nested)


def parsed(text: str) -> ast.Module:
    """The tree of some code; an empty one for what is not Python 3."""
    plain = "\n".join("pass" if line.startswith(("%", "!")) else line for line in text.splitlines())
    try:
        return ast.parse(plain)
    except SyntaxError:
        return ast.Module([], [])


def column(found: Sequence[Program]) -> dict[str, str]:
    """The rows of the table for one version."""
    native = [program for program in found if program.native]
    rates = [program.new / program.old for program in native if program.old]
    kinds, all_kinds = Counter(p.source for p in native), Counter(p.source for p in found)
    old, new = sum(p.old for p in native), sum(p.new for p in native)

    def share(number: int) -> str:
        return f"{number} ({number / len(native):.0%})" if native else "0"

    return {
        "programs": f"{len(found)}",
        "native": f"{len(native)}",
        **{f"native, {kind}": f"{kinds[kind]} of {all_kinds[kind]}" for kind in sorted(all_kinds)},
        "lines, old and new": f"{old} and {new}",
        "lines new/old, in total": f"{new / old:.2f}" if old else "-",
        "lines new/old, the median program": f"{median(rates):.2f}" if rates else "-",
        f"programs with more than {MUCH} lines new/old": share(sum(rate > MUCH for rate in rates)),
        "helpers in a program": f"{sum(p.helpers for p in native) / len(native):.2f}" if native else "-",
        "programs with helpers": share(sum(p.helpers > 0 for p in native)),
        "programs with `.rdd`": share(sum(p.rdds for p in native)),
        "programs with a SparkContext": share(sum(p.contexts for p in native)),
        "programs that run on Spark Connect": share(sum(p.connect for p in native)),
        "programs that would, but for the master in their code": share(sum(p.master for p in native)),
    }


def table(columns: dict[str, dict[str, str]]) -> str:
    """Columns as Markdown."""
    rows = [["| |", *(f" {title} |" for title in columns)], ["|---|", *("---|" for _ in columns)]]
    named = dict.fromkeys(name for one in columns.values() for name in one)
    rows += [[f"| {name} |", *(f" {one.get(name, '-')} |" for one in columns.values())] for name in named]
    return "\n".join("".join(row) for row in rows)


def each(before: dict[str, Program], after: dict[str, Program]) -> Iterator[str]:
    """A line for each program: lines old, before and after, and helpers."""
    for name, program in after.items():
        then = before.get(name)
        was = f"{then.new:4} {then.helpers:2}" if then is not None else " " * 7
        yield f"{program.old:4} {was} {program.new:4} {program.helpers:2}  {name}"


def of_checkout(checkout: Path, repositories: Sequence[Path]) -> list[Program]:
    """The programs as another version of the codemod, in a process of its own, leaves them."""
    command = [sys.executable, __file__, "--json", *map(str, repositories)]
    told = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(checkout)}, check=True, stdout=subprocess.PIPE
    )
    return [Program(**program) for program in json.loads(told.stdout)]


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--before", metavar="CHECKOUT", type=Path)
    parser.add_argument("--each", action="store_true", help="a line for each program, too")
    parser.add_argument("--json", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    found = [program for path in chosen.repositories for program in programs(path, Options())]
    if chosen.json:
        print(json.dumps([asdict(program) for program in found]))
        return
    before = of_checkout(chosen.before, chosen.repositories) if chosen.before else []
    if chosen.each:
        by_name = [{program.name: program for program in many if program.native} for many in (before, found)]
        print(*each(*by_name), sep="\n")
    print(table({"before": column(before), "after": column(found)} if before else {"now": column(found)}))


if __name__ == "__main__":
    main()
