"""Comments that move to the new code which they are about."""

from __future__ import annotations

import ast
import re

from migrate.cached import cached_property
from migrate.codemod.changes import New
from migrate.codemod.comments.commented_units import is_row
from migrate.codemod.comments.kafka_words import is_of_message
from migrate.codemod.comments.old_words import is_commented_code
from migrate.codemod.comments.retelling import retold
from migrate.codemod.comments.subjects import is_of_interval, is_of_start, names_context
from migrate.codemod.comments.telling import Telling
from migrate.codemod.ownership import Comment, ends_section, makes_context
from migrate.plan.new_code.code import Chain, Makes, statements_replaced
from migrate.syntax.nodes import code_of, of_kinds, walk
from migrate.syntax.quoting import names_in, quotes

_PARSES = re.compile(
    r"#+\W*(?:convert|decode|deserialize|load|pars|read|transform)(?:e|es|s|ing)?\b.*\bjson\b", re.IGNORECASE
)
"""What is said of ``json.loads``, which the callback calls where the source has the texts."""


_OF_SOURCE = re.compile(
    r"#+\W*(?:creat|defin|mak|open|read|receiv|set)(?:e|es|s|ing|ting)?\s(?:up\s)?(?:(?:an?|the|our)\s)?"
    r"(?:\w+\s){0,2}(?:stream|source|input)s?\b(?!\s*(?:application|app|context|job|program|query))",
    re.IGNORECASE,
)
"""``# Create a socket stream``."""


_OF_GROUP = re.compile(
    r"#+\W*(?:\w+\s){0,2}(?:config(?:uration)?|constant|global|param(?:eter)?|setting|variable)s?\W*",
    re.IGNORECASE,
)
"""``## Module constants``."""


_TO_DO = re.compile(r"#+\W*(?:todo|fixme)\b", re.IGNORECASE)
_OF_IMPORT = re.compile(
    r"import|librar|modul|packag|depend|class|connector|extern|third|3rd|kafka|stream|context", re.IGNORECASE
)
"""What is said of an import."""


_QUERY = re.compile(r"stream|batch|quer(?:y|ies)\b|spark|context|trigger", re.IGNORECASE)
"""A word of what is said of a context or a query, and not as a heading of several statements."""


