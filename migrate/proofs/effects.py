"""What outlives a batch: where a callback changes something outside of itself.

What is not followed counts as a change: for a query with a batch in every interval it makes no difference.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from migrate.proofs.facts import Facts
from migrate.proofs.guards import adds_nothing
from migrate.proofs.roles import Callback, is_rdd
from migrate.syntax.nodes import walk
from migrate.syntax.tree import MUTATORS, parameter_names
from migrate.trace.values import Bound, Function

_CHANGING_MODULES = ("heapq.", "bisect.insort", "random.shuffle")
"""Functions of Python's library that change what they are given."""
_CHANGING_BUILTINS = frozenset({"next", "setattr", "delattr"})


_HANDING = frozenset({"enumerate", "zip", "iter", "reversed", "getattr", "vars"})
"""Builtins that give the objects, or parts of them, that they are given."""


@dataclass(frozen=True)
class Change:
    """Something that a callback changes."""

    where: ast.AST
    what: str
    names: frozenset[str]
    """Variables that may hold it, and attributes, as ``self.seen``."""

    @property
    def why(self) -> str:
        """A reason for people."""
        return f"it changes `{self.what}`"


def changes(
    callback: Callback, facts: Facts, seen: set[ast.AST] | None = None, *, everything: bool = False
) -> Iterator[Change]:
    """Where a function changes something outside itself, directly or through functions of the same file.

    Args:
        callback: the function.
        facts: what is known of names.
        seen: functions that have been looked at.
        everything: whether what changes with input alone counts, and functions that it gives its RDD to.
    """
    yield from _Changes(callback, facts, set() if seen is None else seen, everything=everything).found()


