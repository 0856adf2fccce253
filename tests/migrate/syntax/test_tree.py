"""A tree over the modules of a graph: the way up from every node of any of them."""

from __future__ import annotations

import ast

import pytest

from migrate.syntax.nodes import blocks, of_kinds, walk
from migrate.syntax.tree import Tree, declared_among, yields_among

FIRST = ast.parse(
    """\
class Base:
    def run(self):
        return 1

def f(x):
    if x:
        y = g(x)
    return y
"""
)
SECOND = ast.parse(
    """\
class Base:
    pass

class Job(Base):
    def run(self):
        return 2

    @staticmethod
    def make():
        return Job()
"""
)


@pytest.fixture
def tree() -> Tree:
    return Tree(FIRST, SECOND)


def named(name: str, root: ast.Module) -> ast.FunctionDef | ast.ClassDef:
    """The only definition of that name in a module."""
    (found,) = (
        node
        for node in ast.walk(root)
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name
    )
    return found


def call_of(name: str, root: ast.Module) -> ast.Call:
    """The only call of a name in a module."""
    (found,) = (n for n in ast.walk(root) if isinstance(n, ast.Call) and ast.unparse(n.func) == name)
    return found


def test_nodes_of_every_module_have_a_way_up(tree: Tree) -> None:
    for root, name, scope in ((FIRST, "g", "f"), (SECOND, "Job", "make")):
        call = call_of(name, root)
        assert tree.root_of(call) is root
        assert tree.scope_of(call) is named(scope, root)
        assert list(tree.path(call))[-1] is root
        assert call in ast.walk(tree.statement_of(call))


def test_a_statement_stands_in_a_block(tree: Tree) -> None:
    statement = tree.statement_of(call_of("g", FIRST))
    function = named("f", FIRST)
    assert tree.block_of(statement) == [statement]
    assert tree.block_of(function) is FIRST.body
    assert tree.block_of(function.body[1]) is function.body


def test_a_root_is_its_own_module(tree: Tree) -> None:
    assert tree.root_of(SECOND) is SECOND
    assert tree.holds(SECOND) and tree.holds(call_of("g", FIRST))
    assert not tree.holds(ast.parse("x"))


def test_classes_of_one_name_in_two_modules_are_two_families(tree: Tree) -> None:
    job, base, other = (_class(*found) for found in (("Job", SECOND), ("Base", SECOND), ("Base", FIRST)))
    bases = {job: [base]}
    assert tree.family(job, lambda cls: bases.get(cls, [])) == {job, base}
    assert tree.family(base, lambda cls: bases.get(cls, [])) == {job, base}
    assert tree.family(other, lambda cls: bases.get(cls, [])) == {other}


def _class(name: str, tree: ast.Module) -> ast.ClassDef:
    found = named(name, tree)
    assert isinstance(found, ast.ClassDef)
    return found


def test_methods_have_a_class_and_a_receiver(tree: Tree) -> None:
    run, make = named("run", SECOND), named("make", SECOND)
    assert tree.class_of(run) is named("Job", SECOND)
    assert [tree.receiver_of(scope) for scope in (run, make, named("f", FIRST), FIRST)] == [
        "self",
        None,
        None,
        None,
    ]


def test_all_nodes_are_those_of_all_modules(tree: Tree) -> None:
    assert list(tree.nodes()) == [*Tree(FIRST).nodes(), *Tree(SECOND).nodes()]


def test_nodes_of_a_kind_are_those_of_all_modules(tree: Tree) -> None:
    kinds = (ast.Name, ast.FunctionDef)
    assert list(tree.of_kinds(*kinds)) == [*of_kinds(FIRST, *kinds), *of_kinds(SECOND, *kinds)]


def test_blocks_are_those_of_statements_alone() -> None:
    code = """\
try:
    a = lambda: 1
except ValueError:
    b = 1 if a else 2
else:
    c
finally:
    d
match a:
    case 1:
        e
"""
    found = {"; ".join(map(ast.unparse, block)) for block in blocks(ast.parse(code)) if len(block) == 1}
    assert found == {"a = lambda: 1", "b = 1 if a else 2", "c", "d", "e"}


def test_generators_and_declarations_are_known_by_their_nodes() -> None:
    code = """\
def f():
    global a, b
    def g():
        nonlocal c
        yield from h
    yield
"""
    nodes = walk(ast.parse(code))
    assert declared_among(nodes) == {"a", "b", "c"}
    assert {type(node) for node in yields_among(nodes)} == {ast.Yield, ast.YieldFrom}
    assert not yields_among(walk(FIRST))
    assert not declared_among(walk(FIRST))
