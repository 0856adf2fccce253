"""The origins of values in code that stores offsets: the store that a client is of, the RDD, or unknown."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import NoReturn

from migrate.proofs.analysis.facts import Facts

FILE = "open"
"""The store that is the file system."""
RDD = "the RDD"
OBJECT = "an object of the project"
UNKNOWN = "unknown"
_NO_STORES = frozenset({RDD, OBJECT, UNKNOWN})

Origins = frozenset[str]
"""The stores that a value is a handle of or was read from, and what else it is."""
NOTHING = Origins()
Variable = tuple[ast.Module | ast.FunctionDef | ast.ClassDef, str]
"""A variable of a module or function, or an attribute of the objects of a class."""


class DoesMore(Exception):  # noqa: N818  (it is an answer, not a failure)
    """Code does something else, or may do so."""


def refuse() -> NoReturn:
    """Refuse code.

    Raises:
        DoesMore: always.
    """
    raise DoesMore


def union(origins: Iterable[Origins]) -> Origins:
    """All of some origins."""
    return NOTHING.union(*origins)


class Found(ABC):
    """What is known of functions and expressions that only store offsets or read them."""

    def __init__(self) -> None:
        self.functions: set[ast.FunctionDef | ast.Lambda] = set()
        """The functions whose code was followed."""
        self.stores: set[str] = set()
        """The libraries that are handed something, or asked."""
        self.has_ranges = False
        """Whether it asks the RDD for its offsets."""
        self.held: set[Variable] = set()
        """The variables that are not its own and that it changes."""
        self.read: set[Variable] = set()
        """Those that it reads, and whose values are no constants."""
        self.places: list[ast.Call] = []
        """Its calls of ``TopicAndPartition``."""
        self.said: list[ast.Call] = []
        """Calls that print or log a constant text."""
        self.given: dict[Variable, Origins] = {}
        """The origins of what these variables get."""
        self.open: set[ast.AST] = set()
        """The functions and values that are being followed."""

    def touch(self, origins: Origins) -> None:
        """Note that stores are handed something, or asked."""
        self.stores |= origins - _NO_STORES

    def hold(self, variable: Variable, given: Origins) -> None:
        """Note that a variable gets a value."""
        self.held.add(variable)
        self.given[variable] = self.given.get(variable, NOTHING) | given

    @abstractmethod
    def function(
        self, node: ast.FunctionDef | ast.Lambda, values: dict[str, Origins], facts: Facts
    ) -> Origins:
        """The origins of what a function returns, given those of its arguments."""
