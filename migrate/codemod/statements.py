"""New statements as LibCST nodes, with the comments of the old ones that they stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import cast

import libcst as cst

from migrate.codemod.blocks import BLANK, Block, Line, comment_line
from migrate.codemod.changes import New
from migrate.codemod.comments.old_words import is_commented_code
from migrate.codemod.comments.subjects import is_of_interval, names_stream
from migrate.codemod.layout import Layout
from migrate.codemod.moves import Moves
from migrate.codemod.ownership import Beside, Comment, Own, beside_links, makes_context, stays_true, within
from migrate.codemod.style import LEVEL, TAB, WIDE, Style
from migrate.codemod.templates import Statement, Templates
from migrate.frozen import replace
from migrate.plan.new_code.code import Call, Chain, Code, Function, Makes, text_of
from migrate.syntax.quoting import names_in, quoted
from migrate.syntax.text import Text


@dataclass
class _Said:
    """The comments of old statements, by the places that they get at a new one."""

    apart: list[Comment] = field(default_factory=list)
    """Above it, set off by a blank line."""
    above: list[Comment] = field(default_factory=list)
    trailing: list[Comment] = field(default_factory=list)
    """Behind it."""
    inner: list[Comment] = field(default_factory=list)
    """Beside the links that they were beside."""
    timed: list[Comment] = field(default_factory=list)
    """Beside the trigger."""
    decoded: list[Comment] = field(default_factory=list)
    """Beside what the source does already: ``lines = messages.map(lambda m: m[1])``."""
    called: list[Comment] = field(default_factory=list)
    """Beside the function that is called for each batch."""
    logged: list[Comment] = field(default_factory=list)
    """Beside the log level."""
    order: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The order of all, by their lines: that of their statements."""


