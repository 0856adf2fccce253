"""What one value of a variable is bound and read by, where code in a straight line binds it anew."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import end_of, position, walk
from migrate.syntax.tree import Tree


@dataclass(frozen=True)
class Life:
    """The nodes that bind a variable, or change its value, and those that read it, while a value lasts."""

    bindings: list[ast.AST]
    loads: list[ast.Name]


def life_of(name: ast.Name, facts: Facts, tree: Tree) -> Life:
    """The life of the value that a name reads: all of the variable's, unless it is plainly bound anew.

    ``queue = [a]`` in one cell of a notebook and in a later one are two lives, each with what stands from
    there to the next. A variable that functions read or bind has one, as it is not known when they run.

    Args:
        name: a name that is read.
        facts: those of its module.
        tree: the program's.
    """
    scope = tree.scope_of(name)
    home = facts.home(name)

    def is_own(node: ast.AST) -> bool:
        if isinstance(node, ast.arg):
            return facts.above[facts.above[node]] is home
        return not isinstance(node, ast.Name) or facts.home(node) is home

    bindings = [*filter(is_own, facts.bindings.get(name.id, ()))]
    loads = [load for load in facts.loads.get(name.id, ()) if is_own(load)]
    if facts.is_declared_elsewhere(name.id) or any(
        tree.scope_of(node) is not scope for node in (*bindings, *loads)
    ):
        return Life(bindings, loads)
    starts = [one for one in _straight(name, scope, facts, tree) if _binds_anew(one, name.id)]
    here = position(name)
    begin = max((start for start in starts if end_of(start) <= here), key=position, default=None)
    end = min((start for start in starts if end_of(start) > here), key=position, default=None)
    if begin is None:
        return Life(bindings, loads)

    def binds(node: ast.AST) -> bool:
        return position(begin) <= position(node) and (end is None or position(node) < position(end))

    def reads(node: ast.AST) -> bool:
        return end_of(begin) <= position(node) and (end is None or position(node) < end_of(end))

    return Life([*filter(binds, bindings)], [*filter(reads, loads)])


def _straight(name: ast.Name, scope: ast.AST, facts: Facts, tree: Tree) -> list[ast.stmt]:
    """The statements that stand beside a name, or beside a condition around it, and run at most once."""
    statement = facts.statement_of(name)
    blocks = [tree.block_of(statement)]
    for around in tree.path(statement):
        if around is scope:
            return [one for block in blocks for one in block]
        if not isinstance(around, ast.If):
            break
        blocks.append(tree.block_of(around))
    return scope.body if isinstance(scope, ast.Module | ast.FunctionDef) else []


def _binds_anew(statement: ast.stmt, name: str) -> bool:
    """``queue = [...]``: a new list, be it of the one before, or a value that does not read the variable."""
    match statement:
        case ast.Assign([ast.Name(target)], ast.List() | ast.ListComp()) if target == name:
            return True
        case ast.Assign([ast.Name(target)], value) if target == name:
            return not any(isinstance(node, ast.Name) and node.id == name for node in walk(value))
    return False
