"""Carries every stream of a program through the rules.

What the batch function will say, and what stays outside.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from migrate.columns import (
    Compiled,
    Element,
    Exploded,
    Fold,
    Helper,
    Refusal,
    compile_filter,
    compile_flat_map,
    compile_map,
)
from migrate.columns import Scope as ColumnScope
from migrate.edits import Edit, Text
from migrate.model import Options, Tier
from migrate.native.blocked import Blocked
from migrate.native.facts import Facts
from migrate.native.lasting import lasts
from migrate.native.placing import Place
from migrate.native.program import Line, Operation, Program
from migrate.native.session import Session
from migrate.native.stage import Frame, Rdd, Stage, check_kept, renumbered, to_rdd, tokens_of
from migrate.surface import rule_id
from migrate.trace import Trace, Use

GROUPERS = frozenset({"reduceByKey", "updateStateByKey"})
"""Operators that need no ``select`` before them: a map into pairs melts into their ``groupBy``."""


@dataclass
class Written:
    """A statement of new code, in the place of lines of the old."""

    text: str
    """Code without indentation; lines after the first are relative to it."""
    replaces: list[ast.stmt] = field(default_factory=list)
    """Old statements whose comments it takes over."""


@dataclass
class Plan:
    """What becomes of a program."""

    program: Program
    place: Place
    facts: Facts
    trace: Trace
    options: Options
    batch: str = "batch"
    batch_id: str = "batch_id"
    session: str = "spark"
    query: str = "query"
    writer: str = "writer"
    function: str = "process_batch"
    rdd: str = "rdd"
    session_plan: Session | None = None
    inside: list[Written] = field(default_factory=list)
    """Statements of the batch function."""
    outside: dict[ast.stmt, Written] = field(default_factory=dict)
    """New statements that stand where old ones stood."""
    line: Line | None = None
    """The line that is being planned."""
    early: list[str] = field(default_factory=list)
    """Assignments that must stand where that line stood."""
    pending_comments: list[ast.stmt] = field(default_factory=list)
    """Old statements that melted into the next one of the batch function."""
    callback_edits: list[Edit] = field(default_factory=list)
    """Edits of functions that the batch function calls."""
    streaming: str = ""
    """The variable of the streaming DataFrame that the query reads."""
    output_mode: str = "append"
    stages: dict[Operation, Stage] = field(default_factory=dict)
    tiers: dict[Use, Tier] = field(default_factory=dict)
    reasons: dict[Use, str] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    helpers: dict[str, Helper] = field(default_factory=dict)
    imports: set[str] = field(default_factory=set)
    """Names that the new code needs imported: ``F``, ``SparkSession``, ``datetime``."""
    partitions: set[int] = field(default_factory=set)
    """Numbers of partitions that operators ask for."""
    shuffles: bool = False
    empty_guard: bool = False
    """Whether the batch function must return at once for a batch without rows."""
    batch_uses: int = 0
    """How often the batch is computed."""
    keeps_batch: bool = True
    """Whether a batch that is computed more than once is kept meanwhile."""
    state: Operation | None = None
    """The running fold, which makes the query stateful."""
    initial: tuple[ast.expr, Fold] | None = None
    """The fold's initial state as the program gives it, and the fold."""

    @property
    def text(self) -> Text:
        """The module's text."""
        return Text(self.program.module.source)

    def session_at(self, member: ast.expr) -> str:
        """The session where the program uses a member of its context."""
        carriers = self.program.carriers
        if carriers is None or not isinstance(member, ast.Attribute):
            return self.session
        return carriers.text_of(member.value, self.text)

    def now(self) -> str:
        """An expression for the current time, with the module's own import of datetime if there is one."""
        binding = self.facts.only_binding("datetime")
        if isinstance(binding, ast.alias):
            if isinstance(self.facts.above[binding], ast.Import) and binding.name == "datetime":
                return "datetime.datetime.now()"
            if self.facts.imported(binding) == "datetime.datetime":
                return "datetime.now()"
        if self.facts.bindings.get("datetime"):
            raise Blocked("`datetime` is the name of something else than the class in this file")
        self.imports.add("datetime")
        return "datetime.now()"

    def helper_name(self, wanted: str) -> str:
        """The name of a function that is added to the module, the same each time."""
        return self.helpers[wanted].name if wanted in self.helpers else self.facts.fresh(wanted)

    def allowed(self, rule: str) -> bool:
        """Whether the options let a rule rewrite."""
        return rule not in self.options.ignore and (not self.options.select or rule in self.options.select)


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

    def argument(self, node: ast.expr) -> str:
        """The text of an argument in the batch function; one that may not last is evaluated before.

        Raises:
            Blocked: it must be evaluated in another function than that which holds the batch function.
        """
        plan = self.plan
        if lasts(node, plan.facts):
            return self.source(node)
        if plan.line is None or plan.line.scope is not plan.program.scope:
            raise self.blocked("its argument must be evaluated once, in another function")
        name = plan.facts.fresh("function")
        plan.early.append(f"{name} = {self.source(node)}")
        return name

    def source(self, node: ast.AST) -> str:
        """The text of an argument on one line."""
        text = self.plan.text.of(node)
        return text if "\n" not in text and "\r" not in text else ast.unparse(node)

    # --- functions on columns -------------------------------------------------------------------------------

    @property
    def scope(self) -> ColumnScope:
        """What is proven of the names that the call's functions read."""
        return self.plan.facts.column_scope(self.operation.use.node.lineno)

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
        self.plan.notes.update(dict.fromkeys(notes))
        self.plan.helpers.update({helper.name: helper for helper in helpers})


