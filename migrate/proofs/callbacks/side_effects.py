"""Side effects of callbacks: changes of objects and variables outside of them.

A call that is not followed counts as a side effect; in a query with a batch in every interval none matters.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from migrate.cached import cached_property
from migrate.frozen import replace
from migrate.proofs.analysis.aliases import OUTSIDE, Aliases, Roots, arguments_of, root_of, spreads
from migrate.proofs.analysis.called_functions import Called, called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import How, Summary, Update, given_to, is_call_of, summary_of
from migrate.proofs.callbacks.guards import adds_nothing
from migrate.proofs.callbacks.roles import Callback, is_rdd
from migrate.proofs.functions.own_containers import changes_own_container
from migrate.syntax.nodes import code_of, walk
from migrate.syntax.tree import parameter_names
from migrate.trace.values import Bound, Function


@dataclass(frozen=True)
class Change:
    """A side effect: a change of an object of outside, or of an argument."""

    where: ast.AST
    what: str
    names: frozenset[str]
    """Variables that may hold it, and attributes, as ``self.seen``."""
    roots: Roots

    @property
    def why(self) -> str:
        """A reason for people."""
        return f"it changes `{self.what}`"


def side_effects(callback: Callback, facts: Facts, *, everything: bool = False) -> Iterator[Change]:
    """The side effects of a callback, its own and those of functions that it calls.

    Args:
        callback: the function.
        facts: the names of a module.
        everything: whether what changes with input alone counts, and functions that it gives its RDD to.
    """
    effects = _effects_of(callback.node, facts)
    for change in effects.with_calls(callback, everything=everything):
        if change.roots & _outside(callback):
            yield change


def shared_by(call: ast.Call, names: list[str], callback: Callback, facts: Facts) -> set[str]:
    """The parameters, by their names in order, that a callback's call gives objects of outside to."""
    aliases = _effects_of(callback.node, facts).aliases
    return {name for name, value in arguments_of(call, names) if aliases.of(value) & _outside(callback)}


def _outside(callback: Callback) -> frozenset[str]:
    """The roots that are of outside for a callback: its method's object, and what it is given of outside."""
    own = parameter_names(callback.node)[:1] if callback.bound else []
    return frozenset({OUTSIDE, *callback.shared, *own})


