"""Messages that a client of Kafka or a socket takes as bytes alone: in Python 2 every `str` is such."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from migrate.read.python2.clients import KAFKA_PYTHON, SOCKET, Client, Clients, Settings
from migrate.read.python2.handlers import caught_in
from migrate.read.python2.kinds import Kind, Kinds, kinds_of
from migrate.read.python2.producers import Producers
from migrate.syntax.nodes import of_kinds, walk
from migrate.syntax.text import Edit, Text


@dataclass(frozen=True)
class Message:
    """An argument of a method that sends, which must be bytes."""

    method: ast.Attribute
    value: ast.expr
    to_socket: bool
    is_assumed: bool = False
    """Whether its receiver is taken for a producer, as the module makes such and nothing else is known."""


class Messages:
    """The messages that a module sends by producers and sockets which take bytes."""

    def __init__(self, tree: ast.Module) -> None:
        self._clients = Clients(tree)
        self.found: list[Message] = []
        self.sends: set[ast.Attribute] = set()
        """The methods that send, ``producer.send``."""
        self.unknown: list[ast.Call] = []
        """The calls ``x.send(topic, message)`` of which nothing says what `x` is."""
        self._read(tree)

    def _read(self, tree: ast.Module) -> None:
        calls = [call for call in of_kinds(tree, ast.Call) if isinstance(call.func, ast.Attribute)]
        if not (self._clients.are_imported or any(map(_sends_to_topic, calls))):
            return
        producers = Producers(tree, self._clients)
        for call in calls:
            method = call.func
            assert isinstance(method, ast.Attribute)
            client = producers.held(method.value) if self._clients.are_imported else None
            if client is not None and method.attr in client[0].methods:
                self.sends.add(method)
                self.found += [
                    Message(method, value, client[0] is SOCKET) for value in _bytes_of(call, *client)
                ]
            elif _sends_to_topic(call) and producers.is_unknown(method.value):
                self.unknown.append(call)
                self.found += _assumed(call, producers.of_kafka)


def _sends_to_topic(call: ast.Call) -> bool:
    """Whether a call looks like that of a producer of kafka-python: ``x.send(topic, message)``."""
    names = [keyword.arg for keyword in call.keywords]
    is_plain = not any(isinstance(one, ast.Starred) for one in call.args)
    sends = isinstance(call.func, ast.Attribute) and call.func.attr in KAFKA_PYTHON.methods
    return sends and is_plain and (len(call.args) > 1 or (len(call.args) == 1 and "value" in names))


def messages_of(call: ast.Call) -> list[ast.expr]:
    """What such a call sends, if its receiver is a producer."""
    return list(_bytes_of(call, KAFKA_PYTHON, frozenset()))


def _assumed(call: ast.Call, producers: list[Settings]) -> Iterator[Message]:
    """What an unknown object sends, if it is a producer as all others that a module makes."""
    assert isinstance(call.func, ast.Attribute)
    if producers and not any(settings for _, settings in producers):
        for value in messages_of(call):
            yield Message(call.func, value, to_socket=False, is_assumed=True)


def refused(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """The messages that are texts for certain, which Python 3's clients refuse."""
    messages = Messages(tree)
    if not messages.found:
        return
    kinds = kinds_of(tree, true_division=True)
    for message in messages.found:
        if message.is_assumed:
            continue
        if is_text(message.value, kinds):
            sender = "socket" if message.to_socket else "producer"
            yield message.value, f"`{message.method.attr}` of a {sender} gets a text and takes bytes"
        elif _in_bytes(message.value, kinds) is not None:
            yield message.value, "`bytes` gets a text without an encoding"


