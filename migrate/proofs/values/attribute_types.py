"""The types of attributes that are set once: by a constructor, a class body, or a parser of arguments.

    class Job:
        LIMIT = 10

        def __init__(self, length=4):
            self.length = length

`self.length` and `self.LIMIT` are ints, whatever methods read them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping

from migrate.cached import cached_property
from migrate.columns.element import Refusal
from migrate.frozen import dataclass
from migrate.knowledge.builtins import SETS_ATTRIBUTES
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.values.declared_arguments import declared_arguments
from migrate.proofs.values.known_objects import KnownObjects
from migrate.proofs.values.left_alone import is_attribute_left_alone, makes_new
from migrate.syntax.nodes import of_kinds
from migrate.typed.types import Kind, ListOf, Nothing, Real, SetOf, Text, Truth, Type, Whole, joined

TypeIn = Callable[[ast.expr, ast.AST | None], Type]
"""The type of an expression in a function, or in the module for None; raises Refusal."""
Applied = Callable[[ast.expr, Type], Type]
"""The type of what a function makes of a value; raises Refusal."""
_OF_THE_CLASS = frozenset({"__dict__", "__getattribute__", "__setattr__", "__slots__"})
"""What sets attributes, or says which an object has, in ways of its own."""
_SETTING = SETS_ATTRIBUTES | {"vars"}


@dataclass(frozen=True)
class Attribute:
    """What is known of an attribute.

    Attributes:
        type: the type of all its values.
        last: the last line of the function that reads it on which it is set; 0 if others set it before.
    """

    type: Type
    last: int


class AttributeTypes:
    """The attributes of one module's objects, each found when it is asked for."""

    def __init__(self, facts: Facts, type_in: TypeIn, applied: Applied) -> None:
        self._facts = facts
        self._type_in = type_in
        self._applied = applied
        self._found: dict[ast.Attribute, Attribute | None] = {}
        self._objects = KnownObjects(facts)
        self._declared: dict[ast.Call, Mapping[str, Type]] = {}

    def of(self, node: ast.Attribute) -> Attribute | None:
        """What is known of an attribute; None where it may change, or is of no known type."""
        if node not in self._facts.above or not self._plain:
            return None
        if node not in self._found:
            self._found[node] = None  # while it is looked for
            self._found[node] = self._attribute(node)
        return self._found[node]

    @cached_property
    def _plain(self) -> bool:
        """Whether attributes are set by assignments alone."""
        return not any(
            (isinstance(node, ast.Name) and node.id in _SETTING)
            or (isinstance(node, ast.Attribute) and node.attr in _OF_THE_CLASS)
            or (isinstance(node, ast.FunctionDef) and node.name in _OF_THE_CLASS)
            for module in self._facts.trace.modules
            for node in of_kinds(module.tree, ast.Name, ast.Attribute, ast.FunctionDef)
        )

    def _attribute(self, node: ast.Attribute) -> Attribute | None:
        match self._objects.object_of(node.value):
            case ast.Call() as parsing if not self._objects.stores(node.attr):
                found = self._arguments(parsing).get(node.attr)
                return Attribute(found, 0) if found and all(map(_is_plain, found)) else None
            case ast.ClassDef() as cls:
                return self._of_class(cls, node)
        return None

    def _arguments(self, parsing: ast.Call) -> Mapping[str, Type]:
        """The types of the arguments that a call parses."""
        if parsing not in self._declared:
            home = self._objects.function_of(parsing)
            self._declared[parsing] = declared_arguments(
                parsing, self._facts, lambda node: self._type_in(node, home), self._applied
            )
        return self._declared[parsing]

    def _of_class(self, cls: ast.ClassDef, node: ast.Attribute) -> Attribute | None:
        """An attribute that only the constructor of a class, or its body, sets."""
        given = self._objects.values(cls, node.attr)
        if not given:
            return None
        try:
            found = joined(self._type_in(value, home) for value, home in given)
        except Refusal:
            return None
        if not all(_is_plain(kind) or self._is_kept(kind, given, node.attr) for kind in found):
            return None
        reader = self._objects.function_of(node)
        lines = [value.end_lineno or 0 for value, home in given if home is reader]
        return Attribute(found, max(lines, default=0))

    def _is_kept(self, kind: Kind, given: Iterable[tuple[ast.expr, ast.AST | None]], name: str) -> bool:
        """Whether an attribute is a list or set that is made for it, and that nothing changes."""
        if not isinstance(kind, ListOf | SetOf) or not all(map(_is_plain, kind.of)):
            return False
        if not all(makes_new(value, self._facts) for value, _ in given):
            return False
        return all(
            is_attribute_left_alone(load, self._facts.of(load))
            for module in self._facts.trace.modules
            for load in of_kinds(module.tree, ast.Attribute)
            if load.attr == name and isinstance(load.ctx, ast.Load)
        )


def _is_plain(kind: Kind) -> bool:
    """Whether a value cannot be changed in place."""
    return isinstance(kind, Text | Whole | Real | Truth | Nothing)
