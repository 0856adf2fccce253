"""Messages that a client of Kafka takes as bytes alone: in Python 2 every `str` is such."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from migrate.read.python2.handed import Handed
from migrate.read.python2.kinds import Kind, Kinds
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.text import Edit, Text


@dataclass(frozen=True)
class _Client:
    """A class of producers.

    Attributes:
        method: the method that sends.
        parameters: those of its parameters that are bytes, by their positions.
        serializers: the settings that make bytes of each of them, if there are such.
    """

    method: str
    parameters: dict[int, str]
    serializers: dict[str, str]


_Settings = tuple[_Client, frozenset[str]]
_DEEPEST = 8
"""How many functions may hand a producer to one another."""
_KAFKA_PYTHON = _Client(
    "send", {1: "value", 2: "key"}, {"value": "value_serializer", "key": "key_serializer"}
)
_PYKAFKA = _Client("produce", {0: "message", 1: "partition_key"}, {"message": "serializer"})
_CLASSES = {
    "KafkaProducer": _KAFKA_PYTHON,
    "SimpleProducer": _Client("send_messages", dict.fromkeys(range(1, 10), ""), {}),
}
_PACKAGES = frozenset({"kafka", "kafka.producer"})
_PYKAFKA_MAKERS = frozenset({"get_producer", "get_sync_producer"})


@dataclass(frozen=True)
class Message:
    """An argument of a method that sends, which must be bytes."""

    method: ast.Attribute
    value: ast.expr


class Messages:
    """The messages that a module sends by producers which take bytes."""

    def __init__(self, tree: ast.Module) -> None:
        self._names, self._modules = dict(_classes(tree)), set(_packages(tree))
        self._has_pykafka = any("pykafka" in name for name in _imported(tree))
        self.found: list[Message] = []
        self.sends: set[ast.Attribute] = set()
        """The methods that send, ``producer.send``."""
        if self._names or self._modules or self._has_pykafka:
            self._read(tree)

    def _read(self, tree: ast.Module) -> None:
        made, handed = dict(self._made(tree)), Handed(tree)
        for call in of_kinds(tree, ast.Call):
            if not isinstance(call.func, ast.Attribute):
                continue
            client = self._held(call.func.value, made, handed)
            if client is None or client[0].method != call.func.attr:
                continue
            self.sends.add(call.func)
            self.found += [Message(call.func, value) for value in _bytes_of(call, client[0], client[1])]

    def _held(
        self, node: ast.expr, made: Mapping[str, _Settings | None], handed: Handed, depth: int = 0
    ) -> _Settings | None:
        """The class and settings of the producer that an expression is, also as an argument of each call."""
        if isinstance(node, ast.Call):
            return self._client(node)
        values = handed.values(node) if isinstance(node, ast.Name) else None
        if values is None:
            return made.get(ast.unparse(node))
        if not values or depth == _DEEPEST:
            return None
        first, *others = (self._held(value, made, handed, depth + 1) for value in values)
        return first if all(other == first for other in others) else None

    def _made(self, tree: ast.Module) -> Iterator[tuple[str, _Settings | None]]:
        """The variables that hold producers, with their settings; None for what may be something else."""
        held: dict[str, list[_Settings | None]] = {}
        for assignment in of_kinds(tree, ast.Assign):
            for target in assignment.targets:
                if not (isinstance(assignment.value, ast.Constant) and assignment.value.value is None):
                    held.setdefault(ast.unparse(target), []).append(self._client(assignment.value))
        for node in of_kinds(tree, ast.withitem):
            if node.optional_vars is not None:
                held.setdefault(ast.unparse(node.optional_vars), []).append(self._client(node.context_expr))
        for name, clients in held.items():
            yield name, clients[0] if all(client == clients[0] for client in clients) else None

    def _client(self, node: ast.expr) -> _Settings | None:
        """The class of a producer that an expression makes, and the settings that it gets."""
        if not isinstance(node, ast.Call) or any(keyword.arg is None for keyword in node.keywords):
            return None
        settings = frozenset(
            str(keyword.arg)
            for keyword in node.keywords
            if not (isinstance(keyword.value, ast.Constant) and keyword.value.value is None)
        )
        client: _Client | None = None
        match node.func:
            case ast.Name(name) if name in self._names:
                client = _CLASSES[self._names[name]]
            case ast.Attribute(value, name) if name in _CLASSES and ast.unparse(value) in self._modules:
                client = _CLASSES[name]
            case ast.Attribute(_, name) if name in _PYKAFKA_MAKERS and self._has_pykafka:
                client = _PYKAFKA
        return None if client is None else (client, settings & set(client.serializers.values()))


def refused(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """The messages that are texts for certain, which Python 3's clients refuse."""
    messages = Messages(tree)
    if not messages.found:
        return
    kinds = Kinds(tree, true_division=True)
    for message in messages.found:
        if _is_text(message.value, kinds):
            yield message.value, f"`{message.method.attr}` of a producer gets a text and takes bytes"
        elif _in_bytes(message.value, kinds) is not None:
            yield message.value, "`bytes` gets a text without an encoding"