def shared_by(
    call: ast.Call, names: list[str], callback: Callback, facts: Facts, seen: set[ast.AST] | None = None
) -> set[str]:
    """The parameters, by their names in order, that a call gives objects of outside to."""
    inside = _Changes(callback, facts, set() if seen is None else seen)
    given = [*zip(names, call.args, strict=False)]
    given += [(keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg is not None]
    return {name for name, value in given if inside.brings_outer(value)}


class _Changes:
    def __init__(
        self, callback: Callback, facts: Facts, seen: set[ast.AST], *, everything: bool = False
    ) -> None:
        self.everything = everything
        self.callback = callback
        self.facts = facts
        self.seen = seen
        self.origins: dict[str, set[str]] = {}
        """What variables that hold something of outside were made of."""
        self.own = self._locals()

    def found(self) -> Iterator[Change]:
        callback = self.callback
        for node in callback.walk():
            if isinstance(node, ast.Global | ast.Nonlocal):
                for name, place in self._stores(set(node.names)):
                    yield Change(place, name, frozenset({name}))
            elif isinstance(node, ast.AugAssign) and self._adds_nothing(node):
                continue
            elif isinstance(node, ast.Assign | ast.AugAssign | ast.Delete):
                targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
                for target in targets:
                    root = _root(target)
                    in_place = isinstance(node, ast.AugAssign) and self.brings_outer(target)
                    if (
                        (isinstance(target, ast.Attribute | ast.Subscript) or in_place)
                        and root not in self.own
                        and not _is_made_once(node, root, callback)
                    ):
                        yield self._change(node, target)
            elif isinstance(node, ast.Call):
                yield from self._call(node)

    def _change(self, where: ast.AST, what: ast.expr) -> Change:
        return Change(where, ast.unparse(what), frozenset(self._names(what)))

    def _adds_nothing(self, node: ast.AugAssign | ast.Call) -> bool:
        return not self.everything and adds_nothing(node, self.callback)

    def _stores(self, names: set[str]) -> Iterator[tuple[str, ast.AST]]:
        """Where the function gives a value to names that it declares to be of outside."""
        nodes = list(self.callback.walk())
        neutral = {
            node.target for node in nodes if isinstance(node, ast.AugAssign) and self._adds_nothing(node)
        }
        for node in nodes:
            stored = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del)
            if isinstance(node, ast.Name) and stored and node.id in names and node not in neutral:
                yield node.id, node

    def _names(self, node: ast.AST) -> set[str]:
        """The variables and attributes that an expression speaks of, and what those were made of."""
        found: set[str] = set()
        of_objects = {id(part.value) for part in walk(node) if isinstance(part, ast.Attribute)}
        for part in walk(node):
            if isinstance(part, ast.Name) and id(part) not in of_objects:
                found |= {part.id, *self.origins.get(part.id, ())}
            elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                found |= {f"{part.value.id}.{part.attr}", *self.origins.get(part.value.id, ())}
            elif isinstance(part, ast.Subscript) and _root(part) == "globals()":
                found.add(str(getattr(part.slice, "value", "")))
        return found

    # --- calls ----------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Iterator[Change]:
        function = node.func
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        changing = isinstance(function, ast.Attribute) and function.attr in MUTATORS
        if isinstance(function, ast.Attribute) and changing and not self._adds_nothing(node):
            root = _root(function.value)
            if (root is not None and root not in self.own) or self.brings_outer(function.value):
                yield self._change(node, function.value)
        if self._changes_what_it_is_given(function):
            for value in given:
                if self.brings_outer(value):
                    yield self._change(node, value)
        for value in given:  # `map(seen.append, rows)`
            method = isinstance(value, ast.Attribute) and value.attr in MUTATORS
            if isinstance(value, ast.Attribute) and method and self.brings_outer(value.value):
                yield self._change(node, value.value)
        followed = self.facts.function(function)
        given_rdd = any(is_rdd(argument, self.callback.rdds) for argument in given)
        # a function that is given the RDD is checked by itself, with what it asks of the RDD before
        if followed is not None and (self.everything or not given_rdd):
            yield from self._through(node, followed.node, followed.bound)
        elif followed is None and self._is_not_followed(function):
            yield self._change(node, function)
        if not (isinstance(function, ast.Attribute) and is_rdd(function.value, self.callback.rdds)):
            for value in given:  # `Thread(target=tick)`
                handed = self.facts.function(value)
                if handed is not None:
                    yield from self._through(node, handed.node, handed.bound)

    def _through(self, call: ast.Call, function: ast.FunctionDef, bound: bool) -> Iterator[Change]:
        if function in self.seen:
            return
        self.seen.add(function)
        parameters = parameter_names(function)[bound:]
        shared = shared_by(call, parameters, self.callback, self.facts, self.seen)
        inner = Callback(function, "", None, bound=bound, shared=shared)
        given = [*zip(parameters, call.args, strict=False)]
        given += [(keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg is not None]
        for change in changes(inner, self.facts, self.seen, everything=self.everything):
            names = {
                own for name, value in given if name in shared & change.names for own in self._names(value)
            }
            yield Change(call, change.what, change.names | names)

    def _changes_what_it_is_given(self, function: ast.expr) -> bool:
        if isinstance(function, ast.Name) and function.id in _CHANGING_BUILTINS - self.facts.shadowed:
            return True
        return (self.facts.qualified(function) or "").startswith(_CHANGING_MODULES)

    def _is_not_followed(self, function: ast.expr) -> bool:
        """Whether what is called is code of the program that was not read: a variable, what is decorated."""
        values = self.facts.trace.kinds.get(function, frozenset())
        if any(isinstance(value, Function | Bound) for value in values):
            return True
        if not isinstance(function, ast.Name) or function.id in self.own:
            return False
        bindings = self.facts.bindings.get(function.id, [])
        return any(isinstance(binding, ast.Name | ast.FunctionDef) for binding in bindings)

    # --- variables ------------------------------------------------------------------------------------------

    def _locals(self) -> set[str]:
        """Names that the function binds to something of its own: not to something outer, or a part of it."""
        node = self.callback.node
        self.own = _parameters(node) - self.callback.shared
        if self.callback.bound:
            self.own -= set(parameter_names(node)[:1])
        declared: set[str] = set()
        in_place = {step.target for step in walk(node) if isinstance(step, ast.AugAssign)}
        for inner in walk(node) if isinstance(node, ast.FunctionDef) else ():
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store) and inner not in in_place:
                self.own.add(inner.id)
            elif isinstance(inner, ast.Global | ast.Nonlocal):
                declared |= set(inner.names)
        self.own -= declared
        for name, default in defaults_of(node):
            self.origins.setdefault(name, set()).update(self._names(default))
        grown = True
        while grown:
            grown = False
            for target, value in _bound(node):
                names = {n.id for n in walk(target) if isinstance(n, ast.Name)} & self.own
                if names and self.brings_outer(value):
                    self.own -= names
                    for name in names:
                        self.origins.setdefault(name, set()).update(self._names(value))
                    grown = True
        return self.own

    def brings_outer(self, node: ast.AST) -> bool:
        """Whether an expression may be an object of outside, or a part of one."""
        match node:
            case ast.Name(id=name):
                bindings = self.facts.bindings.get(name, [])
                return name not in self.own and any(isinstance(b, ast.Name | ast.arg) for b in bindings)
            case ast.Attribute(value=value) | ast.Subscript(value=value) | ast.Starred(value=value):
                return self.brings_outer(value)
            case ast.Call(func=ast.Attribute(value=value)):
                return self.brings_outer(value)
            case ast.Call(func=ast.Name(id=name), args=parts) if name in _HANDING:
                return any(map(self.brings_outer, parts))
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                return any(map(self.brings_outer, parts))
            case ast.BoolOp(values=parts):
                return any(map(self.brings_outer, parts))
            case ast.Dict(values=parts):
                return any(map(self.brings_outer, parts))
            case ast.IfExp(body=one, orelse=other):
                return self.brings_outer(one) or self.brings_outer(other)
            case ast.NamedExpr(value=value):
                return self.brings_outer(value)
        return False


