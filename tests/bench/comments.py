"""Which of the user's comments a rewrite keeps, drops with a reason, and loses.

    python -m tests.bench.comments REPOSITORY... [--event-time COLUMN] [--unsafe]

Each REPOSITORY is a directory that is migrated as `check` would, on its own; nothing is written. A comment is
kept if the new text of its file has it as often as the old one. A missing comment is dropped with a reason if
a note on a program of that file contains its text; otherwise it is lost, and the exit code is 1.
"""

from __future__ import annotations

import io
import json
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher

from rich.console import Console
from rich.table import Table

from migrate.codemod.ownership import begins_cell
from migrate.decisions.native import STILL
from migrate.form import Place
from migrate.model import FileResult, Result
from migrate.read.marks import MARK
from migrate.run import run
from tests.bench.repositories import arguments

KINDS = ("files", "notebooks")
STAYS = STILL.partition("{")[0]
"""How a note begins on comments that are there."""
FATES = ("kept", "dropped with a reason", "lost")


@dataclass(frozen=True)
class Comment:
    """One comment of the user's: its text without `#`, with single spaces, and its place in the file."""

    text: str
    place: Place


def codes(path: str, text: str) -> Iterator[tuple[int | None, str]]:
    """The code of a file; of a notebook, the source of each code cell with its position, from 1."""
    if not path.endswith(".ipynb"):
        yield None, text
        return
    notebook = json.loads(text, strict=False)
    sheets = notebook.get("worksheets", [notebook])  # format 3 has its cells in worksheets
    cells = [cell for sheet in sheets for cell in sheet["cells"]]
    for position, cell in enumerate(cells, start=1):
        if cell["cell_type"] == "code":
            yield position, "".join(cell["source"] if "source" in cell else cell["input"])


def comments(path: str, text: str) -> list[Comment]:
    """The comments in the text of a file, but for empty ones, marks of cells, and the codemod's own.

    The line that names an interpreter, ``#!/usr/bin/env python2``, is none: it names the new one.
    """
    return [
        Comment(normalised(token.string), Place(cell, token.start[0], token.start[1] + 1))
        for cell, code in codes(path, text)
        for token in tokens(code)
        if token.type == tokenize.COMMENT
        and token.string.strip() != "#"
        and not begins_cell(token.string)
        and not token.string.startswith((MARK, "#!"))
    ]


def tokens(code: str) -> Iterator[tokenize.TokenInfo]:
    """The tokens of a file or cell up to the first error; a rewrite leaves a cell with an error as it is."""
    with suppress(tokenize.TokenError, SyntaxError):
        yield from tokenize.generate_tokens(io.StringIO(code, newline="").readline)


def normalised(comment: str) -> str:
    """The words of a comment; a comment without any, as ``####``, as it is."""
    return " ".join(comment.lstrip("#").split()) or comment.strip()


def gone(old: list[Comment], new: list[Comment]) -> list[Comment]:
    """The comments of `old` that `new` lacks; of those with the same text, those that a diff removes."""
    missing = Counter(comment.text for comment in old) - Counter(comment.text for comment in new)
    diff = SequenceMatcher(None, [c.text for c in old], [c.text for c in new], autojunk=False)
    paired = {at for start, _, size in diff.get_matching_blocks() for at in range(start, start + size)}
    found = []
    for at, comment in sorted(enumerate(old), key=lambda item: item[0] in paired):
        if missing[comment.text] > 0:
            missing[comment.text] -= 1
            found.append((at, comment))
    return [comment for _, comment in sorted(found, key=lambda item: item[0])]


def is_named(comment: Comment, notes: list[str]) -> bool:
    """Whether a note contains the text of the comment, as whole words."""
    whole = re.compile(rf"(?<!\w){re.escape(comment.text)}(?!\w)")
    return any(whole.search(" ".join(note.split())) for note in notes)


def counted(result: Result) -> tuple[Counter[tuple[str, str]], list[tuple[FileResult, Comment]]]:
    """Count the comments of one repository by kind of file and fate; the lost ones are named, too."""
    found: Counter[tuple[str, str]] = Counter()
    lost = []
    for file in result.files:
        if not file.changed:
            continue
        kind = "notebooks" if file.path.endswith(".ipynb") else "files"
        noted = [note for graph in result.graphs if file.path in graph.files for note in graph.notes]
        notes = [note for note in noted if not note.startswith(STAYS)]
        old = comments(file.path, file.old)
        without = gone(old, comments(file.path, file.new))
        unnamed = [comment for comment in without if not is_named(comment, notes)]
        found[kind, "changed"] += 1
        found[kind, "with a loss"] += bool(unnamed)
        found[kind, "kept"] += len(old) - len(without)
        found[kind, "dropped with a reason"] += len(without) - len(unnamed)
        found[kind, "lost"] += len(unnamed)
        lost += [(file, comment) for comment in unnamed]
    return found, lost


def table(found: Counter[tuple[str, str]]) -> Table:
    """The counts, of files and of notebooks."""
    rows = Table("what", *KINDS)
    comments = {kind: sum(found[kind, fate] for fate in FATES) for kind in KINDS}
    rows.add_row("changed", *(str(found[kind, "changed"]) for kind in KINDS))
    rows.add_row("changed, with a lost comment", *(str(found[kind, "with a loss"]) for kind in KINDS))
    rows.add_row("comments", *(str(comments[kind]) for kind in KINDS))
    for fate in FATES:
        numbers = {kind: found[kind, fate] for kind in KINDS}
        rates = {kind: f" ({numbers[kind] / comments[kind]:.0%})" if comments[kind] else "" for kind in KINDS}
        rows.add_row(f"comments: {fate}", *(f"{numbers[kind]}{rates[kind]}" for kind in KINDS))
    return rows


def main() -> None:
    """Count, print a table, and name each lost comment; exit with 1 if there is one."""
    repositories, options = arguments(__doc__)
    found: Counter[tuple[str, str]] = Counter()
    lines = []
    for repository in repositories:
        numbers, lost = counted(run([repository], options).result)
        found.update(numbers)
        lines += [
            f"{repository / file.path}, {comment.place} ({file.status.value}): {comment.text}"
            for file, comment in lost
        ]
    Console().print(table(found))
    print(*lines, sep="\n")
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    main()
