"""Applies the changes of one module to its LibCST tree: the only place where old code becomes new."""

from __future__ import annotations

import ast
import weakref
from collections.abc import Sequence
from functools import cache
from typing import Any

import libcst as cst

from migrate.codemod.blocks import comment_line, is_idle
from migrate.codemod.bodies import Blocks, Bodies
from migrate.codemod.broken_chains import a_link_a_line
from migrate.codemod.changes import Changes
from migrate.codemod.codegen import code_of
from migrate.codemod.import_names import renamed, with_names
from migrate.codemod.layout import Layout
from migrate.codemod.moves import Moves
from migrate.codemod.pairing import Pairs
from migrate.codemod.shifting import Move, hangs, shifted
from migrate.codemod.statements import NewStatements
from migrate.codemod.style import LEVEL, TAB, Style
from migrate.codemod.templates import Place, Templates, is_open, parenthesised, replaced
from migrate.codemod.trailing import aligned
from migrate.codemod.wording import reworded
from migrate.read.marks import MARK
from migrate.syntax.quoting import names_in
from migrate.syntax.text import Text


def applied(module: cst.Module, changes: Changes) -> cst.Module:
    """The LibCST tree of a module after its changes; comments that change everywhere say so in it already."""
    if not changes:
        return module
    new = module.visit(_Transformer(module, changes))
    assert isinstance(new, cst.Module)
    return new


_UNPAIRED = (cst.BooleanOperation, cst.ConcatenatedString, cst.FormattedString)
"""Expressions that may be parts of one node of `ast`, which stands for the outermost of them."""
_SPACE = (
    cst.BaseParenthesizableWhitespace,
    cst.TrailingWhitespace,
    cst.EmptyLine,
    cst.Newline,
    cst.Comment,
    cst.LeftParen,
    cst.RightParen,
)
"""White space and what stands in it, in which nothing is looked for."""
_BINDING = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.comprehension, ast.FormattedValue)
"""Expressions next to whose parts an operator or a keyword stands, or a sign that ends them."""
_VALUES = (ast.Assign, ast.AnnAssign, ast.Expr, ast.Return)
"""Statements that end in a value."""
_LINKS = 3
"""The calls of a chain that is broken at its dots."""
_LINES = (cst.SimpleStatementLine, cst.BaseCompoundStatement)


@cache
def _is(kind: type[cst.CSTNode], wanted: Any) -> bool:
    """Whether a kind of node is one of others: `isinstance`, which LibCST's abstract classes make slow."""
    return issubclass(kind, wanted)


