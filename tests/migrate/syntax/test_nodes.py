"""Syntax trees that nobody changes: their nodes, and what is found of them once."""

from __future__ import annotations

import ast

from migrate.syntax.nodes import children, of_kinds, once, parents_of, with_around

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


EVERY_KIND = """\
import a, b as c
from d import *

@e
async def f(g: int, /, h=1, *i: str, j, k=2, **l) -> None:
    global m
    return

class N(O, p=q):
    r: int = 3
    s = t = [*u, v[1:2, ::w]]

lambda: (x, y)
lambda z, /, *, aa=-4: not z
if bb < cc <= dd and ee or ff in gg:
    hh += {**ii, jj: f"{kk!r:>{ll}}"}
elif mm := nn:
    del oo, pp.qq
else:
    raise rr from ss
for tt, uu in [vv for ww in xx if yy for zz in ab]:
    continue
try:
    with ac as ad, ae:
        assert af, ag
except ah as ai:
    pass
finally:
    aj(ak, *al, am=an, **ao)
match ap:
    case [1, *aq] | {"ar": at, **au} if av:
        yield aw
    case Ax(ay=az):
        return ba
"""


def test_what_is_below_a_node_is_all_but_load_and_store() -> None:
    for node in ast.walk(ast.parse(EVERY_KIND)):
        below = [one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.expr_context)]
        assert children(node) == below
