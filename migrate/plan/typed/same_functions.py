"""Typed functions that the program writes twice, word for word: one of them is enough."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from migrate.plan.draft.needs import Place
from migrate.plan.draft.step import Step
from migrate.plan.new_code.code import Code, text_of
from migrate.syntax.nodes import walk
from migrate.syntax.quoting import names_in, quotes


def named_before(step: Step, place: Place, made: Code) -> str | None:
    """The name of a typed function that is there already; None if there is none.

    Args:
        step: the operator.
        place: where functions stand that the operator may call.
        made: the statement that makes the function, with `NAME` in it.
    """
    known = step.known.named
    if (place, made) in known:
        return known[place, made]
    if not names_in(text_of(made)):
        return None
    comparison = _Comparison(step)
    found = ((name, other) for (there, other), name in known.items() if there == place)
    return next((name for name, other in found if comparison.is_same(made, other)), None)


class _Comparison:
    """Compares new code by the expressions of the program that it quotes."""

    def __init__(self, step: Step) -> None:
        self._step = step
        self._nodes = quotes(step.facts.tree)
        inner = step.known.inner
        self._changes: Mapping[ast.AST, object] = {**dict(inner.renamed), **dict(inner.replaced)}

    def is_same(self, one: Code, other: Code) -> bool:
        """Whether two statements make the same."""
        pairs = [*zip(names_in(text_of(one)), names_in(text_of(other)), strict=False)]
        if type(one) is not type(other) or _plain(one) != _plain(other):
            return False
        nodes = [(self._nodes.get(name), self._nodes.get(twin)) for name, twin in pairs]
        return all(name is twin or self._are_alike(name, twin) for name, twin in nodes)

    def _are_alike(self, one: ast.expr | None, other: ast.expr | None) -> bool:
        """Whether two expressions of one scope are the same, word for word, and change in the same way."""
        if one is None or other is None or ast.dump(one) != ast.dump(other):
            return False
        if self._scope_of(one) is not self._scope_of(other):
            return False
        pairs = zip(walk(one), walk(other), strict=True)
        return all(self._changes.get(a) == self._changes.get(b) and self._mean_same(a, b) for a, b in pairs)

    def _scope_of(self, node: ast.AST) -> ast.AST:
        """The function or module that an expression is in, be it in a lambda there."""
        scope = self._step.program.tree.scope_of(node)
        return self._scope_of(scope) if isinstance(scope, ast.Lambda) else scope

    def _mean_same(self, one: ast.AST, other: ast.AST) -> bool:
        """Whether two names are of one variable, or each of its own function."""
        if not isinstance(one, ast.Name) or not isinstance(other, ast.Name):
            return True
        home, another = self._step.facts.home(one), self._step.facts.home(other)
        return home is another or (isinstance(home, _OWN) and isinstance(another, _OWN))


_OWN = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _plain(made: Code) -> str:
    """New code without the names of what it quotes."""
    text = text_of(made)
    for name in names_in(text):
        text = text.replace(name, "_", 1)
    return text
