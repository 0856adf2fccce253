"""Names that nothing defines: code fails there as it did before, or has a value for them now."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping

from migrate.model import Module
from migrate.syntax.nodes import code_of, of_kinds, once, parents_of, position, walk
from migrate.syntax.tree import goes_on_after
from migrate.syntax.unbound_names import OF_SHELLS, unbound_names, unbound_outside_shells
from migrate.trace.unknown import shows_all_names

NEVER = "{}: `{}` is never defined in the files that were read: "
UNDEFINED = f"{NEVER}a NameError where this runs, as before; define it, or leave it out"
DEFINED = f"{NEVER}a NameError where this ran{{}}; it has a value now, and the code below it runs"
UNREAD = f"{NEVER}a NameError where this ran{{}}; nothing reads it now, and the code below it runs"
CAUGHT = ", which `except` took"


def still_undefined(module: Module, new: ast.Module) -> Iterator[tuple[str, str]]:
    """Names that code still reads and that nothing defines, with what is to be said of their first places.

    Args:
        module: the old module.
        new: its new tree, or its own, where it stays as it is.
    """
    before, read = _undefined(module.tree, module), {node.id for node in of_kinds(new, ast.Name)}
    still = before & read & _undefined(new, module) if before else before
    for name in _first(module, still):
        yield name.id, UNDEFINED.format(module.where(name.lineno), name.id)


def tell_defined(module: Module, new: ast.Module) -> Iterator[str]:
    """The notes on names that nothing defined, and for which new code has a value.

    Args:
        module: the old module.
        new: its new tree.
    """
    before, above = _undefined(module.tree, module), parents_of(module.tree)
    for name in _first(module, before - _undefined(new, module) if before else before):
        is_read = _is_read_as(above[name], name, new)
        if is_read or _makes_session(above[name]):
            caught = CAUGHT if goes_on_after(name, above, "NameError") else ""
            yield (DEFINED if is_read else UNREAD).format(module.where(name.lineno), name.id, caught)


def _undefined(tree: ast.Module, module: Module) -> set[str]:
    """The names that nothing defines in a tree of a module.

    A shell defines some, but not for a program that makes a SparkContext: a shell has one, and a second one
    is an error. The platform of a notebook may define any but the modules of Python.
    """
    if not shows_all_names(module):
        return set()
    found = once(tree, unbound_outside_shells if _makes_context(module.tree) else unbound_names)
    return found & sys.stdlib_module_names if module.form.has_cells else found


def _first(module: Module, names: set[str]) -> Iterator[ast.Name]:
    """Where the old code reads each of these names first, and nothing around binds it."""
    above = parents_of(module.tree)
    told: set[str] = set()
    for name in sorted(of_kinds(module.tree, ast.Name), key=position) if names else ():
        if name.id in names - told and not _is_bound_around(name, above):
            told.add(name.id)
            yield name


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


def _makes_session(call: ast.AST) -> bool:
    """Whether a call gives a context in whose place new code has a session: ``StreamingContext(sc, 1)``."""
    made = code_of(call.func).rpartition(".")[2] if isinstance(call, ast.Call) else ""
    return made in ("HiveContext", "SQLContext", "SparkSession", "StreamingContext")


def _is_read_as(above: ast.AST, name: ast.Name, new: ast.Module) -> bool:
    """Whether new code still reads what an old name stood for: by the name, or a session's same method."""
    if any(node.id == name.id and isinstance(node.ctx, ast.Load) for node in of_kinds(new, ast.Name)):
        return True
    if name.id not in OF_SHELLS or not isinstance(above, ast.Attribute):
        return False
    return any(node.attr == above.attr for node in of_kinds(new, ast.Attribute))
