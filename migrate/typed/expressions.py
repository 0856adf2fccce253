"""The types of Python expressions, by a closed grammar: what is not known to be pure is refused.

A type is a promise on every value that is there. What always raises has no values; where the program fails,
so does the function that is the same code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from migrate.columns.element import Refusal, Scope
from migrate.columns.messages import impurity, refusal
from migrate.typed import containers, operators
from migrate.typed.signatures import ATTRIBUTES, KEYWORDS, owner, result_of
from migrate.typed.types import (
    NEVER,
    TEXT,
    TRUTH,
    DictOf,
    Items,
    Iterating,
    Json,
    Kind,
    ListOf,
    Nothing,
    Opaque,
    Real,
    SetOf,
    Text,
    Truth,
    Type,
    Whole,
    items_of,
    join,
    joined,
    kinds_of,
    of_constant,
    one,
)

Names = Mapping[str, Type]
"""The types of variables, and of what a condition has narrowed, by the dump of its expression."""
DEPTH = 20
"""The depth up to which functions may call each other; more is taken for recursion."""
_CLASSES: dict[str, type[Kind]] = {
    "str": Text,
    "int": Whole,
    "float": Real,
    "bool": Truth,
    "list": ListOf,
    "dict": DictOf,
    "tuple": Items,
    "set": SetOf,
}
_EXPLICIT = {"str", "int", "float", "bool", "list", "dict", "set"}


class Expressions:
    """Finds the types of expressions; statements of functions are its subclass's."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.depth = 0

    def apply(self, function: ast.AST, arguments: Sequence[Type], names: Names) -> Type:
        """The type of what a function returns.

        Raises:
            Refusal: it is not known, not pure, or its type is not known.
        """
        match function:
            case ast.Lambda():
                return self._nested(function, arguments, names)
            case ast.FunctionDef():
                return self._nested(function, arguments, {})
            case ast.Name(id) if id in self.scope.functions and id not in names:
                return self._nested(self.scope.functions[id], arguments, {})
        name = self.qualified(function, names)
        if name is None:
            raise refusal(function, "it is not known which function this is")
        head, _, method = name.partition(".")
        result = None
        if head in _EXPLICIT and method and arguments:
            result = self._method(function, method, arguments[0], arguments[1:])
        return result if result is not None else self._function(function, name, arguments)

    def _nested(
        self, function: ast.Lambda | ast.FunctionDef, arguments: Sequence[Type], names: Names
    ) -> Type:
        if self.depth >= DEPTH:
            raise Refusal("the functions call each other too deeply, or without end", function)
        inner = {**names, **self._bound(function, arguments, names)}
        self.depth += 1
        try:
            if isinstance(function, ast.Lambda):
                return self.type_of(function.body, inner)
            return self.returned(function, inner)
        finally:
            self.depth -= 1

    def returned(self, function: ast.FunctionDef, names: Names) -> Type:
        """The type of what the statements of a function return."""
        raise NotImplementedError

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
            case ast.Compare(left, _, comparators):
                return self._compared(node, [self.type_of(each, names) for each in (left, *comparators)])
            case ast.IfExp(test, body, orelse):
                self.type_of(test, names)
                then, otherwise = self.narrowed(test, names, True), self.narrowed(test, names, False)
                return join(self.type_of(body, then), self.type_of(orelse, otherwise))
            case ast.Tuple(elts):
                return one(Items(tuple(self.type_of(item, names) for item in elts)))
            case ast.List(elts):
                return one(ListOf(joined(self.type_of(item, names) for item in elts)))
            case ast.Set(elts):
                return one(SetOf(joined(self.type_of(item, names) for item in elts)))
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
            case ast.Attribute(value, attr) if self.qualified(node, names) is None:
                return self._attribute(self.type_of(value, names), attr)
            case ast.Attribute():
                name = self.qualified(node, names) or ""
                return TEXT if name.startswith("string.") else None
            case ast.Call():
                return self._call(node, names)
        return None

    def _outer(self, node: ast.Name) -> Type | None:
        if node.id in self.scope.constants:
            return of_constant(self.scope.constants[node.id])
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
            found.append(frozenset(each for each in kind if _may_be(each, not is_and)))
            inner = self.narrowed(value, inner, is_and)
        return join(*found, self.type_of(values[-1], inner))

    def _compared(self, node: ast.Compare, types: list[Type]) -> Type | None:
        """A bool; the kinds have no comparison of their own that could give something else."""
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
            inner.update(self.unpacked(generator.target, items))
            for test in generator.ifs:
                self.type_of(test, inner)
                inner = dict(self.narrowed(test, inner, True))
        return inner

    def unpacked(self, target: ast.expr, value: Type) -> dict[str, Type]:
        """The types of the variables of an assignment's target.

        Raises:
            Refusal: it is an attribute or the like.
        """
        if isinstance(target, ast.Name):
            return {target.id: value}
        if not isinstance(target, ast.Tuple | ast.List):
            raise refusal(target, "assigning to this is not followed")
        bound: dict[str, Type] = {}
        for place, part in enumerate(target.elts):
            found = []
            for kind in kinds_of(value):
                if isinstance(kind, Items):
                    fits = len(kind.types) == len(target.elts) and not isinstance(part, ast.Starred)
                    found.append(kind.types[place] if fits else NEVER)
                elif isinstance(kind, Opaque):
                    raise refusal(target, "it is not known what it is unpacked from")
                else:
                    found.append(items_of(kind) or NEVER)
            if isinstance(part, ast.Starred):
                raise refusal(part, "a * in an assignment is not followed")
            bound.update(self.unpacked(part, joined(found)))
        return bound

    def _item(self, value: Type, index: ast.expr, names: Names) -> Type | None:
        if isinstance(index, ast.Slice):
            for bound in (index.lower, index.upper, index.step):
                if bound is not None:
                    self.type_of(bound, names)
            found = [_sliced(kind, index) for kind in kinds_of(value)]
        else:
            self.type_of(index, names)
            constant = index.value if isinstance(index, ast.Constant) else _negative(index)
            found = [_at(kind, constant) for kind in kinds_of(value)]
        return None if None in found else joined(each for each in found if each is not None)

    def _attribute(self, value: Type, name: str) -> Type | None:
        found: list[Type] = []
        for kind in kinds_of(value):
            if isinstance(kind, Items) and name in kind.names:
                found.append(kind.types[kind.names.index(name)])
            elif f"{owner(kind)}.{name}" in ATTRIBUTES:
                found.append(result_of(f"{owner(kind)}.{name}", [one(kind)]) or NEVER)
            elif not isinstance(kind, Nothing):
                return None
        return joined(found)

    # --- calls ----------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call, names: Names) -> Type | None:
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            return None
        function = node.func
        if isinstance(function, ast.Attribute) and self.qualified(function, names) is None:
            receiver = self.type_of(function.value, names)
            arguments = [self.type_of(argument, names) for argument in node.args]
            kinds = {f"{owner(kind)}.{function.attr}" for kind in kinds_of(receiver)}
            if kinds == {"str.format"}:
                plain = [*arguments, *(self.type_of(keyword.value, names) for keyword in node.keywords)]
                return operators.formatted([receiver, *plain])
            for member in kinds:
                self._check_keywords(node, member, names)
            return self._method(node, function.attr, receiver, arguments)
        name = self.qualified(function, names)
        if name == "isinstance" and len(node.args) == 2:
            self.type_of(node.args[0], names)
            return TRUTH
        if name in ("map", "filter") and len(node.args) == 2 and not node.keywords:
            return self._mapped(name, node, names)
        if name in ("sorted", "max", "min") and node.keywords:
            return self._ordered(name, node, names)
        if name == "re.findall" and len(node.args) == 2 and not node.keywords:
            return self._found_all(node, names)
        arguments = [self.type_of(argument, names) for argument in node.args]
        if node.keywords:
            if name is None:
                return None
            self._check_keywords(node, name, names)
        return self.apply(function, arguments, names)

    def _check_keywords(self, node: ast.Call, name: str, names: Names) -> None:
        for keyword in node.keywords:
            if keyword.arg not in KEYWORDS.get(name, ()):
                raise refusal(node, f"its argument `{keyword.arg or '**'}` is not followed")
            if not (self.qualified(keyword.value, names) or "").startswith("re."):  # re.IGNORECASE
                self.type_of(keyword.value, names)

    def _mapped(self, name: str, node: ast.Call, names: Names) -> Type | None:
        items = containers.gone_through(self.type_of(node.args[1], names))
        if items is None:
            return None
        if isinstance(node.args[0], ast.Constant) and node.args[0].value is None:
            return one(Iterating(items)) if name == "filter" else None
        result = self.apply(node.args[0], [items], names) if items else NEVER
        return one(Iterating(result if name == "map" else items))

    def _ordered(self, name: str, node: ast.Call, names: Names) -> Type | None:
        """``sorted(x, key=f, reverse=True)``, ``max(x, key=f, default=0)``."""
        arguments = [self.type_of(argument, names) for argument in node.args]
        found = containers.called(name, arguments)
        items = containers.gone_through(arguments[0]) if len(arguments) == 1 else joined(arguments)
        for keyword in node.keywords:
            if keyword.arg == "key" and items is not None:
                self.apply(keyword.value, [items], names)
            elif keyword.arg == "default" and name != "sorted" and found is not None:
                found = join(found, self.type_of(keyword.value, names))
            elif keyword.arg == "reverse" and name == "sorted":
                self.type_of(keyword.value, names)
            else:
                return None
        return found

    def _found_all(self, node: ast.Call, names: Names) -> Type | None:
        pattern, text = node.args[0], self.type_of(node.args[1], names)
        if not isinstance(pattern, ast.Constant) or not isinstance(pattern.value, str):
            return None
        try:
            groups = re.compile(pattern.value).groups
        except re.error:
            return NEVER
        if any(not isinstance(kind, Text) for kind in kinds_of(text)):
            return None
        return one(ListOf(text if groups < 2 else one(Items((text,) * groups))))

    def _method(self, node: ast.AST, name: str, receiver: Type, arguments: Sequence[Type]) -> Type | None:
        """The result of a method, for each kind of its receiver that has it."""
        found: list[Type] = []
        for kind in kinds_of(receiver):
            result = containers.asked(kind, name, arguments)
            if result is None:
                result = result_of(f"{owner(kind)}.{name}", [one(kind), *arguments])
            if result is None and (isinstance(kind, Nothing) or self._lacks(kind, name)):
                result = NEVER
            if result is None:
                if name in containers.CHANGING:
                    raise refusal(node, "it changes a value that may be seen elsewhere")
                raise refusal(node, f"it is not known what `.{name}` returns")
            found.append(result)
        return joined(found)

    @staticmethod
    def _lacks(kind: Kind, name: str) -> bool:
        """Whether values of a kind have no such method, so that the call raises."""
        known = {Text: str, Whole: int, Real: float, Truth: bool, ListOf: list, DictOf: dict, SetOf: set}
        python = known.get(type(kind))
        return python is not None and not hasattr(python, name)

    def _function(self, node: ast.AST, name: str, arguments: Sequence[Type]) -> Type:
        fields = self.scope.namedtuples.get(name)
        if fields is not None and len(fields) == len(arguments):
            return one(Items(tuple(arguments), fields))
        found = containers.called(name, arguments)
        if found is None:
            found = result_of(name, arguments)
        if found is None:
            raise refusal(node, impurity(name) or "its type is not known")
        return found

    def qualified(self, node: ast.AST, names: Names) -> str | None:
        """The builtin or library function that an expression names (``operator.add``), or None."""
        if isinstance(node, ast.Name):
            scope = self.scope
            if node.id in names or node.id in scope.constants or node.id in scope.functions:
                return None
            if node.id in scope.namedtuples:
                return node.id
            return scope.imports.get(node.id) or (node.id if node.id not in scope.shadowed else None)
        if isinstance(node, ast.Attribute):
            above = self.qualified(node.value, names)
            return f"{above}.{node.attr}" if above is not None else None
        return None

    # --- narrowing ------------------------------------------------------------------------------------------

    def narrowed(self, test: ast.expr, names: Names, holds: bool) -> Names:
        """The types of variables where a condition holds, or where it does not."""
        match test:
            case ast.UnaryOp(ast.Not(), operand):
                return self.narrowed(operand, names, not holds)
            case ast.BoolOp(op, values) if isinstance(op, ast.And) is holds:
                for value in values:
                    names = self.narrowed(value, names, holds)
                return names
            case ast.Compare(
                left, [ast.Is() | ast.Eq() | ast.IsNot() | ast.NotEq() as op], [ast.Constant(None)]
            ):
                is_none = isinstance(op, ast.Is | ast.Eq) is holds
                return self._kept(left, names, lambda kind: isinstance(kind, Nothing) is is_none)
            case ast.Call(ast.Name("isinstance"), [value, classes]) if self.qualified(test.func, names):
                wanted = self._classes(classes)
                if wanted is None:
                    return names
                known = wanted
                return self._kept(value, names, lambda kind: _is_instance(kind, known) is holds)
            case ast.Name() | ast.Subscript() | ast.Attribute():
                return self._kept(test, names, lambda kind: _may_be(kind, holds))
        return names

    def _classes(self, node: ast.expr) -> tuple[type[Kind], ...] | None:
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        found = [_CLASSES.get(part.id) for part in parts if isinstance(part, ast.Name)]
        known = tuple(kind for kind in found if kind is not None)
        shadowed = any(isinstance(part, ast.Name) and part.id in self.scope.shadowed for part in parts)
        return known if len(known) == len(parts) and not shadowed else None

    def _kept(self, node: ast.expr, names: Names, keeps: Callable[[Kind], bool]) -> Names:
        key = node.id if isinstance(node, ast.Name) else ast.dump(node)
        if not isinstance(node, ast.Name | ast.Subscript | ast.Attribute):
            return names
        if isinstance(node, ast.Name) and node.id not in names:
            return names
        found = self.type_of(node, names)
        return {**names, key: frozenset(kind for kind in kinds_of(found) if keeps(kind))}


