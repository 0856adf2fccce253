"""The comments of a module that becomes native: what they say now, and which of them go."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import zip_longest

from migrate.cached import cached_property
from migrate.codemod.cell_marks import idle_comments, idle_marks
from migrate.codemod.changes import Changes, New
from migrate.codemod.commented_code import (
    Names,
    headings,
    is_old_import,
    is_row,
    old_code,
    old_pieces,
    paragraphs,
)
from migrate.codemod.docstrings import stream_in
from migrate.codemod.gone_names import is_of_arguments, without_gone
from migrate.codemod.kafka_words import is_of_message, is_of_old_kafka, of_queries
from migrate.codemod.left_rdds import LeftRdds
from migrate.codemod.numbered_comments import renumbered_steps
from migrate.codemod.old_contexts import of_found_session
from migrate.codemod.old_words import is_commented_code
from migrate.codemod.ownership import Comment, begins_cell, makes_context
from migrate.codemod.retelling import retold, retold_anywhere
from migrate.codemod.shown_code import explains_old_code, without_quoted
from migrate.codemod.subjects import (
    is_of_interval,
    is_of_receiver,
    is_of_recovery,
    is_of_start,
    names_context,
    names_interval,
    names_rdd,
    names_session,
    names_zookeeper,
    speaks_of_old,
    warns_of_deprecation,
)
from migrate.codemod.ways import without_pairs, without_ways
from migrate.frozen import replace
from migrate.knowledge.streaming import STREAM
from migrate.plan.code import Chain, Makes, PlannedModule, statements_replaced
from migrate.syntax.cells import borders
from migrate.syntax.nodes import blocks, of_kinds, parsed, walk

_LINE = re.compile(r"[-#=*~]{4,}$")
_ALIKE = "cache|collect|count|distinct|first|foreach|foreachPartition|isEmpty|persist|take|unpersist"
"""Methods of RDDs that DataFrames have, too, and that do the same."""
_PARSES = re.compile(
    r"#+\W*(?:convert|decode|deserialize|load|pars|read|transform)(?:e|es|s|ing)?\b.*\bjson\b", re.IGNORECASE
)
"""What is said of ``json.loads``, which the callback calls where the source has the texts."""
_OF_LINES = tuple("-#=*~")
_WINDOWS = frozenset(name for name in STREAM if name.lower().endswith("window"))
"""Methods of streams whose arguments are a window's."""


