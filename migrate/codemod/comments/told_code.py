"""Commented-out code: of the old API it goes, or has other names."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from migrate.cached import cached_property
from migrate.codemod.changes import New
from migrate.codemod.comments.commented_code import Names, has_examples, headings, paragraphs
from migrate.codemod.comments.commented_units import is_old_import, is_row
from migrate.codemod.comments.hanging_together import Piece, old_code, told_pieces
from migrate.codemod.comments.old_words import is_commented_code
from migrate.codemod.comments.shown_code import explains_old_code
from migrate.codemod.comments.subjects import speaks_of_old
from migrate.codemod.comments.telling import Telling, target
from migrate.codemod.ownership import Comment
from migrate.frozen import dataclass, replace
from migrate.plan.new_code.code import Chain, Makes, statements_replaced
from migrate.plan.new_code.inner import GONE
from migrate.syntax.cells import borders
from migrate.syntax.code_names import names_in_code
from migrate.syntax.nodes import blocks, of_kinds, walk

_ALIKE = "cache|collect|count|distinct|first|foreach|foreachPartition|isEmpty|persist|take|unpersist"
"""Methods of RDDs that DataFrames have, too, and that do the same."""


_ENTRY = re.compile(r"#+\s*([\"'])[\w.-]+\1\s*:\s*\S.*")
"""``# "auto.offset.reset": "smallest" }``."""


@dataclass(frozen=True)
class _Commented:
    """Comments on lines below each other."""

    comments: Sequence[Comment]
    texts: Sequence[str]
    """What they say now."""
    frames: Mapping[str, str]
    """The variables that held streams, with those of their DataFrames there."""
    above: ast.stmt | None
    """The statement that they stand above, with others or alone."""
    stays: bool = False
    """Whether they stand beside nothing that changes."""

    def piece(self, *, in_rdd_code: bool) -> Piece:
        """What decides whether they go."""
        lines = _as_block(self.comments, self.texts)
        return Piece(lines, self.frames, self.above, stays=self.stays, in_rdd_code=in_rdd_code)


