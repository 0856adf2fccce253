"""The summary of a function's own code: its names, calls and updates, found once for all proofs.

`migrate.proofs.analysis.call_graph` adds the functions that it calls.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum, auto
from typing import TypeVar

from migrate.cached import cached_property
from migrate.frozen import dataclass
from migrate.knowledge import builtins, functions, methods
from migrate.proofs.analysis.called_functions import Called, called_function
from migrate.proofs.analysis.facts import Facts
from migrate.syntax.nodes import walk

Node = TypeVar("Node", bound=ast.AST)
_SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


_PLACES = (ast.Name, ast.Attribute, ast.Subscript)
_UPDATING = frozenset({ast.AugAssign, ast.Call, *_PLACES})


class How(Enum):
    """The ways to change something."""

    BOUND = auto()
    """A variable gets a value: ``n = 1``."""
    AUGMENTED = auto()
    """A variable or a part of an object is made of itself: ``n += 1``."""
    PART = auto()
    """A part of an object gets a value or is deleted: ``self.n = 1``, ``del seen[0]``."""
    METHOD = auto()
    """A method changes its object: ``seen.append(1)``."""
    GIVEN = auto()
    """A call may change its arguments: ``next(ids)``, ``map(seen.append, rows)``."""


@dataclass(frozen=True)
class Update:
    """A place where code changes something."""

    where: ast.AST
    target: ast.expr
    """The variable that gets a value, the part that does, or the object that is changed."""
    how: How


class Summary:
    """A function's own code, or another piece of code, with the functions that are defined in it."""

    def __init__(self, node: ast.AST, facts: Facts) -> None:
        self.node = node
        self.facts = facts
        """The names of its module."""
        self.nodes = walk(node)
        self._kinds: dict[type[ast.AST], list[ast.AST]] = {}
        for inner in self.nodes:
            self._kinds.setdefault(type(inner), []).append(inner)
        self.scopes = frozenset(self.of(*_SCOPES))
        """The functions, classes and comprehensions in it, with itself."""

    def of(self, *kinds: type[Node]) -> list[Node]:
        """Its nodes that are of one of `kinds`, kind by kind."""
        found: list[Node] = []
        for kind in kinds:
            found += self._kinds.get(kind, ())  # type: ignore[arg-type]
        return found

    def owns(self, name: ast.Name) -> bool:
        """Whether a variable is one of this code, and not of what is around it."""
        return self.facts.home(name) in self.scopes

    @cached_property
    def body(self) -> list[ast.AST]:
        """The statements of a function, the expression of a lambda, or the code itself."""
        if isinstance(self.node, ast.Lambda):
            return [self.node.body]
        return list(self.node.body) if isinstance(self.node, ast.FunctionDef) else [self.node]

    @cached_property
    def references(self) -> list[tuple[ast.expr, Called]]:
        """Its names of functions that were read, whether it calls them or passes them on."""
        nodes: list[ast.expr] = [*self.of(ast.Name), *self.of(ast.Attribute)]
        found = ((node, called_function(node, self.facts)) for node in nodes)
        return [(node, called) for node, called in found if called is not None]

    @cached_property
    def calls(self) -> list[Called]:
        """The functions with known code that it calls."""
        called = {call.func for call in self.of(ast.Call)}
        return [function for node, function in self.references if node in called]

    @cached_property
    def updates(self) -> list[Update]:
        """Its updates, those of its own variables included, statement by statement."""
        nodes = (node for part in self.body for node in walk(part) if type(node) in _UPDATING)
        return [update for node in nodes for update in self._updates(node)]

    def _updates(self, node: ast.AST) -> Iterator[Update]:
        if isinstance(node, ast.AugAssign):
            yield Update(node, node.target, How.AUGMENTED)
        elif isinstance(node, _PLACES):
            if not isinstance(node.ctx, ast.Load) and node not in self._augmented:
                yield Update(node, node, How.BOUND if isinstance(node, ast.Name) else How.PART)
        elif isinstance(node, ast.Call):
            function, given = node.func, given_to(node)
            if isinstance(function, ast.Attribute) and function.attr in methods.CHANGES:
                yield Update(node, function.value, How.METHOD)
            if self._changes_what_it_is_given(function):
                yield from (Update(node, value, How.GIVEN) for value in given)
            for value in given:
                if isinstance(value, ast.Attribute) and value.attr in methods.CHANGES:
                    yield Update(node, value.value, How.GIVEN)

    @cached_property
    def _augmented(self) -> frozenset[ast.AST]:
        return frozenset(node.target for node in self.of(ast.AugAssign))

    def _changes_what_it_is_given(self, function: ast.expr) -> bool:
        if isinstance(function, ast.Name) and function.id in builtins.CHANGES:
            return function.id not in self.facts.shadowed
        return self.facts.qualified(function) in functions.CHANGES

    @property
    def catches(self) -> bool:
        """Whether it may catch an exception and go on; ``with open(path)`` catches none."""
        if any(not isinstance(handler.body[-1], ast.Raise) for handler in self.of(ast.ExceptHandler)):
            return True
        contexts = (item.context_expr for item in self.of(ast.withitem))  # `suppress` is one that does
        return not all(is_call_of(context, "open") for context in contexts)

    @property
    def prints(self) -> bool:
        """Whether it calls `print`."""
        return any(is_call_of(call, "print") for call in self.of(ast.Call))


def summary_of(node: ast.AST, facts: Facts) -> Summary:
    """The summary of a function, or of a piece of code of the graph's module; found once.

    Args:
        node: the function, or the code.
        facts: the names of a module; those of the function's own are taken.
    """
    own = facts.of(node)
    known = own.once(_summaries)
    if node not in known:
        known[node] = Summary(node, own)
    return known[node]


def _summaries(facts: Facts) -> dict[ast.AST, Summary]:
    """The summaries of the functions of one module: none yet."""
    return {}


def given_to(call: ast.Call) -> list[ast.expr]:
    """All arguments of a call."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def is_call_of(node: ast.AST | None, name: str) -> bool:
    """Whether an expression is a call of a plain name: ``print(rdd)``."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
