"""A call of a function of the program in new code: ``save(batch, path)``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import KW_ONLY

from migrate.frozen import dataclass, replace
from migrate.syntax.quoting import quoted

LEFT_OUT = ""
"""What stands in the place of an argument that goes."""


@dataclass(frozen=True)
class Argument:
    """An argument."""

    code: str
    _: KW_ONLY
    before: str = ""
    """What stands before it: ``path=``, or ``**``; nothing where its place says which argument it is."""
    node: ast.expr | None = None
    """The expression of the program that it is as it stands; None for new code."""
    parameter: str = ""
    """The parameter that it is for, of a function that the batch function calls."""
    is_variable: bool = False
    """Whether new code reads a variable for it."""
    makes_rdd: bool = False
    """Whether an RDD is made of a DataFrame here."""
    has_ones: bool = False
    """Whether it is a DataFrame of which a column of ones is made here."""

    @property
    def text(self) -> str:
        """The argument with what stands before it."""
        return f"{self.before}{self.code}"


def before_value(keyword: str | None) -> str:
    """What stands before the value of a keyword, or of a dict of several."""
    return "**" if keyword is None else f"{keyword}="


def as_it_stands(node: ast.expr, before: str = "") -> Argument:
    """An argument that is an expression of the program."""
    return Argument(quoted(node), before=before, node=node)


@dataclass(frozen=True)
class FunctionCall:
    """The call of a function of the program."""

    function: ast.expr
    arguments: tuple[Argument, ...]

    @property
    def code(self) -> str:
        """The call as an expression."""
        return f"{quoted(self.function)}({', '.join(one.text for one in self.arguments)})"

    def with_texts(self, change: Callable[[str], str]) -> FunctionCall:
        """The call with the code of its arguments changed."""
        given = (replace(one, code=change(one.code)) for one in self.arguments)
        return FunctionCall(self.function, tuple(given))
