"""Texts in lower or upper case of which only what is ASCII decides: ``"spark" in line.lower()``.

The letters for which Python and Spark do not agree on their case are beyond ASCII in either case, and no
white space, and one stands for one. So whatever takes all of those letters alike gives the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from migrate.columns import characters
from migrate.columns.compiler import Compiler, Names
from migrate.columns.constants import python_value
from migrate.columns.element import Refusal
from migrate.columns.regex_characters import BEYOND, alike_beyond_ascii, matched, removed
from migrate.columns.regexes import NotCommon, parsed

_CASES = ("lower", "upper")
_STRIPS = ("strip", "lstrip", "rstrip")
_TESTS = ("re.search", "re.match", "re.fullmatch")
LOOKING = ("startswith", "endswith", "count", "find", "index")
"""Methods that look for another text."""


def cased(text: ast.expr, *, in_pieces: bool = False) -> ast.Call | None:
    """The call of ``lower`` or ``upper`` that a text is made by, of which only ASCII is taken out or changed.

    Args:
        text: the text.
        in_pieces: whether it may be a list of the pieces of one.
    """
    while True:
        match text:
            case ast.Call(ast.Attribute(attr=name), [], []) if name in _CASES:
                return text
            case ast.Call(ast.Attribute(inner, name), arguments, []) if all(map(_is_ascii, arguments)):
                pieces = name == "split" and in_pieces and len(arguments) < 2
                if not (name in _STRIPS or pieces or (name == "replace" and len(arguments) == 2)):
                    return None
                text, in_pieces = inner, in_pieces and not pieces
            case _:
                return None


def without_case(function: ast.Attribute, arguments: Sequence[ast.expr]) -> ast.Attribute:
    """``text.startswith`` for ``text.lower().startswith`` where what it looks for has no letters: ``"#"``.

    No other character becomes one of these in either case, nor do they become others.
    """
    match function.value, arguments:
        case ast.Call(ast.Attribute(text, name), [], []), [ast.Constant(str(affix))] if name in _CASES:
            if affix and affix.isascii() and not any(map(str.isalpha, affix)):
                return ast.copy_location(ast.Attribute(text, function.attr, ast.Load()), function)
    return function


def compared(
    compiler: Compiler, text: ast.expr, others: Sequence[ast.expr], names: Names, *, in_pieces: bool = False
) -> None:
    """Note that a text is compared with others; where these are ASCII, letters beyond it decide nothing.

    Args:
        compiler: the compiler of the function.
        text: the text, or with `in_pieces` a list of its pieces.
        others: texts, or lists, tuples and sets of them, which it is compared with.
        names: the values of names.
        in_pieces: whether one of the pieces is looked for.
    """
    call = cased(text, in_pieces=in_pieces)
    if call is None:
        return
    if all(_are_ascii(compiler, other, names) for other in others):
        compiler.by_ascii.add(call)
    else:  # a loop has other values for the same expression
        compiler.by_ascii.discard(call)


def searched(compiler: Compiler, node: ast.Call, name: str, names: Names) -> None:
    """Note that a text is searched by a pattern that takes all letters beyond ASCII alike.

    Args:
        compiler: the compiler of the function.
        node: the call.
        name: the function, ``re.sub``.
        names: the values of names.
    """
    given = [keyword.value for keyword in node.keywords if keyword.arg == "flags"]
    if len(node.keywords) != len(given) or len(node.args) != (3 if name == "re.sub" else 2):
        return
    call = cased(node.args[-1])
    if call is None:
        return
    try:
        pattern = python_value(compiler.value(node.args[0], names))
        flags = python_value(compiler.value(given[0], names)) if given else 0
        read = parsed(pattern, flags) if isinstance(pattern, str) and isinstance(flags, int) else None
    except (Refusal, NotCommon):
        return
    if read is None or not alike_beyond_ascii(read.data, read.state.flags):
        return
    tests = name in _TESTS or name == "re.findall"
    gone = name in ("re.sub", "re.split") and BEYOND - removed(read.data, read.state.flags) == characters.NONE
    found = name == "re.findall" and BEYOND & matched(read.data, read.state.flags) == characters.NONE
    if gone or found or (tests and node.func in compiler.assumed.tested):
        compiler.by_ascii.add(call)


def _is_ascii(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isascii()


def _are_ascii(compiler: Compiler, node: ast.expr, names: Names) -> bool:
    """Whether an expression is a text of ASCII that is known, or several."""
    match node:
        case ast.Constant():
            return _is_ascii(node)
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return all(_are_ascii(compiler, item, names) for item in items)
        case ast.Name(id=name) if name in names:
            return _all_ascii([python_value(names[name])])
        case ast.Name(id=name) if name in compiler.scope.constants:
            value = compiler.scope.constants[name]
            return _all_ascii(value if isinstance(value, list | tuple | set | frozenset | dict) else [value])
        case ast.Name():
            known = compiler.scope.settled(node)
            return known is not None and known.is_ascii
    return False


def _all_ascii(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) and value.isascii() for value in values)
