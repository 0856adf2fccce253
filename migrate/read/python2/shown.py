"""Literals that somebody only gets to see: bytes in UTF-8 in Python 2, text in Python 3, which look the same.

What puts them together with a text of another kind fails in Python 2, as ``"é" + u"à"`` does.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from migrate.syntax.nodes import parents_of, walk

_PARSERS = frozenset(
    {
        *("ArgumentParser", "OptionParser", "OptionGroup"),
        *("add_argument", "add_argument_group", "add_option", "add_parser", "add_subparsers"),
    }
)
_HELP = frozenset({"help", "description", "epilog", "usage", "title", "metavar"})
_LOGGING = frozenset({"debug", "info", "warning", "warn", "error", "critical", "exception"})
_STREAMS = frozenset({"sys.stdout.write", "sys.stderr.write", "sys.exit"})
_PERCENT = re.compile(r"%(?:\(\w+\))?(?:[sdi%]|[-+ 0#]*\d*(?:\.\d+)?[dioxXfFeEgG])")
_BRACES = re.compile(r"\{\{|\}\}|\{\w*(?::[-+ 0#,]*\d*(?:\.\d+)?[dfeEgGxX%])?\}")


def only_shown(tree: ast.Module, lines: Sequence[int]) -> set[int]:
    """The old lines on which all literals beyond ASCII are only shown.

    Args:
        tree: the module in Python 3.
        lines: the old line of each of its lines.
    """
    places = Places(tree)
    shown: set[int] = set()
    others: set[int] = set()
    for node in walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not node.value.isascii():
            rows = {lines[row - 1] for row in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
            (shown if places.are_seen(node) else others).update(rows)
    return shown - others


class Places:
    """The places of a module where texts are only seen: prints, logs, help."""

    def __init__(self, tree: ast.Module) -> None:
        self._parents = parents_of(tree)
        self._modules: set[str | None] = set()
        for node in walk(tree):
            if isinstance(node, ast.ImportFrom):
                self._modules.add(node.module)
            elif isinstance(node, ast.Import):
                self._modules.update(alias.name for alias in node.names)

    def are_seen(self, node: ast.expr) -> bool:
        """Whether a literal, and what is put together with it, goes where it is only seen."""
        while True:
            parent = self._parents.get(node)
            match parent:
                case ast.BinOp(_, ast.Add(), _):
                    node = parent
                case ast.BinOp(left, ast.Mod(), _) if left is node and _is_plain(node, _PERCENT, "%"):
                    node = parent
                case ast.Attribute(_, "format"):
                    call = self._parents.get(parent)
                    if not (isinstance(call, ast.Call) and call.func is parent):
                        return False
                    if not _is_plain(node, _BRACES, "{}"):
                        return False
                    node = call
                case ast.keyword(name):
                    call = self._parents.get(parent)
                    return isinstance(call, ast.Call) and name in _HELP and self._is_for_help(call.func)
                case ast.Call():
                    return node is not parent.func and self._shows(parent, node)
                case _:
                    return False

    def _shows(self, call: ast.Call, argument: ast.expr) -> bool:
        function = call.func
        if isinstance(function, ast.Name) and function.id == "print":
            places = [keyword for keyword in call.keywords if keyword.arg == "file"]
            return all(ast.unparse(place.value) in ("sys.stderr", "sys.stdout") for place in places)
        if ast.unparse(function) in _STREAMS:
            return True
        if not isinstance(function, ast.Attribute):
            return False
        if function.attr == "error" and self._modules & {"argparse", "optparse"} and len(call.args) == 1:
            return True
        fits = call.args[:1] != [argument] or len(call.args) == 1 or _is_plain(argument, _PERCENT, "%")
        return "logging" in self._modules and function.attr in _LOGGING and fits

    def _is_for_help(self, function: ast.expr) -> bool:
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        return name in _PARSERS and bool(self._modules & {"argparse", "optparse"})


def _is_plain(node: ast.expr, conversions: re.Pattern[str], marks: str) -> bool:
    """Whether a template puts texts in as they are: without ``repr``, and without a width in bytes."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return False
    return not set(marks) & set(conversions.sub("", node.value))
