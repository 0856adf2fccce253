"""Code of one module in the new code of another one, where it is written anew and not quoted."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping

from migrate.graph.program import Program
from migrate.model import Module
from migrate.plan.new_code.code import Code, with_text
from migrate.plan.new_code.inner import Inner
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import names_in, quotes

_TIGHT = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant)
"""Expressions that need no parentheses anywhere."""


class CodeOfOthers:
    """Writes what one module quotes of the others."""

    def __init__(self, module: Module, program: Program, inner: Inner) -> None:
        """Take what is quoted.

        Args:
            module: the module of the new code.
            program: the graph, with its other modules.
            inner: changes in what is quoted.
        """
        self._renamed: Mapping[ast.AST, str] = dict(inner.renamed)
        self._replaced: Mapping[ast.AST, str] = dict(inner.replaced)
        self._quoted = {
            name: (node, other)
            for other in program.modules
            if other is not module
            for name, node in quotes(other.tree).items()
        }

    def code(self, code: Code) -> Code:
        """The code of a statement, with that of other modules written out."""
        return with_text(code, self._text)

    def _text(self, text: str) -> str:
        for name in names_in(text):
            if name in self._quoted:
                text = text.replace(name, self._source(*self._quoted[name]))
        return text

    def _source(self, node: ast.expr, module: Module) -> str:
        """An expression as its module has it if that is one line, else on one line."""
        changes = [*self._changes(node)]
        # before Python 3.12 nobody knows where an f-string has its parts
        is_spread = node.lineno != node.end_lineno
        if is_spread or (changes and any(isinstance(part, ast.JoinedStr) for part in walk(node))):
            return ast.unparse(self._anew(node))
        line = module.source.splitlines()[node.lineno - 1].encode()
        made, end = b"", node.end_col_offset or 0
        for first, last, new in sorted(changes, reverse=True):
            made, end = new.encode() + line[last:end] + made, first
        return (line[node.col_offset : end] + made).decode()

    def _changes(self, node: ast.AST) -> Iterator[tuple[int, int, str]]:
        """The changes in code of one line: the columns where each begins and ends, and what stands there."""
        first, last = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
        if node in self._replaced:
            new = self._replaced[node]
            is_tight = isinstance(ast.parse(new, mode="eval").body, _TIGHT)
            yield first, last, new if is_tight else f"({new})"
            return
        if node in self._renamed:
            match node:
                case ast.Attribute(attr=name):
                    first = last - len(name.encode())
                case ast.keyword(arg=str(name)) | ast.arg(arg=name):
                    last = first + len(name.encode())
            yield first, last, self._renamed[node]
        for child in ast.iter_child_nodes(node):
            yield from self._changes(child)

    def _anew(self, node: ast.AST) -> ast.AST:
        """A copy of code with its changes."""
        if node in self._replaced:
            return ast.parse(self._replaced[node], mode="eval").body
        new = copy.copy(node)
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                setattr(new, field, [self._anew(one) if isinstance(one, ast.AST) else one for one in value])
            elif isinstance(value, ast.AST):
                setattr(new, field, self._anew(value))
        if node in self._renamed:
            match new:
                case ast.Name():
                    new.id = self._renamed[node]
                case ast.Attribute():
                    new.attr = self._renamed[node]
                case ast.keyword() | ast.arg():
                    new.arg = self._renamed[node]
        return new
