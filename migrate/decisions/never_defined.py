"""Names that nothing defines: new code fails there as the old program did, or has a value for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from migrate.model import Module
from migrate.syntax.nodes import code_of, of_kinds, once, parents_of, position, walk
from migrate.syntax.tree import goes_on_after
from migrate.syntax.unbound_names import OF_SHELLS, unbound_names, unbound_outside_shells
from migrate.trace.unknown import shows_all_names

NEVER = "{}: `{}` is never defined in the files that were read: "
UNDEFINED = f"{NEVER}a NameError where this runs, as before"
DEFINED = f"{NEVER}a NameError where this ran{{}}; it has a value now, and the code below it runs"
CAUGHT = ", which `except` took"


def tell_undefined(module: Module, new: ast.Module) -> Iterator[str]:
    """The notes on names that nothing defines, each at its first place in the old code.

    There are none on a notebook, whose platform may define names. A shell defines some, too, but not for a
    program that makes a SparkContext: a shell has one, and a second one is an error.

    Args:
        module: the old module.
        new: its new tree.
    """
    find = unbound_outside_shells if _makes_context(module.tree) else unbound_names
    unbound = once(module.tree, find)
    if not unbound or module.form.has_cells or not shows_all_names(module):
        return
    still = {node.id for node in of_kinds(new, ast.Name)} & find(new)
    above = parents_of(module.tree)
    told: set[str] = set()
    for name in sorted(of_kinds(module.tree, ast.Name), key=position):
        if name.id not in unbound - told or _is_bound_around(name, above):
            continue
        told.add(name.id)
        where = module.where(name.lineno)
        if name.id in still:
            yield UNDEFINED.format(where, name.id)
        elif _is_read_as(above[name], name, new):
            yield DEFINED.format(where, name.id, CAUGHT if goes_on_after(name, above, "NameError") else "")


def _is_bound_around(name: ast.Name, above: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a name is bound where it stands, or by a function around it: another variable."""
    if not isinstance(name.ctx, ast.Load):
        return True
    around = above.get(name)
    while around is not None:
        if isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            nodes = walk(around)
            bound = {one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
            if name.id in bound | {one.arg for one in nodes if isinstance(one, ast.arg)}:
                return True
        around = above.get(around)
    return False


def _makes_context(tree: ast.Module) -> bool:
    """Whether a module makes a SparkContext."""
    called = (code_of(call.func) for call in of_kinds(tree, ast.Call))
    return any(name.rpartition(".")[2] == "SparkContext" for name in called)


def _is_read_as(above: ast.AST, name: ast.Name, new: ast.Module) -> bool:
    """Whether new code still reads what an old name stood for: by the name, or a session's same method."""
    if any(node.id == name.id and isinstance(node.ctx, ast.Load) for node in of_kinds(new, ast.Name)):
        return True
    if name.id not in OF_SHELLS or not isinstance(above, ast.Attribute):
        return False
    return any(node.attr == above.attr for node in of_kinds(new, ast.Attribute))
