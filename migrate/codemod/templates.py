"""New code as LibCST nodes, with the program's own expressions in the places of their names."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import libcst as cst

from migrate.codemod.broken_chains import in_brackets
from migrate.codemod.codegen import code_of
from migrate.codemod.style import LEVEL, TAB, Style
from migrate.frozen import dataclass
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import names_in

_LOOSE = (cst.IfExp, cst.Lambda, cst.NamedExpr, cst.Yield, cst.Tuple)
"""Expressions that need parentheses next to ``if`` and ``else`` of a conditional expression."""
_JOINED = (*_LOOSE, cst.BooleanOperation)
"""Expressions that need parentheses next to ``and`` and ``or``."""
_IN_BRACKETS = (cst.Tuple, cst.GeneratorExp, cst.NamedExpr, cst.Yield)
"""Expressions that are others without their brackets, or none."""
_OPEN = (
    cst.BinaryOperation,
    cst.BooleanOperation,
    cst.Comparison,
    cst.UnaryOperation,
    cst.Await,
    cst.IfExp,
    cst.Lambda,
    cst.NamedExpr,
    cst.Yield,
    cst.Tuple,
)
"""Expressions that need parentheses next to an operator, a dot or a call."""
_OF_PRODUCTS = (cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo)
_NUMBERED = re.compile(r"quoted_[0-9]+__")
"""The name of a program's expression in a template."""
Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


@dataclass(frozen=True)
class Place:
    """Where an expression of the program stands in a statement of new code."""

    indent: str = ""
    """What its line is indented by, beyond the statement."""
    column: int | None = None
    """How many columns stand before it, beyond the indentation of the statement; None if not known."""
    depth: int | None = None
    """How many columns the statement is indented by; None if not known."""


Expressions = Callable[[str, Place], cst.BaseExpression | None]
"""The program's expression of a name in new code, at a place; None for any other name."""


class Templates:
    """Parses new code of one file."""

    def __init__(self, style: Style, module: cst.Module, expression: Expressions) -> None:
        self._style = style
        self._module = module
        self._expression = expression

    @property
    def indent(self) -> str | None:
        """The indentation of new blocks; None for what LibCST takes as the module's own."""
        return self._style.indent if self._style.indent != self._module.default_indent else None

    def statements(self, code: str, depth: int | None = None) -> list[Statement]:
        """The statements of a text of new code, which are indented by so many columns."""
        names, plain = _numbered(code)
        nodes, ways = _statements(plain)
        return [self._filled(node, ways, code, names, depth) for node in nodes]  # type: ignore[misc]

    def expression(self, code: str) -> cst.BaseExpression:
        """An expression of new code."""
        names, plain = _numbered(code)
        node, ways = _expression(plain)
        if isinstance(node, cst.Name) and (name := names.get(node.value)) is not None:
            found = self._expression(
                name, Place()
            )  # whose parentheses depend on what it is put in the place of
            if found is not None:
                stands = found.lpar or (self._is_whole(found) and not isinstance(found, cst.Tuple))
                return found if stands else in_brackets(found, self._style.indent) or parenthesised(found)
        return self._filled(node, ways, code, names, begins=False)  # type: ignore[return-value]

    def _filled(
        self,
        node: cst.CSTNode,
        ways: frozenset[cst.CSTNode],
        code: str,
        names: Mapping[str, str],
        depth: int | None = None,
        *,
        begins: bool = True,
    ) -> cst.CSTNode:
        """A template with the program's expressions in it; whether it `begins` the line that it stands in."""
        quote = self._quote(node, names)
        is_plain = self._style.indent == LEVEL and quote == '"' and self.indent is None
        if is_plain and node not in ways:
            return node  # trees are never changed, so that modules may share it
        rows = code.split("\n")
        blocks = _blocks(code, rows)
        places = {
            name: self._place(row, name, block, depth)
            for row, block in zip(rows, blocks, strict=True)
            for name in names_in(row)
        }
        if not begins:
            places |= {name: Place() for name in names_in(rows[0])}

        def expression(number: str) -> cst.BaseExpression | None:
            name = names.get(number)
            return None if name is None else self._expression(name, places.get(name, Place()))

        filling = _Filling(
            self._style, quote, self.indent, expression, self._is_whole, ways if is_plain else None
        )
        filled = node.visit(filling)
        assert isinstance(filled, cst.CSTNode)
        return filled

    def _quote(self, node: cst.CSTNode, names: Mapping[str, str]) -> str:
        """The quotes of new texts: those of the program's own in a statement that has no others."""
        if not self._style.mixes_quotes or isinstance(node, cst.BaseCompoundStatement):
            return self._style.quote
        own = [self._expression(name, Place()) for name in names.values()]
        found = {text.quote for text in own if isinstance(text, cst.SimpleString) and len(text.quote) == 1}
        return found.pop() if len(found) == 1 else self._style.quote

    def _place(self, row: str, name: str, block: str, depth: int | None) -> Place:
        """Where a line of new code has one of the program's expressions, in a block that is indented so."""
        row = row.removeprefix(block)
        depth = None if depth is None else depth + len(block) // len(LEVEL) * self._style.columns
        indent = row[: len(row) - len(row.lstrip())]
        before = row[: row.index(name)]
        for other in names_in(before):
            if (node := self._expression(other, Place())) is not None:
                before = before.replace(other, code_of(node, self._module))
        if "\n" in before:
            return Place(indent, None, depth)
        levels = indent.replace(LEVEL, self._style.indent).expandtabs(TAB)
        return Place(indent, len(levels) + len(before) - len(indent), depth)

    def _is_whole(self, node: cst.BaseExpression) -> bool:
        """Whether an expression can stand in a statement as it is: all its line ends are in brackets."""
        code = code_of(node, self._module)
        if "\n" not in code and "\r" not in code:
            return True
        try:
            cst.parse_expression(code)
        except cst.ParserSyntaxError:
            return False
        return True


