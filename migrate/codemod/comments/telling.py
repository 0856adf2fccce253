"""What comments are told by: the changes of a module, and what it becomes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import zip_longest

from migrate.cached import cached_property
from migrate.codemod.changes import Changes, New
from migrate.codemod.comments.commented_code import Names
from migrate.codemod.comments.left_rdds import LeftRdds
from migrate.codemod.comments.old_words import is_commented_code
from migrate.codemod.ownership import Comment
from migrate.plan.new_code.code import Chain, Makes
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.syntax.nodes import of_kinds, parents_of, walk

_LINE = re.compile(r"[-#=*~]{4,}$")
_OF_LINES = tuple("-#=*~")


class Telling:
    """What is known where comments get other words.

    Attributes:
        changes: the changes of the module, which get the new comments.
        plan: what the module becomes.
        names: the names of the program before and after.
        comments: all comments, by the statements that they belong to.
        new: all statements of new code, with the old ones at which they stand.
        functions: the functions of the module.
    """

    def __init__(self, changes: Changes, plan: PlannedModule, names: Names) -> None:
        self.changes = changes
        self.plan = plan
        self.names = names
        self.comments = changes.old_comments
        self.new = [*changes.new()]
        self.functions = {*of_kinds(changes.tree, ast.FunctionDef)}
        self._left_rdds = LeftRdds(changes, self.given_frames(), self.functions & plan.per_batch)

    @cached_property
    def above(self) -> dict[ast.AST, ast.AST]:
        """The parents of the module's nodes."""
        return dict(parents_of(self.changes.tree))

    @cached_property
    def previous(self) -> dict[ast.stmt, ast.stmt]:
        """The statement above each one in its block."""
        return {below: above for above, below in self.changes.following.items()}

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that a node is in."""
        while not isinstance(node, ast.stmt):
            node = self.above[node]
        return node

    def say(self, block: Sequence[Comment], lines: list[str] | None) -> None:
        """Let a comment have other lines, or fewer; None for those that it has."""
        if lines is not None:
            told = zip_longest((one.line for one in block), lines)
            self.changes.retold.update({line: text or None for line, text in told if line is not None})

    def has_rdds(self, block: Sequence[Comment]) -> bool:
        """Whether a comment may be about RDDs or a SparkContext that the program has still."""
        if not self.plan.rdds or not self._left_rdds.at(block[0].line):
            return False
        return not self._said_of_frames.issuperset(one.line for one in block)

    def in_rdd_code(self, block: Sequence[Comment]) -> bool:
        """Whether a comment stands in a function that makes RDDs of its batch: it may be RDD code of that."""
        return self.plan.rdds and self._left_rdds.inside(block[0].line)

    @cached_property
    def _said_of_frames(self) -> set[int]:
        """The lines of comments beside what is a DataFrame now."""
        frames = (Makes.FRAME, Makes.SOURCE)
        found = [(place, new) for place, new in self.new if new.makes in frames]
        taken = {old for _, new in found for old in new.takes}
        taken |= {place for place, new in found if self.changes.statements.get(place, ())[:1] == (new,)}
        owned = map(self.comments.of, taken)
        return {one.line for own in owned for one in (*own.apart, *own.above, *own.own)}

    def given_frames(self) -> Iterator[ast.FunctionDef]:
        """The functions that take a DataFrame now."""
        parameters = {node for node, new in self.plan.inner.parameters if new.names and new.has_batch}
        for function in of_kinds(self.changes.tree, ast.FunctionDef) if parameters else ():
            if not parameters.isdisjoint((*function.args.posonlyargs, *function.args.args)):
                yield function

    def leave_out(self, lines: Set[int]) -> None:
        """Leave out comments on some lines, if they are beside what changes, or above what stays."""
        changes = self.changes
        if not lines:
            return
        first = min((one.lineno for one in changes.tree.body), default=0)
        of_file = {one.line for one in self.comments.all if one.line < first}
        changes.retold.update(dict.fromkeys(lines & of_file))
        moved = {old for _, new in self.new for old in new.takes}
        for statement in (node for node in walk(changes.tree) if isinstance(node, ast.stmt)):
            own = self.comments.of(statement)
            apart = [one for one in own.apart if one.offset <= statement.col_offset]
            above = lines & {one.line for one in (*apart, *own.above)}
            if above and statement not in changes.statements:
                changes.told_above.add(statement)
            beside = (
                {one.line for one in own.own}
                if statement in moved or changes.statements.get(statement)
                else set()
            )
            changes.retold.update(dict.fromkeys(above | (lines & beside)))


def is_banner(text: str) -> bool:
    """Whether a comment is a line that is set off: ``######## 1. Read ########``."""
    return text.startswith("####") or (text.endswith(_OF_LINES) and _LINE.search(text) is not None)


def prose_in(block: Sequence[Comment]) -> Iterator[list[Comment]]:
    """The pieces of a comment that are no code, have no blank line inside, and no banner beside them."""
    piece: list[Comment] = []
    for one in block:
        alone = is_banner(one.text) or is_commented_code(one.text)
        if piece and (alone or one.line != piece[-1].line + 1 or is_banner(piece[-1].text)):
            yield piece
            piece = []
        if not is_commented_code(one.text):
            piece.append(one)
    if piece:
        yield piece


def runs(comments: Iterable[Comment], *, with_code: bool = False) -> Iterator[list[Comment]]:
    """The comments that stand on lines below each other, code by itself or `with_code` among prose."""
    block: list[Comment] = []
    for one in comments:
        follows = block and one.alone and block[-1].alone and block[-1].line == one.line - 1
        apart = not with_code and block and any(is_commented_code(each.text) for each in (one, block[-1]))
        if block and (not follows or apart):
            yield block
            block = []
        block.append(one)
    if block:
        yield block


def target(new: New) -> str:
    """The variable that a statement gives a value; empty for none."""
    return new.code.target if isinstance(new.code, Chain) else ""
