"""Code of one module in the new code of another one, where it is written anew and not quoted."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping

from migrate.graph.program import Program
from migrate.model import Module
from migrate.plan.code import Code, with_text
from migrate.plan.inner import Inner
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import names_in, quotes


class CodeOfOthers:
    """Writes what one module quotes of the others."""

    def __init__(self, module: Module, program: Program, inner: Inner) -> None:
        """Take what is quoted.

        Args:
            module: the module of the new code.
            program: the graph, with its other modules.
            inner: changes in what is quoted.
        """
        self._inner: Mapping[ast.AST, str] = dict((*inner.renamed, *inner.replaced))
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
        changes = {part: self._inner[part] for part in walk(node) if part in self._inner}
        anew = ast.unparse(_with(node, changes))
        if node.lineno != node.end_lineno:
            return anew
        line = module.source.splitlines()[node.lineno - 1].encode()
        end = node.end_col_offset or 0
        for part, new in sorted(changes.items(), key=lambda pair: -getattr(pair[0], "col_offset", 0)):
            first, last = getattr(part, "col_offset", 0), getattr(part, "end_col_offset", 0)
            line = line[:first] + new.encode() + line[last:]
            end += len(new.encode()) - (last - first)
        found = line[node.col_offset : end].decode(errors="replace")
        return found if _same(found, anew) else anew


def _with(node: ast.expr, changes: Mapping[ast.AST, str]) -> ast.expr:
    """A copy of an expression with some of its parts replaced."""
    memo = {id(part): ast.parse(new, mode="eval").body for part, new in changes.items()}
    return copy.deepcopy(node, memo)


def _same(one: str, other: str) -> bool:
    try:
        return ast.dump(ast.parse(one, mode="eval")) == ast.dump(ast.parse(other, mode="eval"))
    except SyntaxError:
        return False
