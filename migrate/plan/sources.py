"""Plans what becomes of sources: a streaming DataFrame, several of them, or queues that batches take from."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from migrate.graph.blocked import Blocked
from migrate.graph.program import Line, Operation
from migrate.model import Tier
from migrate.plan.code import Chain, Code, Written, links
from migrate.plan.every_interval import in_every_interval
from migrate.plan.outputs import Source
from migrate.plan.planning import Planning
from migrate.plan.side_by_side import are_several, part_of_batch
from migrate.plan.stages import Frame, Rdd
from migrate.plan.step import Step
from migrate.plan.streaming import expression_of_source, target_of_source
from migrate.rules import rule_for
from migrate.rules._rule import SourceRule
from migrate.syntax.nodes import walk
from migrate.trace import Stream


class PlannedSources(Planning):
    """The part of a planner that sees to sources."""

    def source(self, operation: Operation, line: Line) -> None:
        """Plan a source that outputs read.

        Raises:
            Blocked: it has no native form here.
        """
        made = self.made
        rule = rule_for(operation.operator)
        step = Step(made, operation, None)
        if not isinstance(rule, SourceRule):
            raise step.blocked("it has no native form yet")
        if not made.allowed(rule.id):
            raise step.blocked(f"the rule {rule.id} is switched off")
        source = rule.load(step)
        if made.event_time is not None:
            source = source.with_time(made.event_time, step)
        if made.choices.every_interval and not source.fetch and not made.inputs:
            source = in_every_interval(source, made)
        if source.fetch:
            self._fetched(source, operation, line)
            made.notes.update(dict.fromkeys(source.notes))
            made.tiers[operation.use] = Tier.CONTEXT
            made.reasons[operation.use] = rule.summary
            return
        if line.argument is not None and line.statement not in made.place.deleted:
            made.before[line.statement] = source.before
            chain = Chain(made.session_at(operation.holder), links(source.calls))
            made.arguments[line.argument] = chain.text
            made.streaming = expression_of_source(made, operation)
            self._sourced(source, operation, rule.summary)
            return
        chain, name = target_of_source(made, operation, line)
        if not (chain.target or chain.returned):
            name = made.facts.fresh(source.name)
            chain = replace(chain, target=name)
        calls = links(source.calls, (operation.call,))
        chain = replace(chain, base=made.session_at(operation.holder), calls=calls)
        self._outside(line.statement, [*source.before, chain])
        made.streaming = name or expression_of_source(made, operation)
        if name:
            made.sources.append((name, line.statement))
        self._sourced(source, operation, rule.summary)

    def _outside(self, statement: ast.stmt, codes: Sequence[Code]) -> None:
        """Write in the place of a statement, which may make several sources."""
        self.made.outside.setdefault(statement, []).extend(map(Written, codes))

    def check_names_of_sources(self) -> None:
        """The variables of sources still hold them where the query begins.

        Raises:
            Blocked: one is bound again by what stays, or by another source.
        """
        made = self.made
        moved = [line.statement for line in self.program.lines if line.statement not in made.outside]
        start = self.program.start
        end = start.node.lineno if start is not None else sys.maxsize
        for name, made_by in made.sources:
            if name not in (made.streaming, *(given for given, _ in made.inputs)):
                continue
            for binding in made.facts.bindings.get(name, ()) if name.isidentifier() else ():
                between = made_by.lineno < getattr(binding, "lineno", 0) < end
                if not between or not made.facts.visible(binding):
                    continue
                if not any(binding in walk(statement) for statement in (*made.place.deleted, *moved)):
                    raise Blocked(f"`{name}` is bound again before its stream is read", at=binding)

    def _sourced(self, source: Source, operation: Operation, summary: str) -> None:
        made = self.made
        made.notes.update(dict.fromkeys(source.notes))
        made.places = source.places
        made.shuffles |= bool(source.places)
        made.tiers[operation.use] = Tier.RDD if source.rdd else Tier.CONTEXT
        made.reasons[operation.use] = summary
        if self.several:
            self._one_of_several(source, operation)
            return
        if source.element is None:
            made.stages[operation] = Rdd(made.batch, links(source.rdd), source.sure)
            return
        base = made.streaming if made.state is not None else made.batch
        kept = () if made.event_time is None else (made.event_time,)
        made.stages[operation] = Frame(base, (), source.element, source.sure, kept=kept)

    @cached_property
    def several(self) -> bool:
        """Whether the query reads several sources side by side."""
        return are_several([operation for operation in self.program.sources if operation in self.live])

    def _one_of_several(self, source: Source, operation: Operation) -> None:
        """The batch function begins with the rows of each source by themselves."""
        made = self.made
        rows = part_of_batch(made, source, operation)
        # in there it is a variable of its own
        name = made.streaming if made.streaming.isidentifier() else made.facts.fresh(source.name)
        self.inside(f"{name} = {rows}", None)
        assert source.element is not None
        made.batch_uses += 1
        made.stages[operation] = Frame(name, (), source.element, source.sure)

    def _fetched(self, source: Source, operation: Operation, line: Line) -> None:
        """A source of RDDs: one DataFrame wakes the query for all of them."""
        made = self.made
        if line.scope is not self.program.scope:
            raise Blocked("the queue is made in another function than its streams", operation.use)
        for alias in self.program.reading.aliases:
            if alias not in made.place.deleted and self._holds(alias, operation):
                raise Blocked("the stream of a queue has a second name", at=alias)
        codes: list[Code] = list(source.before)
        if not made.streaming:
            made.streaming = made.facts.fresh(source.name)
            calls = links(source.calls, (operation.call,))
            codes.append(Chain(made.session_at(operation.holder), calls, made.streaming))
        self._outside(line.statement, codes)
        own = operation is line.operations[-1] and line.target is not None
        name = line.target if own and line.target else made.facts.fresh("rdd")
        self.inside(f"{name} = {source.fetch}", None)
        made.stages[operation] = Rdd(name, (), sure=True, exact=True)
        made.keeps_batch = False

    def _holds(self, alias: ast.stmt, operation: Operation) -> bool:
        """Whether a statement gives a stream another name."""
        value = alias.value if isinstance(alias, ast.Assign) else alias
        held = [found for found in self.made.trace.kinds.get(value, ()) if isinstance(found, Stream)]
        return any(self.program.reading.operations.get(found.node) is operation for found in held)
