"""Applies the changes of one module to its LibCST tree: the only place where old code becomes new."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Sequence
from functools import cached_property

import libcst as cst

from migrate.codemod.blocks import BLANK, Block, Line, comment_line
from migrate.codemod.changes import Changes, New
from migrate.codemod.import_names import renamed, with_names
from migrate.codemod.layout import Layout
from migrate.codemod.ownership import Comment, Comments, Own, beside_links, within
from migrate.codemod.pairing import Pairs
from migrate.codemod.source import Source, deep
from migrate.codemod.style import LEVEL, TAB, Style
from migrate.codemod.templates import Statement, Templates, is_open, parenthesised, replaced
from migrate.plan.code import Call, Chain
from migrate.read.marks import MARK
from migrate.syntax.nodes import parents_of, walk
from migrate.syntax.quoting import names_in, quotes
from migrate.syntax.text import Text

Blocks = cst.Module | cst.IndentedBlock | cst.SimpleStatementSuite


def rewritten(source: Source, changes: Changes) -> str:
    """The text of a module after its changes; what does not change is as it was, byte for byte.

    Raises:
        UnwritableError: LibCST cannot take the text.
    """
    with deep():
        return source.restored(applied(source.module, changes).code)


def applied(module: cst.Module, changes: Changes) -> cst.Module:
    """The LibCST tree of a module after its changes."""
    if not changes:
        return module
    new = module.visit(_Transformer(module, changes))
    assert isinstance(new, cst.Module)
    return new


class _Transformer(cst.CSTTransformer):
    def __init__(self, module: cst.Module, changes: Changes) -> None:
        super().__init__()
        self._changes = changes
        self._module = module
        self._pairs = Pairs(changes.tree, module)
        self._above = parents_of(changes.tree)
        self._text = Text(changes.source)
        self._comments = Comments(changes.source)
        style = Style(changes.source)
        self._style = style
        self._templates = Templates(style, module, self._quoted)
        self._layout = Layout(style, self._shown)
        self._user = quotes(changes.tree)
        self._taken = {statement for _, new in changes.new() for statement in new.takes}
        self._touched = set(self._ways())
        self._expressions = {
            self._pairs.node(node, self._statement_of(node)): (node, code)
            for node, code in changes.expressions.items()
        }
        self._renamed = {
            self._pairs.node(node, self._statement_of(node)): name for node, name in changes.renamed.items()
        }
        self._imports = {self._pairs.statement(node): node for node in changes.imports}
        self._writing: set[cst.CSTNode] = set()
        """Expressions that are being replaced, which may stand in what replaces them."""

    # --- which nodes are visited ----------------------------------------------------------------------------

    def _ways(self) -> Iterable[ast.AST]:
        """Statements that change, or in which something changes."""
        changes = self._changes
        nodes: list[ast.AST] = [
            *changes.expressions,
            *changes.renamed,
            *changes.statements,
            *changes.before,
            *changes.after,
            *changes.unfolded,
            *changes.imports,
            *changes.marks,
        ]
        quoted = {name for _, code in changes.codes() for name in names_in(code)}
        nodes += [self._user[name] for name in quoted if name in self._user]
        for node in nodes:
            step: ast.AST | None = node
            while step is not None:
                if isinstance(step, ast.stmt):
                    yield step
                step = self._above.get(step)

    def _statement_of(self, node: ast.AST) -> ast.stmt:
        while not isinstance(node, ast.stmt):
            node = self._above[node]
        return node

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Pass over statements in which nothing changes."""
        if isinstance(node, cst.SimpleStatementLine | cst.BaseCompoundStatement):
            statements = self._pairs.on(node)
            return not statements or any(statement in self._touched for statement in statements)
        return True

    def on_leave(  # type: ignore[override]
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> cst.CSTNode:
        """Put the new code of an expression, or of a block, in its place."""
        if original_node in self._expressions and original_node not in self._writing:
            if isinstance(updated_node, cst.Param):  # what its annotation said is no longer so
                _, name = self._expressions[original_node]
                return updated_node.with_changes(name=cst.Name(name), annotation=None)
            return self._expression(original_node)
        if original_node in self._imports:
            assert isinstance(updated_node, cst.Import | cst.ImportFrom)
            statement = self._imports[original_node]
            return with_names(updated_node, statement, self._changes.imports[statement])
        if original_node in self._renamed:
            return _called(updated_node, self._renamed[original_node])
        if isinstance(original_node, cst.Module) and self._changes.marks:
            updated_node = self._without_old_mark(original_node, updated_node)
        if isinstance(original_node, Blocks) and self._changes_statements(original_node):
            updated_node = self._block(original_node, updated_node)
        return self._marked(original_node, updated_node) if self._changes.marks else updated_node

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
        new = replaced(self._templates.expression(code), original)
        self._writing.discard(original)
        if is_open(new) and self._binds(node):
            return parenthesised(new)
        return new

    def _binds(self, node: ast.AST) -> bool:
        """Whether an operator, a dot or a call stands next to an expression."""
        above = self._above[node]
        if isinstance(above, ast.Attribute | ast.Subscript | ast.Starred | ast.Await):
            return above.value is node
        if isinstance(above, ast.Call):
            return above.func is node
        return isinstance(above, ast.BinOp | ast.UnaryOp | ast.BoolOp | ast.Compare)

    def _quoted(self, name: str) -> cst.BaseExpression | None:
        """An expression of the program, with the changes inside it."""
        node = self._user.get(name)
        if node is None:
            return None
        original = self._pairs.node(node, self._statement_of(node))
        if isinstance(original, cst.Arg):
            original = original.value
        new = original.visit(self)
        assert isinstance(new, cst.BaseExpression)
        return new

    def _shown(self, code: str) -> str:
        """New code with the program's expressions written out."""
        for name in names_in(code):
            expression = self._quoted(name)
            if expression is not None:
                code = code.replace(name, self._module.code_for_node(expression))
        return code

    # --- blocks ---------------------------------------------------------------------------------------------

    @cached_property
    def _places(self) -> set[ast.stmt]:
        """Statements next to which something comes or goes."""
        changes = self._changes
        parts = (changes.statements, changes.before, changes.after, changes.unfolded)
        return {statement for part in parts for statement in part}

    def _changes_statements(self, block: Blocks) -> bool:
        lines = [block] if isinstance(block, cst.SimpleStatementSuite) else block.body
        return any(statement in self._places for line in lines for statement in self._pairs.on(line))

    def _block(self, original: Blocks, updated: cst.CSTNode) -> cst.CSTNode:
        new = Block(isinstance(original, cst.Module))
        if isinstance(original, cst.SimpleStatementSuite):
            assert isinstance(updated, cst.SimpleStatementSuite)
            self._line(new, original, updated)
            footer = new.end(())
            return cst.IndentedBlock(body=new.body, footer=footer, indent=self._templates.indent)
        assert isinstance(updated, cst.Module | cst.IndentedBlock)
        for line, changed in zip(original.body, updated.body, strict=True):
            self._line(new, line, changed)
        footer = new.end(updated.footer)
        return updated.with_changes(body=new.body, footer=footer)

    def _line(self, new: Block, original: cst.CSTNode, updated: cst.CSTNode) -> None:
        statements = self._pairs.on(original)
        if not any(statement in self._places for statement in statements):
            if isinstance(updated, cst.SimpleStatementSuite):
                updated = _as_line(updated)
            new.keep(updated)  # type: ignore[arg-type]
            return
        if isinstance(original, cst.SimpleStatementLine | cst.SimpleStatementSuite):
            assert isinstance(updated, cst.SimpleStatementLine | cst.SimpleStatementSuite)
            for group, line in self._split(statements, _as_line(updated)):
                self._statement(new, group, line)
        else:
            self._statement(new, statements, updated)  # type: ignore[arg-type]

    def _split(
        self, statements: Sequence[ast.stmt], line: cst.SimpleStatementLine
    ) -> Iterable[tuple[list[ast.stmt], cst.SimpleStatementLine]]:
        """The statements of a line on several: each that changes alone, those between as they stand."""
        changes = self._changes
        changing = {*changes.statements, *changes.unfolded}
        gone = {s for s in statements if changes.statements.get(s) == () and not self._has_neighbours(s)}
        left = [s for s in statements if s not in gone] or list(statements[:1])
        groups: list[list[ast.stmt]] = []
        for position, statement in enumerate(left):
            before = left[position - 1] if position else None
            apart = before is None or before in changing or before in changes.after
            if apart or statement in changing or statement in changes.before:
                groups.append([])
            groups[-1].append(statement)
        parts = dict(zip(statements, line.body, strict=True))
        for group in groups:
            is_first, is_last = group is groups[0], group[-1] is statements[-1]
            body = [parts[statement] for statement in group]
            if not is_last or group[-1] in changing:
                body[-1] = body[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
            yield (
                group,
                cst.SimpleStatementLine(
                    body=body,
                    leading_lines=line.leading_lines if is_first else (),
                    trailing_whitespace=line.trailing_whitespace if is_last else cst.TrailingWhitespace(),
                ),
            )

    def _has_neighbours(self, statement: ast.stmt) -> bool:
        """Whether something new stands above or below an old statement."""
        return statement in self._changes.before or statement in self._changes.after

    def _statement(self, new: Block, statements: Sequence[ast.stmt], updated: Statement) -> None:
        """One old statement, or several of a line that stay on it, with what comes before and after."""
        changes, statement = self._changes, statements[0]
        lines = list(updated.leading_lines)
        own = self._comments.of(statement)
        mine = len(own.above) if lines and lines[-1].comment is not None else 0
        earlier, above = lines[: len(lines) - mine], lines[len(lines) - mine :]
        for one in changes.before.get(statement, ()):
            new.put(self._new(one, statement), earlier, blank=one.blank, gap=one.gap)
            earlier = []
        if statement in changes.statements:
            self._replaced(new, statement, own, earlier, above)
        elif statement in changes.unfolded:
            assert isinstance(updated, cst.If)
            self._unfolded(new, updated, [*earlier, *above])
        else:
            new.keep(updated.with_changes(leading_lines=[*earlier, *above]))
        for one in changes.after.get(statements[-1], ()):
            new.put(self._new(one, statements[-1]), blank=one.blank, gap=one.gap)

    def _unfolded(self, new: Block, branch: cst.If, above: list[Line]) -> None:
        """The statements of a branch in its place."""
        if isinstance(branch.body, cst.IndentedBlock):
            first, *others = branch.body.body
            assert isinstance(first, cst.SimpleStatementLine | cst.BaseCompoundStatement)
            head = branch.body.header.comment
            lines = [comment_line(head.value)] if head is not None else []
            new.keep(first.with_changes(leading_lines=[*above, *lines, *first.leading_lines]))
            for other in others:
                new.keep(other)  # type: ignore[arg-type]
            new.drop([line for line in branch.body.footer if line.comment is not None])
        else:
            assert isinstance(branch.body, cst.SimpleStatementSuite)
            new.keep(_as_line(branch.body).with_changes(leading_lines=above))

    def _is_between(self, statement: ast.stmt) -> bool:
        """Whether the statement above one that moves goes, too: comments between them move along."""
        above = self._previous.get(statement)
        return above is not None and self._changes.statements.get(above) == ()

    @cached_property
    def _previous(self) -> dict[ast.stmt, ast.stmt]:
        """The statement above each one in its block."""
        blocks = [
            block
            for node in walk(self._changes.tree)
            for name in ("body", "orelse", "finalbody")
            if isinstance(block := getattr(node, name, None), list)
        ]
        return {below: above for block in blocks for above, below in itertools.pairwise(block)}

    def _replaced(
        self, new: Block, statement: ast.stmt, own: Own, earlier: list[Line], above: list[Line]
    ) -> None:
        wanted = self._changes.statements[statement]
        elsewhere = statement in self._taken
        for position, one in enumerate(wanted):
            first = position == 0
            lines = [*earlier, *([] if elsewhere else above)] if first else []
            own_here = own if first and not elsewhere else Own()
            new.put(self._new(one, statement, own_here), lines, blank=one.blank, gap=one.gap)
        if not wanted:
            if elsewhere and self._is_between(statement):
                earlier = [line for line in earlier if line.comment is None]
            stay = statement in self._changes.remaining and not elsewhere
            new.drop([*earlier, *(above if stay else [])])

    # --- new statements -------------------------------------------------------------------------------------

    def _new(
        self, new: New, place: ast.stmt, own: Own | None = None, depth: int | None = None
    ) -> list[Statement]:
        """The nodes of a new statement at the place of an old one.

        Args:
            new: the statement.
            place: the old statement that it stands at.
            own: the comments of that one, if they stay with it; those above it stand there already.
            depth: how many columns it is indented by, if not as that one is.
        """
        if depth is None:
            depth = len(self._text.indent(place.lineno).expandtabs(TAB))
        apart: list[Comment] = []
        above: list[Comment] = []
        trailing: list[Comment] = []
        inner: list[Comment] = []
        order: dict[int, tuple[int, int]] = {}
        for number, old in enumerate((*([place] if own is not None else []), *new.takes)):
            found = own if own is not None and old is place else self._comments.of(old)
            assert found is not None
            if old is not place or own is None:
                apart += found.apart if self._is_between(old) else ()
                above += found.above
            inner += self._left(found.inner, new)
            order.update({comment.line: (number, comment.line) for comment in (*found.above, *found.own)})
            if found.trailing is not None and isinstance(new.code, Chain) and _rows(old) > 1:
                inner.append(found.trailing)
            elif found.trailing is not None:
                trailing.append(found.trailing)
        if isinstance(new.code, Chain):
            beside, rest = beside_links(inner, [self._origin(call) for call in new.code.calls])
            above += rest
            code = self._layout.chain(new.code, depth, beside)
        else:
            above += inner
            code = new.code
        single = "\n" not in code and not new.body
        above += trailing if not single else trailing[1:]
        above.sort(key=lambda comment: order[comment.line])
        statements = self._parsed(new, code, place, depth)
        first = statements[0]
        lines = [comment_line(comment.text) for comment in above]
        if apart:
            lines[:0] = [*(comment_line(comment.text) for comment in apart), BLANK]
        statements[0] = first.with_changes(leading_lines=[*lines, *first.leading_lines])
        if single and trailing and isinstance(statements[-1], cst.SimpleStatementLine):
            statements[-1] = _followed(statements[-1], trailing[0].text)
        elif new.comment and isinstance(statements[-1], cst.SimpleStatementLine):
            statements[-1] = _followed(statements[-1], new.comment)
        return statements

    def _origin(self, call: Call) -> tuple[ast.expr, ...]:
        """The expressions of the program that a link says: calls that it stands for, and what it quotes."""
        return (*call.origin, *(self._user[name] for name in names_in(call.code) if name in self._user))

    def _left(self, comments: Iterable[Comment], new: New) -> list[Comment]:
        """Comments inside an old statement that are not inside of expressions which stand in the new one."""
        codes = [call.code for call in new.code.calls] if isinstance(new.code, Chain) else [new.code]
        base = [new.code.base] if isinstance(new.code, Chain) else []
        names = [name for code in (*base, *codes) for name in names_in(code)]
        nodes = [self._user[name] for name in names if name in self._user]
        return [comment for comment in comments if not within(comment, nodes)]

    def _parsed(self, new: New, code: str, place: ast.stmt, depth: int) -> list[Statement]:
        if not new.body:
            return self._templates.statements(code)
        (head,) = self._templates.statements(f"{code}\n{LEVEL}pass")
        assert isinstance(head, cst.FunctionDef)
        block = Block(is_top=False)
        inner = depth + self._style.columns
        for one in new.body:
            block.put(self._new(one, place, depth=inner), blank=one.blank, gap=one.gap)
        assert isinstance(head.body, cst.IndentedBlock)
        return [head.with_changes(body=head.body.with_changes(body=block.body))]


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
        case _:
            assert isinstance(node, cst.ImportAlias)
            return node.with_changes(name=renamed(node.name, name))


def _rows(statement: ast.stmt) -> int:
    return (statement.end_lineno or statement.lineno) - statement.lineno + 1


def _as_line(line: cst.SimpleStatementLine | cst.SimpleStatementSuite) -> cst.SimpleStatementLine:
    """The statements after the colon of a block's head as a line of their own."""
    if isinstance(line, cst.SimpleStatementLine):
        return line
    return cst.SimpleStatementLine(body=line.body, trailing_whitespace=line.trailing_whitespace)


def _followed(statement: cst.SimpleStatementLine, comment: str) -> cst.SimpleStatementLine:
    """A line with a comment after it."""
    return statement.with_changes(
        trailing_whitespace=cst.TrailingWhitespace(
            whitespace=cst.SimpleWhitespace("  "), comment=cst.Comment(comment)
        )
    )