_COMPARED = (Text, Whole, Real, Truth, Nothing, ListOf, SetOf, DictOf, Items, Json, Opaque)


def _may_be(kind: Kind, truth: bool) -> bool:
    """Whether a value of a kind may be true, or may be false."""
    if isinstance(kind, Nothing):
        return not truth
    if isinstance(kind, Items):
        return bool(kind.types) is truth
    if isinstance(kind, Iterating | Opaque) and kind != Opaque("bytes") and kind != Opaque("timedelta"):
        return truth
    if isinstance(kind, Whole) and truth:
        return kind != Whole(0, 0)
    return True


def _is_instance(kind: Kind, classes: tuple[type[Kind], ...]) -> bool:
    return isinstance(kind, classes) or (isinstance(kind, Truth) and Whole in classes)


def _negative(node: ast.expr | None) -> int | None:
    match node:
        case ast.UnaryOp(ast.USub(), ast.Constant(int(value))):
            return -value
    return None


def _bound(node: ast.expr | None) -> int | Literal[False] | None:
    """A bound of a slice: False for one that is not a constant."""
    value = node.value if isinstance(node, ast.Constant) else _negative(node)
    if node is None:
        return None
    return value if isinstance(value, int) and not isinstance(value, bool) else False


def _sliced(kind: Kind, index: ast.Slice) -> Type | None:
    match kind:
        case Text() | ListOf():
            return one(kind)
        case Items(types):
            bounds = [_bound(bound) for bound in (index.lower, index.upper, index.step)]
            if any(bound is False for bound in bounds):
                return None
            lower, upper, step = (None if bound is False else bound for bound in bounds)
            return one(Items(types[lower:upper:step]))
        case Opaque("bytes"):
            return one(kind)
        case Opaque():
            return None
    return NEVER


def _at(kind: Kind, constant: object) -> Type | None:
    match kind:
        case Text():
            return one(kind)
        case ListOf(of):
            return of
        case DictOf(_, values, known):
            return dict(known).get(constant, values) if isinstance(constant, str) else values
        case Items(types) if isinstance(constant, int) and not isinstance(constant, bool):
            return types[constant] if -len(types) <= constant < len(types) else NEVER
        case Items(types):
            return joined(types)
        case Opaque("bytes"):
            return one(Whole(0, 255))
        case Opaque():
            return None
    return NEVER