class ToldComments:
    """Says in comments what is there now.

    Args:
        changes: the changes of the module, which get the new comments.
        plan: what the module becomes.
        names: the names of the program before and after.
    """

    def __init__(self, changes: Changes, plan: PlannedModule, names: Names) -> None:
        self._changes = changes
        self._plan = plan
        self._names = names
        self._comments = changes.old_comments
        self._new = [*changes.new()]
        """All statements of new code, with the old ones at which they stand."""
        self._functions = {*of_kinds(changes.tree, ast.FunctionDef)}
        self._left_rdds = LeftRdds(changes, self._given_frames(), self._functions & plan.per_batch)

    def tell(self) -> None:
        """Let comments about what is gone say what is there now."""
        changes = self._changes
        session = next((_target(new) for _, new in self._new if new.makes is Makes.SESSION), "")
        queries = {_target(new) for _, new in self._new if new.makes is Makes.QUERY}
        for place, new in self._new:
            if new.makes is None:
                continue
            own = [place] if changes.statements.get(place, ())[:1] == (new,) else []
            # what a query takes over is about the context, and goes, or about the batches of its function
            batches = new.makes is Makes.QUERY
            for old in (*own, *new.takes):
                makes = Makes.FRAME if batches and old not in own else new.makes
                if makes is Makes.QUERY and new.stopped not in ("", *queries):
                    makes = Makes.SESSION
                found = self._comments.of(old)
                alone = (*found.inner, *([found.trailing] if found.trailing is not None else []))
                last = not own and old is new.takes[-1]  # of which the statement may be the pairs
                melted = old not in own and (not last or not _has_ones(new))
                for block in filter(None, (found.apart, found.above, *((one,) for one in alone))):
                    for prose in _prose(block):
                        lines = [one.text for one in prose]
                        if old in own or makes is new.makes or any(map(names_rdd, lines)):
                            told = retold(lines, makes, session or "ssc")
                            paired = lines if told is None else told
                            left = without_pairs(paired) if melted and makes is not Makes.RDD else paired
                            self._say(prose, told if left == paired else left)
                if not any(one.text.strip("# \t") for one in found.above):
                    changes.retold.update(dict.fromkeys((one.line for one in found.above), None))
                if batches and makes_context(old) and any(names_context(one.text) for one in found.above):
                    changes.retold.update(dict.fromkeys((one.line for one in found.above), None))
                for one in self._comments.deeper(old):
                    if (text := changes.retold.pop(one.line, None)) is not None:
                        changes.comments[one.line] = text
                if new.makes is Makes.SOURCE:
                    gone = [one for one in (*alone, *self._comments.behind(old)) if is_of_receiver(one.text)]
                    gone += [one for one in (*found.apart, *found.above) if names_zookeeper(one.text)]
                    changes.retold.update(dict.fromkeys((one.line for one in gone), None))
        self._timed()
        self._of_messages()
        self._handed_on()
        self._imported(session or "SparkSession")
        self._callbacks(session or "SparkSession")
        self._found_sessions(session or "SparkSession")
        self._old_code()
        self._recovered()
        self._cells()
        for statement in self._plan.inner.dropped:
            above = self._comments.of(statement).above
            about = [one for one in above if names_rdd(one.text) or names_session(one.text)]
            if not self._is_heading(statement):
                about += above
            changes.retold.update(dict.fromkeys((one.line for one in about), None))
        for statement in (one for one, with_comments in self._plan.removed.items() if not with_comments):
            for prose in _prose(self._comments.of(statement).above):
                about = [one for one in prose if names_context(one.text)]
                if not session:  # the program has its own, and says so itself
                    changes.retold.update(dict.fromkeys((one.line for one in about), None))
                elif about:
                    self._say(prose, retold([one.text for one in prose], Makes.SESSION, session))
        self._anywhere()
        self._numbered()

    def _is_heading(self, statement: ast.stmt) -> bool:
        """Whether the comment above a statement may be about those right below it as well."""
        above, below = self._comments.of(statement).above, self._changes.following.get(statement)
        if not above or any(is_banner(one.text) or begins_cell(one.text) for one in above):
            return True
        if below is None or self._comments.of(below).above or self._comments.has_blank_above(below):
            return False
        return self._comments.has_blank_above(statement)

    def _anywhere(self) -> None:
        """Let all other comments name what is there in place of streams and their context."""
        changes = self._changes
        self._ways()
        changed = {*changes.statements, *(old for _, new in self._new for old in new.takes)}
        if not self._plan.rdds:  # what stands beside the session and the frames is told in words of their own
            of_query = {old for _, new in self._new if new.makes is Makes.QUERY for old in new.takes}
            changed = {one for one in changed if one in of_query or not changes.statements.get(one, True)}
        # those above a statement that goes may stay
        owned = [self._comments.of(one).part(above=one not in changes.remaining, own=True) for one in changed]
        told = {one.line for own in owned for one in (*own.apart, *own.above, *own.own)} | {*changes.retold}
        for block in _runs(one for one in changes.own_comments if one.line not in told):
            stream = self._stream_at(block[0].line)
            rdds = self._has_rdds(block)
            lines = retold_anywhere([one.text for one in block], rdds=rdds, stream=stream)
            for one, text in zip(block, lines or (), strict=False):
                if text != one.text:
                    changes.comments.setdefault(one.line, text)

    def _stream_at(self, line: int) -> Makes:
        """What a program has for each DStream at a line: in a function that is given batches, one of them."""
        inside = (
            one
            for one in self._plan.per_batch
            if isinstance(one, ast.FunctionDef) and one in self._functions
            if one.lineno <= line <= (one.end_lineno or one.lineno)
        )
        function = next(inside, None)
        return Makes.SOURCE if function is None else stream_in(function, self._changes)

    def _ways(self) -> None:
        """Let no comment say how a stream did something."""
        changes = self._changes
        gone = {*self._quoted()}
        windows = {*self._said_of_windows()}
        for block in _runs(changes.own_comments):
            texts = [changes.retold.get(one.line, changes.said(one)) for one in block]
            left = [(one, text) for one, text in zip(block, texts, strict=True) if text is not None]
            if not left:
                continue
            rdds = self._has_rdds(block)
            told = without_ways(of_queries("\n".join(text for _, text in left)).split("\n"), rdds=rdds)
            told = without_gone(told, self._names.called, self._names.given)
            told = ["" if is_of_old_kafka(text) else text for text in told]
            for (one, text), new in zip(left, told, strict=True):
                of_window = one.line in windows and is_of_arguments(text)
                if of_window or (not new and text.strip("# \t")):
                    gone.add(one.line)
                elif new != text and one.line in changes.retold:
                    changes.retold[one.line] = new
                elif new != text:
                    changes.comments[one.line] = new
        self._leave_out(gone)

    def _quoted(self) -> Iterator[int]:
        """Let no comment show code of the old API behind a colon, and give the lines that go."""
        changes = self._changes
        for block in _runs(changes.own_comments, with_code=True):
            if self._has_rdds(block):
                continue
            texts = [changes.retold.get(one.line, one.text) or "" for one in block]
            for one, text, new in zip(block, texts, without_quoted(texts), strict=True):
                if new == text:
                    continue
                if not new:
                    yield one.line
                elif one.line in changes.retold:
                    changes.retold[one.line] = new
                else:
                    changes.comments.setdefault(one.line, new)

    def _said_of_windows(self) -> Iterator[int]:
        """The lines of comments beside what calls a method of windows, and is other code now."""
        for statement in {old for _, new in self._new for old in new.takes} | {*self._changes.statements}:
            calls = (one.attr for one in walk(statement) if isinstance(one, ast.Attribute))
            if not _WINDOWS.isdisjoint(calls):
                own = self._comments.of(statement)
                yield from (one.line for one in (*own.apart, *own.above, *own.own))

    def _has_rdds(self, block: Sequence[Comment]) -> bool:
        """Whether a comment may be about RDDs or a SparkContext that the program has still."""
        if not self._plan.rdds or not self._left_rdds.at(block[0].line):
            return False
        return not self._said_of_frames.issuperset(one.line for one in block)

    @cached_property
    def _said_of_frames(self) -> set[int]:
        """The lines of comments beside what is a DataFrame now."""
        frames = (Makes.FRAME, Makes.SOURCE)
        found = [(place, new) for place, new in self._new if new.makes in frames]
        taken = {old for _, new in found for old in new.takes}
        taken |= {place for place, new in found if self._changes.statements.get(place, ())[:1] == (new,)}
        owned = map(self._comments.of, taken)
        return {one.line for own in owned for one in (*own.apart, *own.above, *own.own)}

    def _leave_out(self, lines: Set[int]) -> None:
        """Leave out comments on some lines, if they are beside what changes, or above what stays."""
        changes = self._changes
        if not lines:
            return
        first = min((one.lineno for one in changes.tree.body), default=0)
        of_file = {one.line for one in self._comments.all if one.line < first}
        changes.retold.update(dict.fromkeys(lines & of_file))
        moved = {old for _, new in self._new for old in new.takes}
        for statement in (node for node in walk(changes.tree) if isinstance(node, ast.stmt)):
            own = self._comments.of(statement)
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

    def _timed(self) -> None:
        """Let what is said of the time between batches, beside the session, stand beside the trigger."""
        changes = self._changes
        starts = (place for place, new in self._new if isinstance(new.code, Chain) and new.code.has_trigger)
        query = next(starts, None)
        if query is None:
            return
        for place, news in changes.statements.items():
            if news and news[0].makes is Makes.SESSION and makes_context(place):
                own = self._comments.of(place)
                for block in (own.above, (own.trailing,) if own.trailing is not None else ()):
                    told = changes.told(block)
                    if len(told) == 1 and is_of_interval(told[0].text):
                        changes.hand_to_trigger(block, query)
        contexts = [*filter(makes_context, of_kinds(changes.tree, ast.Assign))]
        behind = [*self._comments.behind(contexts[0])] if len(contexts) == 1 else []
        if len(behind) == 1 and names_interval(behind[0].text):
            changes.told_above.update(filter(None, [changes.following.get(contexts[0])]))
            changes.hand_to_trigger(behind, query)

    def _of_messages(self) -> None:
        """Let what is said of a statement that the source takes, and of those below it, stand above these.

        ``# Count the words`` above ``lines = messages.map(lambda m: m[1])``.
        """
        changes, following = self._changes, self._changes.following
        source = {old for _, new in self._new if new.makes is Makes.SOURCE for old in new.takes}
        taken = source | {old for _, new in self._new if new.makes is Makes.QUERY for old in new.takes}
        for new in (new for _, new in self._new if new.makes is Makes.SOURCE and "json" not in new.text):
            for old in new.takes:
                own = self._comments.of(old)
                lines = (*own.above, *([own.trailing] if own.trailing is not None else ()))
                gone = [one.line for one in lines if _PARSES.match(one.text)]
                changes.retold.update(dict.fromkeys(gone if "json" in ast.unparse(old) else ()))
        for old in source:
            above, below = self._comments.of(old).above, following.get(old)
            if below is None or below in taken or self._comments.of(below).above:
                continue
            told = "\n".join(one.text for one in changes.told(above))
            if not told or is_commented_code(told) or is_of_message(told):
                continue
            if not self._comments.has_blank_above(below):
                changes.hand_on(above, below)

    def _handed_on(self) -> None:
        """Let what is said of the start, above the outputs before it, stand above the start.

        ``# Display the counts``, ``# Start the program``: the first line goes into the batch function.
        """
        changes = self._changes
        queries = {old for _, new in self._new if new.makes is Makes.QUERY for old in new.takes}
        queries |= {old for old, news in changes.statements.items() if news and news[0].makes is Makes.QUERY}
        following = changes.following
        for statement in (
            statements_replaced(self._plan.function.body) if self._plan.function is not None else ()
        ):
            below = following.get(statement)
            above = self._comments.of(statement).above
            first = next((n for n, one in enumerate(above) if is_of_start(one.text)), len(above))
            if below in queries and not (first == 0 and len(above) > 1 and not is_of_start(above[1].text)):
                of_start = above[first:]
                self._say(of_start, retold([one.text for one in of_start], Makes.QUERY, ""))
                changes.hand_on(of_start, below)

    def _imported(self, session: str) -> None:
        """Let comments above imports name the session in place of the context, and warn of no old ones."""
        for statement, new in self._changes.statements.items():
            if isinstance(statement, ast.Import | ast.ImportFrom):
                above = self._comments.of(statement).above
                if new:
                    self._say(above, retold([one.text for one in above], Makes.SESSION, session))
                warning = [one.line for one in above if warns_of_deprecation(one.text)]
                self._changes.retold.update(dict.fromkeys(warning))

    def _callbacks(self, session: str) -> None:
        """Let comments above functions that take a DataFrame now name it in place of the RDD."""
        for function in self._given_frames():
            self._changes.told_above.add(function)
            own = self._comments.of(function)
            for prose in _prose((*own.apart, *own.above)):
                self._say(prose, retold([one.text for one in prose], Makes.FRAME, session))
            self._code_in(function)

    def _given_frames(self) -> Iterator[ast.FunctionDef]:
        """The functions that take a DataFrame now."""
        parameters = {node for node, _ in self._plan.inner.replaced if isinstance(node, ast.arg)}
        for function in of_kinds(self._changes.tree, ast.FunctionDef) if parameters else ():
            if not parameters.isdisjoint((*function.args.posonlyargs, *function.args.args)):
                yield function

    def _code_in(self, function: ast.FunctionDef) -> None:
        """Let commented-out code in a function name its DataFrame, if DataFrames have all that it calls."""
        new = dict(self._plan.inner.replaced)
        for parameter in (*function.args.posonlyargs, *function.args.args):
            name = re.split("[:,]", new.get(parameter, ""))[0].strip()
            name = self._frame_in(function, parameter, name)
            if name in ("", parameter.arg):
                continue
            word = re.compile(rf"\b{parameter.arg}\b")
            inside = range(function.lineno, (function.end_lineno or function.lineno) + 1)
            code = (one for one in self._comments.all if is_commented_code(one.text))
            found = [one for one in code if word.search(one.text)]
            own = [one for one in found if one.line in inside]
            shared = re.compile(rf"\b{parameter.arg}\b(?!\.(?:{_ALIKE})\()")
            if not any(shared.search(one.text) for one in own):
                self._changes.comments.update((one.line, word.sub(name, one.text)) for one in own)

    def _frame_in(self, function: ast.FunctionDef, parameter: ast.arg, name: str) -> str:
        """The variable that a function reads in place of a parameter: what it makes of that has another."""
        inside = {*walk(function)}
        made = {_target(new) for place, new in self._new if place in inside} - {""}
        of_parameter = (
            code
            for node, code in self._plan.inner.replaced
            if node in inside and node is not parameter
            if any(isinstance(one, ast.Name) and one.id == parameter.arg for one in walk(node))
        )
        read = {word for code in of_parameter for word in re.findall(r"\w+", code)} & {*made, name}
        return read.pop() if len(read) == 1 else name

    def _numbered(self) -> None:
        """Let the numbers of steps follow each other where one of them goes."""
        for one, text in [*renumbered_steps(self._changes)]:
            if one.line in self._changes.retold:
                self._changes.retold[one.line] = text
            else:
                self._changes.comments[one.line] = text

    def _found_sessions(self, session: str) -> None:
        """Let comments above ``sql = batch.sparkSession`` and ``sql = spark`` speak of the SparkSession."""
        replaced = self._plan.inner.replaced
        found = {node for node, text in replaced if _is_session(text, session)}
        for statement in of_kinds(self._changes.tree, ast.Assign) if found else ():
            for one in self._comments.of(statement).above if statement.value in found else ():
                if (text := of_found_session(one.text)) != one.text:
                    self._changes.comments[one.line] = text

    def _old_code(self) -> None:
        """Take out code of the old API that stands in comments beside statements that change.

        Where a program puts nothing out it stays: it says what the program was to do.
        """
        changes = self._changes
        moved = {old for _, new in self._new for old in new.takes}
        query = next((_target(new) for _, new in self._new if new.makes is Makes.QUERY), "")
        writers = (_target(new) for _, new in self._new if _is_writer(new))
        alone = not query and "query" not in self._names.there
        names = replace(self._names, writer=next(writers, "") if alone else "")
        frames = self._frames()
        changed = dict.fromkeys((*changes.statements, *moved))
        # in a notebook code in comments may be a cell of its own
        parts = () if borders(changes.tree) else blocks(changes.tree)
        beside = [one for block in parts if not changed.keys().isdisjoint(block) for one in block]
        beside += (
            node
            for one in self._given_frames()
            for node in walk(one)
            if isinstance(node, ast.stmt) and node is not one
        )
        for statement in dict.fromkeys((*changed, *beside)):
            own = self._comments.of(statement)
            block = (*own.apart, *own.above)
            alone = all(is_row(one.text) or is_old_import(one.text) for one in block)
            if not block or (isinstance(statement, ast.Import | ast.ImportFrom) and not alone):
                continue
            there = frames.get(statement, {})
            pieces = [[block[n] for n in piece] for piece in paragraphs([one.line for one in block])]
            explaining = [
                piece
                for piece in pieces
                if explains_old_code([one.text for one in piece]) and not self._has_rdds(piece)
            ]
            changes.retold.update(dict.fromkeys(one.line for piece in explaining for one in piece))
            changes.told_above.update([statement] if explaining and statement not in changed else ())
            pieces = [piece for piece in pieces if piece not in explaining]
            texts = [[self._names.in_code(changes.said(one)) for one in piece] for piece in pieces]
            changes.comments.update(
                (one.line, text)
                for piece, lines in zip(pieces, texts, strict=True)
                for one, text in zip(piece, lines, strict=True)
                if text != changes.said(one)
            )
            rows = map(_as_block, pieces, texts)
            code = [dict(old_code(lines, self._plan.contexts, query, there, names)) for lines in rows]
            old = {
                piece[position].line: text
                for piece, found in zip(pieces, old_pieces(texts, code), strict=True)
                for position, text in found.items()
            }
            if not self._plan.puts_out:
                old = {line: text for line, text in old.items() if text is not None}
            prose = {one.line: one.text for one in block if one.line not in old and not is_row(one.text)}
            gone = [line for line, text in old.items() if text is None]
            if old and statement not in changed:
                changes.told_above.add(statement)
            changes.retold.update(old)
            changes.retold.update(dict.fromkeys(headings(prose, gone, statement.lineno), None))
        self._leave_out({*self._old_header(query, names)})
        inside = set(changes.inside)
        for statement in of_kinds(changes.tree, ast.Expr):
            if statement in changes.following:
                continue
            if statement in changes.statements or not inside.isdisjoint(walk(statement)):
                # ``# ssc.stop()`` at the end
                self._stop([*self._comments.behind(statement)], query, names)
        last = max((one.end_lineno or 0 for one in changes.tree.body), default=0)
        for below in self._below(last):
            self._stop(below, query, names)

    def _old_header(self, query: str, names: Names) -> Iterator[int]:
        """The lines of code of the old API above all code, if there is nothing else between blank lines."""
        first = min((one.lineno for one in self._changes.tree.body), default=0)
        header = [one for one in self._changes.own_comments if one.line < first]
        for piece in paragraphs([one.line for one in header]):
            texts = [header[n].text for n in piece]
            if all(is_row(text) or is_old_import(text) for text in texts):
                found = dict(old_code(texts, self._plan.contexts, query, names=names))
                if len(found) == len(texts) and not any(found.values()):
                    yield from (header[n].line for n in piece)

    def _frames(self) -> dict[ast.stmt, dict[str, str]]:
        """The DataFrames that the batch function has beside the comments of a statement, by their streams."""
        function = self._plan.function
        found: dict[ast.stmt, dict[str, str]] = {}
        if function is None or not function.body:
            return found
        streaming = (_target(new) for _, new in self._new if new.makes is Makes.SOURCE)
        made = dict.fromkeys(filter(str.isidentifier, streaming), function.parameters[0])
        for written in function.body:
            found.update((old, {**made}) for old in written.replaces)
            if isinstance(written.code, Chain) and written.makes is not None and not written.when:
                made.pop(written.code.target, None)
                if written.makes is Makes.FRAME and written.code.target.isidentifier():
                    made[written.code.target] = written.code.target
        return found

    def _below(self, line: int) -> Iterator[list[Comment]]:
        """The comments below a line, those on lines below each other together."""
        block: list[Comment] = []
        for one in self._comments.all:
            if one.line > line:
                if block and block[-1].line < one.line - 1:
                    yield block
                    block = []
                block.append(one)
        if block:
            yield block

    def _stop(self, below: Sequence[Comment], query: str, names: Names) -> None:
        """Let code in comments at the end stop the query, or wait for it; with other old code it stays."""
        of_writer = Names(writer=names.writer)
        ended = dict(old_code([one.text for one in below], self._plan.contexts, query, names=of_writer))
        if None not in ended.values():
            said = {below[position].line: text for position, text in ended.items() if text}
            self._changes.comments |= said

    def _recovered(self) -> None:
        """Leave out that ``getOrCreate(directory, build)`` makes a context of a checkpoint: it is gone."""
        for statement in of_kinds(self._changes.tree, ast.Assign):
            match statement.value:
                case ast.Call(func=ast.Attribute(attr="getOrCreate"), args=[_, _]):
                    above = self._comments.of(statement).above
                    if is_of_recovery("\n".join(one.text for one in above)):
                        self._changes.told_above.add(statement)
                        self._say(above, [])

    def _cells(self) -> None:
        """Leave out where cells of a notebook began of which nothing is left, or the batch function."""
        block = self._plan.function.body if self._plan.function is not None else ()
        within = sorted(statements_replaced(block), key=lambda statement: statement.lineno)
        self._changes.retold.update(dict.fromkeys(idle_marks(self._changes, within[:1])))
        self._changes.retold.update(dict.fromkeys(idle_comments(self._changes, within)))
        for number, statement in enumerate(within):
            found = self._comments.of(statement)
            apart = found.apart if number else ()  # the function stands below those of the first
            marks = [one.line for one in (*apart, *found.above) if begins_cell(one.text)]
            self._changes.retold.update(dict.fromkeys(marks, None))

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
            if speaks_of_old(changes.retold.get(one.line) or changes.said(one), rdds=self._has_rdds([one]))
        ]

    def _say(self, block: Sequence[Comment], lines: list[str] | None) -> None:
        if lines is not None:
            told = zip_longest((one.line for one in block), lines)
            self._changes.retold.update({line: text or None for line, text in told if line is not None})


