"""The values that expressions of a traced program can have, seen without running it."""

from __future__ import annotations

import ast
from dataclasses import field

from migrate.frozen import dataclass
from migrate.model import Module


@dataclass(frozen=True)
class External:
    """A part of a package that was not read, by its qualified name.

    ``pyspark.streaming.StreamingContext``.
    """

    name: str
    origin: Module | None = field(default=None, compare=False, hash=False)
    """The module whose import statement brought it in."""


@dataclass(frozen=True)
class Made:
    """What calling an `External` of PySpark gave: ``sc = SparkContext(...)``."""

    name: str
    node: ast.Call

    def finds_itself(self, method: str) -> bool:
        """Whether a class method returns the object that has it: ``SparkContext("local").getOrCreate()``."""
        return self.name == "pyspark.SparkContext" and method == "getOrCreate"


@dataclass(frozen=True)
class Context:
    """A StreamingContext, known by the expression that made it."""

    node: ast.AST
    unknown: str | None = None
    """Why it is only known that it must be a context; None for one that the program constructs."""
    given_to: ast.FunctionDef | None = None
    """The function of which it is a parameter, if it is such an unknown one."""
    undefined: str = ""
    """Its name, if no code defines it, so that the program fails there."""


@dataclass(frozen=True)
class Stream:
    """A DStream, known by the call that made it."""

    node: ast.Call


@dataclass(frozen=True)
class Member:
    """A member of a context, a stream or a model of MLlib, not called yet."""

    owner: Context | Stream | Made
    name: str


@dataclass(frozen=True)
class Function:
    """A function or lambda of a module that was read."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class Class:
    """A class of a module that was read."""

    node: ast.ClassDef


@dataclass(frozen=True)
class Instance:
    """An object of a class of a module that was read; all objects of a class are one."""

    of: Class


@dataclass(frozen=True)
class Bound:
    """A method, and the object it was taken from, or the class if it is a class method."""

    function: Function
    receiver: Instance | Class


@dataclass(frozen=True)
class Items:
    """A tuple; the interpreter keeps what stands at each position, so that tuples of tuples stay finite."""

    node: ast.Tuple


@dataclass(frozen=True)
class Bag:
    """A list, set or dict; what it holds is kept by the interpreter, since it changes."""

    node: ast.AST


@dataclass(frozen=True)
class ModuleValue:
    """A module that was read."""

    module: Module = field(hash=False, compare=False)
    name: str


@dataclass(frozen=True)
class Globals:
    """``globals()``: the variables of a module, by their names."""

    module: Module = field(hash=False, compare=False)
    path: str


Value = (
    External
    | Made
    | Context
    | Stream
    | Member
    | Function
    | Class
    | Instance
    | Bound
    | Items
    | Bag
    | ModuleValue
    | Globals
)
Values = frozenset[Value]
NOTHING: Values = frozenset()
Traced = Context | Stream
TRACED = (Context, Stream)
HOLDING = (Items, Bag)
"""Values that hold others, as `isinstance` takes them: a union made at each call of it would cost more."""
