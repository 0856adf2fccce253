"""The types of Python expressions, by a closed grammar: what is not known to be pure is refused.

A type is a promise on every value that is there. What always raises has no values; where the program fails,
so does the function that is the same code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from migrate.columns.element import Defined, Objects, Refusal, Scope
from migrate.columns.messages import refusal
from migrate.columns.shapes import Unknown
from migrate.knowledge.libraries import computes
from migrate.typed import containers, operators
from migrate.typed.asking import Names
from migrate.typed.calls import bound_method, called, known_function
from migrate.typed.held import Held
from migrate.typed.libraries import of_call
from migrate.typed.narrowing import is_reached, may_be, narrowed, type_asked
from migrate.typed.own_functions import free
from migrate.typed.parts import attribute, item, unpacked
from migrate.typed.qualified import qualified
from migrate.typed.signatures import result_of
from migrate.typed.statements import key_of, returned, set_by
from migrate.typed.types import (
    ANY_TEXT,
    FOREIGN,
    NEVER,
    TEXT,
    TRUTH,
    DictOf,
    Foreign,
    Instance,
    Items,
    Iterating,
    Json,
    ListOf,
    Nothing,
    Opaque,
    Real,
    SetOf,
    Text,
    Truth,
    Type,
    Unset,
    Whole,
    join,
    joined,
    kinds_of,
    of_constant,
    of_shape,
    one,
    own_function,
)

_CLASSES = frozenset({"bool", "bytes", "dict", "float", "int", "list", "object", "set", "str", "tuple"})
"""Classes that a library is given: ``numpy.array(values, dtype=float)``."""
DEPTH = 20
"""The depth up to which functions may call each other; more is taken for recursion."""


class Expressions:
    """Finds the types of expressions: `Typing` for all the others."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.depth = 0
        self.reads_clock = False
        self.prints = False
        self.function: ast.Lambda | ast.FunctionDef | None = None
        self.held: Sequence[Held] = ()

    def apply(
        self, function: ast.AST, arguments: Sequence[Type], names: Names, held: Sequence[Held] = ()
    ) -> Type:
        """See `Typing`."""
        match function:
            case ast.Lambda():
                return self._nested(function, arguments, names, held)
            case ast.FunctionDef():
                return self._nested(function, arguments, {}, held)
            case ast.Name(id) if id in self.scope.functions and id not in names:
                return self._nested(self.scope.functions[id], arguments, {}, held)
            case ast.Name(id) if (own := own_function(names.get(id, NEVER))) is not None:
                read = {name: names[name] for name in free(own) if name in names}
                return self._nested(own, arguments, read, held)
        if isinstance(function, ast.Attribute) or (
            isinstance(function, ast.Name) and function.id not in names
        ):
            defined = self.scope.defined(function)
            if defined is not None:
                return self._of_project(defined, arguments, held)
            made = self.scope.objects(function)
            if made is not None:
                return self._of_class(made, arguments)
        name = qualified(function, names, self.scope)
        if name is None and isinstance(function, ast.Attribute):
            return bound_method(self, function, arguments, names)
        if name is None:
            raise refusal(function, "it is not known which function this is")
        if computes(name):
            return of_call(name)
        return known_function(self, function, name, arguments)

    def _of_project(self, defined: Defined, arguments: Sequence[Type], held: Sequence[Held]) -> Type:
        """The type of what a function of another module or of a class returns; no object is looked into."""
        outer, self.scope = self.scope, defined.scope
        try:
            own = [one(Opaque("self"))] * defined.bound
            return self._nested(defined.node, [*own, *arguments], {}, [*([Held.NOTHING] * len(own)), *held])
        finally:
            self.scope = outer

    def _of_class(self, made: Objects, arguments: Sequence[Type]) -> Type:
        """The type of an object that a class of the project makes.

        Raises:
            Refusal: not all of its attributes are set for certain.
        """
        given = self._bound(made.parameters, arguments, {})
        types = [*given.values()] if made.sets is None else self._set(made.sets, made.names, given)
        if not all(types):
            return NEVER
        kind = Items if made.are_tuples else Instance
        return one(kind(names=made.names, types=tuple(types)))

    def _set(self, constructor: ast.FunctionDef, names: Sequence[str], given: Names) -> list[Type]:
        """The types of the attributes that a constructor sets."""
        own = constructor.args.args[0].arg
        end = set_by(self, constructor, {own: one(Unset()), **given})
        found = [end.get(key_of(own, name)) for name in names] if end is not None else [NEVER]
        if None in found:
            raise Refusal("an attribute is not set in all cases", constructor)
        return [each for each in found if each is not None]

    def _nested(
        self,
        function: ast.Lambda | ast.FunctionDef,
        arguments: Sequence[Type],
        names: Names,
        held: Sequence[Held],
    ) -> Type:
        if self.depth >= DEPTH:
            raise Refusal("the functions call each other too deeply, or without end", function)
        inner = {**names, **self._bound(function, arguments, names)}
        self.depth += 1
        outer = self.function, self.held
        self.function, self.held = function, held
        try:
            if isinstance(function, ast.Lambda):
                return self.type_of(function.body, inner)
            return returned(self, function, inner)
        finally:
            self.depth -= 1
            self.function, self.held = outer

    def _bound(
        self, function: ast.Lambda | ast.FunctionDef, arguments: Sequence[Type], names: Names
    ) -> dict[str, Type]:
        signature = function.args
        if signature.vararg or signature.kwarg or signature.kwonlyargs:
            raise Refusal("the parameters of a function with * or ** are not followed", function)
        parameters = [parameter.arg for parameter in (*signature.posonlyargs, *signature.args)]
        missing = parameters[len(arguments) :]
        if len(arguments) > len(parameters) or len(missing) > len(signature.defaults):
            raise Refusal(f"it takes {len(parameters)} arguments and is given {len(arguments)}", function)
        bound = dict(zip(parameters, arguments, strict=False))
        defaults = signature.defaults[len(signature.defaults) - len(missing) :]
        for name, default in zip(missing, defaults, strict=True):
            if not isinstance(default, ast.Constant):
                raise refusal(default, "a default that is no constant may be changed by a call")
            bound[name] = self.type_of(default, names)
        return bound

    # --- expressions ----------------------------------------------------------------------------------------

    def type_of(self, node: ast.expr, names: Names) -> Type:
        """The type of an expression.

        Raises:
            Refusal: it is not known, or evaluating it may do more than to compute.
        """
        found = self._of(node, names)
        if found is None:
            raise refusal(node, "its type is not known")
        return names.get(ast.dump(node), found) if isinstance(node, ast.Subscript | ast.Attribute) else found

    def _of(self, node: ast.expr, names: Names) -> Type | None:
        match node:
            case ast.Constant(value):
                return of_constant(value)
            case ast.Name(id) if own_function(names.get(id, NEVER)) is not None:
                return None  # it may be called where its variables have other types
            case ast.Name(id):
                return names[id] if id in names else self._outer(node)
            case ast.JoinedStr(values):
                return operators.formatted([self._part(part, names) for part in values])
            case ast.BinOp(left, op, right):
                return operators.binary(op, self.type_of(left, names), self.type_of(right, names))
            case ast.UnaryOp(ast.Not(), operand):
                self.type_of(operand, names)
                return TRUTH
            case ast.UnaryOp(op, operand):
                return operators.unary(op, self.type_of(operand, names))
            case ast.BoolOp(op, values):
                return self._bool(isinstance(op, ast.And), values, names)
            case ast.Compare() if (asked := type_asked(self, node, names)) is not None:
                for part in (asked.value, *asked.classes):
                    self.type_of(part, names)
                return TRUTH
            case ast.Compare(left, _, comparators):
                return self._compared(node, [self.type_of(each, names) for each in (left, *comparators)])
            case ast.IfExp(test, body, orelse):
                self.type_of(test, names)
                branches = [(body, narrowed(self, test, names, True))]
                branches.append((orelse, narrowed(self, test, names, False)))
                return joined(self.type_of(*one) for one in branches if is_reached(names, one[1]))
            case ast.Tuple(elts):
                parts = self._spread(elts, names)
                return None if parts is None else one(Items(tuple(parts)))
            case ast.List(elts):
                parts = self._spread(elts, names)
                if parts is None:
                    return one(ListOf(self._of_all(elts, names)))
                return one(ListOf(joined(parts), tuple(parts)))
            case ast.Set(elts):
                return one(SetOf(self._of_all(elts, names)))
            case ast.Dict(keys, values):
                return self._dict(keys, [self.type_of(value, names) for value in values], names)
            case ast.ListComp(elt, generators):
                return one(ListOf(self.type_of(elt, self._looped(generators, names))))
            case ast.SetComp(elt, generators):
                return one(SetOf(self.type_of(elt, self._looped(generators, names))))
            case ast.GeneratorExp(elt, generators):
                return one(Iterating(self.type_of(elt, self._looped(generators, names))))
            case ast.DictComp(key, value, generators):
                inner = self._looped(generators, names)
                return one(DictOf(self.type_of(key, inner), self.type_of(value, inner)))
            case ast.Subscript(value, index):
                return self._item(self.type_of(value, names), index, names)
            case ast.Attribute() if (known := self.scope.settled_type(node)) is not None:
                return known
            case ast.Attribute(value, attr) if qualified(node, names, self.scope) is None:
                return attribute(self.type_of(value, names), attr)
            case ast.Attribute():
                name = qualified(node, names, self.scope) or ""
                if name == "datetime.timezone.utc":
                    return one(Opaque("timezone"))
                return TEXT if name.startswith("string.") else FOREIGN if computes(name) else None
            case ast.Call():
                return called(self, node, names)
        return None

    def _spread(self, items: Sequence[ast.expr], names: Names) -> list[Type] | None:
        """The types of the items of a tuple or list; None where it is not known how many ``*pair`` gives."""
        found: list[Type] = []
        for item_ in items:
            if not isinstance(item_, ast.Starred):
                found.append(self.type_of(item_, names))
                continue
            kinds = [*kinds_of(self.type_of(item_.value, names))]
            given = [kind.types for kind in kinds if isinstance(kind, Items)]
            if len(given) < len(kinds) or len({*map(len, given)}) != 1:
                return None
            found += map(joined, zip(*given, strict=True))
        return found

    def _of_all(self, items: Sequence[ast.expr], names: Names) -> Type:
        """The type of the items of a list or set, among them those of others: ``[*words, *more]``."""
        found: list[Type] = []
        for item_ in items:
            if not isinstance(item_, ast.Starred):
                found.append(self.type_of(item_, names))
                continue
            given = containers.gone_through(self.type_of(item_.value, names))
            if given is None:
                raise refusal(item_, "it is not known what going through it gives")
            found.append(given)
        return joined(found)

    def _outer(self, node: ast.Name) -> Type | None:
        if node.id in self.scope.constants:
            return of_constant(self.scope.constants[node.id])
        known = self.scope.settled_type(node)
        if known is not None:
            return known
        settled = self.scope.settled(node)
        if settled is not None:
            if settled.kind is re.Pattern:
                return one(Opaque("pattern"))
            if isinstance(settled.of, Unknown):
                return one(Foreign(settled.made))
            of = of_shape(settled.of) if settled.clean else ANY_TEXT
            if settled.kind is dict:
                return one(DictOf(of, FOREIGN))
            return of if settled.kind is None else one(ListOf(of) if settled.kind is list else SetOf(of))
        if node.id in _CLASSES and node.id not in self.scope.shadowed:
            return FOREIGN
        raise refusal(node, "it is not a constant that is known before the program starts")

    def _part(self, part: ast.expr, names: Names) -> Type:
        if not isinstance(part, ast.FormattedValue):
            return TEXT
        if part.format_spec is not None:
            self.type_of(part.format_spec, names)
        found = self.type_of(part.value, names)
        return TEXT if part.conversion in (ord("r"), ord("a")) and result_of("repr", [found]) else found

    def _bool(self, is_and: bool, values: Sequence[ast.expr], names: Names) -> Type:
        found: list[Type] = []
        inner = names
        for value in values[:-1]:
            kind = self.type_of(value, inner)
            found.append(frozenset(each for each in kind if may_be(each, not is_and)))
            inner = narrowed(self, value, inner, is_and)
        return join(*found, self.type_of(values[-1], inner))

    def _compared(self, node: ast.Compare, types: list[Type]) -> Type | None:
        """A bool, unless a kind has a comparison of its own that could give something else."""
        if any(isinstance(kind, Foreign) for each in types for kind in each):
            plain = all(
                isinstance(operator, ast.In | ast.NotIn | ast.Is | ast.IsNot) for operator in node.ops
            )
            return TRUTH if plain else FOREIGN
        return TRUTH if all(isinstance(kind, _COMPARED) for each in types for kind in each) else None

    def _dict(self, keys: Sequence[ast.expr | None], values: list[Type], names: Names) -> Type | None:
        found: list[Type] = []
        known: dict[str, Type] = {}
        for key, value in zip(keys, values, strict=True):
            if key is None:
                return None
            found.append(self.type_of(key, names))
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                known[key.value] = value
        return one(DictOf(joined(found), joined(values), tuple(sorted(known.items()))))

    def _looped(self, generators: Sequence[ast.comprehension], names: Names) -> Names:
        inner = dict(names)
        for generator in generators:
            items = containers.gone_through(self.type_of(generator.iter, inner))
            if items is None or generator.is_async:
                raise refusal(generator.iter, "it is not known what going through it gives")
            inner.update(unpacked(generator.target, items))
            for test in generator.ifs:
                self.type_of(test, inner)
                inner = dict(narrowed(self, test, inner, True))
        return inner

    def _item(self, value: Type, index: ast.expr, names: Names) -> Type | None:
        if not isinstance(index, ast.Slice):
            return item(value, index, self.type_of(index, names))
        for part in (index.lower, index.upper, index.step):
            if part is not None:
                self.type_of(part, names)
        return item(value, index)


_COMPARED = (Text, Whole, Real, Truth, Nothing, ListOf, SetOf, DictOf, Items, Instance, Json, Opaque)
