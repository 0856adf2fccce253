"""Comments that stand beside nothing that becomes other code, and all that speak of a way of streams."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.cached import cached_property
from migrate.codemod.comments.docstrings import stream_in
from migrate.codemod.comments.gone_names import is_of_arguments, without_gone
from migrate.codemod.comments.kafka_words import is_of_old_kafka, of_queries
from migrate.codemod.comments.retelling import retold_anywhere
from migrate.codemod.comments.shown_code import without_quoted
from migrate.codemod.comments.telling import Telling, runs
from migrate.codemod.comments.ways import without_ways
from migrate.knowledge.streaming import STREAM
from migrate.plan.new_code.code import Makes
from migrate.syntax.nodes import code_of, of_kinds, walk

_WINDOWS = frozenset(name for name in STREAM if name.lower().endswith("window"))
"""Methods of streams whose arguments are a window's."""
_PATH = re.compile(r"\b(?:path|directory|folder|installation)\b", re.IGNORECASE)


class OtherComments:
    """Lets comments anywhere name what is there in place of streams and their context.

    Args:
        telling: the changes of the module, which get the new comments.
    """

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._changes = telling.changes

    def tell(self) -> None:
        """Let all other comments name what is there in place of streams and their context."""
        changes = self._changes
        self._ways()
        changed = {*changes.statements, *(old for _, new in self._telling.new for old in new.takes)}
        # what stands beside the session and the frames is told in words of their own
        if not self._telling.plan.rdds:
            of_query = {old for _, new in self._telling.new if new.makes is Makes.QUERY for old in new.takes}
            changed = {one for one in changed if one in of_query or not changes.statements.get(one, True)}
        # those above a statement that goes may stay
        owned = [
            self._telling.comments.of(one).part(above=one not in changes.remaining, own=True)
            for one in changed
        ]
        told = {one.line for own in owned for one in (*own.apart, *own.above, *own.own)} | {*changes.retold}
        for block in runs(one for one in changes.own_comments if one.line not in told):
            stream = self._stream_at(block[0].line)
            rdds = self._telling.has_rdds(block)
            lines = retold_anywhere([one.text for one in block], rdds=rdds, stream=stream)
            for one, text in zip(block, lines or (), strict=False):
                if text != one.text:
                    changes.comments.setdefault(one.line, self._of_context(text, one.text))

    def _of_context(self, new: str, old: str) -> str:
        """What a comment says of the SparkContext where a program has that alone, and no session."""
        if self._has_session or "SparkSession" in old:
            return new
        return new.replace("SparkSession", "SparkContext")

    @cached_property
    def _has_session(self) -> bool:
        """Whether a session may be there: one is made, or the program makes no SparkContext that stays."""
        made = any(new.makes is Makes.SESSION for _, new in self._telling.new)
        contexts = (
            one
            for one in of_kinds(self._changes.tree, ast.Call)
            if isinstance(one.func, ast.Name) and one.func.id == "SparkContext"
            if self._telling.statement_of(one) not in self._changes.statements
        )
        return made or next(contexts, None) is None

    def _stream_at(self, line: int) -> Makes:
        """What a program has for each DStream at a line: in a function that is given batches, one of them."""
        inside = (
            one
            for one in self._telling.plan.per_batch
            if isinstance(one, ast.FunctionDef) and one in self._telling.functions
            if one.lineno <= line <= (one.end_lineno or one.lineno)
        )
        function = next(inside, None)
        return Makes.SOURCE if function is None else stream_in(function, self._changes)

    def _ways(self) -> None:
        """Let no comment say how a stream did something."""
        changes = self._changes
        gone = {*self._quoted(), *self._said_of_paths()}
        windows = {*self._said_of_windows()}
        for block in runs(changes.own_comments):
            texts = [changes.retold.get(one.line, changes.said(one)) for one in block]
            left = [(one, text) for one, text in zip(block, texts, strict=True) if text is not None]
            if not left:
                continue
            rdds = self._telling.has_rdds(block)
            told = without_ways(of_queries("\n".join(text for _, text in left)).split("\n"), rdds=rdds)
            told = without_gone(told, self._telling.names.called, self._telling.names.given)
            told = ["" if is_of_old_kafka(text) else text for text in told]
            for (one, text), new in zip(left, told, strict=True):
                of_window = one.line in windows and is_of_arguments(text)
                if of_window or (not new and text.strip("# \t")):
                    gone.add(one.line)
                elif new != text and one.line in changes.retold:
                    changes.retold[one.line] = new
                elif new != text:
                    changes.comments[one.line] = new
        self._telling.leave_out(gone)

    def _quoted(self) -> Iterator[int]:
        """Let no comment show code of the old API behind a colon, and give the lines that go."""
        changes = self._changes
        for block in runs(changes.own_comments, with_code=True):
            if self._telling.has_rdds(block):
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

    def _said_of_paths(self) -> Iterator[int]:
        """The lines of comments on a path that is named no more: ``findspark.init("/opt/spark-2.4.0")``."""
        for node, code in self._changes.expressions.items():
            if not isinstance(node, ast.Call) or not code.endswith("()"):
                continue
            if code_of(node.func) == "findspark.init" and node.args:
                own = self._telling.comments.of(self._telling.statement_of(node))
                yield from (one.line for one in (*own.above, *own.own) if _PATH.search(one.text))

    def _said_of_windows(self) -> Iterator[int]:
        """The lines of comments beside what calls a method of windows, and is other code now."""
        for statement in {old for _, new in self._telling.new for old in new.takes} | {
            *self._changes.statements
        }:
            calls = (one.attr for one in walk(statement) if isinstance(one, ast.Attribute))
            if not _WINDOWS.isdisjoint(calls):
                own = self._telling.comments.of(statement)
                yield from (one.line for one in (*own.apart, *own.above, *own.own))
