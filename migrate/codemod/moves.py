"""Which statements of a module go, change or move: questions to its `Changes`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.cached import cached_property
from migrate.codemod.changes import Changes
from migrate.codemod.comments.commented_code import paragraphs
from migrate.codemod.comments.old_words import is_commented_code
from migrate.codemod.ownership import Comment, begins_cell, ends_section, within
from migrate.syntax.nodes import parents_of, walk
from migrate.syntax.quoting import names_in


class Moves:
    """What happens to the statements of one module."""

    def __init__(self, changes: Changes) -> None:
        self.changes = changes
        self.user = changes.user
        """The program's expressions that new code quotes, by their names."""
        self.above = parents_of(changes.tree)
        self.taken = {statement for _, new in changes.new() for statement in new.takes}
        """Statements whose comments go elsewhere, with new ones."""

    @cached_property
    def places(self) -> frozenset[ast.stmt]:
        """Statements next to which something comes or goes, or above which a comment says something else."""
        changes = self.changes
        parts = (changes.statements, changes.before, changes.after, changes.unfolded, changes.told_above)
        return frozenset(statement for part in parts for statement in part)

    @cached_property
    def ends(self) -> frozenset[ast.stmt]:
        """The last statements of blocks at whose end a comment says something else, or goes."""
        changes, found = self.changes, set[ast.stmt]()
        if not changes.retold:
            return frozenset()
        ends: dict[int, list[ast.stmt]] = {}
        for node in walk(changes.tree):
            if isinstance(node, ast.stmt) and node not in changes.following:
                ends.setdefault(node.end_lineno or 0, []).append(node)
        for one in changes.old_comments.all:
            if one.alone and one.line in changes.retold:
                above = max((line for line in ends if line < one.line), default=0)
                found.update(last for last in ends.get(above, ()) if 0 < last.col_offset <= one.column)
        return frozenset(found)

    @cached_property
    def touched(self) -> frozenset[ast.stmt]:
        """Statements that stay, and in which something changes."""
        changes = self.changes
        outer = [self.above[statement] for statement in self.places | self.ends]
        found: set[ast.stmt] = set()
        for node in (*changes.inside, *changes.imports, *changes.marks, *changes.finals, *outer):
            around = [step for step in self.around(node) if isinstance(step, ast.stmt)]
            if not any(step in changes.statements for step in around):
                found.update(around)
        return frozenset(found)

    @cached_property
    def opened(self) -> frozenset[ast.stmt]:
        """Statements in which something changes, or of which new code quotes a part."""
        changes, user = self.changes, self.user
        quoted = (user[name] for _, code in changes.codes() for name in names_in(code) if name in user)
        outer = (self.above[statement] for statement in self.places | self.ends)
        own = (*changes.imports, *changes.marks, *changes.finals, *changes.unfolded)
        nodes = (*changes.inside, *own, *quoted, *outer)
        return frozenset(step for node in nodes for step in self.around(node) if isinstance(step, ast.stmt))

    @cached_property
    def quoted(self) -> list[ast.expr]:
        """The program's expressions that stand in new statements: one old one may become several."""
        texts = [new.text for _, new in self.changes.new()]
        return [self.user[name] for text in texts for name in names_in(text) if name in self.user]

    @cached_property
    def loose(self) -> dict[ast.stmt, list[Comment]]:
        """Comments inside expressions in whose place nothing stands that holds them, by their statements."""
        comments = self.changes.old_comments
        found: dict[ast.stmt, dict[int, Comment]] = {}
        for node, code in self.changes.expressions.items():
            stays = [self.user[name] for name in names_in(code) if name in self.user]
            for comment in comments.inside(node):
                if not within(comment, stays):
                    found.setdefault(self.statement_of(node), {})[comment.line] = comment
        return {statement: [own[line] for line in sorted(own)] for statement, own in found.items()}

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """A node and what it is in, the innermost first."""
        step: ast.AST | None = node
        while step is not None:
            yield step
            step = self.above.get(step)

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that a node is in."""
        while not isinstance(node, ast.stmt):
            node = self.above[node]
        return node

    def goes(self, statement: ast.stmt) -> bool:
        """Whether nothing stands in the place of a statement."""
        return self.changes.statements.get(statement) == ()

    def has_neighbours(self, statement: ast.stmt) -> bool:
        """Whether something new stands above or below an old statement."""
        return statement in self.changes.before or statement in self.changes.after

    def along(self, statement: ast.stmt) -> tuple[Comment, ...]:
        """The comments above a statement that moves, set off by blank lines, that move with it.

        Marks of cells stay, with what is above them. All others move where the statement above goes, too.
        Where it goes into a block of new code, what is of the code above, by its words or place, stays, as
        does commented-out code with what is said of it: it reads what is there.
        """
        above = self._previous.get(statement)
        apart = self.changes.old_comments.of(statement).apart
        marks = [number for number, one in enumerate(apart, 1) if begins_cell(one.text)]
        apart = apart[max(marks, default=0) :]
        if above is not None and self.goes(above):
            return apart
        if statement not in self._inside:
            return ()
        ends = [number for number, one in enumerate(apart, 1) if ends_section(one.text)]
        row = (above.end_lineno or above.lineno) + 1 if above is not None else 0
        ends += [number for number, one in enumerate(apart, 1) if one.line == row + number - 1]
        pieces = paragraphs([one.line for one in apart])
        ends += [piece[-1] + 1 for piece in pieces if any(is_commented_code(apart[n].text) for n in piece)]
        below = apart[max(ends, default=0) :]
        # one that is deeper is of the block above
        return tuple(one for one in below if one.offset <= statement.col_offset)

    @cached_property
    def _inside(self) -> frozenset[ast.stmt]:
        """The statements whose place is in a block of new code."""
        blocks = [new.inner for _, new in self.changes.new()]
        return frozenset(old for block in blocks for one in block for old in one.takes)

    @cached_property
    def _previous(self) -> dict[ast.stmt, ast.stmt]:
        """The statement above each one in its block."""
        return {below: above for above, below in self.changes.following.items()}
