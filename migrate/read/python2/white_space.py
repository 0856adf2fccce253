"""What takes other characters for white space in Python 2's bytes than in a text of Python 3."""

from __future__ import annotations

import ast

from migrate.syntax.nodes import of_kinds, parents_of, walk

_WHITE_SPACE = frozenset({"isspace", "splitlines"})
_BY_WHITE_SPACE = frozenset({"split", "rsplit", "strip", "lstrip", "rstrip"})


def tells_separators(tree: ast.Module) -> bool:
    """Whether a module may take the characters from 28 to 31 for white space, which Python 3 alone does.

    So do ``split`` and ``strip`` without an argument, ``splitlines``, ``\\s`` of `re`, and `int` where a
    handler may catch that a text is no number.
    """
    given = {
        call.func
        for call in of_kinds(tree, ast.Call)
        if call.args and not (isinstance(call.args[0], ast.Constant) and call.args[0].value is None)
    }
    parents = parents_of(tree)
    for node in of_kinds(tree, ast.Attribute):
        tells = node.attr in _WHITE_SPACE or (node.attr in _BY_WHITE_SPACE and node not in given)
        if tells and not _is_line_of_file(node.value, parents, tree):
            return True
    texts = [node.value for node in of_kinds(tree, ast.Constant) if isinstance(node.value, str)]
    if any("\\s" in text.lower() for text in texts):
        return True
    reads = any(node.id in ("int", "float") for node in of_kinds(tree, ast.Name))
    return reads and bool(of_kinds(tree, ast.Try))


def _is_line_of_file(node: ast.expr, parents: dict[ast.AST, ast.AST], tree: ast.Module) -> bool:
    """Whether a name is the variable of a loop over the lines of a file, which nobody has encoded here."""
    above: ast.AST | None = parents.get(node)
    while above is not None and isinstance(node, ast.Name):
        match above:
            case ast.For(ast.Name(node.id), source) if not _stored_in(above.body, node.id):
                return _is_file(source, tree)
            case ast.FunctionDef() | ast.Lambda() | ast.comprehension():
                return False
        above = parents.get(above)
    return False


def _stored_in(body: list[ast.stmt], name: str) -> bool:
    names = [node for statement in body for node in walk(statement) if isinstance(node, ast.Name)]
    return any(node.id == name and not isinstance(node.ctx, ast.Load) for node in names)


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
