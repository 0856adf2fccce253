"""New code as a plan holds it: what it says, but not how it is laid out.

A text is the source of an expression or of statements, without indentation of its own; expressions of the
program stand in it as `migrate.syntax.quoting.quoted` names. `migrate.codemod` lays it out.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True)
class Call:
    """One link of a chain of method calls, without its leading dot."""

    code: str
    """``where(F.length("word") > 3)``; an attribute, ``rdd``, as well."""
    origin: tuple[ast.Call, ...] = ()
    """The calls of the program that it stands for; their comments are its own."""


@dataclass(frozen=True)
class Chain:
    """A statement that is a chain of method calls: ``counts = words.groupBy("word").agg(...)``."""

    base: str
    """The variable, or the expression, that it starts from."""
    calls: tuple[Call, ...]
    target: str = ""
    """What its value is assigned to: a variable, an attribute, or nothing."""
    returned: bool = False
    """Whether its value is returned."""

    @property
    def text(self) -> str:
        """The chain as one expression, for a place inside other code."""
        return ".".join([self.base, *(call.code for call in self.calls)])


Code = str | Chain
"""A statement, or several lines of them if it is a text."""


@dataclass(frozen=True)
class Written:
    """A statement of new code."""

    code: Code
    replaces: tuple[ast.stmt, ...] = ()
    """Statements of the program whose comments it takes over."""


@dataclass(frozen=True)
class Inner:
    """What changes inside a function of the program."""

    replaced: tuple[tuple[ast.AST, str], ...] = ()
    """Expressions and parameters, and what stands there instead."""
    before: tuple[tuple[ast.stmt, str], ...] = ()
    """Statements, and others to put before them."""
    dropped: tuple[ast.stmt, ...] = ()
    """Statements that go; their comments go to what follows."""
