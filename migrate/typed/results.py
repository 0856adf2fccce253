"""The results of functions that stay Python, as columns: their types, and what Spark must be told of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from migrate.columns.element import UNREAD, Element, Record, Refusal, Scalar, Scope
from migrate.columns.messages import refusal
from migrate.columns.names import is_telling
from migrate.columns.shapes import Bool, Date, Float, Int, List, Maybe, Shape, Str, Timestamp
from migrate.frozen import replace
from migrate.typed.applied import Applied, applied
from migrate.typed.expressions import Expressions
from migrate.typed.learnt import Result, as_learnt
from migrate.typed.narrowing import narrowed
from migrate.typed.parts import item
from migrate.typed.types import (
    FOREIGN,
    NOTHING,
    Instance,
    Items,
    Kind,
    ListOf,
    Naive,
    Nothing,
    Opaque,
    Real,
    Text,
    Truth,
    Type,
    Whole,
    items_of,
    join,
    joined,
    kinds_of,
    of_shape,
    one,
    widened,
)

FunctionNode = ast.expr | ast.FunctionDef
NO_COLUMN = "part of its result is of no type that a column holds"


def result_of_map(
    function: FunctionNode, arguments: Sequence[Element | Type], scope: Scope, *, may_print: bool = False
) -> Result:
    """The result of a function of elements, or of values of other types.

    Raises:
        Refusal: the function is not proven to be pure, or to return what columns hold; or it prints though it
            may not, as Spark calls no function for a column that nothing reads: for a ``count`` of rows.
    """
    found = applied(function, [type_of(element) for element in arguments], scope)
    if found.prints and not may_print:
        raise refusal(function, "it prints")
    return _called(found, _result(found.type, function, scope))


def _called(found: Applied, result: Result) -> Result:
    """A result, with what calls of the function do beside it."""
    return replace(result, reads_clock=found.reads_clock, prints=found.prints)


def result_of_type(found: Type, function: FunctionNode) -> Result:
    """The columns of what a function returns that is of a type.

    Raises:
        Refusal: no columns hold it.
    """
    return Result(_element(found, function), _fits(found))


def _result(found: Type, function: FunctionNode, scope: Scope) -> Result:
    """What a function returns whose values are of a type, or are said to be of one."""
    try:
        return result_of_type(found, function)
    except Refusal:
        annotated = _annotated(function, scope)
        if annotated is not None:
            shape = Maybe(_CLASSES[annotated])
            return Result(Scalar("F.lit(None)", shape), True, checked=f"{{{annotated}, None}}")
        learnt = as_learnt(scope.learnt)
        if learnt is None:
            raise
        return learnt


_CLASSES: dict[str, Shape] = {"str": Str(), "int": Int(), "float": Float(), "bool": Bool()}


def _annotated(function: FunctionNode, scope: Scope) -> str | None:
    """The class that a function returns by its annotation: ``-> float``, ``-> "int | None"``."""
    if isinstance(function, ast.Lambda) and isinstance(function.body, ast.Call):
        function = function.body.func
    node = scope.functions.get(function.id) if isinstance(function, ast.Name) else function
    if not isinstance(node, ast.FunctionDef) or node.returns is None:
        return None
    text = ast.unparse(node.returns).strip("'\"")
    match = re.fullmatch(r"(?:typing\.)?Optional\[(\w+)\]|(\w+)(?: \| None)?", text)
    name = (match[1] or match[2]) if match is not None else ""
    return name if name in _CLASSES and name not in scope.shadowed else None


def result_of_filter(function: FunctionNode, arguments: Sequence[Element | Type], scope: Scope) -> Result:
    """The result of a condition; it may be of any type, of which only the truth counts.

    Raises:
        Refusal: the function is not proven to do no more than to compute and print.
    """
    found = applied(function, [type_of(element) for element in arguments], scope)
    exact = all(isinstance(kind, Truth | Nothing) for kind in found.type)
    return _called(found, Result(Scalar("", Bool()), True, exact, stays=found.prints))


def result_of_flat_map(function: FunctionNode, arguments: Sequence[Element | Type], scope: Scope) -> Result:
    """The result of a function of elements that returns several: the columns of one of them.

    Raises:
        Refusal: as `result_of_map`; or it is not known what going through it gives.
    """
    found = applied(function, [type_of(element) for element in arguments], scope)
    items = type_of_items(function, found.type)
    exact = all(isinstance(kind, ListOf) and not kind.is_view for kind in kinds_of(found.type))
    try:
        made = Result(_element(items, function), _fits(items), exact)
    except Refusal:
        learnt = as_learnt(scope.learnt)
        if learnt is None:
            raise
        made = replace(learnt, exact=exact, checked=f"[{learnt.checked}]")
    return _called(found, made)


def type_of_result(
    function: FunctionNode, given: Element | Type, scope: Scope, *, may_print: bool = False
) -> Type:
    """The type of what a function returns, which a column may not hold.

    Raises:
        Refusal: the function is not proven to be pure, or to give the same at each call, or prints though it
            may not.
    """
    found = applied(function, [type_of(given)], scope)
    if found.reads_clock:
        raise refusal(function, "each call of it may give something else, as it reads the clock or is random")
    if found.prints and not may_print:
        raise refusal(function, "it prints")
    return found.type


def result_of_state(function: FunctionNode, value: Type, scope: Scope) -> tuple[Result, bool]:
    """The states that a function makes of a list of new values and the last state, or None for none yet.

    Returns:
        what is known of them, and whether it may return None, which is no state.

    Raises:
        Refusal: the function is not proven to do no more than to compute and print, or to return what
            columns hold.
    """
    # a key is never called without new values and without a state
    first = applied(function, [one(ListOf(value, filled=True)), NOTHING], scope)
    state, found = _states_of(first), first
    for turn in range(_ROUNDS):
        found = applied(function, [one(ListOf(value)), state], scope) if state else first
        after = join(state, _states_of(found))
        after = widened(state, after) if turn > 0 else after  # an int may only grow
        if after == state:
            result = replace(
                result_of_type(state, function),
                reads_clock=first.reads_clock or found.reads_clock,
                prints=first.prints or found.prints,
            )
            return result, join(first.type, found.type) != state
        state = after
    raise refusal(function, "the type of its states is not known")


def _states_of(found: Applied) -> Type:
    """The states among the results of a call: None is none."""
    return frozenset(kind for kind in kinds_of(found.type) if not isinstance(kind, Nothing))


_ROUNDS = 5
"""How often a state function is called with the type of the states that it made before."""


def prints(function: FunctionNode, given: Element | Type, scope: Scope) -> bool:
    """Whether a function prints, of which `type_of_result` has found the type."""
    return applied(function, [type_of(given)], scope).prints


def type_left(function: FunctionNode, given: Type, scope: Scope) -> Type:
    """The type of the values for which a condition holds, as far as a lambda tells it: ``x is not None``."""
    match function:
        case ast.Lambda(ast.arguments(args=[ast.arg(name)], defaults=[]), test):
            return narrowed(Expressions(scope), test, {name: given}, True)[name]
    return given


def pair_of(found: Type, function: FunctionNode) -> tuple[Type, Type]:
    """The types of the key and the value of pairs, which may be lists.

    Raises:
        Refusal: they are not known.
    """
    key, value = (item(found, ast.Constant(place)) for place in (0, 1))
    if key is None or value is None:
        raise refusal(function, "it is not known to get a pair")
    return key, value


def type_of_items(function: FunctionNode, found: Type) -> Type:
    """The type of the elements that a function returns as a list, or as something that raises.

    Raises:
        Refusal: it is not known what going through its result gives.
    """
    items = [items for kind in kinds_of(found) if (items := items_of(kind)) is not None]
    if not items:
        raise refusal(function, "it is not known to return a list")
    return joined(items)


def type_of(element: Element | Type) -> Type:
    """The type of an element of a stream; a type is its own.

    Raises:
        Refusal: it is not known.
    """
    if isinstance(element, frozenset):
        return element
    if isinstance(element, Record):
        return one(Items(tuple(map(type_of, element.items)), element.fields))
    if element.unread:
        return FOREIGN
    return of_shape(element.shape)


def _element(found: Type, node: ast.AST) -> Element:
    """The columns for values of a type."""
    kinds = list(kinds_of(found))
    if len(kinds) == 1 and isinstance(kinds[0], Instance):
        attributes = zip(kinds[0].names, kinds[0].types, strict=True)
        columns = tuple(_attribute(name, of, node) for name, of in attributes)
        return Record(columns, fields=kinds[0].names, of_object=True)
    if len(kinds) == 1 and isinstance(kinds[0], Items) and kinds[0].types:
        tuple_ = kinds[0]
        if tuple_.mixed:
            raise refusal(node, "its fields have other names each time")
        names = tuple_.names or (None,) * len(tuple_.types)
        items = []
        for name, inner in zip(names, tuple_.types, strict=True):
            made = _element(inner, node)
            items.append(
                Scalar(made.code, made.shape, name)
                if isinstance(made, Scalar) and (tuple_.is_row or is_telling(name))
                else made
            )
        return Record(tuple(items), fields=tuple_.names, only_framed=tuple_.is_row)
    shape = _shape(found)
    if shape is None:
        raise refusal(node, NO_COLUMN)
    return Scalar("F.lit(None)", shape)


def _attribute(name: str, found: Type, node: ast.AST) -> Scalar:
    """The column for an attribute of an object; one that is not to be read, if no column holds it."""
    try:
        made = _element(found, node)
    except Refusal:
        return UNREAD
    return replace(made, name=name) if isinstance(made, Scalar) else UNREAD


def _shape(found: Type) -> Shape | None:
    kinds = [kind for kind in kinds_of(found) if not isinstance(kind, Nothing)]
    if len(kinds) != 1:
        return None
    plain = _plain(kinds[0])
    if isinstance(kinds[0], ListOf):
        plain = _shape(kinds[0].of) if kinds[0].of else Str()
        empty = not kinds[0].of
        is_item = plain is not None and not isinstance(plain, List | Maybe)
        plain = List(plain, is_empty=empty, at_most=kinds[0].at_most) if plain and is_item else None
        plain = None if kinds[0].is_view else plain
    if plain is None or len(kinds) == len(list(kinds_of(found))):
        return plain
    return Maybe(plain)


def _plain(kind: Kind) -> Shape | None:
    match kind:
        case Text():
            return Str()
        case Whole(low, high):
            return Int(int(low), int(high)) if kind.fits else Int()
        case Real():
            return Float()
        case Truth():
            return Bool()
        case Opaque("date"):
            return Date()
        case Naive():
            return Timestamp()
    return None


def _fits(found: Type) -> bool:
    """Whether a column holds every value of a type."""
    for kind in kinds_of(found):
        match kind:
            case Whole() if not kind.fits:
                return False
            case Text(clean=False):
                return False
            case ListOf(of) if not _fits(of):
                return False
            case Items(types=types) | Instance(types=types) if not all(map(_fits, types)):
                return False
    return True