class MovedComments:
    """Moves comments to the code that they are about now.

    Args:
        telling: the changes of the module, which get the comments.
    """

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._changes = telling.changes

    def move(self) -> None:
        """Move them."""
        self._of_groups()
        self._amid_code()
        self._of_prints()
        self._of_elements()
        self._of_messages()
        self._of_unread()
        self._handed_on()

    def keep_code(self) -> None:
        """Let commented-out code, and what is said of a source or to be done, stand above the source.

        It is about neither the context nor the query, which the other comments above the context go to. Nor
        is what names neither, ``# Set up resources``: it stays above the statement below.
        """
        changes = self._changes
        sources = {old for _, new in self._telling.new if new.makes is Makes.SOURCE for old in new.takes}
        sources |= {old for old, news in changes.statements.items() if news and news[0].makes is Makes.SOURCE}
        taken = {old for _, new in self._telling.new for old in new.takes}
        queries = (new for _, new in self._telling.new if new.makes is Makes.QUERY)
        for context in (old for new in queries for old in new.takes if makes_context(old)):
            told = changes.told(self._telling.comments.of(context).above)
            below = changes.following.get(context)
            above = self._telling.comments.of(context).above
            if below in sources and all(map(_is_of_source, told)):
                changes.hand_on(above, below)
                continue
            while below is not None and below not in taken and changes.statements.get(below) == ():
                below = changes.following.get(below)
            if below is not None and told and not any(map(_is_of_query, told)):
                hand = changes.hand_on if below in self._moved else changes.hand_in
                hand(above, below)

    def _of_groups(self) -> None:
        """Keep a heading of several variables, of which the first one goes: ``# Global variables``."""
        changes, comments = self._changes, self._telling.comments
        for statement, news in changes.statements.items():
            above, below = comments.of(statement).above, changes.following.get(statement)
            heads = bool(above) and all(_OF_GROUP.fullmatch(one.text) for one in above)
            if news or not heads or not isinstance(below, ast.Assign) or below in self._moved:
                continue
            if not (comments.of(below).above or comments.has_blank_above(below)):
                changes.remaining.add(statement)

    def _amid_code(self) -> None:
        """Keep what is said above an import that goes, in the middle of other code: ``# Start here``."""
        changes = self._changes
        for statement, news in changes.statements.items():
            above = self._telling.comments.of(statement).above
            before = self._telling.previous.get(statement)
            if news or not above or not isinstance(statement, ast.Import | ast.ImportFrom):
                continue
            if not isinstance(before, ast.Assign) or before.col_offset != statement.col_offset:
                continue
            text = "\n".join(one.text for one in above)
            if not (_OF_IMPORT.search(text) or any(is_row(one.text) for one in above)):
                changes.remaining.add(statement)

    def _of_prints(self) -> None:
        """Move a comment above a print of a stream, which goes, to the output right below.

        ``# Print the first elements`` above ``print(type(lines))`` and ``lines.pprint()``.
        """
        changes, comments = self._changes, self._telling.comments
        for statement, news in changes.statements.items():
            below = changes.following.get(statement)
            if news or below is None or not _prints(statement) or comments.of(below).above:
                continue
            above = comments.of(statement).above
            is_code = is_commented_code("\n".join(one.text for one in above))
            if below in self._moved and not is_code and not comments.has_blank_above(below):
                self._telling.say(above, retold([one.text for one in above], Makes.FRAME, ""))
                changes.hand_on(above, below)

    def _of_unread(self) -> None:
        """Let what stands right below a stream that nothing reads, and above a blank line, go with it.

        ``# (word, (n, 1))`` below ``pairs = lines.map(f)``.
        """
        changes, comments = self._changes, self._telling.comments
        taken = {old for _, new in self._telling.new for old in new.takes}
        for statement, news in changes.statements.items():
            match statement:
                case ast.Assign(value=ast.Call(ast.Attribute())) if not news and statement not in taken:
                    said, below = [*comments.behind(statement)], changes.following.get(statement)
                    own = comments.of(below).above if below is not None else said
                    if not any(one in own or ends_section(one.text) for one in said):
                        changes.retold.update(dict.fromkeys((one.line for one in said), None))

    @cached_property
    def _moved(self) -> set[ast.stmt]:
        """The statements that go, or of which there is new code."""
        return {*self._changes.statements, *(old for _, new in self._telling.new for old in new.takes)}

    def _of_elements(self) -> None:
        """Move what is said of a function of elements to the statement of a callback that calls it now.

        ``# parse the JSON`` above ``parsed = messages.map(lambda m: json.loads(m[1]))``.
        """
        changes = self._changes
        for place, new in self._telling.new:
            made = (place, *new.takes) if new.makes is Makes.SOURCE else ()
            bound = {code_of(old.targets[0]) for old in made if isinstance(old, ast.Assign)}
            for old in made:
                own = self._telling.comments.of(old)
                said = (*own.above, *([own.trailing] if own.trailing is not None else ()))
                callback = self._calling(old) if said and _read_first(old) in bound else None
                if callback in self._moved:
                    changes.hand_on(said, callback)
                elif callback is not None:
                    changes.hand_in(said, callback)

    def _calling(self, old: ast.stmt) -> ast.stmt | None:
        """The first statement that stays and has code of another one now."""
        inside, user = {*walk(old)}, quotes(self._changes.tree)
        for node, code in self._changes.expressions.items():
            if not inside.isdisjoint(user[name] for name in names_in(code) if name in user):
                return self._telling.statement_of(node)
        for place, news in self._changes.before.items():
            read = (name for new in news for name in names_in(new.text))
            if not inside.isdisjoint(user[name] for name in read if name in user):
                loops = of_kinds(self._changes.tree, ast.For)
                return next((loop for loop in loops if loop.body[0] is place), None)
        return None

    def _of_messages(self) -> None:
        """Move a comment above a statement that becomes a part of the source to the statement below it.

        ``# Count the words`` above ``lines = messages.map(lambda m: m[1])``.
        """
        changes, following = self._changes, self._changes.following
        source = {old for _, new in self._telling.new if new.makes is Makes.SOURCE for old in new.takes}
        taken = source | {
            old for _, new in self._telling.new if new.makes is Makes.QUERY for old in new.takes
        }
        for new in (new for _, new in self._telling.new if new.makes is Makes.SOURCE):
            for old in new.takes:
                own = self._telling.comments.of(old)
                said = (*own.above, *([own.trailing] if own.trailing is not None else ()))
                parsing = [one for one in said if _PARSES.match(one.text)]
                if not parsing or not _is_parsed_later(old, new):
                    continue
                below = following.get(old)
                if below is not None and self._quotes(below, old) and said == own.above:
                    changes.hand_on(said, below)
                else:
                    changes.retold.update(dict.fromkeys(one.line for one in parsing))
        for old in source:
            above, below = self._telling.comments.of(old).above, following.get(old)
            if below is None or below in taken or self._telling.comments.of(below).above:
                continue
            told = "\n".join(one.text for one in changes.told(above))
            if not told or is_commented_code(told) or is_of_message(told):
                continue
            if not self._telling.comments.has_blank_above(below):
                changes.hand_on(above, below)

    def _quotes(self, statement: ast.stmt, old: ast.stmt) -> bool:
        """Whether the batch function's code for a statement has a part of another one in it."""
        function, inside = self._telling.plan.function, {*walk(old)}
        user = quotes(self._changes.tree)
        codes = (
            text
            for one in (function.body if function is not None else ())
            if statement in statements_replaced([one])
            for text in one.texts()
        )
        return any(name in user and user[name] in inside for code in codes for name in names_in(code))

    def _handed_on(self) -> None:
        """Let what is said of the start, above the outputs before it, stand above the start.

        ``# Display the counts``, ``# Start the program``: the first line goes into the batch function.
        """
        changes = self._changes
        queries = {old for _, new in self._telling.new if new.makes is Makes.QUERY for old in new.takes}
        queries |= {old for old, news in changes.statements.items() if news and news[0].makes is Makes.QUERY}
        following = changes.following
        for statement in (
            statements_replaced(self._telling.plan.function.body)
            if self._telling.plan.function is not None
            else ()
        ):
            below = following.get(statement)
            above = self._telling.comments.of(statement).above
            first = next((n for n, one in enumerate(above) if is_of_start(one.text)), len(above))
            if below in queries and not (first == 0 and len(above) > 1 and not is_of_start(above[1].text)):
                of_start = above[first:]
                self._telling.say(of_start, retold([one.text for one in of_start], Makes.QUERY, ""))
                changes.hand_on(of_start, below)


