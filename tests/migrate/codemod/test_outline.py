"""LibCST gets to see what changes, and the text of all else comes back."""

from __future__ import annotations

import ast
import random
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

import libcst as cst
import pytest

from migrate.codemod.changes import Changes, New
from migrate.codemod.outline import Outline
from migrate.codemod.source import deep
from migrate.codemod.transformer import applied
from migrate.codemod.writing import written
from migrate.syntax.nodes import of_kinds, walk

LIBRARY = Path(sysconfig.get_path("stdlib"))
FILES = random.Random(7).sample(
    [path for path in sorted(LIBRARY.glob("[a-z]*.py")) if 3000 < path.stat().st_size < 60_000], 12
)
SOURCES = [
    pytest.param("a = 1\nb = 2\nc = 3\n", id="lines"),
    pytest.param("# head\n\n# of a\na = 1\n\n\n# of b\nb = 2  # beside\n# end\n\n", id="comments"),
    pytest.param('"""Text.\n\nof a module."""\na = """\nb = 2\n"""\nc = 3\n', id="texts of several lines"),
    pytest.param("a = 1; b = 2\nc = 3; d = 4;\ne = 5;  # beside\nf\n", id="several on a line"),
    pytest.param("a; \\\nb\nc \\\n\nd\nif e: \\\n  f\n", id="lines joined"),
    pytest.param(
        "a = 1\n@one\n# between\n@two\ndef f(x):\n    return x\n\n\n@three\nclass A: ...\n", id="decorators"
    ),
    pytest.param("if a:\n    b\n    # of the block\nelse:\n    c\n# outside\nd\n", id="blocks"),
    pytest.param("if a:\n    b\nelif c:\n    d\n    e\nelif f: g\nelse:\n    h\ni\n", id="elif"),
    pytest.param("if a: b; c\nfor d in e: f\nelse: g\n", id="blocks of one line"),
    pytest.param(
        "def f():\n    if a:\n        b\n        # in if\n    # in f\n\n    # in f\n\n  # out\n\n# g\ng\n",
        id="comments below blocks",
    ),
    pytest.param("class A:\n    a\n    \n    # of A\n  \nb\n    # at the end\n", id="spaces on blank lines"),
    pytest.param(
        "try:\n    a\nexcept B:\n    b\n    # of B\nelse:\n    c\nfinally:\n    d\n    # of d\ne\n",
        id="try",
    ),
    pytest.param(
        "async def f():\n    async with a:\n        async for b in c:\n            d\n        e\n",
        id="async",
    ),
    pytest.param(
        "match a:\n    case 1:\n        b\n        c\n    case _:\n        d\n        # e\nf\n", id="match"
    ),
    pytest.param("a = (\n  1,\n)\nb = \\\n    2\nc\n", id="broken lines"),
    pytest.param("if a:\n\tb\n\tif c:\n\t\td\n\te\n", id="tabs"),
    pytest.param("a = 'ä'; b\n\nä = 1  # ä\nc\n", id="letters of two bytes"),
    pytest.param("a = 1\r\nb = 2\r\nif c:\r\n    d\r\n", id="line ends of Windows"),
    pytest.param("a = 1\nb = 2", id="no line end at the end"),
]


def removed(changes: Changes, statement: ast.stmt) -> None:
    changes.remove(statement)


def between(changes: Changes, statement: ast.stmt) -> None:
    changes.put_before(statement, New("new = 0", blank=1))
    changes.put_after(statement, New("new = 1", gap=1))


def in_its_place(changes: Changes, statement: ast.stmt) -> None:
    changes.statements[statement] = (New("new = 0", (statement,)), New("new = 1"))


def renamed(changes: Changes, statement: ast.stmt) -> None:
    names = (node for node in walk(statement) if isinstance(node, ast.Name))
    changes.renamed.update((node, "new") for node in names)


def unfolded(changes: Changes, statement: ast.stmt) -> None:
    if isinstance(statement, ast.If) and not statement.orelse:
        changes.unfolded.add(statement)


CHANGES = (removed, between, in_its_place, renamed, unfolded)


def with_the_whole_tree(changes: Changes) -> str:
    """The new text by a LibCST tree of all that there is."""
    module = applied(cst.parse_module(changes.source), changes)
    return module.code


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("source", SOURCES)
def test_nothing_is_lost_by_what_libcst_does_not_see(
    source: str, change: Callable[[Changes, ast.stmt], None]
) -> None:
    tree = ast.parse(source)
    for statement in (node for node in walk(tree) if isinstance(node, ast.stmt)):
        if "elif" in source and isinstance(statement, ast.If) and statement is not tree.body[0]:
            continue  # nothing is put above a branch, or in its place
        changes = Changes(tree, source)
        change(changes, statement)
        assert written(changes) == with_the_whole_tree(changes)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_standard_library(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    chosen = random.Random(path.stem).sample(list(_changeable(tree.body)), 8)
    changes = Changes(tree, source)
    for number, statement in enumerate(chosen):
        CHANGES[number % len(CHANGES)](changes, statement)
    with deep():
        assert written(changes) == with_the_whole_tree(changes)


def _changeable(block: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block and of those in it, of which none is the branch of another."""
    for statement in block:
        yield statement
        for name in ("body", "finalbody"):
            yield from _changeable(getattr(statement, name, []))


def test_only_what_changes_is_parsed() -> None:
    source = "import a\n\n\ndef f():\n    if a:\n        b = 1\n    c = d  # beside\n    return e\n\n\nf()\n"
    tree = ast.parse(source)
    (statement,) = (node for node in of_kinds(tree, ast.Assign) if isinstance(node.value, ast.Name))
    outline = Outline(Changes(tree, source, renamed={statement.value: "new"}))
    assert outline.module.code == (
        "statement_0\n\n\ndef f():\n    statement_2\n    c = d  # beside\n    statement_3\n\n\nstatement_1\n"
    )
    assert outline.text_of(outline.module) == source


def test_a_name_of_the_program_is_none_of_a_statement() -> None:
    source = "statement_0 = 1\nstatement_1 = statement_0\n"
    tree = ast.parse(source)
    changes = Changes(tree, source)
    changes.put_after(tree.body[0], New("new = statement_0"))
    assert written(changes) == "statement_0 = 1\nnew = statement_0\nstatement_1 = statement_0\n"


def test_a_comment_that_changes_is_seen_wherever_it_stands() -> None:
    source = (
        "def f():\n    # the RDD\n    return a  # the RDD\n    # the RDD\n\n\nb = [\n    1,  # the RDD\n]\n"
    )
    comments = dict.fromkeys((2, 3, 4, 8), "# the DataFrame")
    changes = Changes(ast.parse(source), source, comments=comments)
    assert written(changes) == source.replace("RDD", "DataFrame")


def test_what_libcst_cannot_parse_stays() -> None:
    source = "a = 1\n\n\nasync def f(x):\n    return [i async\n        for i in x]\n"
    tree = ast.parse(source)
    changes = Changes(tree, source)
    changes.remove(tree.body[0])
    assert written(changes) == "async def f(x):\n    return [i async\n        for i in x]\n"
