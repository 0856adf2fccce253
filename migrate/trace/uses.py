"""Where a program uses members of contexts and streams, and where it hands them to code that was not read."""

from __future__ import annotations

import ast
from dataclasses import field

from migrate.frozen import dataclass
from migrate.knowledge.connectors import BAHIR, RECEIVED
from migrate.model import Module
from migrate.trace.values import (
    Traced,
)

CONSTRUCTOR = "pyspark.streaming.StreamingContext"


@dataclass(frozen=True)
class Use:
    """A member of a traced value, or a constructor, where the program names it."""

    node: ast.expr
    """The attribute, or for a constructor the expression that is called."""
    call: ast.Call | None = field(hash=False)
    """None for a bare reference."""
    name: str = field(hash=False)
    owners: frozenset[Traced] = field(hash=False)
    module: Module = field(hash=False)
    constructor: bool = field(default=False, hash=False)
    connector: str = field(default="", hash=False)
    """The qualified name of a connector's function, which makes a stream of a context that it is given."""
    model: str = field(default="", hash=False)
    """The qualified name of the class of MLlib whose member is given a stream."""

    @property
    def operator(self) -> str:
        """The name that its rule knows it by: that of the member, unless several connectors have one."""
        return RECEIVED.get(self.connector, self.name)

    @property
    def line(self) -> int:
        """The line of the member's name, or of the constructor."""
        return (
            (self.node.end_lineno or self.node.lineno)
            if isinstance(self.node, ast.Attribute)
            else self.node.lineno
        )


@dataclass(frozen=True)
class Escape:
    """A traced value handed to code that was not read, or that the program chooses when it runs."""

    node: ast.Call
    to: str
    values: frozenset[Traced]
    module: Module
    chosen: bool = False
    """Whether the project has functions or classes of that name; it is taken for all of them."""
    undefined: str = ""
    """The name that it begins with, if no code defines that, so that the program fails there."""


def canonical(name: str) -> str:
    """One name for one thing: compat's modules and PySpark's submodules count as ``pyspark.streaming``."""
    if name == f"{BAHIR}.MQTTUtils" or name.startswith(f"{BAHIR}.MQTTUtils."):
        return f"pyspark.streaming.{name}"
    if name == "compat.streaming" or name.startswith("compat.streaming."):
        name = "pyspark" + name.removeprefix("compat")
    for part in ("context", "dstream", "listener"):
        if name.startswith(f"pyspark.streaming.{part}."):
            return "pyspark.streaming." + name.removeprefix(f"pyspark.streaming.{part}.")
    return name