class Effects:
    """The side effects of one function, its own and those of functions that it calls."""

    def __init__(self, summary: Summary) -> None:
        self.summary = summary
        self.aliases = Aliases(summary)
        self.total: list[Change] = []
        """All changes, once those of the functions that it calls are known."""
        self.order = {
            node: place for place, node in enumerate(n for part in summary.body for n in walk(part))
        }
        self.calls = list(self._calls())

    def with_calls(self, callback: Callback | None = None, *, everything: bool = True) -> Iterator[Change]:
        """All changes, as far as they are known.

        Args:
            callback: the roles of the function's parameters, if it is the one that a batch calls.
            everything: see `changes`.
        """
        own = self._by_itself if callback is None else self._own(callback, everything)
        return iter(sorted([*own, *self._of_calls(callback, everything)], key=self._place))

    @cached_property
    def _by_itself(self) -> list[Change]:
        """The changes of the code itself, whatever its arguments are."""
        return list(self._own(None, everything=True))

    def _place(self, change: Change) -> int:
        """The position of a change in the code; assignments to variables of outside come first."""
        is_variable = change.what.isidentifier() and not isinstance(change.where, ast.Call)
        return -1 if is_variable else self.order[change.where]

    def _of_calls(self, callback: Callback | None, everything: bool) -> Iterator[Change]:
        for call, value, called in self.calls:
            rdds = callback.rdds_at(call) if callback is not None else set()
            if value is call.func:
                # a function that is given the RDD is checked by itself, with what it asks of the RDD before
                if not everything and any(is_rdd(argument, rdds) for argument in given_to(call)):
                    continue
            elif isinstance(call.func, ast.Attribute) and is_rdd(call.func.value, rdds):
                continue  # it is called for elements
            yield from self._through(call, value, called)

    def _calls(self) -> Iterator[tuple[ast.Call, ast.expr, Called]]:
        """The functions that are called, or are handed to what is called: ``Thread(target=tick)``.

        Those that are defined in this one are no others: their code is part of its own.
        """
        for call in self.summary.of(ast.Call):
            for value in (call.func, *given_to(call)) if call in self.order else ():
                called = called_function(value, self.summary.facts)
                if called is not None and called.node not in self.summary.scopes:
                    yield call, value, called

    def _through(self, call: ast.Call, value: ast.expr, called: Called) -> Iterator[Change]:
        """The changes that a called function makes, by the names of its caller."""
        parameters = parameter_names(called.node)
        given = arguments_of(call, parameters[called.bound :])
        if value is not call.func or spreads(call):  # each may get any of the arguments
            given = [(name, other) for name in parameters for other in given_to(call) if other is not value]
        for change in _effects_of(called.node, self.summary.facts).total:
            roots = change.roots & {OUTSIDE}
            if called.bound and change.roots & set(parameters[:1]):
                roots |= {OUTSIDE}
            names = change.names
            for name, argument in given:
                if name in change.roots and self.aliases.of(argument):
                    roots |= self.aliases.of(argument)
                    names |= self.aliases.speaks_of(argument)
            if roots:
                yield Change(call, change.what, names, roots)

    def _own(self, callback: Callback | None, everything: bool) -> Iterator[Change]:
        """The changes of the code itself; a call that is not followed may change anything."""
        of_batch = {callback.time, *callback.rdds} if callback is not None else set()
        for update in self.summary.updates:
            target, roots = update.target, self.aliases.of(update.target)
            if callback is not None and not everything and _adds_nothing(update, callback):
                continue
            if roots and changes_own_container(update, self.summary):
                continue
            if isinstance(target, ast.Name) and update.how in (How.BOUND, How.AUGMENTED):
                if not self.summary.owns(target):
                    yield Change(update.where, target.id, frozenset({target.id}), frozenset({OUTSIDE}))
                elif roots and update.how is How.AUGMENTED:
                    yield self._change(update.where, target, roots)
                continue
            if update.how is How.METHOD:
                roots |= self.aliases.of_holder(target)
            elif update.how is not How.GIVEN:
                named = isinstance(root_of(target), ast.Name)
                roots = self.aliases.of_holder(target) if named else frozenset({OUTSIDE})
            if roots and not self._is_made_once(target, of_batch):
                yield self._change(update.where, target, roots)
        for call in self.summary.of(ast.Call):
            if call in self.order and self._is_not_followed(call.func):
                yield self._change(call, call.func, self.aliases.of(call.func) or frozenset({OUTSIDE}))

    def _change(self, where: ast.AST, what: ast.expr, roots: Roots) -> Change:
        return Change(where, code_of(what), self.aliases.speaks_of(what), roots)

    def _is_not_followed(self, function: ast.expr) -> bool:
        """Whether a call is of code that was not read: of a variable, or of a decorated function."""
        facts = self.summary.facts
        if called_function(function, facts) is not None:
            return False
        values = facts.trace.kinds.get(function, frozenset())
        if any(isinstance(value, Function | Bound) for value in values):
            return True
        if not isinstance(function, ast.Name) or self.summary.owns(function):
            return isinstance(function, ast.Name) and bool(self.aliases.of(function))
        bindings = facts.bindings.get(function.id, [])
        return any(isinstance(binding, ast.Name | ast.FunctionDef) for binding in bindings)

    def _is_made_once(self, target: ast.expr, of_batch: set[str | None]) -> bool:
        """``if "x" not in globals(): globals()["x"] = ...``, of nothing that a batch has but its context.

        It is the same whenever its first use is.
        """
        above = self.summary.facts.above
        made = above.get(target)
        if not (isinstance(target, ast.Subscript) and is_call_of(target.value, "globals")):
            return False
        if not isinstance(made, ast.Assign) or made.targets != [target]:
            return False
        nodes = list(walk(made.value))
        contexts = {n.value for n in nodes if isinstance(n, ast.Attribute) and n.attr in ("context", "ctx")}
        if any(isinstance(n, ast.Name) and n.id in of_batch and n not in contexts for n in nodes):
            return False
        guard = above.get(made)
        if not isinstance(guard, ast.If) or made not in guard.body:
            return False
        return finds_none_kept(guard.test, target.slice)


def finds_none_kept(test: ast.expr, key: ast.expr) -> bool:
    """Whether a test asks if nothing is kept by a key among the globals: ``"session" not in globals()``."""
    text = ast.unparse(key)
    tests = (f"{text} not in globals()", f"globals().get({text}) is None", f"not globals().get({text})")
    return ast.unparse(test) in tests


def _adds_nothing(update: Update, callback: Callback) -> bool:
    """Whether an update changes nothing for a batch without input: ``total += rdd.count()``."""
    where = update.where
    if update.how not in (How.AUGMENTED, How.METHOD) or not isinstance(where, ast.AugAssign | ast.Call):
        return False
    return adds_nothing(where, callback)


def _effects_of(node: ast.AST, facts: Facts) -> Effects:
    """The effects of a function, found by a fixpoint with those of all functions that it may call."""
    first = facts.of(node).once(_known_effects).get(node)
    if first is not None:
        return first
    found: list[Effects] = []
    pending = [summary_of(node, facts)]
    while pending:
        summary = pending.pop()
        known = summary.facts.once(_known_effects)
        if summary.node not in known:
            effects = known[summary.node] = Effects(summary)
            found.append(effects)
            pending += [summary_of(called.node, summary.facts) for _, _, called in effects.calls]
    grown = True
    while grown:
        grown = False
        for effects in reversed(found):
            total = _merged(effects.with_calls())
            grown |= total != effects.total
            effects.total = total
    return found[0]


def _known_effects(facts: Facts) -> dict[ast.AST, Effects]:
    """The effects of the functions of one module: none yet."""
    return {}


def _merged(found: Iterator[Change]) -> list[Change]:
    """Changes, each place and object once."""
    merged: dict[tuple[ast.AST, str], Change] = {}
    for change in found:
        before = merged.setdefault((change.where, change.what), change)
        names, roots = before.names | change.names, before.roots | change.roots
        merged[change.where, change.what] = replace(before, names=names, roots=roots)
    return list(merged.values())
