"""Sections of a module: the statements below a comment that is set off by a blank line, as a heading is."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import pairwise

from migrate.model import Module
from migrate.syntax.nodes import end_of, of_kinds, walk


def without_sections(unused: Sequence[ast.stmt], module: Module) -> tuple[ast.stmt, ...]:
    """The unused statements of a module, without those whose heading would be left with nothing below.

    That is a section of constants alone that only functions read which go.

    Args:
        unused: functions and constants that nothing reads any more.
        module: where they stand.
    """
    if not any(isinstance(one, ast.FunctionDef) for one in unused):
        return (*unused,)
    inside = {node for one in unused for node in walk(one)}
    read = {node.id for node in of_kinds(module.tree, ast.Name) if _is_read(node) and node not in inside}
    constants = {name: one for one in unused for name in _bound(one) if name not in read}
    stay = [one for part in _sections(module) if {*part} <= {*constants.values()} for one in part]
    for one in stay:  # grows while it is walked
        names = (node.id for node in walk(one) if isinstance(node, ast.Name) and _is_read(node))
        stay += [constants[name] for name in names if name in constants and constants[name] not in stay]
    return tuple(one for one in unused if one not in stay)


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The variable that a constant is in."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            yield name


def _sections(module: Module) -> Iterator[list[ast.stmt]]:
    """The statements at the top of a module below each heading."""
    rows = module.source.splitlines()
    part: list[ast.stmt] | None = None
    above = 0
    for statement in module.tree.body:
        gap = [row.strip() for row in rows[above : statement.lineno - 1]]
        above = end_of(statement)[0]
        if any(row.startswith("#") and not below for row, below in pairwise(gap)):
            if part is not None:
                yield part
            part = []
        if part is not None:
            part.append(statement)
    if part:
        yield part
