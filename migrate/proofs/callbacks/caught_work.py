"""Handlers of exceptions in a callback: whether they can see an error of what Spark computes of its RDD.

``for pair in rdd.collect(): try: send(pair) except ...`` computes outside of its ``try``. What may stand for
an RDD, or for what is computed of one later, is known by its names, whatever function they are in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.knowledge.rdd import ACTIONS, ON_DRIVER
from migrate.knowledge.sessions import READS_VIEWS
from migrate.proofs.analysis.call_graph import Reached
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import Summary, given_to, is_call_of
from migrate.proofs.callbacks.roles import Callback
from migrate.syntax.nodes import LEAVES, children, walk

_COMPUTING = ACTIONS | READS_VIEWS
"""Methods that compute an RDD, or read a view of a DataFrame that is not computed yet."""
_Asked = tuple[ast.AST, bool, frozenset[str]]
"""A function, whether its first parameter is its object, and its names that are RDDs."""


def catches_work(callback: Callback, facts: Facts) -> bool:
    """Whether a callback, or a function that it calls, catches an error of what is computed, and goes on."""
    known = facts.once(_known)
    asked = callback.node, callback.bound, frozenset({callback.rdd, *callback.rdds})
    if asked not in known:
        known[asked] = _catches_work(callback, facts)
    return known[asked]


def _known(facts: Facts) -> dict[_Asked, bool]:
    """The answers for callbacks, which several plans ask for, by what they depend on."""
    return {}


def _catches_work(callback: Callback, facts: Facts) -> bool:
    reached = Reached([callback.node], facts, handed=False)
    if not any(summary.catches for summary in reached.code):
        return False
    names = _Names(callback, reached)
    if names.escape:
        return True
    for summary in reached.code:
        for body in _caught(summary):
            within = Reached(body, summary.facts)
            if any(name.id in names.lazy for name, _ in within.of(ast.Name)):
                return True
            if any(node.attr in names.lazy | _COMPUTING for node, _ in within.of(ast.Attribute)):
                return True
    return False


def _caught(summary: Summary) -> Iterator[list[ast.AST]]:
    """The code whose errors are caught."""
    for node in summary.of(ast.Try):
        if any(not isinstance(handler.body[-1], ast.Raise) for handler in node.handlers):
            yield list(node.body)
    for block in summary.of(ast.With):
        if not all(is_call_of(item.context_expr, "open") for item in block.items):
            yield list(block.body)


def _parameters(function: ast.FunctionDef | ast.Lambda) -> list[str]:
    """The names of all parameters, the positional ones first."""
    return [node.arg for node in walk(function.args) if isinstance(node, ast.arg)]


class _Names:
    """The names in a callback, and in what it calls, that may stand for what Spark computes later.

    Attributes:
        lazy: these names, of variables, parameters and functions.
        escape: whether such a value may be found elsewhere, in an attribute or a collection.
    """

    def __init__(self, callback: Callback, reached: Reached) -> None:
        self._rdds = {callback.rdd, *callback.rdds}
        self.lazy = self._rdds | set(_parameters(callback.node)[callback.bound :])
        self.escape = False
        before = -1
        while before != len(self.lazy):
            before = len(self.lazy)
            for summary in reached.code:
                self._follow(summary, reached)

    def _follow(self, summary: Summary, reached: Reached) -> None:
        for node in summary.nodes:
            if type(node) in LEAVES:
                continue
            match node:
                case ast.Assign(targets, value) if self._holds(value):
                    self._bind(targets)
                case ast.AnnAssign(target, _, ast.expr() as value) if self._holds(value):
                    self._bind([target])
                case ast.AugAssign(target, _, value) | ast.NamedExpr(target, value) if self._holds(value):
                    self._bind([target])
                case ast.For(target, over) | ast.comprehension(target, over) if self._holds(over):
                    self._bind([target])
                case ast.withitem(context, ast.expr() as target) if self._holds(context):
                    self._bind([target])
                case ast.FunctionDef() if node is not summary.node and self._reads(node):
                    self.lazy.add(node.name)
                case ast.Return(ast.expr() as value) if self._holds(value):
                    nodes = (one.node for one in reached.code)
                    self.lazy |= {one.name for one in nodes if isinstance(one, ast.FunctionDef)}
                case ast.Call() if any(map(self._holds, given_to(node))) and not self._is_collected(node):
                    self._hand(node, reached)

    def _bind(self, targets: list[ast.expr]) -> None:
        parts = [part for target in targets for part in walk(target)]
        self.escape |= any(isinstance(part, ast.Attribute | ast.Subscript) for part in parts)
        self.lazy |= {part.id for part in parts if isinstance(part, ast.Name)}

    def _hand(self, call: ast.Call, reached: Reached) -> None:
        """Add what is called on, and the parameters of the function, or of any where it is not known."""
        if isinstance(call.func, ast.Attribute):
            self._bind([call.func.value])
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        functions = [one.node for one in reached.code if isinstance(one.node, ast.FunctionDef | ast.Lambda)]
        named = [one for one in functions if isinstance(one, ast.FunctionDef) and one.name == name]
        for function in named or functions:
            self.lazy |= set(_parameters(function))

    def _reads(self, node: ast.AST) -> bool:
        return any(isinstance(part, ast.Name) and part.id in self.lazy for part in walk(node))

    def _holds(self, node: ast.AST) -> bool:
        """Whether a value may be computed later, or have such a part."""
        if isinstance(node, ast.Name | ast.Attribute):
            named = node.id if isinstance(node, ast.Name) else node.attr
            if named in self.lazy:
                return True
        if isinstance(node, ast.Lambda):
            return self._reads(node)
        return not self._is_collected(node) and any(map(self._holds, children(node)))

    def _is_collected(self, node: ast.AST) -> bool:
        """Whether a node is what a method of an RDD brings to the driver: ``rdd.map(f).collect()``."""
        match node:
            case ast.Call(ast.Attribute(receiver, method)) if method in ON_DRIVER:
                while isinstance(receiver, ast.Call) and isinstance(receiver.func, ast.Attribute):
                    receiver = receiver.func.value
                return isinstance(receiver, ast.Name) and receiver.id in self._rdds
        return False
