"""Which LibCST nodes are the parts of an expression, pair by pair with those of Python's own tree."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

import libcst as cst


class MismatchError(Exception):
    """The two trees are not of one text."""


Part = tuple[ast.AST, cst.CSTNode]


def both(node: ast.AST | None, other: cst.CSTNode | None) -> Iterator[Part]:
    """A part that both nodes have, or neither.

    Raises:
        MismatchError: one of them has it.
    """
    if (node is None) != (other is None):
        raise MismatchError(f"only one of the trees has {node or other}")
    if node is not None and other is not None:
        yield node, other


def parts(node: ast.AST, other: cst.CSTNode) -> Iterable[Part]:
    """The parts of two nodes of one expression, pair by pair.

    Raises:
        MismatchError: the two are not nodes of one expression.
    """
    match node, other:
        case ((ast.Name() | ast.Constant() | ast.alias()), _):
            return ()
        case ast.Attribute(), cst.Attribute():
            return ((node.value, other.value),)
        case ast.Call(), cst.Call():
            return ((node.func, other.func), *arguments(node.args, node.keywords, other.args))
        case ast.BinOp(), cst.BinaryOperation():
            return ((node.left, other.left), (node.right, other.right))
        case ast.UnaryOp(), cst.UnaryOperation():
            return ((node.operand, other.expression),)
        case ast.BoolOp(), cst.BooleanOperation():
            return _boolean(node, other)
        case ast.Compare(), cst.Comparison():
            compared = [target.comparator for target in other.comparisons]
            return ((node.left, other.left), *zip(node.comparators, compared, strict=True))
        case ast.Lambda(), cst.Lambda():
            return ((node.args, other.params), (node.body, other.body))
        case ast.IfExp(), cst.IfExp():
            return ((node.test, other.test), (node.body, other.body), (node.orelse, other.orelse))
        case ((ast.Tuple() | ast.List() | ast.Set()), (cst.Tuple() | cst.List() | cst.Set())):
            return [_element(one, two) for one, two in zip(node.elts, other.elements, strict=True)]
        case ast.Dict(), cst.Dict():
            return _dict(node, other)
        case ast.Subscript(), cst.Subscript():
            return ((node.value, other.value), *_subscript(node.slice, other))
        case ast.Slice(), cst.Slice():
            return (
                *both(node.lower, other.lower),
                *both(node.upper, other.upper),
                *both(node.step, other.step),
            )
        case ast.Starred(), (cst.StarredElement() | cst.Arg() | cst.Index()):
            return ((node.value, other.value),)
        case ast.NamedExpr(), cst.NamedExpr():
            return ((node.target, other.target), (node.value, other.value))
        case ast.Await(), cst.Await():
            return ((node.value, other.expression),)
        case ast.Yield(), cst.Yield():
            return tuple(both(node.value, other.value))
        case ast.YieldFrom(), cst.Yield():
            return ((node.value, other.value.item),) if isinstance(other.value, cst.From) else ()
        case ((ast.ListComp() | ast.SetComp() | ast.GeneratorExp()), cst.BaseSimpleComp()):
            return ((node.elt, other.elt), *_loops(node.generators, other.for_in))
        case ast.DictComp(), cst.DictComp():
            return ((node.key, other.key), (node.value, other.value), *_loops(node.generators, other.for_in))
        case ast.JoinedStr(), _:
            return zip(_formatted(node), _expressions(other), strict=True)
        case ast.arguments(), cst.Parameters():
            return _parameters(node, other)
        case ast.arg(), cst.Param():
            annotation = other.annotation.annotation if other.annotation is not None else None
            return tuple(both(node.annotation, annotation))
        case ast.keyword(), cst.Arg():
            return ((node.value, other.value),)
        case _:
            raise MismatchError(f"{type(node).__name__} is not {type(other).__name__}")


def arguments(
    positional: Sequence[ast.expr], keywords: Sequence[ast.keyword], arguments: Sequence[cst.Arg]
) -> Iterator[Part]:
    """Arguments: LibCST has them in the order of the text, `ast` those with a name or two stars apart."""
    places, named = iter(positional), iter(keywords)
    for argument in arguments:
        if argument.keyword is not None or argument.star == "**":
            yield next(named), argument
        else:
            node = next(places)
            yield node, argument if isinstance(node, ast.Starred) else argument.value


def _boolean(node: ast.BoolOp, other: cst.BooleanOperation) -> Iterator[Part]:
    """``a and b and c``: one node for `ast`, and two for LibCST, the first one on the left."""
    rest: cst.BaseExpression = other
    for value in reversed(node.values[1:]):
        assert isinstance(rest, cst.BooleanOperation)
        yield value, rest.right
        rest = rest.left
    yield node.values[0], rest


def _element(node: ast.expr, element: cst.BaseElement) -> Part:
    return (node, element if isinstance(node, ast.Starred) else element.value)


def _dict(node: ast.Dict, other: cst.Dict) -> Iterator[Part]:
    for key, value, element in zip(node.keys, node.values, other.elements, strict=True):
        if key is not None and isinstance(element, cst.DictElement):
            yield key, element.key
        yield value, element.value


def _subscript(node: ast.expr, other: cst.Subscript) -> Iterator[Part]:
    def inside(one: ast.expr, element: cst.SubscriptElement) -> Part:
        if isinstance(element.slice, cst.Index) and not isinstance(one, ast.Starred):
            return one, element.slice.value
        return one, element.slice

    (first, *others) = other.slice
    if not others and not isinstance(first.comma, cst.Comma):
        yield inside(node, first)
    elif isinstance(node, ast.Tuple):
        yield from (inside(one, two) for one, two in zip(node.elts, other.slice, strict=True))


def _loops(generators: Sequence[ast.comprehension], loop: cst.CompFor | None) -> Iterator[Part]:
    for generator in generators:
        assert loop is not None
        yield generator.target, loop.target
        yield generator.iter, loop.iter
        yield from ((one, two.test) for one, two in zip(generator.ifs, loop.ifs, strict=True))
        loop = loop.inner_for_in


def _formatted(node: ast.JoinedStr) -> Iterator[ast.expr]:
    """The expressions of an f-string, in order, with those of formats."""
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            yield part.value
            if isinstance(part.format_spec, ast.JoinedStr):
                yield from _formatted(part.format_spec)
        elif isinstance(part, ast.JoinedStr):
            yield from _formatted(part)


def _expressions(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    if isinstance(node, cst.ConcatenatedString):
        yield from _expressions(node.left)
        yield from _expressions(node.right)
    elif isinstance(node, cst.FormattedString | cst.FormattedStringExpression):
        parts = node.parts if isinstance(node, cst.FormattedString) else node.format_spec or ()
        for part in parts:
            if isinstance(part, cst.FormattedStringExpression):
                yield part.expression
                yield from _expressions(part)


def _parameters(node: ast.arguments, other: cst.Parameters) -> Iterator[Part]:
    named = [*other.posonly_params, *other.params]
    positional = [*node.posonlyargs, *node.args]
    yield from zip(positional, named, strict=True)
    late = named[len(named) - len(node.defaults) :]
    for default, parameter in zip(node.defaults, late, strict=True):
        yield from both(default, parameter.default)
    for argument, value, parameter in zip(
        node.kwonlyargs, node.kw_defaults, other.kwonly_params, strict=True
    ):
        yield argument, parameter
        yield from both(value, parameter.default)
    if node.vararg is not None and isinstance(other.star_arg, cst.Param):
        yield node.vararg, other.star_arg
    if node.kwarg is not None and other.star_kwarg is not None:
        yield node.kwarg, other.star_kwarg
