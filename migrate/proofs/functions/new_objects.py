"""Expressions that make new objects of Python's own types, or of classes of the program."""

from __future__ import annotations

import ast

from migrate.knowledge import builtins, functions
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import of_kinds

_MAKERS = builtins.MAKES_NEW | functions.MAKES_NEW
_DISPLAYS = (
    *(ast.Constant, ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp),
    *(ast.UnaryOp, ast.BinOp, ast.JoinedStr),
)


def is_new(value: ast.expr, facts: Facts) -> bool:
    """Whether an expression makes a new mutable object: a list, a dict, an object of a class."""
    if isinstance(value, ast.Tuple):
        return any(is_new(part, facts) for part in value.elts)
    if isinstance(value, ast.Call):
        if isinstance(value.func, ast.Attribute):
            return value.func.attr in _MAKERS
        if not isinstance(value.func, ast.Name):
            return False
        own = any(isinstance(node, ast.ClassDef) for node in facts.bindings.get(value.func.id, ()))
        return own or value.func.id in _MAKERS
    return isinstance(value, _DISPLAYS)


def holds_new(name: ast.Name, facts: Facts) -> bool:
    """Whether a variable is bound once, to such an object."""
    binding = facts.only_binding(name.id)
    made = facts.statement_of(binding) if isinstance(binding, ast.Name) else None
    return isinstance(made, ast.Assign) and is_new(made.value, facts)


def attribute_holds_new(name: str, facts: Facts) -> bool:
    """Whether objects of the module's classes may have such an attribute: ``self.seen = set()``."""
    for made in of_kinds(facts.tree, ast.Assign):
        in_class = isinstance(facts.above[made], ast.ClassDef)
        for target in made.targets:
            own = isinstance(target, ast.Attribute) and target.attr == name
            own = own or (in_class and isinstance(target, ast.Name) and target.id == name)
            if own and is_new(made.value, facts):
                return True
    return False
