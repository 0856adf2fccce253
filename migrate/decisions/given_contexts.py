"""Contexts that functions get by calls that are not followed, as a test gets its fixture."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from migrate.model import Module
from migrate.syntax.nodes import of_kinds, parents_of
from migrate.trace import Graph
from migrate.trace.scopes import Scopes

_OF_TESTS = "test"
_FIXTURE = "fixture"
TOGETHER = (
    "{}; every file of the project that makes a context is switched, so that it is one of `compat.streaming`"
)


def fixtures_given(graph: Graph, modules: Mapping[str, Module], scopes: Scopes) -> frozenset[str] | None:
    """The parameters of tests among those that give a graph its unknown contexts.

    None where one of these is no parameter, or where code of others may call its function: it has a
    decorator, is a method of a class that derives from another one, or is handed on.
    """
    unknown = [context for context in graph.contexts if context.unknown is not None]
    if not unknown or graph.escapes:
        return None
    found = set()
    for context in unknown:
        function, name = context.given_to, context.node
        if function is None or not _is_called_here(function, modules, scopes):
            return None
        if function.name.startswith(_OF_TESTS) or function.decorator_list:
            assert isinstance(name, ast.Name)
            found.add(name.id)
    return frozenset(found)


def _is_called_here(function: ast.FunctionDef, modules: Mapping[str, Module], scopes: Scopes) -> bool:
    """Whether nothing hands a function on, so that only calls of the project's own give it arguments."""
    (home,) = [module for module in modules.values() if function in of_kinds(module.tree, ast.FunctionDef)]
    above = parents_of(home.tree).get(function)
    if isinstance(above, ast.ClassDef) and not all(_is_object(base) for base in above.bases):
        return False
    if not all(_is_fixture(decorator) for decorator in function.decorator_list):
        return False
    outer = isinstance(above, ast.Module)
    return not any(
        _is_handed_on(function.name, module.tree, scopes, outer=outer) for module in modules.values()
    )


def _is_object(base: ast.expr) -> bool:
    return isinstance(base, ast.Name) and base.id == "object"


def _is_fixture(decorator: ast.expr) -> bool:
    """``@pytest.fixture``, ``@fixture(scope="module")``."""
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    return (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")) == _FIXTURE


def _is_handed_on(name: str, tree: ast.Module, scopes: Scopes, *, outer: bool) -> bool:
    """Whether a module reads a function's name, or an attribute that is called so, without calling it.

    Args:
        name: the function's.
        tree: the module's.
        scopes: those of all modules.
        outer: whether it stands outside of others, so that no variable of a function is it.
    """
    called = {call.func for call in of_kinds(tree, ast.Call)}
    names = (node for node in of_kinds(tree, ast.Name) if node.id == name and node not in called)
    if any(not outer or not _is_of_function(node, scopes) for node in names):
        return True
    return any(node.attr == name and node not in called for node in of_kinds(tree, ast.Attribute))


def _is_of_function(name: ast.Name, scopes: Scopes) -> bool:
    """Whether a name is a variable of the function that it stands in."""
    home = scopes.home(name)
    return home is not None and not isinstance(home.node, ast.Module)
