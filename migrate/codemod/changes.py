"""What becomes of one module's tree: decided on `ast` nodes, written by `migrate.codemod.transformer`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, field
from itertools import chain, pairwise
from typing import TypeVar

from migrate.cached import cached_property
from migrate.codemod.ownership import Comment, Comments, is_bare_mark, stays_true
from migrate.frozen import dataclass, replace
from migrate.plan.new_code.code import Chain, Code, Function, Makes, Origin
from migrate.plan.new_code.inner import Parameters
from migrate.syntax.code_names import names_in_code
from migrate.syntax.nodes import blocks, lines_of, parsed, walk
from migrate.syntax.quoting import quotes

Place = TypeVar("Place", ast.stmt, Origin)
_MAKES_FUNCTION = re.compile(r"\b(?:def|lambda)\b")
"""Code that may have parameters."""


class UnwritableError(Exception):
    """LibCST cannot take a text, in words for its owner."""


@dataclass(frozen=True)
class New:
    """A statement of new code."""

    code: Code
    takes: tuple[ast.stmt, ...] = ()
    """Old statements whose comments go with it."""
    _: KW_ONLY
    blank: int = 0
    """How many blank lines stand above it at least."""
    comment: str = ""
    """What is said behind it, or above it where there is no room."""
    kept: str = ""
    """Comments of the program that stay behind it."""
    gap: int = 0
    """How many blank lines stand below it at least, unless it is the last of its block."""
    body: tuple[New, ...] = ()
    """The statements of its block, if it opens one: a ``def`` or ``try`` whose `code` ends with a colon."""
    clauses: tuple[New, ...] = ()
    """What stands below its block, each with a block of its own: ``except ValueError:``."""
    orelse: tuple[New, ...] = ()
    """The statements of its ``else:``, if it has one."""
    copies: ast.stmt | None = None
    """The statement of the program whose text it is, with the comments inside."""
    is_branch: bool = False
    """Whether it is an ``if`` with a block."""
    makes: Makes | None = None
    """What it makes, if comments about what it replaces are to say so."""
    origin: Origin | None = None
    """What it comes from, if it is one of several lines."""

    @cached_property
    def text(self) -> str:
        """Its code as a text that can be parsed; where it has blocks, with a ``pass`` in each."""
        code = self.code if isinstance(self.code, str) else self.code.statement
        heads = (code, *(str(one.code) for one in self.clauses))
        return "".join(f"{head}\n    pass\n" for head in heads) if self.body else code

    @cached_property
    def tree(self) -> list[ast.stmt]:
        """Its text as statements, which nobody changes: several parts of a rewrite look at them."""
        return ast.parse(self.text).body

    def within(self) -> Iterator[New]:
        """The statements inside it."""
        for one in self.inner:
            yield one
            yield from one.within()

    @property
    def makes_rdd(self) -> bool:
        """Whether it makes an RDD of a DataFrame."""
        return isinstance(self.code, Chain) and self.code.makes_rdd

    @property
    def inner(self) -> tuple[New, ...]:
        """The statements right inside it, those of its clauses among them."""
        if not self.body:
            return ()
        return (*self.body, *(inner for one in self.clauses for inner in one.body), *self.orelse)

    @property
    def is_function(self) -> bool:
        """Whether it defines a function."""
        return isinstance(self.code, Function)

    @property
    def stopped(self) -> str:
        """Code of what it stops at last: ``spark`` for ``spark.stop()``; empty if it stops nothing."""
        code = self.code
        stops = isinstance(code, Chain) and [call.method for call in code.calls] == ["stop"]
        return code.base if isinstance(code, Chain) and stops else ""


@dataclass
class Changes:
    """The changes of one module."""

    tree: ast.Module
    source: str
    others: frozenset[int] = frozenset()
    """The lines of other programs in the module, whose comments and docstrings stay."""
    expressions: dict[ast.AST, str] = field(default_factory=dict)
    """New code of expressions."""
    parameters: dict[ast.arg, Parameters] = field(default_factory=dict)
    """Those in the place of a parameter."""
    rdds: set[ast.AST] = field(default_factory=set)
    """Expressions in whose places an RDD is made of a DataFrame."""
    contexts: set[ast.AST] = field(default_factory=set)
    """Those in whose places a SparkContext stands."""
    renamed: dict[ast.AST, str] = field(default_factory=dict)
    """What variables, attributes, parameters, keywords and imported modules are called now."""
    reworded: dict[ast.expr, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """Texts that are written out, with words of them and what stands in their places."""
    statements: dict[ast.stmt, tuple[New, ...]] = field(default_factory=dict)
    """What stands in the place of a statement; nothing where it goes."""
    before: dict[ast.stmt, list[New]] = field(default_factory=dict)
    """Statements above others."""
    after: dict[ast.stmt, list[New]] = field(default_factory=dict)
    """Statements below others."""
    finals: dict[ast.Try, tuple[New, ...]] = field(default_factory=dict)
    """Statements in the ``finally:`` that ones of the program get."""
    unfolded: set[ast.If] = field(default_factory=set)
    """Branches of which only the body stays, in their place."""
    imports: dict[ast.Import | ast.ImportFrom, Names] = field(default_factory=dict)
    """Imports that lose or get names."""
    marks: dict[ast.stmt, str] = field(default_factory=dict)
    """Why a graph is left for a person, by the statement that a comment above says it of."""
    remaining: set[ast.stmt] = field(default_factory=set)
    """Statements that go, but for the comments above them."""
    retold: dict[int, str | None] = field(default_factory=dict)
    """What comments say now, by their lines; None for those that go."""
    told_above: set[ast.stmt] = field(default_factory=set)
    """Statements that stay, whose comments above are among them."""
    comments: dict[int, str] = field(default_factory=dict)
    """What comments say now that stay where they are, by their lines."""
    beside: dict[int, str] = field(default_factory=dict)
    """New comments behind statements that stay, by the lines on which these end."""
    handed: dict[ast.stmt, list[Comment]] = field(default_factory=dict)
    """Comments above other statements that stand above these now."""
    handed_in: dict[ast.stmt, list[Comment]] = field(default_factory=dict)
    """Comments above others that stand above these now, which stay with other code inside."""
    timed: dict[ast.stmt, list[Comment]] = field(default_factory=dict)
    """Comments on the time between batches, which stand beside the trigger of the query at a statement."""
    of_lines: dict[Origin, list[Comment]] = field(default_factory=dict)
    """Comments that stand above lines of new code, by what these come from."""
    gone: list[Comment] = field(default_factory=list)
    """Comments that go with the statements that they are about, once all is decided."""
    still: list[Comment] = field(default_factory=list)
    """Comments that name what is gone, as they did."""

    def told(self, comments: Iterable[Comment]) -> list[Comment]:
        """Comments with the words that they have in the new code, without those that go."""
        texts = ((comment, self.retold.get(comment.line, comment.text)) for comment in comments)
        return [
            replace(comment, text=self.said(comment) if text == comment.text else text)
            for comment, text in texts
            if text is not None
        ]

    def hand_on(self, comments: Sequence[Comment], statement: ast.stmt) -> None:
        """Let comments stand above a statement that is below the one that they stood above."""
        self._hand(comments, statement, self.handed)

    def hand_in(self, comments: Sequence[Comment], statement: ast.stmt) -> None:
        """Let comments stand above a statement that stays, inside of which is now what they are about."""
        self._hand(comments, statement, self.handed_in)

    def put_in(self, comment: str, statement: ast.stmt) -> None:
        """Let a new comment stand above a statement that stays, as it is about the code in it now."""
        self.handed_in.setdefault(statement, []).append(Comment(0, 0, 0, comment, alone=True))

    def hand_to_trigger(self, comments: Sequence[Comment], statement: ast.stmt) -> None:
        """Let comments stand beside the trigger of the query that starts at a statement."""
        self._hand(comments, statement, self.timed)

    def hand_to_line(self, comments: Sequence[Comment], origin: Origin) -> None:
        """Let comments stand above a line of new code."""
        self._hand(comments, origin, self.of_lines)

    def _hand(self, comments: Sequence[Comment], place: Place, to: dict[Place, list[Comment]]) -> None:
        told = self.told(comments)
        if told:
            to.setdefault(place, []).extend(told)
            self.retold.update(dict.fromkeys((one.line for one in comments), None))

    def said(self, comment: Comment) -> str:
        """What a comment says now, if it stays where it is."""
        return self.comments.get(comment.line, comment.text)

    def remove(self, statement: ast.stmt) -> None:
        """Take a statement out."""
        self.statements.setdefault(statement, ())

    def put_before(self, statement: ast.stmt, *new: New) -> None:
        """Put statements above another one."""
        self.before.setdefault(statement, []).extend(new)

    def put_after(self, statement: ast.stmt, *new: New) -> None:
        """Put statements below another one."""
        self.after.setdefault(statement, []).extend(new)

    @cached_property
    def user(self) -> dict[str, ast.expr]:
        """The program's expressions that new code may quote, by their names."""
        return {**quotes(self.tree)}

    @cached_property
    def following(self) -> dict[ast.stmt, ast.stmt]:
        """The statement below each one in its block."""
        return {above: below for block in blocks(self.tree) for above, below in pairwise(block)}

    @cached_property
    def old_comments(self) -> Comments:
        """The comments of the module."""
        return Comments(self.source)

    @property
    def own_comments(self) -> list[Comment]:
        """Those that are not about another program."""
        return [one for one in self.old_comments.all if one.line not in self.others]

    def __bool__(self) -> bool:
        beside = (self.before, self.after, self.finals)
        statements = (self.statements, *beside, self.unfolded, self.imports, self.marks)
        inside = (self.expressions, self.parameters, self.renamed, self.reworded, self.comments)
        return any(inside) or any(statements)

    @property
    def inside(self) -> Iterator[ast.AST]:
        """The nodes that change inside of statements."""
        return chain(self.expressions, self.parameters, self.renamed, self.reworded)

    def new(self) -> Iterator[tuple[ast.stmt, New]]:
        """All statements of new code, those of blocks as well, with the old ones at which they stand."""
        waiting = [
            (place, one)
            for part in (self.statements, self.before, self.after, self.finals)
            for place, many in part.items()
            for one in many
        ]
        for place, one in waiting:  # grows while it is walked
            yield place, one
            waiting += [(place, inner) for inner in one.inner]

    def codes(self) -> Iterator[tuple[ast.AST, str]]:
        """All new code in parts that can be parsed, with the old nodes at which they stand."""
        yield from self.expressions.items()
        yield from ((place, new.text) for place, new in self.new())

    def names_read(self) -> Iterator[tuple[ast.AST, str]]:
        """The names that new code reads, with the old nodes at which it stands."""
        trees: list[tuple[ast.AST, list[ast.stmt]]] = [(place, new.tree) for place, new in self.new()]
        trees += [(place, parsed(code).body) for place, code in self.expressions.items()]
        for parameter, given in self.parameters.items():
            yield from ((parameter, name) for name in given.names)
        for place, statements in trees:
            for node in chain.from_iterable(map(walk, statements)):
                if type(node) is ast.Name:
                    yield place, node.id

    def new_parameters(self) -> frozenset[str]:
        """The parameters of functions in new code."""
        return names_in_code(*(code for _, code in self.codes() if _MAKES_FUNCTION.search(code))).parameters

    def dropped(self) -> list[Comment]:
        """Comments that go with the statements that they are about, in order."""
        comments = self.old_comments
        moved = {statement for _, new in self.new() for statement in new.takes}
        owned = [comments.moved_with(statement) for statement in moved]
        taken = {comment.line for own in owned for comment in (*own.above, *own.own)}
        stale = [one for own in owned if not stays_true(self.told(own.above)) for one in own.above]
        stale += [own.trailing for own in owned if own.trailing and not stays_true(self.told([own.trailing]))]
        found: list[Comment] = []
        for statement, new_ones in self.statements.items():
            if statement in moved or new_ones:
                continue
            own = comments.of(statement)
            left = () if statement in self.remaining else own.above
            moved_from = [new.copies for new in self.before.get(statement, ()) if new.copies is not None]
            kept = taken.union(*map(lines_of, moved_from))
            found += [comment for comment in (*left, *own.own) if comment.line not in kept]
        found += [
            comment
            for statement, names in self.imports.items()
            for comment in self._of_names(statement, names)
        ]
        found += stale
        gone = {line for line, text in self.retold.items() if text is None}
        found += [comment for comment in comments.all if comment.line in gone and comment not in found]
        elsewhere = self.handed_lines
        says = (one for one in found if one.text.strip("# \t") and not is_bare_mark(one.text))
        told = [one for one in says if one.line not in elsewhere]
        return sorted(told, key=lambda comment: comment.line)

    @property
    def handed_lines(self) -> set[int]:
        """The lines of comments that stand elsewhere now."""
        return {one.line for part in self._handed for own in part.values() for one in own}

    @property
    def _handed(self) -> Iterator[Mapping[ast.stmt, list[Comment]] | Mapping[Origin, list[Comment]]]:
        """The comments that stand elsewhere now, by what they stand beside."""
        yield from (self.handed, self.handed_in, self.timed)
        yield self.of_lines

    def said_anew(self) -> list[Comment]:
        """Comments that have other words in the new code, with the old ones, in order."""
        new = {line: text for line, text in self.retold.items() if text is not None}
        new |= self.comments
        new |= {one.line: one.text for part in self._handed for own in part.values() for one in own}
        left = (one for one in self.old_comments.all if one not in self.gone)
        return [one for one in left if new.get(one.line, one.text) != one.text]

    def _of_names(self, statement: ast.Import | ast.ImportFrom, names: Names) -> Iterator[Comment]:
        """The comments of names that an import loses."""
        comments = self.old_comments
        for alias in statement.names:
            if alias not in names.kept and alias not in names.moved:
                yield from comments.of_name(alias, statement)


@dataclass(frozen=True)
class Names:
    """The names of an import that stays."""

    kept: tuple[ast.alias, ...]
    added: tuple[ast.alias, ...] = ()
    """``functions as F``."""
    module: str | None = None
    """The module that they come from now, if it is another one."""
    moved: tuple[ast.alias, ...] = ()
    """Names that another import has now, with their comments."""
