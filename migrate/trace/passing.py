"""Passes arguments to the parameters of functions that were read."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrate.trace.findings import Findings
from migrate.trace.scopes import FunctionNode, parameters
from migrate.trace.values import Bag, Class, Function, Instance, Values


class Passing:
    """Notes the values that calls give for parameters."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings

    def call(
        self,
        node: FunctionNode,
        positional: Sequence[Values],
        named: Sequence[tuple[str | None, Values]] = (),
    ) -> Values:
        """Call a function that was read.

        Returns:
            What it returns, as far as that is known.
        """
        findings, scope = self.findings, self.findings.scopes[node]
        names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
        for position, value in enumerate(positional):
            if position < len(names):
                findings.grow(scope.ever, names[position], value)
            elif node.args.vararg is not None:
                bag = Bag(node.args.vararg)
                findings.put(bag, value)
                findings.grow(scope.ever, node.args.vararg.arg, frozenset({bag}))
        for keyword, value in named:
            if keyword is not None and keyword in scope.names:
                findings.grow(scope.ever, keyword, value)
        return scope.results.ask(None)

    def call_back(self, arguments: Sequence[Values]) -> None:
        """``functools.reduce(f, streams)`` and the like call `f` with what the other arguments hold."""
        held = frozenset().union(*(self.findings.contents(values) for values in arguments))
        if not self.findings.traced(held):
            return
        for values in arguments:
            for value in values:
                if isinstance(value, Function):
                    self.call(value.node, [held] * len(value.node.args.args))

    def receive(self, node: FunctionNode, owner: Instance | Class) -> None:
        """The first parameter of a method can be an object that it is called on, or its class."""
        first = next(parameters(node.args), None)
        if first is not None:
            self.findings.grow(self.findings.scopes[node].ever, first.arg, frozenset({owner}))

    def receive_in_methods(self, cls: Class) -> None:
        """Methods may be called from anywhere; their first parameter is an instance all the same."""
        instance = Instance(cls)
        for _, values in self.findings.scopes[cls.node].ever.ask_all():
            for value in values:
                if not isinstance(value, Function) or isinstance(value.node, ast.Lambda):
                    continue
                if not decorators(value.node) & {"staticmethod", "classmethod"}:
                    self.receive(value.node, instance)
        self._receive_in_class_methods(cls, cls, set())

    def _receive_in_class_methods(self, cls: Class, home: Class, seen: set[Class]) -> None:
        """The first parameter of a class method is its class, or one that derives from it."""
        seen.add(home)
        for _, values in self.findings.scopes[home.node].ever.ask_all():
            for value in values:
                if isinstance(value, Function) and "classmethod" in decorators(value.node):
                    self.receive(value.node, cls)
        for base in self.findings.bases.get(home.node, []):
            for parent in base:
                if isinstance(parent, Class) and parent not in seen:
                    self._receive_in_class_methods(cls, parent, seen)


def decorators(node: FunctionNode) -> set[str]:
    """The last parts of the names of a function's decorators."""
    if isinstance(node, ast.Lambda):
        return set()
    return {ast.unparse(decorator).rsplit(".", 1)[-1] for decorator in node.decorator_list}
