"""Variables that a program binds before it starts, and whose values nothing changes then.

    keyword = sys.argv[1]
    tags = [line.strip() for line in open("tags.txt")]
    lines.filter(lambda line: keyword in line)

New code can read them by their names, as it knows their types.
"""

from __future__ import annotations

import ast
import re

from migrate.columns import Scope as ColumnScope
from migrate.columns.element import Settled
from migrate.columns.shapes import Bool, Float, Int, Shape, Str, Unknown
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.variable_types import Variable, VariableTypes
from migrate.syntax.nodes import root_of
from migrate.syntax.tree import parameter_names
from migrate.typed.types import (
    DictOf,
    Foreign,
    Items,
    Kind,
    ListOf,
    Nothing,
    Opaque,
    Pattern,
    Real,
    SetOf,
    Text,
    Truth,
    Type,
    Whole,
    kinds_of,
)


def variable(
    name: ast.Name | ast.Attribute, before: int, scope: ColumnScope, facts: Facts
) -> Variable | None:
    """What is known of the variable or attribute that a function reads on a line; None where it may change.

    Args:
        name: the name, or the attribute of one, as the function reads it.
        before: the line; all that binds or changes the variable stands above it.
        scope: the constants and functions of the module.
        facts: the names of the module.
    """
    if name not in facts.above:  # of an expression that stands for another
        return None
    root = root_of(name)
    home = facts.home(root) if isinstance(root, ast.Name) else None
    if not isinstance(root, ast.Name) or not _is_in_reach(root, home, isinstance(name, ast.Attribute), facts):
        return None
    if isinstance(name, ast.Attribute):
        types = facts.once(VariableTypes)
        found = types.broadcast_value(home, name, scope) or types.attribute(name, scope)
    else:
        found = variable_of(home, name.id, scope, facts)
    return None if found is None or found.last >= before else found


def _is_in_reach(name: ast.Name, home: ast.AST | None, is_object: bool, facts: Facts) -> bool:
    """Whether the batch function has a variable by its name, or the object that a method has by that name."""
    program = facts.program
    if home is None or home is program.scope:
        return True
    if any(one in program.hoisted and facts.home(one) is home for one in _stores(name.id, facts)):
        return True
    if not is_object or program.tree.receiver_of(home) != name.id:
        return False
    same = program.tree.class_of(home) is program.tree.class_of(program.scope)
    return same and program.tree.receiver_of(program.scope) == name.id


def _stores(name: str, facts: Facts) -> list[ast.Name]:
    return [one for one in facts.bindings.get(name, ()) if isinstance(one, ast.Name)]


def variable_of(home: ast.AST | None, name: str, scope: ColumnScope, facts: Facts) -> Variable | None:
    """What is known of a variable of a function, or of the module for None."""
    return facts.once(VariableTypes).of(home, name, scope)


def argument(
    node: ast.Name | ast.Attribute, callback: ast.AST | None, scope: ColumnScope, facts: Facts
) -> Settled | None:
    """What a parameter of a callback stands for that all of its calls give a value of one type."""
    if not (isinstance(node, ast.Name) and isinstance(callback, ast.FunctionDef) and node in facts.above):
        return None
    if facts.home(node) is not callback or node.id not in parameter_names(callback):
        return None
    own = [one for one in _stores(node.id, facts) if facts.home(one) is callback]
    return None if own else settled(node.id, variable_of(callback, node.id, scope, facts))


def settled(name: str, found: Variable | None) -> Settled | None:
    """What a name stands for in a function; None where that is of no known type."""
    if found is None:
        return None
    kinds = list(kinds_of(found.end))
    if len(kinds) != 1:
        return None
    kind = kinds[0]
    holds: type | None = None
    is_view = isinstance(kind, ListOf) and kind.is_view
    if isinstance(kind, Opaque) and kind.name == "pattern":
        known = (kind.text, kind.flags) if isinstance(kind, Pattern) else None
        return Settled(name, Unknown("it is a compiled regular expression"), re.Pattern, pattern=known)
    if isinstance(kind, ListOf | SetOf | DictOf):
        holds = dict if isinstance(kind, DictOf) else list if isinstance(kind, ListOf) else set
        items = list(kinds_of(kind.keys if isinstance(kind, DictOf) else kind.of))
        if len(items) != 1 or not isinstance(items[0], Text | Whole):
            return None
        kind = items[0]
    shape = _shape(kind)
    clean = not isinstance(kind, Text) or kind.clean
    made = kind.made if isinstance(kind, Foreign) else ""
    return None if shape is None else Settled(name, shape, holds, clean, made, found.is_ascii, is_view)


def settled_type(found: Variable | None) -> Type | None:
    """The type of a value that nothing can change, also within; None for any other."""
    if found is None:
        return None
    stays = found.broadcast or all(_stays(kind, found.keeps_items) for kind in found.end)
    return found.end if stays else None


def _stays(kind: Kind, keeps_items: bool) -> bool:
    """Whether a value stays as it is if nobody changes the list, set or dict that it is itself.

    Args:
        kind: its type.
        keeps_items: whether nobody changes the lists that it holds, either.
    """
    match kind:
        case ListOf(of) | SetOf(of):
            return all(_is_immutable(item) or (keeps_items and _stays(item, False)) for item in of)
        case DictOf(keys, values):
            return all(map(_is_immutable, keys | values))
    return _is_immutable(kind)


def _is_immutable(kind: Kind) -> bool:
    if isinstance(kind, Items):
        return all(_is_immutable(item) for of in kind.types for item in of)
    return isinstance(kind, Text | Whole | Real | Truth | Nothing | Pattern)


def _shape(kind: object) -> Shape | None:
    match kind:
        case Text():
            return Str()
        case Whole():
            return Int()
        case Real():
            return Float()
        case Truth():
            return Bool()
        case Foreign():
            return Unknown("it is an object of a library, which no column holds")
    return None