def _is_text(node: ast.expr, kinds: Kinds) -> bool:
    """Whether a message is a text, or its expression fails."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _is_text(node.left, kinds) or _is_text(node.right, kinds)
    return kinds.of(node) is Kind.STR


def _in_bytes(node: ast.expr, kinds: Kinds) -> ast.expr | None:
    """The text of ``bytes(text)``, which is the text itself in Python 2."""
    match node:
        case ast.Call(ast.Name("bytes"), [text], []) if "bytes" not in kinds.bound and _is_text(text, kinds):
            return text
    return None


def encoded_messages(
    messages: Messages, is_bytes: Callable[[ast.expr], bool], tree: ast.Module, text: Text
) -> tuple[list[Edit], list[Edit]]:
    """``producer.send(topic, text)`` as ``producer.send(topic, text.encode("utf-8"))``.

    What the source has in UTF-8, and what is plain ASCII, are the same bytes as in Python 2; all else has
    failed there. What may be bytes already stays, and `migrate.read.python2.limits` names it.

    Args:
        messages: the messages of the module.
        is_bytes: whether an expression is bytes, or none, in Python 3 as well.
        tree: the module.
        text: its text.

    Returns:
        The edits before the messages, which go outside of all others there, and those behind them.
    """
    openings: list[Edit] = []
    closings: list[Edit] = []
    if not messages.found:
        return openings, closings
    kinds = Kinds(tree, true_division=True)
    parameters = set(_parameters(tree))
    makes_bytes = any(node.attr in _MAKING_BYTES for node in of_kinds(tree, ast.Attribute))
    for message in messages.found:
        whole = message.value
        value = _in_bytes(whole, kinds) or whole
        unknown = not makes_bytes and _may_be_text(whole, kinds, parameters)
        if is_bytes(whole) or not (value is not whole or unknown or _is_text(whole, kinds)):
            continue
        before, after = ("", "") if isinstance(value, _ATOMS) else ("(", ")")
        if before or value is not whole:
            openings.append(Edit(text.start(whole), text.start(value), before))
        closings.append(Edit(text.end(value), text.end(whole), f'{after}.encode("utf-8")'))
    return openings, closings


_ATOMS = (ast.Attribute, ast.Call, ast.Constant, ast.Name, ast.Subscript)
"""Expressions of which a method can be called as they stand."""
_MAKING_BYTES = frozenset(
    {
        *("SerializeToString", "b64decode", "compress", "digest", "getvalue", "pack", "packb", "read"),
        *("recv", "tobytes", "tostring"),
    }
)
"""Methods that give bytes in Python 3."""


def _may_be_text(node: ast.expr, kinds: Kinds, parameters: set[ast.AST]) -> bool:
    """Whether nothing says that a message is no text: a parameter, an item, what was encoded before."""
    if isinstance(node, ast.Name):
        values = [] if node in parameters else kinds.values(node)
        return all(value is None or kinds.of(value) is Kind.STR or _is_encoded(value) for value in values)
    return isinstance(node, ast.Subscript) and _may_be_text(node.value, kinds, parameters)


def _parameters(tree: ast.Module) -> Iterator[ast.AST]:
    """Where functions read parameters that they do not bind again."""
    for function in of_kinds(tree, ast.FunctionDef, ast.Lambda):
        assert isinstance(function, ast.FunctionDef | ast.Lambda)
        own = {parameter.arg for parameter in function.args.args}
        names = [node for node in walk(function) if isinstance(node, ast.Name)]
        bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
        yield from (node for node in names if node.id in own - bound)


def _is_encoded(node: ast.expr) -> bool:
    """Whether a value is ``x.encode("utf-8")``, which is a text where it is not a message itself."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "encode"


def _bytes_of(call: ast.Call, client: _Client, settings: frozenset[str]) -> Iterator[ast.expr]:
    wanted = {
        number: name
        for number, name in client.parameters.items()
        if client.serializers.get(name) not in settings
    }
    yield from (value for number, value in enumerate(call.args) if number in wanted)
    yield from (keyword.value for keyword in call.keywords if keyword.arg in wanted.values())


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
