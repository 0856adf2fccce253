"""New code as text, with the program's expressions in it as they were written, but on one line each."""

from __future__ import annotations

import ast
import re

from migrate.codemod.edits import Edit, Text, apply_edits
from migrate.codemod.style import Style, joined
from migrate.plan.code import Code, ModuleChanges
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import names_in, quotes


class Render:
    """The new code of one module."""

    def __init__(self, tree: ast.Module, text: Text, style: Style, changes: ModuleChanges) -> None:
        self.text = text
        self.style = style
        self.quoted = quotes(tree)
        self.replaced = dict(changes.inner.replaced)
        self.renamed = dict(changes.inner.renamed)

    def code(self, code: Code, depth: int) -> str:
        """A statement as it stands at a depth."""
        if isinstance(code, str):
            rows = [_indented(row, self.style.indent) for row in code.split("\n")]
            return "\n".join(self.filled(row) for row in rows)
        prefix = "return " if code.returned else f"{code.target} = " if code.target else ""
        calls = [self.filled(call.code) for call in code.calls]
        return self.style.chain(prefix, self.filled(code.base), calls, depth)

    def filled(self, code: str) -> str:
        """New code with the program's expressions in it."""
        for name in names_in(code):
            code = code.replace(name, self.expression(self.quoted[name]))
        return code

    def expression(self, node: ast.expr) -> str:
        """An expression of the program on one line, with what changes in it."""
        if node in self.replaced:
            return self.filled(self.replaced[node])
        start = self.text.start(node)
        edits = [Edit(edit.start - start, edit.end - start, edit.text) for edit in self.edits(node)]
        if not edits:
            return joined(self.text.of(node), node)
        code = apply_edits(self.text.of(node), edits)
        return joined(code, ast.parse(f"({code})", mode="eval").body)

    def edits(self, tree: ast.AST) -> list[Edit]:
        """What changes below a node; what is inside of something that is replaced changes with that."""
        found: list[Edit] = []
        for node in walk(tree):
            if node in self.replaced:
                found.append(
                    Edit(self.text.start(node), self.text.end(node), self.filled(self.replaced[node]))
                )
            elif node in self.renamed:
                found.append(self._renamed(node, self.renamed[node]))
        found.sort(key=lambda edit: (edit.start, -edit.end))
        outer: list[Edit] = []
        for edit in found:
            if not outer or edit.start >= outer[-1].end:
                outer.append(edit)
        return outer

    def _renamed(self, node: ast.AST, new: str) -> Edit:
        start, end = self.text.start(node), self.text.end(node)
        if isinstance(node, ast.Attribute):
            return Edit(end - len(node.attr), end, new)
        if isinstance(node, ast.arg | ast.keyword):
            return Edit(start, start + len(node.arg or ""), new)
        return Edit(start, end, new)


def _indented(row: str, indent: str) -> str:
    levels = re.match(r"(?:    )*", row)
    count = len(levels[0]) if levels else 0
    return indent * (count // 4) + row[count:]