class _Transformer(cst.CSTTransformer):
    def __init__(self, module: cst.Module, changes: Changes) -> None:
        super().__init__()
        self._changes = changes
        self._module = module
        self._pairs = Pairs(changes.tree, module)
        self._moves = Moves(changes)
        self._text = Text(changes.source)
        self._style = Style(changes.source)
        this = weakref.proxy(self)  # a cycle would keep the trees until the garbage collector finds it
        self._templates = Templates(self._style, module, lambda *name: this._quoted(*name))
        self._layout = Layout(self._style, lambda code: this._shown(code))
        statements = NewStatements(self._moves, self._style, self._layout, self._templates)
        self._bodies = Bodies(self._moves, self._pairs, statements, self._templates.indent)
        self._expressions = {self._paired(node): (node, code) for node, code in changes.expressions.items()}
        self._parameters = {self._paired(node): new.names for node, new in changes.parameters.items()}
        self._renamed = {self._named(node): name for node, name in changes.renamed.items()}
        self._reworded = {self._paired(node): words for node, words in changes.reworded.items()}
        self._imports = {self._pairs.statement(node): node for node in changes.imports}
        self._finals = {
            self._pairs.statement(node): statements.final(news, node) for node, news in changes.finals.items()
        }
        self._gone = {
            self._pairs.statement(node)
            for node in changes.statements
            if isinstance(node, ast.If) and self._moves.goes(node)
        }
        """Branches that go, of which an ``elif`` is no statement of a block."""
        self._ways = self._ancestors()
        """Expressions in which something changes."""
        self._writing: set[cst.CSTNode] = set()
        """Expressions that are being replaced, which may stand in what replaces them."""
        self._chains: set[cst.CSTNode] = set()
        """Chains of calls that are too long with what changes in them, and get a line for each call."""
        self._rewritten: dict[str, cst.BaseExpression] = {}
        """Quoted expressions with the changes inside them, by their names in new code."""
        self._texts: dict[str, str] = {}

    def _ancestors(self) -> set[cst.CSTNode]:
        found: set[cst.CSTNode] = set()
        for node in self._changes.inside:
            for step in self._moves.around(node):
                if isinstance(step, ast.stmt):
                    break
                paired = self._pairs.find(step, self._moves.statement_of(step))
                if paired is not None:
                    found.add(paired)
        return found

    def _paired(self, node: ast.AST) -> cst.CSTNode:
        return self._pairs.node(node, self._moves.statement_of(node))

    def _named(self, node: ast.AST) -> cst.CSTNode:
        """The node of a name, or of the function that is called so."""
        return self._pairs.statement(node) if isinstance(node, ast.stmt) else self._paired(node)

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Go down only where something changes."""
        kind = type(node)
        if _is(kind, _LINES):
            statements = self._pairs.on(node)
            return not statements or any(statement in self._moves.touched for statement in statements)
        if _is(kind, cst.BaseExpression):
            return _is(kind, _UNPAIRED) or node in self._ways
        return not _is(kind, _SPACE)

    def on_visit_attribute(self, node: cst.CSTNode, attribute: str) -> None:
        """Do nothing, and save the look-up of a method."""

    def on_leave_attribute(self, original_node: cst.CSTNode, attribute: str) -> None:
        """Do nothing, and save the look-up of a method."""

    def on_leave(  # type: ignore[override]
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> cst.CSTNode:
        """Put the new code of an expression, or of a block, in its place."""
        kind = type(original_node)
        if _is(kind, _SPACE):
            return updated_node
        if original_node in self._expressions and original_node not in self._writing:
            return self._expression(original_node)
        if original_node in self._parameters:
            assert isinstance(updated_node, cst.Param)
            return _parameters(updated_node, self._parameters[original_node])  # type: ignore[return-value]
        if isinstance(original_node, cst.Parameters) and isinstance(updated_node, cst.Parameters):
            return self._without_comma(original_node, updated_node)
        if original_node in self._imports:
            assert isinstance(updated_node, cst.Import | cst.ImportFrom)
            statement = self._imports[original_node]
            return with_names(updated_node, statement, self._changes.imports[statement])
        if original_node in self._chains:
            assert isinstance(updated_node, cst.BaseExpression)
            return a_link_a_line(updated_node, self._style.indent)
        if original_node in self._renamed:
            return _called(updated_node, self._renamed[original_node])
        if original_node in self._reworded:
            return reworded(updated_node, self._reworded[original_node])
        if isinstance(original_node, cst.Module):
            updated_node = self._bodies.headed(updated_node)  # type: ignore[arg-type]
            if self._changes.marks:
                updated_node = self._without_old_mark(original_node, updated_node)
        if isinstance(original_node, cst.IndentedBlock) and isinstance(updated_node, cst.IndentedBlock):
            updated_node = self._bodies.footed(original_node, updated_node)
        if _is(kind, Blocks) and self._bodies.changes(original_node):  # type: ignore[arg-type]
            updated_node = self._bodies.rewritten(original_node, updated_node)  # type: ignore[arg-type]
        if isinstance(original_node, cst.If):
            updated_node = self._without_idle_else(original_node, updated_node)  # type: ignore[arg-type]
        if original_node in self._finals:
            updated_node = updated_node.with_changes(finalbody=self._finals[original_node])
        if isinstance(original_node, cst.SimpleStatementLine) and updated_node is not original_node:
            updated_node = aligned(original_node, updated_node)  # type: ignore[arg-type]
        if _is(kind, _LINES) and (loose := self._bodies.loose(original_node)):
            lines = [*updated_node.leading_lines, *loose]  # type: ignore[attr-defined]
            updated_node = updated_node.with_changes(leading_lines=lines)
        return self._marked(original_node, updated_node) if self._changes.marks else updated_node

    def _without_idle_else(self, original: cst.If, updated: cst.If) -> cst.If:
        """A branch without an ``else`` or an ``elif`` of which nothing is left."""
        was, left = original.orelse, updated.orelse
        goes = was in self._gone
        if isinstance(was, cst.Else) and isinstance(left, cst.Else):
            goes = left.body is not was.body and is_idle(left.body) and not is_idle(was.body)
        return updated.with_changes(orelse=None) if goes else updated

    def _without_comma(self, original: cst.Parameters, updated: cst.Parameters) -> cst.Parameters:
        """Parameters without the comma that stood before the last one, if that goes."""
        gone = bool(original.params) and self._parameters.get(original.params[-1]) == ()
        more = original.star_kwarg, original.kwonly_params, isinstance(original.star_arg, cst.Param)
        if not gone or not updated.params or any(more):
            return updated
        *others, last = updated.params
        return updated.with_changes(params=[*others, last.with_changes(comma=original.params[-1].comma)])

    def _without_old_mark(self, original: cst.Module, updated: cst.CSTNode) -> cst.CSTNode:
        """The module without an older mark above its first statement, if that one gets a new one."""
        header = list(original.header)
        marked = any(one in self._changes.marks for one in self._pairs.on(original.body[0]))
        if marked and header and header[-1].comment is not None and header[-1].comment.value.startswith(MARK):
            return updated.with_changes(header=header[:-1])
        return updated

    def _marked(self, original: cst.CSTNode, updated: cst.CSTNode) -> cst.CSTNode:
        """A statement under a comment of ours, which takes the place of an older one."""
        marks = [self._changes.marks[one] for one in self._pairs.on(original) if one in self._changes.marks]
        if not marks or isinstance(original, cst.SimpleStatementSuite):
            return updated
        lines = list(updated.leading_lines)  # type: ignore[attr-defined]
        if lines and lines[-1].comment is not None and lines[-1].comment.value.startswith(MARK):
            lines.pop()
        return updated.with_changes(leading_lines=[*lines, comment_line(MARK + marks[0])])

    # --- expressions ----------------------------------------------------------------------------------------

    def _expression(self, original: cst.CSTNode) -> cst.CSTNode:
        node, code = self._expressions[original]
        assert isinstance(original, cst.BaseExpression)
        self._writing.add(original)
        new = replaced(self._templates.expression(self._broken(node, code)), original)
        self._writing.discard(original)
        if is_open(new) and self._binds(node):
            return parenthesised(new)
        return new

    def _broken(self, node: ast.AST, code: str) -> str:
        """New code that a statement of the program ends in, over several lines if it is too long for one.

        That is its value, or what the chain of calls begins with that is its value.
        """
        value, above, links = node, self._moves.above[node], 0
        while isinstance(above, ast.Attribute) or (isinstance(above, ast.Call) and above.func is value):
            value, above, links = above, self._moves.above[above], links + isinstance(above, ast.Call)
        if isinstance(above, ast.For) and above.iter is value:
            links = 0
        elif not isinstance(above, _VALUES) or above.value is not value:
            return code
        assert isinstance(node, ast.expr) and node.end_lineno is not None
        depth = len(self._text.indent(above.lineno).expandtabs(TAB))
        before = self._text.lines[node.lineno - 1].encode()[: node.col_offset].decode()
        line = self._text.lines[node.end_lineno - 1].encode()
        end = value.end_col_offset if value.end_lineno == node.end_lineno else None
        behind = line[node.end_col_offset : end].decode().rstrip()
        column = len(before.expandtabs(TAB)) + len(behind)
        own = links > 0 and value.lineno == value.end_lineno
        own = own and self._layout.fits(code, depth + self._style.columns)
        if own and not self._layout.fits(code, column) and links + self._layout.links(code) >= _LINKS:
            self._chains.add(self._paired(value))
            return code
        if node is value and isinstance(above, ast.Assign | ast.Return):
            return self._layout.value(code, column, depth)
        return self._layout.broken(code, column, depth)

    def _binds(self, node: ast.AST) -> bool:
        """Whether an operator, a dot or a call stands next to an expression."""
        above = self._moves.above[node]
        if isinstance(above, ast.Attribute | ast.Subscript | ast.Starred | ast.Await):
            return above.value is node
        if isinstance(above, ast.Call):
            return above.func is node
        if isinstance(above, ast.IfExp):
            return above.orelse is not node
        return isinstance(above, _BINDING)

    def _quoted(self, name: str, place: Place) -> cst.BaseExpression | None:
        """An expression of the program, with the changes inside it.

        Args:
            name: what it is called in new code.
            place: where it stands there.
        """
        node = self._moves.user.get(name)
        if node is None:
            return None
        original = self._paired(node)
        if isinstance(original, cst.Arg):
            original = original.value
        assert isinstance(original, cst.BaseExpression)
        new = self._rewritten.get(name, original)
        if new is original and original in self._ways:
            visited = original.visit(self)
            assert isinstance(visited, cst.BaseExpression)
            new = visited
            if not self._writing:  # else it may be in the middle of what replaces it
                self._rewritten[name] = new
        above = "".join(code_of(bracket, self._module) for bracket in original.lpar).count("\n")
        if node.lineno == node.end_lineno and not above:
            return new
        block = self._text.indent(self._moves.statement_of(node).lineno)
        at = block
        if place.depth not in (None, len(block.expandtabs(TAB))):
            at = self._style.indent * (place.depth // self._style.columns)
        before = self._text.lines[node.lineno - 1].encode()[: node.col_offset].decode()
        column = len(before) - len(original.lpar) - len(block)
        if place.column is not None and not above and hangs(new, column, block):
            return shifted(new, Move(" " * column, " " * place.column, block, at))
        old = (self._closing(node, block) or self._text.indent(node.lineno - above)).removeprefix(block)
        return shifted(new, Move(old, place.indent.replace(LEVEL, self._style.indent), block, at))

    def _closing(self, node: ast.expr, block: str) -> str:
        """What a bracket is indented by that closes an expression alone on its line, left of the others.

        It comes to stand below the statement that it is in. Empty if there is none.
        """
        lines = range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)
        indents = [self._text.indent(line) for line in lines if self._text.lines[line - 1].strip()]
        closes = bool(indents) and self._text.lines[lines[-1] - 1].lstrip()[0] in ")]}"
        last = indents[-1] if closes else ""
        return last if last.startswith(block) and all(one.startswith(last) for one in indents) else ""

    def _shown(self, code: str) -> str:
        """New code with the program's expressions written out."""
        for name in names_in(code):
            if name not in self._texts:
                expression = self._quoted(name, Place())
                self._texts[name] = name if expression is None else code_of(expression, self._module)
            code = code.replace(name, self._texts[name])
        return code


def _parameters(
    old: cst.Param, names: Sequence[str]
) -> cst.Param | cst.FlattenSentinel[cst.Param] | cst.RemovalSentinel:
    """The parameters in the place of one, by their names; what its annotation said is no longer so."""
    if not names:
        return cst.RemoveFromParent()
    *before, last = names
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    return cst.FlattenSentinel(
        [
            *(cst.Param(cst.Name(name), comma=comma) for name in before),
            old.with_changes(name=cst.Name(last), annotation=None),
        ]
    )


def _called(node: cst.CSTNode, name: str) -> cst.CSTNode:
    """A variable, attribute, parameter, keyword or imported module under another name."""
    match node:
        case cst.Name():
            return node.with_changes(value=name)
        case cst.Attribute():
            return node.with_changes(attr=cst.Name(name))
        case cst.Param():
            return node.with_changes(name=cst.Name(name))
        case cst.Arg():
            return node.with_changes(keyword=cst.Name(name))
        case cst.FunctionDef():
            return node.with_changes(name=cst.Name(name))
        case _:
            assert isinstance(node, cst.ImportAlias)
            return node.with_changes(name=renamed(node.name, name))
