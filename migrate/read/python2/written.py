"""Files that are opened, written to and closed, and nothing else: what only gets bytes may be one of bytes.

with open("out.txt", "a") as f:
    f.write(text.encode("utf-8"))
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from migrate.syntax.nodes import around, of_kinds, parents_of, walk
from migrate.syntax.text import Edit, Text

_MODES = frozenset({"a", "ab", "w", "wb"})
_CLOSING = frozenset({"close", "flush"})
_FUNCTIONS = (ast.FunctionDef, ast.Module)


def written(tree: ast.Module) -> Iterator[tuple[ast.Constant, list[ast.expr]]]:
    """The mode of each such file, and all that is written to it."""
    parents = parents_of(tree)
    for call in of_kinds(tree, ast.Call):
        mode = _mode(call)
        calls = [_called(use, parents) for use in _uses(call, tree, parents)] if mode is not None else []
        if mode is not None and all(called is not None for called in calls):
            values = [value for called in calls if called is not None for value in called.args]
            if values:
                yield mode, values


def of_bytes(modes: Iterable[ast.Constant], text: Text) -> Iterator[Edit]:
    """The modes of files as those of files of bytes: `"a"` as `"ab"`."""
    for mode in modes:
        if "b" not in str(mode.value):
            end = text.end(mode) - 1
            yield Edit(end, end, "b")


def _mode(call: ast.Call) -> ast.Constant | None:
    match call:
        case ast.Call(ast.Name("open"), [_, ast.Constant(str(mode)) as node], []) | ast.Call(
            ast.Name("open"), [_], [ast.keyword("mode", ast.Constant(str(mode)) as node)]
        ) if mode in _MODES and node.end_col_offset == node.col_offset + len(mode) + len("''"):
            return node
    return None


def _uses(call: ast.Call, tree: ast.Module, parents: dict[ast.AST, ast.AST]) -> list[ast.Name]:
    """The uses of the one variable that an open file is bound to, if that is its own; none if not."""
    match parent := parents.get(call):
        case ast.withitem(optional_vars=ast.Name(name)):
            within = parents[parent]
        case ast.Assign([ast.Name(name)]):
            within = next(one for one in around(call, parents) if isinstance(one, _FUNCTIONS))
        case _:
            return []
    own = [one for one in walk(within) if isinstance(one, ast.Name) and one.id == name]
    others = (one for one in of_kinds(tree, ast.Name) if one.id == name and one not in own)
    alone = sum(not isinstance(one.ctx, ast.Load) for one in own) == 1
    if not alone or not all(_is_bound(one, parents) for one in others):
        return []
    return [one for one in own if isinstance(one.ctx, ast.Load)]


def _is_bound(name: ast.Name, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a name stands where a function or a ``with`` of its own binds it."""
    return any(
        isinstance(outer, ast.With | ast.FunctionDef)
        and any(
            isinstance(one, ast.Name) and one.id == name.id and isinstance(one.ctx, ast.Store)
            for one in walk(outer)
        )
        for outer in around(name, parents)
    )


def _called(use: ast.Name, parents: dict[ast.AST, ast.AST]) -> ast.Call | None:
    """The call that writes to a file, or closes it."""
    method = parents.get(use)
    call = parents.get(method) if isinstance(method, ast.Attribute) else None
    match call:
        case ast.Call(ast.Attribute(attr="write") as function, [_], []) if function is method:
            return call
        case ast.Call(ast.Attribute(attr=name) as function, [], []) if function is method:
            return call if name in _CLOSING else None
    return None
