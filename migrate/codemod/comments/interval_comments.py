"""Comments on the time between batches: they stand beside the trigger of the query."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrate.cached import cached_property
from migrate.codemod.comments.old_contexts import interval_in, is_interval_alone, seconds_in, without_owner
from migrate.codemod.comments.subjects import (
    is_of_arguments_of_context,
    is_of_interval,
    names_context,
    names_interval,
)
from migrate.codemod.comments.telling import Telling, prose_in
from migrate.codemod.ownership import Comment, makes_context
from migrate.frozen import replace
from migrate.plan.new_code.code import Chain, Makes
from migrate.syntax.nodes import of_kinds


class IntervalComments:
    """Moves what is said of the time between batches.

    Args:
        telling: the changes of the module, which get the comments.
    """

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._changes = telling.changes
        self._contexts = [*filter(makes_context, of_kinds(telling.changes.tree, ast.Assign))]

    @cached_property
    def _query(self) -> tuple[ast.stmt, Chain] | None:
        """The statement at which the query is made, and its code."""
        made = ((place, new.code) for place, new in self._telling.new if isinstance(new.code, Chain))
        return next(((place, code) for place, code in made if code.has_trigger), None)

    def move(self) -> None:
        """Move comments that say nothing else, or leave them out where a slide is in the interval's place."""
        if self._query is None:
            return
        changes, (query, code) = self._changes, self._query
        if code.of_slide:
            self._leave_out()
            return
        for context in self._contexts:
            own = self._telling.comments.of(context)
            for block in (own.above, (own.trailing,) if own.trailing is not None else ()):
                self._without_owner(block)
        for place, news in changes.statements.items():
            if news and news[0].makes is Makes.SESSION and makes_context(place):
                own = self._telling.comments.of(place)
                for block in (own.above, (own.trailing,) if own.trailing is not None else ()):
                    told = changes.told(block)
                    if len(told) != 1 or not is_of_interval(told[0].text):
                        continue
                    if names_context(told[0].text):  # "from the above spark context with interval size 2"
                        changes.retold[told[0].line] = None
                    else:
                        changes.hand_to_trigger(block, query)
        contexts = self._contexts
        behind = [*self._telling.comments.behind(contexts[0])] if len(contexts) == 1 else []
        if len(behind) == 1 and names_interval(behind[0].text):
            changes.told_above.update(filter(None, [changes.following.get(contexts[0])]))
            changes.hand_to_trigger(behind, query)

    def _leave_out(self) -> None:
        """Leave out comments beside the contexts that are about the batch interval alone."""
        for context in self._contexts:
            own = self._telling.comments.of(context)
            for block in (own.above, (own.trailing,) if own.trailing is not None else ()):
                if len(block) == 1 and is_of_interval(block[0].text) and not names_context(block[0].text):
                    self._changes.retold[block[0].line] = None

    def _without_owner(self, block: Sequence[Comment]) -> None:
        """Let a comment on the interval not say of what streams it is, or what a context was given."""
        if len(block) == 1 and is_of_arguments_of_context(block[0].text):
            self._changes.retold[block[0].line] = None
        elif len(block) == 1 and names_interval(block[0].text):
            text = without_owner(block[0].text)
            if text != block[0].text and names_interval(text) and not names_context(text):
                self._changes.retold[block[0].line] = text

    def keep_parts(self) -> None:
        """Move parts of comments on contexts that are not said any more, and true.

        ``# Create a StreamingContext with a batch interval of 1 second``, of which the session has none.
        """
        changes = self._changes
        seconds = self._query[1].seconds if self._query is not None else None
        if self._query is None or len(self._contexts) != 1 or seconds is None:
            return
        elsewhere, parts = changes.handed_lines, dict[str, Comment]()
        for block in self._blocks():
            text = "\n".join(one.text for one in block)
            part = text.strip("# \t") if is_interval_alone(text) else interval_in(text)
            is_said = any(is_of_interval(one.text) for one in changes.told(block))
            if (
                seconds_in(part) == seconds
                and not is_said
                and elsewhere.isdisjoint(one.line for one in block)
            ):
                parts.setdefault(part, replace(block[0], text=f"# {part}", alone=False))
        changes.timed.setdefault(self._query[0], []).extend(parts.values())

    def _blocks(self) -> Iterator[Sequence[Comment]]:
        """What is said beside the statements that made the contexts."""
        made = [(place, new) for place, new in self._telling.new if new.makes is Makes.SESSION]
        session = {place for place, _ in made} | {old for _, new in made for old in new.takes}
        for statement in dict.fromkeys((*session, *self._contexts)):
            own = self._telling.comments.of(statement)
            yield from prose_in((*own.apart, *own.above))
            yield from ([one] for one in own.beside)
