"""What other modules of the project take from the one that is rewritten."""

from __future__ import annotations

import ast

from migrate.model import Module
from migrate.nodes import walk
from migrate.trace import Trace
from migrate.trace.values import ModuleValue

EVERYTHING = "*"


def exports(module: Module, trace: Trace) -> frozenset[str]:
    """The names of a module that others import or read as its attributes.

    `EVERYTHING` is among them where a star import may take any.
    """
    found: set[str] = set()
    others = {scope.module.relative: scope.module for scope in trace.scopes.values()}
    others.pop(module.relative, None)
    own = module.relative.removesuffix(".py").removesuffix("/__init__").split("/")[-1]
    for other in others.values():
        for node in walk(other.tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[-1] in (own, ""):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.Attribute):
                values = trace.kinds.get(node.value, ())
                if any(isinstance(value, ModuleValue) and value.module is module for value in values):
                    found.add(node.attr)
    return frozenset(found)


def attributes_elsewhere(module: Module, trace: Trace) -> frozenset[str]:
    """The names of all attributes that other modules read."""
    others = {scope.module.relative: scope.module for scope in trace.scopes.values()}
    others.pop(module.relative, None)
    nodes = (node for other in others.values() for node in walk(other.tree))
    return frozenset(node.attr for node in nodes if isinstance(node, ast.Attribute))