def is_text(node: ast.expr, kinds: Kinds) -> bool:
    """Whether a message is a text, or its expression fails."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return is_text(node.left, kinds) or is_text(node.right, kinds)
    return kinds.of(node) is Kind.STR


def _in_bytes(node: ast.expr, kinds: Kinds) -> ast.expr | None:
    """The text of ``bytes(text)``, which is the text itself in Python 2."""
    match node:
        case ast.Call(ast.Name("bytes"), [text], []) if "bytes" not in kinds.bound and is_text(text, kinds):
            return text
    return None


def in_bytes(node: ast.expr, kinds: Kinds) -> bool:
    """Whether an expression is ``bytes(x)``, which is ``str(x)`` in Python 2."""
    match node:
        case ast.Call(ast.Name("bytes"), [one], []):
            return "bytes" not in kinds.bound and not isinstance(one, ast.Starred)
    return False


def encoded_messages(
    messages: Messages, is_bytes: Callable[[ast.expr], bool], tree: ast.Module, text: Text
) -> tuple[list[Edit], list[Edit], list[ast.expr]]:
    """``producer.send(topic, text)`` as ``producer.send(topic, text.encode("utf-8"))``.

    What the source has in UTF-8, and what is plain ASCII, are the same bytes as in Python 2; all else has
    failed there. What may be bytes already is for a function to look at, and what a socket gets stays, which
    `migrate.read.python2.limits` names. So does what a socket gets where a handler may have left out a text
    beyond ASCII.

    Args:
        messages: the messages of the module.
        is_bytes: whether an expression is bytes, or none, in Python 3 as well.
        tree: the module.
        text: its text.

    Returns:
        The edits before the messages, which go outside of all others there, those behind them, and the
        messages of which it is not known whether they are bytes.
    """
    openings: list[Edit] = []
    closings: list[Edit] = []
    doubtful: list[ast.expr] = []
    if not messages.found:
        return openings, closings, doubtful
    kinds = kinds_of(tree, true_division=True)
    parameters = set(_parameters(tree))
    makes_bytes = any(node.attr in MAKING_BYTES for node in of_kinds(tree, ast.Attribute))
    to_sockets = any(message.to_socket for message in messages.found)
    caught = set(caught_in(tree)) if to_sockets else set()
    for message in messages.found:
        if message.to_socket and message.method in caught and not kinds.is_ascii(message.value):
            continue
        whole = message.value
        value = _in_bytes(whole, kinds) or whole
        may_be_text = not (makes_bytes or message.is_assumed) and _may_be_text(whole, kinds, parameters)
        unknown = may_be_text or in_bytes(whole, kinds)
        if is_bytes(whole):
            continue
        if not (value is not whole or unknown or is_text(whole, kinds)):
            doubtful += [] if message.to_socket else [whole]
            continue
        before, after = ("", "") if isinstance(value, _ATOMS) else ("(", ")")
        if before or value is not whole:
            openings.append(Edit(text.start(whole), text.start(value), before))
        closings.append(Edit(text.end(value), text.end(whole), f'{after}.encode("utf-8")'))
    return openings, closings, doubtful


_ATOMS = (ast.Attribute, ast.Call, ast.Constant, ast.Name, ast.Subscript)
"""Expressions of which a method can be called as they stand."""
MAKING_BYTES = frozenset(
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
        return all(value is None or _becomes_text(value, kinds) for value in values)
    return isinstance(node, ast.Subscript) and _may_be_text(node.value, kinds, parameters)


def _parameters(tree: ast.Module) -> Iterator[ast.AST]:
    """Where functions read parameters that they do not bind again."""
    for function in of_kinds(tree, ast.FunctionDef, ast.Lambda):
        assert isinstance(function, ast.FunctionDef | ast.Lambda)
        own = {parameter.arg for parameter in function.args.args}
        names = [node for node in walk(function) if isinstance(node, ast.Name)]
        bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
        yield from (node for node in names if node.id in own - bound)


def _becomes_text(node: ast.expr, kinds: Kinds) -> bool:
    """Whether a value is a text in Python 3, as ``x.encode("utf-8")`` is where it is not a message itself."""
    is_encoded = isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "encode"
    return is_encoded or in_bytes(node, kinds) or kinds.of(node) is Kind.STR


def _bytes_of(call: ast.Call, client: Client, settings: frozenset[str]) -> Iterator[ast.expr]:
    wanted = {
        number: name
        for number, name in client.parameters.items()
        if client.serializers.get(name) not in settings
    }
    yield from (value for number, value in enumerate(call.args) if number in wanted)
    yield from (keyword.value for keyword in call.keywords if keyword.arg in wanted.values())
