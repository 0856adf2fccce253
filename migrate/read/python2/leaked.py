"""Lists whose variable is read behind them: Python 2 leaves the last value in it, and Python 3 does not.

names = [labels[i] for i in found]
print i

Such a list is made by a loop, which leaves it there in both, where it is a statement of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.syntax.nodes import of_kinds, parents_of, position, walk
from migrate.syntax.text import Text


def with_loops(code: str, lines: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    """A module with loops for such lists, and the old line of each of its lines.

    Args:
        code: the module in Python 3.
        lines: the old line of each of its lines.
    """
    tree, text = ast.parse(code), Text(code)
    scopes: list[ast.Module | ast.FunctionDef] = [tree, *of_kinds(tree, ast.FunctionDef)]
    parents = parents_of(tree)
    loops: dict[int, list[str]] = {}
    for made in {made for scope in scopes for _, made in leaks(scope)}:
        statement = parents[made]
        if isinstance(statement, ast.Assign) and (rows := _loop(statement, made, text)):
            loops[statement.lineno - 1] = rows
    if not loops:
        return code, lines
    new = [loops.get(place, [row]) for place, row in enumerate(text.lines)]
    places = (line for line, rows in zip(lines, new, strict=False) for _ in rows)
    return "".join(row for rows in new for row in rows), (*places, *lines[len(new) :])


def _loop(statement: ast.Assign, made: ast.ListComp, text: Text) -> list[str]:
    """The lines of a loop that makes a list; none where it is more than a line or not alone on that."""
    row = text.lines[statement.lineno - 1]
    indent, rest = row[: statement.col_offset], row[statement.end_col_offset :].rstrip("\n")
    match statement.targets, made.generators:
        case [ast.Name(name)], [ast.comprehension(is_async=0) as loop]:
            inside = {node.id for node in walk(made) if isinstance(node, ast.Name)}
        case _:
            return []
    alone = not indent.strip() and (not rest.strip() or rest.lstrip().startswith("#"))
    if name in inside or not alone or not row.isascii() or statement.end_lineno != statement.lineno:
        return []
    step = "\t" if "\t" in indent else "    "
    rows = [f"{name} = []", f"for {text.of(loop.target)} in {text.of(loop.iter)}:{rest}"]
    rows += [f"{step * (1 + depth)}if {text.of(test)}:" for depth, test in enumerate(loop.ifs)]
    rows.append(f"{step * (1 + len(loop.ifs))}{name}.append({text.of(made.elt)})")
    return [f"{indent}{one}\n" for one in rows]


def leaks(scope: ast.Module | ast.FunctionDef) -> Iterator[tuple[ast.Name, ast.ListComp]]:
    """Where code reads the variable of a list's comprehension above, with no other value since; and that."""
    pending: list[ast.AST] = list(scope.body)
    own: list[ast.AST] = []
    while pending:
        node = pending.pop()
        own.append(node)
        if not isinstance(node, _SCOPES):
            pending += ast.iter_child_nodes(node)
    names = [node for node in own if isinstance(node, ast.Name)]
    for made in own:
        if not isinstance(made, ast.ListComp):
            continue
        end = (made.end_lineno or 0, made.end_col_offset or 0)
        inside = {node for node in walk(made) if isinstance(node, ast.Name)}
        loops = [node for node in own if isinstance(node, ast.For) and made in walk(node.iter)]
        for name in {node.id for node in inside if isinstance(node.ctx, ast.Store)}:
            after = [node for node in names if node.id == name and (node.lineno, node.col_offset) > end]
            bound_again = {node for loop in loops if name in _bound_by(loop) for node in _of_body(loop)}
            others = [node for node in after if node not in _of_comprehensions(own) | bound_again]
            first = min(others, key=position, default=None)
            if first is not None and isinstance(first.ctx, ast.Load):
                yield first, made


def _bound_by(loop: ast.For) -> set[str]:
    """The variables that a loop gives a value before each run of its body."""
    return {node.id for node in walk(loop.target) if isinstance(node, ast.Name)}


def _of_body(loop: ast.For) -> set[ast.AST]:
    return {node for statement in loop.body for node in walk(statement)}


def _of_comprehensions(own: list[ast.AST]) -> set[ast.AST]:
    return {inner for node in own if isinstance(node, _COMPREHENSIONS) for inner in walk(node)}


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
