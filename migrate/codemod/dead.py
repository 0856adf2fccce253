"""Functions whose last use the rewrite took away."""

from __future__ import annotations

import ast
from collections import Counter

from migrate.syntax.text import Edit, Text, apply_edits
from migrate.syntax.nodes import of_kinds, parsed, walk


def without_dead_functions(old: ast.Module, source: str, kept: frozenset[str]) -> str:
    """`source` without the functions that `old` used and nothing uses any more, and the comments right above
    them.

    Args:
        old: the module as it was.
        source: its new text.
        kept: functions that other modules use.
    """
    used = _reads(old)
    # only what both have can have lost its last use
    if not any(used[node.name] and node.name not in kept for node in of_kinds(old, ast.FunctionDef)):
        return source
    while True:
        tree = parsed(source)
        reads = _reads(tree)
        dead = [
            node
            for node in of_kinds(tree, ast.FunctionDef)
            if not node.decorator_list
            and used[node.name]
            and node.name not in kept
            and reads[node.name] <= _own_reads(node)
            and not _is_method(node, tree)
        ]
        if not dead:
            return source
        source = _without(source, dead[0], tree)


def _reads(tree: ast.AST) -> Counter[str]:
    names = of_kinds(tree, ast.Name) if isinstance(tree, ast.Module) else walk(tree)
    return Counter(node.id for node in names if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))


def _own_reads(node: ast.FunctionDef) -> int:
    return _reads(node)[node.name]


def _is_method(node: ast.FunctionDef, tree: ast.Module) -> bool:
    return any(node in owner.body for owner in of_kinds(tree, ast.ClassDef))


def _without(source: str, node: ast.FunctionDef, tree: ast.Module) -> str:
    text = Text(source)
    lines = text.lines
    first, last = node.lineno, node.end_lineno or node.lineno
    own = text.indent(first)
    while first > 2 and lines[first - 2].strip().startswith("#") and text.indent(first - 1) == own:
        first -= 1
    above_blank = first == 1 or not lines[first - 2].strip()
    while above_blank and last < len(lines) and not lines[last].strip():
        last += 1
    kept = _block_of(node, tree)
    filler = "" if len(kept) > 1 else f"{own}pass{text.newline}"
    if last == len(lines):
        while first > 1 and not lines[first - 2].strip():
            first -= 1
    end = text.line_start(last + 1) if last < len(lines) else len(source)
    return apply_edits(source, [Edit(text.line_start(first), end, filler)])


def _block_of(node: ast.stmt, tree: ast.Module) -> list[ast.stmt]:
    for owner in walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(owner, name, None)
            if isinstance(block, list) and node in block:
                return block
    return [node]
