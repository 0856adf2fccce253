"""Aliases: variables of a function for objects of outside. ``a = seen; a.append(1)`` changes `seen`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from migrate.knowledge import builtins
from migrate.proofs.analysis.called_functions import called_function
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import Summary, given_to, is_call_of, summary_of
from migrate.syntax.nodes import walk
from migrate.syntax.tree import own_nodes, parameter_names

OUTSIDE = ""
"""The root of objects that are there before a function is called; its parameters are roots by their names."""
Roots = frozenset[str]
NONE: Roots = frozenset()


class Aliases:
    """The objects that each variable of a function may be, or be a part of, by their roots."""

    def __init__(self, summary: Summary) -> None:
        self._summary = summary
        self._roots: dict[tuple[ast.AST | None, str], Roots] = {}
        self._made_of: dict[tuple[ast.AST | None, str], frozenset[str]] = {}
        for function in summary.scopes:
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                self._take_parameters(function)
        bound = [(self._names_in(target), value) for target, value in _bound(summary)]
        grown = True
        while grown:
            grown = False
            for names, value in bound:
                roots = self.of(value)
                for key in names if roots else ():
                    if not roots <= self._roots.get(key, NONE):
                        self._roots[key] = self._roots.get(key, NONE) | roots
                        self._made_of[key] = self._made_of.get(key, NONE) | self.speaks_of(value)
                        grown = True

    def _take_parameters(self, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        """Parameters are what they are given; those of functions inside may be anything of outside."""
        arguments = function.args
        kept = dict(defaults_of(function))
        whole = [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *whole):
            key = (function, argument.arg)
            own = function is self._summary.node and argument not in whole
            self._roots[key] = frozenset({argument.arg} if own else {OUTSIDE})
            if argument.arg in kept:
                self._roots[key] |= {OUTSIDE}
                self._made_of[key] = self.speaks_of(kept[argument.arg])

    def _key(self, name: ast.Name) -> tuple[ast.AST | None, str]:
        return self._summary.facts.home(name), name.id

    def _names_in(self, target: ast.expr) -> list[tuple[ast.AST | None, str]]:
        names = [node for node in walk(target) if isinstance(node, ast.Name)]
        return [self._key(name) for name in names if self._summary.owns(name)]

    def of(self, node: ast.AST) -> Roots:
        """The roots of the objects that an expression may be, or be a part of."""
        return self._of(node) | (self._of_result(node) if isinstance(node, ast.Call) else NONE)

    def _of_result(self, call: ast.Call) -> Roots:
        """The roots of what a function that was read returns, as `seen` of ``get_seen().append(1)``."""
        called = called_function(call.func, self._summary.facts)
        if called is None or called.node in self._summary.scopes:
            return NONE
        returned = _returned_by(called.node, self._summary.facts).roots
        names = parameter_names(called.node)[called.bound :]
        given = [(name, value) for name in names for value in given_to(call)]
        given = given if spreads(call) else arguments_of(call, names)
        return (returned & {OUTSIDE}).union(*(self.of(value) for name, value in given if name in returned))

    def _of(self, node: ast.AST) -> Roots:
        match node:
            case ast.Name():
                return self._of_name(node)
            case ast.Attribute(value=value) | ast.Subscript(value=value) | ast.Starred(value=value):
                return self.of(value)
            case ast.Call(func=ast.Attribute(attr="createDataFrame")):
                return NONE  # a DataFrame, which is no part of its session, and never changes
            case ast.NamedExpr(value=value) | ast.Call(func=ast.Attribute(value=value)):
                return self.of(value)
            case ast.Call(func=ast.Name(id=name), args=parts) if name in builtins.HANDS:
                return self._of_all(parts)
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                return self._of_all(parts)
            case ast.BoolOp(values=parts) | ast.Dict(values=parts):
                return self._of_all(parts)
            case ast.IfExp(body=one, orelse=other):
                return self.of(one) | self.of(other)
        return NONE

    def _of_all(self, parts: list[ast.expr]) -> Roots:
        return NONE.union(*map(self.of, parts))

    def _of_name(self, name: ast.Name) -> Roots:
        key = self._key(name)
        if key[0] in self._summary.scopes:
            return self._roots.get(key, NONE)
        bindings = self._summary.facts.bindings.get(name.id, ())
        objects = key[0] is not None or any(isinstance(node, ast.Name | ast.arg) for node in bindings)
        return frozenset({OUTSIDE}) if objects else NONE

    def of_holder(self, node: ast.AST) -> Roots:
        """The roots of the object whose part or method an expression is; classes, modules are of outside."""
        root = root_of(node)
        if isinstance(root, ast.Name):
            return self._of_name(root) if self._summary.owns(root) else frozenset({OUTSIDE})
        return frozenset({OUTSIDE}) if is_call_of(root, "globals") else NONE

    def speaks_of(self, node: ast.AST) -> frozenset[str]:
        """The variables and attributes in an expression, with those that they were made of."""
        found: set[str] = set()
        called = {part.func for part in walk(node) if isinstance(part, ast.Call)}
        parts = {part.value for part in walk(node) if isinstance(part, ast.Attribute) and part not in called}
        for part in walk(node):
            if isinstance(part, ast.Name):
                found |= self._made_of.get(self._key(part), NONE)
                if part not in parts:
                    found.add(part.id)
            elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                found.add(f"{part.value.id}.{part.attr}")
            elif isinstance(part, ast.Subscript) and is_call_of(part.value, "globals"):
                found.add(str(getattr(part.slice, "value", "")))
            elif isinstance(part, ast.Call):
                called_one = called_function(part.func, self._summary.facts)
                if called_one is not None and called_one.node not in self._summary.scopes:
                    found |= _returned_by(called_one.node, self._summary.facts).names
        return frozenset(found)


@dataclass(frozen=True)
class _Returned:
    """What a function returns: objects of outside, its parameters, or parts of them."""

    roots: Roots
    names: frozenset[str]
    """The variables and attributes that its ``return`` statements speak of."""


def _returned_by(function: ast.FunctionDef, facts: Facts) -> _Returned:
    """What a function returns or yields; found once."""
    own = facts.of(function)
    known = own.once(_known_returns)
    if function not in known:
        known[function] = _Returned(frozenset({OUTSIDE}), NONE)  # as long as it calls itself
        aliases = Aliases(summary_of(function, own))
        nodes = [node for statement in function.body for node in own_nodes(statement)]
        given = [node.value for node in nodes if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom)]
        values = [value for value in given if value is not None]
        roots, names = map(aliases.of, values), map(aliases.speaks_of, values)
        known[function] = _Returned(NONE.union(*roots), NONE.union(*names))
    return known[function]


def _known_returns(facts: Facts) -> dict[ast.AST, _Returned]:
    """What the functions of one module return: none is known yet."""
    return {}


def arguments_of(call: ast.Call, names: list[str]) -> list[tuple[str, ast.expr]]:
    """The arguments of a call by the names of their parameters."""
    named = [(word.arg, word.value) for word in call.keywords if word.arg is not None]
    return [*zip(names, call.args, strict=False), *named]


def parameter_of(argument: ast.expr, call: ast.Call, names: list[str]) -> str | None:
    """The parameter, by its name, that a call gives an argument to: ``save(rdd, mode="append")``.

    None if `names` has it not, or if the call gives the items of a list or a dict as well.
    """
    given = () if spreads(call) else arguments_of(call, names)
    return next((name for name, value in given if value is argument and name in names), None)


def spreads(call: ast.Call) -> bool:
    """Whether a call gives the items of a list or a dict: ``note(*given)``."""
    return any(isinstance(argument, ast.Starred) for argument in call.args) or any(
        word.arg is None for word in call.keywords
    )


def _bound(summary: Summary) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Pairs of a target and its value, for each assignment in the code."""
    for assign in summary.of(ast.Assign):
        yield from ((target, assign.value) for target in assign.targets)
    for made in summary.of(ast.NamedExpr, ast.AnnAssign):
        if isinstance(made, ast.NamedExpr | ast.AnnAssign) and made.value is not None:
            yield made.target, made.value
    for loop in summary.of(ast.For, ast.comprehension):
        if isinstance(loop, ast.For | ast.comprehension):
            yield loop.target, loop.iter
    for item in summary.of(ast.withitem):
        if item.optional_vars is not None:
            yield item.optional_vars, item.context_expr


def defaults_of(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[tuple[str, ast.expr]]:
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


def root_of(node: ast.AST) -> ast.AST:
    """The innermost expression of attributes and items: ``self`` in ``self.seen[0]``."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node
