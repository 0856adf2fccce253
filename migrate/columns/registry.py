"""The catalogue of productions: which Python syntax, method or function each covers, and on what domain."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from migrate.columns.element import Value
from migrate.columns.shapes import Shape
from migrate.frozen import dataclass

Rule = TypeVar("Rule", bound=Callable[..., Any])


@dataclass(frozen=True)
class Production:
    """One entry of the grammar.

    Attributes:
        title: the Python it covers, for the documentation.
        domain: the values for which Python and the Column agree; all others raise.
        examples: lambdas that the tests run on hostile values. The parameters' names give their shapes: `s`
            and `t` are str, `n` and `m` int, `x` float, `b` bool, `words` a list of str, `numbers` a list
            of int.
        partial: whether native code can raise where Python gives a value, or both raise.
        sensitive: the setting or value for which the plain Column would be wrong, and why this one is not.
    """

    title: str
    domain: str
    examples: tuple[str, ...]
    partial: bool = False
    sensitive: str = ""


CATALOGUE: list[Production] = []
SYNTAX: dict[type[ast.AST], Callable[..., Value]] = {}
METHODS: dict[tuple[type[Shape], str], Callable[..., Value]] = {}
FUNCTIONS: dict[str, Callable[..., Value]] = {}
PARAMETERS: dict[str, Mapping[str, object]] = {}
"""The parameters of functions that are called by keywords, too, and their defaults; `...` for none."""


def syntax(*kinds: type[ast.AST]) -> Callable[[Rule], Rule]:
    """Register a rule ``(compiler, node, names) -> Value`` for kinds of expression nodes."""

    def register(rule: Rule) -> Rule:
        SYNTAX.update(dict.fromkeys(kinds, rule))
        return rule

    return register


def method(on: type[Shape], name: str, *productions: Production) -> Callable[[Rule], Rule]:
    """Register a rule ``(compiler, node, receiver, arguments) -> Value`` for a method of a shape."""

    def register(rule: Rule) -> Rule:
        METHODS[on, name] = rule
        CATALOGUE.extend(productions)
        return rule

    return register


def function(
    name: str, *productions: Production, parameters: Mapping[str, object] | None = None
) -> Callable[[Rule], Rule]:
    """Register a rule ``(compiler, node, arguments) -> Value`` for a function, by its qualified name.

    With `parameters` the rule gets an argument for each of them.
    """

    def register(rule: Rule) -> Rule:
        FUNCTIONS[name] = rule
        if parameters is not None:
            PARAMETERS[name] = parameters
        CATALOGUE.extend(productions)
        return rule

    return register


def covers(*productions: Production) -> Callable[[Rule], Rule]:
    """Enter productions into the catalogue for a rule that is reached in another way, as an operator is."""

    def register(rule: Rule) -> Rule:
        CATALOGUE.extend(productions)
        return rule

    return register
