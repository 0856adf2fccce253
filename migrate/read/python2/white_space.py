"""What takes other characters for white space in Python 2's bytes than in a text of Python 3."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.read.python2.ascii_patterns import patterns_of_ascii
from migrate.syntax.nodes import around, of_kinds, parents_of, walk

_WHITE_SPACE = frozenset({"isspace", "splitlines"})
_BY_WHITE_SPACE = frozenset({"split", "rsplit", "strip", "lstrip", "rstrip"})
_READING = frozenset({"read", "readline", "readlines"})
_KEEPING = _BY_WHITE_SPACE | {"lower", "replace", "splitlines", "upper"}


def tells_separators(tree: ast.Module) -> bool:
    """Whether a module may take the characters from 28 to 31 for white space, which Python 3 alone does.

    So do ``split`` and ``strip`` without an argument, ``splitlines``, ``\\s`` of `re` where no `re.ASCII`
    becomes its flag, and `int` where a handler may catch that a text is no number.
    """
    given = {
        call.func
        for call in of_kinds(tree, ast.Call)
        if call.args and not (isinstance(call.args[0], ast.Constant) and call.args[0].value is None)
    }
    parents = parents_of(tree)
    for node in of_kinds(tree, ast.Attribute):
        tells = node.attr in _WHITE_SPACE or (node.attr in _BY_WHITE_SPACE and node not in given)
        if tells and not _is_of_file(node.value, parents, tree):
            return True
    in_ascii = patterns_of_ascii(tree)
    others = (node for node in of_kinds(tree, ast.Constant) if node not in in_ascii)
    if any(isinstance(node.value, str) and "\\s" in node.value.lower() for node in others):
        return True
    reads = any(node.id in ("int", "float") for node in of_kinds(tree, ast.Name))
    return reads and bool(of_kinds(tree, ast.Try))


def _is_of_file(node: ast.expr, parents: dict[ast.AST, ast.AST], tree: ast.Module) -> bool:
    """Whether an expression is a text of a file, or a list of such, which nobody has encoded here.

    ``file.read().split("\\n")``, or ``line.rstrip()`` in a loop over its lines.
    """
    match node:
        case ast.Call(ast.Attribute(file, method), _, []) if method in _READING:
            return _is_file(file, tree)
        case ast.Call(ast.Attribute(text, method), arguments, []) if method in _KEEPING:
            constant = all(isinstance(one, ast.Constant) for one in arguments)
            return constant and _is_of_file(text, parents, tree)
        case ast.Subscript(texts):
            return _is_of_file(texts, parents, tree)
        case ast.Name():
            return _is_variable_of_file(node, parents, tree)
    return False


def _is_variable_of_file(node: ast.Name, parents: dict[ast.AST, ast.AST], tree: ast.Module) -> bool:
    """Whether all that a name is bound to where it stands comes from a file."""
    inner: ast.AST = node
    for above in around(node, parents):
        match above:
            case ast.For(ast.Name(node.id), source, body):
                bound = [value for statement in body for value in _bound(statement, node.id)]
                own = all(value is not None and _is_of(value, node.id) for value in bound)
                return own and _are_lines(source, parents, tree)
            case ast.ListComp(_, [loop]) | ast.SetComp(_, [loop]) | ast.GeneratorExp(_, [loop]):
                if not isinstance(loop.target, ast.Name):
                    return False
                if loop.target.id == node.id:
                    return inner is not loop and _are_lines(loop.iter, parents, tree)
            case ast.FunctionDef() | ast.Module():
                return _is_bound_once(node.id, above, parents, tree)
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return False
        inner = above
    return False


def _is_bound_once(
    name: str, scope: ast.FunctionDef | ast.Module, parents: dict[ast.AST, ast.AST], tree: ast.Module
) -> bool:
    """Whether a function, or the module, binds a name once, to a text of a file."""
    bound = [value for statement in scope.body for value in _bound(statement, name)]
    others = {one.arg for one in walk(scope) if isinstance(one, ast.arg)}
    others.update(other for node in of_kinds(tree, ast.Global) for other in node.names)
    if name in others or len(bound) != 1 or bound[0] is None:
        return False
    return _is_of_file(bound[0], parents, tree)


def _are_lines(node: ast.expr, parents: dict[ast.AST, ast.AST], tree: ast.Module) -> bool:
    """Whether a loop is over the lines of a file, by itself or as a list."""
    return _is_file(node, tree) or _is_of_file(node, parents, tree)


def _is_of(node: ast.expr, name: str) -> bool:
    """Whether an expression is what a method makes of a variable: ``line.rstrip()``."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPING:
        node = node.func.value
    return isinstance(node, ast.Name) and node.id == name


def _bound(statement: ast.stmt, name: str) -> Iterator[ast.expr | None]:
    """The expressions that a statement binds a name to; None for what is bound otherwise."""
    plain = {
        id(node.targets[0]): node.value
        for node in walk(statement)
        if isinstance(node, ast.Assign) and len(node.targets) == 1
    }
    for node in walk(statement):
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
            yield plain.get(id(node))


def _is_file(node: ast.expr, tree: ast.Module) -> bool:
    """Whether an expression is an open file: all that its name stands for is one."""
    if not isinstance(node, ast.Name):
        return _is_open(node)
    opened = [item.optional_vars for item in of_kinds(tree, ast.withitem) if _is_open(item.context_expr)]
    for assignment in of_kinds(tree, ast.Assign):
        opened += assignment.targets if _is_open(assignment.value) else []
    named = [one for one in of_kinds(tree, ast.Name) if one.id == node.id]
    stored = [one for one in named if not isinstance(one.ctx, ast.Load)]
    parameters = {parameter.arg for parameter in of_kinds(tree, ast.arg)}
    return bool(stored) and node.id not in parameters and all(one in opened for one in stored)


def _is_open(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open"
