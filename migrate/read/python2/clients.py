"""Clients that take messages as bytes alone: producers of Kafka, and sockets."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from migrate.syntax.nodes import of_kinds


@dataclass(frozen=True)
class Client:
    """A class of producers, or of sockets.

    Attributes:
        methods: the methods that send.
        parameters: those of its parameters that are bytes, by their positions.
        serializers: the settings that make bytes of each of them, if there are such.
    """

    methods: frozenset[str]
    parameters: dict[int, str]
    serializers: dict[str, str]


KAFKA_PYTHON = Client(
    frozenset({"send"}), {1: "value", 2: "key"}, {"value": "value_serializer", "key": "key_serializer"}
)
_PYKAFKA = Client(frozenset({"produce"}), {0: "message", 1: "partition_key"}, {"message": "serializer"})
_OLD = Client(frozenset({"send_messages"}), dict.fromkeys(range(1, 10), ""), {})
"""kafka-python's first producers, which take a topic and messages, or a topic, a key and messages."""
_CLASSES = {"KafkaProducer": KAFKA_PYTHON, "KeyedProducer": _OLD, "SimpleProducer": _OLD}
SOCKET = Client(frozenset({"send", "sendall", "sendto"}), {0: ""}, {})
_MAKERS = frozenset({"socket", "create_connection"})
_PACKAGES = frozenset({"kafka", "kafka.producer"})
_PYKAFKA_MAKERS = frozenset({"get_producer", "get_sync_producer"})


Settings = tuple[Client, frozenset[str]]
"""A client, and those of its settings that make bytes."""


class Clients:
    """The classes of such clients that a module imports."""

    def __init__(self, tree: ast.Module) -> None:
        self._names, self._modules = dict(_classes(tree)), set(_packages(tree))
        self.are_of_kafka = bool(self._names or self._modules)
        """Whether there are producers of kafka-python among them."""
        self._has_pykafka = any("pykafka" in name for name in _imported(tree))
        self._sockets = set(_sockets(tree))
        self.are_imported = bool(self._names or self._modules or self._has_pykafka or self._sockets)

    def made_by(self, node: ast.expr) -> Settings | None:
        """The class of the client that an expression makes, and the settings that it gets."""
        if not isinstance(node, ast.Call) or any(keyword.arg is None for keyword in node.keywords):
            return None
        settings = frozenset(
            str(keyword.arg)
            for keyword in node.keywords
            if not (isinstance(keyword.value, ast.Constant) and keyword.value.value is None)
        )
        client: Client | None = None
        match node.func:
            case ast.Name(name) if name in self._names:
                client = _CLASSES[self._names[name]]
            case ast.Attribute(value, name) if name in _CLASSES and ast.unparse(value) in self._modules:
                client = _CLASSES[name]
            case ast.Attribute(_, name) if name in _PYKAFKA_MAKERS and self._has_pykafka:
                client = _PYKAFKA
            case ast.Attribute(_, "accept") if self._sockets and not node.args:
                client = SOCKET
            case function if self._sockets and ast.unparse(function) in self._sockets:
                client = SOCKET
        return None if client is None else (client, settings & set(client.serializers.values()))


def _classes(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names of classes of producers, with those that they have in their package."""
    for node in of_kinds(tree, ast.ImportFrom):
        if node.module in _PACKAGES and not node.level:
            yield from ((one.asname or one.name, one.name) for one in node.names if one.name in _CLASSES)


def _packages(tree: ast.Module) -> Iterator[str]:
    for node in of_kinds(tree, ast.Import):
        yield from (alias.asname or alias.name for alias in node.names if alias.name in _PACKAGES)


def _imported(tree: ast.Module) -> Iterator[str]:
    yield from (alias.name for node in of_kinds(tree, ast.Import) for alias in node.names)
    yield from (node.module or "" for node in of_kinds(tree, ast.ImportFrom))


def _sockets(tree: ast.Module) -> Iterator[str]:
    """What makes sockets, as a module calls it: ``socket.socket``."""
    for module in of_kinds(tree, ast.Import):
        if any(alias.name == "socket" and alias.asname is None for alias in module.names):
            yield from (f"socket.{maker}" for maker in _MAKERS)
    for members in of_kinds(tree, ast.ImportFrom):
        if members.module == "socket":
            names = {alias.name for alias in members.names if alias.asname is None}
            yield from _MAKERS if "*" in names else _MAKERS & names
