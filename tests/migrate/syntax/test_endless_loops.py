"""Loops without end, and what is below them."""

from __future__ import annotations

import ast

import pytest

from migrate.syntax.endless_loops import endless_loop_above
from migrate.syntax.tree import Tree

AFTER = "while True:\n    {}\nwait()\n"


@pytest.mark.parametrize(
    ("source", "is_kept"),
    [
        pytest.param(AFTER.format("work()"), True, id="a loop"),
        pytest.param(AFTER.format("for i in a:\n        break"), True, id="a break of another loop"),
        pytest.param(
            AFTER.format("def f():\n        while 1:\n            break"), True, id="one of a function"
        ),
        pytest.param("while 1:\n    pass\nif a:\n    wait()\n", True, id="in a block below"),
        pytest.param(AFTER.format("if a:\n        break"), False, id="a break"),
        pytest.param(
            AFTER.format("try:\n        work()\n    except ValueError:\n        break"), False, id="a handler"
        ),
        pytest.param(
            AFTER.format("for i in a:\n        pass\n    else:\n        break"), False, id="for else"
        ),
        pytest.param("while a:\n    work()\nwait()\n", False, id="a condition"),
        pytest.param("wait()\nwhile True:\n    work()\n", False, id="above the loop"),
        pytest.param("def f():\n    wait()\nwhile True:\n    f()\n", False, id="a function"),
        pytest.param("while True:\n    pass\ndef f():\n    wait()\n", False, id="a function below"),
        pytest.param(
            "try:\n    while True:\n        work()\nexcept KeyboardInterrupt:\n    pass\nwait()\n",
            False,
            id="an error that is caught around it",
        ),
    ],
)
def test_what_a_loop_keeps_the_program_from(source: str, is_kept: bool) -> None:
    module = ast.parse(source)
    tree = Tree(module)
    (wait,) = [
        node for node in ast.walk(module) if isinstance(node, ast.Call) and ast.unparse(node) == "wait()"
    ]
    found = endless_loop_above(tree.statement_of(wait), tree)
    assert (found is not None) is is_kept
