"""``math.floor(x)`` and ``math.ceil(x)``, which give a float in Python 2 and an int in Python 3."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.read.python2.kinds import FLOORS, kinds_of
from migrate.syntax.nodes import of_kinds, parents_of
from migrate.syntax.text import Edit, Text


def floors(tree: ast.Module, text: Text, *, true_division: bool) -> Iterator[Edit]:
    """Floats of them, ``float(math.floor(x))``, but where an int is made of one or it is only compared."""
    if not any(name.removeprefix("math.") in text.source for name in FLOORS):
        return
    parents, kinds = parents_of(tree), kinds_of(tree, true_division=true_division)
    functions: list[ast.Attribute | ast.Name] = [*of_kinds(tree, ast.Attribute), *of_kinds(tree, ast.Name)]
    for function in functions:
        if kinds.qualified(function) not in FLOORS or not isinstance(function.ctx, ast.Load):
            continue
        call = parents.get(function)
        if not isinstance(call, ast.Call) or call.func is not function:
            yield Edit(text.start(function), text.start(function), "(lambda number: float(")
            yield Edit(text.end(function), text.end(function), "(number)))")
        elif not _is_alike(call, parents.get(call)):
            yield Edit(text.start(call), text.start(call), "float(")
            yield Edit(text.end(call), text.end(call), ")")


def _is_alike(call: ast.Call, above: ast.AST | None) -> bool:
    """Whether a float and an int are the same where a call stands: ``int(math.ceil(x))``, ``... < 3``."""
    match above:
        case ast.Call(ast.Name("int" | "float" | "xrange")):
            return call in above.args
    return isinstance(above, ast.Compare)
