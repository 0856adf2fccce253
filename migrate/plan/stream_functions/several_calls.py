"""Functions that the batch function calls in several places: what is planned for each call must agree.

The columns of what a later call gives get the names that the first one's have. If the code differs all the
same, as for texts and for pairs, the function takes RDDs.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.columns import after_select, leaves, renamed
from migrate.graph.blocked import Blocked
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.needs import Needs
from migrate.plan.frames.alike import are_alike
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.stages import Stage, to_rdd
from migrate.plan.frames.tokens import carry_tokens
from migrate.plan.new_code.code import Call, Written
from migrate.syntax.copies import changed


class SeveralCalls:
    """Keeps what the first call of each function made of it, for the others to agree with."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self._given: dict[tuple[ast.FunctionDef, str], Stage] = {}
        self._before: dict[ast.FunctionDef, Needs] = {}
        self._names: dict[ast.FunctionDef, frozenset[str]] = {}
        self._written: dict[ast.expr | ast.stmt, list[Written]] = {}

    def given(self, function: ast.FunctionDef, parameter: str, stage: Stage) -> Stage:
        """What a call gives a parameter, in the form in which the first call does."""
        if function in self.draft.basis.choices.of_rdds and isinstance(stage, Frame):
            stage = to_rdd(stage)
        first = self._given.setdefault((function, parameter), stage)
        if first is stage or not (isinstance(first, Frame) and isinstance(stage, Frame)):
            return stage
        stage = changed(stage, hint=first.hint)
        names = [leaf.name or "" for leaf in leaves(first.element)]
        if names == [leaf.name for leaf in leaves(stage.element)] or not are_alike(
            first.element, stage.element
        ):
            return stage
        element = after_select(renamed(stage.element, iter(names)))
        columns = ", ".join(f'"{name}"' for name in names)
        return stage.call(Call("toDF", columns), element=carry_tokens(stage.element, element))

    def enter(self, function: ast.FunctionDef) -> None:
        """Begin to plan a function; new names in it are the same for each call."""
        needs = self.draft.needs
        self._before[function] = needs
        self.draft.needs = changed(needs, names=needs.names - self._names.get(function, frozenset()))

    def leave(self, function: ast.FunctionDef, *, again: bool) -> None:
        """End to plan a function.

        Raises:
            Blocked: a later call needs it to be another one.
            RatherError: it must take RDDs.
        """
        needs, before = self.draft.needs, self._before[function]
        if again and needs.inner != before.inner:
            self._differs(function)
        lasting = {one.name for one in (*needs.helpers.values(), *needs.settings.values())}
        lasting |= {*needs.durations, *(window.name for window in needs.windows.values())}
        own = needs.names - before.names - lasting - needs.times
        self._names[function] = own | self._names.get(function, frozenset())
        self.draft.needs = changed(needs, names=needs.names | before.names)

    def write(
        self,
        function: ast.FunctionDef,
        statement: ast.stmt,
        written: Sequence[Written],
        part: ast.expr | None = None,
    ) -> None:
        """Put new statements in the place of one of a function.

        Args:
            function: where they stand.
            statement: the old statement.
            written: the new ones.
            part: the part of it that they are for, if it has several.

        Raises:
            Blocked: another call of the function needs others.
            RatherError: it must take RDDs.
        """
        new, known = [*written], self.draft.outside.replaced
        if self._written.setdefault(part or statement, new) != new:
            self._differs(function)
        if new and known.setdefault(statement, new) != new:
            raise Blocked("it has several parts: write a statement for each", at=statement)

    def _differs(self, function: ast.FunctionDef) -> None:
        if function not in self.draft.basis.choices.of_rdds:
            raise RatherError(Choices(of_rdds=frozenset({function})))
        raise Blocked(
            f"`{function.name}` is called in several places, and what they give it needs different code: "
            "write a function for each",
            at=function,
        )
