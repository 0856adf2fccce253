"""What the parts of the grammar ask of the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import ast

    from migrate.columns.element import Scope
    from migrate.typed.held import Held
    from migrate.typed.types import Type

Names = Mapping[str, "Type"]
"""The types of variables, and of what a condition has narrowed, by the dump of its expression."""


class Typing(Protocol):
    """Finds the types of expressions."""

    reads_clock: bool
    """Whether one of them may give something else each time."""
    prints: bool
    """Whether one of them prints."""
    function: ast.Lambda | ast.FunctionDef | None
    """The function that they stand in."""
    held: Sequence[Held]
    """How much of the arguments of that nothing else holds."""

    @property
    def scope(self) -> Scope:
        """What the names of the module mean."""

    def type_of(self, node: ast.expr, names: Names) -> Type:
        """The type of an expression.

        Raises:
            Refusal: it is not known, or evaluating it may do more than to compute.
        """

    def apply(
        self, function: ast.AST, arguments: Sequence[Type], names: Names, held: Sequence[Held] = ()
    ) -> Type:
        """The type of what a function returns.

        Args:
            function: the function.
            arguments: the types of its arguments.
            names: the types of variables around it.
            held: how much of the arguments nothing else holds.

        Raises:
            Refusal: it is not known, not pure, or its type is not known.
        """
