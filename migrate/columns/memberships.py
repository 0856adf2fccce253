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


def as_memberships(node: ast.BoolOp) -> list[ast.expr]:
    """The operands of an ``and`` or ``or``, where comparisons of one text that are side by side are one."""
    compared, among = _EACH[type(node.op)]
    made: list[ast.expr] = []
    for text, found in groupby(node.values, lambda one: _compared(one, compared)):
        operands = list(found)
        comparisons = [one for one in operands if isinstance(one, ast.Compare)]
        if text and len(operands) > 1:
            container = ast.Tuple([one.comparators[0] for one in comparisons], ast.Load())
            membership = ast.Compare(comparisons[0].left, [among], [container])
            made.append(ast.copy_location(membership, operands[0]))
            ast.copy_location(container, operands[0])
        else:
            made += operands
    return made


def _compared(node: ast.expr, operator: type[ast.cmpop]) -> str:
    """What a node compares with a constant text, as a text itself; empty if it does something else."""
    match node:
        case ast.Compare(left, [one], [ast.Constant(str())]) if isinstance(one, operator):
            return ast.dump(left)
    return ""


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
