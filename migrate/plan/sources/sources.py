"""Plans the sources: one or several streaming DataFrames, or queues that the batch function takes from."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from migrate.frozen import replace
from migrate.graph.blocked import Blocked
from migrate.graph.program import Line, Operation
from migrate.model import Tier
from migrate.plan.choices import Choices, RatherError
from migrate.plan.draft.draft import Draft
from migrate.plan.draft.every_interval import in_every_interval, need_every_interval
from migrate.plan.draft.outputs import Input
from migrate.plan.draft.rule import SourceRule
from migrate.plan.frames.frame import Frame
from migrate.plan.frames.rdd import Rdd
from migrate.plan.new_code.code import Chain, Code, Makes, Value, links
from migrate.plan.sources.equal_sources import SUMMARY
from migrate.plan.sources.repeated_sources import united
from migrate.plan.sources.side_by_side import NOTE, columns_beside, part_of_batch
from migrate.plan.sources.source_variables import expression_of_source, target_of_source
from migrate.syntax.nodes import position, walk
from migrate.trace import Stream

SHARED = "one source takes the place of all that it united"
REPEATED = "it is made again and again by a comprehension or a loop, which is not covered for such sources"


class Sources:
    """Plans the sources of a draft."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.basis = draft.basis
        self.program = draft.basis.program

    def plan(self, operation: Operation, line: Line) -> None:
        """Plan a source that outputs read.

        Raises:
            Blocked: it has no native form here.
        """
        draft, basis = self.draft, self.basis
        if operation in basis.equal:
            self._again(operation, line)
            return
        rule = draft.rules(operation.use.operator)
        step = draft.step(operation, line)
        if not isinstance(rule, SourceRule):
            raise step.blocked("it has no native form yet")
        if not basis.allowed(rule.id):
            raise step.blocked(f"the rule {rule.id} is switched off")
        if operation.repeated is not None and not rule.repeats:
            raise step.blocked(REPEATED)
        if basis.beside_queues:
            if basis.options.trigger.name:
                raise step.blocked("a queue beside another source needs a batch in every interval")
            need_every_interval(step)
        source = rule.load(step)
        if basis.event_time is not None:
            source = source.with_time(basis.event_time, step)
        if operation.repeated is not None and not source.is_shared:
            source = united(draft, step, source, operation.repeated)
        wakes = basis.choices.every_interval and not basis.options.trigger.name
        if wakes and not source.fetch and not draft.query.inputs:
            source = in_every_interval(step, source)
        step.note(*source.notes)
        draft.accept(step)
        draft.decided(operation.use, Tier.RDD if source.rdd else Tier.CONTEXT, rule.summary)
        if operation.repeated is not None and source.is_shared:
            draft.decided(operation.repeated.union, Tier.CONTEXT, SHARED)
        if source.fetch:
            self._fetched(source, operation, line)
        else:
            self._read(source, operation, line)

    def _read(self, source: Input, operation: Operation, line: Line) -> None:
        """Make a streaming DataFrame where the program makes the stream."""
        draft, query = self.draft, self.draft.query
        last = operation is line.operations[-1]
        base = source.united or self.basis.session_at(operation.holder)
        made = Chain(base, links(source.calls, (operation.call,)))
        statement = line.statement
        if source.is_shared and operation.repeated is not None:
            statement = operation.repeated.statement  # where the names of its arguments are as they were
        if statement is not line.statement and line.argument is not None:
            raise Blocked("the streams that a function is given are made by another statement", operation.use)
        if line.argument is not None and line.statement not in draft.outside.deleted:
            draft.outside.before[line.statement] = source.before
            draft.outside.arguments[line.argument] = made.text
            held: Value | None = expression_of_source(draft, operation)
        else:
            target, held = target_of_source(self.program, operation, line)
            name = held.code if held is not None else ""
            own = name in self.basis.choices.own_names
            if statement is not line.statement:
                own = own or self.basis.facts.of(statement).only_binding(name) is None
            if own or not (target.target or target.returned):
                name = draft.fresh(name or source.name)
                held = Value(name, is_variable=True)
                target = replace(target, target=name, in_attribute=False)
            made = replace(target, base=made.base, calls=made.calls)
            replaces = (line.statement,) if statement is not line.statement and last else ()
            draft.outside.write(statement, [*source.before, made], replaces, makes=Makes.SOURCE)
            held = held or expression_of_source(draft, operation)
            if name:
                query.sources.append((name, statement))
                query.contents[name] = source.name
                draft.need(frames={statement: name})
        assert held is not None
        query.read(held.code, is_variable=held.is_variable)
        query.places = source.places
        draft.need(shuffles=bool(source.places))
        self._in_batch(source, operation)

    def _again(self, operation: Operation, line: Line) -> None:
        """Let a source be the one that is read for both."""
        draft, first = self.draft, self.basis.equal[operation]
        draft.stages[operation] = draft.stages[first]
        draft.decided(operation.use, Tier.CONTEXT, SUMMARY)
        if operation is line.operations[-1]:
            made = next(other.statement for other in self.program.lines if first in other.operations)
            draft.outside.take_over(line.statement, [made])

    def _in_batch(self, source: Input, operation: Operation) -> None:
        """Set the stage of the source in the batch function."""
        draft, basis = self.draft, self.basis
        if basis.several:
            self._one_of_several(source, operation)
        elif source.element is None:
            draft.stages[operation] = Rdd(basis.names.batch, links(source.rdd), source.sure)
        else:
            outside = basis.state is not None or not basis.has_batches
            base = draft.query.streaming if outside else basis.names.batch
            kept = () if basis.event_time is None else (basis.event_time,)
            made = Frame(base, (), source.element, source.sure, kept=kept, beside=source.beside)
            draft.stages[operation] = replace(made, within=source.within)

    def _one_of_several(self, source: Input, operation: Operation) -> None:
        """The batch function begins with the rows of each source by themselves."""
        draft, query = self.draft, self.draft.query
        columns = columns_beside(self.basis, source, operation, [other for _, other in query.inputs])
        query.inputs.append((query.streaming, columns))
        draft.note(NOTE)
        # in there it is a variable of its own
        name = query.streaming if query.is_variable else draft.fresh(source.name)
        rows = part_of_batch(self.basis.names.batch, len(query.inputs) - 1, columns)
        draft.body.write(replace(rows, target=name), None)
        draft.body.uses += 1
        assert source.element is not None
        draft.stages[operation] = Frame(name, (), source.element, source.sure, within=source.within)

    def _fetched(self, source: Input, operation: Operation, line: Line) -> None:
        """A source of RDDs: one DataFrame wakes the query for all of them."""
        draft, query = self.draft, self.draft.query
        if line.scope is not self.program.scope:
            raise Blocked("the queue is made in another function than its streams", operation.use)
        for alias in self.program.reading.aliases:
            if alias not in draft.outside.deleted and self._holds(alias, operation):
                raise Blocked("the stream of a queue has a second name", at=alias)
        codes: list[Code] = list(source.before)
        if not query.streaming and not self.basis.beside_queues:
            query.read(draft.fresh(source.name))
            calls = links(source.calls, (operation.call,))
            codes.append(Chain(self.basis.session_at(operation.holder), calls, target=query.streaming))
        draft.outside.write(line.statement, codes, makes=Makes.SOURCE)
        target = self.basis.targets.get(operation) if operation is line.operations[-1] else None
        name = target or draft.fresh("rdd")
        draft.body.write(f"{name} = {source.fetch}", None)
        if source.element is None:
            draft.stages[operation] = Rdd(name, (), sure=True, exact=True)
        else:
            draft.stages[operation] = Frame(name, (), source.element, sure=True)
            draft.need(frames={line.statement: name})
        draft.body.keeps_batch = self.basis.beside_queues

    def _holds(self, alias: ast.stmt, operation: Operation) -> bool:
        """Whether a statement gives a stream another name."""
        value = alias.value if isinstance(alias, ast.Assign) else alias
        held = [found for found in self.basis.trace.kinds.get(value, ()) if isinstance(found, Stream)]
        return any(self.program.reading.operations.get(found.node) is operation for found in held)

    def _names_read(self) -> Iterator[tuple[str, ast.stmt]]:
        """The variables that are read where the query starts, with the statements that bind them last."""
        query = self.draft.query
        if not query.sinks:
            names = {query.streaming, *(given for given, _ in query.inputs)}
            yield from (source for source in query.sources if source[0] in names)
            return
        made = dict(query.sources)
        for line in self.program.lines:
            codes = (one.code for one in self.draft.outside.replaced.get(line.statement, ()))
            made |= {code.target: line.statement for code in codes if isinstance(code, Chain)}
        names = {sink.records.base for sink in query.sinks}
        yield from ((name, statement) for name, statement in made.items() if name in names)

    def check_names(self) -> None:
        """Refuse a source whose variable is bound again before the query begins.

        Raises:
            Blocked: code that stays, or another source, binds it, and no other variable can hold it.
            RatherError: the same, where a variable of its own can.
        """
        outside = self.draft.outside
        moved = [line.statement for line in self.program.lines if line.statement not in outside.replaced]
        gone = {node for statement in (*outside.deleted, *moved) for node in walk(statement)}
        start, module_of = self.program.start, self.program.module_of
        for name, made_by in self._names_read():
            facts = self.basis.facts.of(made_by)
            ends_here = start is not None and module_of(start.node) is module_of(made_by)
            end = position(start.node) if start is not None and ends_here else (sys.maxsize, 0)
            for binding in facts.bindings.get(name, ()):
                between = position(made_by) < position(binding) < end
                if between and facts.visible(binding) and binding not in gone:
                    if name not in self.basis.choices.own_names:
                        raise RatherError(Choices(own_names=frozenset({name})))
                    raise Blocked(f"`{name}` is bound again before its stream is read", at=binding)
