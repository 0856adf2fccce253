"""Names of one module of a graph in the new code of another one, which imports them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.model import Module
from migrate.plan.draft.basis import Basis
from migrate.plan.new_code.own_imports import OwnImport, own_import
from migrate.read.modules import Imports
from migrate.read.reach import reached
from migrate.syntax.nodes import of_kinds


def import_of(name: ast.Name, basis: Basis) -> frozenset[OwnImport] | None:
    """The import that gives the batch function's module a name of another module.

    Returns:
        None of them where the module has that import; None where it cannot have it: the name means
        something else there, is bound again, or its module imports the batch function's.
    """
    program = basis.program
    there, here = program.module_of(name), program.module_of(program.scope)
    if there is not here and _is_starred(name.id, there, here, basis):
        return frozenset()
    found = _spelled(name, there, basis)
    if found is None or there is here:
        return None
    statement, alias = found
    by_path = {module.relative: module for module in basis.trace.modules}
    imports = Imports(basis.trace.modules)
    package = statement.module or "" if isinstance(statement, ast.ImportFrom) else alias.name
    level = statement.level if isinstance(statement, ast.ImportFrom) else 0
    from_there, from_here = (imports.find(package, module, level) for module in (there, here))
    if (from_there or there) is not (from_here or there) or (level and from_there is None):
        return None
    if from_there is not None and here.relative in reached([from_there.relative], by_path):
        return None
    bound = alias.asname or alias.name
    own = basis.facts.of(here.tree.body[0])
    if bound not in own.identifiers:
        return frozenset({own_import(statement, alias)})
    binding = own.only_binding(bound)
    same = isinstance(binding, ast.alias) and isinstance(own.above.get(own.above[binding]), ast.Module)
    if not same or not isinstance(binding, ast.alias):
        return None
    there_too = own.above[binding]
    assert isinstance(there_too, ast.Import | ast.ImportFrom)
    is_there = own_import(there_too, binding) == own_import(statement, alias)
    return frozenset() if is_there else None


def _is_starred(name: str, there: Module, here: Module, basis: Basis) -> bool:
    """Whether a star import gives a module a name of another one, and no other thing by that name."""
    own, scopes = basis.facts.of(here.tree.body[0]), basis.trace.scopes
    values = scopes[there.tree].ever.get(name, frozenset())
    return own.is_only_starred(name) and bool(values) and scopes[here.tree].ever.get(name) == values


def import_by_own_name(name: ast.Name, basis: Basis) -> tuple[OwnImport, str] | None:
    """The import of a name that is another one in the batch function's module, and what it is called there.

    It is its own name, ``import ujson`` for ``import ujson as json``, where that is free.
    """
    program, facts = basis.program, basis.facts.of(name)
    there, here = program.module_of(name), program.module_of(program.scope)
    binding = facts.only_binding(name.id)
    if there is here or not isinstance(binding, ast.alias) or not binding.asname or "." in binding.name:
        return None
    statement = facts.above[binding]
    assert isinstance(statement, ast.Import | ast.ImportFrom)
    package = statement.module or "" if isinstance(statement, ast.ImportFrom) else binding.name
    level = statement.level if isinstance(statement, ast.ImportFrom) else 0
    of_project = bool(level) or Imports(basis.trace.modules).find(package, there) is not None
    is_free = binding.name not in basis.facts.of(here.tree.body[0]).identifiers
    if of_project or not is_free or not isinstance(facts.above[statement], ast.Module):
        return None
    return own_import(statement, ast.alias(binding.name)), binding.name


def _spelled(
    name: ast.Name, there: Module, basis: Basis
) -> tuple[ast.Import | ast.ImportFrom, ast.alias] | None:
    """The import of a name: its module's own one, or one of a module that has it from there."""
    facts = basis.facts.of(name)
    binding = facts.only_binding(name.id)
    if isinstance(binding, ast.alias):
        statement = facts.above[binding]
        assert isinstance(statement, ast.Import | ast.ImportFrom)
        plain = isinstance(statement, ast.ImportFrom) or "." not in binding.name or binding.asname
        return (statement, binding) if plain and isinstance(facts.above[statement], ast.Module) else None
    # what a module binds once, when it is run, is the same for all that import it
    bound = facts.above[binding] if isinstance(binding, ast.Name) else binding
    if bound not in there.tree.body:
        return None
    for statement in _imports_of(there, basis):
        return statement, ast.alias(name.id)
    return None


def _imports_of(there: Module, basis: Basis) -> Iterator[ast.ImportFrom]:
    """Statements that could import names of a module, as the graph's modules spell its name."""
    imports = Imports(basis.trace.modules)
    for module in basis.program.modules:
        for statement in of_kinds(module.tree, ast.ImportFrom):
            source = imports.find(statement.module or "", module, statement.level)
            if source is not None and source.relative == there.relative and statement.names[0].name != "*":
                yield statement
    for module in basis.program.modules:
        whole = [(alias.name, 0) for node in of_kinds(module.tree, ast.Import) for alias in node.names]
        whole += [
            (f"{node.module or ''}.{alias.name}".strip("."), node.level)
            for node in of_kinds(module.tree, ast.ImportFrom)
            for alias in node.names
        ]
        for package, level in whole:
            source = imports.find(package, module, level)
            if source is not None and source.relative == there.relative:
                yield ast.ImportFrom(package, [], level)
