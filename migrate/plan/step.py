"""One operator on its way through a rule: its arguments, and its functions as columns."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from migrate.codemod.style import joined
from migrate.columns import Compiled, Element, Exploded, Helper, compile_filter, compile_flat_map, compile_map
from migrate.columns import Scope as ColumnScope
from migrate.columns.objects import NOTE as JSON
from migrate.columns.schema import parse_schema
from migrate.graph.blocked import Blocked
from migrate.graph.program import Operation
from migrate.plan.plan import Plan
from migrate.plan.stages import Choices, RatherError, check_kept, renumbered, tokens_of
from migrate.proofs.arrival import NOTE as ARRIVAL
from migrate.proofs.arrival import in_order_of_arrival, shows_cuts
from migrate.proofs.guards import may_come_without_input
from migrate.proofs.loop_invariant import is_loop_invariant
from migrate.proofs.printed_time import only_prints_time
from migrate.proofs.roles import Callback

ANY_ORDER = (
    "values are reduced in any order, which shows where a function is not commutative and associative, as "
    "Spark wants it to be, and in the last digits of floats"
)


class Step:
    """One operator on its way through a rule."""

    def __init__(self, plan: Plan, operation: Operation, hint: str | None) -> None:
        self.plan = plan
        self.operation = operation
        self.hint = hint
        """What the program calls the new stream or its elements, if anything."""
        self.refused = ""
        """Why the call is not on columns."""

    def inner(self, call: ast.Call) -> Step:
        """The step of an RDD's operator in a callback of this call."""
        operation = self.operation
        return Step(self.plan, Operation(operation.use, call, operation.parents), None)

    @property
    def repeats(self) -> bool:
        """Whether what the call reads may have elements without input, as a running state has."""
        return may_come_without_input(self.operation, self.plan.facts)

    def time(self, callback: Callback) -> str:
        """What stands for the batch time that a callback is given."""
        printed = only_prints_time(callback, self.plan.facts)
        return self.plan.now() if printed else self.plan.time(self.operation.use)

    def reduced(self, why: str, *, callback: Callback | None = None, merges: bool = True) -> None:
        """Note that RDDs reduce elements by a function that may show their order.

        Args:
            why: what speaks against it.
            callback: what does so, if the operator itself does not.
            merges: whether values become other values, and not only lie beside each other.

        Raises:
            Blocked: they do not meet in the order of their arrival, and the user does not allow another one.
            RatherError: the source must be told to keep them in order.
        """
        shuffled = callback is not None and callback.shuffled
        if not shuffled and in_order_of_arrival(self.operation):
            shown = shows_cuts(self.operation, callback, self.plan.facts) if merges else ""
            if not shown:
                if not self.plan.choices.in_order:
                    raise RatherError(Choices(in_order=True))
                self.plan.notes[ARRIVAL] = None
                return
            why = shown
        if not self.plan.options.unsafe:
            raise self.blocked(f"{why} (--unsafe takes its function for commutative and associative)")
        self.plan.unsafe.add(self.operation.use)
        self.plan.notes[ANY_ORDER] = None

    # --- arguments ------------------------------------------------------------------------------------------

    def arguments(self, *names: str) -> dict[str, ast.expr]:
        """The call's arguments by the names of the operator's parameters.

        Raises:
            Blocked: they are spread from a list or dict, or do not fit the parameters.
        """
        call = self.operation.call
        found: dict[str, ast.expr] = {}
        if any(isinstance(argument, ast.Starred) for argument in call.args) or len(call.args) > len(names):
            raise self.blocked("its arguments are not written out")
        found.update(zip(names, call.args, strict=False))
        for keyword in call.keywords:
            if keyword.arg not in names or keyword.arg in found:
                raise self.blocked("its arguments are not those of the operator")
            found[keyword.arg] = keyword.value
        return found

    def function(self, *names: str) -> ast.expr:
        """The function that the operator is given.

        `names` are the operator's parameters, the function first.
        """
        found = self.arguments(*names)
        if names[0] not in found:
            raise self.blocked("its function is missing")
        return found[names[0]]

    def partitions(self, found: dict[str, ast.expr]) -> None:
        """Note the number of partitions that the call asks for.

        Raises:
            Blocked: the number is not a literal.
        """
        node = found.get("numPartitions")
        if node is None or (isinstance(node, ast.Constant) and node.value is None):
            return
        if not (isinstance(node, ast.Constant) and isinstance(node.value, int)):
            raise self.blocked("its number of partitions is not a literal")
        self.plan.partitions.add(node.value)

    def blocked(self, why: str) -> Blocked:
        """Why this call keeps the graph from becoming native."""
        return Blocked(f"`{self.operation.operator}`: {why}", self.operation.use)

    def argument(self, node: ast.expr, called: str = "function") -> str:
        """The text of an argument in the batch function; one that may not last is evaluated before.

        Args:
            node: the argument.
            called: the name of a variable for it.

        Raises:
            Blocked: it must be evaluated in another function than that which holds the batch function.
        """
        plan = self.plan
        if is_loop_invariant(node, plan.facts):
            return self.source(node)
        if plan.line is None or plan.line.scope is not plan.program.scope:
            raise self.blocked("its argument must be evaluated once, in another function")
        name = plan.facts.fresh(called)
        plan.early.append(f"{name} = {self.source(node)}")
        return name

    def source(self, node: ast.expr) -> str:
        """The text of an argument on one line."""
        return joined(self.plan.text.of(node), node)

    # --- functions on columns -------------------------------------------------------------------------------

    @property
    def scope(self) -> ColumnScope:
        """What is proven of the names that the call's functions read, and what the user says of JSON."""
        scope = self.plan.facts.column_scope(self.operation.use.node.lineno)
        named = {self.operation.target, *(parent.target for parent in self.operation.parents)}
        for name, ddl in self.plan.options.json_schemas:
            if name in named:
                return replace(scope, json=(ddl, parse_schema(ddl)))
        return scope

    def map(self, function: ast.expr, element: Element) -> Element:
        """What a function makes of an element; all that may raise is kept.

        Raises:
            Refusal: the function has no Column form.
        """
        compiled = compile_map(function, [element], self.scope)
        return self._noted(compiled, element, function)

    def condition(self, function: ast.expr, element: Element) -> str:
        """A predicate as the code of a condition.

        Raises:
            Refusal: the function has no Column form.
        """
        compiled = compile_filter(function, [element], self.scope)
        return self._noted(compiled, element, function).code  # type: ignore[union-attr]

    def flat_map(self, function: ast.expr, element: Element) -> Exploded:
        """A flatMap as an explode.

        Raises:
            Refusal: the function has no Column form.
        """
        exploded = compile_flat_map(function, [element], self.scope, self.hint)
        self.note(exploded.notes, exploded.helpers)
        check_kept(tokens_of(element), tokens_of(exploded.array), function, "`flatMap`")
        known = tokens_of(element)
        return replace(exploded, element=renumbered(exploded.element, known))

    def _noted(self, compiled: Compiled, before: Element, function: ast.expr) -> Element:
        check_kept(tokens_of(before), tokens_of(compiled.element), function, f"`{self.operation.operator}`")
        self.note(compiled.notes, compiled.helpers)
        return renumbered(compiled.element, tokens_of(before))

    def note(self, notes: Iterable[str], helpers: Iterable[Helper]) -> None:
        """Keep what the compiler says of its code."""
        notes = tuple(notes)
        self.plan.notes.update(dict.fromkeys(notes))
        if JSON in notes:
            self.plan.unsafe.add(self.operation.use)
        self.plan.helpers.update({helper.name: helper for helper in helpers})
        if set(notes) - {JSON}:  # each says where native code raises although Python gives a value
            self.plan.narrower.add(self.operation)
