"""Chains of calls in parentheses, with a line for each call."""

from __future__ import annotations

import libcst as cst


def a_link_a_line(chain: cst.BaseExpression, indent: str) -> cst.BaseExpression:
    """The chain with its calls below each other, but for what the first one is called on.

    Args:
        chain: ``rdd.map(f).filter(g).count()``.
        indent: what its lines are indented by beyond those of its block.
    """
    if chain.lpar or not isinstance(chain, cst.Call):
        return chain
    inside, outside = _line_end(indent), _line_end("")
    return _broken(chain, inside).with_changes(
        lpar=[cst.LeftParen(whitespace_after=inside)], rpar=[cst.RightParen(whitespace_before=outside)]
    )


def _line_end(indent: str) -> cst.ParenthesizedWhitespace:
    return cst.ParenthesizedWhitespace(indent=True, last_line=cst.SimpleWhitespace(indent))


def _broken(node: cst.BaseExpression, end: cst.ParenthesizedWhitespace) -> cst.BaseExpression:
    """A chain with its line broken before the dot of each call but the first one."""
    match node:
        case cst.Call(func=cst.Attribute(value=value) as method) if _has_call(value):
            dot = method.dot.with_changes(whitespace_before=end)
            return node.with_changes(func=method.with_changes(value=_broken(value, end), dot=dot))
        case cst.Attribute(value=value):
            return node.with_changes(value=_broken(value, end))
    return node


def _has_call(node: cst.BaseExpression) -> bool:
    """Whether a chain has a call to break the line after."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return isinstance(node, cst.Call)