def _bound(function: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a function binds, and to what."""
    for node in walk(function):
        if isinstance(node, ast.Assign):
            yield from ((target, node.value) for target in node.targets)
        elif isinstance(node, ast.NamedExpr | ast.AnnAssign) and node.value is not None:
            yield node.target, node.value
        elif isinstance(node, ast.For | ast.comprehension):
            yield node.target, node.iter
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            yield node.optional_vars, node.context_expr


def _parameters(function: ast.Lambda | ast.FunctionDef) -> set[str]:
    """Parameters, without those that are the same object at each call: ``seen=[]``."""
    arguments = function.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return {argument.arg for argument in every} - {name for name, _ in defaults_of(function)}


def defaults_of(function: ast.Lambda | ast.FunctionDef) -> list[tuple[str, ast.expr]]:
    """Parameters that have an object by default, which is the same at each call."""
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[tuple[ast.arg, ast.expr | None]] = [
        *zip(plain[len(plain) - len(arguments.defaults) :], arguments.defaults, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return [
        (argument.arg, default)
        for argument, default in defaults
        if default is not None and not isinstance(default, ast.Constant)
    ]


def _is_made_once(node: ast.AST, root: str | None, callback: Callback) -> bool:
    """``if "x" not in globals(): globals()["x"] = ...``: the same whenever its first use is, if it is made of
    nothing that a batch has but its context.
    """
    if root != "globals()" or not isinstance(node, ast.Assign):
        return False
    contexts = {
        n.value for n in walk(node.value) if isinstance(n, ast.Attribute) and n.attr in ("context", "ctx")
    }
    of_batch = {callback.time, *callback.rdds}
    if any(isinstance(n, ast.Name) and n.id in of_batch and n not in contexts for n in walk(node.value)):
        return False
    guards = [step for step in callback.walk() if isinstance(step, ast.If) and node in step.body]
    (target,) = node.targets if len(node.targets) == 1 else (None,)
    if not guards or not isinstance(target, ast.Subscript):
        return False
    key = ast.unparse(target.slice)
    tests = (f"{key} not in globals()", f"globals().get({key}) is None", f"not globals().get({key})")
    return ast.unparse(guards[0].test) in tests


def _root(node: ast.AST) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "globals":
        return "globals()"
    return node.id if isinstance(node, ast.Name) else None
