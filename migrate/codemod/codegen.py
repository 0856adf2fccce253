"""Code of LibCST's nodes, as `Module.code_for_node` gives it, in less time.

Nobody here asks for positions, and the context manager around each node that could record its own takes
half of the time. And the text of statements that did not change is there already.
"""

from __future__ import annotations

import ast
from contextlib import AbstractContextManager, nullcontext
from itertools import islice, pairwise

import libcst as cst
from libcst._nodes.internal import CodegenState  # what LibCST's own position provider is made of, too

from migrate.syntax.text import Text


class _Tokens(CodegenState):
    def record_syntactic_position(  # type: ignore[override]
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> AbstractContextManager[None]:
        return _NOWHERE


_NOWHERE = nullcontext()


def code_of(node: cst.CSTNode, module: cst.Module) -> str:
    """The code of a node of a module, with the module's indentation and line ends."""
    tokens = _Tokens(module.default_indent, module.default_newline)
    node._codegen(tokens)
    return "".join(tokens.tokens)


def code_after(new: cst.Module, old: cst.Module, tree: ast.Module, source: str) -> str:
    """The code of a module after its changes.

    Args:
        new: the module after its changes, in which what stays is the same node as before.
        old: the module before.
        tree: the same as Python's own tree.
        source: the code of the module before.
    """
    lines = Text(source).lines
    starts = _starts(old, tree)
    if not starts or starts[0] != len(old.header) or not new.has_trailing_newline:
        return code_of(new, new)
    ends = [*starts, len(lines) - len(old.footer)]
    texts: dict[cst.CSTNode, str] = {
        line: "".join(lines[a:b]) for line, (a, b) in zip(old.body, pairwise(ends), strict=True)
    }
    tokens = _Tokens(new.default_indent, new.default_newline)
    for part in (*new.header, *new.body, *new.footer):
        text = texts.get(part)
        if text is None:
            part._codegen(tokens)
        else:
            tokens.add_token(text)
    return "".join(tokens.tokens)


def _starts(module: cst.Module, tree: ast.Module) -> list[int]:
    """The lines, from 0, with which the lines of a module's own block begin, those above them included."""
    statements = iter(tree.body)
    found = []
    for line in module.body:
        number = len(line.body) if isinstance(line, cst.SimpleStatementLine) else 1
        first, *_ = islice(statements, number)
        heads = [first.lineno, *(one.lineno for one in getattr(first, "decorator_list", ()))]
        found.append(min(heads) - 1 - len(line.leading_lines))
    return found
