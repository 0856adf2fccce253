"""What a function returns for elements of known types, found once however many forms ask for it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from migrate.columns.element import Refusal, Scope, unsettled
from migrate.typed.expressions import Expressions
from migrate.typed.held import Held
from migrate.typed.types import Type


@dataclass(frozen=True)
class Applied:
    """The result of calling a function.

    Attributes:
        type: that of what it returns.
        reads_clock: whether it may return something else each time.
        prints: whether it prints.
    """

    type: Type
    reads_clock: bool
    prints: bool


def applied(function: ast.AST, arguments: Sequence[Type], scope: Scope) -> Applied:
    """The result of a function.

    Args:
        function: a lambda, a definition, or a name of one.
        arguments: the types of what it is given.
        scope: the names that it reads. All scopes that were copied from one share what was found.

    Raises:
        Refusal: it is not known, not pure, or its type is not known.
    """
    key = function, tuple(arguments), scope.settled is unsettled, scope.new
    found = scope.applied.get(key)
    if found is None:
        found = scope.applied[key] = _found(function, arguments, scope)
    if isinstance(found, Refusal):
        raise found
    assert isinstance(found, Applied)
    return found


def _found(function: ast.AST, arguments: Sequence[Type], scope: Scope) -> Applied | Refusal:
    typing = Expressions(scope)
    try:
        found = typing.apply(function, arguments, {}, [*map(Held, scope.new)])
    except Refusal as refusal:
        return refusal
    return Applied(found, typing.reads_clock, typing.prints)