def is_banner(text: str) -> bool:
    """Whether a comment is a line that is set off: ``######## 1. Read ########``."""
    return text.startswith("####") or (text.endswith(_OF_LINES) and _LINE.search(text) is not None)


def _prose(block: Sequence[Comment]) -> Iterator[list[Comment]]:
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


def _runs(comments: Iterable[Comment], *, with_code: bool = False) -> Iterator[list[Comment]]:
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


def _as_block(piece: Sequence[Comment], texts: Sequence[str]) -> list[str]:
    """The lines of a comment, those further right indented behind their ``#``, as code would be."""
    least = min((one.column for one in piece), default=0)
    return [f"#{' ' * (one.column - least)}{text[1:]}" for one, text in zip(piece, texts, strict=True)]


def _target(new: New) -> str:
    return new.code.target if isinstance(new.code, Chain) else ""


def _is_writer(new: New) -> bool:
    """Whether it makes a writer that nothing starts here."""
    return isinstance(new.code, Chain) and new.code.has_trigger and new.code.calls[-1].method != "start"


def _has_ones(new: New) -> bool:
    """Whether it makes a column of ones."""
    return any(_is_one(node) for statement in new.tree for node in walk(statement))


def _is_one(node: ast.AST) -> bool:
    match node:
        case ast.Call(ast.Attribute(_, "lit"), [ast.Constant(1)]):
            return True
    return False


def _is_session(code: str, session: str) -> bool:
    """Whether new code is the SparkSession, by its name or that of a batch."""
    match parsed(code).body:
        case [ast.Expr(ast.Attribute(_, "sparkSession"))]:
            return True
        case [ast.Expr(ast.Name(name))]:
            return name == session
    return False