class NewStatements:
    """Writes the new statements of one module."""

    def __init__(self, moves: Moves, style: Style, layout: Layout, templates: Templates) -> None:
        self._moves = moves
        self._style = style
        self._layout = layout
        self._templates = templates
        self._text = Text(moves.changes.source)
        self._comments = moves.changes.old_comments
        self._was = {one.line: one.text for one in self._comments.all}
        """The comments of the program, by their lines, in its own words."""

    def nodes(
        self,
        new: New,
        place: ast.stmt,
        own: Own | None = None,
        depth: int | None = None,
        standing: Sequence[Line] = (),
    ) -> list[Statement]:
        """The nodes of a new statement at the place of an old one.

        Args:
            new: the statement.
            place: the old statement that it stands at.
            own: the comments of that one, if they stay with it; those above it stand there already.
            depth: how many columns it is indented by, if not as that one is.
            standing: the lines above the old statement that stay there.
        """
        inside = depth is not None
        if depth is None:
            depth = self._depth(place)
        said = self._said(new, place, own)
        behind = new.kept
        if isinstance(new.code, Chain) and not _comment(new):
            code, comment = self._chain(new, new.code, said, depth, alone=not standing)
        else:
            said.above += [*said.inner, *said.timed, *said.decoded, *said.called, *said.logged]
            code, comment, ours = self._with_comment(new, depth, is_free=not said.trailing)
            behind = behind or ours
        single = "\n" not in code and not new.body and self._has_room(code, depth, said.trailing)
        above = [*said.above, *(said.trailing if not single else said.trailing[1:])]
        above.sort(key=lambda comment: said.order[comment.line])
        statements = self._parsed(new, code, place, depth)
        match self._moves.user.get(code):
            case ast.Constant(str()) as text:  # it stands alone, as a comment
                indent = self._style.indent * (depth // self._style.columns)
                statements = [_indented(one, self._text.indent(text.lineno), indent) for one in statements]
        first = statements[0]
        before = [comment_line(one.text) for one in above if one.line < place.lineno]
        after = [comment_line(one.text) for one in above if one.line >= place.lineno]
        of_line = self._moves.changes.of_lines.get(new.origin, ()) if new.origin is not None else ()
        before += [comment_line(one.text) for one in of_line]
        lines = [*before, *standing, *after, *([comment_line(comment)] if comment else [])]
        if said.apart:
            lines[:0] = [*(comment_line(one.text) for one in said.apart), BLANK]
        statements[0] = first.with_changes(leading_lines=[*lines, *first.leading_lines])
        if single and said.trailing and isinstance(statements[-1], cst.SimpleStatementLine):
            statements[-1] = _followed(statements[-1], said.trailing[0].text)
        elif behind and isinstance(statements[-1], cst.SimpleStatementLine):
            statements[-1] = _followed(statements[-1], behind)
        return statements if inside else self._stepped(statements, place)

    def _stepped(self, statements: list[Statement], place: ast.stmt) -> list[Statement]:
        """Statements whose blocks are indented as that is which they stand in, where the file has others."""
        around = self._moves.above.get(place)
        if not isinstance(around, ast.stmt):
            return statements
        own, outer = self._text.indent(place.lineno), self._text.indent(around.lineno)
        step = own.removeprefix(outer) if own.startswith(outer) else ""
        if not step or step == self._style.indent:
            return statements
        steps = _Steps(self._templates.indent, self._style.indent, step)
        return [cast(Statement, one.visit(steps)) for one in statements]

    def final(self, news: Sequence[New], place: ast.Try) -> cst.Finally:
        """The ``finally:`` with some statements that one of the program gets."""
        (tried,) = self._templates.statements(f"try:\n{LEVEL}pass\nfinally:\n{LEVEL}pass")
        assert isinstance(tried, cst.Try)
        assert tried.finalbody is not None
        return tried.finalbody.with_changes(
            body=self._block(news, tried.finalbody.body, place, self._depth(place))
        )

    def _depth(self, place: ast.stmt) -> int:
        """How many columns a statement of the program is indented by."""
        return len(self._text.indent(place.lineno).expandtabs(TAB))

    def _with_comment(self, new: New, depth: int, *, is_free: bool) -> tuple[str, str, str]:
        """A statement that is no chain to be broken, what we say above it, and what behind it.

        Args:
            new: the statement.
            depth: how many columns it is indented by.
            is_free: whether no other comment stands behind it.
        """
        code = self._code(new.code)
        comment = _comment(new)
        if new.body or isinstance(new.code, Function):
            return code, "", ""
        if is_free and comment and self._layout.fits(f"{code}  {comment}", depth, WIDE):
            return code, "", comment
        fits = comment and self._layout.fits(code, depth, WIDE)
        return code if fits else self._layout.statement(code, depth), comment, ""

    def _code(self, code: Code) -> str:
        """The code of a statement, of a function with the comments that stand inside."""
        if isinstance(code, Function) and (said := self._moves.changes.of_lines):
            return code.with_comments(lambda origin: [one.text for one in said.get(origin, ())])
        return code if isinstance(code, str) else code.statement

    # --- comments -------------------------------------------------------------------------------------------

    def _said(self, new: New, place: ast.stmt, own: Own | None) -> _Said:
        """The comments of the old statements that a new one stands for."""
        changes, said = self._moves.changes, _Said()
        if isinstance(new.code, Chain) and new.code.has_trigger:
            said.timed += changes.timed.get(place, ())
        said.order.update({comment.line: (0, comment.line) for comment in said.timed})
        for number, old in enumerate((*([place] if own is not None else []), *new.takes)):
            found = own if own is not None and old is place else self._comments.moved_with(old)
            assert found is not None
            if old is not place or own is None:
                self._take_above(said, new, place, old, found)
            said.above += changes.handed.get(old, ())
            said.order.update({one.line: (number, one.line) for one in changes.handed.get(old, ())})
            said.inner += changes.told(self._left(found.inner))
            said.order.update({one.line: (number, one.line) for one in (*found.above, *found.own)})
            self._take_behind(said, new, place, old, found)
        return said

    def _take_above(self, said: _Said, new: New, place: ast.stmt, old: ast.stmt, found: Own) -> None:
        """Take the comments above an old statement that is moved."""
        told = self._moves.changes.told
        said.apart += told(self._moves.along(old))
        above = told(found.above)
        if not stays_true(above):
            return
        if makes_context(old) and len(above) == 1 and is_of_interval(above[0].text):
            said.timed += above
        elif _is_called(new, old):
            said.called += above
        else:
            of_source = any(_is_of_source(one.text) for one in found.above)
            (said.decoded if _decodes(new, place, old) and not of_source else said.above).extend(above)

    def _take_behind(self, said: _Said, new: New, place: ast.stmt, old: ast.stmt, found: Own) -> None:
        """Take the comment behind an old statement."""
        behind = self._moves.changes.told([found.trailing] if found.trailing is not None else [])
        if old is not place and not stays_true(behind):
            return
        if _decodes(new, place, old):
            said.decoded += behind
        elif new.makes is Makes.QUERY and makes_context(old):
            said.timed += behind
        elif old is not place and _is_called(new, old):
            said.called += behind
        elif new.makes is Makes.SESSION and isinstance(old, ast.Expr) and _sets_log_level(old.value):
            said.logged += behind
        elif isinstance(new.code, Chain) and _rows(old) > 1:
            said.inner += behind
        else:
            said.trailing += behind

    def _chain(self, new: New, code: Chain, said: _Said, depth: int, *, alone: bool) -> tuple[str, str]:
        """The code of a chain with comments beside its links, and a comment of ours to stand above it.

        Args:
            new: the statement.
            code: the chain.
            said: the comments, which go above it where no link has a place for them.
            depth: how many columns it is indented by.
            alone: whether no other lines stand above it.
        """
        if not (said.inner or said.timed or said.decoded or said.called or said.logged):
            code = self._as_broken(code)
        beside, rest = beside_links(said.inner, [self._origin(call) for call in code.calls])
        whole, comment = self._unfolded(code, depth), ""
        timed, called = said.timed, said.called
        if alone and not (said.above or said.trailing):  # then one above is the only one there
            said.above += (one for one in (*timed, *called) if one.alone)
            timed = [one for one in timed if not one.alone]
            called = [one for one in called if not one.alone]
        said.above += [
            *rest,
            *_beside(_called(whole, "trigger"), timed, beside),
            *_beside(_called(whole, "select"), said.decoded, beside),
            *_beside(_called(whole, _sink(whole)), called, beside),
            *_beside(_of_log_level(whole), said.logged, beside),
        ]
        chain = whole
        if not any(one.above or one.trailing for one in beside):
            chain, comment = self._layout.without_comment(chain, depth)
        text = self._layout.chain(chain, depth, beside)
        if said.trailing and new.makes is Makes.SOURCE and (comment or "\n" in text):
            broken = self._beside_given(said.trailing[0], whole, beside, depth)
            said.trailing = said.trailing if broken is None else said.trailing[1:]
            # of two comments each has its own place
            return broken or self._layout.chain(whole, depth, beside), ""
        return text, comment

    def _as_broken(self, chain: Chain) -> Chain:
        """The chain as the expression of the program that it is, if that is broken over several lines."""
        old = chain.unchanged
        if old is None or old.lineno == old.end_lineno:
            return chain
        self._moves.user[quoted(old)] = old
        return replace(chain, base=quoted(old), calls=())

    def _unfolded(self, chain: Chain, depth: int) -> Chain:
        """The chain, of which a call of the program that is too long for a line is one of its parts."""
        changes, node = self._moves.changes, self._moves.user.get(chain.base)
        if chain.calls or not isinstance(node, ast.Call) or node.lineno != node.end_lineno:
            return chain
        was = (node.end_col_offset or 0) - node.col_offset
        if self._layout.fits(chain.statement, depth, WIDE) or depth + was > WIDE:
            return chain
        code = changes.expressions.get(node)
        if code is not None:
            return chain if chain.base in names_in(code) else replace(chain, base=code)
        if not isinstance(node.func, ast.Attribute) or any(keyword.arg is None for keyword in node.keywords):
            return chain
        owner, values = node.func.value, [keyword.value for keyword in node.keywords]
        self._moves.user.update({quoted(part): part for part in (owner, *node.args, *values)})
        given = [*map(quoted, node.args), *(f"{word.arg}={quoted(word.value)}" for word in node.keywords)]
        call = Call(changes.renamed.get(node.func, node.func.attr), ", ".join(given))
        return replace(chain, base=quoted(owner), calls=(call,))

    def _beside_given(
        self, comment: Comment, chain: Chain, beside: Sequence[Beside], depth: int
    ) -> str | None:
        """The chain of a source with a comment beside the link that has its last argument; None without room.

        ``ssc.socketTextStream(host, port)  # of the server`` is most often about those.
        """
        given = [n for n, call in enumerate(chain.calls) if names_in(call.code)]
        if not given or chain.calls[given[-1]].comment or _is_of_source(self._was[comment.line]):
            return None
        last = beside[given[-1]]
        if last.trailing not in ("", comment.text):
            return None
        own = Beside(last.above, comment.text)
        told = [own if n == given[-1] else one for n, one in enumerate(beside)]
        code = self._layout.chain(chain, depth, told, behind=comment.text)
        fits = all(len(line) + depth <= WIDE for line in code.split("\n"))
        return code if code and fits else None

    def _has_room(self, code: str, depth: int, trailing: Sequence[Comment]) -> bool:
        """Whether a comment fits behind a statement, or passed the end of the line before."""
        if not trailing:
            return True
        line = self._text.lines[trailing[0].line - 1].rstrip()
        return self._layout.fits(f"{code}  {trailing[0].text}", depth, max(WIDE, len(line)))

    def _origin(self, call: Call) -> tuple[ast.expr, ...]:
        """The expressions of the program that a link says: calls that it stands for, and what it quotes."""
        return (
            *call.origin,
            *(self._moves.user[name] for name in names_in(call.code) if name in self._moves.user),
        )

    def _left(self, comments: Iterable[Comment]) -> list[Comment]:
        """Comments inside an old statement that are not inside of expressions which stand in new ones."""
        loose = {comment for own in self._moves.loose.values() for comment in own}
        return [one for one in comments if one in loose or not within(one, self._moves.quoted)]

    def _parsed(self, new: New, code: str, place: ast.stmt, depth: int) -> list[Statement]:
        if not new.body:
            return self._templates.statements(code, depth)
        heads = ((code, new.comment), *((text_of(one.code), one.comment) for one in new.clauses))
        lines = (f"{line}  {comment}" if comment else line for line, comment in heads)
        (head,) = self._templates.statements("".join(f"{line}\n{LEVEL}pass\n" for line in lines))
        assert isinstance(head, cst.FunctionDef | cst.Try | cst.If | cst.For | cst.While)
        head = head.with_changes(body=self._block(new.body, head.body, place, depth))
        if new.clauses:
            assert isinstance(head, cst.Try)
            pairs = zip(head.handlers, new.clauses, strict=True)
            handlers = [
                old.with_changes(body=self._block(one.body, old.body, place, depth)) for old, one in pairs
            ]
            head = head.with_changes(handlers=handlers)
        if new.orelse:
            assert isinstance(head, cst.If)
            head = head.with_changes(orelse=self._otherwise(new.orelse, head.body, place, depth))
        return [head]

    def _block(
        self, news: Sequence[New], like: cst.BaseSuite, place: ast.stmt, depth: int
    ) -> cst.IndentedBlock:
        block = Block(is_top=False)
        for one in news:
            blank = 0 if self._is_right_below(one) else one.blank
            block.put(self.nodes(one, place, depth=depth + self._style.columns), blank=blank, gap=one.gap)
        assert isinstance(like, cst.IndentedBlock)
        return like.with_changes(body=block.body)

    def _is_right_below(self, new: New) -> bool:
        """Whether the comments above a statement stood right below the one before it."""
        moves = self._moves
        apart = moves.changes.told(moves.along(new.takes[0])) if new.takes else []
        return bool(apart) and self._text.lines[apart[0].line - 2].strip() != ""

    def _otherwise(
        self, news: Sequence[New], like: cst.BaseSuite, place: ast.stmt, depth: int
    ) -> cst.If | cst.Else:
        """``else:``, or ``elif`` where another branch is all that it has."""
        if len(news) == 1 and news[0].is_branch:
            (only,) = self.nodes(news[0], place, depth=depth)
            assert isinstance(only, cst.If)
            return only
        return cst.Else(self._block(news, like, place, depth))


def _comment(new: New) -> str:
    """What we say behind a statement."""
    return new.comment or (new.code.comment if isinstance(new.code, Chain) else "")


def _rows(statement: ast.stmt) -> int:
    return (statement.end_lineno or statement.lineno) - statement.lineno + 1


def _decodes(new: New, place: ast.stmt, old: ast.stmt) -> bool:
    """Whether an old statement, below the source, did what the source does already."""
    return new.makes is Makes.SOURCE and old is not place and old.lineno > place.lineno


def _is_called(new: New, old: ast.stmt) -> bool:
    """Whether an old statement gave a stream the function that a query calls for each batch."""
    return new.makes is Makes.QUERY and not makes_context(old)


def _is_of_source(text: str) -> bool:
    """Whether a comment of the program is about all of a source, or code."""
    return names_stream(text) or is_commented_code(text)


def _sets_log_level(old: ast.expr) -> bool:
    """``sc.setLogLevel("ERROR")``."""
    match old:
        case ast.Call(ast.Attribute(attr="setLogLevel")):
            return True
    return False


def _sink(chain: Chain) -> str:
    """The method by which a writer is told what is done with the rows."""
    methods = {call.method for call in chain.calls}
    return next((one for one in ("foreachBatch", "foreach") if one in methods), "")


def _called(chain: Chain, method: str) -> int | None:
    """The number of the first link that calls a method."""
    return next((n for n, call in enumerate(chain.calls) if call.method == method), None)


def _of_log_level(chain: Chain) -> int | None:
    """The number of the link that stands for ``sc.setLogLevel("ERROR")``."""
    return next((n for n, call in enumerate(chain.calls) if any(map(_sets_log_level, call.origin))), None)


def _beside(number: int | None, comments: list[Comment], beside: list[Beside]) -> list[Comment]:
    """Put comments beside a link; where there is none they are left."""
    if number is None:
        return comments
    own = beside[number]
    for comment in comments:
        if comment.alone or own.trailing:
            own.above.append(comment.text)
        else:
            own.trailing = comment.text
    return []


class _Steps(cst.CSTTransformer):
    """Indents blocks of new code, and lines inside of brackets, by another step."""

    def __init__(self, old: str | None, unit: str, new: str) -> None:
        super().__init__()
        self._old, self._unit, self._new = old, unit, new

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        """Indent those that have the old one."""
        is_ours = original_node.indent in (self._old, None)
        return updated_node.with_changes(indent=self._new) if is_ours else updated_node

    def leave_ParenthesizedWhitespace(
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.ParenthesizedWhitespace:
        """Indent a line inside of brackets that is, by whole steps."""
        lines = [
            line.with_changes(whitespace=self._space(line.whitespace)) for line in original_node.empty_lines
        ]
        return updated_node.with_changes(empty_lines=lines, last_line=self._space(original_node.last_line))

    def _space(self, space: cst.SimpleWhitespace) -> cst.SimpleWhitespace:
        steps, rest = divmod(len(space.value), len(self._unit))
        whole = not rest and space.value == self._unit * steps
        return cst.SimpleWhitespace(self._new * steps) if whole and steps else space


def _indented(statement: Statement, old: str, new: str) -> Statement:
    """A statement that is a text, with the lines of the text after the first one indented anew."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString(value=text)) as only]):
            first, *rows = text.split("\n")
            rows = [
                new + row.removeprefix(old) if row.strip() and row.startswith(old) else row for row in rows
            ]
            value = cst.SimpleString("\n".join([first, *rows]))
            return statement.with_changes(body=[only.with_changes(value=value)])
    return statement


def _followed(statement: cst.SimpleStatementLine, comment: str) -> cst.SimpleStatementLine:
    """A line with a comment after it."""
    return statement.with_changes(
        trailing_whitespace=cst.TrailingWhitespace(
            whitespace=cst.SimpleWhitespace("  "), comment=cst.Comment(comment)
        )
    )