def _blocks(code: str, rows: Sequence[str]) -> list[str]:
    """What the lines of new code are indented by as those of blocks, and not as parts of a statement."""
    found = [""] * len(rows)
    if ":\n" not in code:
        return found
    for node in walk(ast.parse(code)):  # outer statements come first
        if isinstance(node, ast.stmt) and node.end_lineno is not None:
            lines = range(node.lineno - 1, node.end_lineno)
            for line in lines:
                found[line] = rows[lines[0]][: node.col_offset]
    return found


def _numbered(code: str) -> tuple[dict[str, str], str]:
    """The code with the program's expressions numbered from 0, and their names by the new ones.

    Templates that differ by these alone are parsed once.
    """
    names: dict[str, str] = {}
    for position, name in enumerate(dict.fromkeys(names_in(code))):
        number = f"quoted_{position}__"
        names[number] = name
        code = code.replace(name, number)
    return names, code


@lru_cache(maxsize=512)
def _statements(code: str) -> tuple[tuple[cst.CSTNode, ...], frozenset[cst.CSTNode]]:
    """The nodes of a template, and those of them in which the program's expressions stand."""
    nodes = tuple(cst.parse_module(code).body)
    return nodes, _ways(nodes)


@lru_cache(maxsize=512)
def _expression(code: str) -> tuple[cst.BaseExpression, frozenset[cst.CSTNode]]:
    node = cst.parse_expression(code)
    return node, _ways([node])


def _ways(nodes: Sequence[cst.CSTNode]) -> frozenset[cst.CSTNode]:
    """The nodes on the way to a numbered name, with the names."""
    found: set[cst.CSTNode] = set()
    for node in nodes:
        inner = _ways(node.children)
        if inner or (isinstance(node, cst.Name) and _NUMBERED.fullmatch(node.value)):
            found |= {node, *inner}
    return frozenset(found)


