"""Blocks of statements after a change: what stays, goes, comes, and what stands above it."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import reduce
from itertools import takewhile

import libcst as cst

from migrate.codemod.blocks import Block, Line, comment_line, joined
from migrate.codemod.moves import Moves
from migrate.codemod.ownership import Comment, Own
from migrate.codemod.pairing import Pairs
from migrate.codemod.statements import NewStatements
from migrate.codemod.templates import Statement
from migrate.plan.new_code.code import Makes, text_of
from migrate.syntax.code_names import names_in_code

Blocks = cst.Module | cst.IndentedBlock | cst.SimpleStatementSuite


class Bodies:
    """Puts the blocks of one module together."""

    def __init__(self, moves: Moves, pairs: Pairs, statements: NewStatements, indent: str | None) -> None:
        self._moves = moves
        self._changes = moves.changes
        self._pairs = pairs
        self._statements = statements
        self._indent = indent
        self._comments = moves.changes.old_comments
        self._loose = self._loose_comments()

    def _loose_comments(self) -> dict[ast.stmt, list[Comment]]:
        """Comments inside expressions that change, by the statements above which they can stand."""
        found: dict[ast.stmt, list[Comment]] = {}
        for statement, comments in self._moves.loose.items():
            while statement in self._pairs.inline:
                if any(beside in self._moves.places for beside in self._pairs.inline[statement]):
                    break  # they get lines of their own
                statement = self._moves.statement_of(self._moves.above[statement])
            if not any(step in self._changes.statements for step in self._moves.around(statement)):
                found.setdefault(statement, []).extend(comments)
        return found

    def loose(self, line: cst.CSTNode) -> list[Line]:
        """The lines above a line for comments inside of expressions that change in it, or on these."""
        statements = self._pairs.on(line)
        comments = [one for own in statements for one in self._loose.get(own, ())]
        told = [self._changes.said(one) for one in comments]
        told += [one.text for own in statements for one in self._changes.handed_in.get(own, ())]
        return [*map(comment_line, told)]

    def changes(self, block: Blocks) -> bool:
        """Whether something comes or goes in a block."""
        lines = [block] if isinstance(block, cst.SimpleStatementSuite) else block.body
        return any(statement in self._moves.places for line in lines for statement in self._pairs.on(line))

    def rewritten(self, original: Blocks, updated: cst.CSTNode) -> cst.CSTNode:
        """The statements of a block after the changes next to them."""
        new = Block(isinstance(original, cst.Module))
        if isinstance(original, cst.SimpleStatementSuite):
            assert isinstance(updated, cst.SimpleStatementSuite)
            self._line(new, original, updated)
            footer = new.end(())
            return cst.IndentedBlock(body=new.body, footer=footer, indent=self._indent)
        assert isinstance(updated, cst.Module | cst.IndentedBlock)
        if isinstance(updated, cst.Module):
            updated = self._with_own_header(original.body[0], updated)
        for line, changed in zip(original.body, updated.body, strict=True):
            self._line(new, line, changed)
        footer = new.end(updated.footer)
        return updated.with_changes(body=new.body, footer=footer)

    def _with_own_header(self, first: cst.CSTNode, module: cst.Module) -> cst.Module:
        """The module, whose first statement has the comment right above it, where another comes before it."""
        header = list(module.header)
        blank = next((n for n, line in enumerate(reversed(header)) if line.comment is None), 0)
        if not blank or not any(statement in self._changes.before for statement in self._pairs.on(first)):
            return module
        head, *others = module.body
        own = head.with_changes(leading_lines=[*header[-blank:], *head.leading_lines])
        return module.with_changes(header=header[:-blank], body=[own, *others])

    def _line(self, new: Block, original: cst.CSTNode, updated: cst.CSTNode) -> None:
        statements = self._pairs.on(original)
        if not any(statement in self._moves.places for statement in statements):
            if isinstance(updated, cst.SimpleStatementSuite):
                updated = _as_line(updated)
            new.keep(updated, is_simple=not any(map(_has_block, statements)))  # type: ignore[arg-type]
            return
        if isinstance(original, cst.SimpleStatementLine | cst.SimpleStatementSuite):
            assert isinstance(updated, cst.SimpleStatementLine | cst.SimpleStatementSuite)
            whole = _as_line(updated)
            if isinstance(original, cst.SimpleStatementSuite):
                whole = whole.with_changes(leading_lines=self.loose(original))
            for group, line in self._split(statements, whole):
                self._statement(new, group, line, len(self.loose(original)))
        else:
            self._statement(new, statements, updated, len(self.loose(original)))  # type: ignore[arg-type]

    def _split(
        self, statements: Sequence[ast.stmt], line: cst.SimpleStatementLine
    ) -> Iterable[tuple[list[ast.stmt], cst.SimpleStatementLine]]:
        """The statements of a line on several: each that changes alone, those between as they stand."""
        changes = self._changes
        changing = {*changes.statements, *changes.unfolded}
        gone = {s for s in statements if self._moves.goes(s) and not self._moves.has_neighbours(s)}
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

    def _statement(self, new: Block, statements: Sequence[ast.stmt], updated: Statement, loose: int) -> None:
        """One old statement, or several of a line that stay on it, with what comes before and after.

        Args:
            new: where they go.
            statements: the old statements.
            updated: their line.
            loose: how many of the lines above it hold comments of expressions that changed.
        """
        changes, statement = self._changes, statements[0]
        lines = list(updated.leading_lines)
        own = self._comments.of(statement)
        mine = min(len(own.above) + loose, len(lines)) if lines and lines[-1].comment is not None else 0
        earlier, above = lines[: len(lines) - mine], lines[len(lines) - mine :]
        if self._moves.goes(statement) and statement in self._moves.taken:
            told = ((one.text, changes.said(one)) for one in self._moves.along(statement))
            along = {text for both in told for text in both}
            earlier = _without(earlier, along, alone=statement in changes.before)
        if statement in changes.before:
            earlier = self._told(own, earlier)
        for one in changes.before.get(statement, ()):
            new.put(self._statements.nodes(one, statement), earlier, blank=one.blank, gap=one.gap)
            earlier = []
        if statement in changes.statements:
            self._replaced(new, statement, own, earlier, above)
        elif statement in changes.unfolded:
            assert isinstance(updated, cst.If)
            self._unfolded(new, updated, [*earlier, *above])
        else:
            kept = updated.with_changes(leading_lines=self._told(own, [*earlier, *above]))
            new.keep(kept, is_simple=not any(map(_has_block, statements)))
        for one in changes.after.get(statements[-1], ()):
            new.put(self._statements.nodes(one, statements[-1]), blank=one.blank, gap=one.gap)

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

    def _replaced(
        self, new: Block, statement: ast.stmt, own: Own, earlier: list[Line], above: list[Line]
    ) -> None:
        wanted = self._changes.statements[statement]
        earlier, above = self._told(own, earlier), self._told(own, above)
        elsewhere = statement in self._moves.taken
        # its comments are about the call in it, which comes last, below variables that this reads
        sources = [position for position, one in enumerate(wanted) if one.makes is Makes.SOURCE]
        calls = max(sources, default=0)
        heads = next(
            (position for position in sources if not names_in_code(text_of(wanted[position].code)).bound),
            calls,
        )
        for position, one in enumerate(wanted):
            first, headed = position == 0, position == heads
            own_here = Own() if elsewhere else own.part(above=headed, own=position == calls)
            here = above if headed and not elsewhere else []
            nodes = self._statements.nodes(one, statement, own_here, standing=here)
            lines = [*(earlier if first else []), *nodes[0].leading_lines]
            nodes[0] = nodes[0].with_changes(leading_lines=())
            new.put(nodes, lines, blank=one.blank, gap=one.gap)
        if not wanted:
            stay = statement in self._changes.remaining and not elsewhere
            defined = isinstance(statement, ast.FunctionDef | ast.ClassDef)
            new.drop([*earlier, *(above if stay else [])], defined=defined)

    def footed(self, original: cst.IndentedBlock, updated: cst.IndentedBlock) -> cst.IndentedBlock:
        """The block with the words that the comments at its end have in the new code."""
        last = self._pairs.on(original.body[-1])[-1]
        if last not in self._moves.ends:
            return updated
        waiting = [one for one in self._comments.all if one.line > (last.end_lineno or 0)]
        texts: list[tuple[Line, str | None]] = []
        for line in updated.footer:
            text = _comment(line)
            found = next(
                (n for n, one in enumerate(waiting) if text and self._changes.said(one) == text), None
            )
            if found is None:
                texts.append((line, text))
            else:
                texts.append((line, self._now(waiting[found])))
                del waiting[: found + 1]
        footer = _with_texts(texts)
        if not any(line.comment for line in footer):  # those above the comments set these off
            footer = list(takewhile(lambda line: line.comment is None, reversed(updated.footer)))
        return updated.with_changes(footer=footer)

    def headed(self, module: cst.Module) -> cst.Module:
        """The module with the words that the comments above all of its code have in the new code."""
        if not self._changes.retold:
            return module
        lines: list[Line] = []
        # they are the first comments of the file
        for line, comment in zip(module.header, self._header(module), strict=True):
            told = [] if comment is None else self._changes.told([comment])
            if comment is None or told:
                same = comment is None or told[0].text == comment.text  # which has no blanks at its end
                lines.append(line if same else _saying(line, told[0].text))
        if all(line.comment is None for line in lines) and len(lines) < len(module.header):
            lines = []
        return module.with_changes(header=lines)

    def _header(self, module: cst.Module) -> Iterator[Comment | None]:
        """The comment of each line above a module's code, if that is one."""
        comments = iter(self._comments.all)
        return (None if line.comment is None else next(comments, None) for line in module.header)

    def _told(self, own: Own, lines: list[Line]) -> list[Line]:
        """Lines above a statement with the words that its comments have in the new code."""
        said = {self._changes.said(one): one for one in (*own.apart, *own.above)}
        new = {text: now for text, one in said.items() if (now := self._now(one)) != text}
        texts = [line.comment.value if line.comment is not None else "" for line in lines]
        return _with_texts(
            (line, new.get(text.rstrip(), text)) for line, text in zip(lines, texts, strict=True)
        )

    def _now(self, comment: Comment) -> str | None:
        """What a comment says in the new code; None if it goes."""
        said = self._changes.said(comment)
        told = self._changes.retold.get(comment.line, said)
        return said if told == comment.text else told


