"""What a DataFrame and an RDD inside the batch function have in common: a chain of method calls."""

from __future__ import annotations

import ast
from typing import TypeVar

from migrate.plan.new_code.code import Call, Chain, Value
from migrate.syntax.copies import changed

S = TypeVar("S", bound="InBatch")


class InBatch:
    """A stream inside the batch function, as a chain of method calls."""

    base: str
    """The variable, or the expression, that the chain starts from."""
    calls: tuple[Call, ...]
    """Method calls on it."""
    origin: tuple[ast.Call, ...]
    """The calls of the program since the last method call that stands for one."""
    only: Value | None
    """Its only element, where nothing but that is read: ``batch.count()``."""
    is_made: bool
    """Whether `base` is an expression that makes it anew, and no variable that holds it."""

    def after(self: S, *calls: ast.Call) -> S:
        """The same after calls of the program for which there is no method call yet."""
        return changed(self, origin=(*self.origin, *calls))

    @property
    def origins(self) -> tuple[ast.Call, ...]:
        """All calls of the program that it replaces, since a variable held it."""
        return (*(call for link in self.calls for call in link.origin), *self.origin)

    @property
    def chain(self) -> Chain:
        """It as new code."""
        return Chain(self.base, self.calls)

    @property
    def held(self) -> Chain:
        """What a variable of the program holds: the DataFrame or RDD, or its only element."""
        return Chain(self.only.code) if self.only else self.chain

    @property
    def is_held(self) -> bool:
        """Whether a variable holds it, so that code may read it more than once."""
        return not (self.calls or self.is_made)

    @property
    def variable(self) -> str:
        """The variable that it is made of, if there is one."""
        return self.only.code if self.only else self.base