class _Filling(cst.CSTTransformer):
    """Puts the program's expressions in, and the file's quotes around what is new."""

    def __init__(
        self,
        style: Style,
        quote: str,
        indent: str | None,
        expression: Callable[[str], cst.BaseExpression | None],
        is_whole: Callable[[cst.BaseExpression], bool],
        ways: frozenset[cst.CSTNode] | None,
    ) -> None:
        super().__init__()
        self._ways = ways
        """The nodes in which something changes; None where all may."""
        self._style = style
        self._quote = quote
        self._indent = indent
        self._expression = expression
        self._is_whole = is_whole
        self._apart: set[cst.BaseExpression] = set()
        """Expressions next to which there is no operator, dot or call."""
        self._bracketed: set[cst.BaseExpression] = set()
        self._arguments: set[cst.BaseExpression] = set()
        self._chosen: set[cst.BaseExpression] = set()
        """Parts of conditional expressions."""
        self._joined: set[cst.BaseExpression] = set()
        """What ``and`` and ``or`` stand between."""
        self._added_to: set[cst.BaseExpression] = set()
        """What something is added to."""

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Call the method for a node, if there is one: looking for one at each node takes longer."""
        if self._ways is not None and node not in self._ways:
            return False
        kind = type(node)
        if kind in _VISITS:
            _VISITS[kind](self, node)
        return kind not in _SPACE

    def on_leave(  # type: ignore[override]
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> cst.CSTNode:
        """Call the method for a node, if there is one."""
        leave = _LEAVES.get(type(original_node))
        return updated_node if leave is None else leave(self, original_node, updated_node)

    def on_visit_attribute(self, node: cst.CSTNode, attribute: str) -> None:
        """Do nothing, and save the look-up of a method."""

    def on_leave_attribute(self, original_node: cst.CSTNode, attribute: str) -> None:
        """Do nothing, and save the look-up of a method."""

    def visit_Arg(self, node: cst.Arg) -> None:
        self._free(node.value, bracketed=True)
        if not node.star:
            self._arguments.add(node.value)

    def visit_Index(self, node: cst.Index) -> None:
        self._free(node.value, bracketed=True)

    def visit_Element(self, node: cst.Element) -> None:
        self._free(node.value)

    def visit_DictElement(self, node: cst.DictElement) -> None:
        self._free(node.value, bracketed=True)

    def visit_Assign(self, node: cst.Assign) -> None:
        self._free(node.value)

    def visit_If(self, node: cst.If) -> None:
        self._free(node.test)

    def visit_Return(self, node: cst.Return) -> None:
        if node.value is not None:
            self._free(node.value)

    def visit_Expr(self, node: cst.Expr) -> None:
        self._free(node.value)

    def visit_Lambda(self, node: cst.Lambda) -> None:
        self._free(node.body)

    def visit_IfExp(self, node: cst.IfExp) -> None:
        self._chosen.update((node.body, node.test))
        self._free(node.orelse)

    def visit_ListComp(self, node: cst.ListComp) -> None:
        self._chosen.add(node.elt)
        self._bracketed.add(node.elt)

    def visit_CompIf(self, node: cst.CompIf) -> None:
        self._free(node.test)
        self._chosen.add(node.test)

    def visit_CompFor(self, node: cst.CompFor) -> None:
        self._free(node.iter)
        self._chosen.add(node.iter)

    def visit_FormattedStringExpression(self, node: cst.FormattedStringExpression) -> None:
        self._free(node.expression)

    def visit_BooleanOperation(self, node: cst.BooleanOperation) -> None:
        self._joined.update((node.left, node.right))

    def visit_BinaryOperation(self, node: cst.BinaryOperation) -> None:
        if isinstance(node.operator, cst.Add):
            self._added_to.add(node.left)

    def _free(self, node: cst.BaseExpression, *, bracketed: bool = False) -> None:
        self._apart.add(node)
        if bracketed:
            self._bracketed.add(node)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        found = self._expression(original_node.value)
        if found is None:
            return updated_node
        if found.lpar:
            return without_brackets(found) if original_node in self._arguments else found
        apart = original_node in self._apart
        is_chosen = original_node in self._chosen
        beside = _LOOSE if is_chosen else _JOINED if original_node in self._joined else _OPEN
        binds = original_node in self._added_to and _is_product(found)
        if isinstance(found, cst.Tuple) or (
            isinstance(found, beside) and (is_chosen or not (apart or binds))
        ):
            return parenthesised(found)
        if original_node not in self._bracketed and not self._is_whole(found):
            return in_brackets(found, self._style.indent) or parenthesised(found)
        return found

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        return updated_node.with_changes(indent=self._indent)

    def leave_ParenthesizedWhitespace(
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.ParenthesizedWhitespace:
        lines = [
            line.with_changes(whitespace=self._indented(line.whitespace))
            if line.comment is not None
            else line
            for line in original_node.empty_lines
        ]
        return updated_node.with_changes(empty_lines=lines, last_line=self._indented(original_node.last_line))

    def _indented(self, space: cst.SimpleWhitespace) -> cst.SimpleWhitespace:
        """Space at the beginning of a line, as the file indents."""
        text = space.value
        levels = len(text) // len(LEVEL) if not text.strip(" ") else 0
        return cst.SimpleWhitespace(self._style.indent * levels + text[len(LEVEL) * levels :])

    def leave_SimpleString(
        self, original_node: cst.SimpleString, updated_node: cst.SimpleString
    ) -> cst.SimpleString:
        quote = self._quote
        return _in_quotes(updated_node, quote) if original_node.quote == '"' != quote else updated_node

    def leave_FormattedString(
        self, original_node: cst.FormattedString, updated_node: cst.FormattedString
    ) -> cst.FormattedString:
        written = code_of(updated_node, cst.Module([]))
        inner = written[len(updated_node.start) : -len(updated_node.end)]
        if self._quote == "'" and updated_node.start == 'f"' and not any(c in inner for c in "\"'\\"):
            return updated_node.with_changes(start="f'", end="'")
        if updated_node.end not in inner:
            return updated_node
        other = "'" if updated_node.end == '"' else '"'
        return updated_node.with_changes(start=f"{updated_node.prefix}{other}", end=other)


_SPACE = frozenset({cst.SimpleWhitespace, cst.TrailingWhitespace, cst.EmptyLine})
_VISITS: dict[type[cst.CSTNode], Callable[[_Filling, Any], None]] = {
    cst.Arg: _Filling.visit_Arg,
    cst.Index: _Filling.visit_Index,
    cst.Element: _Filling.visit_Element,
    cst.DictElement: _Filling.visit_DictElement,
    cst.Assign: _Filling.visit_Assign,
    cst.If: _Filling.visit_If,
    cst.Return: _Filling.visit_Return,
    cst.Expr: _Filling.visit_Expr,
    cst.Lambda: _Filling.visit_Lambda,
    cst.IfExp: _Filling.visit_IfExp,
    cst.BooleanOperation: _Filling.visit_BooleanOperation,
    cst.BinaryOperation: _Filling.visit_BinaryOperation,
    cst.ListComp: _Filling.visit_ListComp,
    cst.CompIf: _Filling.visit_CompIf,
    cst.CompFor: _Filling.visit_CompFor,
    cst.FormattedStringExpression: _Filling.visit_FormattedStringExpression,
}
_LEAVES: dict[type[cst.CSTNode], Callable[[_Filling, Any, Any], cst.CSTNode]] = {
    cst.Name: _Filling.leave_Name,
    cst.IndentedBlock: _Filling.leave_IndentedBlock,
    cst.ParenthesizedWhitespace: _Filling.leave_ParenthesizedWhitespace,
    cst.SimpleString: _Filling.leave_SimpleString,
    cst.FormattedString: _Filling.leave_FormattedString,
}


def parenthesised(node: cst.BaseExpression) -> cst.BaseExpression:
    """The expression in parentheses."""
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def without_brackets(node: cst.BaseExpression) -> cst.BaseExpression:
    """An expression of one line as an argument, where the brackets of the call are enough."""
    if isinstance(node, _IN_BRACKETS) or "\n" in code_of(node, cst.Module([])):
        return node
    return node.with_changes(lpar=[], rpar=[])


def replaced(new: cst.BaseExpression, old: cst.BaseExpression) -> cst.BaseExpression:
    """New code in the parentheses that the expression in whose place it stands had; a text in its quotes."""
    if isinstance(new, cst.SimpleString) and isinstance(old, cst.SimpleString):
        new = _in_quotes(new, old.quote)
    lpar: Sequence[cst.LeftParen] = old.lpar
    if not lpar or new.lpar:
        return new
    return new.with_changes(lpar=lpar, rpar=old.rpar)


def _in_quotes(text: cst.SimpleString, quote: str) -> cst.SimpleString:
    """A text in other quotes, if it is a plain one in which no quotes stand."""
    inner = text.raw_value
    if text.prefix or not len(text.quote) == len(quote) == 1 or "'" in inner or '"' in inner:
        return text
    return text.with_changes(value=f"{quote}{inner}{quote}")


def _is_product(node: cst.BaseExpression) -> bool:
    """Whether an expression needs no parentheses before ``+``: ``60 * 25``."""
    return isinstance(node, cst.BinaryOperation) and isinstance(node.operator, _OF_PRODUCTS)


def is_open(node: cst.BaseExpression) -> bool:
    """Whether an expression needs parentheses next to an operator, a dot or a call."""
    return isinstance(node, _OPEN) and not node.lpar
