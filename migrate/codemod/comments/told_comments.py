"""The comments of a module that becomes native: what they say now, and which of them go."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence, Set

from migrate.codemod.changes import Changes, New
from migrate.codemod.comments.cell_marks import idle_comments, idle_marks
from migrate.codemod.comments.commented_code import Names, is_old_link
from migrate.codemod.comments.commented_units import is_row
from migrate.codemod.comments.interval_comments import IntervalComments
from migrate.codemod.comments.moved_comments import MovedComments
from migrate.codemod.comments.numbered_comments import renumbered_steps
from migrate.codemod.comments.old_contexts import of_found_session
from migrate.codemod.comments.other_comments import OtherComments
from migrate.codemod.comments.retelling import retold
from migrate.codemod.comments.step_comments import StepComments
from migrate.codemod.comments.subjects import (
    is_of_receiver,
    is_of_recovery,
    names_context,
    names_rdd,
    names_session,
    names_zookeeper,
    speaks_of_old,
    warns_of_deprecation,
    without_recovery,
)
from migrate.codemod.comments.telling import Telling, is_banner, prose_in, target
from migrate.codemod.comments.told_code import ToldCode
from migrate.codemod.comments.ways import without_each_batch, without_pairs
from migrate.codemod.ownership import Comment, makes_context
from migrate.plan.new_code.code import Chain, Makes, statements_replaced
from migrate.plan.new_code.planned_module import PlannedModule
from migrate.syntax.nodes import lines_of, of_kinds

_WORD = re.compile(r"\w+")


class ToldComments:
    """Says in comments what is there now.

    Args:
        changes: the changes of the module, which get the new comments.
        plan: what the module becomes.
        names: the names of the program before and after.
    """

    def __init__(self, changes: Changes, plan: PlannedModule, names: Names) -> None:
        self._telling = Telling(changes, plan, names)
        self._code = ToldCode(self._telling)
        self._changes = changes
        self._plan = plan
        self._comments = self._telling.comments
        self._new = self._telling.new

    def tell(self) -> None:
        """Let comments about what is gone say what is there now."""
        session = next((target(new) for _, new in self._new if new.makes is Makes.SESSION), "")
        queries = {target(new) for _, new in self._new if new.makes is Makes.QUERY}
        in_batches = {id(inner) for _, new in self._new if new.is_function for inner in new.within()}
        for place, new in self._new:
            self._beside(place, new, session or "ssc", queries)
            if id(new) not in in_batches and _runs(new):
                self._running(new)
        intervals = IntervalComments(self._telling)
        intervals.move()
        moved = MovedComments(self._telling)
        moved.move()
        self._imported(session or "SparkSession")
        self._callbacks(session or "SparkSession")
        self._found_sessions()
        self._code.tell()
        moved.keep_code()
        self._recovered()
        self._cells()
        self._above_dropped()
        self._above_removed(session)
        self._empty_sections()
        self._beside_arguments()
        OtherComments(self._telling).tell()
        intervals.keep_parts()
        StepComments(self._telling).move()
        self._numbered()

    def _beside(self, place: ast.stmt, new: New, session: str, queries: Set[str]) -> None:
        """Let comments beside the statements that new code stands for speak of what it makes.

        Args:
            place: where it stands.
            new: the new code.
            session: the name of the session.
            queries: the names of the queries.
        """
        if new.makes is None:
            return
        own = [place] if self._changes.statements.get(place, ())[:1] == (new,) else []
        for old in (*own, *new.takes):
            # what a query takes over is about the context, and goes, or about the batches of its function
            makes = Makes.FRAME if new.makes is Makes.QUERY and old not in own else new.makes
            if makes is Makes.QUERY and new.stopped not in ("", *queries):
                makes = Makes.SESSION
            last = old in own or (not own and old is new.takes[-1])  # of which the statement may be the pairs
            melted = not last or not (isinstance(new.code, Chain) and new.code.has_ones)
            found = self._comments.of(old)
            for block in filter(None, (found.apart, found.above, *((one,) for one in found.beside))):
                for prose in prose_in(block):
                    lines = [one.text for one in prose]
                    if old in own or makes is new.makes or any(map(names_rdd, lines)):
                        told = retold(lines, makes, session)
                        paired = lines if told is None else told
                        left = without_pairs(paired) if melted and makes is not Makes.RDD else paired
                        self._telling.say(prose, told if left == paired else left)
            self._leave_out(old, new)

    def _running(self, new: New) -> None:
        """Let no comment say of an aggregation over all batches that it is one of each batch."""
        for old in new.takes:
            for one in (*self._comments.of(old).above, *self._comments.of(old).beside):
                text = self._changes.retold.get(one.line, one.text)
                if text is not None and (told := without_each_batch(text)) != text:
                    self._changes.retold[one.line] = told

    def _leave_out(self, old: ast.stmt, new: New) -> None:
        """Leave out comments beside a statement that say nothing of the new code in its place."""
        changes, found = self._changes, self._comments.of(old)
        of_context = new.makes is Makes.QUERY and makes_context(old)
        if not any(one.text.strip("# \t") for one in found.above) or (
            of_context and any(names_context(one.text) for one in found.above)
        ):
            changes.retold.update(dict.fromkeys((one.line for one in found.above), None))
        changes.retold.update((one.line, None) for one in found.beside if not one.text.strip("# \t"))
        links = (one for one in found.inner if is_old_link(one.text) and not self._telling.has_rdds([one]))
        changes.retold.update(dict.fromkeys((one.line for one in links), None))
        for one in self._comments.deeper(old):
            if (text := changes.retold.pop(one.line, None)) is not None:
                changes.comments[one.line] = text
        if new.makes is Makes.SOURCE:
            beside = (*found.beside, *self._comments.behind(old))
            gone = [one for one in beside if is_of_receiver(one.text)]
            gone += [one for one in (*found.apart, *found.above) if names_zookeeper(one.text)]
            changes.retold.update(dict.fromkeys((one.line for one in gone), None))

    def _above_dropped(self) -> None:
        """Leave out what is said above statements of callbacks that go, but headings, and code."""
        for statement in self._plan.inner.dropped:
            above = [one for one in self._comments.of(statement).above if not is_row(one.text)]
            about = [one for one in above if names_rdd(one.text) or names_session(one.text)]
            if not self._is_heading(statement):
                about += above
            elif len(about) > 1:  # then so are the lines between them and the statement
                about += above[above.index(about[-1]) :]
            about += self._below_banner(statement)
            self._changes.retold.update(dict.fromkeys((one.line for one in about), None))

    def _below_banner(self, statement: ast.stmt) -> Sequence[Comment]:
        """What stands between a heading that is set off and a statement, if it is of no other one below."""
        above, below = self._comments.of(statement).above, self._changes.following.get(statement)
        banners = [n for n, one in enumerate(above) if is_banner(one.text)]
        is_of_one = below is None or self._comments.of(below).above or self._comments.has_blank_above(below)
        return above[banners[-1] + 1 :] if banners and is_of_one else ()

    def _empty_sections(self) -> None:
        """Leave out headings that are set off, of which all statements go that they stand above."""
        changes, taken = self._changes, {old for _, new in self._new for old in new.takes}
        places = {place for place, _ in self._new}
        for statement, news in changes.statements.items():
            block = [*self._banners(statement)]
            below: ast.stmt | None = statement
            while (
                below is not None and changes.statements.get(below) == () and below not in {*taken, *places}
            ):
                below = changes.following.get(below)
                if below is not None and [*self._banners(below)]:
                    break
            else:
                continue
            if block and not news and block[-1].line - block[0].line == len(block) - 1:
                changes.retold.update(dict.fromkeys((one.line for one in block), None))

    def _banners(self, statement: ast.stmt) -> Iterator[Comment]:
        """The lines of headings that are set off above a statement."""
        own = self._comments.of(statement)
        yield from (one for one in (*own.apart, *own.above) if is_banner(one.text))

    def _above_removed(self, session: str) -> None:
        """Let what is said above statements that go, and leave their comments, name no context."""
        for statement in (one for one, with_comments in self._plan.removed.items() if not with_comments):
            for prose in prose_in(self._comments.of(statement).above):
                about = [one for one in prose if names_context(one.text)]
                if not session:  # the program has its own, and says so itself
                    self._changes.retold.update(dict.fromkeys((one.line for one in about), None))
                elif about:
                    self._telling.say(prose, retold([one.text for one in prose], Makes.SESSION, session))

    def _beside_arguments(self) -> None:
        """Leave out what is said beside arguments that the new code has no counterpart of."""
        for call, arguments in self._plan.inner.unsaid:
            others = (
                one for one in [*call.args, *(word.value for word in call.keywords)] if one not in arguments
            )
            shared = {call.func.end_lineno, *(line for one in others for line in lines_of(one))}
            own = {line for one in arguments for line in lines_of(one)} - shared
            self._changes.retold.update((one.line, None) for one in self._comments.all if one.line in own)

    def _is_heading(self, statement: ast.stmt) -> bool:
        """Whether the comment above a statement may be about those right below it as well."""
        above, below = self._comments.of(statement).above, self._changes.following.get(statement)
        if not above or any(is_banner(one.text) for one in above):
            return True
        if below is None or self._comments.of(below).above or self._comments.has_blank_above(below):
            return False
        return self._comments.has_blank_above(statement)

    def _imported(self, session: str) -> None:
        """Let comments above imports name the session in place of the context, and warn of no old ones."""
        changes = self._changes
        for statement, new in changes.statements.items():
            if isinstance(statement, ast.Import | ast.ImportFrom) and new:
                above = self._comments.of(statement).above
                self._telling.say(above, retold([one.text for one in above], Makes.SESSION, session))
        for statement in of_kinds(changes.tree, ast.ImportFrom):
            if not (statement.module or "").startswith("pyspark"):
                continue
            said = [*self._comments.of(statement).above]
            if changes.tree.body[0] is statement and not said:
                said = [one for one in self._comments.all if one.line < statement.lineno]
            warning = [one.line for one in said if warns_of_deprecation(one.text)]
            changes.retold.update(dict.fromkeys(warning))
            changes.told_above.update([statement] if warning and statement not in changes.statements else ())

    def _callbacks(self, session: str) -> None:
        """Let comments above functions that take a DataFrame now name it in place of the RDD."""
        for function in self._telling.given_frames():
            self._changes.told_above.add(function)
            own = self._comments.of(function)
            for prose in prose_in((*own.apart, *own.above)):
                self._telling.say(prose, retold([one.text for one in prose], Makes.FRAME, session))
            self._code.name_frames(function)

    def _numbered(self) -> None:
        """Let the numbers of steps follow each other where one of them goes."""
        for one, text in [*renumbered_steps(self._changes)]:
            if one.line in self._changes.retold:
                self._changes.retold[one.line] = text
            else:
                self._changes.comments[one.line] = text

    def _found_sessions(self) -> None:
        """Let comments above ``sql = batch.sparkSession`` speak of the SparkSession."""
        found = {*self._plan.inner.sessions}
        for statement in of_kinds(self._changes.tree, ast.Assign) if found else ():
            for one in self._comments.of(statement).above if statement.value in found else ():
                if (text := of_found_session(one.text)) != one.text:
                    self._changes.comments[one.line] = text

    def _recovered(self) -> None:
        """Leave out that ``getOrCreate(directory, build)`` makes a context of a checkpoint: it is gone."""
        for statement in of_kinds(self._changes.tree, ast.Assign):
            match statement.value:
                case ast.Call(func=ast.Attribute(attr="getOrCreate"), args=[_, _]):
                    above = self._comments.of(statement).above
                    text = "\n".join(one.text for one in above)
                    told = [] if is_of_recovery(text) else without_recovery(text).split("\n")
                    if told != text.split("\n"):
                        self._changes.told_above.add(statement)
                        self._telling.say(above, told)

    def _cells(self) -> None:
        """Leave out where cells of a notebook began of which nothing is left, and what they say."""
        block = self._plan.function.body if self._plan.function is not None else ()
        self._changes.retold.update(dict.fromkeys(idle_marks(self._changes)))
        self._changes.retold.update(
            dict.fromkeys(idle_comments(self._changes, [*statements_replaced(block)]))
        )

    def find_left(self) -> None:
        """Find the comments that speak of the old API as they did."""
        changes = self._changes
        dropped = changes.dropped()
        changes.gone += dropped
        changed = {one.line for one in (*dropped, *changes.said_anew())}
        left = [one for one in changes.own_comments if one.line not in changed]
        changes.still += [
            one
            for one in left
            if speaks_of_old(
                self._without_names(changes.retold.get(one.line) or changes.said(one)),
                rdds=self._telling.has_rdds([one]),
            )
        ]

    def _without_names(self, text: str) -> str:
        """A comment without names that the program has: ``rdds`` may be a list that is there still."""
        there = self._telling.names.there
        return _WORD.sub(lambda word: "" if word[0] in there else word[0], text)


def _runs(new: New) -> bool:
    """Whether it aggregates."""
    return isinstance(new.code, Chain) and any(call.method == "groupBy" for call in new.code.calls)
