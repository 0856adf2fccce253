"""The call graph: all functions that were read and that code may call, in any module and at any depth."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Set
from typing import TypeVar

from migrate.cached import cached_property
from migrate.proofs.analysis.facts import Facts
from migrate.proofs.analysis.summary import Summary, given_to, summary_of

Node = TypeVar("Node", bound=ast.AST)


class Reached:
    """Pieces of code with all functions that they may call."""

    def __init__(
        self,
        given: Iterable[ast.AST],
        facts: Facts,
        *,
        handed: bool = True,
        without: Set[ast.AST] = frozenset(),
    ) -> None:
        """Find the functions, however deep.

        Args:
            given: the code: functions, or expressions of the module of `facts`.
            facts: the names of a module.
            handed: whether functions count that are only handed on, to be called by others: ``map(f, rows)``.
            without: names of functions in the code that do not count.
        """
        self.code: list[Summary] = []
        pending = [summary_of(node, facts) for node in given]
        seen = set(pending)
        while pending:
            summary = pending.pop()
            self.code.append(summary)
            named = [called for node, called in summary.references if node not in without]
            calls = named if handed else summary.calls
            for called in calls:
                other = summary_of(called.node, summary.facts)
                if other not in seen:
                    seen.add(other)
                    pending.append(other)

    @cached_property
    def scopes(self) -> frozenset[ast.AST]:
        """The functions, classes and comprehensions whose variables are the code's own."""
        return frozenset(scope for summary in self.code for scope in summary.scopes)

    def owns(self, name: ast.Name, summary: Summary) -> bool:
        """Whether a variable that a piece of the code speaks of is one of the code's own."""
        return summary.facts.home(name) in self.scopes

    def of(self, *kinds: type[Node]) -> Iterator[tuple[Node, Summary]]:
        """The nodes that are of one of `kinds`, each with the piece of code that it is in."""
        for summary in self.code:
            for node in summary.of(*kinds):
                yield node, summary


def given_code(call: ast.Call, facts: Facts) -> Reached:
    """The code that a call is given, with all functions that it may call; found once.

    Args:
        call: the call.
        facts: the names of its module.
    """
    known = facts.once(_of_calls)
    if call not in known:
        given = given_to(call)
        known[call] = Reached([*given, *_named_lambdas(given, facts)], facts)
    return known[call]


def _named_lambdas(given: Iterable[ast.AST], facts: Facts) -> Iterator[ast.Lambda]:
    """The lambdas that a call is given by the names of variables: ``add = lambda a, b: a + b``."""
    for node in given:
        named = facts.only_binding(node.id) if isinstance(node, ast.Name) else None
        value = facts.value_of(named) if named is not None else None
        if isinstance(value, ast.Lambda):
            yield value


def _of_calls(facts: Facts) -> dict[ast.Call, Reached]:
    """The code that the calls of one module are given: none yet."""
    return {}
