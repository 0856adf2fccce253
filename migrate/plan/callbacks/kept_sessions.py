"""A session that a callback keeps among the globals, where nothing reads it any more.

``if "session" not in globals(): globals()["session"] = SQLContext(rdd.context)``, and then
``session = globals()["session"]``.
"""

from __future__ import annotations

import ast

from migrate.plan.callbacks.conversion import Conversion
from migrate.proofs.callbacks.side_effects import finds_none_kept
from migrate.syntax.nodes import walk
from migrate.syntax.tree import declared_among


def leave_out_kept_sessions(to: Conversion) -> None:
    """Leave out such statements of a callback."""
    nodes = to.callback.walk()
    for read in nodes:
        match read:
            case ast.Assign([ast.Name(name)], ast.Subscript(ast.Call(ast.Name("globals")), place)):
                kept = _keeping(to, nodes, read, place)
                if kept is not None and _is_unread(to, nodes, name):
                    to.dropped |= dict.fromkeys((kept, read))
                    _forget(to, kept)


def _keeping(to: Conversion, nodes: list[ast.AST], read: ast.Assign, place: ast.expr) -> ast.If | None:
    """The statement that keeps a session by a key; None if the module has the key anywhere else."""
    key = place.value if isinstance(place, ast.Constant) else None
    kept = [one for one in nodes if isinstance(one, ast.If) and _keeps(one, key, to)]
    if len(kept) != 1:
        return None
    inside = {*walk(kept[0]), *walk(read)}
    named = [one for one in to.step.program.tree.of_kinds(ast.Constant) if one.value == key]
    return kept[0] if all(one in inside for one in named) else None


def _keeps(statement: ast.If, key: object, to: Conversion) -> bool:
    """Whether a statement keeps the session of the batch by a key, and does nothing else."""
    match statement:
        case ast.If(test, [ast.Assign([ast.Subscript(ast.Call(ast.Name("globals")), place)], made)], []):
            is_key = isinstance(place, ast.Constant) and place.value == key
            return is_key and made in to.own_sessions and finds_none_kept(test, place)
    return False


def _is_unread(to: Conversion, nodes: list[ast.AST], name: str) -> bool:
    """Whether a variable is bound once, and what reads it has another form."""
    if name in declared_among(nodes) or to.callback.only_binding(name) is None:
        return False
    loads = [*to.callback.reads(name)]
    return bool(loads) and all(map(to.is_gone, loads))


def _forget(to: Conversion, kept: ast.If) -> None:
    for node in walk(kept):
        to.replaced.pop(node, None)
        for read in (to.own_sessions, to.reads):
            if node in read:
                read.remove(node)
