"""Code of one module that is written out in another one, with its changes."""

from __future__ import annotations

import ast
from types import SimpleNamespace
from typing import cast

import pytest

from migrate.graph.program import Program
from migrate.plan.new_code.code_of_others import CodeOfOthers
from migrate.plan.new_code.inner import Inner
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import quoted
from tests.migrate.programs import module

RENAMED = {"rdd": "batch", "context": "session", "topic": "subscribe"}
REPLACED = {"total": "a + b", "field": 'row["value"]'}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('save(  rdd, "day")', 'save(  batch, "day")'),
        ('self.context.read(topic="a")', 'self.session.read(subscribe="a")'),
        ("field.strip() * total", 'row["value"].strip() * (a + b)'),
        ("é(field).context", 'é(row["value"]).session'),
        ('f"{rdd}: {1 + 1}"', "f'{batch}: {1 + 1}'"),
        ('f"{1 + 1}" "a"', 'f"{1 + 1}" "a"'),
        ("save(\n    rdd.context,\n    topic=total\n)", "save(batch.session, subscribe=a + b)"),
    ],
)
def test_code_of_another_module_keeps_its_line(old: str, new: str) -> None:
    one, other = module("print()"), module(old, "other.py")
    (statement,) = other.tree.body
    assert isinstance(statement, ast.Expr)
    renamed, replaced = [], []
    for node in walk(statement.value):
        name = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "arg", None)
        renamed += [(node, RENAMED[name])] if name in RENAMED else []
        replaced += [(node, REPLACED[name])] if name in REPLACED else []
    inner = Inner(tuple(replaced), renamed=tuple(renamed))
    program = cast(Program, SimpleNamespace(modules=(one, other)))
    name = quoted(statement.value)
    assert CodeOfOthers(one, program, inner).code(name) == new