class ToldCode:
    """Lets code in comments call and read what is there now.

    Args:
        telling: the changes of the module, which get the new comments.
    """

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._changes = telling.changes
        self._explaining: set[int] = set()
        """The lines of comments that only explain code of the old API."""

    def tell(self) -> None:
        """Take out code of the old API that stands in comments beside statements that change.

        Where a program puts nothing out it stays: it says what the program was to do. So does that of one
        which has examples in comments, for readers to take them out of these.
        """
        changes = self._changes
        moved = {old for _, new in self._telling.new for old in new.takes}
        query = next((target(new) for _, new in self._telling.new if new.makes is Makes.QUERY), "")
        writers = (target(new) for _, new in self._telling.new if _is_writer(new))
        alone = not query and "query" not in self._telling.names.there
        names = replace(self._telling.names, writer=next(writers, "") if alone else "")
        frames = self._frames()
        changed = dict.fromkeys((*changes.statements, *moved))
        # in a notebook code in comments may be a cell of its own
        parts = () if borders(changes.tree) else blocks(changes.tree)
        beside = [one for block in parts if not changed.keys().isdisjoint(block) for one in block]
        beside += (
            node
            for one in self._telling.given_frames()
            for node in walk(one)
            if isinstance(node, ast.stmt) and node is not one
        )
        around = dict.fromkeys((*changed, *beside))
        pieces = [piece for one in around for piece in self._above(one, frames.get(one, {}))]
        pieces += self._elsewhere({one.line for piece in pieces for one in piece.comments})
        told = told_pieces(
            [one.piece(in_rdd_code=self._telling.in_rdd_code(one.comments)) for one in pieces],
            self._telling.plan.contexts,
            query,
            names,
        )
        old = dict(self._changed(pieces, told))
        for statement in around:
            self._tell_above(statement, old, is_changed=statement in changed)
        self._telling.leave_out({*self._old_header(query, names), *self._entries(changed)})
        self._at_end(query, names)
        if not self._stays:
            self._texts(query, names)

    def _above(self, statement: ast.stmt, frames: Mapping[str, str]) -> Iterator[_Commented]:
        """The comments above a statement, but for those that only explain code of the old API, which go.

        Args:
            statement: the statement.
            frames: the variables that held streams, with those of their DataFrames there.
        """
        own = self._telling.comments.of(statement)
        block = (*own.apart, *own.above)
        alone = all(is_row(one.text) or is_old_import(one.text) for one in block)
        if not block or (isinstance(statement, ast.Import | ast.ImportFrom) and not alone):
            return
        # what stands right below another statement stays there, where the batch function's variables are not
        end = self._ends.get(statement)
        for piece in _pieces(block):
            if explains_old_code([one.text for one in piece]) and not self._telling.has_rdds(piece):
                explaining = dict.fromkeys(one.line for one in piece)
                self._changes.retold.update(explaining)
                self._explaining |= explaining.keys()
                continue
            is_beside = piece[0].line - 1 == end and piece[-1] in own.apart
            yield _Commented(piece, self._in_code(piece), {} if is_beside else frames, statement)

    def _elsewhere(self, seen: Collection[int]) -> Iterator[_Commented]:
        """The comments beside nothing that changes: they stay, and what hangs together with them."""
        left = [one for one in self._changes.own_comments if one.alone and one.line not in seen]
        for piece in _pieces(left):
            yield _Commented(piece, [one.text for one in piece], {}, None, stays=True)

    def _in_code(self, piece: Sequence[Comment]) -> list[str]:
        """The lines of a comment, whose code reads what all other code reads now, unless an RDD is left."""
        said = [self._changes.said(one) for one in piece]
        new = [*map(self._telling.names.in_code, said)]
        rdds = self._telling.has_rdds(piece)
        left = any(
            text != old and speaks_of_old(text, rdds=rdds) for text, old in zip(new, said, strict=True)
        )
        return said if left else new

    def _changed(
        self, pieces: Sequence[_Commented], told: Sequence[Mapping[int, str | None] | None]
    ) -> Iterator[tuple[int, str | None]]:
        """The lines that change, with what they say now; names change where no code of the old API stays."""
        changes = self._changes
        for piece, found in zip(pieces, told, strict=True):
            if found is not None and not piece.stays:
                new = zip(piece.comments, piece.texts, strict=True)
                changes.comments.update((one.line, text) for one, text in new if text != changes.said(one))
            for position, text in (found or {}).items():
                if text is not None or not self._stays:
                    yield piece.comments[position].line, text

    def _tell_above(self, statement: ast.stmt, old: Mapping[int, str | None], *, is_changed: bool) -> None:
        """Take out code of the old API above one statement, with what explains it.

        Args:
            statement: the statement.
            old: the lines of such code, with what is in their place: None where they go.
            is_changed: whether it is another one now.
        """
        own = self._telling.comments.of(statement)
        block = (*own.apart, *own.above)
        said = {one.line: old[one.line] for one in block if one.line in old}
        retold = self._changes.retold
        if not is_changed and (said or any(one.line in self._explaining for one in block)):
            self._changes.told_above.add(statement)
        retold.update(said)
        prose = {one.line: one.text for one in block if one.line not in said and not is_row(one.text)}
        gone = [line for line, text in said.items() if text is None]
        retold.update(dict.fromkeys(headings(prose, gone, statement.lineno), None))

    @cached_property
    def _stays(self) -> bool:
        """Whether no code in comments goes."""
        return not self._telling.plan.puts_out or has_examples(self._changes.tree, self._changes.own_comments)

    @cached_property
    def _ends(self) -> dict[ast.stmt, int | None]:
        """The line on which the statement above each one ends, unless the batch function has that, too."""
        function = self._telling.plan.function
        inside = {*statements_replaced(function.body)} if function is not None else set[ast.stmt]()
        pairs = self._changes.following.items()
        return {below: above.end_lineno for above, below in pairs if above not in inside}

    def _at_end(self, query: str, names: Names) -> None:
        """Let code in comments below the last statements of blocks stop the query, or wait for it."""
        changes = self._changes
        inside = set(changes.inside)
        for statement in of_kinds(changes.tree, ast.Expr):
            if statement in changes.following:
                continue
            if statement in changes.statements or not inside.isdisjoint(walk(statement)):
                # ``# ssc.stop()`` at the end
                self._stop([*self._telling.comments.behind(statement)], query, names)
        last = max((one.end_lineno or 0 for one in changes.tree.body), default=0)
        for below in self._below(last):
            self._stop(below, query, names)

    def _texts(self, query: str, names: Names) -> None:
        """Take out code of the old API that stands in a text by itself, if nothing else does."""
        changes = self._changes
        for block in blocks(changes.tree):
            for statement in block[1:]:
                match statement:
                    case ast.Expr(ast.Constant(str(text)) as value) if statement.lineno not in changes.others:
                        if statement not in changes.statements and self._is_old_text(text, query, names):
                            changes.remove(statement)
                            changes.reworded.pop(value, None)
                            line = statement.lineno
                            changes.still[:] = [one for one in changes.still if one.line != line]
                            rows = filter(None, map(str.strip, text.splitlines()))
                            changes.gone += [Comment(line, 0, 0, row, alone=True) for row in rows]

    def _is_old_text(self, text: str, query: str, names: Names) -> bool:
        """Whether a text is code, and all of it is of the old API."""
        code = textwrap.dedent(text.strip("\n"))
        try:
            body = ast.parse(code).body
        except (SyntaxError, ValueError):
            return False
        contexts = self._telling.plan.contexts
        old = old_code([f"# {row}" for row in code.splitlines()], contexts, query, names=names)
        return bool(old) and all(one.lineno - 1 in old for one in body)

    def _entries(self, changed: Iterable[ast.stmt]) -> Iterator[int]:
        """The lines of a dict's entries in comments right below it, where nothing is left of the dict."""
        for statement in changed:
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Dict):
                behind = self._telling.comments.behind(statement)
                yield from (one.line for one in takewhile(lambda one: _ENTRY.fullmatch(one.text), behind))

    def _old_header(self, query: str, names: Names) -> Iterator[int]:
        """The lines of code of the old API above all code, if there is nothing else between blank lines."""
        first = min((one.lineno for one in self._changes.tree.body), default=0)
        header = [one for one in self._changes.own_comments if one.line < first]
        for piece in paragraphs([one.line for one in header]):
            texts = [header[n].text for n in piece]
            if all(is_row(text) or is_old_import(text) for text in texts):
                found = old_code(texts, self._telling.plan.contexts, query, names=names)
                if len(found) == len(texts) and not any(found.values()):
                    yield from (header[n].line for n in piece)

    def _frames(self) -> dict[ast.stmt, dict[str, str]]:
        """The DataFrames that the batch function has beside the comments of a statement, by their streams."""
        function = self._telling.plan.function
        found: dict[ast.stmt, dict[str, str]] = {}
        if function is None or not function.body:
            return found
        sources = (new.code for _, new in self._telling.new if new.makes is Makes.SOURCE)
        streaming = (code.variable for code in sources if isinstance(code, Chain) and code.variable)
        made = dict.fromkeys(streaming, function.parameters[0])
        for written in function.body:
            found.update((old, {**made}) for old in written.replaces)
            if isinstance(written.code, Chain) and written.makes is not None and not written.when:
                made.pop(written.code.target, None)
                if written.makes is Makes.FRAME and written.code.variable:
                    made[written.code.variable] = written.code.variable
        return found

    def _below(self, line: int) -> Iterator[list[Comment]]:
        """The comments below a line, those on lines below each other together."""
        block: list[Comment] = []
        for one in self._telling.comments.all:
            if one.line > line:
                if block and block[-1].line < one.line - 1:
                    yield block
                    block = []
                block.append(one)
        if block:
            yield block

    def _stop(self, below: Sequence[Comment], query: str, names: Names) -> None:
        """Let code in comments at the end stop the query, or wait for it; with other old code it stays."""
        of_writer = Names(writer=names.writer, sessions=names.sessions)
        ended = old_code([one.text for one in below], self._telling.plan.contexts, query, names=of_writer)
        if None not in ended.values():
            said = {below[position].line: text for position, text in ended.items() if text}
            self._changes.comments |= said

    def name_frames(self, function: ast.FunctionDef) -> None:
        """Let commented-out code in a function name its DataFrame, if DataFrames have all that it calls."""
        new = dict(self._telling.plan.inner.parameters)
        for parameter in (*function.args.posonlyargs, *function.args.args):
            given = new.get(parameter, GONE)
            name = self._frame_in(function, parameter, next(iter(given.names), ""))
            if name in ("", parameter.arg):
                continue
            word = re.compile(rf"(?<![\w.]){parameter.arg}\b")  # no attribute
            inside = range(function.lineno, (function.end_lineno or function.lineno) + 1)
            code = (one for one in self._telling.comments.all if is_commented_code(one.text))
            found = [one for one in code if word.search(one.text)]
            own = [one for one in found if one.line in inside]
            shared = re.compile(rf"{word.pattern}(?!\.(?:{_ALIKE})\()")
            if not any(shared.search(one.text) for one in own):
                self._changes.comments.update((one.line, word.sub(name, one.text)) for one in own)

    def _frame_in(self, function: ast.FunctionDef, parameter: ast.arg, name: str) -> str:
        """The variable that a function reads in place of a parameter: what it makes of that has another."""
        inside = {*walk(function)}
        made = {target(new) for place, new in self._telling.new if place in inside} - {""}
        of_parameter = (
            code
            for node, code in self._telling.plan.inner.replaced
            if node in inside
            if any(isinstance(one, ast.Name) and one.id == parameter.arg for one in walk(node))
        )
        read = names_in_code(*of_parameter).all & {*made, name}
        return next(iter(read)) if len(read) == 1 else name


def _pieces(block: Sequence[Comment]) -> Iterator[list[Comment]]:
    """The comments without a blank line between them."""
    return ([block[n] for n in piece] for piece in paragraphs([one.line for one in block]))


def _as_block(piece: Sequence[Comment], texts: Sequence[str]) -> list[str]:
    """The lines of a comment, those further right indented behind their ``#``, as code would be."""
    least = min((one.column for one in piece), default=0)
    return [f"#{' ' * (one.column - least)}{text[1:]}" for one, text in zip(piece, texts, strict=True)]


def _is_writer(new: New) -> bool:
    """Whether it makes a writer that nothing starts here."""
    return isinstance(new.code, Chain) and new.code.is_writer
