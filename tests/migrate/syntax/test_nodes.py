"""Syntax trees that nobody changes: their nodes, and what is found of them once."""

from __future__ import annotations

import ast

from migrate.syntax.nodes import of_kinds, once, parents_of, with_around

CODE = """\
import os

def size(path):
    return os.stat(path).st_size

print(size("a"))
"""


def test_nodes_of_kinds_come_kind_by_kind() -> None:
    tree = ast.parse(CODE)
    kinds = [type(node) for node in of_kinds(tree, ast.Return, ast.Import)]
    assert kinds == [ast.Return, ast.Import]
    assert [node.func.id for node in of_kinds(tree, ast.Call) if isinstance(node.func, ast.Name)] == [
        "print",
        "size",
    ]
    assert not of_kinds(tree, ast.While)


def test_nodes_with_all_that_they_are_in() -> None:
    tree = ast.parse(CODE)
    (returned,) = of_kinds(tree, ast.Return)
    assert returned.value is not None
    found = with_around([returned.value], parents_of(tree))
    assert found == {returned.value, returned, tree.body[1], tree}


def test_a_result_is_computed_once_for_each_module() -> None:
    asked: list[ast.Module] = []

    def number(tree: ast.Module) -> int:
        asked.append(tree)
        return len(tree.body)

    first, second = ast.parse(CODE), ast.parse("import os")
    assert [once(tree, number) for tree in (first, second, first)] == [3, 1, 3]
    assert asked == [first, second]
