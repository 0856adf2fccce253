"""Reads the StreamingContext where it is started, stopped, or made a source of: ``ssc.start()``."""

from __future__ import annotations

import ast

from migrate.graph.blocked import Blocked
from migrate.graph.nodes import Nodes
from migrate.graph.operations import context_given
from migrate.graph.reading import Reading
from migrate.knowledge.connectors import KAFKA, RECEIVED
from migrate.knowledge.streaming import LIFECYCLE
from migrate.trace import Context, Use


class Contexts:
    """Reads expressions that are the context."""

    def __init__(self, nodes: Nodes, reading: Reading) -> None:
        self.nodes = nodes
        self.reading = reading

    def is_life(self, use: Use) -> bool:
        """Whether a member starts the context, stops it, waits for it, or is its SparkContext."""
        on_context = all(isinstance(owner, Context) for owner in use.owners)
        return on_context and (use.name in LIFECYCLE or use.name == "sparkContext")

    def life(self, use: Use) -> None:
        """Read such a member.

        Raises:
            Blocked: it is not called on a plain name.
        """
        self.on_context(use)
        if use.name == "sparkContext":
            if use.call is not None:
                raise Blocked("`sparkContext` is a property: the program fails there as it is", use)
            self.reading.spark_contexts.append(use)
        else:
            if use.call is None:
                raise Blocked(f"`{use.name}` is used without being called", use)
            self.reading.lifecycle.append(use)
        if use.name == "start":
            self.reading.before_start = len(self.reading.lines)
        self.reading.done.add(use)

    def on_context(self, use: Use) -> None:
        """Read the context that a member is called on.

        Raises:
            Blocked: it is no plain name, or one of a function around.
        """
        node = use.node
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute)):
            raise Blocked(f"`{use.name}` is not called on a plain name: assign the context to one", use)
        if self.nodes.tree.scope_of(node) is not self.reading.scope:
            raise Blocked(
                f"`{use.name}` is called in an inner function, and when that runs is not known", use
            )
        self.reading.followed.add(node.value)

    def given(self, call: ast.Call, use: Use) -> None:
        """Read the context that a connector's function is given.

        Raises:
            Blocked: it is no plain name, or the connector is not Kafka's.
        """
        if not use.connector.startswith(f"{KAFKA}.") and use.connector not in RECEIVED:
            raise Blocked(f"`{use.connector}`: there is no source of that kind for native code", use)
        given = context_given(call)
        if not isinstance(given, ast.Name | ast.Attribute):
            raise Blocked(f"`{use.name}` is not given a context by a plain name: assign it to one", use)
        if self.nodes.tree.scope_of(given) is not self.reading.scope:
            raise Blocked(
                f"`{use.name}` is called in an inner function, and when that runs is not known", use
            )
        self.reading.followed.add(given)