def _is_of_query(comment: Comment) -> bool:
    """Whether a comment above a context may be about the query, and not about what stands below it."""
    text = comment.text
    return _QUERY.search(text) is not None or is_of_interval(text) or names_context(text) or is_of_start(text)


def _is_of_source(comment: Comment) -> bool:
    """Whether a comment above a context may be about the source below it."""
    text = comment.text
    is_open = _TO_DO.match(text) is not None and not (is_of_interval(text) or names_context(text))
    return is_open or is_row(text) or _OF_SOURCE.match(text) is not None


def _prints(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(ast.Call(ast.Name("print"))):
            return True
    return False


def _read_first(statement: ast.stmt) -> str:
    """The variable whose method a statement calls first: ``messages`` of ``messages.map(f).filter(g)``."""
    node = statement.value if isinstance(statement, ast.Assign) else None
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return code_of(node) if isinstance(node, ast.Name) else ""


def _is_parsed_later(old: ast.stmt, source: New) -> bool:
    """Whether a statement parses JSON, and no link of the source's chain stands for the call that does."""
    calls = (one for one in walk(old) if isinstance(one, ast.Call))
    parses = [call for call in calls if any("json" in ast.unparse(one) for one in call.args)]
    links = source.code.calls if isinstance(source.code, Chain) else ()
    return bool(parses) and not any(call in link.origin for call in parses for link in links)
