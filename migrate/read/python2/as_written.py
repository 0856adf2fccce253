"""Code as the program had it, for reports: without this step's own functions."""

from __future__ import annotations

import ast

from migrate.knowledge.builtins import OF_PYTHON_2

_BUILTINS = frozenset({"hash", "round", "str"})
_METHODS = frozenset({"decode", "encode"})


def as_written(node: ast.expr) -> str:
    """``str(x)`` for ``python2_str(x)``, ``a / b`` for ``python2_divide(a, b)``."""
    code = ast.unparse(node)
    if OF_PYTHON_2 not in code:
        return code
    return ast.unparse(_AsWritten().visit(ast.parse(code, mode="eval")))


class _AsWritten(ast.NodeTransformer):
    """Puts what stood there in the places of functions, in a tree of its own."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """A builtin, also where nothing calls it: ``map(str, row)``."""
        own = _own(node)
        return ast.Name(own) if own in _BUILTINS else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """An operator or a method."""
        match _own(node.func), node.args:
            case "divide", [left, right]:
                return self.generic_visit(ast.BinOp(left, ast.Div(), right))
            case method, [text, *given] if method in _METHODS:
                return self.generic_visit(ast.Call(ast.Attribute(text, method), given, node.keywords))
        return self.generic_visit(node)


def _own(node: ast.expr) -> str:
    """What a function of this step stands for; its name may have got an underscore where that was taken."""
    is_own = isinstance(node, ast.Name) and node.id.startswith(OF_PYTHON_2)
    return node.id.removeprefix(OF_PYTHON_2).rstrip("_") if is_own and isinstance(node, ast.Name) else ""
