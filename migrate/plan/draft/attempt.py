"""An attempt at a piece of new code: its needs are kept only if the code is accepted."""

from __future__ import annotations

import ast
from typing import Any

from migrate.columns import Helper
from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.plan.draft.basis import Basis
from migrate.plan.draft.batch_time import (
    APPROXIMATE,
    IN_MILLISECONDS,
    IN_SECONDS,
    NUMBER,
    ONE,
    STARTED,
    TIMES,
    TO_SECOND,
    Seconds,
    batch_time,
)
from migrate.plan.draft.interval import has_whole_interval
from migrate.plan.draft.needs import NO_NEEDS, Needs
from migrate.plan.new_code.code import Chain
from migrate.plan.new_code.free_names import free_name
from migrate.syntax.code_names import with_names
from migrate.syntax.nodes import position

OTHER_DATETIME = "`datetime` is the name of something else than the class in this file"
_CLASSES = {frozenset({"datetime"}): "datetime.datetime", frozenset({"datetime.datetime"}): "datetime"}
"""The class, by what a star import brings in as ``datetime``."""
_CLOCKS = {"time": "time.time()", "time.time": "time()"}
"""The seconds since 1970, by what is imported as ``time``."""


class Attempt:
    """An attempt at a piece of new code.

    Attributes:
        needs: the needs of this code alone.
    """

    def __init__(self, basis: Basis, done: Needs, needs: Needs = NO_NEEDS) -> None:
        self.basis = basis
        self._done = done
        self.needs = needs
        self._known = NO_NEEDS, done
        """The needs of this code, and all needs with these, as they were asked for last."""

    def copy(self) -> Attempt:
        """A second attempt that goes on from here, apart from this one."""
        return Attempt(self.basis, self._done, self.needs)

    @property
    def known(self) -> Needs:
        """The needs of this attempt and of all that was accepted before."""
        needs, known = self._known
        if needs is not self.needs:
            known = self._done | self.needs
            self._known = self.needs, known
        return known

    def need(self, **more: Any) -> None:
        """Add to the needs, by the names of their parts."""
        self.needs = self.needs.with_more(more)

    # --- names ----------------------------------------------------------------------------------------------

    def fresh(self, wanted: str, *, anywhere: bool = False) -> str:
        """`wanted`, or with a number where that name is taken; never given twice.

        Args:
            wanted: the name.
            anywhere: no function of the module may use it, not only that of the batch function.
        """
        name = free_name(self.basis.facts, wanted, self._done.names | self.needs.names, anywhere=anywhere)
        self.need(names=frozenset({name}))
        return name

    def helper_name(self, wanted: str) -> str:
        """The name of a function that is added to the module, the same each time."""
        found = self.known.helpers.get(wanted)
        # a parameter of any function may hide it
        return found.name if found is not None else self.fresh(wanted, anywhere=True)

    def helper(self, helper: Helper) -> str:
        """Add a function to the module, and give the name by which it is called there."""
        name = self.helper_name(helper.name)
        if helper.name not in self.known.helpers:
            source = with_names(helper.source, {helper.name: name})  # it may call itself
            of = helper.of or helper.source
            self.need(helpers={helper.name: replace(helper, name=name, source=source, of=of)})
        return name

    # --- the time -------------------------------------------------------------------------------------------

    def now(self) -> str:
        """An expression for the current time; see `datetime`."""
        return f"{self.datetime()}.now()"

    def datetime(self) -> str:
        """An expression for the class `datetime`, with the module's own import of it if there is one.

        Raises:
            Blocked: the name of the class means something else there.
        """
        facts = self.basis.facts
        binding = facts.only_binding("datetime")
        if isinstance(binding, ast.alias) and self._is_there(binding):
            if isinstance(facts.above[binding], ast.Import) and binding.name == "datetime":
                return "datetime.datetime"
            if facts.imported(binding) == "datetime.datetime":
                return "datetime"
        if facts.is_only_starred("datetime"):
            starred = facts.starred_as("datetime")
            if starred in _CLASSES:
                return _CLASSES[starred]
            raise Blocked(OTHER_DATETIME)
        elsewhere = isinstance(binding, ast.alias) and facts.imported(binding) == "datetime.datetime"
        if isinstance(binding, ast.alias) and self._is_whole_module(binding):
            self.need(imports=frozenset({"datetime.datetime"}))
            return "datetime.datetime"
        if facts.bindings.get("datetime") and not elsewhere:
            raise Blocked(OTHER_DATETIME)
        self.need(imports=frozenset({"datetime"}))
        return "datetime"

    def _is_whole_module(self, imported: ast.alias) -> bool:
        """Whether ``import datetime`` stands outside of functions, further down."""
        statement = self.basis.facts.above[imported]
        scope = self.basis.program.tree.scope_of(statement)
        return (
            isinstance(statement, ast.Import)
            and imported.name == "datetime"
            and isinstance(scope, ast.Module)
        )

    def _is_there(self, imported: ast.alias) -> bool:
        """Whether the name of an import can be used where the graph begins."""
        program = self.basis.program
        statement, tree = self.basis.facts.above[imported], program.tree
        scope = tree.scope_of(statement)
        in_reach = isinstance(scope, ast.Module) or scope is program.scope
        assert isinstance(statement, ast.stmt)
        if tree.root_of(statement) is not tree.root_of(program.construction):
            return isinstance(scope, ast.Module)
        return in_reach and position(statement) < position(program.construction)

    def time(self, *, printed: bool) -> str:
        """The variable of the batch time: all callbacks of a batch get the same, as with DStreams.

        Args:
            printed: whether it is only printed.

        Raises:
            RatherError: the slide of windows triggers the query, at whose start no slide ends.
        """
        if not printed:
            self.basis.need_batch_interval()
        options = self.basis.options
        asked = options.trigger if options.trigger.is_backfill else "--batch-time approximate"
        if options.has_no_batch_time:
            self.need(notes=(APPROXIMATE.format(asked),))
        if not self.known.batch_time:
            self.need(batch_time=self.fresh("batch_time", anywhere=True))
        return self._read(self.known.batch_time)

    def window_time(self) -> str:
        """The variable of the batch time that windows go by.

        It is in seconds since 1970, or in batch intervals where these may be no whole numbers of seconds,
        whose sums are rounded.
        """
        if not self.known.window_time:
            self.need(window_time=self.fresh("now", anywhere=True))
        return self._read(self.known.window_time)

    def milliseconds(self, each: str) -> str:
        """The variable of the batch time in milliseconds, of which an interval has `each`.

        Nothing for an interval that has a name.

        Raises:
            RatherError: the slide of windows triggers the query.
        """
        self.basis.need_batch_interval()
        if not self.known.milliseconds:
            self.need(milliseconds={self.fresh("batch_ms", anywhere=True): each})
        return self._read(next(iter(self.known.milliseconds)))

    def _read(self, time: str) -> str:
        self.need(times_read=frozenset({time}))
        return time

    def times(self, seconds: Seconds | None) -> list[Chain]:
        """The statements that give these variables their values at the beginning of a batch.

        Args:
            seconds: the batch interval; None where a batch has no time but that at which it runs.

        Raises:
            Blocked: the time cannot be asked for.
        """
        interval = "" if seconds is None else seconds.code
        now, time = self.known.window_time, self.known.batch_time
        clock = self._clock() if now or self.known.milliseconds else ""
        is_one = seconds is not None and seconds.whole == 1
        per_interval = "" if is_one else f" // {interval}"
        rounded = "" if is_one else f" // {interval} * {interval}"
        in_seconds = has_whole_interval(self.basis)
        found, of_time = list[Chain](), now
        is_said = bool(rounded and in_seconds) if now else bool(self.known.milliseconds)
        if now and in_seconds:
            found.append(Chain(f"int({clock}){rounded}", target=now, comment=STARTED if rounded else ""))
        elif now:
            found.append(Chain(f"int({clock} // {interval})", target=now, comment=NUMBER))
            of_time = f"{now} * {interval}"
        for name, each in self.known.milliseconds.items():
            number = now if now and not in_seconds else f"int({clock}{per_interval})"
            intervals = f"{number} * {each or f'{interval} * 1000'}"
            code = f"{now} * 1000" if now and in_seconds else intervals
            found.append(Chain(code, target=name, comment=IN_MILLISECONDS))
            of_time = of_time or f"{name} / 1000"
        if time and of_time:
            made = self.datetime()
            self.need(notes=(TIMES,))
            said = "" if is_said else STARTED
            found.append(Chain(f"{made}.fromtimestamp({of_time})", target=time, comment=said))
        elif time and (seconds is None or self.basis.options.has_no_batch_time):
            found.append(Chain(self.now(), target=time))
        elif time and seconds is not None:
            to_second = seconds.whole is not None and not self.known.keeps_time
            is_near = to_second and not is_one
            self.need(notes=(IN_SECONDS if is_near else TIMES,))
            said = TO_SECOND if is_near else STARTED
            found.append(Chain(self._rounded(ONE if to_second else seconds), target=time, comment=said))
        return found

    def _rounded(self, interval: Seconds) -> str:
        """An expression for the batch time, at the beginning of a batch."""
        return batch_time(self.datetime(), "" if interval.whole == 1 else self._clock(), interval)

    def _clock(self) -> str:
        """An expression for the seconds since 1970, with what the module has imported already.

        Raises:
            Blocked: neither `time` nor `datetime` means there what it is wanted for.
        """
        facts = self.basis.facts
        binding = facts.only_binding("time")
        if isinstance(binding, ast.alias) and self._is_there(binding):
            imported = facts.imported(binding)
            if imported in _CLOCKS:
                return _CLOCKS[imported]
        if "time" not in facts.identifiers and not facts.is_only_starred("time"):
            self.need(imports=frozenset({"time"}))
            return "time.time()"
        return f"{self.now()}.timestamp()"