def _with_texts(lines: Iterable[tuple[Line, str | None]]) -> list[Line]:
    """Lines that say something else, or go where they say nothing."""
    pieces: list[list[Line]] = [[]]
    for line, text in lines:
        if text is not None:
            pieces[-1].append(_saying(line, text))
        elif pieces[-1]:
            pieces.append([])
    return reduce(joined, pieces)


def _has_block(statement: ast.stmt) -> bool:
    return isinstance(getattr(statement, "body", None), list)


def _comment(line: Line) -> str:
    return "" if line.comment is None else line.comment.value.rstrip()


def _without(lines: list[Line], comments: Container[str], *, alone: bool) -> list[Line]:
    """Lines without comments; where new code stands there `alone`, without the blank lines below these."""
    left: list[Line] = []
    after = False
    for line in lines:
        if _comment(line) in comments:
            after = alone
        elif line.comment is not None or not after:
            left.append(line)
            after = False
    return left


def _saying(line: Line, text: str) -> Line:
    return line if line.comment is None else line.with_changes(comment=cst.Comment(text))


def _as_line(line: cst.SimpleStatementLine | cst.SimpleStatementSuite) -> cst.SimpleStatementLine:
    """The statements after the colon of a block's head as a line of their own."""
    if isinstance(line, cst.SimpleStatementLine):
        return line
    return cst.SimpleStatementLine(body=line.body, trailing_whitespace=line.trailing_whitespace)