def parameter_name(node: ast.expr | None) -> str | None:
    """The name of a function's only parameter."""
    if isinstance(node, ast.Lambda) and len(node.args.args) == 1:
        return node.args.args[0].arg
    return None


def hint_for(operation: Operation) -> str | None:
    """What the program calls a stream, or one element of it in the function that reads it next."""
    if operation.target is not None:
        return operation.target
    for consumer in operation.consumers:
        name = parameter_name(consumer.call.args[0]) if consumer.call.args else None
        if name is not None and len(name) > 1:
            return name
    return None


def live_operations(program: Program) -> set[Operation]:
    """The streams and outputs that some output needs."""
    live: set[Operation] = set()
    pending = list(program.outputs)
    while pending:
        operation = pending.pop()
        if operation not in live:
            live.add(operation)
            pending += operation.parents
    return live


def advance(plan: Plan, operation: Operation) -> Stage:
    """The stage of a stream, from those of its parents: as columns where that is proven, else as an RDD.

    Raises:
        Blocked: neither way is proven to be the same.
    """
    from migrate.rules import rule_for

    rule = rule_for(operation.operator)
    step = Step(plan, operation, hint_for(operation))
    if rule is None:
        raise step.blocked("it has no native form yet")
    if not plan.allowed(rule.id):
        raise step.blocked(f"the rule {rule.id} is switched off")
    parents = [plan.stages[parent] for parent in operation.parents]
    refused = ""
    frames = [stage for stage in parents if isinstance(stage, Frame)]
    if len(frames) == len(parents):
        try:
            stage: Stage = replace(rule.column(step, *frames), hint=step.hint)
            plan.tiers[operation.use] = Tier.COLUMN
            plan.reasons[operation.use] = rule.summary
            return stage
        except Refusal as refusal:
            refused = refusal.reason
    if plan.state is not None and operation in upstream(plan.state):
        raise step.blocked(refused or "it is not a DataFrame operation, which a stateful query needs")
    try:
        result = rule.rdd(step, *(stage if isinstance(stage, Rdd) else to_rdd(stage) for stage in parents))
    except Blocked as blocked:
        if refused:
            raise step.blocked(
                f"no Column form ({refused}), and {_without_name(blocked, operation)}"
            ) from None
        raise
    plan.tiers[operation.use] = Tier.RDD
    plan.reasons[operation.use] = refused or "it reads an RDD"
    return result


def _without_name(blocked: Blocked, operation: Operation) -> str:
    return blocked.reason.removeprefix(f"`{operation.operator}`: ")


def upstream(operation: Operation) -> set[Operation]:
    """An operation and all that it needs."""
    found: set[Operation] = set()
    pending: list[Operation] = [operation]
    while pending:
        step = pending.pop()
        if step not in found:
            found.add(step)
            pending += step.parents
    return found


def deferred(line: Line, stage: Stage) -> bool:
    """Whether a line's stream is written as part of what reads it: a map into pairs before a ``groupBy``."""
    last = line.operations[-1]
    readers: Sequence[Operation] = last.consumers
    return (
        isinstance(stage, Frame)
        and stage.pending
        and bool(readers)
        and all(reader.operator in GROUPERS for reader in readers)
    )


__all__ = [
    "Plan",
    "Step",
    "Written",
    "advance",
    "deferred",
    "hint_for",
    "live_operations",
    "rule_id",
    "upstream",
]
