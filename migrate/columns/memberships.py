"""Several comparisons of one value as one membership: ``w == "a" or w == "b"`` is ``w in ("a", "b")``."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from itertools import groupby

from migrate.syntax.nodes import walk

_EACH: dict[type[ast.boolop], tuple[type[ast.cmpop], ast.cmpop]] = {
    ast.Or: (ast.Eq, ast.In()),
    ast.And: (ast.NotEq, ast.NotIn()),
}


def as_memberships(node: ast.BoolOp, constants: Mapping[str, object]) -> list[ast.expr]:
    """The operands of an ``and`` or ``or``, where comparisons of one text that are side by side are one.

    Args:
        node: the expression.
        constants: the values of names; ``TAGS[0]`` of a list of texts is a text.
    """
    compared, among = _EACH[type(node.op)]
    made: list[ast.expr] = []
    sides = [(one, _sides(one, compared, constants)) for one in node.values]
    for text, found in groupby(sides, lambda pair: "" if pair[1] is None else ast.dump(pair[1][0])):
        operands = list(found)
        pairs = [pair for _, pair in operands if pair is not None]
        if text and len(pairs) > 1:
            container = _container([item for _, item in pairs], constants)
            membership = ast.Compare(pairs[0][0], [among], [container])
            made.append(ast.copy_location(membership, operands[0][0]))
            ast.copy_location(container, operands[0][0])
        else:
            made += [one for one, _ in operands]
    return made


def _sides(
    node: ast.expr, operator: type[ast.cmpop], constants: Mapping[str, object]
) -> tuple[ast.expr, ast.expr] | None:
    """What a node compares with a constant text, and that text; None if it does something else."""
    match node:
        case ast.Compare(left, [one], [right]) if isinstance(one, operator):
            if _text(right, constants) is not None:
                return left, right
            if _text(left, constants) is not None:
                return right, left
    return None


def _text(node: ast.expr, constants: Mapping[str, object]) -> str | None:
    """The constant text that a node is: ``"a"``, or ``TAGS[0]`` of a list."""
    match node:
        case ast.Constant(str(text)):
            return text
        case ast.Subscript(ast.Name(name), ast.Constant(int(place))):
            items = constants.get(name)
            found = items[place] if isinstance(items, list | tuple) and 0 <= place < len(items) else None
            return found if isinstance(found, str) else None
    return None


def _container(items: list[ast.expr], constants: Mapping[str, object]) -> ast.expr:
    """The list that some texts are all of, by its name; else a tuple of them."""
    match items[0]:
        case ast.Subscript(ast.Name(name) as listed):
            whole = constants[name]
            assert isinstance(whole, list | tuple)
            each = [f"{name}[{place}]" for place in range(len(whole))]
            if each == [ast.unparse(item) for item in items]:
                return ast.Name(listed.id, ast.Load())
    return ast.Tuple([ast.Constant(_text(item, constants)) for item in items], ast.Load())


def as_membership(node: ast.Call, name: str, constants: Mapping[str, object]) -> ast.Compare | None:
    """``any(word == tag for tag in TAGS)`` as ``word in TAGS``, ``all(word != ...)`` as ``word not in TAGS``.

    Args:
        node: the call.
        name: the builtin function that it calls.
        constants: the values of names, of which those that are texts hold more than their items.
    """
    compared, among = _EACH[ast.Or if name == "any" else ast.And]
    match node:
        case ast.Call(
            _,
            [
                ast.GeneratorExp(ast.Compare(left, [operator], [right]), [loop])
                | ast.ListComp(ast.Compare(left, [operator], [right]), [loop])
            ],
            [],
        ) if isinstance(operator, compared):
            return _membership(left, right, loop, among, constants)
    return None


def _membership(
    left: ast.expr,
    right: ast.expr,
    loop: ast.comprehension,
    among: ast.cmpop,
    constants: Mapping[str, object],
) -> ast.Compare | None:
    """The membership of what is compared with each item of a list, if it is one."""
    if not isinstance(loop.target, ast.Name) or loop.ifs or loop.is_async:
        return None
    item, container = loop.target.id, loop.iter
    holds = isinstance(container, ast.List | ast.Tuple | ast.Set) or (
        isinstance(container, ast.Name) and isinstance(constants.get(container.id), _CONTAINERS)
    )
    sides = [side for side in (left, right) if not (isinstance(side, ast.Name) and side.id == item)]
    if not holds or len(sides) != 1:
        return None
    if any(isinstance(part, ast.Name) and part.id == item for part in walk(sides[0])):
        return None
    return ast.copy_location(ast.Compare(sides[0], [among], [container]), left)


def goes_through_list(node: ast.Call, constants: Mapping[str, object]) -> bool:
    """Whether a call goes through a list by its name: ``any(tag in line for tag in TAGS)``."""
    match node.args:
        case [ast.GeneratorExp(_, [loop]) | ast.ListComp(_, [loop])]:
            listed = constants.get(loop.iter.id) if isinstance(loop.iter, ast.Name) else None
            return isinstance(listed, list | set | dict)
    return False


_CONTAINERS = (list, tuple, set, frozenset, dict)
