"""The code of a changed module: what stays is taken from the source, the rest is what LibCST gives."""

from __future__ import annotations

import ast

import libcst as cst
import pytest

from migrate.codemod.codegen import code_after, code_of

NEW = cst.parse_statement("new = 0\n")
SOURCES = [
    pytest.param("a = 1\nb = 2\nc = 3\n", id="lines"),
    pytest.param("# head\n\n# of a\na = 1\n\n\n# of b\nb = 2  # beside\n# end\n\n", id="comments"),
    pytest.param('"""Text.\n\nof a module."""\na = """\nb = 2\n"""\nc = 3\n', id="texts of several lines"),
    pytest.param("a = 1; b = 2\nc = 3; d = 4;\ne = 5\n", id="several on a line"),
    pytest.param(
        "a = 1\n@one\n# between\n@two\ndef f(x):\n    return x\n\n\n@three\nclass A: ...\n", id="decorators"
    ),
    pytest.param("if a:\n    b\n    # of the block\nelse:\n    c\n# outside\nd\n", id="blocks"),
    pytest.param("a = (\n  1,\n)\nb = \\\n    2\nc\n", id="broken lines"),
    pytest.param("a = 1\r\nb = 2\r\n", id="line ends of Windows"),
    pytest.param("a = 1\nb = 2", id="no line end at the end"),
    pytest.param("\n\n", id="nothing"),
]


def changed(module: cst.Module, position: int) -> cst.Module:
    """The module with another statement at a position."""
    body = [*module.body[:position], NEW, *module.body[position + 1 :]]
    return module.with_changes(body=body)


@pytest.mark.parametrize("source", SOURCES)
def test_it_is_the_code_that_libcst_gives(source: str) -> None:
    old, tree = cst.parse_module(source), ast.parse(source)
    assert code_after(old, old, tree, source) == old.code
    for position in range(len(old.body)):
        new = changed(old, position)
        assert code_after(new, old, tree, source) == new.code
    backwards = old.with_changes(body=old.body[::-1], header=[], footer=[])
    assert code_after(backwards, old, tree, source) == backwards.code


def test_what_stays_is_taken_from_the_source() -> None:
    source = "a = 1\nb = 2\nc = 3\n"
    old, tree = cst.parse_module(source), ast.parse(source)
    marked = source.replace("a = 1", "A = 1").replace("b = 2", "B = 2")
    assert code_after(changed(old, 1), old, tree, marked) == "A = 1\nnew = 0\nc = 3\n"


@pytest.mark.parametrize("source", SOURCES)
def test_the_code_of_a_node_is_that_of_libcst(source: str) -> None:
    module = cst.parse_module(source)
    for statement in module.body:
        assert code_of(statement, module) == module.code_for_node(statement)
