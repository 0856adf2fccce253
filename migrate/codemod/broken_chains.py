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


def in_brackets(chain: cst.BaseExpression, indent: str) -> cst.BaseExpression | None:
    """A chain that the program has broken before dots, in brackets on lines of their own; None if it has not.

    Args:
        chain: a chain without brackets.
        indent: what its lines are indented by beyond those of its block.
    """
    inside = _line_end(indent)
    broken = _indented(chain, indent)
    if broken is chain:
        return None
    return broken.with_changes(
        lpar=[cst.LeftParen(whitespace_after=inside)],
        rpar=[cst.RightParen(whitespace_before=_line_end(""))],
    )


def _indented(node: cst.BaseExpression, indent: str) -> cst.BaseExpression:
    """A chain whose lines are indented alike, with its comments; itself if it has one line."""
    match node:
        case cst.Call(func=func):
            inner = _indented(func, indent)
            return node if inner is func else node.with_changes(func=inner)
        case cst.Attribute(value=value, dot=dot):
            inner, end = _indented(value, indent), dot.whitespace_before
            if isinstance(end, cst.ParenthesizedWhitespace):
                end = end.with_changes(indent=True, last_line=cst.SimpleWhitespace(indent))
            elif inner is value:
                return node
            return node.with_changes(value=inner, dot=dot.with_changes(whitespace_before=end))
    return node


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
