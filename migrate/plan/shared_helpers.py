"""Functions that a module has already, as another program in it was given the same."""

from __future__ import annotations

import ast

from migrate.frozen import replace
from migrate.plan.planned_module import PlannedModule
from migrate.syntax.code_names import with_names
from migrate.syntax.nodes import of_kinds, parsed, walk

_Definition = ast.FunctionDef | ast.ClassDef


def with_shared_helpers(part: PlannedModule, tree: ast.Module) -> PlannedModule:
    """The new code of a module that calls the functions which are there, in place of others alike.

    Args:
        part: the new code of one program.
        tree: the module, with that of the programs before it.
    """
    there = {
        _shape(one, {}): one.name for one in tree.body if isinstance(one, _Definition) and _is_only(one, tree)
    }
    names: dict[str, str] = {}
    found = True
    while found:  # one may call another
        found = False
        for helper in part.helpers:
            match parsed(helper.source).body:
                case [ast.FunctionDef() | ast.ClassDef() as made] if helper.name not in names:
                    name = there.get(_shape(made, names), helper.name)
                    if name != helper.name:
                        names[helper.name], found = name, True
    if not names:
        return part
    part = replace(part, helpers=tuple(one for one in part.helpers if one.name not in names))
    return part.with_texts(lambda text: with_names(text, names))


def _is_only(definition: _Definition, tree: ast.Module) -> bool:
    """Whether nothing else in a module has the name of a definition."""
    definitions: list[_Definition] = [*of_kinds(tree, ast.FunctionDef), *of_kinds(tree, ast.ClassDef)]
    named = [one for one in definitions if one.name == definition.name]
    stored = (one for one in of_kinds(tree, ast.Name) if not isinstance(one.ctx, ast.Load))
    return len(named) == 1 and all(one.id != definition.name for one in stored)


def _shape(definition: _Definition, names: dict[str, str]) -> str:
    """What a definition does, whatever its name is.

    Args:
        definition: the function or class.
        names: the names of other functions that it calls, with those that stand for them.
    """
    own = {definition.name: "", **names}
    found = ast.dump(definition)
    for node in walk(definition):
        name = node.id if isinstance(node, ast.Name) else ""
        if name in own:
            found = found.replace(f"Name(id={name!r},", f"Name(id={own[name]!r},")
    return found.replace(f"name={definition.name!r}", "name=''", 1)
