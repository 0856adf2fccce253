"""Texts that are encoded for a pattern which takes out all that is not ASCII: their bytes say nothing more.

pattern = re.compile("[^a-zA-Z]+")
word = pattern.sub("", word.encode("utf-8")).lower()
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from migrate.columns.regex_characters import removed
from migrate.columns.regexes import NotCommon, parsed
from migrate.syntax.nodes import of_kinds, parents_of, walk

_CASES = frozenset({"lower", "upper"})


def through_ascii(tree: ast.Module) -> dict[ast.Call, bool]:
    """The calls of ``encode`` whose bytes go through such patterns alone.

    The value says whether letters get another case first: those beyond ASCII have to go before that, as the
    sign of Kelvin becomes a k.
    """
    names = of_kinds(tree, ast.Name)
    bound = Counter(node.id for node in names if not isinstance(node.ctx, ast.Load))
    patterns = {
        target.id
        for node in of_kinds(tree, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and bound[target.id] == 1 and _is_compiled(node.value)
    }
    parameters = {node.arg for node in of_kinds(tree, ast.arg)}
    if bound["re"] or "re" in parameters:
        return {}
    taken = {given for call in of_kinds(tree, ast.Call) for given in _taken(call, patterns - parameters)}
    found = {call: cased for given in taken if isinstance(given, ast.expr) for call, cased in _encoded(given)}
    parents = parents_of(tree)
    for node in of_kinds(tree, ast.Assign):
        match node.targets:
            case [ast.Name(name)] if name not in parameters:
                scope = _scope(node, parents)
                own = [one for one in walk(scope) if isinstance(one, ast.Name) and one.id == name]
                reads = [one for one in own if isinstance(one.ctx, ast.Load)]
                alone = isinstance(scope, ast.FunctionDef) and len(own) == len(reads) + 1
                if alone and reads and all(one in taken for one in reads):
                    found.update(_encoded(node.value))
    return found


def _is_compiled(node: ast.expr) -> bool:
    match node:
        case ast.Call(ast.Attribute(ast.Name("re"), "compile"), [pattern], []):
            return _takes_out(pattern)
    return False


def _takes_out(node: ast.expr) -> bool:
    """Whether a pattern matches each character beyond ASCII by itself, and means the same for bytes."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return False
    if "\\" in node.value or not node.value.isascii():
        return False
    try:
        read = parsed(node.value, 0)
    except NotCommon:
        return False
    return (~removed(read.data, read.state.flags)).is_ascii


def _taken(call: ast.Call, patterns: set[str]) -> Iterator[ast.expr]:
    """What a call takes the characters out of: the ``text`` of ``pattern.sub("", text)``."""
    match call:
        case ast.Call(ast.Attribute(ast.Name(name), "sub"), [ast.Constant(""), text], []) if name in patterns:
            yield text
        case ast.Call(ast.Attribute(ast.Name("re"), "sub"), [pattern, ast.Constant(""), text], []):
            if _takes_out(pattern):
                yield text


def _encoded(node: ast.expr) -> Iterator[tuple[ast.Call, bool]]:
    """The call of ``encode`` that an expression is, and whether it gives its letters another case then."""
    cased = False
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
        if node.func.attr == "encode":
            yield node, cased
            return
        if node.func.attr not in _CASES or node.args:
            return
        node, cased = node.func.value, True


def _scope(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.AST:
    """The function around a statement, or the module."""
    above = parents.get(node, node)
    while above in parents and not isinstance(above, ast.FunctionDef):
        above = parents[above]
    return above
