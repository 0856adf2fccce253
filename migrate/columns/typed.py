"""The result types of pure Python functions that stay Python and run over Arrow.

The compiler's productions say of each expression what it is; where one has no Column form,
`migrate.columns.signatures` does. The columns' code is thrown away. Nothing is narrowed by what a column's
guard would raise on: a result is a text, a 64-bit int (Arrow raises beyond), a double, a bool, or a list of
these.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from migrate.columns.booleans import truth
from migrate.columns.code import column_name
from migrate.columns.compiler import Compiler, Names, V
from migrate.columns.element import (
    Element,
    Generated,
    Record,
    Refusal,
    Scalar,
    Scope,
    Value,
    gone_through,
)
from migrate.columns.entry import named_after_parameters
from migrate.columns.functions import FunctionNode, apply
from migrate.columns.messages import refusal
from migrate.columns.shapes import Bool, Float, Int, List, Maybe, Shape, Str
from migrate.columns.signatures import ATTRIBUTES, KEYWORDS, given, owner, result_of
from migrate.columns.type_values import arithmetic_type, number_type, shapes_of, type_of, value_of_shape


def type_map(function: FunctionNode, arguments: Sequence[Element], scope: Scope) -> Element:
    """The types of the result of a function; the code of the element's columns means nothing.

    Raises:
        Refusal: it is not proven to be pure and to return these types.
    """
    typing = Typing(scope)
    value = apply(typing, function, named_after_parameters(function, arguments), {})
    return _stored(typing.as_element(value, function), function)


def type_flat_map(function: FunctionNode, arguments: Sequence[Element], scope: Scope) -> Element:
    """The types of each item of the list that a function returns.

    Raises:
        Refusal: as `type_map` does; or it returns no list.
    """
    typing = Typing(scope)
    value = gone_through(apply(typing, function, named_after_parameters(function, arguments), {}))
    if isinstance(value, Generated):
        return _stored(value.loop("item").element, function)
    shape = type_of(value)
    if not isinstance(shape, List):
        raise Refusal("the function is not known to return a list", function)
    return _stored(value_of_shape(shape.of), function)


def type_filter(function: FunctionNode, element: Element, scope: Scope) -> Element:
    """The types of an element that a condition passes; it must be pure, its result may be anything.

    Raises:
        Refusal: it is not proven.
    """
    typing = Typing(scope)
    truth(typing, apply(typing, function, named_after_parameters(function, [element]), {}), function)
    return _stored(element, function)


def type_beside(key: Element, value: Element, node: ast.AST) -> Element:
    """The types of a pair of a key as it is and a value of known types.

    Raises:
        Refusal: the key is of no type that Arrow and Spark share.
    """
    return Record((_stored(key, node), value))


class Typing(Compiler):
    """The compiler, which asks the table where it has no production."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self._known: dict[tuple[int, int, frozenset[str]], tuple[Value | Refusal, ast.expr, Names]] = {}
        """By the ids of an expression and its names, which are kept, lest others get the same ids."""

    def framed(self, node: ast.AST, evaluate: Callable[[], V]) -> V:
        """Evaluate without the check for unused steps: a Python function evaluates all of them."""
        return evaluate()

    def value(self, node: ast.expr, names: Names) -> Value:
        """As the compiler does, once for each expression: it may be refused on several levels."""
        key = (id(node), id(names), self.narrowed)
        if key not in self._known:
            self._known[key] = self._evaluated(node, names), node, names
        found = self._known[key][0]
        if isinstance(found, Refusal):
            raise found
        return found

    def _evaluated(self, node: ast.expr, names: Names) -> Value | Refusal:
        try:
            return super().value(node, names)
        except Refusal as refused:
            try:
                return value_of_shape(self._typed(node, names))
            except Refusal:
                return refused

    def _typed(self, node: ast.expr, names: Names) -> Shape:
        match node:
            case ast.BinOp(left=left, op=operator, right=right):
                shape = arithmetic_type(
                    operator, type_of(self.value(left, names)), type_of(self.value(right, names)), right
                )
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
                shape = number_type(type_of(self.value(operand, names)))
            case ast.Compare(left=left, comparators=others):
                for operand in (left, *others):
                    type_of(self.value(operand, names))
                shape = Bool()
            case ast.JoinedStr(values=parts):
                for part in parts:
                    if isinstance(part, ast.FormattedValue):
                        type_of(self.value(part.value, names))
                shape = Str()
            case ast.Subscript(value=value, slice=index):
                shape = self._item(type_of(self.value(value, names)), index, names)
            case ast.Attribute(value=value, attr=name):
                holder = given(type_of(self.value(value, names)))
                qualified = f"{owner(holder)}.{name}"
                shape = result_of(qualified, [holder]) if qualified in ATTRIBUTES else None
            case ast.Call(func=called, args=arguments, keywords=keywords) if keywords:
                shape = self._called(called, arguments, keywords, names)
            case _:
                shape = None
        if shape is None:
            raise refusal(node, "its type is not known")
        return shape

    def _called(
        self, called: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword], names: Names
    ) -> Shape | None:
        """The result of a call with keywords that do not change its type."""
        shapes = [type_of(self.value(argument, names)) for argument in arguments]
        name = self.qualified(called, names)
        if name is None and isinstance(called, ast.Attribute):
            shapes = [given(type_of(self.value(called.value, names))), *shapes]
            name = f"{owner(shapes[0])}.{called.attr}"
        for keyword in keywords:
            if name is None or keyword.arg not in KEYWORDS.get(name, ()):
                return None
            if not (self.qualified(keyword.value, names) or "").startswith("re."):  # re.IGNORECASE
                type_of(self.value(keyword.value, names))
        return result_of(name or "", shapes)

    def _item(self, shape: Shape, index: ast.expr, names: Names) -> Shape | None:
        shape = given(shape)
        if isinstance(index, ast.Slice):
            for bound in (index.lower, index.upper, index.step):
                if bound is not None:
                    type_of(self.value(bound, names))
            return shape if isinstance(shape, Str | List) else None
        if not isinstance(given(type_of(self.value(index, names))), Int):
            return None
        return Str() if isinstance(shape, Str) else shape.of if isinstance(shape, List) else None

    def call_method(self, node: ast.AST, name: str, receiver: Value, arguments: Sequence[Value]) -> Value:
        """By a production, or by the result types of Python's own methods."""
        try:
            return super().call_method(node, name, receiver, arguments)
        except Refusal as refused:
            shapes = shapes_of((receiver, *arguments))
            holder = [given(shape) for shape in shapes[:1]]
            qualified = f"{owner(holder[0])}.{name}" if holder else ""
            known = holder and qualified not in ATTRIBUTES
            shape = result_of(qualified, [*holder, *shapes[1:]]) if known else None
            if shape is None:
                raise refused from None
            return value_of_shape(shape, receiver if isinstance(shape, Str) else None)

    def call_function(self, node: ast.AST, name: str, arguments: Sequence[Value]) -> Value:
        """By a production, or by the result types of the standard library."""
        try:
            return super().call_function(node, name, arguments)
        except Refusal as refused:
            shapes = shapes_of(arguments)
            shape = result_of(name, shapes) if shapes or not arguments else None
            if shape is None:
                raise refused from None
            return value_of_shape(shape)


def _stored(element: Element, node: ast.AST) -> Element:
    if isinstance(element, Record):
        return Record(tuple(_stored(item, node) for item in element.items), element.name)
    shape = element.shape
    inner = shape.of if isinstance(shape, Maybe | List) else shape
    plain: Shape
    match inner:
        case Str():
            plain = Str()
        case Int():
            plain = Int()
        case Float():
            plain = Float()
        case Bool():
            plain = Bool()
        case _:
            raise refusal(node, "part of its result is of no type that a column of Arrow's holds")
    if isinstance(shape, Maybe):
        plain = Maybe(plain)
    elif isinstance(shape, List):
        plain = List(plain)
    name = element.name or column_name(element.code)
    return Scalar("F.lit(None)", plain, name=name, constant=element.constant, columns=frozenset())
